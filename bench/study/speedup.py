"""Speed-up by many cores: counts on one core, without the driver, and on several, by turns.

Each count is made in a new process, after a warm-up, and checked. The start of a pool of processes
is a column of its own; so is a short walk made on as many cores at once. The table has a row a
count. At the end means are printed, and speed-ups with 95 % intervals, from all rows.

A board that takes longer than --limit is left out from there on, by name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bench.common.commands import TimeLimitError
from bench.common.options import add_boards, add_number, chosen_boards, read_boards
from bench.study.options import TWELVE, KnownCounts, add_measuring, cores_list, positive, print_table
from bench.study.session import Step, open_table, run_steps, run_trial
from bench.study.trial import BACKEND_NAMES, Trial
from bench.tables.analysis import complete_rounds, speedup
from bench.tables.rows import Run
from bench.tables.stats import Ratio, Summary
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from enumerator import engines
from enumerator.board import Board
from enumerator.command.arguments import search_space_size
from enumerator.run.workers.executors import usable_cores

CORES = [1, 2, 4, 8, 16]
"""The numbers of cores that are measured by default, as far as the machine has them."""

LIMIT_SECONDS = 300.0
"""The longest count, by default."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cores", type=cores_list, metavar="N,N", help="default: 1,2,4,8,16, up to what the machine has"
    )
    add_number(parser, "--iterations", 5, "counts of each board")
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a count (default: %(default)g)"
    )
    parser.add_argument("--engine", choices=engines.names(), default="auto", help="default: %(default)s")
    parser.add_argument("--cutoff", type=search_space_size, metavar="SIZE", help="default: none")
    parser.add_argument("--backend", choices=BACKEND_NAMES, default="loky", help="default: %(default)s")
    add_boards(parser, TWELVE)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    paths, path = chosen_boards(options.boards, TWELVE), options.results / f"speedup-{options.engine}.csv"
    boards, cores = read_boards(paths), measurable_cores(options.cores)
    command = f"speedup --cores {','.join(map(str, cores))} --engine {options.engine} --backend {options.backend}"
    if options.cutoff:
        command += f" --cutoff {options.cutoff}"
    table, known = open_table(path, Run, command, options.fresh), KnownCounts(paths)
    schedule = Schedule(table, list(paths), cores, options.iterations)

    def steps() -> Iterator[Step]:
        for board, count, iteration in schedule.steps():
            cutoff = None if options.cutoff is None else int(options.cutoff)
            trial = Trial(str(paths[board].resolve()), count, options.engine, cutoff, options.backend)

            def measure_one(board: str = board, trial: Trial = trial, iteration: int = iteration) -> None:
                try:
                    table.add(measure(board, boards[board], trial, iteration, known, options.limit))
                except TimeLimitError:
                    schedule.late.add(board)
                    print(f"bench: {board} takes longer than {options.limit:g} s: left out", file=sys.stderr)

            yield Step(board, f"{count} cores" if count > 1 else "1 core", measure_one, is_extra=iteration > 0)

    status = run_steps(steps(), schedule.total, options)
    print_table(options, summary_lines(table.rows, options.wide), table.rows)
    return status


def measurable_cores(cores: list[int] | None) -> list[int]:
    """Return the numbers of cores that this machine has, and 1; print those that were asked for in vain."""
    most = usable_cores()
    if too_many := [str(count) for count in cores or () if count > most]:
        print(f"bench: this machine has {most} cores: left out are {', '.join(too_many)}; see `bench simulate`")
    return sorted({1, *(count for count in cores or CORES if count <= most)})


class Schedule:
    """The missing measurements of a table: in rounds, all boards with all numbers of cores."""

    def __init__(self, table: Table[Run], names: list[str], cores: list[int], iterations: int) -> None:
        self.table, self.names, self.cores, self.iterations = table, names, cores, iterations
        self.late: set[str] = set()
        """Boards that exceed the time limit."""

    @property
    def total(self) -> int:
        """The number of missing measurements."""
        return sum(
            not self._is_measured(name, count, iteration)
            for name in self.names
            for count in self.cores
            for iteration in range(self.iterations)
        )

    def steps(self) -> Iterator[tuple[str, int, int]]:
        """Yield boards, numbers of cores and rounds.

        Every other round has the numbers in reverse order.
        """
        for iteration in range(self.iterations):
            for name in self.names:
                for count in self.cores[:: -1 if iteration % 2 else 1]:
                    if name not in self.late and not self._is_measured(name, count, iteration):
                        yield name, count, iteration

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


def summary_lines(rows: Iterable[Run], wide: bool = False) -> Iterator[str]:
    """Yield the lines of a printed table: means and speed-ups; with `wide`, deviations, memory and minima too."""
    lines = []
    for board, by_cores in complete_rounds(rows).items():
        for cores, runs in by_cores.items():
            least = min(run.seconds for run in by_cores[1]) / min(run.seconds for run in runs)
            lines.append(Line(board, cores, runs, speedup(by_cores, cores) if cores > 1 else None, least))
    return text_table(COLUMNS, lines, wide)
