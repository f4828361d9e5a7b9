"""Anything that is a board, as a Board; anything that is a shape, as a Shape.

    Board             itself
    str, bytes        text in any format that `enumerator.board.reading` knows; bytes are UTF-8
    rows              an iterable of S rows: lists, tuples, arrays, or texts of S symbols
    cells             an iterable of S² cells, row by row
    lines             an iterable of texts, such as the lines of a file
    array             an object with `tolist` or `__array__`: numpy, pandas, torch; numpy is not imported

A cell is a number, a symbol such as "A", or empty: 0, None, NaN, "", "-" or a sign such as ".". Numbers
may be floats without a fraction. An iterator is used up.

What is not a board raises TypeError if its type is wrong, and ValueError otherwise. Both name what
was passed and what is wanted, a cell with its row and column, counted from 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from operator import index
from typing import TYPE_CHECKING, Any

from enumerator.board.board import Board
from enumerator.board.plain_lines import plain_cells
from enumerator.board.shape import LARGEST, Shape, ShapeLike, as_shape
from enumerator.board.symbols import digit_of
from enumerator.text.phrases import plural

if TYPE_CHECKING:
    from enumerator.board.reading import BoardError

__all__ = ["BoardLike", "ShapeLike", "as_board", "as_shape"]

BoardLike = Board | str | bytes | Iterable[Any]
"""What a function accepts as a board."""

WANTED = "a board is a text, rows of numbers, an array or a Board"

LONGEST_CELL = 2
"""The most characters of a cell of any board, a number such as "64". Longer texts are lines."""

FIRST_PRINTED_BYTE = 9
"""The least byte of a text, the tab. Cells as bytes have lesser ones."""

_BYTES = (bytes, bytearray)
_UNORDERED = (type, Mapping, Set)
_ROWS = {list, tuple}


def as_board(content: BoardLike, shape: ShapeLike | None = None) -> Board:
    """Return anything that is a board as a Board.

    `shape` is needed where the size of a board does not tell its boxes. Raise TypeError, ValueError
    or its subclass BoardError if `content` is not a board, or not one of `shape`.
    """
    own = as_shape(shape)
    if isinstance(content, Board):
        if own is not None and own != content.shape:
            raise ValueError(f"the board has boxes of {content.shape}, not of {own}")
        return content
    if type(content) is list:  # needs no further questions
        return _board_of_items(content, own)
    if isinstance(content, str):
        return _board_of_text(content, own)
    if isinstance(content, _BYTES):
        return _board_of_bytes(bytes(content), own)
    return _board_of_items(_items(content), own)


def _board_of_text(text: str, shape: Shape | None) -> Board:
    if (plain := plain_cells(text, shape)) is not None:
        return Board.from_valid(*plain)
    from enumerator.board.reading import BoardError

    try:
        return Board.parse(text, shape)
    except BoardError as error:
        if _may_be_path(text):
            raise _with_hint(error, "is it a file? enumerator.read(path) reads files") from None
        raise


def _board_of_bytes(data: bytes, shape: Shape | None) -> Board:
    from enumerator.board.reading import BoardError

    try:
        return _board_of_text(data.decode("utf-8", "surrogateescape"), shape)
    except BoardError as error:
        if data and min(data) < FIRST_PRINTED_BYTE:
            raise _with_hint(error, "bytes are text; Board.from_cells(shape, cells) takes digits") from None
        raise


def _with_hint(error: BoardError, hint: str) -> BoardError:
    return type(error)(f"{error.message} ({hint})", error.source, error.line, error.column)


def _may_be_path(text: str) -> bool:
    """Return True for a text on one line that is the name of a file, or looks like one."""
    if "\n" in text or "://" in text or not text.isprintable():
        return False
    return os.path.isfile(text) or "/" in text or text.endswith((".txt", ".sdm", ".sdk"))


def _items(content: object) -> list[Any]:
    """Return the rows, the cells or the lines of a board; raise TypeError if there are none."""
    found: Any = content
    if not isinstance(content, type):
        if (dimensions := getattr(content, "ndim", 0)) in range(3, 99):
            raise ValueError(f"an array of {dimensions} dimensions is not a board, which has rows and columns")
        if hasattr(content, "tolist"):
            found = content.tolist()
        elif hasattr(content, "__array__"):
            found = content.__array__().tolist()
    if type(found) is list:
        return found
    if isinstance(content, os.PathLike):
        raise TypeError(f"{WANTED}, not a path: enumerator.read(path) reads files")
    if hasattr(content, "read"):
        raise TypeError(f"{WANTED}, not a file: enumerator.read(file) reads files")
    if isinstance(found, _UNORDERED) or not hasattr(found, "__iter__"):
        raise TypeError(f"{WANTED}, not {type(content).__name__}")
    return list(islice(found, LARGEST**4 + 1))


def _board_of_items(items: list[Any], shape: Shape | None) -> Board:
    """Return the board of rows, of cells or of lines."""
    kinds = set(map(type, items))
    if kinds <= _ROWS:
        return _board_of_rows(items, shape)
    if kinds <= {str, bytes}:
        texts = [text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text for text in items]
        if max(map(len, texts)) > LONGEST_CELL:
            return _board_of_text("\n".join(text.rstrip("\r\n") for text in texts), shape)
        return _board_of_cells(texts, _shape_of(len(texts), 0, shape))
    if any(hasattr(item, "__iter__") and not isinstance(item, str) for item in items):
        return _board_of_rows([_row(item, number) for number, item in enumerate(items, 1)], shape)
    return _board_of_cells(items, _shape_of(len(items), 0, shape))


def _row(item: Any, number: int) -> list[Any]:
    """Return the cells of row `number`; raise TypeError if it is not a row."""
    if isinstance(item, bytes):
        item = item.decode("utf-8", "surrogateescape")
    elif hasattr(item, "tolist"):
        item = item.tolist()
    if isinstance(item, _UNORDERED) or not hasattr(item, "__iter__"):
        raise TypeError(f"row {number} is a list of cells, not {type(item).__name__}")
    return list(islice(item, LARGEST**2 + 1))


def _shape_of(cells: int, rows: int, shape: Shape | None) -> Shape:
    """Return the shape of a board with `rows` rows, or with `cells` cells if `rows` is 0."""
    given = plural(rows, "row") if rows else plural(cells, "cell")
    if shape is None:
        own = Shape.of_size(rows) if rows else Shape.of_cells(cells)
        if own is None:
            raise ValueError(f"no board has {given}: a 9×9 board has 9 rows of 9 cells, or 81 cells")
        return own
    if (rows or cells) != (shape.size if rows else shape.cells):
        raise ValueError(f"{given} where {shape.title} has {shape.size if rows else shape.cells}")
    return shape


def _board_of_rows(rows: list[list[Any]], shape: Shape | None) -> Board:
    own = _shape_of(0, len(rows), shape) if rows else _shape_of(0, 0, shape)
    size = own.size
    if set(map(len, rows)) != {size}:
        number, row = next((number, row) for number, row in enumerate(rows, 1) if len(row) != size)
        raise ValueError(f"{plural(len(row), 'cell')} in row {number} where a row of {own.title} has {size}")
    return _board_of_cells(list(chain.from_iterable(rows)), own)


def _board_of_cells(cells: list[Any], shape: Shape) -> Board:
    """Return the board of as many cells as `shape` has."""
    size, kinds = shape.size, list(map(type, cells))
    if kinds.count(int) == len(cells):  # faster than a set
        with suppress(ValueError):  # not a byte: named below
            if not (plain := bytes(cells)).translate(None, _digits_up_to(size)):
                return Board.from_valid(shape, plain)
    digits = bytearray()
    for cell, value in enumerate(cells):
        if value is None:
            digits.append(0)
            continue
        try:
            digit = _digit(value, size)
        except TypeError as error:
            raise TypeError(f"{error} in row {cell // size + 1}, column {cell % size + 1}") from None
        if digit is None:
            place = f"row {cell // size + 1}, column {cell % size + 1}"
            raise ValueError(f"{value!r} in {place} is not a digit of {shape.title}")
        digits.append(digit)
    if kinds.count(str) == len(cells):
        from enumerator.board.reading.cells import board_of_cells

        if (read := board_of_cells(cells, shape)) is not None:  # hexadecimal digits, too
            return read.board
    return Board.from_valid(shape, bytes(digits))


@lru_cache
def _digits_up_to(size: int) -> bytes:
    """Return the bytes that are cells of a board."""
    return bytes(range(size + 1))


def _digit(value: Any, size: int) -> int | None:
    """Return the digit that a cell holds, 0 if it is empty; None if it is not a digit of the board."""
    if type(value) is int:
        return value if 0 <= value <= size else None
    if isinstance(value, str):
        text = value.strip()
        if text in ("", "-"):
            return 0
        is_cell = len(text) <= 1 or (len(text) <= LONGEST_CELL and text.isdecimal())
        return digit_of(text, size) if is_cell else None
    number = -1
    if hasattr(value, "__index__") and not type(value).__name__.startswith("bool"):
        number = index(value)
    elif not hasattr(value, "is_integer") or isinstance(value, bool):
        if type(value).__name__ == "NAType":  # an empty cell in pandas
            return 0
        raise TypeError(f"a cell is a number, a symbol or None, not {type(value).__name__}")
    elif value != value:  # NaN, an empty cell in pandas
        return 0
    elif value.is_integer():
        number = int(value)
    return number if 0 <= number <= size else None
