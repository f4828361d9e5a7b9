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

from gmpy2 import mpq

from bench.common.commands import TimeLimitError, run_module
from bench.common.cutoffs import find_cutoff
from bench.common.options import add_boards, add_number, chosen_boards, read_boards, whole_number
from bench.study.options import KnownCounts, add_measuring, positive, print_table
from bench.study.session import Step, open_table, run_steps
from bench.tables.analysis import idle_share
from bench.tables.rows import Cut
from bench.tables.table import Table
from bench.tables.text import Column, text_table
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import MOST, Part, Tally, TaskResult
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.shares import WHOLE
from enumerator.engines.walks.tree import Tree
from enumerator.engines.walks.worker import walk_parts
from enumerator.run.driver import Driver
from enumerator.run.local import PartialCount
from enumerator.run.observer import Observer
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import usable_cores

PARTS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536]
"""The cut-offs are those that split a board into about these numbers of parts."""

BOARDS = "[12]e"
"""The boards that are measured by default."""

MEASURES = ("search space", "empty cells")

LIMIT_SECONDS = 300.0
"""The longest count, by default."""

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
    add_number(parser, "--iterations", 3, "counts with each setting")
    add_number(parser, "--cores", usable_cores(), "cores to use")
    parser.add_argument(
        "--parts",
        type=whole_number("--parts"),
        nargs="+",
        default=PARTS,
        metavar="N",
        help="about how many (default: 1 to 65,536)",
    )
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a count (default: %(default)g)"
    )
    add_boards(parser, BOARDS)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    paths, path = chosen_boards(options.boards, BOARDS), options.results / "cutoff.csv"
    boards = read_boards(paths)
    table, known = open_table(path, Cut, f"cutoff --cores {options.cores}", options.fresh), KnownCounts(paths)
    wanted = {name: list(all_settings(str(paths[name].resolve()), boards[name], options)) for name in boards}
    done = {(row.board, row.measure, row.cutoff, row.budget, row.iteration) for row in table.rows}
    steps = [
        Step(
            name,
            f"{setting.measure} {setting.cutoff or 'default'}",
            None
            if (name, setting.measure, setting.cutoff, setting.budget, iteration) in done
            else partial(measure, table, name, setting, iteration, known, options.limit),
            is_extra=iteration > 0,
        )
        for iteration in range(options.iterations)
        for name, settings in wanted.items()
        for setting in settings
    ]
    status = run_steps(steps, len(steps), options)
    print_table(options, summary_lines(table.rows), table.rows)
    return status


def all_settings(path: str, board: Board, options: argparse.Namespace) -> Iterator[Setting]:
    """Yield the default, and cut-offs by both measures, with and without a budget."""
    yield Setting(path, options.cores)
    for measure in MEASURES:
        tree = CutTree(board, measure)
        whole = [tree.part(board.cells, WHOLE)]
        for cutoff in dict.fromkeys(find_cutoff(whole, tree.branch, number) for number in options.parts):
            for budget in (True, False):
                yield Setting(path, options.cores, measure, cutoff, budget)


def measure(table: Table[Cut], name: str, setting: Setting, iteration: int, known: KnownCounts, limit: float) -> None:
    """Count a board with a setting, and add the row; a count that takes longer than `limit` has none."""
    try:
        found = json.loads(run_module("bench.study.cutoff", text=json.dumps(asdict(setting)), timeout=limit))
    except TimeLimitError:
        setting_text = f"{setting.measure} {setting.cutoff or 'default'}"
        print(f"bench: {name}, {setting_text}, takes longer than {limit:g} s: left out", file=sys.stderr)
        return
    known.check(name, int(found.pop("solutions")))
    how = (setting.measure, setting.cutoff, not setting.cutoff, setting.budget, setting.cores)
    table.add(Cut(name, *how, iteration, **found))


COLUMNS: list[Column[list[Cut]]] = [
    Column("board", lambda same: same[0].board, is_left=True),
    Column("measure", lambda same: same[0].measure, is_left=True),
    Column("cut-off", lambda same: f"{float(same[0].cutoff):.3g}" if same[0].cutoff else "default"),
    Column("budget", lambda same: "yes" if same[0].budget else "no"),
    Column("mean s", lambda same: f"{fmean(row.seconds for row in same):.4f}"),
    Column("tasks", lambda same: f"{same[-1].tasks:,}"),
    Column("longest s", lambda same: f"{fmean(row.longest for row in same):.4f}"),
    Column("idle", lambda same: f"{fmean(map(idle_share, same)):.1%}"),
]


def summary_lines(rows: list[Cut]) -> Iterator[str]:
    """Yield the lines of a printed table: mean times and idle shares."""
    groups: dict[tuple[str, str, int, bool], list[Cut]] = {}
    for row in rows:
        groups.setdefault((row.board, row.measure, row.cutoff, row.budget), []).append(row)
    return text_table(COLUMNS, [same for _, same in sorted(groups.items())])


# ------------------------------------------------------------------------------------------------ one count


class CutTree(Tree):
    """A walk whose parts are measured by `measure`.

    Without a budget, tasks are walked to their ends.
    """

    def __init__(self, board: Board, measure: str, cutoff: int = 0, budget: bool = True) -> None:
        super().__init__(SEARCH, board.shape, cutoff or None)
        self.by_space = measure == "search space"
        if not budget:
            walk = partial(walk_parts, SEARCH.walk_cells, board.shape.height, board.shape.width)
            self.work = lambda loads, _nodes, limit, _timeout: walk(loads, MOST, limit, inf)

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
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
    driver = Driver(job, plan, PartialCount(Tally(), 0, [(board.cells, (1, 1))], 0.0, FIRST_RATE), observer=longest)
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
