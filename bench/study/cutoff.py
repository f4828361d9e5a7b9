"""Effects of the cut-off: time and balance of counts on all cores, split at many cut-offs.

A part at or below the cut-off is one task. Its size is measured by its search space or by its empty
cells. Tasks have a budget, and hand back unvisited parts when it is spent. The same is measured
without budgets, where every task is walked to its end. The default has no cut-off: a part is
divided when there are too few of them.

`python -m bench.study.cutoff` makes one such count.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from statistics import fmean
from time import perf_counter

from bench.common.commands import run_module
from bench.study.options import KnownCounts, add_common, chosen_boards, output_path, read_boards
from bench.study.session import Step, open_table, run_steps
from bench.tables.analysis import idle_share
from bench.tables.rows import Cut
from bench.tables.table import Table
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import MOST, Part, Tally, TaskResult
from enumerator.engines.search.tree import Tree, find_cutoff
from enumerator.engines.search.worker import walk_parts
from enumerator.run.driver import Driver, Observer
from enumerator.run.executors import usable_cores
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan

PARTS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536]
"""The cut-offs are those that split a board into about these numbers of parts."""

MEASURES = ("search space", "empty cells")

FIRST_RATE = 1e7
"""Nodes a second that the driver assumes at first: about those of a 9×9 walk."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to split a board."""

    path: str
    cores: int
    measure: str = "search space"
    cutoff: int = 0
    """0: none, which is the default."""
    budget: bool = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--iterations", type=int, default=3, help="counts with each setting (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=usable_cores(), help="default: all, here %(default)s")
    parser.add_argument(
        "--parts", type=int, nargs="+", default=PARTS, metavar="N", help="about how many (default: 1 to 65,536)"
    )
    add_common(parser, "cutoff.csv")
    parser.set_defaults(boards="^(1e|1f|2e)$")


def run(options: argparse.Namespace) -> int:
    paths, path = chosen_boards(options), output_path(options, "cutoff.csv")
    table, known = open_table(path, Cut, f"cutoff --cores {options.cores}", options.fresh), KnownCounts(options.folder)
    boards = read_boards(paths)
    wanted = {name: list(all_settings(str(paths[name]), boards[name], options)) for name in boards}
    done = {(row.board, row.measure, row.cutoff, row.budget, row.iteration) for row in table.rows}
    steps = [
        Step(
            name,
            f"{setting.measure} {setting.cutoff or 'default'}",
            None
            if (name, setting.measure, setting.cutoff, setting.budget, iteration) in done
            else partial(measure, table, name, setting, iteration, known),
        )
        for iteration in range(options.iterations)
        for name, settings in wanted.items()
        for setting in settings
    ]
    status = run_steps(steps, len(steps), set())
    print(*summary_lines(table.rows), sep="\n")
    return status


def all_settings(path: str, board: Board, options: argparse.Namespace) -> Iterator[Setting]:
    """Yield the default, and cut-offs by both measures, with and without a budget."""
    yield Setting(path, options.cores)
    for measure in MEASURES:
        tree = CutTree(board, measure)
        whole = [tree.part(board.cells, 1.0)]
        for cutoff in dict.fromkeys(find_cutoff(whole, tree.branch, number) for number in options.parts):
            for budget in (True, False):
                yield Setting(path, options.cores, measure, cutoff, budget)


def measure(table: Table[Cut], name: str, setting: Setting, iteration: int, known: KnownCounts) -> None:
    found = json.loads(run_module("bench.study.cutoff", text=json.dumps(asdict(setting))))
    known.check(name, int(found.pop("solutions")))
    how = (setting.measure, setting.cutoff, not setting.cutoff, setting.budget, setting.cores)
    table.add(Cut(name, *how, iteration, **found))


def summary_lines(rows: list[Cut]) -> Iterator[str]:
    """Yield the lines of a printed table: mean times and idle shares."""
    yield f"{'board':<7}{'measure':<14}{'cut-off':>10}{'budget':>8}{'mean s':>10}" + (
        f"{'tasks':>9}{'longest s':>11}{'idle':>8}"
    )
    groups: dict[tuple[str, str, int, bool], list[Cut]] = {}
    for row in rows:
        groups.setdefault((row.board, row.measure, row.cutoff, row.budget), []).append(row)
    for (board, measure, cutoff, budget), same in sorted(groups.items()):
        seconds, longest = fmean(row.seconds for row in same), fmean(row.longest for row in same)
        size = f"{float(cutoff):.3g}" if cutoff else "default"
        line = f"{board:<7}{measure:<14}{size:>10}{'yes' if budget else 'no':>8}{seconds:>10.4f}"
        yield f"{line}{same[-1].tasks:>9,}{longest:>11.4f}{fmean(map(idle_share, same)):>8.1%}"


# ------------------------------------------------------------------------------------------------ one count


class CutTree(Tree):
    """A walk whose parts are measured by `measure`.

    Without a budget, tasks are walked to their ends.
    """

    def __init__(self, board: Board, measure: str, cutoff: int = 0, budget: bool = True) -> None:
        super().__init__(board.shape, cutoff or None)
        self.by_space = measure == "search space"
        if not budget:
            walk = partial(walk_parts, board.shape.height, board.shape.width)
            self.work = lambda loads, _nodes, limit, _timeout: walk(loads, MOST, limit, inf)

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        part = super().part(load, share, row)
        return part if self.by_space else part._replace(size=load.count(0))


class LongestTask(Observer):
    """Remembers the seconds of the longest task."""

    seconds = 0.0

    def on_result(self, parts: list[Part], result: TaskResult) -> None:
        self.seconds = max(self.seconds, result.seconds)


def count(setting: Setting) -> dict[str, object]:
    """Count a board with a setting; return the measurements."""
    board = read(setting.path)
    cores, longest = setting.cores, LongestTask()
    job = CutTree(board, setting.measure, setting.cutoff, setting.budget)
    plan = Plan(cores, pool=None, usable=lambda: cores, visible=lambda: cores)
    started = perf_counter()
    driver = Driver(job, plan, PartialCount(Tally(), 0, [(board.cells, 1.0)], 0.0, FIRST_RATE), observer=longest)
    *_, last = driver.run()
    seconds = perf_counter() - started
    return {
        "solutions": str(last.solutions),
        "seconds": seconds,
        "tasks": last.tasks,
        "longest": longest.seconds,
        "busy": last.busy,
    }


if __name__ == "__main__":
    print(json.dumps(count(Setting(**json.load(sys.stdin)))))
