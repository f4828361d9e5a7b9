"""The counts of a board without one of its clues: by one call of a kernel, or by a plan where that takes long.

Most boards have dozens of clues whose sums take some hundredths of a millisecond. The search for the
symmetries of a board takes longer, so only the sums that take longer than that have them.
"""

from __future__ import annotations

from array import array
from collections import deque

from enumerator.board import Board
from enumerator.engines.contraction import Summation
from enumerator.engines.contraction.clue_sums import ClueSums, find_order
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.problem import Problem
from enumerator.engines.contraction.summation import SumPlan, cheapest

PRODUCTS_BEFORE_SYMMETRIES = 1e8
"""The cost from which on symmetries are looked for: some 3 ms, and the search for them takes 1 ms."""

LAST_SUMS = 4
"""The short sums without a clue that are kept until others are there: the memory of one then serves the next.

Without that the system takes it back and clears it for every sum, a third of the time of published 1f's.
"""


class ContractionClues:
    """The counts of a board without one of its clues. The lines of all of them are prepared together."""

    def __init__(self, board: Board) -> None:
        self._sums = ClueSums(board.cells, board.shape.height, board.shape.width)
        self._last = deque[Problem](maxlen=LAST_SUMS)

    def short_counts(self) -> tuple[int | None, dict[int, int | None]]:
        return self._sums.counts()

    def begin(self, cell: int, slice_seconds: float) -> Summation:
        problem = Problem(self.plan(cell))
        if problem.products < PRODUCTS_BEFORE_SYMMETRIES:
            self._last.append(problem)
        return Summation(problem, slice_seconds=slice_seconds)

    def plan(self, cell: int) -> SumPlan | None:
        """Return the plan for the board without the clue in a cell; None if it has no solution."""
        network = self._sums.network(cell)
        if network is None:
            return None
        plan = cheapest_without_symmetries(network)
        return plan if plan.products < PRODUCTS_BEFORE_SYMMETRIES else cheapest(network)


def cheapest_without_symmetries(network: Network) -> SumPlan:
    """Return the plan with the lowest predicted cost of those that make no use of symmetries."""
    is_transposed, stacks, bands, products = find_order(network)
    side = network.transposed() if is_transposed else network
    count = len(side.stacks[stacks[0]])
    return SumPlan(side, stacks, bands, array("H", range(count)), array("H", [1]) * count, [], False, products)
