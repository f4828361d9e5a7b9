"""The first board of a text, with all that is needed to show it."""

from __future__ import annotations

from dataclasses import dataclass

from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, parse

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


def read_first(text: str, shape: Shape | None = None) -> ReadAnswer:
    """Return the first board of a text. Raise BoardError if the text begins with none.

    The text is never taken for the name of a file.
    """
    entries = parse(text.splitlines(keepends=True), SOURCE, shape)
    first = next(entries, None)
    if first is None:
        raise BoardError("there is no board in the text", SOURCE)
    if isinstance(first.content, BoardError):
        raise first.content
    second = next(entries, None)
    if second is None:
        return ReadAnswer(first.content, first.remarks)
    return ReadAnswer(first.content, (*first.remarks, MORE_BOARDS if isinstance(second.content, Board) else MORE_TEXT))


def explain(error: BoardError) -> str:
    """Return what is wrong with a text that is not a board, with the line and the column if they are known."""
    places = (("line", error.line), ("column", error.column))
    place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
    return f"{place}: {error.message}" if place else error.message
