"""Boards as text: the first board of a text, with all that is needed to show it, and links to other sites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from time import monotonic

from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, parse
from enumerator.questions.fields import BOARD, Field, to_dict

SOURCE = "the text"
"""The name of the text in messages."""

MORE_BOARDS = "the text has more than one board: this is the first"

MORE_TEXT = "the text below the board is not read"


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """A board, and remarks on the way in which its text was read."""

    board: Board
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the board in several forms.

        `text` with `shape` is read as the same board again. `cells` are digits, 0 for an empty cell.
        `allowed` has the digits that each cell allows, or is None without pencil marks.
        """
        board, shape = self.board, self.board.shape
        digits = range(1, shape.size + 1)
        marks = board.allowed and [[digit for digit in digits if mask >> digit - 1 & 1] for mask in board.allowed]
        return {
            "text": str(board),
            "shape": str(shape),
            "size": shape.size,
            "box": [shape.height, shape.width],
            "cells": list(board.cells),
            "allowed": marks,
            "symbols": shape.symbols,
            "messages": list(self.remarks),
        }


class _Lines:
    """The lines of a text, as far as they are read within a time limit."""

    def __init__(self, text: str, seconds: float) -> None:
        self._lines, self._end = text.splitlines(keepends=True), monotonic() + seconds
        self.is_late = False

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            yield line
            if monotonic() >= self._end:
                self.is_late = True
                return


def read_first(text: str, shape: Shape | None = None, *, time_limit: float = inf) -> ReadAnswer:
    """Return the first board of a text. Raise BoardError if the text begins with none.

    The text is never taken for the name of a file. Raise BoardError as well if the board is not read
    within `time_limit` seconds; what stands below it is ignored after that time.
    """
    lines = _Lines(text, time_limit)
    entries = parse(lines, SOURCE, shape)
    first = next(entries, None)
    if lines.is_late:  # the board may lack lines
        raise BoardError(f"no board was found within {time_limit:g} s: give the board without other text", SOURCE)
    if first is None:
        raise BoardError("there is no board in the text", SOURCE)
    if isinstance(first.content, BoardError):
        raise first.content
    second = next(entries, None)
    if second is None and not lines.is_late:
        return ReadAnswer(first.content, first.remarks)
    is_board = second is not None and isinstance(second.content, Board)
    return ReadAnswer(first.content, (*first.remarks, MORE_BOARDS if is_board else MORE_TEXT))


def explain(error: BoardError) -> str:
    """Return what is wrong with a text that is not a board, with the line and the column if they are known."""
    places = (("line", error.line), ("column", error.column))
    place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
    return f"{place}: {error.message}" if place else error.message


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """A link to a board."""

    board: Board
    site: str
    link: str

    def to_dict(self) -> dict[str, object]:
        return to_dict(LINK_FIELDS, self)


LINK_FIELDS = (BOARD, Field("site", lambda answer: answer.site), Field("link", lambda answer: answer.link))


def link(board: Board, site: str) -> LinkAnswer:
    """Return the link to a board on a site. Raise ValueError if the site has no such boards."""
    return LinkAnswer(board, site, board.link(site))
