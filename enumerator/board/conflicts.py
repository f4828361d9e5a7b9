"""Clues that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enumerator.board.shape import Shape, cell_name, units


@dataclass(frozen=True, slots=True)
class Conflict:
    """A digit that occurs more than once in a unit, or an empty cell that allows no digit.

    >>> conflict = next(en.Board("11.. .... .... ....").conflicts())
    >>> conflict.unit, conflict.symbol, conflict.cells
    ('row 1', '1', (0, 1))
    >>> print(conflict)
    row 1 holds 1 twice, at r1c1 and r1c2
    """

    unit: str
    """The name of the unit, or of the cell."""
    symbol: str
    """The symbol of the digit; "" for a cell that allows no digit."""
    cells: tuple[int, ...]
    """The cells, numbered from 0, row by row."""
    size: int
    """The number of cells of a row."""

    def __str__(self) -> str:
        if not self.symbol:
            return f"{self.unit} has no allowed digit"
        places = " and ".join(cell_name(cell, self.size) for cell in self.cells)
        times = {2: "twice"}.get(len(self.cells), f"{len(self.cells)} times")
        return f"{self.unit} holds {self.symbol} {times}, at {places}"

    def to_dict(self) -> dict[str, object]:
        """Return the sentence about the conflict, and its parts."""
        return {"sentence": str(self), "cells": list(self.cells), "symbol": self.symbol, "unit": self.unit}


def find_conflicts(shape: Shape, digits: bytes, allowed: tuple[int, ...] | None) -> Iterator[Conflict]:
    """Yield the conflicts of a board: units first, then cells."""
    size = shape.size
    for unit, members in units(shape):
        held: dict[int, list[int]] = {}
        for cell in members:
            if digit := digits[cell]:
                held.setdefault(digit, []).append(cell)
        for digit, cells in held.items():
            if len(cells) > 1:
                yield Conflict(unit, shape.symbols[digit - 1], tuple(cells), size)
    for cell, mask in enumerate(allowed or ()):
        if not mask:
            yield Conflict(cell_name(cell, size), "", (cell,), size)
