"""How often each digit stands in each cell: nine sums, one for each box (see box.pyx).

A box is where a band and a stack meet, and either of the two can be summed over first: the cheaper one is. Bands
without a clue may change places, and stacks without one, so boxes that they take to each other have the same counts.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from enumerator.board import Board
from enumerator.engines.contraction.box import Box
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.plan import Plan, absent_digits, plans


class Candidates:
    """The boxes of a board that are to be summed over, and what their sums say."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.network = Network(board.cells, board.shape.height, board.shape.width)
        self._best: dict[tuple[int, int], Plan] = {}
        if self.network.solvable:
            for plan in plans(self.network, {"absent"}):
                place = plan.bands[0], plan.stacks[0]
                if plan.network is not self.network:
                    place = place[::-1]
                if place in self.places and (place not in self._best or plan.units < self._best[place].units):
                    self._best[place] = plan

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Of boxes, by band and stack, those that are worked out."""
        return sorted(set(self._alike.values()))

    @cached_property
    def _alike(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Of each box, the one that is worked out in its place."""
        shape, cells = self.board.shape, self.board.cells
        rows = [
            any(cells[cell] for cell in range(shape.cells) if cell // shape.size // shape.height == band)
            for band in range(shape.width)
        ]
        columns = [
            any(cells[cell] for cell in range(shape.cells) if cell % shape.size // shape.width == stack)
            for stack in range(shape.height)
        ]
        return {
            (band, stack): (
                band if rows[band] else rows.index(False),
                stack if columns[stack] else columns.index(False),
            )
            for band, stack in product(range(shape.width), range(shape.height))
        }

    def box(self, place: tuple[int, int]) -> Box:
        """A box, ready to be summed over. It takes memory for tables of its own."""
        return Box(self._best[place])

    @property
    def solvable(self) -> bool:
        return self.network.solvable

    def cells(self, sums: dict[tuple[int, int], list[int]]) -> list[list[int]]:
        """For each cell, how often each digit stands there, given the sums of the boxes."""
        shape = self.board.shape
        digits, absent = range(shape.size), absent_digits(self.network)
        counts = [[0] * shape.size for _ in range(shape.cells)]
        for (band, stack), place in self._alike.items():
            sideways = self._best[place].network is not self.network
            for digit, row, column in product(digits, range(shape.height), range(shape.width)):
                at = column * shape.height + row if sideways else row * shape.width + column
                cell = (band * shape.height + row) * shape.size + stack * shape.width + column
                counts[cell][digit] = sums[place][digit * shape.size + at]
        for cell_counts in counts:
            average, rest = divmod(sum(cell_counts[digit] for digit in absent), len(absent) or 1)
            if rest:
                raise ArithmeticError("digits that are alike have different counts")
            for digit in absent:
                cell_counts[digit] = average
        return counts
