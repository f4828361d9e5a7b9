"""The table of formats, in the order in which they are tried on the next rows of a text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from enumerator.board.reading.entries import Found
from enumerator.board.reading.rows import Rows, TextRow, may_be_marks, names_shape
from enumerator.board.shape import LARGEST, SMALLEST, Shape
from enumerator.board.symbols import EMPTY

_COUNTING = re.compile(r"[\s,;]*(?:0[\s,;]+1|1[\s,;]+2)[\s,;]+[23]\b")
"""A line that begins with the numbers 0, 1, 2 or 1, 2, 3."""


_ADJACENT = re.compile(r"\S\S")
_GAP = re.compile(r"^ | {3}")
"""An empty cell in a line with a blank between its columns."""

_CUBES = frozenset(size**3 for size in range(SMALLEST**2, LARGEST**2 + 1))
_LONG_WORD = re.compile(rf"\S{{{SMALLEST**6}}}")
"""A word that is as long as all pencil marks of the smallest board."""

_FIRST_MARKS = frozenset("1" + EMPTY)
"""What may be at the first place of a cell's pencil marks: that is the place of digit 1."""


class Format(NamedTuple):
    """A format of boards. Its module is imported when it is first tried."""

    signs: frozenset[str]
    """The format is tried if the next row has one of these characters; if empty, always."""
    module: str
    function: str
    """A function that returns the board in the next rows, or None. It removes no rows."""
    is_possible: Callable[[Rows], bool] = bool
    """A function that returns False for rows that certainly have another format."""


class FormatTable(NamedTuple):
    """Formats in the order in which they are tried, and those that lines of letters, digits and blanks may have."""

    formats: tuple[Format, ...]
    of_words: tuple[Format, ...]


def _begins_with_numbers(rows: Rows) -> bool:
    first = rows.peek(0)
    return first is not None and _COUNTING.match(first.text) is not None


def _may_be_typed(rows: Rows) -> bool:
    """Return False for lines that are certainly not typed with a blank between columns and blank cells."""
    first = rows.peek(0)
    if first is None or first.words is None or _ADJACENT.search(first.text):
        return False
    return _typed_gap(first) or (len(first.text) > 2 and _typed_gap(rows.peek(1)))  # the first row may be full


def _typed_gap(row: TextRow | None) -> bool:
    """Return True if a row has a gap that is an empty cell, and no symbols side by side."""
    return row is not None and _GAP.search(row.text) is not None and _ADJACENT.search(row.text) is None


def _is_square(rows: Rows) -> bool:
    first = rows.peek(0)
    return first is not None and (rows.shape or Shape.of_size(len(first.text))) is not None


def _may_be_cube(rows: Rows) -> bool:
    first = rows.peek(0)
    if first is None or len(first.text) < SMALLEST**6:
        return False
    return len(first.cells) in _CUBES or _LONG_WORD.search(first.text) is not None


def _is_cell_or_row_of_marks(rows: Rows) -> bool:
    first = rows.peek(0)
    if first is None or not first.cells or first.cells[0] not in _FIRST_MARKS:
        return False
    length, symbols = len(first.cells), "".join(first.cells)
    shapes = (rows.shape, Shape.of_size(length), Shape.of_cells(length))
    return any(may_be_marks(symbols, shape.size) for shape in shapes if shape)


def _table(*formats: Format) -> FormatTable:
    return FormatTable(formats, tuple(way for way in formats if not way.signs or " " in way.signs))


BEFORE_GRIDS = _table(
    Format(frozenset('"#'), "written", "read_written", lambda rows: names_shape(rows.peek(0))),
    Format(frozenset("/"), "addresses", "read_link"),
    Format(frozenset("[("), "nested", "read_list"),
    Format(frozenset(), "labels", "read_labelled", _begins_with_numbers),
    Format(frozenset(" "), "blocks", "read_square", _is_square),
    Format(frozenset(" "), "blocks", "read_typed", _may_be_typed),
    Format(frozenset("│┃║|"), "marks", "read_drawing"),
    Format(frozenset("│┃║|"), "blocks", "read_boxes"),
    Format(frozenset(",;\t|│┃║"), "blocks", "read_fields"),
    Format(frozenset("-"), "blocks", "read_dashes"),
    Format(frozenset(), "marks", "read_cube", _may_be_cube),
    Format(frozenset(), "marks", "read_split_cube", _is_cell_or_row_of_marks),
)
"""Formats that can be told from a grid, and of which a grid reader would read a part."""

WORDS = _table(Format(frozenset(), "marks", "read_words"))

BEHIND_GRIDS = _table(
    *WORDS.formats,
    Format(frozenset(" "), "blocks", "read_blanks"),
)
"""Formats that are tried where there is no grid."""


def read_with(table: FormatTable, rows: Rows) -> Found | None:
    """Return the board that the first format of a table finds in the next rows; None if there is none."""
    first = rows.peek(0)
    assert first, "there is a row"
    formats, symbols = (table.of_words, first.text) if first.words else (table.formats, frozenset(first.text))
    for signs, module, function, is_possible in formats:
        if (signs and signs.isdisjoint(symbols)) or not is_possible(rows):
            continue
        if (found := _reader(module, function)(rows)) is not None:
            return found
    return None


@cache
def _reader(module: str, function: str) -> Callable[[Rows], Found | None]:
    """Return the function of a format."""
    read: Callable[[Rows], Found | None] = getattr(import_module(f"{__package__}.{module}"), function)
    return read
