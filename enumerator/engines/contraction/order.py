"""The solutions of a board in a fixed order, and the place of the n-th of them.

The order is that of listing.pyx, for the plan that costs least among those that sum over stacks, so that rows come out
whole. It follows from the board alone.

**Statement.** Digits that are interchangeable take a value of y0 to others with as many solutions, and its groups to
theirs. So it is enough to work out the groups of one value of each orbit, the *leader*; those of any other are found by
relabelling their partitions on the way to it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, pairwise

from enumerator.board import Board
from enumerator.engines.contraction.listing import Listing
from enumerator.engines.contraction.network import Network, carried, climbed, images
from enumerator.engines.contraction.plan import interchangeable_digits, plans
from enumerator.engines.contraction.tables import lines


class Order:
    """The solutions of a board, in order."""

    def __init__(self, board: Board) -> None:
        network = Network(board.cells, board.shape.height, board.shape.width)
        self.network = network
        self.listing: Listing | None = None
        if network.solvable:
            upright = (plan for plan in plans(network, {"digits"}) if plan.network is network)
            self.plan = min(upright, key=lambda plan: plan.units)
            self.listing = Listing(network, self.plan.stacks, self.plan.bands)

    @property
    def items(self) -> int:
        return self.listing.items if self.listing else 0

    @property
    def groups(self) -> int:
        """The items of a y0."""
        return self.listing.groups if self.listing else 1

    def sums(self, first: int, last: int) -> array[int]:
        """How many solutions there are in each of some items."""
        return self.listing.sums(first, last) if self.listing else array("Q")

    def lines(self, item: int, offset: int, count: int) -> bytearray:
        """So many solutions as text, a line each: those from a place in an item on."""
        return self.listing.write(item, offset, count) if self.listing else bytearray()

    @cached_property
    def _swaps(self) -> list[array[int]]:
        """The exchanges of two digits that make orbits, by what they do to partitions."""
        table = lines(self.network.width, self.network.height)
        classes = interchangeable_digits(self.network)
        return [table.relabelled(one, other) for digits in classes for one, other in pairwise(digits)]

    @cached_property
    def _steps(self) -> tuple[array[int], array[int]]:
        """From each y0, the next one on the way to its leader, and by which exchange."""
        line, boxes = self.network.stacks[self.plan.stacks[0]], range(self.network.width)
        moves = [move for swap in self._swaps if (move := images(line, swap, boxes))]
        if len(moves) < len(self._swaps):
            raise ArithmeticError("digits that are alike are not")
        return climbed(len(line), moves)

    @cached_property
    def leaders(self) -> list[int]:
        """Of each y0, the one whose groups are worked out in its place."""
        leaders: list[int] = []
        if self.listing:
            for number, step in enumerate(self._steps[0]):  # a leader is the least of its orbit
                leaders.append(number if step == number else self._leader(number))
        return leaders

    def _leader(self, number: int) -> int:
        steps = self._steps[0]
        while steps[number] != number:
            number = steps[number]
        return number

    def relabelled(self, number: int, sums: array[int]) -> list[int]:
        """How many solutions the groups of a y0 have, given those of its leader."""
        return [
            sums[self._group[partition]] for partition in carried(self._partitions, self._swaps, *self._steps, number)
        ]

    @cached_property
    def _partitions(self) -> array[int]:
        """The partition of y1 in band 0 that each group has."""
        line, band = self.network.stacks[self.plan.stacks[1]], self.plan.bands[0]
        return array("H", sorted(set(line.values[band::3])))

    @cached_property
    def _group(self) -> dict[int, int]:
        return {partition: group for group, partition in enumerate(self._partitions)}


class Places:
    """Where the n-th solution is, given what the groups of all leaders add up to."""

    def __init__(self, order: Order, sums: dict[int, array[int]]) -> None:
        self.order, self._sums = order, sums
        totals = {leader: sum(groups) for leader, groups in sums.items()}
        self._ends = list(accumulate(totals[leader] for leader in order.leaders))

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return self._ends[-1] if self._ends else 0

    def line(self, n: int) -> bytes:
        """The n-th solution, from 0, as text."""
        item, offset = self.find(n)
        return bytes(self.order.lines(item, offset, 1))

    def find(self, n: int) -> tuple[int, int]:
        """The item of the n-th solution, from 0, and how many solutions of that come before it."""
        number = bisect_right(self._ends, n)
        n -= self._ends[number - 1] if number else 0
        ends = list(accumulate(self.order.relabelled(number, self._sums[self.order.leaders[number]])))
        group = bisect_right(ends, n)
        return number * self.order.groups + group, n - (ends[group - 1] if group else 0)
