"""Reading boards from files and from standard input.

`enumerator.board.reading` defines the formats, and `enumerator.board.sources` opens files. A file is
read in blocks as long as each line is one board and nothing else; `bytes.translate` converts a
whole block. From the first other line on, boards are read one at a time. Either way, memory does
not grow with the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import BufferedReader, RawIOBase, TextIOWrapper
from itertools import count, takewhile
from typing import Any, NamedTuple, TextIO

from enumerator.board.board import Board
from enumerator.board.plain import HEXADECIMAL_SIZE, is_hexadecimal
from enumerator.board.reading import BoardError, Entry, Parser, one_line_shape, single_board
from enumerator.board.reading.parser import is_split
from enumerator.board.shape import LARGEST, Shape
from enumerator.board.sources import ByteSource, open_source
from enumerator.board.symbols import NO_DIGIT, digit_table

STANDARD_INPUT = "-"
"""The file name that means standard input."""

MAX_LINE_CHARACTERS = 100_000
"""The longest line that is read, in characters. A 64×64 board written in numbers takes 12,000."""

BLOCK_BYTES = 1 << 19
"""The number of bytes of a file that are read at a time."""


class Meter:
    """Counts the bytes of a file that have been read as boards, not those that were read ahead."""

    __slots__ = ("bytes",)

    def __init__(self) -> None:
        self.bytes = 0


class Block(NamedTuple):
    """Boards on consecutive lines of a file, one per line."""

    source: str
    line: int
    """The line number of the first board."""
    shape: Shape
    cells: bytes
    """The cells of all boards, concatenated."""
    remarks: tuple[str, ...] = ()
    """The remarks on the first board."""

    def entries(self) -> Iterator[Entry]:
        """Yield the boards one by one."""
        size = self.shape.cells
        for line, first in enumerate(range(0, len(self.cells), size), self.line):
            board = Board.from_valid(self.shape, self.cells[first : first + size])
            yield Entry(f"{self.source}:{line}", line, board, () if first else self.remarks)


def read(path: str | os.PathLike[str], shape: Shape | None = None) -> Board:
    """Return the board in a file; raise a BoardError if there is not exactly one."""
    name = os.fspath(path)
    return single_board(open_boards(name, shape), name)


def read_all(path: str | os.PathLike[str], shape: Shape | None = None) -> Iterator[Board]:
    """Yield the boards of a file one at a time; raise a BoardError at the first invalid one."""
    for entry in open_boards(os.fspath(path), shape):
        if isinstance(entry.content, BoardError):
            raise entry.content
        yield entry.content


def open_boards(name: str, shape: Shape | None = None) -> Iterator[Entry]:
    """Yield every board of a file, or of standard input if `name` is "-".

    At least one entry is yielded: a BoardError if the file has no board.
    """
    for part in open_blocks(name, shape):
        if isinstance(part, Entry):
            yield part
        else:
            yield from part.entries()


def open_blocks(name: str, shape: Shape | None = None, meter: Meter | None = None) -> Iterator[Block | Entry]:
    """Yield every board of a file: in blocks while each line is a board, then one by one.

    At least one item is yielded: a BoardError if the file has no board. `meter` counts the bytes of
    the text up to the end of the item.
    """
    meter = meter or Meter()
    source = "<stdin>" if name == STANDARD_INPUT else name
    found = False
    try:
        with open_source(0 if name == STANDARD_INPUT else name, source) as file:
            rest, number = b"", 1
            own: Shape | None = None
            while data := file.read1(BLOCK_BYTES):
                *lines, rest = (rest + data).split(b"\n")
                if not lines and len(rest) <= MAX_LINE_CHARACTERS:
                    continue
                remarks: tuple[str, ...] = ()
                if lines and number == 1:
                    if wanted := _lines_to_choose(lines[0], shape):
                        while len(lines) <= wanted and (data := file.read1(BLOCK_BYTES)):
                            *more, rest = (rest + data).split(b"\n")
                            lines += more
                    own, remarks = _choose_shape([*lines, rest][: wanted or 1], source, shape)
                block = _read_block(lines, source, number, own) if lines and own else None
                boards = len(block.cells) // block.shape.cells if block else 0
                if block and boards:
                    found = True
                    meter.bytes += len(block.cells) + boards
                    yield block._replace(remarks=remarks) if remarks else block
                number += boards
                if boards < len(lines) or len(rest) > MAX_LINE_CHARACTERS:
                    rest = b"\n".join([*lines[boards:], rest])
                    break
            remaining = TextIOWrapper(BufferedReader(_Rest(rest, file)), "utf-8", "surrogateescape")
            parser = Parser(_lines(remaining, source, number, meter), source, shape, number)
            parser.go_on(own if found else None)
            for entry in parser.entries():
                found = True
                yield entry
        if not found:
            raise BoardError("no board in it", source)
    except BoardError as error:
        yield Entry(source if error.line is None else f"{source}:{error.line}", error.line or 0, error)
    except OSError as error:
        yield Entry(source, 0, BoardError(error.strerror or str(error), source))


def _lines_to_choose(line: bytes, shape: Shape | None) -> int:
    """Return the number of lines that tell if a line is a board or a row; 0 if one line is enough."""
    length = len(_strip(line))
    return 2 * length if shape is None and Shape.of_size(length) and Shape.of_cells(length) else 0


def _choose_shape(lines: list[bytes], source: str, shape: Shape | None) -> tuple[Shape | None, tuple[str, ...]]:
    """Return the shape of the boards of a file that begins with `lines`, if each line is a board.

    Return None if it may be otherwise. The remarks are those on the first board.
    """
    length = len(_strip(lines[0]))
    if (own := one_line_shape(length, shape)) is not None:
        return (None if is_split(lines[0].decode("latin-1").rstrip()) else own), ()
    texts = [_strip(line) for line in lines]
    symbols = digit_table(LARGEST**2)
    if any(len(text) != length or NO_DIGIT in text.translate(symbols) for text in texts if text):
        return None, ()
    parser = Parser((text.decode() for text in texts), source, shape, 1)
    first = next(parser.entries(), None)
    if first is None or not isinstance(first.content, Board) or parser.grids.small_run != length:
        return None, ()
    return first.content.shape, first.remarks


def _read_block(lines: list[bytes], source: str, number: int, own: Shape) -> Block:
    """Return the boards at the start of `lines`, up to the first line that is not a board."""
    if set(map(len, lines)) != {own.cells}:
        lines = list(takewhile(lambda line: len(line) == own.cells, map(_strip, lines)))
    text = b"".join(lines)
    cells = text.translate(digit_table(own.size))
    if NO_DIGIT in cells:
        cells = cells[: cells.index(NO_DIGIT) // own.cells * own.cells]
    if own.size == HEXADECIMAL_SIZE and b"0" in text:
        boards = takewhile(lambda line: not is_hexadecimal(line.decode("latin-1")), lines)
        cells = cells[: sum(map(len, boards))]
    return Block(source, number, own, cells)


def _strip(line: bytes) -> bytes:
    """Return a line without trailing blanks.

    A line that is too long is unchanged: `_lines` reports it.
    """
    return line.removesuffix(b"\r").rstrip(b" \t") if len(line) < MAX_LINE_CHARACTERS else line


class _Rest(RawIOBase):
    """The rest of a file: first `head`, bytes that were read already, then the rest of `file`."""

    def __init__(self, head: bytes, file: ByteSource) -> None:
        self._head, self._file = head, file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._head[: len(buffer)] if self._head else self._file.read1(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _lines(file: TextIO, source: str, first: int, meter: Meter) -> Iterator[str]:
    """Yield the lines of a file; raise a BoardError at a line of more than MAX_LINE_CHARACTERS."""
    for number in count(first):
        line = file.readline(MAX_LINE_CHARACTERS + 1)
        if len(line) > MAX_LINE_CHARACTERS:
            raise BoardError(f"a line of more than {MAX_LINE_CHARACTERS:,} characters", source, number)
        if not line:
            return
        meter.bytes += len(line)
        yield line
