"""Text to boards and back.

    grid    size rows of size symbols; spaces, commas and | between them, rulers and blank lines count for nothing
    line    size² symbols; what follows behind a space or a comma is ignored
    numbers as a grid or a line, but each cell is a number, separated by spaces or commas

An empty cell is one of `. 0 _ * ?`; the digits beyond 9 are letters. Lines that begin with # are
ignored. A file may hold any number of boards; they are read one at a time, so a file of any length
takes no more memory than a short one.

The size follows from the first row: n symbols are a row of an n×n board, or all of a board with n cells.
Only 16, 36 and 64 can be both. They are a board each unless n such rows follow each other that make a large
board without a contradiction, or with digits that a small one has not.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BufferedReader, RawIOBase, TextIOWrapper
from itertools import count, takewhile
from math import isqrt
from typing import Any, NamedTuple, TextIO, cast

from enumerator.board.board import Board
from enumerator.board.shape import LARGEST, SYMBOLS, Shape
from enumerator.board.wording import plural, printable

EMPTY = ".0_*?"
STANDARD_INPUT = "-"
PATIENCE = 10
"""After so many lines in a row that are no board, the rest of a text is left unread."""


LONGEST_LINE = 100_000
"""A 64×64 board in numbers takes 12,000 characters."""

_RULER = re.compile(r"[\s,|+=\-\u2500-\u257f]*")
_TOKEN = re.compile(r"[^\s,|\u2500-\u257f]+")
_NUMBER = re.compile(r"[0-9]{1,2}|[._*?]")
_LONGEST = LARGEST**2
_CAPITALS = SYMBOLS.index("Z") + 1
_NO_DIGIT = 255


class BoardError(ValueError):
    """Text that is no board. Says where: file, line and column, as far as they are known."""

    def __init__(self, message: str, source: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{printable(place)}: {message}")


class Entry(NamedTuple):
    """One board of a file, or what is wrong with it; its name says which one, where there may be several."""

    name: str
    line: int
    content: Board | BoardError


class Row(NamedTuple):
    """A line of text and its cells: a string of symbols, or a list of numbers."""

    line: int
    text: str
    cells: str | list[str]
    whole: bool
    """It is all of a board for certain."""
    digits: bytes = b""
    """Its digits, where that was clear at once: most boards are lines of nothing but digits."""

    @property
    def greatest(self) -> int:
        """The greatest digit in it, as far as what it holds are digits."""
        return max(_digit(cell, _LONGEST) or 0 for cell in self.cells)

    def column(self, index: int) -> int:
        """Where in the line a cell begins, from 1."""
        tokens = _TOKEN.finditer(self.text)
        if isinstance(self.cells, list):
            return list(tokens)[index].start() + 1
        return [column for token in tokens for column in range(token.start(), token.end())][index] + 1


# ---------------------------------------------------------------------------------------------- reading


def open_boards(name: str, shape: Shape | None = None) -> Iterator[Entry]:
    """Every board of a file, or of standard input if the name is "-"; at least one entry."""
    for part in open_blocks(name, shape):
        if isinstance(part, Entry):
            yield part
        else:
            yield from part.entries()


def _open(name: str) -> TextIOWrapper:
    """A file as text; standard input too, as a file of its own over the same descriptor."""
    place, owned = (0, False) if name == STANDARD_INPUT else (name, True)
    try:
        return open(place, encoding="utf-8", errors="surrogateescape", closefd=owned)
    except ValueError as error:  # a NUL in the name
        raise BoardError(str(error), name) from None


def _lines(file: TextIO, source: str, first: int = 1) -> Iterator[str]:
    """The lines of a file, none of them too long to keep."""
    for number in count(first):
        line = file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise BoardError(f"a line of more than {LONGEST_LINE:,} characters", source, number)
        if not line:
            return
        yield line


class Block(NamedTuple):
    """Boards of a file that stand on a line each, line after line."""

    source: str
    line: int
    """That of the first."""
    shape: Shape
    cells: bytes
    """Of all boards, one behind the other."""

    def entries(self) -> Iterator[Entry]:
        size = self.shape.cells
        for line, first in enumerate(range(0, len(self.cells), size), self.line):
            yield Entry(f"{self.source}:{line}", line, Board(self.shape, self.cells[first : first + size]))


BLOCK = 1 << 19
"""So many bytes of a file are looked at at a time."""


def open_blocks(name: str, shape: Shape | None = None) -> Iterator[Block | Entry]:
    """Every board of a file: many at a time while there is nothing else in it, then one by one; at least one entry."""
    source = "<stdin>" if name == STANDARD_INPUT else name
    found = False
    try:
        with _open(name) as text:
            file, rest, number = cast(BufferedReader, text.buffer), b"", 1
            while data := file.read1(BLOCK):
                *lines, rest = (rest + data).split(b"\n")
                block = _block(lines, source, number, shape) if lines else None
                plain = len(block.cells) // block.shape.cells if block else 0
                if block and plain:
                    found = True
                    yield block
                number += plain
                if plain < len(lines) or len(rest) > LONGEST_LINE:
                    rest = b"\n".join([*lines[plain:], rest])
                    break
            remaining = TextIOWrapper(BufferedReader(_Rest(rest, file)), encoding=text.encoding, errors=text.errors)
            for entry in parse(_lines(remaining, source, number), source, shape, number):
                found = True
                yield entry
        if not found:
            raise BoardError("no board in it", source)
    except BoardError as error:
        yield Entry(source, 0, error)
    except OSError as error:
        yield Entry(source, 0, BoardError(error.strerror or str(error), source))


def _block(lines: list[bytes], source: str, number: int, shape: Shape | None) -> Block | None:
    """The boards on the first of some lines, up to one that is anything else."""
    own = _cells_of(len(_stripped(lines[0])), shape)
    if own is None:
        return None
    if set(map(len, lines)) != {own.cells}:
        lines = list(takewhile(lambda line: len(line) == own.cells, map(_stripped, lines)))
    cells = b"".join(lines).translate(_translation(own.size))
    if _NO_DIGIT in cells:
        cells = cells[: cells.index(_NO_DIGIT) // own.cells * own.cells]
    return Block(source, number, own, cells)


def _stripped(line: bytes) -> bytes:
    """A line without its end; as it is, if it would be several lines of a text, or too long for one."""
    return line.removesuffix(b"\r").rstrip(b" \t") if len(line) < LONGEST_LINE else line


class _Rest(RawIOBase):
    """What was read of a file, and then what was not."""

    def __init__(self, read: bytes, file: BufferedReader) -> None:
        self._read, self._file = read, file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._read[: len(buffer)] if self._read else self._file.read1(len(buffer))
        self._read = self._read[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def read(path: str | os.PathLike[str], shape: Shape | None = None) -> Board:
    """The one board of a file."""
    name = os.fspath(path)
    return only(open_boards(name, shape), name)


def read_all(path: str | os.PathLike[str], shape: Shape | None = None) -> Iterator[Board]:
    """The boards of a file, one after the other."""
    for entry in open_boards(os.fspath(path), shape):
        if isinstance(entry.content, BoardError):
            raise entry.content
        yield entry.content


def only(entries: Iterable[Entry], source: str) -> Board:
    """The one board among entries."""
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


def parse(lines: Iterable[str], source: str, shape: Shape | None = None, number: int = 1) -> Iterator[Entry]:
    """The boards in a text, each an entry, and so is what is no board. The first line has this number.

    After a line that is no board the next one is looked at. Where the grid after a broken grid begins nobody
    can tell, so what follows it is skipped up to a board on a single line.
    """
    rows = _Rows(lines, shape, number)
    is_first, failures = number == 1, 0
    while failures < PATIENCE and (first := rows.take()) is not None:
        if first.digits:
            own = shape or _square(len(first.digits))
            assert own, "it is a board for certain"
            yield Entry(f"{source}:{first.line}", first.line, Board(own, first.digits))
            is_first, failures = False, 0
            continue
        grid = [first]
        whole = _line_shape(first, rows, shape)
        try:
            own = whole or shape or _grid_shape(first, source)
            while len(grid) < own.size == len(first.cells) and not rows.at_line() and (row := rows.take()) is not None:
                grid.append(row)
            content: Board | BoardError = _board(grid, own, source)
            failures = 0
        except BoardError as error:
            content = error
            failures += 1
        yield Entry(source if is_first and whole is None else f"{source}:{first.line}", first.line, content)
        is_first = False
        if isinstance(content, BoardError) and len(grid) > 1 and (skipped := rows.skip_to_line()):
            yield _failure(f"{plural(skipped, 'row')} behind a broken grid skipped", source, grid[-1].line + 1)
    if failures == PATIENCE and (row := rows.take()) is not None:
        yield _failure(f"given up: no board in {PATIENCE} lines; the rest was not read", source, row.line)


def _failure(message: str, source: str, line: int) -> Entry:
    return Entry(f"{source}:{line}", line, BoardError(message, source, line))


class _Rows:
    """The rows of a text that matter, with a look ahead."""

    def __init__(self, lines: Iterable[str], shape: Shape | None, number: int) -> None:
        self._rows = self._significant(lines, shape, number)
        self._ahead: deque[Row] = deque()

    def take(self) -> Row | None:
        return self._ahead.popleft() if self._ahead else next(self._rows, None)

    def peek(self, index: int) -> Row | None:
        while len(self._ahead) <= index and (row := next(self._rows, None)) is not None:
            self._ahead.append(row)
        return self._ahead[index] if index < len(self._ahead) else None

    def at_line(self) -> bool:
        """Whether what comes next is a board on a single line, for certain."""
        row = self.peek(0)
        return row is not None and row.whole

    def skip_to_line(self) -> int:
        """Go on to the next board on a single line; returns the number of rows before it."""
        skipped = 0
        while not self.at_line() and self.take() is not None:
            skipped += 1
        return skipped

    @staticmethod
    def _significant(lines: Iterable[str], shape: Shape | None, first: int) -> Iterator[Row]:
        for number, line in enumerate(lines, first):
            text = line.lstrip("\ufeff") if number == 1 else line
            if not (text.startswith("#") or _RULER.fullmatch(text)):
                yield _row(number, text, shape)


def _row(line: int, text: str, shape: Shape | None) -> Row:
    plain = text.rstrip()
    if plain.isascii() and (own := _cells_of(len(plain), shape)):
        digits = plain.encode().translate(_translation(own.size))
        if _NO_DIGIT not in digits:
            return Row(line, text, plain, whole=True, digits=digits)
    tokens = _TOKEN.findall(text)
    first = tokens[0]
    if _cells_of(len(first), shape) or (len(tokens) > 1 and shape is None and _square(len(first))):
        return Row(line, text, first, whole=True)  # the rest of the line is somebody's remark
    cells = tokens if len(tokens) > 1 and _are_numbers(tokens, shape) else "".join(tokens)
    return Row(line, text, cells, whole=_cells_of(len(cells), shape) is not None)


@lru_cache
def _cells_of(length: int, shape: Shape | None) -> Shape | None:
    """The shape of a board with so many cells, if they cannot be one row of a larger one."""
    if shape is not None:
        return shape if length == shape.cells else None
    return _square(length) if Shape.of_size(length) is None else None


@lru_cache
def _square(length: int) -> Shape | None:
    """The shape of a board with so many cells."""
    return Shape.of_size(isqrt(length)) if isqrt(length) ** 2 == length else None


def _are_numbers(tokens: list[str], shape: Shape | None) -> bool:
    """Whether tokens are one cell each. `12 34` is a row of four symbols, not of two numbers."""
    if not all(_NUMBER.fullmatch(token) for token in tokens):
        return False
    if shape is not None:
        return len(tokens) in (shape.size, shape.cells)
    greatest = max(int(token) if token.isdecimal() else 0 for token in tokens)
    sizes = _sizes(len(tokens))
    return any(greatest <= size for size in sizes) or bool(sizes and not _sizes(len("".join(tokens))))


def _sizes(length: int) -> list[int]:
    """The sizes of the boards that have so many cells in a row, or in all."""
    return [shape.size for shape in (Shape.of_size(length), _square(length)) if shape]


def _line_shape(first: Row, rows: _Rows, shape: Shape | None) -> Shape | None:
    """The shape of the board if the first row is all of it."""
    length = len(first.cells)
    if first.whole:
        return shape or _square(length)
    small = _square(length) if shape is None else None
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
    except BoardError:  # it will be found again, and named, in the line that it is in
        return small
    return small if any(large.conflicts()) else None


def _grid_shape(first: Row, source: str) -> Shape:
    """The shape of the board if the first row is one of several."""
    shape = Shape.of_size(len(first.cells))
    if shape is None:
        raise BoardError(
            f"{plural(len(first.cells), 'cell')} in a line: neither a row nor the whole of a board"
            " (a 9×9 board has rows of 9 cells, 81 in all)",
            source,
            first.line,
        )
    return shape


def _board(rows: list[Row], shape: Shape, source: str) -> Board:
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


def _digits(row: Row, shape: Shape, source: str) -> bytes:
    """The digits of a row's cells, 0 for empty."""
    if isinstance(row.cells, str) and row.cells.isascii():  # a table is 15 times as fast as a look at each symbol
        digits = row.cells.encode().translate(_translation(shape.size))
        if _NO_DIGIT not in digits:
            return digits
    values = []
    for index, cell in enumerate(row.cells):
        digit = _digit(cell, shape.size)
        if digit is None:
            message = f"'{printable(cell)}' is no digit of {shape.title}"
            raise BoardError(message, source, row.line, row.column(index))
        values.append(digit)
    return bytes(values)


def _digit(cell: str, size: int) -> int | None:
    """The digit that a symbol or a number means on a board of that size, 0 for empty."""
    if cell in EMPTY:
        return 0
    if cell.isdecimal() and cell.isascii():
        digit = int(cell)
    else:
        digit = SYMBOLS.find(cell) + 1
        if digit > _CAPITALS >= size:  # small letters have a meaning of their own on the largest boards only
            digit = SYMBOLS.find(cell.upper()) + 1
        digit = digit or _NO_DIGIT
    return digit if digit <= size else None


@lru_cache
def _translation(size: int) -> bytes:
    return bytes(_NO_DIGIT if (digit := _digit(chr(code), size)) is None else digit for code in range(256))


# ---------------------------------------------------------------------------------------------- writing


def as_grid(board: Board) -> str:
    """The board as rows of symbols, its boxes set apart by rulers; `.` is empty."""
    shape, symbols = board.shape, str(board)
    ruler = "+".join("-" * (2 * shape.width + (0 < stack < shape.height - 1)) for stack in range(shape.height))
    lines = []
    for row in range(shape.size):
        if row and row % shape.height == 0:
            lines.append(ruler)
        start = row * shape.size
        boxes = (symbols[cell : cell + shape.width] for cell in range(start, start + shape.size, shape.width))
        lines.append(" | ".join(map(" ".join, boxes)))
    return "\n".join(lines)


def as_numbers(board: Board) -> str:
    """The board as rows of numbers, 0 for empty."""
    size = board.shape.size
    rows = (board.cells[start : start + size] for start in range(0, board.shape.cells, size))
    return "\n".join(" ".join(map(str, row)) for row in rows)
