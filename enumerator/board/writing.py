"""Boards to multi-line text. The one-line text is `str(board)`.

To add an output format, write a function from a Board to text. `enumerator.board.reading` must
be able to read it back. Add the format to FORMS in bench/check/targets/forms.py, which the round trips of
the tests and `python -m bench fuzz forms` take.

A drawing has a frame around each box:

    ┌─────┬─────┐     +-----+-----+
    │ 1 · │ · · │     | 1 . | . . |
    │ · · │ 2 · │     | . . | 2 . |
    ├─────┼─────┤     +-----+-----+
    │ · 3 │ · · │     | . 3 | . . |
    │ · · │ · 4 │     | . . | . 4 |
    └─────┴─────┘     +-----+-----+
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from enumerator.board.board import Board
from enumerator.board.shape import Shape


class Frame(NamedTuple):
    """The characters of the frame of a drawing."""

    top: str
    """The left corner, the crossing and the right corner of the first ruler."""
    middle: str
    bottom: str
    line: str
    side: str
    empty: str
    """The mark of an empty cell."""


BOXES = Frame("┌┬┐", "├┼┤", "└┴┘", "─", "│", "·")
ASCII = Frame("+++", "+++", "+++", "-", "|", ".")


def frame_of(ascii: bool) -> Frame:  # noqa: A002
    """Return the frame of drawings, or the one of drawings in ASCII."""
    return ASCII if ascii else BOXES


def as_drawing(board: Board, ascii: bool = False) -> str:  # noqa: A002
    """Return a drawing of the board with its boxes; `·` is an empty cell.

    With `ascii`, the drawing has no other characters, and `.` is an empty cell.
    """
    symbols = frame_of(ascii).empty + board.shape.symbols
    return draw_symbols(board.shape, "".join(symbols[digit] for digit in board.cells), ascii)


def draw_symbols(shape: Shape, symbols: str, ascii: bool = False) -> str:  # noqa: A002
    """Return a drawing with these symbols in its cells: any characters, row by row."""
    return _template(shape, ascii) % tuple(symbols)


def drawing_columns(shape: Shape) -> int:
    """Return the number of columns of a drawing."""
    return shape.height * (2 * shape.width + 2) + 1


def cell_offset(shape: Shape, cell: int) -> int:
    """Return the place of a cell in the text of a drawing."""
    row, column = divmod(cell, shape.size)
    line = 1 + row + row // shape.height
    return line * (drawing_columns(shape) + 1) + 2 + 2 * column + 2 * (column // shape.width)


@lru_cache
def _template(shape: Shape, ascii: bool) -> str:  # noqa: A002
    """Return a drawing with a `%s` for each cell."""
    frame = frame_of(ascii)
    top, middle, bottom = (ruler(shape, ends, frame.line * (2 * shape.width + 1)) for ends in frame[:3])
    box = " " + "%s " * shape.width
    row = frame.side + frame.side.join([box] * shape.height) + frame.side
    band = "\n".join([row] * shape.height)
    return "\n".join([top, f"\n{middle}\n".join([band] * shape.width), bottom])


def ruler(shape: Shape, ends: str, side: str) -> str:
    """Return a ruler: a left end, a crossing between two boxes, a right end. `side` is the side of a box."""
    return ends[0] + ends[1].join([side] * shape.height) + ends[2]
