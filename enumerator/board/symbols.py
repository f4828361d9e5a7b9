"""Digits in text: which digit a symbol or a number means on a board of a given size."""

from __future__ import annotations

from functools import lru_cache

from enumerator.board.shape import SYMBOLS

EMPTY = ".0_*?"
"""The symbols of an empty cell."""

NO_DIGIT = 255
"""The value in a table of digits for a byte that is not a symbol of the board."""

_CAPITALS = SYMBOLS.index("Z") + 1


def digit_of(cell: str, size: int) -> int | None:
    """Return the digit that a symbol or a number means, 0 for empty; None if it is not a digit.

    On boards of up to 35 digits, the case of letters is ignored. Beyond, small letters are digits
    of their own.
    """
    if cell in EMPTY:
        return 0
    if cell.isdecimal() and cell.isascii():
        digit = int(cell)
    else:
        digit = SYMBOLS.find(cell) + 1
        if digit > _CAPITALS >= size:
            digit = SYMBOLS.find(cell.upper()) + 1
        digit = digit or NO_DIGIT
    return digit if digit <= size else None


@lru_cache
def digit_table(size: int) -> bytes:
    """Return the digit of each byte, or NO_DIGIT, as a table for `bytes.translate`."""
    return bytes(NO_DIGIT if (digit := digit_of(chr(code), size)) is None else digit for code in range(256))
