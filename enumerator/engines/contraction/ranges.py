"""Parts of a sum: ranges of its items."""

from __future__ import annotations

import re
from functools import partial

from gmpy2 import mpq

from enumerator.board import Board
from enumerator.engines import Job, Part, Recount, describe_outcome
from enumerator.engines.contraction.problem import RANGE, cut_range, find_problem
from enumerator.engines.contraction.worker import sum_ranges
from enumerator.engines.shares import exact_shares

RANGES_A_DIVISION = 4
"""The number of ranges into which a range is divided."""

RECOUNT_PRODUCTS = 2e9
"""The products of a recount between two checks for signals: about 0.1 s."""


class Ranges(Job):
    """The job of summing the items of a board, range by range. The size of a range is its items."""

    weight = 10.0

    def __init__(self, board: Board) -> None:
        cells, height, width = board.cells, board.shape.height, board.shape.width
        super().__init__("contraction", board.shape, partial(sum_ranges, cells, height, width))
        self.problem = find_problem(cells, height, width)  # for the threads of this process

    def whole(self, board: Board) -> bytes:
        return RANGE.pack(0, self.problem.items, self.problem.items)

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        first, last, _ = RANGE.unpack(load)
        return Part(last - first, load, share, row)

    def divide(self, part: Part) -> list[Part] | None:
        if part.size == 1:
            return None
        below = cut_range(part.load, RANGES_A_DIVISION)
        return [self.part(load, share) for load, share in exact_shares(part.share, below)]

    def describe(self, part: Part) -> str:
        first, last, _ = RANGE.unpack(part.load)
        return f"a part of the sum: items {first} to {last - 1}"

    def text(self, load: bytes) -> str:
        return "{}:{}/{}".format(*RANGE.unpack(load))

    def load(self, text: str) -> bytes:
        match = re.fullmatch(r"(\d{1,18}):(\d{1,18})/(\d{1,18})", text, re.ASCII)
        first, last, items = map(int, match.groups()) if match else (1, 0, 0)
        if not (first <= last <= items == self.problem.items):
            raise ValueError(f"{text[:100]!r} is not a range of {self.problem.items} items")
        return RANGE.pack(first, last, items)

    def board(self, load: bytes) -> None:
        return None

    def recount(self, work: str, solutions: int, effort: int, left: list[str]) -> Recount:
        """Sum a range of a ledger again with the portable loops, and compare.

        They share no vector instruction with the other loops.
        """
        first, last, _ = RANGE.unpack(self.load(work))
        rest = [RANGE.unpack(self.load(one)) for one in left]
        end = min((first for first, _, _ in rest), default=last)
        here = describe_outcome(self._sum_portably(first, end), find_gaps(end, last, rest))
        return Recount("portable loops", describe_outcome(solutions, []), here)

    def redivide(self, work: str, left: list[str]) -> Recount:
        first, last, _ = RANGE.unpack(self.load(work))
        gaps = find_gaps(first, last, [RANGE.unpack(self.load(one)) for one in left])
        return Recount("the same division", describe_outcome(0, []), describe_outcome(0, gaps))

    def _sum_portably(self, first: int, last: int) -> int:
        plan = self.problem.plan
        if plan is None:
            return 0
        portable, total = plan.sum(version=0), 0
        while first < last:
            found, first, _ = portable.run(first, last, RECOUNT_PRODUCTS)
            total += found
        return total * plan.factor


def find_gaps(first: int, last: int, ranges: list[tuple[int, int, int]]) -> list[str]:
    """Return the gaps and overlaps of ranges that should cover `first` to `last` without either."""
    wrong = []
    for start, end, _ in sorted(ranges):
        if start != first:
            wrong.append(f"{first}:{start}")
        first = end
    return wrong if first == last else [*wrong, f"{first}:{last}"]
