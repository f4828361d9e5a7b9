"""Boards of letters alone: A is 1, B is 2, …, as many sites print 16×16 boards (A to P) and 25×25 boards (A to Y).

Where letters and digits both occur, A is 10. Without a digit, a letter that A = 10 does not allow
proves that A is 1: it is Q or later on a 25×25 board, H or later on a 16×16 board. A board without
such a letter is read with A = 10, as all boards are written.
"""

from __future__ import annotations

from functools import lru_cache

from enumerator.board.shape import SYMBOLS, Shape
from enumerator.board.symbols import EMPTY

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_DECIMAL = 9
"""The size up to which no board needs letters."""

_SIGNS = EMPTY + "-~–—□"


def letters_remark(shape: Shape) -> str:
    """Return the remark on a board of `shape` that was read as letters alone."""
    last = ALPHABET[shape.size - 1]
    return f"read as letters A to {last}: A is 1, since no digit occurs (with digits, A is 10)"


def digits_of_letters(cells: str, size: int) -> str | None:
    """Return the cells of a board of letters alone with the symbols of this program; None for other cells."""
    if not are_letters(cells, size) or not _proof(size).intersection(cells):
        return None
    return cells.translate(_table(size))


def are_letters(cells: str | list[str], size: int) -> bool:
    """Return True if the cells are letters of a board of letters alone and signs for empty."""
    if not MOST_DECIMAL < size <= len(ALPHABET):
        return False
    symbols = set(cells)
    return symbols <= _allowed(size) and not symbols <= _EMPTY_SIGNS


def wrong_letter(cells: str | list[str], size: int) -> int | None:
    """Return the index of the first cell that is no letter of a row that has letters alone; None for another row."""
    if not MOST_DECIMAL < size <= len(ALPHABET) or not _proof(size).intersection(cells):
        return None
    if not all(len(cell) == 1 and (cell.isalpha() or cell in _SIGNS) for cell in cells):
        return None
    return next((index for index, cell in enumerate(cells) if cell not in _allowed(size)), None)


_EMPTY_SIGNS = frozenset(_SIGNS + "xX")


@lru_cache
def _allowed(size: int) -> frozenset[str]:
    """Return the letters of boards of `size` digits, and the signs that may mean an empty cell."""
    letters = ALPHABET[:size]
    return _EMPTY_SIGNS.union(letters, letters.lower())


@lru_cache
def _proof(size: int) -> frozenset[str]:
    """Return the letters that are digits of such boards only if A is 1. X may mean empty."""
    letters = ALPHABET[size - MOST_DECIMAL : size]
    return frozenset(letters + letters.lower())


@lru_cache
def _table(size: int) -> dict[int, str]:
    """Return a table for `str.translate` from letters to symbols."""
    return str.maketrans(dict(zip(ALPHABET[:size] + ALPHABET[:size].lower(), SYMBOLS[:size] * 2, strict=True)))
