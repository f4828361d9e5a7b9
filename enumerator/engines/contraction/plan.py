"""In which order to sum, and what of it is the same over and over.

**Statement.** Bands and stacks may change roles, so may the three stacks that are summed over, and so may the three
bands: 36 plans have the same sum (which of the last two bands is which makes no difference). What each of them costs is
known from the sizes of the lines before anything is summed, and the cheapest is taken.

**Symmetries.** Let a change of the board take the values of every line to values of the same line with the same
weights. Then two values of y0 that it takes to each other have the same sum, and one of each *orbit* is enough. Tried:

    digits    two digits change places: they may if neither is a clue, and in some positions if both are
    absent    the first half of this alone: then nothing else on the board changes
    bands     two bands change places: they may if neither has a clue
    groups    digits again, those that leave y0 as it is: they take groups of y1 to each other (see sum.pyx)
    twins     y1 and y2 change places: they may if neither has a clue

The order of the columns of a stack and that of the rows of a band have gone into the weights (see network.pyx).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, permutations
from math import prod

from enumerator.engines.contraction.network import MISSING, Line, Network, images, orbits, sizes
from enumerator.engines.contraction.sum import Sum, group_units
from enumerator.engines.contraction.tables import Lines, lines

SYMMETRIES = frozenset({"digits", "bands", "groups", "twins"})


@dataclass(frozen=True)
class Plan:
    """A network, and how to sum over its stacks."""

    network: Network
    stacks: tuple[int, ...]
    bands: tuple[int, ...]
    first: array[int]
    """The numbers of the values of the first stack that are summed over,"""
    times: array[int]
    """and how many others each of them stands for, itself included."""
    swaps: list[array[int]]
    """The exchanges of two digits that are symmetries, by what they do to partitions."""
    twins: bool
    """Whether the exchange of the second and the third stack is one."""
    units: float
    """What it is going to cost, about."""

    def sum(self, portable: bool = False) -> Sum:
        return Sum(self.network, self.stacks, self.bands, self.first, self.times, self.swaps, self.twins, portable)

    @cached_property
    def factor(self) -> int:
        """What the sum is multiplied by: the factors common to the weights of a line."""
        return prod(line.divisor for line in (*self.network.bands, *self.network.stacks))


def cheapest(network: Network, symmetries: Collection[str] = SYMMETRIES) -> Plan:
    """The plan that costs least."""
    return min(plans(network, symmetries), key=lambda plan: plan.units)


def plans(network: Network, symmetries: Collection[str] = SYMMETRIES) -> Iterator[Plan]:
    """All plans."""
    classes = interchangeable_digits(network) if "digits" in symmetries else []
    if "absent" in symmetries:
        classes = [absent_digits(network)]
    for side in (network, network.transposed()):
        table, other_table = lines(side.width, side.height), lines(side.height, side.width)
        swaps = [
            table.relabelled(one, other)
            for digits in (classes if "groups" in symmetries else ())
            for one, other in combinations(digits, 2)
        ]
        generators = [table.relabelled(one, other) for digits in classes for one, other in pairwise(digits)]
        exchanges = interchangeable(side.bands, side.stacks, table) if "bands" in symmetries else []
        twins = interchangeable(side.stacks, side.bands, other_table) if "twins" in symmetries else []
        spread = [[sizes(line, band) for band in range(side.width)] for line in side.stacks]
        build = [build_units(side, spread, band) for band in range(side.width)]
        for first in range(side.height):
            chosen, times = representatives(side, first, generators, exchanges)
            for rest in permutations([stack for stack in range(side.height) if stack != first]):
                stacks = (first, *rest, *range(side.height, 3))
                alike = any(exchange[stacks[1]] == stacks[2] for exchange in twins)
                for band in range(side.width):
                    bands = (band, *(other for other in range(3) if other != band))
                    units = len(chosen) * value_units(side, spread, stacks, bands, alike)
                    units += sum(build[b][first] for b in range(side.width))
                    yield Plan(side, stacks, bands, chosen, times, swaps, alike, units)


def absent_digits(network: Network) -> list[int]:
    """The digits that are no clue."""
    return [digit for digit in range(network.height * network.width) if not network.digits >> digit & 1]


def interchangeable_digits(network: Network) -> list[list[int]]:
    """The digits in classes; any two of one class may change places."""
    across, down = lines(network.height, network.width), lines(network.width, network.height)

    def are(one: int, other: int) -> bool:
        if not (network.digits >> one & 1 or network.digits >> other & 1):
            return True
        return all(
            images(line, table.relabelled(one, other), range(table.count)) is not None
            for table, kind in ((across, network.bands[: network.width]), (down, network.stacks[: network.height]))
            for line in kind
        )

    classes: list[list[int]] = []
    for digit in range(network.height * network.width):
        for known in classes:
            if are(known[0], digit):
                known.append(digit)
                break
        else:
            classes.append([digit])
    return classes


def interchangeable(these: list[Line], across: list[Line], table: Lines) -> list[tuple[int, ...]]:
    """The exchanges of two lines that change nothing in those across them, as orders of the lines."""
    found = []
    same = array("H", range(table.partitions))
    for one, other in combinations(range(table.count), 2):
        order = list(range(table.count))
        order[one], order[other] = other, one
        a, b = these[one], these[other]
        if (a.values, a.weights) == (b.values, b.weights) and all(
            line is MISSING or images(line, same, order) is not None for line in across
        ):
            found.append(tuple(order))
    return found


def representatives(
    network: Network, stack: int, generators: list[array[int]], exchanges: list[tuple[int, ...]]
) -> tuple[array[int], array[int]]:
    """One value of a stack for each orbit, and how many values there are in it."""
    line = network.stacks[stack]
    same = array("H", range(lines(network.width, network.height).partitions))
    boxes = range(network.width)
    changes = [images(line, generator, boxes) for generator in generators]
    changes += [images(line, same, exchange) for exchange in exchanges]
    return orbits(len(line), [change for change in changes if change])


def value_units(
    network: Network, spread: list[list[list[int]]], stacks: tuple[int, ...], bands: tuple[int, ...], twins: bool
) -> float:
    """The cost of the sum for one value of the first stack, if no entry of its tables is 0."""
    pairs = len(network.stacks[stacks[2]])

    def partitions(stack: int, band: int) -> int:
        return len(spread[stack][band]) if stack < network.height and band < network.width else 1

    woven = partitions(stacks[2], bands[1]) + partitions(stacks[2], bands[2])
    groups = Counter(spread[stacks[1]][bands[0]] if stacks[1] < network.height else [1])
    ready = 1000 + 80 * pairs
    return ready + sum(times * group_units(size, pairs, pairs / (1 + twins), woven) for size, times in groups.items())


def build_units(network: Network, spread: list[list[list[int]]], band: int) -> list[float]:
    """The cost of a band's tables, for each stack that may come first."""
    values = len(network.bands[band])
    costs = []
    for first in range(network.height):
        others = [len(spread[stack][band]) for stack in range(network.height) if stack != first]
        tables = len(spread[first][band])
        costs.append(tables * max(others) * (values / 8 + 36 * min(others) / 2))
    return costs
