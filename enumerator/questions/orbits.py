"""Symmetries of the pattern of clues, by the cells that are empty together.

    180        the pattern is the same after half a turn
    90         after a quarter turn
    mirror     when left and right are exchanged
    diagonal   when rows and columns are exchanged
    none       any pattern

An orbit is a set of cells that a symmetry takes to each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

from enumerator.board import Shape

PatternSymmetry: TypeAlias = Literal["none", "180", "90", "mirror", "diagonal"]
"""The name of a symmetry of patterns."""

SYMMETRIES: tuple[PatternSymmetry, ...] = get_args(PatternSymmetry)

_IMAGES: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "none": lambda row, column, _: (row, column),
    "180": lambda row, column, last: (last - row, last - column),
    "90": lambda row, column, last: (column, last - row),
    "mirror": lambda row, column, last: (row, last - column),
    "diagonal": lambda row, column, _: (column, row),
}
"""The place to which each symmetry takes a row and a column; the last row has the number `last`."""


def orbits(shape: Shape, symmetry: PatternSymmetry) -> list[list[int]]:
    """Return the cells that a symmetry takes to each other, as lists; every cell is in one of them."""
    size, image = shape.size, _IMAGES[symmetry]
    found, seen = list[list[int]](), set[int]()
    for cell in range(shape.cells):
        orbit = list[int]()
        while cell not in seen:
            seen.add(cell)
            orbit.append(cell)
            row, column = image(*divmod(cell, size), size - 1)
            cell = row * size + column
        if orbit:
            found.append(orbit)
    return found


def can_have(shape: Shape, symmetry: PatternSymmetry, clues: int) -> bool:
    """Return True if a pattern with this symmetry can have so many clues."""
    possible = 1  # bit n: n clues
    for orbit in orbits(shape, symmetry):
        possible |= possible << len(orbit)
    return bool(possible >> clues & 1)
