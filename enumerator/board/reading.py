"""Text to boards, one at a time. Reading files is in `enumerator.board.files`.

    grid      size rows of size symbols; spaces, commas, |, rulers and blank lines are ignored
    line      size² symbols; anything after a space or a comma is ignored
    numbers   a grid or a line with a number for each cell, separated by spaces or commas

An empty cell is one of `. 0 _ * ?`. Digits above 9 are letters. Lines that begin with # are
ignored.

The size follows from the first row: n symbols are a row of an n×n board, or all of a board with n
cells. Only 16, 36 and 64 symbols can be either. They are read as a whole board, with two
exceptions: n such rows in sequence are one n×n board if they do not contradict each other, or if
they contain digits that the small board does not have.

A text is read in three steps: lines become rows of cells (`_read_row`), rows are collected until
they make a board (`parse`), and cells become digits (`_board`).

To add an input format:

1. Write a RowFormat: a function that returns the cells of a line, or None for any other line.
   If the line holds a whole board, set `whole`: the board then takes no further line.
2. Add it to ROW_FORMATS, before the first format that would read the same line differently.
3. If it has lines without cells, such as a title, drop them in `_is_ignored`.
4. If it has symbols of its own, add them to `enumerator.board.symbols`.
5. If its cells are not the line's first tokens, adapt `TextRow.column`, which errors use.
6. Add examples to tests/board/test_reading.py and a seed for `python -m bench fuzz boards`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from enumerator.board.board import Board
from enumerator.board.phrases import plural, printable
from enumerator.board.shape import LARGEST, Shape
from enumerator.board.symbols import NO_DIGIT, digit_of, digit_table

_RULER = re.compile(r"[\s,|+=\-\u2500-\u257f]*")
_TOKEN = re.compile(r"[^\s,|\u2500-\u257f]+")
_NUMBER = re.compile(r"[0-9]{1,2}|[._*?]")
_MAX_SIZE = LARGEST**2


class BoardError(ValueError):
    """Text that is not a board.

    The message gives the file, line and column as far as they are known.
    """

    def __init__(self, message: str, source: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{printable(place)}: {message}")


class Entry(NamedTuple):
    """A board of a text, or a BoardError in its place.

    `name` is the name of the text and the number of the board's first line: `boards/1c.txt:1`. If
    no line of the text can be read, it is the name of the text.
    """

    name: str
    line: int
    content: Board | BoardError


class RowCells(NamedTuple):
    """The cells of a line: a string of symbols, or a list of numbers."""

    cells: str | list[str]
    whole: bool
    """True if the cells are certainly all cells of a board."""


RowFormat = Callable[[list[str], Shape | None], RowCells | None]
"""A format of lines: a function from the tokens of a line and the shape, if known, to cells.

Tokens are separated by blanks, commas, | and box-drawing characters; there is at least one.
"""


class TextRow(NamedTuple):
    """A line of text and its cells."""

    line: int
    text: str
    cells: str | list[str]
    whole: bool
    digits: bytes = b""
    """The digits of a line that is a whole board and nothing else; otherwise empty.

    Most lines are such a board. Their digits need no further parsing.
    """

    @property
    def greatest(self) -> int:
        """The greatest digit of the row. Cells that are not digits are ignored."""
        return max(digit_of(cell, _MAX_SIZE) or 0 for cell in self.cells)

    def column(self, index: int) -> int:
        """Return the column of the text, counted from 1, in which cell `index` begins."""
        tokens = _TOKEN.finditer(self.text)
        if isinstance(self.cells, list):
            return list(tokens)[index].start() + 1
        return [column for token in tokens for column in range(token.start(), token.end())][index] + 1


# --------------------------------------------------------------------------------- text to entries


def parse(lines: Iterable[str], source: str, shape: Shape | None = None, number: int = 1) -> Iterator[Entry]:
    """Yield the boards and the errors of a text. `number` is the line number of its first line.

    After a line that is not a board, parsing continues with the next line. After an invalid grid,
    the start of the next grid is unknown, so rows are skipped up to a board on a single line.
    """
    rows = _Rows(lines, shape, number)
    while (first := rows.take()) is not None:
        if first.digits:
            own = shape or Shape.of_cells(len(first.digits))
            assert own, "a row with digits is a whole board"
            yield Entry(f"{source}:{first.line}", first.line, Board.from_valid(own, first.digits))
            continue
        grid = [first]
        whole = _whole_shape(first, rows, shape)
        try:
            own = whole or shape or _grid_shape(first, source)
            while len(grid) < own.size == len(first.cells) and not rows.at_board() and (row := rows.take()) is not None:
                grid.append(row)
            content: Board | BoardError = _board(grid, own, source)
        except BoardError as error:
            content = error
        yield Entry(f"{source}:{first.line}", first.line, content)
        if isinstance(content, BoardError) and len(grid) > 1 and (skipped := rows.skip_to_board()):
            yield _failure(f"{plural(skipped, 'row')} behind a broken grid skipped", source, grid[-1].line + 1)


def single_board(entries: Iterable[Entry], source: str) -> Board:
    """Return the only board of `entries`; raise a BoardError if there is not exactly one."""
    boards = []
    for entry in entries:
        if isinstance(entry.content, BoardError):
            raise entry.content
        boards.append(entry.content)
        if len(boards) > 1:
            raise BoardError("more than one board", source, entry.line)
    if not boards:
        raise BoardError("no board in it", source)
    return boards[0]


def _failure(message: str, source: str, line: int) -> Entry:
    return Entry(f"{source}:{line}", line, BoardError(message, source, line))


# ----------------------------------------------------------------------------------- lines to rows


class _Rows:
    """The rows of a text, with look-ahead."""

    def __init__(self, lines: Iterable[str], shape: Shape | None, number: int) -> None:
        self._rows = self._read(lines, shape, number)
        self._ahead: deque[TextRow] = deque()

    def take(self) -> TextRow | None:
        return self._ahead.popleft() if self._ahead else next(self._rows, None)

    def peek(self, index: int) -> TextRow | None:
        while len(self._ahead) <= index and (row := next(self._rows, None)) is not None:
            self._ahead.append(row)
        return self._ahead[index] if index < len(self._ahead) else None

    def at_board(self) -> bool:
        """Return True if the next row is certainly a board on a single line."""
        row = self.peek(0)
        return row is not None and row.whole

    def skip_to_board(self) -> int:
        """Skip to the next board on a single line, and return the number of rows skipped."""
        skipped = 0
        while not self.at_board() and self.take() is not None:
            skipped += 1
        return skipped

    @staticmethod
    def _read(lines: Iterable[str], shape: Shape | None, first: int) -> Iterator[TextRow]:
        for number, line in enumerate(lines, first):
            text = line.lstrip("\ufeff") if number == 1 else line
            if not _is_ignored(text):
                yield _read_row(number, text, shape)


def _is_ignored(text: str) -> bool:
    """Return True for a line without cells: a comment, a ruler or a blank line."""
    return text.startswith("#") or _RULER.fullmatch(text) is not None


def _read_row(line: int, text: str, shape: Shape | None) -> TextRow:
    plain = text.rstrip()
    if plain.isascii() and (own := one_line_shape(len(plain), shape)):
        digits = plain.encode().translate(digit_table(own.size))
        if NO_DIGIT not in digits:
            return TextRow(line, text, plain, True, digits)
    tokens = _TOKEN.findall(text)
    for row_format in ROW_FORMATS:
        if (found := row_format(tokens, shape)) is not None:
            return TextRow(line, text, found.cells, found.whole)
    raise AssertionError("the last format accepts every line")


def _line_with_remark(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the first token if it is a whole board. The rest of the line is then a comment."""
    first = tokens[0]
    if one_line_shape(len(first), shape) or (len(tokens) > 1 and shape is None and Shape.of_cells(len(first))):
        return RowCells(first, whole=True)
    return None


def _numbers(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the tokens if each of them is the number of a cell."""
    if len(tokens) > 1 and _are_numbers(tokens, shape):
        return RowCells(tokens, whole=one_line_shape(len(tokens), shape) is not None)
    return None


def _symbols(tokens: list[str], shape: Shape | None) -> RowCells:
    """Return every character as the symbol of a cell."""
    cells = "".join(tokens)
    return RowCells(cells, whole=one_line_shape(len(cells), shape) is not None)


ROW_FORMATS: tuple[RowFormat, ...] = (_line_with_remark, _numbers, _symbols)
"""The formats of lines, in the order in which they are tried. The last one accepts every line."""


def _are_numbers(tokens: list[str], shape: Shape | None) -> bool:
    """Return True if each token is one cell.

    `12 34` is a row of four symbols, not of two numbers.
    """
    if not all(_NUMBER.fullmatch(token) for token in tokens):
        return False
    if shape is not None:
        return len(tokens) in (shape.size, shape.cells)
    greatest = max(int(token) if token.isdecimal() else 0 for token in tokens)
    sizes = _sizes(len(tokens))
    return any(greatest <= size for size in sizes) or bool(sizes and not _sizes(len("".join(tokens))))


def _sizes(length: int) -> list[int]:
    """Return the sizes of boards that have `length` cells per row, or `length` cells in total."""
    return [shape.size for shape in (Shape.of_size(length), Shape.of_cells(length)) if shape]


# ---------------------------------------------------------------------------------- rows to boards


@lru_cache
def one_line_shape(length: int, shape: Shape | None) -> Shape | None:
    """Return the shape of a board with `length` cells; None if they may also be a single row."""
    if shape is not None:
        return shape if length == shape.cells else None
    return Shape.of_cells(length) if Shape.of_size(length) is None else None


def _whole_shape(first: TextRow, rows: _Rows, shape: Shape | None) -> Shape | None:
    """Return the shape of the board if the row `first` is the whole board; otherwise None."""
    length = len(first.cells)
    if first.whole:
        return shape or Shape.of_cells(length)
    small = Shape.of_cells(length) if shape is None else None
    if small is None or small.size < first.greatest <= length:
        return None
    block = [first]
    for index in range(length - 1):
        row = rows.peek(index)
        if row is None or len(row.cells) != length:
            return small
        block.append(row)
    if any(row.greatest > small.size for row in block):
        return None
    try:
        large = _board(block, _grid_shape(first, ""), "")
    except BoardError:  # parsing the small board finds and reports the same error
        return small
    return small if any(large.conflicts()) else None


def _grid_shape(first: TextRow, source: str) -> Shape:
    """Return the shape of a board with the row `first`; raise a BoardError if there is none."""
    shape = Shape.of_size(len(first.cells))
    if shape is None:
        raise BoardError(
            f"{plural(len(first.cells), 'cell')} in a line: neither a row nor the whole of a board"
            " (a 9×9 board has rows of 9 cells, 81 in all)",
            source,
            first.line,
        )
    return shape


def _board(rows: list[TextRow], shape: Shape, source: str) -> Board:
    """Return the board that `rows` make; raise a BoardError if they do not make one."""
    digits = bytearray()
    wanted = shape.cells if len(rows[0].cells) == shape.cells else shape.size
    for row in rows:
        if (found := len(row.cells)) != wanted:
            message = f"{plural(found, 'cell')} where a row of {shape.title} has {wanted}"
            raise BoardError(message, source, row.line, row.column(wanted) if found > wanted else None)
        digits += _digits(row, shape, source)
    if len(digits) < shape.cells:
        message = f"{plural(len(rows), 'row')} where {shape.title} has {shape.size}"
        raise BoardError(message, source, rows[-1].line)
    return Board(shape, bytes(digits))


def _digits(row: TextRow, shape: Shape, source: str) -> bytes:
    """Return the digits of a row's cells, 0 for empty."""
    if isinstance(row.cells, str) and row.cells.isascii():  # a table is 15 times as fast as the loop
        digits = row.cells.encode().translate(digit_table(shape.size))
        if NO_DIGIT not in digits:
            return digits
    values = []
    for index, cell in enumerate(row.cells):
        digit = digit_of(cell, shape.size)
        if digit is None:
            message = f"'{printable(cell)}' is no digit of {shape.title}"
            raise BoardError(message, source, row.line, row.column(index))
        values.append(digit)
    return bytes(values)
