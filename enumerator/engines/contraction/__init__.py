"""Counts without walking: a board is six variables, and their sum is taken in an order that makes it short.

    tables.pyx     what boxes, bands and stacks can be: partitions of the digits, and which of them fit
    network.pyx    what the clues of a board leave of that
    plan.py        in which order to sum, which symmetries there are, and what it will cost
    sum.pyx        the sum; sum.h and loops.h are its innermost loops
    task.py        a part of the sum as a task
    listing.pyx    the solutions behind the sum, in order, from any place on; order.py knows where the n-th is
    box.pyx        how often each digit stands in each cell of a box; candidates.py puts nine of them together

`README.md` explains the idea from the beginning.
"""

from __future__ import annotations

from time import perf_counter

from enumerator.board import Board, Shape

SHAPES = frozenset({(2, 2), (2, 3), (3, 2), (3, 3)})
"""Heights and widths of boxes. Those of larger boards have too many partitions."""


def supports(shape: Shape) -> bool:
    """Whether boards of this shape can be counted without walking."""
    return (shape.height, shape.width) in SHAPES


def check(shape: Shape) -> None:
    """Raise ValueError for a board that cannot."""
    if not supports(shape):
        raise ValueError(f"{shape} boxes are too large for the contraction: use the search")


SLICE_SECONDS = 0.02
FIRST_RATE = 2e9
"""Units a second, to begin with: slow enough for any machine."""


class Summation:
    """The sum of a board, taken in slices of about SLICE_SECONDS, on one core."""

    def __init__(self, board: Board) -> None:
        from enumerator.engines.contraction.worker import problem

        self.problem = problem(board.cells, board.shape.height, board.shape.width)
        self.item = self.solutions = 0
        self.spent, self.rate = 0.0, FIRST_RATE

    @property
    def finished(self) -> bool:
        return self.item == self.problem.items

    @property
    def share(self) -> float:
        """How much is done, if every item takes as long."""
        return 1.0 if self.finished else self.item / self.problem.items

    def run(self) -> None:
        """One slice."""
        started = perf_counter()
        found, self.item, spent = self.problem.run(self.item, self.problem.items, self.rate * SLICE_SECONDS)
        self.solutions += found
        self.spent += spent
        self.rate = min(spent / max(perf_counter() - started, 1e-9), 4 * self.rate)

    def parts(self) -> list[tuple[bytes, float]]:
        """What is left, as a range, with its share."""
        from enumerator.engines.contraction.worker import RANGE

        rest = RANGE.pack(self.item, self.problem.items, self.problem.items)
        return [(rest, 1 - self.share)] if self.item < self.problem.items else []


def count(board: Board) -> int:
    """The number of solutions, exact, on one core."""
    summation = Summation(board)
    while not summation.finished:
        summation.run()
    return summation.solutions
