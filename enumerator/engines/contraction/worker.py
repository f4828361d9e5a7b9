"""A task: a board, ranges of the items of its sum, and a budget in; a count and the ranges not worked out, out.

The network and the plan of a board are always the same, so that a range means the same wherever it is worked out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from struct import Struct
from time import perf_counter
from weakref import WeakValueDictionary

from enumerator.engines import PATIENCE, Done, Outcome
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.plan import SumPlan, cheapest
from enumerator.engines.contraction.sum import HAS_AVX2, Sum

RANGE = Struct("<QQQ")
"""A range of items, as it travels: the first, the one behind the last, and how many there are in all."""


WITHOUT_AVX2 = 2.5
"""So many times as long a sum takes with the loops for any processor."""


class Problem:
    """A board, made ready to be summed."""

    def __init__(self, cells: bytes, height: int, width: int) -> None:
        network = Network(cells, height, width)
        self.plan: SumPlan | None = cheapest(network) if network.solvable else None
        self.sum: Sum | None = self.plan.sum() if self.plan else None

    @property
    def units(self) -> float:
        """What the sum is going to cost, on this processor."""
        return (self.plan.products if self.plan else 0.0) * (1 if HAS_AVX2 else WITHOUT_AVX2)

    @property
    def items(self) -> int:
        return self.sum.items if self.sum else 0

    def run(self, first: int, last: int, units: float) -> tuple[int, int, float]:
        """Work out items for about so many units; returns solutions, the item to go on with, and the units spent."""
        if not (self.plan and self.sum):
            return 0, last, 0.0
        total, item, spent = self.sum.run(first, last, units)
        return total * self.plan.factor, item, spent


_known: WeakValueDictionary[tuple[bytes, int, int], Problem] = WeakValueDictionary()
_last: list[Problem] = []


def problem(cells: bytes, height: int, width: int, keep: bool = False) -> Problem:
    """The problem of a board: the one that somebody in this process has, or a new one.

    A new one is kept, with its tables, until the next such one is made: for workers, to whom it comes piece by piece.
    """
    found = _known.get((cells, height, width))
    if found is None:
        found = _known.setdefault((cells, height, width), Problem(cells, height, width))
        if keep:
            _last[:] = [found]
    return found


def pieces(load: bytes, number: int) -> list[tuple[bytes, float]]:
    """A range of items in so many pieces of the same size, or as many as there are items; with their shares of it."""
    first, last, items = RANGE.unpack(load)
    number = min(number, last - first)
    bounds = [first + (last - first) * piece // number for piece in range(number + 1)] if number else []
    return [(RANGE.pack(start, end, items), (end - start) / (last - first)) for start, end in pairwise(bounds)]


def work(
    cells: bytes,
    height: int,
    width: int,
    ranges: Sequence[bytes],
    units: int,
    _limit: int | None = None,
    patience: float = PATIENCE,
) -> Outcome:
    """Work out ranges, one after the other, until budget or patience is spent (an item at least).

    A limit is of no use here.
    """
    begun = started = perf_counter()
    whole = problem(cells, height, width, keep=True)
    budget = float(max(1, units))
    step = budget / 2
    done: list[Done] = []
    for packed in ranges:
        if budget <= 0 or begun - started > patience:
            break
        first, last, items = RANGE.unpack(packed)
        if items != whole.items:
            raise RuntimeError(f"a sum of {items} items has {whole.items} here: not the same version of enumerator")
        item, solutions, spent, late = first, 0, 0.0, False
        while item < last and spent < budget and not late:
            found, item, cost = whole.run(item, last, min(step, budget - spent))
            solutions += found
            spent += cost
            late = perf_counter() - started > patience
        budget -= max(1.0, spent)
        rest = [(RANGE.pack(item, last, items), (last - item) / (last - first))] if item < last else []
        now = perf_counter()
        done.append(Done(solutions, max(1, int(spent)), now - begun, rest))
        begun = now
    return Outcome(done, os.getpid())
