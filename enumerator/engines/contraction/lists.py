"""Lists and candidates by the contraction, as work that several cores can share."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf
from operator import add
from typing import NamedTuple

from enumerator.board import Board
from enumerator.engines.contraction.box_counts import Candidates
from enumerator.engines.contraction.order import Order, Places
from enumerator.engines.interfaces import ListSizes, Page, Place, Work

LINES_A_TASK = 32
"""The number of solutions that one task looks up by number."""

PRODUCTS_A_PIECE = 3e8
"""The products of a piece of the candidates of a band, at least: 10 ms. Its last step takes up to 1 ms."""


class PageTask(NamedTuple):
    """A page to be written: `lines` solutions from solution `offset` of `item` on.

    The list continues at solution `next_offset` of `next_item`.
    """

    item: int
    offset: int
    lines: int
    next_item: int
    next_offset: int
    share: float = 0.0
    """The share of the list that the page has."""


LAST_PAGE = PageTask(0, 0, 0, 0, 0)
"""An empty page that marks the end of the list: no place is left after it."""


class ContractionList:
    """The solutions of a board in the order of the contraction's sum."""

    engine = "contraction"
    is_short = False
    visits = False

    def __init__(self, board: Board, sizes: ListSizes) -> None:
        self.order, self.sizes = Order(board), sizes

    @property
    def whole(self) -> Place:
        return Place("0+0", (1, 1))

    def check(self, place: str) -> None:
        self._find(place)

    def _find(self, place: str) -> tuple[int, int]:
        """Return the item of a place, and the number of solutions of the item before the place."""
        match = re.fullmatch(r"(\d{1,18})\+(\d{1,18})", place, re.ASCII)
        item, offset = map(int, match.groups()) if match else (-1, 0)
        if not 0 <= item <= self.order.items or offset > (sum(self.order.sums(item, item + 1)) if offset else 0):
            raise ValueError(f"{place[:40]!r} is not a place in the list")
        return item, offset

    def pages(self, places: Sequence[Place], limit: int | None, as_cells: bool = False) -> Work[PageTask, Page]:
        order, items = self.order, max(1, self.order.items)
        write = order.cells if as_cells else order.lines

        def write_page(task: PageTask) -> tuple[Page, list[PageTask]]:
            if not task.lines:
                return Page(bytearray(), [], task.share), []
            after = Place(f"{task.next_item}+{task.next_offset}", (items - task.next_item, items))
            return Page(write(task.item, task.offset, task.lines), [after], task.share), []

        return Work(write_page, self._page_tasks(places, limit))

    def _page_tasks(self, places: Sequence[Place], limit: int | None) -> Iterator[PageTask]:
        left, items = inf if limit is None else limit, max(1, self.order.items)
        for place in places:
            item, offset = self._find(place.name)
            for task in self._pages_behind(item, offset, left):
                left -= task.lines
                yield task._replace(share=(task.next_item - item) / items)
                item = task.next_item
            if not left:
                return
            yield LAST_PAGE._replace(share=(items - item) / items)

    def _pages_behind(self, first: int, offset: int, left: float) -> Iterator[PageTask]:
        size, lines, items = self.sizes.first_page, 0, self.order.items
        begin = after = first, offset
        for start in range(first, items, self.sizes.span):
            end = min(start + self.sizes.span, items)
            for item, solutions in enumerate(self.order.sums(start, end), start):
                while offset < solutions and left:
                    if not lines:
                        begin = item, offset
                    some = int(min(solutions - offset, size - lines, left))
                    lines, offset, left = lines + some, offset + some, left - some
                    after = item, offset
                    if lines == size:
                        yield PageTask(*begin, lines, *after)
                        size, lines = min(4 * size, self.sizes.page), 0
                offset = 0
            if not left:
                break
        if lines:
            yield PageTask(*begin, lines, *after)

    def index(self) -> ContractionIndex:
        return ContractionIndex(self.order)


class ContractionIndex:
    """The sums of the groups of each leader (see order.py). They locate the n-th solution."""

    found = effort = None

    def __init__(self, order: Order) -> None:
        self._order, self._leaders = order, sorted(set(order.leaders))
        self._sums: dict[int, array[int]] = {}
        self._places: Places | None = None

    @property
    def work(self) -> Work[int, tuple[int, array[int]]]:
        order = self._order

        def sum_groups(leader: int) -> tuple[tuple[int, array[int]], list[int]]:
            return (leader, order.sums(leader * order.groups, (leader + 1) * order.groups)), []

        return Work(sum_groups, self._leaders)

    def add(self, result: tuple[int, array[int]]) -> None:
        leader, groups = result
        self._sums[leader] = groups

    @property
    def share(self) -> float:
        return len(self._sums) / len(self._leaders)

    @property
    def places(self) -> Places:
        if self._places is None:
            if len(self._sums) < len(self._leaders):
                raise RuntimeError("these solutions were not counted")
            self._places = Places(self._order, self._sums)
        return self._places

    @property
    def total(self) -> int:
        return self.places.count

    def lines(self, numbers: list[int]) -> Work[list[int], list[bytes]]:
        places = self.places

        def pick(some: list[int]) -> tuple[list[bytes], list[list[int]]]:
            return [places.line(number) for number in some], []

        return Work(pick, _in_tasks(numbers))

    def cells(self, numbers: list[int]) -> Work[list[int], bytearray]:
        places = self.places

        def pick(some: list[int]) -> tuple[bytearray, list[list[int]]]:
            return places.cells(some), []

        return Work(pick, _in_tasks(numbers))


def _in_tasks(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[at : at + LINES_A_TASK] for at in range(0, len(numbers), LINES_A_TASK))


class ContractionCandidates:
    """The candidates of a board, band by band."""

    found = effort = None

    def __init__(self, board: Board) -> None:
        self._candidates = Candidates(board)
        self._sums: dict[int, list[int]] = {}
        self._done = self._pieces = 0
        self._band: list[int] = []

    @property
    def share(self) -> float:
        inner = self._done / self._pieces if self._pieces else 0.0
        return (len(self._sums) + inner) / max(1, len(self._candidates.bands))

    def rounds(self, pieces: int) -> Iterator[Work[tuple[int, int], Sequence[int]]]:
        products = self._candidates.plan.products if self._candidates.plan else 0.0
        for band in self._candidates.bands:
            boxes = self._candidates.boxes(band)
            parts = boxes.starts_of_parts
            number = min(len(parts) - 1, pieces, 1 + int(products // PRODUCTS_A_PIECE))
            bounds = sorted({parts[(len(parts) - 1) * piece // number] for piece in range(number + 1)})
            self._band, self._done, self._pieces = [], 0, len(bounds) - 1

            def sum_piece(
                piece: tuple[int, int], run: Callable[[int, int], Sequence[int]] = boxes.run
            ) -> tuple[Sequence[int], list[tuple[int, int]]]:
                return run(*piece), []

            yield Work(sum_piece, list(pairwise(bounds)))
            self._sums[band], self._pieces = self._band, 0

    def add(self, result: Sequence[int]) -> None:
        self._band = list(map(add, self._band, result)) if self._band else list(result)
        self._done += 1

    def counts(self) -> list[list[int]]:
        return self._candidates.cells(self._sums)
