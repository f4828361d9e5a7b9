"""A board made ready to be summed, and ranges of the items of its sum.

The network and the plan of a board are always the same, so that a range means the same wherever it
is worked out.
"""

from __future__ import annotations

from itertools import pairwise
from struct import Struct
from weakref import WeakValueDictionary

from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.plan import SumPlan, cheapest
from enumerator.engines.contraction.sum import HAS_AVX2, Sum

RANGE = Struct("<QQQ")
"""A range of items in a message: the first, the one behind the last, and the number of all items."""

WITHOUT_AVX2 = 2.5
"""The factor by which a sum takes longer with the loops for any processor."""


class Problem:
    """A board made ready to be summed."""

    def __init__(self, cells: bytes, height: int, width: int) -> None:
        network = Network(cells, height, width)
        self.plan: SumPlan | None = cheapest(network) if network.solvable else None
        self.sum: Sum | None = self.plan.sum() if self.plan else None

    @property
    def products(self) -> float:
        """The predicted cost of the sum on this processor."""
        return (self.plan.products if self.plan else 0.0) * (1 if HAS_AVX2 else WITHOUT_AVX2)

    @property
    def items(self) -> int:
        return self.sum.items if self.sum else 0

    def run(self, first: int, last: int, products: float) -> tuple[int, int, float]:
        """Work out items for about `products`; return solutions, the next item, and the products spent."""
        if not (self.plan and self.sum):
            return 0, last, 0.0
        total, item, spent = self.sum.run(first, last, products)
        return total * self.plan.factor, item, spent


_known: WeakValueDictionary[tuple[bytes, int, int], Problem] = WeakValueDictionary()
_last: list[Problem] = []


def find_problem(cells: bytes, height: int, width: int, keep: bool = False) -> Problem:
    """Return the problem of a board: the one that this process has, or a new one.

    With `keep`, a new one stays until the next is made: a worker gets the same problem part by part.
    """
    found = _known.get((cells, height, width))
    if found is None:
        found = _known.setdefault((cells, height, width), Problem(cells, height, width))
        if keep:
            _last[:] = [found]
    return found


def cut_range(load: bytes, number: int) -> list[tuple[bytes, float]]:
    """Cut a range into at most `number` ranges of the same size, with their shares of it."""
    first, last, items = RANGE.unpack(load)
    number = min(number, last - first)
    bounds = [first + (last - first) * piece // number for piece in range(number + 1)] if number else []
    return [(RANGE.pack(start, end, items), (end - start) / (last - first)) for start, end in pairwise(bounds)]
