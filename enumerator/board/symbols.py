"""Digits in text: the digit that a symbol or a number means on a board of a given size, and its symbol."""

from __future__ import annotations

from functools import lru_cache

from enumerator.board.shape import SYMBOLS, Shape

EMPTY = ".0_*?·"
"""The symbols that mean an empty cell."""

NO_DIGIT = 255
"""The entry of `digit_table` for a byte that is not a symbol of the board."""

FULL_WIDTH = {code + 0xFEE0: code for code in b"._*?-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}
"""The table from full-width symbols, as East Asian keyboards type them, to those of boards."""

CAPITALS = SYMBOLS.index("Z") + 1
"""The size of the largest boards on which the case of letters is ignored."""


def digit_of(cell: str, size: int) -> int | None:
    """Return the digit that a symbol or a number means; 0 for an empty cell, None if invalid.

    On boards of up to 35 digits, the case of letters is ignored. On larger boards, lower-case
    letters are digits of their own.
    """
    if cell in EMPTY:
        return 0
    if cell.isdecimal() and cell.isascii():
        digit = int(cell)
    else:
        digit = SYMBOLS.find(cell) + 1
        if digit > CAPITALS >= size:
            digit = SYMBOLS.find(cell.upper()) + 1
        digit = digit or NO_DIGIT
    return digit if digit <= size else None


@lru_cache
def symbol_table(shape: Shape) -> bytes:
    """Return the table for `bytes.translate` that maps each digit to its symbol, 0 to `.`: 0.6 µs instead of 3.5 µs."""
    return f".{shape.symbols}".encode().ljust(256, b"?")


@lru_cache
def digit_table(size: int) -> bytes:
    """Return a table for `bytes.translate` that maps each byte to its digit, or to NO_DIGIT.

    Bytes beyond ASCII are NO_DIGIT: they are parts of characters.
    """
    digits = (digit_of(chr(code), size) for code in range(128))
    return bytes(NO_DIGIT if digit is None else digit for digit in digits).ljust(256, bytes([NO_DIGIT]))
