"""The number of solutions with each digit in each cell: sums for each band (see box.pyx).

**Symmetry.** A symmetry of the sum is one of the board: the swap of two digits or of two lines goes with orders
of rows and columns that bring all clues back to their places (`rearrangement`). So it maps cells and digits to
cells and digits with the same count. The sums count some solutions, each as often as its orbit is large. Their
averages over the orbits of cells and digits are the counts. A symmetry that swaps bands with clues would
mix the sums of bands, which are of different y0; it is not used.

**Lines without a clue.** Rows without a clue in a band without one have equal counts, and so have those of all such
bands. Every column has each digit once. So these counts are what the other bands leave, in equal parts.
The same holds for stacks.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations, product

from enumerator.board import Board
from enumerator.engines.contraction.box import Boxes
from enumerator.engines.contraction.network import Line, Network
from enumerator.engines.contraction.sum import Sum
from enumerator.engines.contraction.summation import (
    SYMMETRIES,
    SumPlan,
    interchangeable_lines,
    plans,
    representatives,
)
from enumerator.engines.contraction.tables import line_table


class Candidates:
    """The sums of a board that give the counts of its cells.

    If its stacks are better summed as bands, these are the sums of the transposed board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.network = Network(board.cells, board.shape.height, board.shape.width)
        self.plan: SumPlan | None = None
        self.bands: list[int] = []
        """The bands to work out."""
        if self.network.solvable:
            classes = alike_digits(self.network)
            found = plans(self.network, SYMMETRIES, classes)
            self.use(min(found, key=lambda plan: plan.products * len(with_clues(plan.network.bands))))

    def use(self, plan: SumPlan) -> None:
        """Prepare the sums of a plan."""
        images = symmetries(plan)
        if None in images:  # the stacks that may be swapped are those of the sum alone
            plan = replace(plan, twins=False)
        self.plan, self._images = plan, [image for image in images if image]
        network, first = plan.network, plan.stacks[0]
        table = line_table(network.width, network.height)
        self.bands, self._stacks = with_clues(network.bands), with_clues(network.stacks)
        self._swaps = [table.swap_digits(one, other) for digits in plan.classes for one, other in pairwise(digits)]
        self._band_swaps = [
            swap
            for swap in interchangeable_lines(network.bands, network.stacks, table)
            if all(swap[band] == band for band in self.bands)
        ]
        every = array("H", range(len(network.stacks[first])))
        once = array("H", [1]) * len(every)
        self._sum = Sum(network, plan.stacks, range(3), every, once, plan.swaps, plan.twins)

    def boxes(self, band: int) -> Boxes:
        """Return the sums of a band, ready to run. All bands share their tables."""
        if self.plan is None:
            raise ValueError("a board without a solution has no sums")
        network, first = self.plan.network, self.plan.stacks[0]
        values, sizes = representatives(network, first, self._swaps, self._band_swaps, band)
        wanted = [stack in self._stacks for stack in range(network.height)]
        return Boxes(self.plan, self._sum, band, values, sizes, wanted)

    def cells(self, sums: dict[int, list[int]]) -> list[list[int]]:
        """Return the counts of each digit for each cell, given the sums of the bands."""
        size = self.board.shape.size
        if self.plan is None:
            return [[0] * size for _ in range(size * size)]
        network = self.plan.network
        height, width = network.height, network.width
        counts = [0] * size**3
        for band in self.bands:
            places = product(self.plan.stacks[:height], range(size), range(height), range(width))
            for (stack, digit, row, column), count in zip(places, sums[band], strict=True):
                counts[((band * height + row) * size + stack * width + column) * size + digit] = count
        average(counts, self._images)
        rows = [band * height + row for band in self.bands for row in range(height)]
        columns = [stack * width + column for stack in self._stacks for column in range(width)]
        cells = [row * size + column for row, column in product(rows[:height], columns[:width])]
        total = sum(counts[cell * size] for cell in cells)
        for row in rows:
            fill(counts, [row * size + column for column in range(size)], [row * size + at for at in columns], total)
        for column in range(size):
            fill(counts, [row * size + column for row in range(size)], [at * size + column for at in rows], total)
        by_cell = [counts[cell * size : (cell + 1) * size] for cell in range(size * size)]
        if network is self.network:
            return by_cell
        return [by_cell[column * size + row] for row in range(size) for column in range(size)]


def with_clues(lines: list[Line]) -> list[int]:
    """Return the numbers of the lines with a clue, or that of the first line if none has one."""
    return [number for number, line in enumerate(lines) if line.required and any(map(any, line.required))] or [0]


def alike_digits(network: Network) -> list[list[int]]:
    """Return the classes of digits that may be swapped if rows and columns are rearranged.

    Two digits of a class are clues in the same boxes, or not at all.
    """
    lines = network.bands[: network.width]
    classes: dict[tuple[tuple[bool, ...], int], list[int]] = {}
    for digit in range(network.height * network.width):
        boxes = tuple(any(mask >> digit & 1 for mask in box) for line in lines for box in line.required or [])
        for number in range(digit + 1):
            known = classes.setdefault((boxes, number), [])
            if not known or not any(boxes) or rearrangement(network, (known[0], digit), range(network.height)):
                known.append(digit)
                break
    return list(classes.values())


def symmetries(plan: SumPlan) -> list[list[int] | None]:
    """Return the images of all cells and digits under the symmetries of a plan, None for one that has none."""
    same = range(plan.network.height)
    found = [rearrangement(plan.network, swap, same) for digits in plan.classes for swap in pairwise(digits)]
    if plan.twins:
        order = list(same)
        order[plan.stacks[1]], order[plan.stacks[2]] = plan.stacks[2], plan.stacks[1]
        found.append(rearrangement(plan.network, None, order))
    return found


def rearrangement(network: Network, swap: tuple[int, int] | None, order: Sequence[int]) -> list[int] | None:
    """Return the images of all cells and digits if two digits are swapped, and stack s becomes stack `order[s]`.

    Rows and columns are arranged in such a way that the clues of each line are in their places again. If there is
    no such way, return None.
    """
    height, width, size = network.height, network.width, network.height * network.width
    digits = list(range(size))
    if swap:
        digits[swap[0]], digits[swap[1]] = digits[swap[1]], digits[swap[0]]
    same = range(width)
    rows = [orders_of_line(line, line, digits, order) for line in network.bands[:width]]
    columns = [orders_of_line(network.stacks[s], network.stacks[order[s]], digits, same) for s in range(height)]
    if None in rows or None in columns:
        return None
    row_images = [band * height + row for band, image in enumerate(rows) for row in image or ()]
    column_images = [order[stack] * width + column for stack, image in enumerate(columns) for column in image or ()]
    return [(row * size + column) * size + digit for row, column, digit in product(row_images, column_images, digits)]


def orders_of_line(line: Line, other: Line, digits: Sequence[int], boxes: Sequence[int]) -> tuple[int, ...] | None:
    """Return where the columns of a line go in another one if its clues become those of the other.

    Box b becomes box `boxes[b]`, and digit d `digits[d]`. Return None if there is no way.
    """
    ours, theirs = line.required or [], other.required or []
    wanted = [[relabel(mask, digits) for mask in ours[box]] for box in range(len(boxes))]
    found = [theirs[box] for box in boxes]
    for order in permutations(range(len(wanted[0]))):
        if all(
            theirs[order[at]] == mask
            for ours, theirs in zip(wanted, found, strict=True)
            for at, mask in enumerate(ours)
        ):
            return order
    return None


def relabel(mask: int, digits: Sequence[int]) -> int:
    """Return a set of digits with each digit replaced by its image."""
    return sum(1 << image for digit, image in enumerate(digits) if mask >> digit & 1)


def average(counts: list[int], images: list[list[int]]) -> None:
    """Replace the counts of each orbit by their average."""
    seen = bytearray(len(counts))
    for first in range(len(counts) if images else 0):
        orbit = [] if seen[first] else [first]
        seen[first] = 1
        for place in orbit:
            for image in images:
                if not seen[image[place]]:
                    seen[image[place]] = 1
                    orbit.append(image[place])
        if len(orbit) > 1:
            share = equal_share(sum(counts[place] for place in orbit), len(orbit))
            for place in orbit:
                counts[place] = share


def fill(counts: list[int], cells: list[int], known: list[int], total: int) -> None:
    """Give the cells of a row or column that are not known equal shares of what the known ones leave of `total`."""
    others, size = [cell for cell in cells if cell not in known], len(cells)
    for digit in range(size if others else 0):
        left = total - sum(counts[cell * size + digit] for cell in known)
        share = equal_share(left, len(others))
        for cell in others:
            counts[cell * size + digit] = share


def equal_share(total: int, parts: int) -> int:
    share, rest = divmod(total, parts)
    if rest:
        raise ArithmeticError("cells and digits that are alike have different counts")
    return share
