"""What the choice of an engine costs: `auto` against each engine alone, on boards of all sizes.

Each board is counted as it is, and with its rows, columns and digits exchanged at random. Its
solutions stay the same; where they lie in a tree, and which engine finds them first, does not.
Engines take turns in one process for each rearrangement and number of cores; short counts are repeated,
and the least time counts. An engine is left after twice the time of `auto`, which has beaten it then.

The regret is the time of `auto` over that of the better engine. Processor time is shown beside it, divided
by the cores: on a machine that others use, it is the more reliable one. A line below the table says whether any
count takes more than 1.5 times as long as the better engine and 20 ms, and names the worst one.

Boards are ours, and those of the folder `large` beside the repository in addition where it is present.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from bench.common.commands import run_module
from bench.common.options import add_boards, add_number, chosen_boards, read_boards
from bench.figures.regret import ALLOWANCE_SECONDS, MOST_OF_BETTER
from bench.study.large.cases import PUBLISHED_LARGE, many
from bench.study.options import add_measuring, cores_list, positive, print_table, stated_counts
from bench.study.session import Step, open_table, run_steps
from bench.tables.rows import Regret
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from enumerator.board import Board, Shape
from enumerator.engines import AUTO, Tally, supporting
from enumerator.run.counting import tallies
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import shut_down_pools, usable_cores

PATTERNS = ("[12][a-f]", "16x16-many", "25x25-many", "large/16x16*", "large/25x25*")
"""The names of our boards that are measured by default."""

REPEAT_SECONDS, MOST_REPEATS = 0.05, 20
"""Shorter counts are repeated until this time has passed, or as often."""

MOST_OF_ONE_CORE = 1.05
"""The most time of `auto` on several cores, as a multiple of that on one, beyond the allowance."""

TOO_LATE = 2.0
"""An engine alone is left after this many times the time of `auto`."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A board to count in turn by all engines."""

    name: str
    rearrangement: int
    shape: str
    board: str
    cores: int
    limit: float


class Regretted(NamedTuple):
    """A rearrangement of a board on some cores, with the least times of `auto` and of the better engine."""

    board: str
    rearrangement: int
    cores: int
    solutions: int
    auto: Regret
    better: Regret

    @property
    def ratio(self) -> float:
        return self.auto.seconds / self.better.seconds

    @property
    def cpu_ratio(self) -> float:
        """The ratio of the processor times: of the work that was done."""
        return self.auto.cpu / self.better.cpu

    @property
    def excess(self) -> float:
        """The ratio beyond the allowance, by the smaller one of both measures: others use the machine, too."""
        seconds = (self.auto.seconds - ALLOWANCE_SECONDS) / self.better.seconds
        cpu = (self.auto.cpu - ALLOWANCE_SECONDS * self.cores) / self.better.cpu
        return min(seconds, cpu)


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--rearrangements", 10, "rearrangements of each board, besides the board itself", least=0)
    parser.add_argument("--cores", type=cores_list, metavar="N,N", help="default: 1 and 2, if there are two")
    parser.add_argument(
        "--limit", type=positive, default=60.0, metavar="S", help="seconds for a count (default: %(default)g)"
    )
    add_boards(parser, ", ".join(PATTERNS))
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    boards, known = boards_to_count(options.boards)
    cores = options.cores or list(range(1, min(2, usable_cores()) + 1))
    table = open_table(options.results / "regret.csv", Regret, f"regret --limit {options.limit:g}", options.fresh)
    rounds = options.rearrangements + 1
    steps = all_steps(table, boards, known, rounds, cores, options.limit)
    status = run_steps(steps, rounds * len(boards) * len(cores), options)
    print_table(options, summary_lines(table.rows, options.wide), table.rows)
    return status


def boards_to_count(wanted: list[str] | None) -> tuple[dict[str, Board], dict[str, int]]:
    """Return the boards to measure by name, and the numbers of solutions that are known."""
    paths = chosen_boards(wanted, *PATTERNS)
    boards, known = read_boards(paths), stated_counts(paths)
    if wanted is None and PUBLISHED_LARGE.is_dir():
        for board, solutions, name in many(PUBLISHED_LARGE / "many.tsv"):
            if solutions is not None:
                boards[name], known[name] = board, solutions
    return boards, known


def all_steps(
    table: Table[Regret], boards: dict[str, Board], known: dict[str, int], rounds: int, cores: list[int], limit: float
) -> Iterator[Step]:
    """Yield a step for each rearrangement of a board and number of cores."""
    done = {(row.board, row.rearrangement, row.cores) for row in table.rows}
    for number, (name, board), each in product(range(rounds), boards.items(), cores):
        work = None
        if (name, number, each) not in done:
            trial = Trial(name, number, str(board.shape), str(board.shuffled(number) if number else board), each, limit)
            work = partial(measure, table, trial, known)
        yield Step(name, f"rearrangement {number}, {each} cores", work, is_extra=number > 0)


def measure(table: Table[Regret], trial: Trial, known: dict[str, int]) -> None:
    """Count by all engines in a new process, and add their rows. A wrong count ends the command."""
    text = run_module("bench.study.regret", text=json.dumps(asdict(trial)))
    found = [Regret(**row) for row in json.loads(text)]
    for one in found:
        there = known.setdefault(one.board, one.solutions) if one.is_complete else one.solutions
        if there != one.solutions:
            raise SystemExit(f"bench: {one.board} has {there} solutions, and {one.engine} has counted {one.solutions}")
    table.add(*found)


# ----------------------------------------------------------------------------------------- in the new process


def measure_all(trial: Trial) -> Iterator[Regret]:
    """Yield the least times of `auto`, and of each engine that is not too late."""
    board = Board.parse(trial.board, Shape.parse(trial.shape))
    auto = least(partial(count, trial, board, AUTO, trial.limit), trial.limit)
    yield auto
    for engine in supporting(board):
        limit = min(trial.limit, TOO_LATE * auto.seconds + ALLOWANCE_SECONDS)
        yield least(partial(count, trial, board, engine.name, limit), limit)


def least(measured: Callable[[], Regret], limit: float) -> Regret:
    """Return the outcome of several counts with the least of their times. The first one warms up."""
    first = measured()
    found = [first]
    started = perf_counter()
    while len(found) < 2 or (perf_counter() - started < REPEAT_SECONDS and len(found) < MOST_REPEATS):
        if min(one.seconds for one in found) > REPEAT_SECONDS and (len(found) > 1 or first.seconds > limit / 4):
            break
        found.append(measured())
    found = [one for one in found if one.is_complete] or found
    return replace(found[-1], seconds=min(one.seconds for one in found), cpu=min(one.cpu for one in found))


def count(trial: Trial, board: Board, engine: str, limit: float) -> Regret:
    """Count once, for at most `limit` seconds."""
    plan, tally, small = Plan(cores=trial.cores, engine=engine), Tally(), Board.empty(Shape(2, 2))
    for each in supporting(small):
        each.count(small)  # engines keep what they know of the last board
    started, used = perf_counter(), cpu_seconds()
    with closing(tallies(board, plan)) as counting:
        for tally in counting:  # noqa: B007 - the last one counts
            if perf_counter() - started > limit:
                break
    seconds = perf_counter() - started
    if trial.cores > 1:
        shut_down_pools()
    cpu = max(cpu_seconds() - used, 1e-6)
    found = tally.engine, tally.solutions, tally.complete, seconds, cpu, tally.effort
    return Regret(trial.name, trial.rearrangement, trial.cores, engine, *found)


def cpu_seconds() -> float:
    """Return the processor time of this process, and of its processes that have ended."""
    ended = getrusage(RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


# ------------------------------------------------------------------------------------------------ the summary


def regrets(rows: list[Regret]) -> list[Regretted]:
    """Return the rearrangements that `auto` and another engine have counted to the end."""
    groups: dict[tuple[str, int, int], list[Regret]] = {}
    for row in rows:
        groups.setdefault((row.board, row.rearrangement, row.cores), []).append(row)
    found = []
    for (board, number, cores), group in groups.items():
        auto = next((row for row in group if row.engine == AUTO), None)
        others = [row for row in group if row.engine != AUTO and row.is_complete]
        if auto and (others or auto.is_complete):
            better = min(others, key=lambda row: row.seconds, default=auto)
            found.append(Regretted(board, number, cores, better.solutions, auto, better))
    return found


def summary_lines(rows: list[Regret], wide: bool = False) -> Iterator[str]:
    """Yield a table of boards, the distribution for each number of cores, and the judgements."""
    found = regrets(rows)
    groups: dict[tuple[str, int], list[Regretted]] = {}
    for one in found:
        groups.setdefault((one.board, one.cores), []).append(one)
    columns: list[Column[tuple[str, int]]] = [
        Column("board", lambda key: key[0], is_left=True),
        Column("cores", lambda key: str(key[1])),
        Column("solutions", lambda key: f"{groups[key][0].solutions:,}", is_wide=True),
        Column("runs", lambda key: str(len(groups[key]))),
        Column("better engine, ms", lambda key: f"{1000 * median(one.better.seconds for one in groups[key]):,.1f}"),
        Column("chosen", lambda key: chosen_text(groups[key]), is_left=True),
        Column("median ×", lambda key: f"{median(one.ratio for one in groups[key]):.2f}"),
        Column("worst ×", lambda key: f"{max(one.ratio for one in groups[key]):.2f}"),
        Column("by work ×", lambda key: f"{max(one.cpu_ratio for one in groups[key]):.2f}"),
    ]
    yield from text_table(columns, groups, wide)
    for cores in sorted({one.cores for one in found}):
        yield from distribution_lines([one for one in found if one.cores == cores], cores)
    yield from core_lines(found)


def chosen_text(group: list[Regretted]) -> str:
    """Return the engines that `auto` has chosen, and how often."""
    names = [one.auto.chosen for one in group]
    return ", ".join(f"{name} {names.count(name)}" for name in sorted(set(names)))


def distribution_lines(found: list[Regretted], cores: int) -> Iterator[str]:
    """Yield the distribution of the regret on some cores, and the judgement on the worst."""
    ratios = sorted(one.ratio for one in found)
    marks = ", ".join(
        f"{share:.0%} {ratios[min(len(ratios) - 1, int(share * len(ratios)))]:.2f}" for share in QUANTILES
    )
    yield f"{cores} core{'s' if cores > 1 else ''}, {len(found)} counts: time of {AUTO} / better engine: {marks}"
    worst = max(found, key=lambda one: one.excess)
    is_met = worst.excess <= MOST_OF_BETTER
    over = sum(one.excess > MOST_OF_BETTER for one in found)
    yield (
        f"{'meets ' if is_met else 'misses'}  worst: {worst.board}, rearrangement {worst.rearrangement}: {AUTO}"
        f" {worst.auto.seconds:.3f} s, {worst.better.engine} {worst.better.seconds:.3f} s; {over} of {len(found)}"
        f" above {MOST_OF_BETTER:g} times and {1000 * ALLOWANCE_SECONDS:g} ms"
    )


QUANTILES = (0.5, 0.9, 0.97, 1.0)
"""The shares of all counts whose regret is printed."""


def core_lines(found: list[Regretted]) -> Iterator[str]:
    """Yield the judgement on several cores against one."""
    alone = {(one.board, one.rearrangement): one.auto.seconds for one in found if one.cores == 1}
    ratios = {
        (one.auto.seconds - ALLOWANCE_SECONDS) / alone[one.board, one.rearrangement]: one
        for one in found
        if one.cores > 1 and (one.board, one.rearrangement) in alone
    }
    if ratios:
        worst = max(ratios)
        one = ratios[worst]
        yield (
            f"{'meets ' if worst <= MOST_OF_ONE_CORE else 'misses'}  {one.cores} cores take at most"
            f" {max(worst, 0.0):.2f} times as long as one and {1000 * ALLOWANCE_SECONDS:g} ms ({one.board},"
            f" rearrangement {one.rearrangement}); wanted: {MOST_OF_ONE_CORE:g}"
        )


if __name__ == "__main__":
    print(json.dumps([asdict(row) for row in measure_all(Trial(**json.load(sys.stdin)))]))
