"""The engine `contraction`: counts without visiting solutions.

A board is six variables. The sum over them is taken in an order that makes it short.

    tables.pyx        the values of bands and stacks: partitions of the digits that fit together
    network.pyx       the values that the clues of a board leave
    summation.py      the order of summation, symmetries, and the cost
    sum.pyx           the sum; sum.h and loops.h are its innermost loops, the .pxd files its tables
    problem.py        a board prepared for summation
    worker.py         the function that a worker calls
    ranges.py         parts of the sum: ranges of its items
    sum_listing.pyx   the solutions of the sum, in order, from any place on
    order.py          the place of the n-th solution
    box.pyx           the number of solutions with each digit in each cell of a band
    band_units.pyx    the values that it sums over, by units
    box_counts.py     the same for all bands of a board
    clue_sums.pyx     the counts of a board without one of its clues; clues.h says how
    clue_plans.py     a plan for each of them that takes long
    lists.py          lists and candidates as work for several cores

`README.md` explains the method from the beginning.
"""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import NOTHING, SLICE_SECONDS, Engine, Share, Tally, merge_tally

if TYPE_CHECKING:
    from enumerator.engines import Job
    from enumerator.engines.contraction.problem import Problem
    from enumerator.engines.interfaces import CandidateCounter, ClueCounter, ListSizes, SolutionList

SHAPES = frozenset({(2, 2), (2, 3), (3, 2), (3, 3)})
"""The supported heights and widths of boxes. Larger boxes have too many partitions."""

FIRST_RATE = 2e9
"""The products per second that are assumed for the first slice. Any machine is faster."""

PRODUCTS_A_NODE = 4_000
"""The number of products that take as long as one node of the search."""

PROMISED_RATE = 3e10
"""The products per second on one core, to predict the time of a sum before it begins."""


def supports(shape: Shape) -> bool:
    """Return True if the contraction can count boards of this shape."""
    return (shape.height, shape.width) in SHAPES


class Summation:
    """The sum of a board on one core, in slices of about `slice_seconds`."""

    is_undecided = False
    start_effort = 0
    kept = b""

    def __init__(
        self,
        problem: Problem,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> None:
        self.problem = problem
        self.item = self.solutions = 0
        self.spent, self.rate = 0.0, FIRST_RATE
        self._limit, self._before, self._slice_seconds = limit, before, slice_seconds

    @property
    def finished(self) -> bool:
        return self.item == self.problem.items

    @property
    def share(self) -> float:
        """The share of the items that are done."""
        return 1.0 if self.finished else self.item / self.problem.items

    @property
    def effort(self) -> int:
        """The products so far; at least 1 for a finished sum, even if it has no items."""
        return max(1, int(self.spent)) if self.item or self.finished else 0

    @property
    def promised_seconds(self) -> float:
        return self.problem.products / PROMISED_RATE

    @property
    def handover_bytes(self) -> int:
        return 0

    @property
    def tally(self) -> Tally:
        return merge_tally(self._before, self, self.finished, self.share, "contraction", self._limit)

    def run(self) -> None:
        """Sum for one slice."""
        started = perf_counter()
        found, self.item, spent = self.problem.run(self.item, self.problem.items, self.rate * self._slice_seconds)
        self.solutions += found
        self.spent += spent
        self.rate = min(spent / max(perf_counter() - started, 1e-9), 4 * self.rate)

    def step(self) -> Tally:
        self.run()
        return self.tally

    def parts(self) -> list[tuple[bytes, Share]]:
        """Return the remaining items, as a range with its share."""
        from enumerator.engines.contraction.problem import RANGE

        item, items = self.item, self.problem.items
        return [(RANGE.pack(item, items, items), (items - item, items))] if item < items else []


class Contraction(Engine):
    """The engine that sums over the bands and stacks of a board, for boxes up to 3×3."""

    name = "contraction"
    version = 2
    effort = "products"
    visits = False
    nominal_rate = PRODUCTS_A_NODE * 20_000 / 0.003
    cautious_rate = 1e9
    setup_seconds = 0.02
    """10 to 18 ms of processor time in a new process, imports and tables included, and a little more.

    Later it is 1 to 4 ms. The choice does not depend on that: a board has the same answer alone and in a batch.
    """

    def supports(self, shape: Shape) -> bool:
        return supports(shape)

    def check(self, board: Board) -> None:
        if not supports(board.shape):
            raise ValueError(f"{board.shape} boxes are too large for the contraction: use the search")
        super().check(board)

    def begin(
        self,
        board: Board,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> Summation:
        return Summation(self.prepare(board), limit, before, slice_seconds)

    def without_clues(self, board: Board) -> ClueCounter:
        from enumerator.engines.contraction.clue_plans import ContractionClues

        self.check(board)
        return ContractionClues(board)

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Job:
        from enumerator.engines.contraction.ranges import Ranges

        self.check(board)
        return Ranges(board)

    def prepare(self, board: Board) -> Problem:
        from enumerator.engines.contraction.problem import find_problem

        self.check(board)
        return find_problem(board.cells, board.shape.height, board.shape.width)

    def predict(self, board: Board, tally: Tally, limit: int | None) -> float:
        return self.prepare(board).products / self.nominal_rate

    def trial(self, board: Board, effort: int, limit: int | None = None) -> Tally:
        """Count if the sum takes at most `effort` by the board's plan: no sum is left unfinished."""
        problem = self.prepare(board)
        if problem.plan and problem.plan.products > effort:
            return NOTHING
        solutions, _, spent = problem.run(0, problem.items, inf)
        return Tally(solutions, 0, True, 1.0, engine=self.name, effort=max(1, int(spent)))

    def solutions(self, board: Board, sizes: ListSizes | None = None) -> SolutionList:
        from enumerator.engines.contraction.lists import ContractionList
        from enumerator.engines.interfaces import DEFAULT_SIZES

        self.check(board)
        return ContractionList(board, sizes or DEFAULT_SIZES)

    def candidates(self, board: Board, sizes: ListSizes | None = None) -> CandidateCounter:
        from enumerator.engines.contraction.lists import ContractionCandidates

        self.check(board)
        return ContractionCandidates(board)


ENGINE = Contraction()


def count(board: Board) -> int:
    """Return the number of solutions, counted on one core."""
    return ENGINE.count(board)
