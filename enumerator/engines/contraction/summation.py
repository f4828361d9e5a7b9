"""The order of summation, its symmetries, and its cost.

**Statement.** Bands and stacks may exchange roles. The three stacks may be summed over in any
order, and any of the three bands may be the first. The order of the other two bands makes no
difference. So there are 36 plans with the same sum. The cost of each follows from the sizes of the
lines before anything is summed, and the cheapest is taken.

**Symmetries.** Suppose that a change of the board maps the values of every line to values of the
same line with the same weights. Two values of y0 that it maps to each other have the same sum, so
one value of each *orbit* is enough. These changes are tried:

    digits    swap two digits: possible if neither is a clue, and in some positions if both are
    absent    swap two digits that are not clues: nothing else on the board changes
    bands     swap two bands: possible if neither has a clue
    groups    swap two digits and leave y0 unchanged: maps groups of y1 to each other (see sum.pyx)
    twins     swap y1 and y2: possible if neither has a clue

The weights include the orders of the columns of a stack and of the rows of a band (see
network.pyx).

Costs are in products (see products.pxd).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise, permutations
from math import prod

from enumerator.engines.contraction.network import (
    MISSING_LINE,
    Line,
    Network,
    images,
    orbits,
    values_per_partition,
)
from enumerator.engines.contraction.sum import Sum, group_products
from enumerator.engines.contraction.tables import LineTable, line_table

SYMMETRIES = frozenset({"digits", "bands", "groups", "twins"})
"""The symmetries of a count; the module's docstring explains them."""


@dataclass(frozen=True)
class SumPlan:
    """A network, and the order in which to sum over its stacks."""

    network: Network
    stacks: tuple[int, ...]
    bands: tuple[int, ...]
    first_values: array[int]
    """The numbers of the values of y0 to sum over, one of each orbit."""
    multiplicities: array[int]
    """The sizes of these orbits."""
    swaps: list[array[int]]
    """The swaps of two digits that are symmetries, as images of partitions."""
    twins: bool
    """True if swapping y1 and y2 is a symmetry."""
    products: float
    """The predicted cost."""
    classes: list[list[int]] = field(default_factory=list)
    """The classes of digits that may be swapped; `swaps` has the swaps of two of a class."""

    def sum(self, version: int | None = None) -> Sum:
        """Return the sum, ready to run. `version` is that of the loops: 0 runs on every processor."""
        return Sum(
            self.network,
            self.stacks,
            self.bands,
            self.first_values,
            self.multiplicities,
            self.swaps,
            self.twins,
            version,
        )

    @cached_property
    def factor(self) -> int:
        """The factor from the sum to the number of solutions: the product of all divisors."""
        return prod(line.divisor for line in (*self.network.bands, *self.network.stacks))


def cheapest(network: Network, symmetries: Collection[str] = SYMMETRIES) -> SumPlan:
    """Return the plan with the lowest predicted cost."""
    return min(plans(network, symmetries), key=lambda plan: plan.products)


def plans(
    network: Network, symmetries: Collection[str] = SYMMETRIES, classes: list[list[int]] | None = None
) -> Iterator[SumPlan]:
    """Yield all plans. `classes` are those of digits that may be swapped, unless they are to be found."""
    if "absent" in symmetries:
        classes = [absent_digits(network)]
    elif classes is None:
        classes = interchangeable_digits(network) if "digits" in symmetries else []
    for side in (network, network.transposed()):
        table, other_table = line_table(side.width, side.height), line_table(side.height, side.width)
        swaps = [
            table.swap_digits(one, other)
            for digits in (classes if "groups" in symmetries else ())
            for one, other in combinations(digits, 2)
        ]
        generators = [table.swap_digits(one, other) for digits in classes for one, other in pairwise(digits)]
        band_swaps = interchangeable_lines(side.bands, side.stacks, table) if "bands" in symmetries else []
        stack_swaps = interchangeable_lines(side.stacks, side.bands, other_table) if "twins" in symmetries else []
        spread = [[values_per_partition(line, band) for band in range(side.width)] for line in side.stacks]
        build = [table_products(side, spread, band) for band in range(side.width)]
        for first in range(side.height):
            first_values, multiplicities = representatives(side, first, generators, band_swaps)
            for rest in permutations([stack for stack in range(side.height) if stack != first]):
                stacks = (first, *rest, *range(side.height, 3))
                twins = any(swap[stacks[1]] == stacks[2] for swap in stack_swaps)
                for band in range(side.width):
                    bands = (band, *(other for other in range(3) if other != band))
                    products = len(first_values) * products_per_value(side, spread, stacks, bands, twins)
                    products += sum(build[b][first] for b in range(side.width))
                    yield SumPlan(side, stacks, bands, first_values, multiplicities, swaps, twins, products, classes)


def absent_digits(network: Network) -> list[int]:
    """Return the digits that are not clues."""
    return [digit for digit in range(network.height * network.width) if not network.digits >> digit & 1]


def interchangeable_digits(network: Network) -> list[list[int]]:
    """Return the classes of digits; any two digits of a class may be swapped."""
    across, down = line_table(network.height, network.width), line_table(network.width, network.height)

    def interchangeable(one: int, other: int) -> bool:
        if not (network.digits >> one & 1 or network.digits >> other & 1):
            return True
        return all(
            images(line, table.swap_digits(one, other), range(table.count)) is not None
            for table, kind in ((across, network.bands[: network.width]), (down, network.stacks[: network.height]))
            for line in kind
        )

    classes: list[list[int]] = []
    for digit in range(network.height * network.width):
        for known in classes:
            if interchangeable(known[0], digit):
                known.append(digit)
                break
        else:
            classes.append([digit])
    return classes


def interchangeable_lines(these: list[Line], across: list[Line], table: LineTable) -> list[tuple[int, ...]]:
    """Return the swaps of two of `these` lines that change none of the lines `across`.

    A swap is the new order of the lines.
    """
    found = []
    same = array("H", range(table.partitions))
    for one, other in combinations(range(table.count), 2):
        order = list(range(table.count))
        order[one], order[other] = other, one
        a, b = these[one], these[other]
        if (a.values, a.weights) == (b.values, b.weights) and all(
            line is MISSING_LINE or images(line, same, order) is not None for line in across
        ):
            found.append(tuple(order))
    return found


def representatives(
    network: Network,
    stack: int,
    generators: list[array[int]],
    band_swaps: list[tuple[int, ...]],
    first_band: int | None = None,
) -> tuple[array[int], array[int]]:
    """Return one value of a stack for each orbit, and the sizes of the orbits.

    With `first_band`, it is one with the least partition there: values then share few partitions.
    """
    line = network.stacks[stack]
    same = array("H", range(line_table(network.width, network.height).partitions))
    boxes = range(network.width)
    changes = [images(line, generator, boxes) for generator in generators]
    changes += [images(line, same, swap) for swap in band_swaps]
    ranks = None if first_band is None else line.values[first_band::3]
    return orbits(len(line), [change for change in changes if change], ranks)


def products_per_value(
    network: Network, spread: list[list[list[int]]], stacks: tuple[int, ...], bands: tuple[int, ...], twins: bool
) -> float:
    """Return the cost of the sum for one value of y0 whose tables have no entry 0.

    `spread[stack][band]` is the number of values for each partition.
    """
    pairs = len(network.stacks[stacks[2]])

    def partitions(stack: int, band: int) -> int:
        return len(spread[stack][band]) if stack < network.height and band < network.width else 1

    rows = partitions(stacks[2], bands[1]) + partitions(stacks[2], bands[2])
    groups = Counter(spread[stacks[1]][bands[0]] if stacks[1] < network.height else [1])
    ready = 1000 + 80 * pairs
    return ready + sum(times * group_products(size, pairs / (1 + twins), rows) for size, times in groups.items())


def table_products(network: Network, spread: list[list[list[int]]], band: int) -> list[float]:
    """Return the cost of building the tables of a band, for each stack as the first."""
    values = len(network.bands[band])
    costs = []
    for first in range(network.height):
        others = [len(spread[stack][band]) for stack in range(network.height) if stack != first]
        tables = len(spread[first][band])
        costs.append(tables * max(others) * (values / 8 + 36 * min(others) / 2))
    return costs
