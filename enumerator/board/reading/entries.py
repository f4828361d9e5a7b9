"""What reading a text yields: boards, errors in the place of boards, and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from warnings import warn

from enumerator.board.board import Board
from enumerator.text.errors import EnumeratorError
from enumerator.text.phrases import printable


class BoardError(EnumeratorError, ValueError):
    """Text that is not a board: a ValueError that knows where.

    >>> try:
    ...     en.Board("123x .... .... ....")
    ... except en.BoardError as error:
    ...     error.source, error.line, error.column, error.message
    ('<text>', 1, 4, "'x' is no digit of a 4×4 board")
    """

    message: str
    """What is wrong, without the place."""
    source: str
    """The name of the file; "<stdin>" for standard input, "<text>" for a text."""
    line: int | None
    """The line, counted from 1; None if it is not known."""
    column: int | None
    """The column, counted from 1; None if it is not known."""

    def __init__(self, message: str, source: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{printable(place)}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.source, self.line, self.column)


class Entry(NamedTuple):
    """A board of a text, or a BoardError in its place.

    `name` is the name of the text with the line in which the board begins. `remarks` are sentences
    about the way in which the board was read, where another way was possible.
    """

    name: str
    line: int
    content: Board | BoardError
    remarks: tuple[str, ...] = ()


class Found(NamedTuple):
    """A board in the next rows of a text, or a BoardError in its place."""

    taken: int
    """The number of rows that belong to it."""
    content: Board | BoardError
    line: int
    """The line in which it begins."""
    remarks: tuple[str, ...] = ()
    others: tuple[tuple[int, Board | BoardError], ...] = ()
    """Further boards of the same rows, each with its line."""


_DOUBT = re.compile(r"[\d,]+ symbols: read as ")
"""The remark on symbols that are the clues of a board, or the pencil marks of a smaller one."""


def warn_of_other_readings(remarks: Iterable[str]) -> None:
    """Warn a caller from Python of symbols that can also be another board, as the command prints it.

    Without a warning, the text of a board might be read as another board in silence. Remarks on grids, drawings
    and letters are for people who look at one board.
    """
    for remark in remarks:
        if _DOUBT.match(remark):
            warn(re.sub(r"--shape (\d+x\d+)", r'shape="\1"', remark), stacklevel=2)


def single_board(entries: Iterable[Entry], source: str, hint: str = "") -> Board:
    """Return the only board of `entries`, and warn of other readings; raise a BoardError if there is not exactly one.

    `hint` says what to do if there are several.
    """
    boards = []
    for entry in entries:
        if isinstance(entry.content, BoardError):
            raise entry.content
        boards.append(entry.content)
        warn_of_other_readings(entry.remarks)
        if len(boards) > 1:
            raise BoardError(f"more than one board{hint}", source, entry.line)
    if not boards:
        raise BoardError("no board in it", source)
    return boards[0]
