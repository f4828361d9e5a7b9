"""Several boards on one line: `53..7…, 6..19…`, or an array of strings in JSON.

A word with as many symbols as the first board is a board of its own. A filled board is left out if it
is a solution of the board beside it: that is a table of puzzles and solutions. Names, ratings and what
follows a # are ignored.
"""

from __future__ import annotations

import re

from enumerator.board.board import Board
from enumerator.board.reading.cells import board_of_symbols
from enumerator.board.reading.entries import BoardError
from enumerator.board.reading.grids import NEAR_CELLS
from enumerator.board.reading.rows import TextRow
from enumerator.board.symbols import EMPTY, digit_of
from enumerator.text.phrases import plural, printable

_WORD = re.compile(r"[^\s,;|\"'`\[\](){}<>:/=\u2500-\u257f]+")

LEAST_FAULTY_CELLS = 81
"""The cells of the smallest board for which a word is a faulty board: shorter words may be numbers or dates."""

_SYMBOLS = re.compile(rf"[0-9{re.escape(EMPTY)}-]")


def boards_on_line(row: TextRow, first: Board, source: str) -> list[Board | BoardError]:
    """Return `first`, with which the boards of a line begin, and the others on it, without solutions of them."""
    found: list[Board | BoardError] = [first]
    words = _WORD.finditer(row.text.partition("#")[0])
    is_first = isinstance(row.cells, str)
    for match in words:
        if is_first:  # everything up to the first board was read before
            is_first = match[0] != row.cells
            continue
        if (other := _board_of(match[0], match.start(), row, first, source)) is None:
            continue
        latest = found[-1]
        if isinstance(other, BoardError) or isinstance(latest, BoardError):
            found.append(other)
        elif _is_solution(latest, other):
            found[-1] = other
        elif not _is_solution(other, latest):
            found.append(other)
    return found


def _board_of(word: str, start: int, row: TextRow, first: Board, source: str) -> Board | BoardError | None:
    """Return the board of a word, or what is wrong with it; None if it was not meant as a board."""
    shape = first.shape
    if len(word) == shape.cells and (read := board_of_symbols(word, shape)) is not None:
        return read.board
    is_near = abs(len(word) - shape.cells) <= NEAR_CELLS and shape.cells >= LEAST_FAULTY_CELLS
    if not is_near or len(word) - len(_SYMBOLS.findall(word)) > NEAR_CELLS:
        return None
    if len(word) != shape.cells:
        message = f"{plural(len(word), 'cell')} where {shape.title} has {shape.cells}"
        return BoardError(message, source, row.line, start + 1)
    place, wrong = next((at, symbol) for at, symbol in enumerate(word) if digit_of(symbol, shape.size) is None)
    return BoardError(f"'{printable(wrong)}' is no digit of {shape.title}", source, row.line, start + place + 1)


def _is_solution(filled: Board, board: Board) -> bool:
    """Return True if `filled` has a digit in each cell, and those of `board` among them."""
    if filled.empty_cells or not board.empty_cells:
        return False
    return all(clue in (0, digit) for clue, digit in zip(board.cells, filled.cells, strict=True))
