"""Speed-up by many cores: counts on one core, without the driver, and on several, by turns.

Each count is made in a new process, after a warm-up, and checked. The start of a pool of processes
is a column of its own; so is a short walk made on as many cores at once. The table has a row a
count. At the end means are printed, and speed-ups with 95 % intervals, from all rows.

A board that takes longer than --limit is left out from there on, by name. A line a board is printed as
soon as it is done. Ctrl-C leaves the board at hand and goes on with the next one; twice within a second it
ends the run. bench/README.md has these options for those who know the published program's.

The control is a short walk, always the same, on all cores at once: what it takes longer than on one core is
due to the machine, as its line says, and not to the driver. --oversubscribe
also measures numbers of workers beyond the cores, in a table of its own that no figure is drawn from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import monotonic
from typing import NamedTuple

from bench.common.commands import TimeLimitError, refuse
from bench.common.options import add_boards, add_matching, add_number, chosen_boards, matching, read_boards
from bench.study.boards import line_of, runs_of, write_boards
from bench.study.options import ROWS, TWELVE, KnownCounts, add_measuring, cores_list, positive, print_table
from bench.study.session import Step, open_table, run_steps, run_trial
from bench.study.trial import BACKEND_NAMES, Trial
from bench.tables.analysis import complete_rounds, crowding, speedup
from bench.tables.rows import Run
from bench.tables.stats import Ratio, Summary
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from enumerator import engines
from enumerator.board import Board
from enumerator.command.arguments import search_space_size
from enumerator.run.workers.executors import usable_cores
from enumerator.text.phrases import plural

CORES = [2**exponent for exponent in range(13)]
"""The numbers of cores that are measured by default, as far as the machine has them."""

MACHINE_EFFECTS = "above 1.00 is memory bandwidth, clock, and cores that share units"
"""What a control that takes longer is due to."""

LIMIT_SECONDS = 300.0
"""The longest count, by default."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cores", type=cores_list, metavar="N,N", help="default: 1,2,4,8, …, up to what the machine has"
    )
    parser.add_argument("--oversubscribe", action="store_true", help="also more workers than the machine has cores")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sequential", action="store_true", help="on one core only")
    which.add_argument("--parallel", action="store_true", help="on several cores only")
    rounds = parser.add_mutually_exclusive_group()
    text = "counts of each board, in rounds over all boards: the line of a board comes in the last round"
    add_number(rounds, "--iterations", 5, text, short="-i")
    text = "board after board, as many rounds of each as fit into S seconds, and at least one"
    rounds.add_argument("-t", "--time", type=positive, metavar="S", help=text)
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a count (default: %(default)g)"
    )
    parser.add_argument("--engine", choices=engines.names(), default="auto", help="default: %(default)s")
    parser.add_argument("--cutoff", type=search_space_size, metavar="SIZE", help="default: none")
    parser.add_argument("--backend", choices=BACKEND_NAMES, default="loky", help="default: %(default)s")
    add_boards(parser, TWELVE)
    add_matching(parser)
    add_measuring(parser, has_csv_file=True)


def run(options: argparse.Namespace) -> int:
    paths = matching(chosen_boards(options.boards, TWELVE), options)
    name = "oversubscribed" if options.oversubscribe else "speedup"
    path = options.results / f"{name}-{options.engine}.csv"
    boards, cores = read_boards(paths), wanted_cores(options)
    command = f"speedup --cores {','.join(map(str, cores))} --engine {options.engine} --backend {options.backend}"
    if options.cutoff:
        command += f" --cutoff {options.cutoff}"
    if options.oversubscribe:
        command += " --oversubscribe"
    table, known = open_table(path, Run, command, options.fresh), KnownCounts(paths)
    most = usable_cores() if options.oversubscribe else None
    schedule = Schedule(table, list(paths), cores, options.iterations, options.time)

    def show(board: str) -> None:
        """Print the line of a board that is done, and save the row of each."""
        if options.silent or options.csv == ROWS or not (runs := runs_of(table.rows, board)):
            return
        print(line_of(board, runs, most), flush=True)
        if options.csv:
            write_boards(options.csv, paths, table.rows, cores, most)

    def steps() -> Iterator[Step]:
        for board, count, iteration in schedule.steps(show):
            cutoff = None if options.cutoff is None else int(options.cutoff)
            how = (options.engine, cutoff, options.backend, options.oversubscribe)
            trial = Trial(str(paths[board].resolve()), count, *how)

            def measure_one(board: str = board, trial: Trial = trial, iteration: int = iteration) -> None:
                try:
                    table.add(measure(board, boards[board], trial, iteration, known, options.limit))
                except TimeLimitError:
                    schedule.late.add(board)
                    print(f"bench: {board} takes longer than {options.limit:g} s: left out", file=sys.stderr)

            is_extra = iteration > 0 and not options.time
            yield Step(board, f"{count} cores" if count > 1 else "1 core", measure_one, is_extra)

    status = run_steps(steps(), schedule.total, options, None if options.silent else schedule.late.add)
    lines = [*summary_lines(table.rows, options.wide, most), *control_lines(table.rows, most)]
    print_table(options, lines, table.rows)
    return status


def control_lines(rows: list[Run], most: int | None = None) -> Iterator[str]:
    """Yield what the control says about each number of cores; `most` is the number of cores of the machine."""
    for cores in sorted({row.cores for row in rows} - {1}):
        factor = crowding(rows, cores)
        is_beyond = most and cores > most
        why = f"oversubscribed: {plural(most or 0, 'core')}" if is_beyond else MACHINE_EFFECTS
        yield f"control: {cores} walks at once, without the driver, take {factor:.2f} times as long as one; {why}"


def wanted_cores(options: argparse.Namespace) -> list[int]:
    """Return the numbers of cores to measure; end the command if there is none."""
    if options.oversubscribe and options.cores:
        return sorted({1, *options.cores})
    numbers = [1] if options.sequential else measurable_cores(options.cores)
    if options.parallel:
        numbers.remove(1)
    return numbers or refuse("there is no number of cores above 1 to measure")


def measurable_cores(cores: list[int] | None) -> list[int]:
    """Return the numbers of cores that this machine has, and 1; print those that were asked for in vain."""
    most = usable_cores()
    if too_many := [str(count) for count in cores or () if count > most]:
        print(
            f"bench: this machine has {plural(most, 'core')}: left out are {', '.join(too_many)}; see `bench simulate`"
        )
    return sorted({1, *(count for count in cores or CORES if count <= most)})


class Schedule:
    """The missing measurements of a table: in rounds, all boards with all numbers of cores.

    With `seconds`, board after board, in as many rounds of each as fit into them, and at least one. A board
    that has a complete round by then is done.
    """

    def __init__(
        self, table: Table[Run], names: list[str], cores: list[int], iterations: int, seconds: float | None = None
    ) -> None:
        self.table, self.names, self.cores, self.iterations, self.seconds = table, names, cores, iterations, seconds
        self.late: set[str] = set()
        """Boards that are left: they exceed the time limit, or were interrupted."""

    @property
    def total(self) -> int:
        """The number of missing measurements; with `seconds`, of one round."""
        return sum(
            not self._is_measured(name, count, iteration)
            for name in self.names
            for count in self.cores
            for iteration in range(1 if self.seconds else self.iterations)
        )

    def steps(self, on_done: Callable[[str], None] = lambda _: None) -> Iterator[tuple[str, int, int]]:
        """Yield boards, numbers of cores and rounds; call `on_done` with each board that is done."""
        if self.seconds is not None:
            for name in self.names:
                yield from self._timed_rounds(name, self.seconds)
                on_done(name)
            return
        for iteration in range(self.iterations):
            for name in self.names:
                yield from self._round(name, iteration)
                if iteration == self.iterations - 1:
                    on_done(name)

    def _round(self, name: str, iteration: int) -> Iterator[tuple[str, int, int]]:
        """Yield the missing measurements of a board in a round.

        Every other round has the numbers of cores in reverse order.
        """
        for count in self.cores[:: -1 if iteration % 2 else 1]:
            if name not in self.late and not self._is_measured(name, count, iteration):
                yield name, count, iteration

    def _timed_rounds(self, name: str, seconds: float) -> Iterator[tuple[str, int, int]]:
        """Yield the measurements of a board while another round is expected to end in time."""
        if all(self._is_measured(name, count, 0) for count in self.cores):
            return
        started, iteration, passed = monotonic(), 0, -inf
        while passed < seconds and name not in self.late:
            yield from self._round(name, iteration)
            iteration += 1
            passed = (monotonic() - started) / iteration * (iteration + 1)

    def _is_measured(self, name: str, cores: int, iteration: int) -> bool:
        return any((row.board, row.cores, row.iteration) == (name, cores, iteration) for row in self.table.rows)


def measure(name: str, board: Board, trial: Trial, iteration: int, known: KnownCounts, limit: float) -> Run:
    """Return a count as a row. Raise TimeLimitError."""
    result = run_trial(trial, limit)
    return Run(
        board=name,
        empty_cells=board.empty_cells,
        filling_factor=board.filling_factor,
        search_space=int(board.search_space),
        solutions=known.check(name, int(result.solutions)),
        engine=result.engine,
        cores=trial.cores,
        iteration=iteration,
        seconds=result.seconds,
        nodes=result.nodes,
        tasks=result.tasks,
        busy=result.busy,
        pool_seconds=result.pool_seconds,
        memory=result.memory,
        walk=result.walk,
    )


class Line(NamedTuple):
    """A line of the printed table: a board on some number of cores."""

    board: str
    cores: int
    runs: list[Run]
    gain: Ratio | None
    """The speed-up; None on one core."""
    gain_of_least: float

    @property
    def times(self) -> Summary:
        return Summary.of([run.seconds for run in self.runs])

    @property
    def bounds(self) -> str:
        if self.gain is None:
            return ""
        return f"{self.gain.low:.2f}–{self.gain.high:.2f}" if len(self.runs) > 1 else "one round"


COLUMNS: list[Column[Line]] = [
    Column("board", lambda line: line.board, is_left=True),
    Column("solutions", lambda line: f"{line.runs[0].solutions:,}"),
    Column("engine", lambda line: line.runs[-1].engine),
    Column("cores", lambda line: str(line.cores)),
    Column("rounds", lambda line: str(len(line.runs)), is_wide=True),
    Column("mean s", lambda line: f"{line.times.mean:.5f}"),
    Column("dev s", lambda line: f"{line.times.deviation:.5f}", is_wide=True),
    Column("min s", lambda line: f"{line.times.least:.5f}"),
    Column("max s", lambda line: f"{line.times.most:.5f}", is_wide=True),
    Column("tasks", lambda line: str(line.runs[-1].tasks)),
    Column("MB", lambda line: f"{max(run.memory for run in line.runs):.0f}", is_wide=True),
    Column(
        "pool s", lambda line: f"{max(run.pool_seconds for run in line.runs):.2f}" if line.gain else "", is_wide=True
    ),
    Column("speed-up", lambda line: f"{line.gain.value:.2f}" if line.gain else ""),
    Column("95 %", lambda line: line.bounds),
    Column("efficiency", lambda line: f"{line.gain.value / line.cores:.3f}" if line.gain else ""),
    Column("of minima", lambda line: f"{line.gain_of_least:.3f}" if line.gain else "", is_wide=True),
]


def summary_lines(rows: Iterable[Run], wide: bool = False, most: int | None = None) -> Iterator[str]:
    """Yield the lines of a printed table: means and speed-ups; with `wide`, deviations, memory and minima too.

    Numbers of cores beyond `most`, those of the machine, are marked.
    """
    lines = []
    for board, by_cores in complete_rounds(rows).items():
        for cores, runs in by_cores.items():
            is_compared = cores > 1 and 1 in by_cores
            alone, here = (min((run.seconds for run in each), default=inf) for each in (by_cores.get(1, []), runs))
            lines.append(Line(board, cores, runs, speedup(by_cores, cores) if is_compared else None, alone / here))
    columns = COLUMNS
    if most is not None:
        marked = Column[Line]("cores", lambda line: f"{line.cores}{f' on {most}' if line.cores > most else ''}")
        columns = [marked if column.head == "cores" else column for column in COLUMNS]
    return text_table(columns, lines, wide)
