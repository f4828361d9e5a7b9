"""Lists and candidates: the solutions of a walk, segment by segment."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import add
from typing import overload

from enumerator.board import Board
from enumerator.engines import MOST, Share
from enumerator.engines.interfaces import ListSizes, Page, Place, Work
from enumerator.engines.walks import WalkEngine, boards, pack_masks
from enumerator.engines.walks.segments import Segment, WalkedSegment, first_segment, walk_segment


class WalkList:
    """The solutions of a board in the order of a walk."""

    visits = True

    def __init__(self, engine: WalkEngine, board: Board, sizes: ListSizes, is_short: bool) -> None:
        self.engine, self.start = engine.name, engine.walk_cells
        self.shape, self.sizes, self.is_short = board.shape, sizes, is_short
        self.first, self.allowed = first_segment(board, sizes), pack_masks(board.allowed)

    @property
    def whole(self) -> Place:
        return self._place(self.first)

    def check(self, place: str) -> None:
        self._segment(place)

    def _place(self, segment: Segment) -> Place:
        return Place(f"{segment.nodes} {Board.from_cells(self.shape, segment.cells)}", segment.share)

    def _segment(self, place: str, share: Share = (1, 1)) -> Segment:
        nodes, _, cells = place.partition(" ")
        if not re.fullmatch(r"[1-9]\d{0,17}", nodes, re.ASCII):
            raise ValueError(f"{place[:40]!r} is not a place in the list")
        return Segment(Board.parse(cells, self.shape).cells, int(nodes), share)

    def pages(self, places: Sequence[Place], limit: int | None, as_cells: bool = False) -> Work[Segment, Page]:
        most = MOST if limit is None else limit

        def write_page(segment: Segment) -> tuple[Page, list[Segment]]:
            text, walked = self.write(segment, most, as_cells)
            return Page(text, _Places(walked.rest, self._place), walked.share, walked.nodes), walked.rest

        return Work(write_page, [self._segment(*place) for place in places])

    def write(self, segment: Segment, limit: int = MOST, as_cells: bool = False) -> tuple[bytearray, WalkedSegment]:
        """Walk a segment; return its solutions as lines, or as cells, and the other results."""
        text = bytearray()

        def take(solutions: memoryview) -> None:
            nonlocal text
            text += solutions if as_cells else boards.lines(solutions, self.shape.cells, self.shape.symbols)

        walked = walk_segment(self.start, segment, self.shape, limit, take, self.sizes, self.allowed)
        return text, walked

    def index(self) -> WalkIndex:
        return WalkIndex(self)


class _Places(Sequence[Place]):
    """The places of segments. Their names are made on demand, because only a ledger needs them.

    An empty 64×64 board leaves 40,000 segments before its first solution: 18 s for all names.
    """

    def __init__(self, segments: list[Segment], place: Callable[[Segment], Place]) -> None:
        self._segments, self._place = segments, place

    def __len__(self) -> int:
        return len(self._segments)

    @overload
    def __getitem__(self, at: int) -> Place: ...
    @overload
    def __getitem__(self, at: slice) -> list[Place]: ...
    def __getitem__(self, at: int | slice) -> Place | list[Place]:
        some = self._segments[at]
        return [self._place(one) for one in some] if isinstance(some, list) else self._place(some)


class WalkIndex:
    """The segments of a list that have solutions, and the number of solutions of each."""

    def __init__(self, solutions: WalkList) -> None:
        self._list = solutions
        self._segments: list[Segment] = []
        self._ends: list[int] = []
        """The number of solutions up to the end of each segment."""
        self.found, self.share, self.effort = 0, 0.0, 0

    @property
    def work(self) -> Work[Segment, tuple[Segment, WalkedSegment]]:
        start, shape, sizes, allowed = self._list.start, self._list.shape, self._list.sizes, self._list.allowed

        def count_segment(segment: Segment) -> tuple[tuple[Segment, WalkedSegment], list[Segment]]:
            walked = walk_segment(start, segment, shape, sizes=sizes, allowed=allowed)
            return (segment, walked), walked.rest

        return Work(count_segment, [self._list.first])

    def add(self, result: tuple[Segment, WalkedSegment]) -> None:
        segment, walked = result
        self.share += walked.share
        self.effort += walked.nodes
        if walked.solutions:
            self.found += walked.solutions
            self._segments.append(segment)
            self._ends.append(self.found)

    @property
    def total(self) -> int:
        return self.found

    def lines(self, numbers: list[int]) -> Work[tuple[int, list[int]], list[bytes]]:
        def pick(task: tuple[int, list[int]]) -> tuple[list[bytes], list[tuple[int, list[int]]]]:
            return list(self._solutions(*task, as_cells=False)), []

        return Work(pick, self._by_segment(numbers))

    def cells(self, numbers: list[int]) -> Work[tuple[int, list[int]], bytearray]:
        def pick(task: tuple[int, list[int]]) -> tuple[bytearray, list[tuple[int, list[int]]]]:
            return bytearray().join(self._solutions(*task, as_cells=True)), []

        return Work(pick, self._by_segment(numbers))

    def _by_segment(self, numbers: list[int]) -> list[tuple[int, list[int]]]:
        """Return the solutions with these numbers as tasks: a segment, and the numbers in it."""
        by_segment = groupby(numbers, lambda number: bisect_right(self._ends, number))
        return [(which, list(some)) for which, some in by_segment]

    def _solutions(self, which: int, numbers: list[int], as_cells: bool) -> Iterator[bytes]:
        """Yield the solutions with these numbers, which are in segment `which`."""
        text, _ = self._list.write(self._segments[which], as_cells=as_cells)
        length = self._list.shape.cells + (not as_cells)
        first = self._ends[which] - len(text) // length
        for number in numbers:
            yield bytes(text[(number - first) * length : (number - first + 1) * length])


class WalkCandidates:
    """The counts of each digit in each cell, added up solution by solution."""

    def __init__(self, engine: WalkEngine, board: Board, sizes: ListSizes) -> None:
        self._start = engine.walk_cells
        self._shape, self._sizes, self._first = board.shape, sizes, first_segment(board, sizes)
        self._allowed = pack_masks(board.allowed)
        self._counts = [0] * board.shape.cells * board.shape.size
        self.share, self.effort = 0.0, 0

    @property
    def found(self) -> int:
        return sum(self._counts[: self._shape.size])

    def rounds(self, pieces: int) -> Iterator[Work[Segment, tuple[Sequence[int], float, int]]]:
        start, shape, sizes, allowed = self._start, self._shape, self._sizes, self._allowed

        def tally_segment(segment: Segment) -> tuple[tuple[Sequence[int], float, int], list[Segment]]:
            counts = array("Q", bytes(8 * shape.cells * shape.size))

            def take(solutions: memoryview) -> None:
                boards.tally(solutions, shape.cells, shape.size, counts)

            walked = walk_segment(start, segment, shape, take=take, sizes=sizes, allowed=allowed)
            return (counts, walked.share, walked.nodes), walked.rest

        yield Work(tally_segment, [self._first])

    def add(self, result: tuple[Sequence[int], float, int]) -> None:
        counts, share, nodes = result
        self.effort += nodes
        self._counts = list(map(add, self._counts, counts))
        self.share += share

    def counts(self) -> list[list[int]]:
        size = self._shape.size
        return [self._counts[first : first + size] for first in range(0, len(self._counts), size)]
