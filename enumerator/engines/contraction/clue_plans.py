"""A plan for the sum of a board without one of its clues.

Most boards have dozens of clues whose sums take less than a tenth of a millisecond. The search for the
symmetries of a board takes longer, so only the sums that take longer than that have them.
"""

from __future__ import annotations

from array import array

from enumerator.board import Board
from enumerator.engines.contraction.clue_lines import ClueNetworks, find_order
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.summation import SumPlan, cheapest

PRODUCTS_BEFORE_SYMMETRIES = 1e8
"""The cost from which on symmetries are looked for: some 3 ms, and the search for them takes 1 ms."""


class CluePlans:
    """The plans of a board without one of its clues. The lines of all of them are prepared together."""

    def __init__(self, board: Board) -> None:
        self._networks = ClueNetworks(board.cells, board.shape.height, board.shape.width)

    def plan(self, cell: int) -> SumPlan | None:
        """Return the plan for the board without the clue in a cell; None if it has no solution."""
        network = self._networks.network(cell)
        if not network.solvable:
            return None
        plan = cheapest_without_symmetries(network)
        return plan if plan.products < PRODUCTS_BEFORE_SYMMETRIES else cheapest(network)


def cheapest_without_symmetries(network: Network) -> SumPlan:
    """Return the plan with the lowest predicted cost of those that make no use of symmetries."""
    is_transposed, stacks, bands, products = find_order(network)
    side = network.transposed() if is_transposed else network
    count = len(side.stacks[stacks[0]])
    return SumPlan(side, stacks, bands, array("H", range(count)), array("H", [1]) * count, [], False, products)
