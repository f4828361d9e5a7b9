"""Answers by walking the tree of guesses.

The kernel runs in slices: for so many nodes, then Python has a word. Between slices Ctrl-C is heard, limits
are seen and the count so far is known, at a cost of some microseconds every 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from time import perf_counter

from enumerator.board import Board
from enumerator.engines import Tally

try:
    from enumerator.engines.search import kernel
except ImportError as error:
    raise ImportError(
        f"the compiled kernel of enumerator is missing from {__path__[0]}: in its source tree, install with"
        " `pip install -e .`, or run Python in another folder after `pip install .`"
    ) from error

SLICE_SECONDS = 0.02
FIRST_SLICE = 1_000


class Slices:
    """Runs a walk in slices that take about SLICE_SECONDS each, as fast as it turns out to be."""

    def __init__(self, walk: kernel.Walk) -> None:
        self.walk = walk
        self.nodes = FIRST_SLICE

    def run(self, limit: int = kernel.MOST, out: bytearray | None = None) -> int:
        """One slice; returns the number of solutions found."""
        before, started = self.walk.nodes, perf_counter()
        found = self.walk.run(self.nodes, limit, out)
        seconds = max(perf_counter() - started, 1e-9)
        affordable = int((self.walk.nodes - before) / seconds * SLICE_SECONDS)
        self.nodes = max(FIRST_SLICE // 10, min(affordable, 4 * self.nodes))
        return found


def start(board: Board) -> kernel.Walk:
    """A walk over the solutions of a board."""
    return kernel.start(board.cells, board.shape.height, board.shape.width)


def tallies(walk: kernel.Walk, limit: int | None = None) -> Iterator[Tally]:
    """Count, and say after each slice how far it is. With a limit, stop at so many solutions."""
    slices = Slices(walk)
    most = kernel.MOST if limit is None else index(limit)
    found = 0
    while True:
        found += slices.run(most - found)
        yield Tally(found, walk.nodes, walk.finished, walk.share)
        if walk.finished or found == most:
            return


def count(board: Board, limit: int | None = None) -> int:
    """The number of solutions, exact; with a limit, no more than that."""
    *_, last = tallies(start(board), limit)
    return last.solutions
