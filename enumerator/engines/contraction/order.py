"""The solutions of a board in a fixed order, and the place of the n-th solution.

The order is that of sum_listing.pyx, for the cheapest plan that sums over stacks, so that whole rows
come out. It depends only on the board.

**Statement.** Swapping interchangeable digits maps a value of y0 to a value with the same number of
solutions. It maps the groups of the one to the groups of the other. So it is enough to sum the
groups of one value of each orbit, the *leader*. The sums of another value follow by relabelling the
partitions of its groups along the path to its leader.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from enumerator.board import Board
from enumerator.engines.contraction.network import (
    Network,
    find_in_sums,
    images,
    orbit_paths,
    pick_sums,
    relabel_along_path,
)
from enumerator.engines.contraction.sum_listing import Listing
from enumerator.engines.contraction.summation import interchangeable_digits, plans
from enumerator.engines.contraction.tables import line_table


class Order:
    """The solutions of a board, in order."""

    def __init__(self, board: Board) -> None:
        network = Network(board.cells, board.shape.height, board.shape.width)
        self.network, self._board_cells = network, board.shape.cells
        self.listing: Listing | None = None
        if network.solvable:
            over_stacks = (plan for plan in plans(network, {"digits"}) if plan.network is network)
            self.plan = min(over_stacks, key=lambda plan: plan.products)
            self.listing = Listing(network, self.plan.stacks, self.plan.bands)

    @property
    def items(self) -> int:
        """The number of items: `groups` items for each y0."""
        return self.listing.items if self.listing else 0

    @property
    def groups(self) -> int:
        """The number of groups."""
        return self.listing.groups if self.listing else 1

    def sums(self, first: int, last: int) -> array[int]:
        """Return the number of solutions of each of the items `first` to `last` - 1."""
        return self.listing.sums(first, last) if self.listing else array("Q")

    def lines(self, item: int, offset: int, count: int) -> bytearray:
        """Return `count` solutions as text, one per line, from solution `offset` of `item` on."""
        return self.listing.write(item, offset, count) if self.listing else bytearray()

    def cells(self, item: int, offset: int, count: int) -> bytearray:
        """Return the cells of the same solutions, concatenated."""
        return self.cells_at([(item, offset)], count)

    def cells_at(self, places: Sequence[tuple[int, int]], count: int = 1) -> bytearray:
        """Return the cells of `count` solutions from each of `places` on: an item, and an offset in it."""
        cells = bytearray(len(places) * count * self._board_cells)
        items, offsets = (array("Q", some) for some in zip(*places, strict=True))
        written = self.listing.fill(items, offsets, cells) if self.listing else 0
        del cells[written * self._board_cells :]
        return cells

    @cached_property
    def _swaps(self) -> list[array[int]]:
        """Swaps of two digits that generate the orbits, as images of partitions."""
        table = line_table(self.network.width, self.network.height)
        classes = interchangeable_digits(self.network)
        return [table.swap_digits(one, other) for digits in classes for one, other in pairwise(digits)]

    @cached_property
    def _paths(self) -> tuple[array[int], array[int]]:
        """For each y0, the next y0 on the path to its leader, and the index of the swap to it."""
        line, boxes = self.network.stacks[self.plan.stacks[0]], range(self.network.width)
        moves = [move for swap in self._swaps if (move := images(line, swap, boxes))]
        if len(moves) < len(self._swaps):
            raise ArithmeticError("interchangeable digits take a value of a stack to none of its values")
        return orbit_paths(len(line), moves)

    @cached_property
    def leaders(self) -> list[int]:
        """The leader of each y0."""
        leaders: list[int] = []
        if self.listing:
            for number, step in enumerate(self._paths[0]):  # a leader is its own next step
                leaders.append(number if step == number else self._leader(number))
        return leaders

    def _leader(self, number: int) -> int:
        steps = self._paths[0]
        while steps[number] != number:
            number = steps[number]
        return number

    def group_sums(self, number: int, leader_sums: array[int]) -> array[int]:
        """Return the solutions of each group of y0 `number`, given those of its leader."""
        relabelled = relabel_along_path(self._partitions, self._swaps, *self._paths, number)
        return pick_sums(relabelled, self._group, leader_sums)

    @cached_property
    def _partitions(self) -> array[int]:
        """The partition of y1 in band 0, for each group."""
        line, band = self.network.stacks[self.plan.stacks[1]], self.plan.bands[0]
        return array("H", sorted(set(line.values[band::3])))

    @cached_property
    def _group(self) -> array[int]:
        """The group of each partition."""
        groups = array("H", [0]) * (max(self._partitions) + 1)
        for group, partition in enumerate(self._partitions):
            groups[partition] = group
        return groups


class Places:
    """The place of every solution, given the sums of all groups of all leaders."""

    def __init__(self, order: Order, sums: dict[int, array[int]]) -> None:
        self.order, self._sums = order, sums
        totals = {leader: sum(groups) for leader, groups in sums.items()}
        self._ends = list(accumulate(totals[leader] for leader in order.leaders))

    @property
    def count(self) -> int:
        """The number of solutions."""
        return self._ends[-1] if self._ends else 0

    def line(self, n: int) -> bytes:
        """Return solution number `n`, counted from 0, as text."""
        item, offset = self.find(n)
        return bytes(self.order.lines(item, offset, 1))

    def cells(self, numbers: list[int]) -> bytearray:
        """Return the cells of the solutions with these numbers, counted from 0, concatenated."""
        return self.order.cells_at([self.find(n) for n in numbers]) if numbers else bytearray()

    def find(self, n: int) -> tuple[int, int]:
        """Return the item of solution `n`, counted from 0, and its offset within the item."""
        number = bisect_right(self._ends, n)
        n -= self._ends[number - 1] if number else 0
        group, offset = find_in_sums(self.order.group_sums(number, self._sums[self.order.leaders[number]]), n)
        return number * self.order.groups + group, offset
