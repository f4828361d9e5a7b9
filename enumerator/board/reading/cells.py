"""Cells to boards: digits, the sign for an empty cell, hexadecimal digits, letters alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from enumerator.board.board import Board
from enumerator.board.plain_lines import HEXADECIMAL_SIZE, is_hexadecimal
from enumerator.board.reading.entries import BoardError
from enumerator.board.reading.letters import (
    ALPHABET,
    MOST_DECIMAL,
    are_letters,
    digits_of_letters,
    letters_remark,
    wrong_letter,
)
from enumerator.board.reading.rows import TextRow
from enumerator.board.shape import Shape
from enumerator.board.symbols import CAPITALS, EMPTY, NO_DIGIT, digit_of, digit_table
from enumerator.text.phrases import plural, printable

OTHER_SIGNS = "-xX~–—□"
"""Signs for an empty cell that are read as such only if a board has one of them and no other sign.

X is also a likely slip, so it must be the sign of many cells.
"""

_OTHER_BYTES = OTHER_SIGNS.encode("ascii", "ignore")

HEXADECIMAL = "read as hexadecimal: 0 is a digit, since another sign means empty (0 to F become 1 to G)"

_HEXADECIMAL_TABLE = {
    **{ord(sign): "." for sign in EMPTY},
    **dict(zip(b"0123456789ABCDEF", "123456789ABCDEFG", strict=True)),
}


_SIZES = bytes((digit_of(chr(code), CAPITALS) or 0) * (chr(code) not in "XxUu") for code in range(256))


class ReadCells(NamedTuple):
    """A board, and the remarks on how its cells were read."""

    board: Board
    remarks: tuple[str, ...] = ()


def board_of_rows(rows: Sequence[TextRow], shape: Shape, source: str) -> ReadCells:
    """Return the board that `rows` make; raise a BoardError if they do not make one."""
    wanted = shape.cells if len(rows[0].cells) == shape.cells else shape.size
    for row in rows:
        if (found := len(row.cells)) != wanted:
            message = f"{plural(found, 'cell')} where a row of {shape.title} has {wanted}"
            raise BoardError(message, source, row.line, row.column(wanted) if found > wanted else None)
        if len(rows) < shape.size and wanted == shape.size:
            _digits(row, shape, source)  # a bad symbol is reported rather than the missing rows
    if len(rows) * wanted < shape.cells:
        message = f"{plural(len(rows), 'row')} where {shape.title} has {shape.size}"
        raise BoardError(message, source, rows[-1].line)
    if all(isinstance(row.cells, str) for row in rows):
        text = "".join(row.cells for row in rows if isinstance(row.cells, str))
        if (found_board := board_of_symbols(text, shape)) is not None:
            return found_board
    for row in rows:
        _digits(row, shape, source)  # names the cell that is no digit
    read = board_of_cells([cell for row in rows for cell in row.cells], shape)
    assert read, "all cells are digits"
    return read


def board_of_symbols(text: str, shape: Shape) -> ReadCells | None:
    """Return the board that symbols make, one per cell; None if one of them is no digit."""
    remarks: tuple[str, ...] = ()
    if (of_letters := digits_of_letters(text, shape.size)) is not None:
        text, remarks = of_letters, (letters_remark(shape),)
    elif shape.size == HEXADECIMAL_SIZE and is_hexadecimal(text):
        text, remarks = text.upper().translate(_HEXADECIMAL_TABLE), (HEXADECIMAL,)
    if (digits := digits_of_symbols(text, shape.size)) is None:
        if (sign := sign_for_empty(text, shape.size)) is None:
            return None
        digits = digits_of_symbols(text.upper().replace(sign, "."), shape.size)
    return None if digits is None else ReadCells(Board.from_cells(shape, digits), remarks)


def board_of_cells(cells: Sequence[str], shape: Shape) -> ReadCells | None:
    """Return the board of cells, each a symbol, a number or "" for empty; None if one is no digit."""
    texts = [cell.strip() or "." for cell in cells]
    digits = [digit_of(text, shape.size) for text in texts]
    if None in digits:
        return board_of_symbols("".join(texts), shape) if are_letters(texts, shape.size) else None
    is_hexadecimal = shape.size == HEXADECIMAL_SIZE and "0" in texts and HEXADECIMAL_SIZE not in digits
    if not is_hexadecimal or not any(not digit and text != "0" for digit, text in zip(digits, texts, strict=True)):
        return ReadCells(Board.from_cells(shape, bytes(digit or 0 for digit in digits)))
    shifted = (0 if not digit and text != "0" else (digit or 0) + 1 for digit, text in zip(digits, texts, strict=True))
    return ReadCells(Board.from_cells(shape, bytes(shifted)), (HEXADECIMAL,))


def digits_of_symbols(text: str, size: int) -> bytes | None:
    """Return the digits that symbols mean, 0 for empty; None if one of them is no digit."""
    if text.isascii():  # a table is 15 times as fast as the loop
        digits = text.encode().translate(digit_table(size))
        return None if NO_DIGIT in digits else digits
    found = [digit_of(symbol, size) for symbol in text]
    return None if None in found else bytes(digit or 0 for digit in found)


def may_be_row(cells: str | list[str], size: int) -> bool:
    """Return False for cells of which one is certainly no digit, nor a sign for empty.

    `board_of_rows` would refuse them, but takes ten times as long to say what is wrong.
    """
    if isinstance(cells, list) or not cells.isascii():
        return True
    return NO_DIGIT not in cells.encode().translate(digit_table(size), _OTHER_BYTES) or are_letters(cells, size)


def least_size(symbols: str) -> int:
    """Return the size of the smallest board that has the digits of a line of letters, digits and blanks.

    X may mean empty, and U may mark a digit: they need no size.
    """
    return max(symbols.encode().translate(_SIZES))


def sign_for_empty(text: Iterable[str], size: int) -> str | None:
    """Return the only sign of a board that may mean empty and is no digit; None if there is none."""
    symbols = "".join(text)
    others = {symbol.upper() for symbol in set(symbols) if digit_of(symbol, size) is None}
    if len(others) != 1 or any(sign in symbols for sign in EMPTY):
        return None
    (sign,) = others
    if sign not in OTHER_SIGNS or (sign == "X" and symbols.upper().count(sign) < size):
        return None
    return sign


def _digits(row: TextRow, shape: Shape, source: str) -> bytes:
    """Return the digits of a row's cells, 0 for empty."""
    if isinstance(row.cells, str) and (digits := digits_of_symbols(row.cells, shape.size)) is not None:
        return digits
    if (index := wrong_letter(row.cells, shape.size)) is not None:
        message = f"'{printable(row.cells[index])}' is none of the letters A to {ALPHABET[shape.size - 1]}"
        raise BoardError(f"{message} of {shape.title}", source, row.line, row.column(index))
    values = []
    for index, cell in enumerate(row.cells):
        digit = digit_of(cell, shape.size)
        if digit is None:
            is_letter = shape.size <= MOST_DECIMAL and cell.upper() in ALPHABET[:MOST_DECIMAL]
            hint = ": boards up to 9×9 have digits, not letters" if is_letter else ""
            message = f"'{printable(cell)}' is no digit of {shape.title}{hint}"
            raise BoardError(message, source, row.line, row.column(index))
        values.append(digit)
    return bytes(values)
