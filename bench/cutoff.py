"""What the cut-off does: time and balance of counts on all cores, split at cut-offs from very large to very small.

A part at or below the cut-off is one task. Its size may be measured by its search space or by its empty cells. Tasks
have a budget, and hand back what they have not visited when it is spent; the same is tried without, where a task is
walked to its end, whatever that takes. The default has no cut-off: a part is divided when there are too few of them.

`python -m bench.cutoff` makes one such count.
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

from bench.data import Table
from bench.rows import Cut
from bench.session import Known, Step, add_common, boards, chosen, conduct, in_a_process, opened, output
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Outcome, Tally
from enumerator.engines.search import kernel
from enumerator.engines.search.worker import work
from enumerator.run import Begun, Plan
from enumerator.run.driver import Driver, Flight
from enumerator.run.executors import usable_cores
from enumerator.run.splitting import Part, Tree, cutoff_for

SIZES = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536]
"""The cut-offs are those that split a board into about so many parts."""

MEASURES = ("search space", "empty cells")


@dataclass(frozen=True, slots=True)
class Setting:
    """How a board is to be split."""

    path: str
    cores: int
    measure: str = "search space"
    cutoff: int = 0
    """0: none, which is the default."""
    budget: bool = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--iterations", type=int, default=3, help="how often each is counted (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=usable_cores(), help="default: all, here %(default)s")
    parser.add_argument(
        "--parts", type=int, nargs="+", default=SIZES, metavar="N", help="about how many (default: 1 to 65,536)"
    )
    add_common(parser, "cutoff.csv")
    parser.set_defaults(boards="^(1e|1f|2e)$")


def run(options: argparse.Namespace) -> int:
    paths, path = chosen(options), output(options, "cutoff.csv")
    table, known = opened(path, Cut, f"cutoff --cores {options.cores}", options.fresh), Known(options.folder)
    parsed = boards(paths)
    wanted = {name: list(settings(str(paths[name]), parsed[name], options.cores, options.parts)) for name in parsed}
    there = {(row.board, row.measure, row.cutoff, row.budget, row.iteration) for row in table.rows}
    steps = [
        Step(
            name,
            f"{setting.measure} {setting.cutoff or 'default'}",
            None
            if (name, setting.measure, setting.cutoff, setting.budget, iteration) in there
            else partial(measure, table, name, setting, iteration, known),
        )
        for iteration in range(options.iterations)
        for name, each in wanted.items()
        for setting in each
    ]
    status = conduct(steps, len(steps), set())
    print(*summarised(table.rows), sep="\n")
    return status


def settings(path: str, board: Board, cores: int, parts: list[int]) -> Iterator[Setting]:
    """The default, and cut-offs for so many parts, by both measures, with and without a budget."""
    yield Setting(path, cores)
    for measure in MEASURES:
        tree = Cutting(board, measure)
        cutoffs = dict.fromkeys(cutoff_for([tree.part(board.cells, 1.0)], tree.branch, number) for number in parts)
        for cutoff in cutoffs:
            for budget in (True, False):
                yield Setting(path, cores, measure, cutoff, budget)


def measure(table: Table[Cut], name: str, setting: Setting, iteration: int, known: Known) -> None:
    found = json.loads(in_a_process("bench.cutoff", text=json.dumps(asdict(setting))))
    known.check(name, int(found.pop("solutions")))
    how = (setting.measure, setting.cutoff, not setting.cutoff, setting.budget, setting.cores)
    table.add(Cut(name, *how, iteration, **found))


def summarised(rows: list[Cut]) -> Iterator[str]:
    yield f"{'board':<7}{'measure':<14}{'cut-off':>10}{'budget':>8}{'mean s':>10}" + (
        f"{'tasks':>9}{'longest s':>11}{'idle':>8}"
    )
    groups: dict[tuple[str, str, int, bool], list[Cut]] = {}
    for row in rows:
        groups.setdefault((row.board, row.measure, row.cutoff, row.budget), []).append(row)
    for (board, measure, cutoff, budget), same in sorted(groups.items()):
        seconds, longest = fmean(row.seconds for row in same), fmean(row.longest for row in same)
        idle = fmean(1 - row.busy / (row.cores * row.seconds) for row in same)
        size = f"{float(cutoff):.3g}" if cutoff else "default"
        line = f"{board:<7}{measure:<14}{size:>10}{'yes' if budget else 'no':>8}{seconds:>10.4f}"
        yield f"{line}{same[-1].tasks:>9,}{longest:>11.4f}{idle:>8.1%}"


# ------------------------------------------------------------------------------------------------ one count


class Cutting(Tree):
    """A walk whose parts are measured in one way or the other, and whose tasks may have to be walked to their ends."""

    def __init__(self, board: Board, measure: str, cutoff: int = 0, budget: bool = True) -> None:
        super().__init__(board.shape, cutoff or None)
        self.by_space = measure == "search space"
        if not budget:
            walk = partial(work, board.shape.height, board.shape.width)
            self.work = lambda loads, _nodes, limit, _patience: walk(loads, kernel.MOST, limit, inf)  # type: ignore[assignment]

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        part = super().part(load, share, row)
        return part if self.by_space else part._replace(size=load.count(0))


class Noted(Driver):
    """A driver that notes its longest task."""

    longest = 0.0

    def _take_in(self, flight: Flight, outcome: Outcome) -> None:
        self.longest = max(self.longest, outcome.seconds)
        super()._take_in(flight, outcome)


def counted(setting: Setting) -> dict[str, object]:
    board = read(setting.path)
    cores = setting.cores
    job = Cutting(board, setting.measure, setting.cutoff, setting.budget)
    plan = Plan(cores, pool=None, usable=lambda: cores, in_sight=lambda: cores)
    started = perf_counter()
    driver = Noted(job, plan, Begun(Tally(), 0, [(board.cells, 1.0)], 0.0, 1e7))
    *_, last = driver.run()
    seconds = perf_counter() - started
    return {
        "solutions": str(last.solutions),
        "seconds": seconds,
        "tasks": last.tasks,
        "longest": driver.longest,
        "busy": last.busy,
    }


if __name__ == "__main__":
    print(json.dumps(counted(Setting(**json.load(sys.stdin)))))
