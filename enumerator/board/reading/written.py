"""Lines of our own, most of which name the shape: `Board("12…", "3x2")`, JSON, the address of the page."""

from __future__ import annotations

import re

from enumerator.board.board import Board
from enumerator.board.reading.entries import BoardError, Found
from enumerator.board.reading.rows import Rows
from enumerator.board.shape import ShapeLike

_WAYS = (
    re.compile(r'Board\("(?P<text>[^"\s]+)"(?:, "(?P<shape>[2-8]x[2-8])")?\)'),
    re.compile(r'\{.*?"(?:board|text)": ?"(?P<text>[^"\s]+)", ?"shape": ?"(?P<shape>[2-8]x[2-8])"'),
    re.compile(r"https?://[^\s#]+#(?P<shape>[2-8]x[2-8])/(?P<text>[^\s#]+)"),
)


def read_written(rows: Rows) -> Found | None:
    """Return the board of a line of our own; None for another line."""
    first = rows.peek(0)
    assert first, "there is a row"
    for match in filter(None, (way.search(first.text) for way in _WAYS)):
        shape = match["shape"] or rows.shape
        if rows.shape is not None and str(rows.shape) != str(shape):
            message = f"the line names boxes of {match['shape']}, not of {rows.shape}"
            return Found(1, BoardError(message, rows.source, first.line), first.line)
        return Found(1, _board_of(match["text"], shape, rows.source, first.line), first.line)
    return None


def _board_of(text: str, shape: ShapeLike | None, source: str, line: int) -> Board | BoardError:
    try:
        return Board(text, shape)
    except BoardError as error:
        return BoardError(error.message, source, line)
