"""Reading boards from files and from standard input.

`enumerator.board.reading` defines the formats, and `enumerator.board.sources` opens files. A file is
read in blocks as long as each line is one board and nothing else; `bytes.translate` converts a
whole block. From the first other line on, boards are read one at a time. Either way, memory does
not grow with the file.
"""

from __future__ import annotations

import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from io import IncrementalNewlineDecoder
from itertools import takewhile
from typing import IO, Literal, NamedTuple, overload

from enumerator.board.board import Board
from enumerator.board.plain_lines import DOUBTFUL_SIZES, HEXADECIMAL_SIZE, is_hexadecimal, may_be_cube, plain_cells
from enumerator.board.reading import BoardError, Entry, Parser, one_line_shape, single_board, warn_of_other_readings
from enumerator.board.reading.parser import is_split
from enumerator.board.reading.rows import MAX_ABOVE
from enumerator.board.shape import LARGEST, Shape, ShapeLike, as_shape
from enumerator.board.sources import ByteSource, open_object, open_source
from enumerator.board.symbols import NO_DIGIT, digit_table

Source = str | os.PathLike[str] | IO[str] | IO[bytes]
"""What boards are read from: a path, "-" for standard input, or an open file of text or bytes."""

OnError = Literal["raise", "skip", "yield"]
"""What `read_all` does with text that is not a board."""

STANDARD_INPUT = "-"
"""The file name that means standard input."""

STANDARD_INPUT_NAME = "<stdin>"
"""The name of standard input in errors."""

MAX_LINE_CHARACTERS = 100_000
"""The longest line that is read, in characters. A 64×64 board written in numbers takes 12,000."""

BLOCK_BYTES = 1 << 19
"""The number of bytes of a file that are read at a time."""

TEXT_BYTES = 1 << 16
"""The number of bytes that are read at a time where not each line is a board."""


class BytesRead:
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

    def boards(self) -> Iterator[Board]:
        """Yield the boards one by one."""
        shape, cells, size = self.shape, self.cells, self.shape.cells
        for first in range(0, len(cells), size):
            yield Board.from_valid(shape, cells[first : first + size])

    def entries(self) -> Iterator[Entry]:
        """Yield the boards one by one, with their lines."""
        for line, board in enumerate(self.boards(), self.line):
            yield Entry(f"{self.source}:{line}", line, board, self.remarks if line == self.line else ())


def read(source: Source, shape: ShapeLike | None = None) -> Board:
    """Return the board in a file, in any format; raise a BoardError if there is not exactly one.

    `source` is a path, "-" for standard input, or an open file of text or bytes, which is not
    closed. A file may be compressed (gzip, zstd, xz, bzip2, zip). `shape` is a Shape, "2x3" or (2, 3).
    Raise OSError, such as FileNotFoundError, if the file cannot be read.

    >>> import io
    >>> en.read(io.StringIO("1234 3412 .... ...."))
    Board("12343412........")
    """
    name, parts = _open_parts(source, as_shape(shape))
    with closing(parts):
        return single_board(_entries_of(parts), name, ": read_all reads them all")


@overload
def read_all(
    source: Source, shape: ShapeLike | None = None, on_error: Literal["raise", "skip"] = "raise"
) -> Iterator[Board]: ...
@overload
def read_all(
    source: Source, shape: ShapeLike | None = None, *, on_error: Literal["yield"]
) -> Iterator[Board | BoardError]: ...
def read_all(
    source: Source, shape: ShapeLike | None = None, on_error: OnError = "raise"
) -> Iterator[Board] | Iterator[Board | BoardError]:
    r"""Return an iterator over the boards of a file; memory does not grow with the file.

    `source` and `shape` are those of `read`. The file is opened for the first board and closed
    after the last one. `on_error` says what happens at text that is not a board:

        "raise"   a BoardError ends the iteration
        "skip"    the iteration continues after it
        "yield"   the same, and the BoardError is yielded in its place

    A file that cannot be read to its end, such as a damaged one, raises in the first two cases.

    >>> import io
    >>> text = "12.. .... .... ....\n1x.. .... .... ....\n.... .... .... ...4\n"
    >>> [str(board) for board in en.read_all(io.StringIO(text), on_error="skip")]
    ['12..............', '...............4']
    >>> for content in en.read_all(io.StringIO(text), on_error="yield"):
    ...     print(content)
    12..............
    <text>:2:2: 'x' is no digit of a 4×4 board
    ...............4
    """
    if on_error not in ("raise", "skip", "yield"):
        raise ValueError(f'on_error is "raise", "skip" or "yield", not {on_error!r}')
    return _read_all(_open_parts(source, as_shape(shape))[1], on_error)


def _read_all(parts: Iterator[Block | Entry], on_error: OnError) -> Iterator[Board | BoardError]:
    try:
        for part in parts:
            warn_of_other_readings(part.remarks)
            if isinstance(part, Block):
                yield from part.boards()
            elif isinstance(part.content, Board):
                yield part.content
            elif on_error == "raise":
                raise part.content
            elif on_error == "yield":
                yield part.content
    except BoardError as error:
        if on_error != "yield":
            raise
        yield error


def _open_parts(source: Source, shape: Shape | None) -> tuple[str, Generator[Block | Entry, None, None]]:
    """Return the name of a source and its boards, which raise the errors that end the file."""
    if isinstance(source, str) and source == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("there is no standard input")
        file, name = getattr(sys.stdin, "buffer", sys.stdin), STANDARD_INPUT_NAME
        return name, _named_parts(open_object(file, name), name, shape)
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        return name, _named_parts(open_source(name, name), name, shape)
    if not hasattr(source, "read"):
        raise TypeError(f"boards are read from a path or an open file, not from {type(source).__name__}")
    name = found if isinstance(found := getattr(source, "name", None), str) else "<text>"
    return name, _named_parts(open_object(source, name), name, shape)


def _named_parts(
    opened: AbstractContextManager[ByteSource], name: str, shape: Shape | None
) -> Generator[Block | Entry, None, None]:
    """Yield the boards of a file. Name the file in the errors of the system."""
    try:
        yield from _read_blocks(opened, name, shape, BytesRead())
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = name
        if plain_cells(name) is not None or "\n" in name:
            error.add_note("read takes the name of a file; Board(text) reads a text")
        raise


def open_boards(name: str, shape: Shape | None = None) -> Iterator[Entry]:
    """Return an iterator over the boards of a file, or of standard input if `name` is "-".

    It has at least one entry: a BoardError if the file has no board.
    """
    return _entries_of(open_blocks(name, shape))


def _entries_of(parts: Iterable[Block | Entry]) -> Iterator[Entry]:
    for part in parts:
        if isinstance(part, Entry):
            yield part
        else:
            yield from part.entries()


def open_blocks(name: str, shape: Shape | None = None, meter: BytesRead | None = None) -> Iterator[Block | Entry]:
    """Yield every board of a file: in blocks while each line is a board, then one by one.

    At least one item is yielded: a BoardError if the file has no board, or cannot be read. `meter`
    counts the bytes of the text up to the end of the item.
    """
    source, place = (STANDARD_INPUT_NAME, 0) if name == STANDARD_INPUT else (name, name)
    try:
        yield from _read_blocks(open_source(place, source), source, shape, meter or BytesRead())
    except BoardError as error:
        yield Entry(source if error.line is None else f"{source}:{error.line}", error.line or 0, error)
    except OSError as error:
        yield Entry(source, 0, BoardError(error.strerror or str(error), source))


def _read_blocks(
    opened: AbstractContextManager[ByteSource], source: str, shape: Shape | None, meter: BytesRead
) -> Iterator[Block | Entry]:
    """Yield every board of a file that `opened` opens, as `open_blocks` does.

    Raise OSError or a BoardError where the file cannot be read further.
    """
    found = False
    with opened as file:
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
            block = _read_block(lines, source, number, own, shape is not None) if lines and own else None
            boards = len(block.cells) // block.shape.cells if block else 0
            if block and boards:
                found = True
                meter.bytes += len(block.cells) + boards
                yield block._replace(remarks=remarks) if remarks else block
            number += boards
            if boards < len(lines) or len(rest) > MAX_LINE_CHARACTERS:
                rest = b"\n".join([*lines[boards:], rest])
                break
        parser = Parser(_lines(_decoded(rest, file), source, number, meter), source, shape)
        parser.go_on(own if found else None)
        for entry in parser.entries():
            found = True
            yield entry
    if not found:
        yield Entry(source, 0, BoardError("no board in it", source))


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
    parser = Parser(enumerate((text.decode() for text in texts), 1), source, shape)
    first = next(parser.entries(), None)
    if first is None or not isinstance(first.content, Board) or parser.grids.small_run != length:
        return None, ()
    return first.content.shape, first.remarks


def _read_block(lines: list[bytes], source: str, number: int, own: Shape, is_known: bool) -> Block:
    """Return the boards at the start of `lines`, up to the first line that is not a board.

    A line that may be pencil marks is a board only if its shape `is_known`.
    """
    if set(map(len, lines)) != {own.cells}:
        lines = list(takewhile(lambda line: len(line) == own.cells, map(_strip, lines)))
    text = b"".join(lines)
    cells = text.translate(digit_table(own.size))
    if NO_DIGIT in cells:
        cells = cells[: cells.index(NO_DIGIT) // own.cells * own.cells]
    if own.size == HEXADECIMAL_SIZE and b"0" in text:
        boards = takewhile(lambda line: not is_hexadecimal(line.decode("latin-1")), lines)
        cells = cells[: sum(map(len, boards))]
    if own.cells in DOUBTFUL_SIZES and not is_known:
        boards = takewhile(lambda line: not may_be_cube(line.decode("latin-1")), lines)
        cells = cells[: sum(map(len, boards))]
    return Block(source, number, own, cells)


def _strip(line: bytes) -> bytes:
    """Return a line without trailing blanks. A line that is too long is unchanged: `_lines` reports it."""
    return line.removesuffix(b"\r").rstrip(b" \t") if len(line) < MAX_LINE_CHARACTERS else line


def _decoded(head: bytes, file: ByteSource) -> Iterator[str]:
    r"""Yield the text of a file in pieces: first `head`, bytes that were read already, then the rest.

    Each line ends with \n. Bytes that are not UTF-8 become surrogates.
    """
    decoder = IncrementalNewlineDecoder(getincrementaldecoder("utf-8")("surrogateescape"), translate=True)
    for start in range(0, len(head), TEXT_BYTES):
        yield decoder.decode(head[start : start + TEXT_BYTES])
    while data := file.read1(TEXT_BYTES):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def _lines(pieces: Iterable[str], source: str, number: int, meter: BytesRead) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, from `number` on, except most lines of a long gap.

    Raise a BoardError at a line of more than MAX_LINE_CHARACTERS.
    """
    rest = ""
    for gap, piece in _shorten_gaps(pieces):
        number += gap.count("\n")
        meter.bytes += len(gap)
        *lines, rest = (rest + piece).split("\n")
        for line in lines:
            if len(line) >= MAX_LINE_CHARACTERS:
                raise _too_long(source, number)
            meter.bytes += len(line) + 1
            yield number, f"{line}\n"
            number += 1
        if len(rest) > MAX_LINE_CHARACTERS:
            raise _too_long(source, number)
    if rest:
        meter.bytes += len(rest)
        yield number, rest


def _shorten_gaps(pieces: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text, each with the blank lines before it that are left out.

    A row keeps MAX_ABOVE lines above it, so a parser makes the same of the first and the last ones of
    a gap. Without the others, 600 million empty lines take 3 s instead of 20 minutes.
    """
    for piece in pieces:
        if not piece.isspace() or piece.count("\n") <= 2 * MAX_ABOVE:
            yield "", piece
            continue
        *first, middle = piece.split("\n", MAX_ABOVE)
        middle, *last = middle.rsplit("\n", MAX_ABOVE)
        yield "", "\n".join([*first, ""])
        yield f"{middle}\n", "\n".join(last)


def _too_long(source: str, line: int) -> BoardError:
    return BoardError(f"a line of more than {MAX_LINE_CHARACTERS:,} characters", source, line)
