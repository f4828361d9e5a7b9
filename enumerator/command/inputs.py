"""The boards that a command names, in chunks: files, standard input, and boards written as arguments.

An argument that is the name of a file is that file. Any other one that looks like a board is read
as one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from enumerator.board import Board
from enumerator.board.files import STANDARD_INPUT, Block, BytesRead, open_blocks, open_boards
from enumerator.board.reading import BoardError, Entry, parse, single_board
from enumerator.board.shape import SMALLEST, Shape
from enumerator.board.symbols import FULL_WIDTH
from enumerator.command.console import RemarkPrinter
from enumerator.questions.chunks import BoardBlock, Chunk, Names
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.request import Request

SIGNS = frozenset("0123456789.-_*?")
"""The characters by which a board is told from the name of a file."""

LEAST_SIGNS = 12
"""The number of SIGNS from which an argument may be a board. The smallest board has 16 cells."""

LONG_TEXT = 81
"""The length from which an argument may be a board whose digits are mostly letters."""

LONGEST_NAME = 60
"""The length of an argument up to which a message repeats it."""

ENTRIES_A_CHUNK = 64
"""The number of boards in a chunk, in files that do not have one board per line."""

SINGLE_ENTRIES = 20
"""The number of such boards at the start that are chunks by themselves, so that they are answered at once."""


Part = TypeVar("Part", Block, Entry, Block | Entry)


class Argument(NamedTuple):
    """An argument of a command, and its boards."""

    name: str
    parts: Iterator[Block | Entry]
    """The boards, in blocks or one by one."""
    meter: BytesRead
    """Counts the bytes of a file."""


def open_arguments(names: Sequence[str], shape: Shape | None) -> Iterator[Argument]:
    """Yield each argument. Remarks on its boards are printed as they are read."""
    printer = RemarkPrinter()
    for number, name in enumerate(names, 1):
        meter = BytesRead()
        if is_board_text(name):
            source = f"<argument {number}>" if len(names) > 1 else "<argument>"
            parts: Iterator[Block | Entry] = _read_argument(name, source, shape)
        else:
            parts = open_blocks(name, shape, meter)
        yield Argument(name, _print_remarks(parts, printer), meter)


def _print_remarks(parts: Iterator[Part], printer: RemarkPrinter) -> Iterator[Part]:
    """Yield the boards of an argument, and print the remarks on how they were read."""
    for part in parts:
        if part.remarks:
            printer.print(f"{part.source}:{part.line}" if isinstance(part, Block) else part.name, part.remarks)
        yield part


def is_board_text(argument: str) -> bool:
    """Return True if an argument is not the name of a file, and looks like a board or a link."""
    if argument == STANDARD_INPUT or os.path.lexists(argument):
        return False
    if "/" in argument:
        from enumerator.board.links import find_link

        link = find_link(argument)
        if link or "://" not in argument:  # otherwise a link may stand after a board
            return link is not None
    argument = argument.translate(FULL_WIDTH)
    length, signs = sum(not char.isspace() for char in argument), sum(map(argument.count, SIGNS))
    return signs >= LEAST_SIGNS and (2 * signs >= length or length >= LONG_TEXT)


def read_one(argument: str, shape: Shape | None) -> Board:
    """Return the board that an argument is, or that is in a file; raise BoardError if there is not exactly one."""
    if is_board_text(argument):
        name, entries = "<argument>", parse(argument.splitlines(keepends=True), "<argument>", shape)
    else:
        name, entries = printable(argument), open_boards(argument, shape)
    printed = _print_remarks(entries, RemarkPrinter())
    return single_board((entry._replace(remarks=()) for entry in printed), name)


def explain_rows(arguments: Sequence[str], shape: Shape | None) -> str:
    """Return what is wrong with arguments that are the rows or the cells of one board; "" if they are not."""
    lengths = [len(argument) for argument in arguments]
    own = shape or Shape.of_cells(sum(lengths))
    if len(arguments) < SMALLEST**2 or own is None or own.cells != sum(lengths) or max(lengths) > own.size:
        return ""
    signs = sum(argument.count(sign) for argument in arguments for sign in SIGNS)
    if 2 * signs < own.cells or any(shape is None and Shape.of_cells(length) for length in lengths):
        return ""  # names of files, or boards of their own
    if any(os.path.lexists(argument) for argument in arguments if argument not in (".", "..")):
        return ""
    return f"{len(arguments)} arguments make one board: write them as one argument, in quotes"


def reads_standard_input() -> bool:
    """Return True if a command without boards should read standard input: it is not a terminal."""
    return sys.stdin is not None and not os.isatty(0)


def _read_argument(text: str, source: str, shape: Shape | None) -> Iterator[Entry]:
    lines = text.splitlines(keepends=True)
    entries = parse(lines, source, shape)
    first = next(entries, None) or Entry(source, 1, BoardError("no board in it", source))
    if isinstance(error := first.content, BoardError):
        name = text if len(text) <= LONGEST_NAME and text.isprintable() else source
        place = "" if error.column is None else f" (character {error.column})"
        reason = "" if "/" in text else "no such file, and not a board: "  # a link is no name of a file
        message = f"{reason}{error.message}{place}"
        yield Entry(source, first.line, BoardError(message, printable(name), error.line if len(lines) > 1 else None))
    else:
        yield first if len(lines) > 1 else first._replace(name=source)
    yield from entries


# ------------------------------------------------------------------------------------------- chunks


def split_files(request: Request) -> Generator[Chunk]:
    """Yield the boards of files in chunks."""
    boards_a_chunk, singles = request.plan.batch_pacing.chunk, SINGLE_ENTRIES
    for name, parts, meter in open_arguments(request.options.boards, request.options.shape):
        before = 0
        for part in parts:
            if isinstance(part, Block):
                yield from split_block(part, boards_a_chunk, meter.bytes - before)
            else:  # from here on, `open_blocks` yields boards one by one
                most, singles = 1 if name == STANDARD_INPUT or singles else ENTRIES_A_CHUNK, max(0, singles - 1)
                others = [entry for entry in islice(parts, most - 1) if not isinstance(entry, Block)]
                yield from join_entries([part, *others], meter.bytes - before)
            before = meter.bytes


def split_block(block: Block, boards_a_chunk: int, text_bytes: int) -> Iterator[Chunk]:
    """Yield chunks of a block of lines."""
    size, names, cells = block.shape.cells, Names(block.source, block.line), memoryview(block.cells)
    for number in range(0, len(cells) // size, boards_a_chunk):
        some = cells[number * size : (number + boards_a_chunk) * size]
        yield Chunk(names.skip(number), BoardBlock(block.shape, some), "", text_bytes * len(some) / len(cells))


def join_entries(entries: list[Entry], text_bytes: int) -> Iterator[Chunk]:
    """Yield chunks of boards that were read one by one: those that are alike, or a single error."""
    each = text_bytes / len(entries)
    for (shape, allowed), alike in groupby(entries, kind_of_board):
        some = list(alike)
        boards = [entry.content for entry in some if not isinstance(entry.content, BoardError)]
        if len(boards) == 1:
            yield Chunk(Names(listed=(some[0].name,)), boards[0], "", each)
        elif shape:
            names, cells = tuple(entry.name for entry in some), memoryview(b"".join(board.cells for board in boards))
            yield Chunk(Names(listed=names), BoardBlock(shape, cells, allowed), "", len(some) * each)
        else:
            for entry in some:
                yield Chunk(Names(listed=(entry.name,)), None, str(entry.content), each)


def kind_of_board(entry: Entry) -> tuple[Shape | None, tuple[int, ...] | None]:
    """Return the shape and the pencil marks of a board; None for one that cannot be read."""
    board = entry.content
    return (None, None) if isinstance(board, BoardError) else (board.shape, board.allowed)


@contextmanager
def closing_reader(chunks: Generator[Chunk]) -> Iterator[Generator[Chunk]]:
    """Close a reader after the block, with its file. One that a thread is just reading ends with the process."""
    try:
        yield chunks
    finally:
        with suppress(ValueError):
            chunks.close()


def file_size(name: str) -> int:
    """Return the size of a file, or of a board that is an argument; 0 for anything else."""
    try:
        if is_board_text(name):
            return len(name)
        return os.path.getsize(name) if os.path.isfile(name) else 0
    except (OSError, ValueError):
        return 0
