"""What the choice of an engine costs: `auto` against each engine alone, on boards of all sizes.

Each board is counted as it is, and with its rows, columns and digits exchanged at random. Its
solutions stay the same; where they lie in a tree, and which engine finds them first, does not.
Engines take turns in one process for each rearrangement and number of cores; short counts are repeated,
and the least time counts. Each count starts cold, with the tables of the contraction still to be made, as a
command does: `auto` expects that, too, so that its choice depends on the board alone. An engine is left after
twice the time of `auto`, which has beaten it then.

The regret is the time of `auto` over that of the better engine. A line below the table says whether any
count takes more than 1.5 times as long as the better engine and 20 ms, and another one whether any takes
longer on several cores than on one and 5 %; each names the worst one. What misses is measured again, up to
twice, and its ratio of processor times is printed: where others use the machine, it tells their part.

Boards are ours, and those of the folder `large` beside the repository in addition where it is present.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
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
from enumerator.engines.contraction.network import known_line
from enumerator.engines.contraction.tables import compatibility, line_table
from enumerator.run.counting import tallies
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import shut_down_pools, usable_cores

PATTERNS = ("[12][a-f]", "16x16-many", "25x25-many", "large/16x16*", "large/25x25*")
"""The names of our boards that are measured by default."""

REPEAT_SECONDS, MOST_REPEATS = 0.05, 20
"""Shorter counts are repeated until this time has passed, or as often."""

MOST_OF_ONE_CORE = 1.05
"""The most time of `auto` on several cores, as a multiple of that on one."""

MEASURED_AGAIN = 2
"""A count that misses is measured again at most this many times."""

TOO_LATE = 2.0
"""An engine alone is left after this many times the time of `auto`."""


class Trial(NamedTuple):
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
        """The ratio beyond the allowance."""
        return (self.auto.seconds - ALLOWANCE_SECONDS) / self.better.seconds


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
    """Count by all engines in a new process, again if that misses, and add the rows with the least times.

    A wrong count ends the command.
    """
    alone = [row for row in table.rows if (row.board, row.rearrangement, row.cores) == (*trial[:2], 1)]
    found: dict[str, list[Regret]] = {}
    for _ in range(1 + MEASURED_AGAIN):
        for row in json.loads(run_module("bench.study.regret", text=json.dumps(trial._asdict()))):
            one = Regret(**row)
            there = known.setdefault(one.board, one.solutions) if one.is_complete else one.solutions
            if there != one.solutions:
                raise SystemExit(
                    f"bench: {one.board} has {there} solutions, and {one.engine} has counted {one.solutions}"
                )
            found.setdefault(one.engine, []).append(one)
        rows = [best(each) for each in found.values()]
        if not is_missed([*alone, *rows] if trial.cores > 1 else rows):
            break
    table.add(*rows)


def is_missed(rows: list[Regret]) -> bool:
    """Return True if a bound is missed by the rows of a rearrangement."""
    found = regrets(rows)
    return any(one.excess > MOST_OF_BETTER for one in found) or any(
        ratio > MOST_OF_ONE_CORE for ratio, *_ in core_ratios(found)
    )


# ----------------------------------------------------------------------------------------- in the new process


def measure_all(trial: Trial) -> Iterator[Regret]:
    """Yield the least times of `auto` and of each engine, which count by turns."""
    board = Board.parse(trial.board, Shape.parse(trial.shape))
    names = [AUTO, *(engine.name for engine in supporting(board))]
    found: dict[str, list[Regret]] = {name: [] for name in names}
    while waiting := [name for name in names if not is_measured(found[name], trial.limit)]:
        for name in waiting:
            limit = trial.limit
            if name != AUTO:
                limit = min(limit, TOO_LATE * best(found[AUTO]).seconds + ALLOWANCE_SECONDS)
            found[name].append(count(trial, board, name, limit))
    yield from map(best, found.values())


def is_measured(found: list[Regret], limit: float) -> bool:
    """Return True if an engine has counted often enough: twice, and short counts more often.

    One that takes a quarter of the time limit, or does not end, counts once.
    """
    if len(found) < 2:
        return bool(found) and (found[0].seconds > limit / 4 or not found[0].is_complete)
    return len(found) >= MOST_REPEATS or sum(one.seconds for one in found) > REPEAT_SECONDS


def best(found: list[Regret]) -> Regret:
    """Return the outcome of several counts by an engine with the least of their times."""
    found = [one for one in found if one.is_complete] or found
    return replace(found[-1], seconds=min(one.seconds for one in found), cpu=min(one.cpu for one in found))


def count(trial: Trial, board: Board, engine: str, limit: float) -> Regret:
    """Count once, for at most `limit` seconds."""
    plan, tally = Plan(cores=trial.cores, engine=engine), Tally()
    forget()
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


def forget() -> None:
    """Drop what engines keep of earlier boards, so that none is faster for having counted before another."""
    small = Board.empty(Shape(2, 2))
    for each in supporting(small):
        each.count(small)  # of the last board, they keep more
    known_line.cache_clear()
    line_table.cache_clear()
    compatibility.cache_clear()


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
    over = sum(one.excess > MOST_OF_BETTER for one in found)
    yield (
        f"{'misses' if over else 'meets '}  worst: {worst.board}, rearrangement {worst.rearrangement}: {AUTO}"
        f" {worst.auto.seconds:.3f} s, {worst.better.engine} {worst.better.seconds:.3f} s; {over} of {len(found)}"
        f" above {MOST_OF_BETTER:g} times and {1000 * ALLOWANCE_SECONDS:g} ms"
        f"{f'; × {worst.cpu_ratio:.2f} by work' if over else ''}"
    )


QUANTILES = (0.5, 0.9, 0.97, 1.0)
"""The shares of all counts whose regret is printed."""


def core_ratios(found: list[Regretted]) -> list[tuple[float, float, Regretted]]:
    """Return the times of `auto` on several cores over those on one, with the ratios of the processor times."""
    alone = {(one.board, one.rearrangement): one.auto for one in found if one.cores == 1}
    several = [(one, alone.get((one.board, one.rearrangement))) for one in found if one.cores > 1]
    return [(one.auto.seconds / other.seconds, one.auto.cpu / other.cpu, one) for one, other in several if other]


def core_lines(found: list[Regretted]) -> Iterator[str]:
    """Yield the judgement on several cores against one."""
    ratios = core_ratios(found)
    if not ratios:
        return
    worst, work, one = max(ratios, key=lambda each: each[0])
    over = sum(ratio > MOST_OF_ONE_CORE for ratio, *_ in ratios)
    yield (
        f"{'misses' if over else 'meets '}  {one.cores} cores take at most {worst:.2f} times as long as one"
        f" ({one.board}, rearrangement {one.rearrangement}: {one.auto.seconds:.3f} s); {over} of {len(ratios)} above"
        f" {MOST_OF_ONE_CORE:g}{f'; × {work:.2f} by work' if over else ''}"
    )


if __name__ == "__main__":
    print(json.dumps([asdict(row) for row in measure_all(Trial(**json.load(sys.stdin)))]))
