"""The table of formats, in the order in which they are tried on the next rows of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from enumerator.board.reading import addresses, blocks, lists, marks
from enumerator.board.reading.entries import Found
from enumerator.board.reading.rows import Rows


class Format(NamedTuple):
    """A format of boards."""

    signs: frozenset[str]
    """The format is tried if the next row has one of these characters; if empty, always."""
    read: Callable[[Rows], Found | None]
    """A function that returns the board in the next rows, or None. It removes no rows."""


BEFORE_GRIDS = (
    Format(frozenset("/"), addresses.read_link),
    Format(frozenset("[("), lists.read_list),
    Format(frozenset("│┃║|"), marks.read_drawing),
    Format(frozenset("│┃║|"), blocks.read_boxes),
    Format(frozenset(",;\t|│┃║"), blocks.read_fields),
    Format(frozenset("-"), blocks.read_dashes),
    Format(frozenset(), marks.read_cube),
    Format(frozenset(), marks.read_split_cube),
)
"""Formats that can be told from a grid, and of which a grid reader would read a part."""

BEHIND_GRIDS = (
    Format(frozenset(), marks.read_words),
    Format(frozenset(" "), blocks.read_blanks),
)
"""Formats that are tried where there is no grid."""


def read_with(formats: tuple[Format, ...], rows: Rows) -> Found | None:
    """Return the board that the first of `formats` finds in the next rows; None if there is none."""
    first = rows.peek(0)
    assert first, "there is a row"
    for signs, read in formats:
        if not (signs and signs.isdisjoint(first.text)) and (found := read(rows)) is not None:
            return found
    return None
