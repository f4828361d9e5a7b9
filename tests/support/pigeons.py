"""A board without a solution that no engine proves in time: thirteen cells of a row have twelve digits.

Why it has none is the pigeonhole principle. Proofs of it by clauses grow exponentially (Haken, "The
intractability of resolution", 1985). The other twelve cells of the row lack a digit likewise.
"""

from __future__ import annotations

from enumerator.board import Board, Shape

SHAPE = Shape(5, 5)
FEW_DIGITS, CELLS = (1 << 12) - 1, 13


def pigeon_board() -> Board:
    """Return the board."""
    allowed = [FEW_DIGITS] * CELLS + [(1 << SHAPE.size) - 1] * (SHAPE.cells - CELLS)
    return Board.from_cells(SHAPE, bytes(SHAPE.cells), tuple(allowed))


def pigeon_line() -> str:
    """Return the board on one line: the digits of each cell, each at its place."""
    few = SHAPE.symbols[: CELLS - 1].ljust(SHAPE.size, ".")
    return few * CELLS + SHAPE.symbols * (SHAPE.cells - CELLS)


def pigeon_text() -> str:
    """Return the board as a file: the digits of each cell side by side."""
    few, every = SHAPE.symbols[: CELLS - 1], SHAPE.symbols
    words = [few] * CELLS + [every] * (SHAPE.cells - CELLS)
    rows = (words[first : first + SHAPE.size] for first in range(0, SHAPE.cells, SHAPE.size))
    return "".join(f"{' '.join(row)}\n" for row in rows)
