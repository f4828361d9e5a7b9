"""Speed-up by many cores: counts on one core, without the driver, and on several, by turns.

Each count is made in a new process, after a warm-up, and checked. The start of a pool of processes
is a column of its own; so is a short walk made on as many cores at once. The table has a row a
count. At the end means with their deviations are printed, and speed-ups with 95 % intervals, from
all rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from bench.study.options import KnownCounts, add_common, chosen_boards, cores_list, output_path, read_boards
from bench.study.session import Step, open_table, run_steps, run_trial
from bench.study.trial import BACKEND_NAMES, Trial
from bench.tables.analysis import complete_rounds, speedup
from bench.tables.rows import Run
from bench.tables.stats import Summary
from bench.tables.table import Table
from enumerator import engines
from enumerator.board import Board
from enumerator.command.arguments import search_space_size
from enumerator.run.executors import usable_cores

MOST_ROUNDS = 100
"""The most rounds with --time: a board of microseconds would never use up its seconds."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=cores_list, default=[1, 2], metavar="N,N", help="default: 1,2")
    often = parser.add_mutually_exclusive_group()
    often.add_argument("--iterations", type=int, default=5, help="counts of each board (default: %(default)s)")
    often.add_argument("--time", type=float, metavar="S", help=f"seconds for each board (2 to {MOST_ROUNDS} counts)")
    parser.add_argument("--engine", choices=engines.names(), default="auto", help="default: %(default)s")
    parser.add_argument("--cutoff", type=search_space_size, metavar="SIZE", help="default: none")
    parser.add_argument("--backend", choices=BACKEND_NAMES, default="loky", help="default: %(default)s")
    add_common(parser, "speedup-ENGINE.csv")


def run(options: argparse.Namespace) -> int:
    paths, path = chosen_boards(options), output_path(options, f"speedup-{options.engine}.csv")
    cores = measurable_cores(options.cores)
    command = f"speedup --cores {','.join(map(str, cores))} --engine {options.engine} --backend {options.backend}"
    if options.cutoff:
        command += f" --cutoff {options.cutoff}"
    table, boards = open_table(path, Run, command, options.fresh), read_boards(paths)
    known, schedule = KnownCounts(options.folder), Schedule(table, list(paths), cores, options.iterations, options.time)
    skipped: set[str] = set()

    def steps() -> Iterator[Step]:
        for board, count, iteration in schedule.steps(skipped):
            trial = Trial(str(paths[board]), count, options.engine, options.cutoff, options.backend)
            yield Step(
                board,
                f"{count} cores" if count > 1 else "1 core",
                lambda: table.add(measure(board, boards[board], trial, iteration, known)),  # noqa: B023
            )

    status = run_steps(steps(), schedule.total, skipped)
    print(*summary_lines(table.rows), sep="\n")
    return status


def measurable_cores(cores: list[int]) -> list[int]:
    """Return the numbers of cores that this machine has, and 1; print those left out."""
    most = usable_cores()
    if too_many := [str(count) for count in cores if count > most]:
        print(f"bench: this machine has {most} cores: left out are {', '.join(too_many)}; see `bench simulate`")
    return sorted({1, *(count for count in cores if count <= most)})


class Schedule:
    """The missing measurements of a table: in rounds, all boards with all numbers of cores."""

    def __init__(self, table: Table[Run], names: list[str], cores: list[int], iterations: int, seconds: float | None):
        self.table, self.names, self.cores = table, names, cores
        self.iterations, self.seconds = iterations, seconds

    @property
    def total(self) -> int:
        """The number of missing measurements; with a time for each board, the least."""
        done = {(row.board, row.cores, row.iteration) for row in self.table.rows}
        rounds = range(self.iterations if self.seconds is None else 2)
        wanted = {(name, count, number) for name in self.names for count in self.cores for number in rounds}
        return len(wanted - done)

    def steps(self, skipped: set[str]) -> Iterator[tuple[str, int, int]]:
        """Yield boards, numbers of cores and rounds.

        Every other round has the numbers in reverse order.
        """
        iteration = 0
        while names := [name for name in self.names if name not in skipped and not self._is_enough(name, iteration)]:
            for name in names:
                for count in self.cores[:: -1 if iteration % 2 else 1]:
                    if name not in skipped and not self._is_measured(name, count, iteration):
                        yield name, count, iteration
            iteration += 1

    def _is_measured(self, name: str, cores: int, iteration: int) -> bool:
        return any((row.board, row.cores, row.iteration) == (name, cores, iteration) for row in self.table.rows)

    def _is_enough(self, name: str, iteration: int) -> bool:
        if self.seconds is None:
            return iteration >= self.iterations
        spent = sum(row.seconds for row in self.table.rows if row.board == name and row.iteration < iteration)
        return iteration >= 2 and (spent > self.seconds or iteration >= MOST_ROUNDS)


def measure(name: str, board: Board, trial: Trial, iteration: int, known: KnownCounts) -> Run:
    result = run_trial(trial)
    return Run(
        name,
        board.empty_cells,
        board.filling_factor,
        int(board.search_space),
        known.check(name, int(result.solutions)),
        result.engine,
        trial.cores,
        iteration,
        result.seconds,
        result.nodes,
        result.tasks,
        result.busy,
        result.pool_seconds,
        result.memory,
        result.walk,
    )


def summary_lines(rows: Iterable[Run]) -> Iterator[str]:
    """Yield the lines of a printed table: means, deviations, speed-ups."""
    yield (
        f"{'board':<7}{'solutions':>13}{'engine':>13}{'cores':>7}{'mean s':>11}{'dev s':>10}{'min s':>11}{'max s':>11}"
        + (f"{'tasks':>7}{'MB':>6}{'pool s':>8}{'speed-up':>10}{'95 %':>15}{'efficiency':>12}{'of minima':>11}")
    )
    for board, by_cores in complete_rounds(rows).items():
        for cores, runs in by_cores.items():
            times, last = Summary.of([run.seconds for run in runs]), runs[-1]
            line = f"{board:<7}{last.solutions:>13,}{last.engine:>13}{cores:>7}{times.mean:>11.5f}"
            line += f"{times.deviation:>10.5f}{times.least:>11.5f}{times.most:>11.5f}{last.tasks:>7}"
            line += f"{max(run.memory for run in runs):>6.0f}"
            if cores > 1:
                gain, least = speedup(by_cores, cores), min(run.seconds for run in by_cores[1]) / times.least
                pool = Summary.of([run.pool_seconds for run in runs]).mean
                bounds = f"{gain.low:.3f}–{gain.high:.3f}" if len(runs) > 1 else "one round"
                line += f"{pool:>8.2f}{gain.value:>10.3f}{bounds:>15}"
                line += f"{gain.value / cores:>12.3f}{least:>11.3f}"
            yield line
