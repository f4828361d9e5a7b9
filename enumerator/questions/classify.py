"""Has a board one solution, more, or none? For many boards, as fast as they can be read.

A chunk of boards is classified by one call of the kernel. A board that takes longer than most, some milliseconds, is
put aside and gone on with slice by slice: by whichever engine is faster, and so that it can be interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby, islice
from operator import attrgetter
from threading import Event

from enumerator.board import Board, Shape
from enumerator.engines.search import Slices, kernel, start
from enumerator.run import Alone, Plan, check_cores
from enumerator.run.ordered import in_turn

NODES = 100_000
"""So many nodes, for a board of 81 cells, are walked in one go: 20 ms."""
FIRST_CHUNK, CHUNK = 64, 8_192
"""Boards that are classified at a time: few at first; later so many that a thread seldom waits for Python's lock."""


class Verdict(Enum):
    """What a board is."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"

    def __str__(self) -> str:
        return self.value


VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)
"""By the number of solutions that are visited."""


class Interrupted(Exception):  # noqa: N818
    """Somebody has asked to stop."""


def classified(cells: bytes, shape: Shape, solved: bool, stop: Event) -> tuple[bytes, bytes]:
    """How many solutions each of some boards has, 2 at most; and that of a board with one, in place of the board."""
    solutions = bytearray(len(cells) if solved else 0)
    counts, nodes = bytearray(), NODES * 81 // shape.cells
    while (first := len(counts) * shape.cells) < len(cells):
        if stop.is_set():
            raise Interrupted
        place = memoryview(solutions)[first:] if solved else None
        some = kernel.classify(memoryview(cells)[first:], shape.height, shape.width, nodes, place)
        if not some:  # one board takes longer than that
            board = Board(shape, cells[first : first + shape.cells])
            count, solution = patiently(board, solved, stop)
            some = bytes([count])
            if place and solution:
                place[: shape.cells] = solution
        counts += some
    return bytes(counts), bytes(solutions)


def patiently(board: Board, solved: bool, stop: Event) -> tuple[int, bytes]:
    """How many solutions a board has, 2 at most; and the one it has, if that is wanted."""
    alone = Alone(board, Plan(cores=1, limit=2))
    while not alone.finished:
        alone.step()
        if stop.is_set():
            raise Interrupted
    if not solved or alone.tally.solutions != 1:
        return alone.tally.solutions, b""
    if alone.tally.engine == "contraction":
        from enumerator.questions.solutions import solutions

        return 1, next(solutions(board, engine="contraction")).cells
    slices, solution = Slices(start(board)), bytearray(board.shape.cells)
    while not slices.run(1, solution):
        if stop.is_set():
            raise Interrupted
    return 1, bytes(solution)


def classify(board: Board) -> Verdict:
    """Whether a board has one solution, more, or none. No more than two are visited."""
    counts, _ = classified(board.cells, board.shape, False, Event())
    return VERDICTS[counts[0]]


def classify_all(boards: Iterable[Board], cores: int | None = None) -> Iterator[Verdict]:
    """The verdicts on many boards, in order, some boards at a time."""
    check_cores(cores)
    return _verdicts(boards, cores)


def _verdicts(boards: Iterable[Board], cores: int | None) -> Iterator[Verdict]:
    stop = Event()

    def work(chunk: tuple[Shape, bytes]) -> tuple[bytes, list[tuple[Shape, bytes]]]:
        shape, cells = chunk
        return classified(cells, shape, False, stop)[0], []

    for counts in in_turn(work, _chunks(boards), Plan(cores).effective_cores(), stop):
        yield from map(VERDICTS.__getitem__, counts)


def _chunks(boards: Iterable[Board]) -> Iterator[tuple[Shape, bytes]]:
    """Boards of the same shape, joined: more and more of them."""
    size = FIRST_CHUNK
    for shape, alike in groupby(boards, attrgetter("shape")):
        while some := b"".join(map(attrgetter("cells"), islice(alike, size))):
            yield shape, some
            size = min(2 * size, CHUNK)
