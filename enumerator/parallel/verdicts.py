"""Has a board one solution, more, or none? For many boards, as fast as they can be read.

A chunk of boards is classified by one call of the kernel. A board that takes longer than most, some milliseconds, is
put aside and gone on with slice by slice: by whichever engine is faster, and so that it can be interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby, islice
from threading import Event

from enumerator.board import Board
from enumerator.parallel import Alone, Plan
from enumerator.parallel.turns import in_turn
from enumerator.search import kernel
from enumerator.shape import Shape

NODES = 100_000
"""So many nodes, times 81 for each cell of a board, are walked in one go: 20 ms."""
CHUNK = 1_024
"""Boards that are classified at a time."""


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
    solutions = bytearray(len(cells)) if solved else None
    counts = kernel.classify(cells, shape.height, shape.width, NODES * 81 // shape.cells, solutions)
    place = counts.find(3)
    while place >= 0:
        part = slice(place * shape.cells, (place + 1) * shape.cells)
        counts[place], solution = patiently(Board(shape, cells[part]), solved, stop)
        if solutions and solution:
            solutions[part] = solution
        place = counts.find(3, place)
    return bytes(counts), bytes(solutions or b"")


def patiently(board: Board, solved: bool, stop: Event) -> tuple[int, bytes]:
    """How many solutions a board has, 2 at most; and the one it has, if that is wanted."""
    alone = Alone(board, Plan(cores=1, limit=2))
    while not alone.finished:
        alone.step()
        if stop.is_set():
            raise Interrupted
    if not (solved and alone.tally.solutions == 1):
        return alone.tally.solutions, b""
    from enumerator.parallel.lists import solutions

    return 1, next(iter(solutions(board))).cells


def classify(board: Board) -> Verdict:
    """Whether a board has one solution, more, or none. No more than two are visited."""
    counts, _ = classified(board.cells, board.shape, False, Event())
    return VERDICTS[counts[0]]


def classify_all(boards: Iterable[Board], cores: int | None = None) -> Iterator[Verdict]:
    """The verdicts on many boards, in order, some boards at a time."""
    stop = Event()

    def work(chunk: tuple[Shape, bytes]) -> tuple[bytes, list[tuple[Shape, bytes]]]:
        shape, cells = chunk
        return classified(cells, shape, False, stop)[0], []

    try:
        for counts in in_turn(work, _chunks(boards), Plan(cores).effective_cores()):
            yield from map(VERDICTS.__getitem__, counts)
    finally:
        stop.set()


def _chunks(boards: Iterable[Board]) -> Iterator[tuple[Shape, bytes]]:
    """Boards of the same shape, joined."""
    for shape, alike in groupby(boards, lambda board: board.shape):
        while some := b"".join(board.cells for board in islice(alike, CHUNK)):
            yield shape, some
