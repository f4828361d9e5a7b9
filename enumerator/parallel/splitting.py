"""From a board to parts: subtrees of the tree of guesses, each a board of its own.

    part      a board, the size of its search space, and its share of the tree
    cut-off   a part with a search space above it is branched once more
    share     of the whole tree, if all branches of a node had as much below them

A part is branched by the kernel itself: it settles what follows from the rules, takes its best cell, and has one
child a candidate. So a part that is dead has no children, and the children of a part have its solutions between them.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from enumerator.board import Board
from enumerator.search import kernel
from enumerator.shape import Shape

PARTS_PER_CORE = 64
"""What the default cut-off aims at."""


class Part(NamedTuple):
    """A subtree. Parts compare by the size of their search space first."""

    space: int
    cells: bytes
    share: float

    @property
    def full(self) -> bool:
        return 0 not in self.cells


def whole(board: Board) -> Part:
    """A board as a part: the whole tree."""
    return part(board.cells, board.shape, 1.0)


def part(cells: bytes, shape: Shape, share: float) -> Part:
    return Part(kernel.space(cells, shape.height, shape.width), cells, share)


def branch(parent: Part, shape: Shape) -> list[Part]:
    """The parts that a part consists of, one for each candidate of its best cell. A full one is its own only part."""
    walk = kernel.start(parent.cells, shape.height, shape.width)
    return [part(cells, shape, parent.share * share) for cells, share in walk.parts()]


def split(parts: Iterable[Part], shape: Shape, cutoff: int) -> Iterator[Part]:
    """Branch until no search space is above the cut-off; always in the same order, one at a time.

    Full boards come out as parts, too: what is to be counted is everything that comes out.
    """
    stack = list(parts)[::-1]
    while stack:
        top = stack.pop()
        if top.space <= cutoff or top.full:
            yield top
        else:
            stack += branch(top, shape)[::-1]


def default_cutoff(parts: Iterable[Part], shape: Shape, tasks: int) -> int:
    """The largest cut-off that splits parts into so many or more, as far as twice as many branches allow."""
    heap = [(-part.space, part) for part in parts]
    heapify(heap)
    for _ in range(2 * tasks):
        if not heap or len(heap) >= tasks or heap[0][1].full:
            break
        _, largest = heappop(heap)
        for child in branch(largest, shape):
            heappush(heap, (-child.space, child))
    return max(1, -heap[0][0]) if heap else 1


class Stock:
    """The parts that nobody works on, in the order of their search spaces."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, part: Part) -> None:
        insort(self._parts, part)

    def take(self, workers: int, deep: bool = False) -> list[Part]:
        """Parts for one task: the largest and, before it, as many of the smallest as keep the stock from growing.

        A task that runs out of its budget hands back a dozen parts, most of them tiny. Handed out alone, each
        would cost more on its way than in its walk. If it is to go deep, only of the smallest: they are nearest to
        their solutions, and leave the fewest parts behind. So it is, too, where parts take too much memory.
        """
        if not self._parts:
            return []
        deep = deep or len(self._parts) * len(self._parts[0].cells) > MOST_BYTES
        largest = [] if deep else [self._parts.pop()]
        several = max(deep, len(self._parts) // (TASKS_AHEAD * workers))
        smallest, self._parts[:several] = self._parts[:several], []
        return smallest + largest

    def take_all(self) -> list[Part]:
        parts, self._parts = self._parts, []
        return parts


TASKS_AHEAD = 8
"""A stock is cut into so many tasks a worker, or more."""

MOST_BYTES = 50_000_000
