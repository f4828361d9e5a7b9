"""From a count to parts that can be counted apart from each other.

    part      what a worker is to do, as bytes; how large it is, in a measure of its own; and its share of the count
    job       a count that can be split: `Tree`, the walk over a tree of guesses, or `Ranges`, the terms of a sum
    stock     the parts that nobody works on

For the search:

    Tree      a part is a subtree, a board of its own, and as large as its search space. It is branched by the kernel
              itself: it settles what follows from the rules, takes its best cell, and has one child a candidate. So a
              part that is dead has no children, and the children of a part have its solutions between them.
    cut-off   a subtree with a search space above it is branched once more
    share     of the whole tree, if all branches of a node had as much below them

For the contraction:

    Ranges    a part is a range of items of the contraction's sum, and as large as there are items
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import heapify, heappop, heappush
from typing import NamedTuple, Protocol

from enumerator.board import Board
from enumerator.search import kernel
from enumerator.search.task import work as walk
from enumerator.shape import Shape
from enumerator.task import Outcome

PARTS_PER_CORE = 64
"""What is aimed at."""


class Part(NamedTuple):
    """A part of a count. Parts compare by size first."""

    size: int
    load: bytes
    share: float


class Job(Protocol):
    """A count that can be split."""

    @property
    def engine(self) -> str: ...
    @property
    def work(self) -> Callable[[list[bytes], int, int], Outcome]:
        """What a worker does: loads, a budget and a limit in, an outcome out."""
        ...

    @property
    def least(self) -> int:
        """The smallest budget that makes sense."""
        ...

    def part(self, load: bytes, share: float) -> Part: ...
    def split(self, parts: list[Part], cores: int) -> Iterator[Part]: ...
    def describe(self, part: Part) -> str: ...


# ------------------------------------------------------------------------------------------------ the search


class Tree:
    """The walk over the solutions of a board, subtree by subtree."""

    engine = "search"

    def __init__(self, shape: Shape, cutoff: int | None = None, limited: bool = False) -> None:
        self.shape, self.cutoff, self.limited = shape, cutoff, limited
        self.work = partial(walk, shape.height, shape.width)
        self.least = 2 * shape.cells  # enough to come down to a solution

    def part(self, load: bytes, share: float) -> Part:
        return part(load, self.shape, share)

    def split(self, parts: list[Part], cores: int) -> Iterator[Part]:
        if self.limited and not self.cutoff:  # those that a walk comes to next are where it finds the next solutions
            return iter(parts)
        cutoff = self.cutoff or default_cutoff(parts, self.shape, PARTS_PER_CORE * cores)
        return split(sorted(parts, reverse=True), self.shape, cutoff)

    def describe(self, part: Part) -> str:
        return f"a part of the tree: {Board(self.shape, part.load)}"


def whole(board: Board) -> Part:
    """A board as a part: the whole tree."""
    return part(board.cells, board.shape, 1.0)


def part(cells: bytes, shape: Shape, share: float) -> Part:
    return Part(kernel.space(cells, shape.height, shape.width), cells, share)


def branch(parent: Part, shape: Shape) -> list[Part]:
    """The parts that a part consists of, one for each candidate of its best cell. A full one is its own only part."""
    walk = kernel.start(parent.load, shape.height, shape.width)
    return [part(cells, shape, parent.share * share) for cells, share in walk.parts()]


def split(parts: Iterable[Part], shape: Shape, cutoff: int) -> Iterator[Part]:
    """Branch until no search space is above the cut-off; always in the same order, one at a time.

    Full boards come out as parts, too: what is to be counted is everything that comes out.
    """
    stack = list(parts)[::-1]
    while stack:
        top = stack.pop()
        if top.size <= cutoff or is_full(top):
            yield top
        else:
            stack += branch(top, shape)[::-1]


def is_full(part: Part) -> bool:
    return 0 not in part.load


def default_cutoff(parts: Iterable[Part], shape: Shape, tasks: int) -> int:
    """The largest cut-off that splits parts into so many or more, as far as twice as many branches allow."""
    heap = [(-part.size, part) for part in parts]
    heapify(heap)
    for _ in range(2 * tasks):
        if not heap or len(heap) >= tasks or is_full(heap[0][1]):
            break
        _, largest = heappop(heap)
        for child in branch(largest, shape):
            heappush(heap, (-child.size, child))
    return max(1, -heap[0][0]) if heap else 1


# ------------------------------------------------------------------------------------------- the contraction


class Ranges:
    """The sum over the items of a board's contraction, range by range."""

    engine = "contraction"
    least = 1

    def __init__(self, board: Board) -> None:
        from enumerator.contraction.task import RANGE, pieces, problem, work

        self.range, self.pieces = RANGE, pieces
        self.problem = problem(board.cells, board.shape.height, board.shape.width)  # for the threads of this process
        self.work = partial(work, board.cells, board.shape.height, board.shape.width)

    def part(self, load: bytes, share: float) -> Part:
        first, last, _ = self.range.unpack(load)
        return Part(last - first, load, share)

    def split(self, parts: list[Part], cores: int) -> Iterator[Part]:
        size = 1 + sum(part.size for part in parts) // (PARTS_PER_CORE * cores)
        for part in parts:
            for load, share in self.pieces(part.load, -(-part.size // size)):
                yield self.part(load, part.share * share)

    def describe(self, part: Part) -> str:
        first, last, _ = self.range.unpack(part.load)
        return f"a part of the sum: items {first} to {last - 1}"


# ---------------------------------------------------------------------------------------------------- stock


class Stock:
    """The parts that nobody works on, in the order of their sizes."""

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
        deep = deep or len(self._parts) * len(self._parts[0].load) > MOST_BYTES
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
