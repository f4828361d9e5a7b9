"""The solutions themselves: all of them in order, the n-th, or some at random.

A *list* has an order that follows from the board and the engine alone, whatever the number of cores:

    Summed    by the contraction, in the order of its sum (see contraction/order.py): one can go to any place at once
    Walked    by the search, stretch by stretch (see search/stretches.py)

A sample is the n-th solution for random n: exactly uniform, and the same whoever finds it.
"""

from __future__ import annotations

import random
import re
from array import array
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from math import inf
from operator import index
from time import perf_counter
from typing import NamedTuple, Protocol

from enumerator.board import Board, Shape
from enumerator.engines.contraction.order import Order, Places
from enumerator.engines.search import kernel
from enumerator.engines.search.segments import Stretch, walk, whole
from enumerator.run import checked, is_short, to_be_summed
from enumerator.run.ordered import Watch, in_turn, unwatched
from enumerator.run.splitting import Part

FIRST_PAGE, PAGE = 64, 16_384
"""Solutions that a task of the contraction writes: few at first, so that they are there at once."""

SPAN = 64
"""Items whose sums are looked up at a time."""

HANDFUL = 32
"""Solutions in any places that a task of the contraction writes."""

FIRST_DRAWN, DRAWN = 64, 16_384
"""Solutions that are drawn at a time: few at first."""

SAMPLE_SECONDS = 60.0
"""So long a board may be walked, to know how many solutions there are to choose from, if nothing else is said."""


class OutOfTimeError(TimeoutError):
    """Not known in the time there was."""


class NoSuchSolutionError(IndexError):
    """A solution that is not there, by its number or to choose from."""


class Place(NamedTuple):
    """Where to go on with a list: in the list's own words, and what share of the whole is behind it."""

    name: str
    share: float


class Page(NamedTuple):
    """Some lines, from a place on, and the places that are left behind them, in its stead."""

    text: bytearray
    left: list[Place]


class Lines:
    """What kind of tasks a list has, for a ledger: places."""

    def __init__(self, found: List) -> None:
        self.engine, self._check = found.engine, found.check

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        return Part(0, load, share, row)

    def text(self, load: bytes) -> str:
        return load.decode()

    def load(self, text: str) -> bytes:
        self._check(text)
        return text.encode()


class List(Protocol):
    """The solutions of a board in order, as lines of text."""

    @property
    def engine(self) -> str: ...
    @property
    def is_short(self) -> bool:
        """Whether one core has it in a moment."""
        ...

    @property
    def whole(self) -> str:
        """The name of the place to begin with."""
        ...

    def check(self, place: str) -> None:
        """Raise ValueError for what is not the name of a place."""
        ...

    def pages(
        self, cores: int, limit: int | None = None, places: Sequence[Place] | None = None
    ) -> Generator[Page, None, None]:
        """All of them, or so many; from the first on, or all that is behind some places. Some may have no lines."""
        ...

    def count(self, cores: int, seconds: float = inf, enough: float = inf, watch: Watch = unwatched) -> int:
        """How many there are; or more than enough. Raises OutOfTimeError."""
        ...

    def lines(self, places: list[int], cores: int) -> Iterator[bytes]:
        """Those in some places, in ascending order; so many must have been counted."""
        ...


def listed(board: Board, engine: str = "auto") -> List:
    """The list of a board's solutions."""
    return Summed(board) if to_be_summed(board, engine) else Walked(board)


class Summed:
    """A list in the order of the contraction's sum."""

    engine = "contraction"
    is_short = False

    def __init__(self, board: Board) -> None:
        self.order, self.cells = Order(board), board.shape.cells
        self._places: Places | None = None

    @property
    def whole(self) -> str:
        return "0+0"

    def check(self, place: str) -> None:
        self._find(place)

    def _find(self, place: str) -> tuple[int, int]:
        """An item, and how many of its solutions come before a place."""
        match = re.fullmatch(r"(\d{1,18})\+(\d{1,18})", place, re.ASCII)
        item, offset = map(int, match.groups()) if match else (-1, 0)
        if not 0 <= item <= self.order.items or offset > (sum(self.order.sums(item, item + 1)) if offset else 0):
            raise ValueError(f"{place[:40]!r} is no place in the list")
        return item, offset

    def pages(
        self, cores: int, limit: int | None = None, places: Sequence[Place] | None = None
    ) -> Generator[Page, None, None]:
        order, items = self.order, max(1, self.order.items)

        def write(page: tuple[int, int, int, int, int]) -> tuple[Page, list[tuple[int, int, int, int, int]]]:
            item, offset, count, last, end = page
            return Page(order.lines(item, offset, count), [Place(f"{last}+{end}", 1 - last / items)]), []

        for place in [self.whole] if places is None else [place.name for place in places]:
            lines = 0
            with closing(in_turn(write, self._pages(*self._find(place), limit), cores)) as written:
                for page in written:
                    lines += len(page.text) // (self.cells + 1)
                    yield page
            if limit is None or lines < limit:
                yield Page(bytearray(), [])

    def _pages(self, first: int, offset: int, limit: int | None) -> Iterator[tuple[int, int, int, int, int]]:
        """An item, a place in it, how many solutions to write from there on, and the item and place behind them."""
        left = inf if limit is None else limit
        size, page, items = FIRST_PAGE, 0, self.order.items
        begin = behind = first, offset
        for start in range(first, items, SPAN):
            for item, solutions in enumerate(self.order.sums(start, min(start + SPAN, items)), start):
                while offset < solutions and left:
                    if not page:
                        begin = item, offset
                    some = int(min(solutions - offset, size - page, left))
                    page, offset, left = page + some, offset + some, left - some
                    behind = item, offset
                    if page == size:
                        yield *begin, page, *behind
                        size, page = min(4 * size, PAGE), 0
                offset = 0
            if not left:
                break
        if page:
            yield *begin, page, *behind

    def count(self, cores: int, seconds: float = inf, enough: float = inf, watch: Watch = unwatched) -> int:  # noqa: ARG002
        order, deadline = self.order, perf_counter() + seconds
        leaders = sorted(set(order.leaders))

        def work(leader: int) -> tuple[tuple[int, array[int]], list[int]]:
            return (leader, order.sums(leader * order.groups, (leader + 1) * order.groups)), []

        sums: dict[int, array[int]] = {}
        with closing(in_turn(work, leaders, cores)) as results:
            for leader, groups in results:
                sums[leader] = groups
                watch(len(sums) / len(leaders), None)
                if perf_counter() > deadline:
                    raise OutOfTimeError
        self._places = Places(order, sums)
        return self._places.count

    def lines(self, places: list[int], cores: int) -> Iterator[bytes]:
        known = self._places
        if known is None:
            raise RuntimeError("these solutions were not counted")
        some = (places[first : first + HANDFUL] for first in range(0, len(places), HANDFUL))
        for lines in in_turn(lambda few: ([known.line(place) for place in few], []), some, cores):
            yield from lines


class Walked:
    """A list in the order of a walk."""

    engine = "search"

    def __init__(self, board: Board) -> None:
        self.board, self.shape, self._whole = board, board.shape, whole(board)
        self.is_short = is_short(board)
        self._known: list[Stretch] = []
        self._ends: list[int] = []
        """How many solutions there are up to the end of each stretch."""

    @property
    def whole(self) -> str:
        return self._place(self._whole).name

    def check(self, place: str) -> None:
        self._stretch(place)

    def _place(self, stretch: Stretch) -> Place:
        return Place(f"{stretch.nodes} {Board(self.shape, stretch.cells)}", stretch.share)

    def _stretch(self, place: str, share: float = 1.0) -> Stretch:
        nodes, _, cells = place.partition(" ")
        if not re.fullmatch(r"[1-9]\d{0,17}", nodes, re.ASCII):
            raise ValueError(f"{place[:40]!r} is no place in the list")
        return Stretch(Board.parse(cells, self.shape).cells, int(nodes), share)

    def pages(
        self, cores: int, limit: int | None = None, places: Sequence[Place] | None = None
    ) -> Generator[Page, None, None]:
        left, line = kernel.MOST if limit is None else limit, self.shape.cells + 1
        begin = [self._whole] if places is None else [self._stretch(*place) for place in places]

        def work(stretch: Stretch) -> tuple[Page, list[Stretch]]:
            text, behind = self._written(stretch, left)
            return Page(text, [self._place(one) for one in behind]), behind

        with closing(in_turn(work, begin, cores)) as pages:
            for page in pages:
                del page.text[left * line :]
                left -= len(page.text) // line
                yield page
                if not left:
                    return

    def _written(self, stretch: Stretch, limit: int = kernel.MOST) -> tuple[bytearray, list[Stretch]]:
        text = bytearray()

        def take(solutions: memoryview) -> None:
            nonlocal text
            text += kernel.lines(solutions, self.shape.cells, self.shape.symbols)

        _, behind = walk(stretch, self.shape, limit, take)
        return text, behind

    def count(self, cores: int, seconds: float = inf, enough: float = inf, watch: Watch = unwatched) -> int:
        deadline, found = perf_counter() + seconds, 0

        def work(stretch: Stretch) -> tuple[tuple[Stretch, int], list[Stretch]]:
            solutions, behind = walk(stretch, self.shape)
            return (stretch, solutions), behind

        self._known, self._ends = [], []
        with closing(in_turn(work, [self._whole], cores)) as results:
            for stretch, solutions in results:
                found += solutions
                watch(None, found)
                if solutions:
                    self._known.append(stretch)
                    self._ends.append(found)
                if found > enough:
                    break
                if perf_counter() > deadline:
                    raise OutOfTimeError
        return found

    def lines(self, places: list[int], cores: int) -> Iterator[bytes]:
        def work(task: tuple[int, list[int]]) -> tuple[list[bytes], list[tuple[int, list[int]]]]:
            number, some = task
            text, _ = self._written(self._known[number])
            first, line = self._ends[number] - len(text) // (self.shape.cells + 1), self.shape.cells + 1
            return [bytes(text[(place - first) * line : (place - first + 1) * line]) for place in some], []

        tasks = [
            (number, list(some)) for number, some in groupby(places, lambda place: bisect_right(self._ends, place))
        ]
        for some in in_turn(work, tasks, cores):
            yield from some


# ---------------------------------------------------------------------------------------- what is asked for


def nth_line(found: List, n: int, cores: int, seconds: float = inf, watch: Watch = unwatched) -> bytes:
    """The n-th line of a list, from 0. Raises NoSuchSolutionError."""
    lines = found.count(cores, seconds, n, watch)
    if n >= lines:
        raise NoSuchSolutionError(f"no solution {n}: there are {lines} of them, counted from 0")
    return next(iter(found.lines([n], 1)))


def sampled_lines(
    found: List, number: int, seed: int | None, cores: int, seconds: float = inf, watch: Watch = unwatched
) -> Iterator[bytes]:
    """So many lines of a list at random, with repetition. Raises NoSuchSolutionError where there is none to choose."""
    if not (lines := found.count(cores, seconds, watch=watch)):
        raise NoSuchSolutionError("there is no solution to choose")
    return _drawn(found, lines, number, random.Random(seed), cores)


def _drawn(found: List, lines: int, number: int, generator: random.Random, cores: int) -> Iterator[bytes]:
    some = FIRST_DRAWN
    while number > 0:
        places = [generator.randrange(lines) for _ in range(min(some, number))]
        yield from _chosen(found, places, cores)
        number, some = number - len(places), min(4 * some, DRAWN)


def _chosen(found: List, places: list[int], cores: int) -> list[bytes]:
    """The lines in some places, in any order."""
    order = sorted(range(len(places)), key=places.__getitem__)
    lines = dict(zip(order, found.lines([places[turn] for turn in order], cores), strict=True))
    return [lines[turn] for turn in range(len(places))]


def solutions(board: Board, cores: int | None = 1, engine: str = "auto") -> Iterator[Board]:
    """Every solution, one at a time, always in the same order: that of `enumerate --list`.

    With more cores than one (None: all there are) they are found ahead, by threads that end when the iterator does.
    """
    cores = checked(board, cores, engine)
    return boards(board.shape, texts(listed(board, engine).pages(cores)))


def texts(pages: Generator[Page, None, None]) -> Generator[bytearray, None, None]:
    """The lines of pages, where there are some."""
    with closing(pages):
        for page in pages:
            if page.text:
                yield page.text


def boards(shape: Shape, pages: Iterable[bytes | bytearray]) -> Iterator[Board]:
    """Lines of text as boards."""
    digits = bytes.maketrans(shape.symbols.encode(), bytes(range(1, shape.size + 1)))
    for page in pages:
        cells = bytes(page).translate(digits)
        for first in range(0, len(cells), shape.cells + 1):
            yield Board(shape, cells[first : first + shape.cells])


def nth(board: Board, n: int, cores: int | None = None, engine: str = "auto") -> Board:
    """The n-th solution, from 0, in the order of `solutions`. Up to 9×9, those before it are not visited."""
    cores = checked(board, cores, engine)
    if index(n) < 0:
        raise ValueError(f"no solution {n}: they are counted from 0")
    return next(boards(board.shape, [nth_line(listed(board, engine), n, cores)]))


def sample(
    board: Board,
    number: int,
    seed: int | None = None,
    cores: int | None = None,
    engine: str = "auto",
    seconds: float | None = None,
) -> list[Board]:
    """So many solutions, each of them any solution with the same probability, independent of the others.

    The same seed gives the same sample. A board that can only be walked is walked once, to know what there is to
    choose from: if that takes longer than so many seconds (60, if nothing is said) there is no sample, OutOfTimeError.
    """
    cores = checked(board, cores, engine)
    if index(number) < 0:
        raise ValueError(f"{number} solutions are less than none")
    found = listed(board, engine)
    return list(boards(board.shape, sampled_lines(found, number, seed, cores, patience(found, seconds))))


def patience(found: List, seconds: float | None) -> float:
    """How long a sample may take to be counted."""
    if seconds is not None:
        return seconds
    return SAMPLE_SECONDS if found.engine == "search" else inf
