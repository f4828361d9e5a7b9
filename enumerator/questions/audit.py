"""Recounts tasks of a ledger.

a task of a search         up to 9×9, if nothing below it is open, it is counted by the contraction, together with all
                           that is below it in the ledger. Otherwise, if it has left nothing, its board is transposed
                           and walked by the kernel for all shapes. If it has, the same walk is taken again, for as
                           many nodes: it has to find as many solutions, and to leave the same boards.
a task of a contraction    its items are summed by the loops for any processor, which share no instruction with those
                           that are used where there are better ones
a part that was divided    is divided again, all of them: that takes next to no time
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from enumerator.board import Board, Shape
from enumerator.engines import contraction, search
from enumerator.engines.search import kernel
from enumerator.questions.verify import transposed
from enumerator.run.ledger.contents import Book, Row
from enumerator.run.splitting import Part, Ranges, Tree

UNITS = 2e9
"""Of a sum, between two looks at the signals: a tenth of a second."""


class Finding(NamedTuple):
    """What has become of a task when it was recounted."""

    task: Row
    way: str
    there: str
    """What the ledger says,"""
    here: str
    """and what was found now."""

    @property
    def agrees(self) -> bool:
        return self.there == self.here


class Audit:
    """A ledger of a count, all rows of it, and those that are to be recounted."""

    def __init__(self, book: Book, share: float, seed: int | None = None) -> None:
        self.board = Board.parse(book.run["board"], Shape.parse(book.run["shape"]))
        self.recount = self._searched if book.engine == "search" else self._summed
        self.tree = Tree(self.board.shape)
        self.ranges = Ranges(self.board) if book.engine == "contraction" else None
        self.children: dict[int, list[Row]] = {}
        for row in book.rows:
            self.children.setdefault(row.parent, []).append(row)
        self.totals = {row.id: row.solutions for row in book.rows}
        """The solutions of each task and of all below it; None, if some of these are open."""
        for row in reversed(book.rows):
            below, own = self.totals[row.id], self.totals.get(row.parent)
            if row.parent:
                self.totals[row.parent] = None if below is None or own is None else own + below
        self.divided = [row for row in book.rows if row.is_divided]
        self.tasks = [row for row in book.rows if not (row.is_open or row.is_divided)]
        number = min(len(self.tasks), ceil(share * len(self.tasks)))
        self.chosen = sorted(random.Random(seed).sample(self.tasks, number))

    def findings(self) -> Iterator[Finding]:
        """Look at them one after the other."""
        for row in self.divided:
            yield self._divided(row)
        for row in self.chosen:
            yield self.recount(row)

    def _left(self, row: Row) -> list[str]:
        return [child.work for child in self.children.get(row.id, [])]

    def _searched(self, row: Row) -> Finding:
        cells, shape, total = self.tree.load(row.work), self.board.shape, self.totals[row.id]
        if total is not None and contraction.supports(shape):
            return Finding(row, "contraction", str(total), str(contraction.count(Board(shape, cells))))
        if not row.rest:
            turned = transposed(Board(shape, cells))
            *_, last = search.tallies(kernel.General(turned.cells, shape.width, shape.height))
            return Finding(row, "rows for columns", str(row.solutions), str(last.solutions))
        walk = kernel.start(cells, shape.height, shape.width)
        found = walk.run(row.effort)
        left = [self.tree.text(cells) for cells in walk.rest()]
        return Finding(row, "the same walk", described(row.solutions, self._left(row)), described(found, left))

    def _summed(self, row: Row) -> Finding:
        if self.ranges is None:
            raise RuntimeError("there is no sum")
        first, last, _ = self.ranges.range.unpack(self.ranges.load(row.work))
        left = [self.ranges.range.unpack(self.ranges.load(work)) for work in self._left(row)]
        end = min((first for first, _, _ in left), default=last)
        found = summed(self.ranges, first, end)
        gap = tiled(end, last, left)
        return Finding(row, "portable loops", described(row.solutions, []), described(found, gap))

    def _divided(self, row: Row) -> Finding:
        there = self._left(row)
        if self.ranges is None:
            part = Part(0, self.tree.load(row.work), row.share)
            here = [self.tree.text(child.load) for child in self.tree.branch(part)]
            return Finding(row, "the same division", described(0, there), described(0, here))
        first, last, _ = self.ranges.range.unpack(self.ranges.load(row.work))
        gap = tiled(first, last, [self.ranges.range.unpack(self.ranges.load(work)) for work in there])
        return Finding(row, "the same division", described(0, []), described(0, gap))


def described(solutions: int | None, left: list[str]) -> str:
    return f"{solutions}{f', leaving {len(left)}: ' if left else ''}{' '.join(left)}"


def tiled(first: int, last: int, ranges: list[tuple[int, int, int]]) -> list[str]:
    """What is wrong with ranges that should follow each other from one item to another."""
    wrong = []
    for start, end, _ in sorted(ranges):
        if start != first:
            wrong.append(f"{first}:{start}")
        first = end
    return wrong if first == last else [*wrong, f"{first}:{last}"]


def summed(ranges: Ranges, first: int, last: int) -> int:
    """The sum over some items, by the loops for any processor."""
    plan = ranges.problem.plan
    if plan is None:
        return 0
    portable, total = plan.sum(portable=True), 0
    while first < last:
        found, first, _ = portable.run(first, last, UNITS)
        total += found
    return total * plan.factor
