"""Answers by walking the tree of guesses.

The kernel runs in slices: for so many nodes, then Python has a word. Between slices Ctrl-C is heard, limits
are seen and the count so far is known, at a cost of some microseconds every 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from time import perf_counter

from enumerator.board import Board

try:
    from enumerator.search import kernel
except ImportError as error:
    raise ImportError(
        "the compiled kernel of enumerator is missing: install it with `pip install .` (in a source tree"
        " that Python finds first, with `pip install -e .`)"
    ) from error

SLICE_SECONDS = 0.02
FIRST_SLICE = 1_000
CHUNK = 1_024
"""The most solutions that are fetched before the first of them is asked for."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a count knows so far; if it is complete, there are no more solutions than these."""

    solutions: int = 0
    nodes: int = 0
    complete: bool = False


class Slices:
    """How many nodes the next slice should have, so that it takes about SLICE_SECONDS."""

    def __init__(self) -> None:
        self.nodes = FIRST_SLICE
        self._started = perf_counter()

    def next(self) -> int:
        now = perf_counter()
        seconds, self._started = now - self._started, now
        wish = SLICE_SECONDS / max(seconds, 1e-9)
        self.nodes = max(1, int(self.nodes * min(4.0, max(0.25, wish))))
        return self.nodes


def start(board: Board) -> kernel.Walk:
    """A walk over the solutions of a board."""
    return kernel.start(board.cells, board.shape.height, board.shape.width)


def tallies(board: Board, limit: int | None = None) -> Iterator[Tally]:
    """Count, and say after each slice how far it is. With a limit, stop at so many solutions."""
    walk = start(board)
    slices = Slices()
    most = kernel.MOST if limit is None else index(limit)
    found = 0
    while True:
        found += walk.run(slices.next(), most - found)
        yield Tally(found, walk.nodes, walk.finished)
        if walk.finished or found == most:
            return


def count(board: Board, limit: int | None = None) -> int:
    """The number of solutions, exact; with a limit, no more than that."""
    *_, last = tallies(board, limit)
    return last.solutions


def solutions(board: Board) -> Iterator[Board]:
    """Every solution, one at a time, always in the same order."""
    walk = start(board)
    slices = Slices()
    size = board.shape.cells
    chunk = bytearray(size)
    while not walk.finished:
        found = walk.run(slices.next(), out=chunk)
        for first in range(0, found * size, size):
            yield Board(board.shape, bytes(chunk[first : first + size]))
        if found * size == len(chunk) < CHUNK * size:
            chunk *= 2
