"""A board prepared for summation, and ranges of the items of its sum.

The network and the plan depend only on the board, so a range means the same items in every process.
"""

from __future__ import annotations

from itertools import pairwise
from struct import Struct
from weakref import WeakValueDictionary

from enumerator.engines import Share
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.sum import VERSIONS, Sum
from enumerator.engines.contraction.summation import SumPlan, cheapest

RANGE = Struct("<QQQ")
"""The format of a range in a message: the first item, the last item + 1, the number of items."""

SLOWER = (8.5, 1.3, 1.0)
"""The factors by which the versions of the loops are slower than the one that products describe."""


class Problem:
    """A board prepared for summation: its plan, None if it has no solution, and its sum."""

    def __init__(self, plan: SumPlan | None) -> None:
        self.plan = plan
        self.sum: Sum | None = self.plan.sum() if self.plan else None

    @classmethod
    def of_board(cls, cells: bytes, height: int, width: int) -> Problem:
        """Return the problem of a board, by its cheapest plan."""
        network = Network(cells, height, width)
        return cls(cheapest(network) if network.solvable else None)

    @property
    def products(self) -> float:
        """The predicted cost of the sum on this processor."""
        return (self.plan.products if self.plan else 0.0) * SLOWER[VERSIONS - 1]

    @property
    def items(self) -> int:
        return self.sum.items if self.sum else 0

    def run(self, first: int, last: int, products: float) -> tuple[int, int, float]:
        """Sum the items from `first` to `last` - 1 until `products` are spent.

        Return the number of solutions, the next item, and the products spent.
        """
        if not (self.plan and self.sum):
            return 0, last, 0.0
        total, item, spent = self.sum.run(first, last, products)
        return total * self.plan.factor, item, spent


_known: WeakValueDictionary[tuple[bytes, int, int], Problem] = WeakValueDictionary()
_last: list[Problem] = []


def find_problem(cells: bytes, height: int, width: int, keep: bool = False) -> Problem:
    """Return the problem of a board: the one that this process holds already, or a new one.

    With `keep`, a new problem stays in memory until the next one is made. A worker uses this, since
    it receives one part of the same problem after the other.
    """
    found = _known.get((cells, height, width))
    if found is None:
        found = _known.setdefault((cells, height, width), Problem.of_board(cells, height, width))
        if keep:
            _last[:] = [found]
    return found


def cut_range(load: bytes, number: int) -> list[tuple[bytes, Share]]:
    """Cut a range into at most `number` ranges of about the same size.

    Return each with its share.
    """
    first, last, items = RANGE.unpack(load)
    number = min(number, last - first)
    bounds = [first + (last - first) * piece // number for piece in range(number + 1)] if number else []
    return [(RANGE.pack(start, end, items), (end - start, last - first)) for start, end in pairwise(bounds)]
