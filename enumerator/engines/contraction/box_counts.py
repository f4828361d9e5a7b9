"""The number of solutions with each digit in each cell: sums for each band (see box.pyx).

Bands without a clue may be swapped: they have the same counts, so only one of them is worked out. Digits
that are not clues may be swapped, too.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

from enumerator.board import Board
from enumerator.engines.contraction.box import Boxes
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.summation import SumPlan, absent_digits, cheapest, representatives
from enumerator.engines.contraction.tables import line_table


class Candidates:
    """The sums of a board that give the counts of its cells.

    If its stacks are better summed as bands, these are the sums of the transposed board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.network = Network(board.cells, board.shape.height, board.shape.width)
        self.plan: SumPlan | None = cheapest(self.network, {"absent"}) if self.network.solvable else None

    @property
    def bands(self) -> list[int]:
        """The bands to work out."""
        return sorted(set(self._representatives()))

    def _representatives(self) -> list[int]:
        """Return the band that is worked out in place of each band."""
        if self.plan is None:
            return []
        lines = self.plan.network.bands[: self.plan.network.width]
        has_clue = [any(map(any, line.required or [])) for line in lines]
        return [band if has_clue[band] else has_clue.index(False) for band in range(len(lines))]

    def boxes(self, band: int) -> Boxes:
        """Return the sums of a band, ready to run. Each band allocates its own tables."""
        if self.plan is None:
            raise ValueError("a board without a solution has no sums")
        network, first = self.plan.network, self.plan.stacks[0]
        table = line_table(network.width, network.height)
        swaps = [table.swap_digits(one, other) for one, other in pairwise(absent_digits(network))]
        values, sizes = representatives(network, first, swaps, [], band)
        return Boxes(replace(self.plan, first_values=values, multiplicities=sizes), band)

    def cells(self, sums: dict[int, list[int]]) -> list[list[int]]:
        """Return the counts of each digit for each cell, given the sums of the bands."""
        size, absent = self.board.shape.size, absent_digits(self.network)
        counts = [[0] * size for _ in range(size * size)]
        if self.plan is None:
            return counts
        network = self.plan.network
        height, width = network.height, network.width
        for band, worked_out in enumerate(self._representatives()):
            places = product(self.plan.stacks[:height], range(size), range(height), range(width))
            for (stack, digit, row, column), count in zip(places, sums[worked_out], strict=True):
                cell = band * height + row, stack * width + column
                if network is not self.network:
                    cell = cell[::-1]
                counts[cell[0] * size + cell[1]][digit] = count
        for cell_counts in counts:
            average, rest = divmod(sum(cell_counts[digit] for digit in absent), len(absent) or 1)
            if rest:
                raise ArithmeticError("digits that are not clues have different counts")
            for digit in absent:
                cell_counts[digit] = average
        return counts
