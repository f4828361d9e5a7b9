"""The number of solutions with each digit in each cell: nine sums, one for each box (see box.pyx).

A box is the intersection of a band and a stack. The sum begins with the one that is cheaper. Bands
without a clue may be swapped, and so may stacks. Boxes that such swaps map to each other have the
same counts, so only one of them is worked out.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from enumerator.board import Board
from enumerator.engines.contraction.box import Box
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.summation import SumPlan, absent_digits, plans


class Candidates:
    """The sums of a board that give the counts of its cells."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.network = Network(board.cells, board.shape.height, board.shape.width)
        self._plans: dict[tuple[int, int], SumPlan] = {}
        if self.network.solvable:
            for plan in plans(self.network, {"absent"}):
                place = plan.bands[0], plan.stacks[0]
                if plan.network is not self.network:
                    place = place[::-1]
                best = self._plans.get(place)
                if place in self.places and (best is None or plan.products < best.products):
                    self._plans[place] = plan

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The boxes to work out, as (band, stack)."""
        return sorted(set(self._representatives.values()))

    @cached_property
    def _representatives(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The box that is worked out in place of each box, as (band, stack)."""
        shape, cells = self.board.shape, self.board.cells
        band_has_clue = [
            any(cells[cell] for cell in range(shape.cells) if cell // shape.size // shape.height == band)
            for band in range(shape.width)
        ]
        stack_has_clue = [
            any(cells[cell] for cell in range(shape.cells) if cell % shape.size // shape.width == stack)
            for stack in range(shape.height)
        ]
        return {
            (band, stack): (
                band if band_has_clue[band] else band_has_clue.index(False),
                stack if stack_has_clue[stack] else stack_has_clue.index(False),
            )
            for band, stack in product(range(shape.width), range(shape.height))
        }

    def box(self, place: tuple[int, int]) -> Box:
        """Return the sums of a box, ready to run. Each box allocates its own tables."""
        return Box(self._plans[place])

    @property
    def solvable(self) -> bool:
        """True if there may be a solution (see Network)."""
        return self.network.solvable

    def cells(self, sums: dict[tuple[int, int], list[int]]) -> list[list[int]]:
        """Return the counts of each digit for each cell, given the sums of the boxes."""
        shape = self.board.shape
        digits, absent = range(shape.size), absent_digits(self.network)
        counts = [[0] * shape.size for _ in range(shape.cells)]
        for (band, stack), place in self._representatives.items():
            transposed = self._plans[place].network is not self.network
            for digit, row, column in product(digits, range(shape.height), range(shape.width)):
                at = column * shape.height + row if transposed else row * shape.width + column
                cell = (band * shape.height + row) * shape.size + stack * shape.width + column
                counts[cell][digit] = sums[place][digit * shape.size + at]
        for cell_counts in counts:
            average, rest = divmod(sum(cell_counts[digit] for digit in absent), len(absent) or 1)
            if rest:
                raise ArithmeticError("digits that are not clues have different counts")
            for digit in absent:
                cell_counts[digit] = average
        return counts
