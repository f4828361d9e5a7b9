"""The relabellings that go with an arrangement, so that both together fix a board.

Digits are alike if the same cells have them as clues, and the same cells allow them: K exchanges them in any
way. An arrangement of the board maps alike digits to alike ones. So the relabellings that go with it are one of them,
and then any of K. They are the same up to K if their cycles are as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import factorial, prod
from typing import NamedTuple, TypeAlias

from enumerator.board import Board

Kind: TypeAlias = tuple[int, ...]
"""Digits that are alike, from 0."""


class Relabelling(NamedTuple):
    """A relabelling that goes with an arrangement."""

    digits: bytes
    """The image of each digit, from 0."""
    groups: bytes
    """For each digit the first of its group: of those that are alike, in cycles of the same length."""


class DigitKinds:
    """The digits of a board, by what may be exchanged."""

    def __init__(self, board: Board) -> None:
        self.shape = board.shape
        self._cells = _cells_of_digits(board)
        kinds = defaultdict[tuple[int, ...], list[int]](list)
        for digit, cells in enumerate(self._cells):
            kinds[cells].append(digit)
        self._kinds = {cells: tuple(digits) for cells, digits in kinds.items()}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of digits."""
        return tuple(self._kinds.values())

    @property
    def order(self) -> int:
        """The number of relabellings that fix the board: of elements of K."""
        return prod(factorial(len(kind)) for kind in self._kinds.values())

    def relabellings(self, arrangement: bytes) -> Iterator[Relabelling]:
        """Yield the relabellings that go with an arrangement, one of those that are the same up to K."""
        cycles = list(self._cycles(arrangement))
        for parts in product(*(list(partitions(len(cycle[0]))) for cycle in cycles)):
            yield _relabel(self.shape.size, cycles, parts)

    def _cycles(self, arrangement: bytes) -> Iterator[list[Kind]]:
        """Yield the cycles in which an arrangement moves the kinds of digits."""
        size = self.shape.size
        images = [image_of_cell(size, arrangement, cell) for cell in range(size * size)] * 2
        images[size * size :] = [size * size + image for image in images[: size * size]]
        moved = {
            kind: self._kinds[tuple(sorted(images[cell] for cell in cells))] for cells, kind in self._kinds.items()
        }
        while moved:
            cycle = [next(iter(moved))]
            while (after := moved.pop(cycle[-1])) != cycle[0]:
                cycle.append(after)
            yield cycle


def _cells_of_digits(board: Board) -> list[tuple[int, ...]]:
    """Return, for each digit, the cells that allow it; and those that have it as a clue, counted after all cells."""
    size, cells = board.shape.size, board.shape.cells
    found: list[list[int]] = [[] for _ in range(size)]
    for cell, (mask, clue) in enumerate(zip(allowed_masks(board), board.cells, strict=True)):
        if not clue:
            for digit in range(size):
                if mask >> digit & 1:
                    found[digit].append(cell)
    for cell, clue in enumerate(board.cells):
        if clue:
            found[clue - 1].append(cells + cell)
    return [tuple(places) for places in found]


def allowed_masks(board: Board) -> list[int]:
    """Return the digits that each cell allows: bit d - 1 stands for digit d."""
    full = (1 << board.shape.size) - 1
    marks = board.allowed or [full] * board.shape.cells
    return [1 << clue - 1 if clue else mask for clue, mask in zip(board.cells, marks, strict=True)]


def image_of_cell(size: int, arrangement: bytes, cell: int) -> int:
    """Return the cell to which an arrangement moves a cell."""
    row, column = arrangement[cell // size], arrangement[size + cell % size]
    return row * size + column - size if row < size else column * size + row - size


def partitions(number: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of parts, the largest first.

    >>> list(partitions(4))
    [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]
    """
    if not number:
        yield ()
    for first in range(min(number, number if most is None else most), 0, -1):
        for rest in partitions(number - first, first):
            yield (first, *rest)


def _relabel(size: int, cycles: list[list[Kind]], parts: tuple[tuple[int, ...], ...]) -> Relabelling:
    """Return the relabelling that goes through each cycle of kinds in cycles of digits of some lengths."""
    digits, groups = bytearray(size), bytearray(size)
    for cycle, lengths in zip(cycles, parts, strict=True):
        first_of: dict[tuple[Kind, int], int] = {}
        start = 0
        for length in lengths:
            ring = [kind[start + turn] for turn in range(length) for kind in cycle]
            for at, digit in enumerate(ring):
                digits[digit] = ring[(at + 1) % len(ring)]
                groups[digit] = first_of.setdefault((cycle[at % len(cycle)], length), digit)
            start += length
    return Relabelling(bytes(digits), bytes(groups))
