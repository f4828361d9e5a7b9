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

import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import heapify, heappop, heappush
from typing import NamedTuple, Protocol, TypeAlias

from enumerator.board import Board, Shape
from enumerator.engines import Done, Outcome
from enumerator.engines.search import kernel
from enumerator.engines.search.worker import work as walk


class Part(NamedTuple):
    """A part of a count. Parts compare by size first."""

    size: int
    load: bytes
    share: float
    row: int = 0
    """Where it stands in a ledger, if there is one."""


Divide: TypeAlias = Callable[[Part], list[Part] | None]
"""The parts that a part consists of, if it is too large to be a task."""

Branch: TypeAlias = Callable[[Part], list[Part]]
"""The parts that a part consists of: itself alone, if there is nothing to choose in it."""


class Job(Protocol):
    """A count that can be split."""

    @property
    def engine(self) -> str: ...
    @property
    def work(self) -> Callable[[list[bytes], int, int, float], Outcome]:
        """What a worker does: loads, a budget, a limit and its patience in, an outcome out."""
        ...

    @property
    def least(self) -> int:
        """The smallest budget that makes sense."""
        ...

    @property
    def weight(self) -> float:
        """How much a task of it costs on its way, as compared with one of a walk over a 9×9 board."""
        ...

    def whole(self, board: Board) -> bytes:
        """All of it, as one load."""
        ...

    def part(self, load: bytes, share: float, row: int = 0) -> Part: ...
    def tasks(self, parts: list[Part], record: Record) -> Iterator[Part]:
        """The parts as they may be handed out: split, one by one, where there is a cut-off."""
        ...

    def divide(self, part: Part) -> list[Part] | None:
        """The parts that a part consists of, where there are too few; None, if it is to be one task."""
        ...

    def describe(self, part: Part) -> str: ...
    def text(self, load: bytes) -> str: ...
    def load(self, text: str) -> bytes: ...


class Record(Protocol):
    """What remembers the parts of a count."""

    def settle(self, part: Part, done: Done, left: list[Part]) -> list[Part]:
        """A part is done, but for those that are left of it. Returns these, as they stand in the record."""
        ...

    def commit(self, last: bool = False) -> None:
        """Have what was said so far on the disk, soon or, if this is the last chance, now."""
        ...


class Unrecorded:
    """For counts that nothing remembers."""

    def settle(self, part: Part, done: Done, left: list[Part]) -> list[Part]:  # noqa: ARG002
        return left

    def commit(self, last: bool = False) -> None:
        pass


def split(parts: Iterable[Part], divide: Divide, record: Record | None = None) -> Iterator[Part]:
    """Divide parts until none is too large; always in the same order, one at a time."""
    record = record or Unrecorded()
    stack = list(parts)[::-1]
    while stack:
        top = stack.pop()
        below = divide(top)
        if below is None:
            yield top
        else:
            stack += record.settle(top, DIVIDED, below)[::-1]


DIVIDED = Done(0, 0, 0.0, [])
"""What is found in a part by dividing it."""


# ------------------------------------------------------------------------------------------------ the search


class Tree:
    """The walk over the solutions of a board, subtree by subtree."""

    engine = "search"

    def __init__(self, shape: Shape, cutoff: int | None = None, limited: bool = False) -> None:
        self.shape, self.cutoff, self.limited = shape, cutoff, limited
        self.work = partial(walk, shape.height, shape.width)
        self.least = 2 * shape.cells  # enough to come down to a solution
        self.weight = (shape.cells / 81) ** 2  # there are more parts left of it, and each has more cells
        digits, symbols = bytes(range(shape.size + 1)), f".{shape.symbols}".encode()
        self._symbols, self._digits = bytes.maketrans(digits, symbols), bytes.maketrans(symbols, digits)
        self._other = bytes(set(range(256)) - set(symbols))

    def whole(self, board: Board) -> bytes:
        return board.cells

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        return part(load, self.shape, share, row)

    def tasks(self, parts: list[Part], record: Record) -> Iterator[Part]:
        if self.cutoff is None:
            return iter(parts)
        return split(sorted(parts, reverse=True), above(self.cutoff, self.branch), record)

    def divide(self, part: Part) -> list[Part] | None:
        """Nothing where there is a cut-off; nor where limits are near, where the parts that a walk comes to next do."""
        return None if self.cutoff or self.limited else above(1, self.branch)(part)

    def branch(self, part: Part) -> list[Part]:
        """One part for each candidate of its best cell."""
        walk = kernel.start(part.load, self.shape.height, self.shape.width)
        return [self.part(cells, part.share * share) for cells, share in walk.parts()]

    def describe(self, part: Part) -> str:
        return f"a part of the tree: {self.text(part.load)}"

    def text(self, load: bytes) -> str:
        return load.translate(self._symbols).decode()

    def load(self, text: str) -> bytes:
        symbols = text.encode()
        if len(symbols) != self.shape.cells or len(symbols.translate(None, self._other)) != len(symbols):
            raise ValueError(f"{text[:100]!r} is no board of {self.shape}")
        return symbols.translate(self._digits)


def whole(board: Board) -> Part:
    """A board as a part: the whole tree."""
    return part(board.cells, board.shape, 1.0)


def part(cells: bytes, shape: Shape, share: float, row: int = 0) -> Part:
    return Part(kernel.space(cells, shape.height, shape.width), cells, share, row)


def above(cutoff: int, branch: Branch) -> Divide:
    """Branch what has a search space above the cut-off, if it can be: a board that is full cannot."""

    def divided(part: Part) -> list[Part] | None:
        if part.size <= cutoff:
            return None
        below = branch(part)
        return None if is_itself(part, below) else below

    return divided


def is_itself(part: Part, below: list[Part]) -> bool:
    """Whether what a part consists of is the part."""
    return len(below) == 1 and below[0].load == part.load


def cutoff_for(parts: Iterable[Part], branch: Branch, tasks: int) -> int:
    """The largest cut-off that splits parts into so many or more, as far as twice as many branches allow."""
    heap = [(-part.size, part) for part in parts]
    heapify(heap)
    for _ in range(2 * tasks):
        if not heap or len(heap) >= tasks:
            break
        _, largest = heap[0]
        below = branch(largest)
        if is_itself(largest, below):
            break
        heappop(heap)
        for child in below:
            heappush(heap, (-child.size, child))
    return max(1, -heap[0][0]) if heap else 1


# ------------------------------------------------------------------------------------------- the contraction


class Ranges:
    """The sum over the items of a board's contraction, range by range."""

    engine = "contraction"
    least = 1
    weight = 10.0

    def __init__(self, board: Board) -> None:
        from enumerator.engines.contraction.worker import RANGE, pieces, problem, work

        self.range, self.pieces = RANGE, pieces
        self.problem = problem(board.cells, board.shape.height, board.shape.width)  # for the threads of this process
        self.work = partial(work, board.cells, board.shape.height, board.shape.width)

    def whole(self, board: Board) -> bytes:  # noqa: ARG002
        return self.range.pack(0, self.problem.items, self.problem.items)

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        first, last, _ = self.range.unpack(load)
        return Part(last - first, load, share, row)

    def tasks(self, parts: list[Part], record: Record) -> Iterator[Part]:  # noqa: ARG002
        return iter(parts)

    def divide(self, part: Part) -> list[Part] | None:
        if part.size == 1:
            return None
        return [self.part(load, part.share * share) for load, share in self.pieces(part.load, PIECES)]

    def describe(self, part: Part) -> str:
        first, last, _ = self.range.unpack(part.load)
        return f"a part of the sum: items {first} to {last - 1}"

    def text(self, load: bytes) -> str:
        return "{}:{}/{}".format(*self.range.unpack(load))

    def load(self, text: str) -> bytes:
        match = re.fullmatch(r"(\d{1,18}):(\d{1,18})/(\d{1,18})", text, re.ASCII)
        first, last, items = map(int, match.groups()) if match else (1, 0, 0)
        if not (first <= last <= items == self.problem.items):
            raise ValueError(f"{text[:100]!r} is no range of {self.problem.items} items")
        return self.range.pack(first, last, items)


PIECES = 4
"""Into so many ranges a range is divided."""


# ---------------------------------------------------------------------------------------------------- stock


class Stock:
    """The parts that nobody works on, in the order of their sizes."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, part: Part) -> None:
        insort(self._parts, part)

    def take(self, workers: int, deep: bool = False, share: float = 0.0) -> list[Part]:
        """Parts for one task: the largest and, before it, as many of the smallest as keep the stock from growing.

        A task that runs out of its budget hands back some parts, most of them small. Handed out alone, each
        would cost more on its way than in its walk. So there are more of them, up to that share of the whole, as long
        as something is left for every worker. If it is to go deep, only of the smallest: they are nearest to their
        solutions, and leave the fewest parts behind. So it is, too, where parts take too much memory.
        """
        if not self._parts:
            return []
        deep = deep or len(self._parts) * len(self._parts[0].load) > MOST_BYTES
        largest = [] if deep else [self._parts.pop()]
        several = max(deep, len(self._parts) // (TASKS_AHEAD * workers))
        if not deep:
            share -= largest[0].share + sum(part.share for part in self._parts[:several])
            while share > 0 and several < len(self._parts) - workers:
                share -= self._parts[several].share
                several += 1
        smallest, self._parts[:several] = self._parts[:several], []
        return smallest + largest

    def divide(self, divide: Divide, record: Record, share: float) -> bool:
        """Divide the largest part, if that is possible, and if it seems to be more than such a share of the whole."""
        below = divide(self._parts[-1]) if self._parts and self._parts[-1].share > share else None
        if below is None:
            return False
        for part in record.settle(self._parts.pop(), DIVIDED, below):
            self.add(part)
        return True


TASKS_AHEAD = 8
"""A stock is cut into so many tasks a worker, or more."""

MOST_BYTES = 50_000_000
