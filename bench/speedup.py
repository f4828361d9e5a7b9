"""What many cores bring: counts on one core, without the driver, and on several, by turns.

Each count is made in a process of its own, after a warm-up, and checked; what the start of a pool of processes takes is
a column of its own, and so is what the same short walk takes on as many cores at once. The table has a row a count;
what is printed at the end are means with their deviations, and speed-ups with 95 % intervals, from all rows there are.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator

from bench.data import Table
from bench.rows import Run
from bench.session import Known, Step, add_common, boards, chosen, conduct, cores_list, opened, output, tried
from bench.stats import Ratio, Summary, ratio
from bench.trial import BACKEND_NAMES, Trial
from enumerator.board import Board
from enumerator.command.cli import size
from enumerator.run import ENGINES
from enumerator.run.executors import usable_cores

MOST_ROUNDS = 100
"""Of boards that take no time, however much they are given."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=cores_list, default=[1, 2], metavar="N,N", help="default: 1,2")
    often = parser.add_mutually_exclusive_group()
    often.add_argument("--iterations", type=int, default=5, help="how often each is counted (default: %(default)s)")
    often.add_argument("--time", type=float, metavar="S", help=f"or for how many seconds (2 to {MOST_ROUNDS} times)")
    parser.add_argument("--engine", choices=ENGINES, default="auto", help="default: %(default)s")
    parser.add_argument("--cutoff", type=size, metavar="SIZE", help="default: none")
    parser.add_argument("--backend", choices=BACKEND_NAMES, default="loky", help="default: %(default)s")
    add_common(parser, "speedup-ENGINE.csv")


def run(options: argparse.Namespace) -> int:
    paths, path = chosen(options), output(options, f"speedup-{options.engine}.csv")
    cores = usable(options.cores)
    command = " ".join(
        [
            f"speedup --cores {','.join(map(str, cores))} --engine {options.engine} --backend {options.backend}",
            *([f"--cutoff {options.cutoff}"] if options.cutoff else []),
        ]
    )
    table, known, parsed = opened(path, Run, command, options.fresh), Known(options.folder), boards(paths)
    schedule = Schedule(table, list(paths), cores, options.iterations, options.time)
    skipped: set[str] = set()

    def steps() -> Iterator[Step]:
        for board, count, iteration in schedule.steps(skipped):
            trial = Trial(str(paths[board]), count, options.engine, options.cutoff, options.backend)
            yield Step(
                board,
                f"{count} cores" if count > 1 else "1 core",
                lambda: table.add(measured(board, parsed[board], trial, iteration, known)),  # noqa: B023
            )

    status = conduct(steps(), schedule.total, skipped)
    print(*summarised(table.rows), sep="\n")
    return status


def usable(cores: list[int]) -> list[int]:
    """The numbers of cores that this machine can really give; one is always among them, to compare with."""
    most = usable_cores()
    if too_many := [str(count) for count in cores if count > most]:
        print(f"bench: this machine has {most} cores: left out are {', '.join(too_many)}; see `bench simulate`")
    return sorted({1, *(count for count in cores if count <= most)})


class Schedule:
    """What is still to be measured: round by round, all boards with all numbers of cores in each."""

    def __init__(self, table: Table[Run], names: list[str], cores: list[int], iterations: int, seconds: float | None):
        self.table, self.names, self.cores = table, names, cores
        self.iterations, self.seconds = iterations, seconds

    @property
    def total(self) -> int:
        """How many measurements there will be, at least."""
        done = {(row.board, row.cores, row.iteration) for row in self.table.rows}
        rounds = range(self.iterations if self.seconds is None else 2)
        wanted = {(name, count, number) for name in self.names for count in self.cores for number in rounds}
        return len(wanted - done)

    def steps(self, skipped: set[str]) -> Iterator[tuple[str, int, int]]:
        """Boards, numbers of cores and rounds. In every other round the numbers come the other way round."""
        iteration = 0
        while names := [name for name in self.names if name not in skipped and not self._is_enough(name, iteration)]:
            for name in names:
                for count in self.cores[:: -1 if iteration % 2 else 1]:
                    if name not in skipped and not self._is_there(name, count, iteration):
                        yield name, count, iteration
            iteration += 1

    def _is_there(self, name: str, cores: int, iteration: int) -> bool:
        return any((row.board, row.cores, row.iteration) == (name, cores, iteration) for row in self.table.rows)

    def _is_enough(self, name: str, iteration: int) -> bool:
        if self.seconds is None:
            return iteration >= self.iterations
        spent = sum(row.seconds for row in self.table.rows if row.board == name and row.iteration < iteration)
        return iteration >= 2 and (spent > self.seconds or iteration >= MOST_ROUNDS)


def measured(name: str, board: Board, trial: Trial, iteration: int, known: Known) -> Run:
    found = tried(trial)
    return Run(
        name,
        board.empty_cells,
        board.filling_factor,
        int(board.search_space),
        known.check(name, int(found.solutions)),
        found.engine,
        trial.cores,
        iteration,
        found.seconds,
        found.nodes,
        found.tasks,
        found.busy,
        found.pool_seconds,
        found.memory,
        found.walk,
    )


# -------------------------------------------------------------------------------------------------- summary


def rounds(rows: Iterable[Run]) -> dict[str, dict[int, list[Run]]]:
    """The runs of each board, by cores: those of rounds that were made with every number of cores."""
    sorted_rows: dict[str, dict[int, dict[int, Run]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        sorted_rows[row.board][row.cores][row.iteration] = row
    whole = {}
    for board, by_cores in sorted_rows.items():
        common = sorted(set.intersection(*(set(by_round) for by_round in by_cores.values())))
        if common:
            whole[board] = {cores: [by_cores[cores][each] for each in common] for cores in sorted(by_cores)}
    return whole


def speedup(by_cores: dict[int, list[Run]], cores: int) -> Ratio:
    """The mean sequential time over that on so many cores."""
    return ratio([run.seconds for run in by_cores[1]], [run.seconds for run in by_cores[cores]])


def summarised(rows: Iterable[Run]) -> Iterator[str]:
    """Lines of a table in print."""
    yield (
        f"{'board':<7}{'solutions':>13}{'engine':>13}{'cores':>7}{'mean s':>11}{'dev s':>10}{'min s':>11}{'max s':>11}"
        + (f"{'tasks':>7}{'MB':>6}{'pool s':>8}{'speed-up':>10}{'95 %':>15}{'efficiency':>12}{'of minima':>11}")
    )
    for board, by_cores in rounds(rows).items():
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
