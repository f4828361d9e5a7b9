"""Target: files of boards, as grids, lines and numbers."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from time import process_time
from unittest.mock import patch

from bench import ROOT
from bench.check.targets.inputs import PUZZLE, SHAPES, Input, reference_count
from bench.common.boards import as_numbers
from enumerator.board import Board, files
from enumerator.board.files import open_boards, read_all
from enumerator.board.reading import BoardError, Entry, parse
from enumerator.board.shape import Shape
from enumerator.board.sources import open_source
from enumerator.board.writing import as_drawing
from enumerator.engines import contraction, search

CHECKED_BOARDS = 3
"""Boards of each input that are written, read and counted."""

MOST_EMPTY_CELLS, MOST_NODES = 30, 300
"""Boards larger than 4×4 are counted only within both: the reference counts slowly."""

CORPUS = ROOT / "tests" / "board" / "corpus"
"""Snippets of every format, with which fuzzing begins."""

LONGEST_READING_SECONDS = 2.0
"""The most that reading an input may take."""

WORDS = (
    *("\r", "\r\n", "\n\n", "# ", "\ufeff", "│", "├─", "---+---", " | ", ", ", "\t", "\v"),
    *("\x1c", "\xa0", "\u2028", "٣", "0 " * 9, "16 ", "00 ", "1234", "123456789", "1234341221434321"),
    *("." * cells for cells in (16, 36, 64, 80)),
    *("Grid 01\n", "[Puzzle]\n", "[State]\n", ":0000:x:", ":::", ";8.3;a", "#c", '"', "u5", "{12}", "+5"),
    *("[[", "]]", "], [", "array(", "None", "null", "5.", ",,", ";;", "\t\t", "---------", "·", "X", "-"),
    *("┌───────┬───────┬───────┐", "└───────┴───────┴───────┘", "*-----------*", "|---+---+---|", ".---.", "'---'"),
    *("123456789" * 3, "1234" * 4, "0123456789ABCDEF", "   "),
)


def check(data: bytes) -> None:
    """Any file is boards and errors, in blocks of any size.

    A board that is written is read as the same board.
    """
    given = Input(data)
    chosen, block = given.number(), 1 + given.number()
    shape = SHAPES[chosen % len(SHAPES)] if chosen >= 128 else None
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "boards.txt")
        Path(name).write_bytes(given.data)
        started = process_time()
        entries = list(open_boards(name, shape))
        assert process_time() - started < LONGEST_READING_SECONDS, "reading takes long"
        with patch.object(files, "BLOCK_BYTES", block):
            assert values(open_boards(name, shape)) == values(entries), "the size of blocks matters"
        text = TextIOWrapper(BytesIO(read_bytes(name)), encoding="utf-8", errors="surrogateescape")
        is_read = entries[0].line and entries[-1].line  # neither empty nor damaged
        assert values(parse(text, name, shape) if is_read else entries) == values(entries), "blocks matter"
        check_read_all(name, shape, entries)
    assert entries, "neither a board nor an error"
    for entry in entries:
        if isinstance(entry.content, BoardError):
            assert str(entry.content).startswith(f"{name}:"), "an error without a place"
            assert str(entry.content).isprintable(), "an error that is not a line"
    for board in islice((entry.content for entry in entries if isinstance(entry.content, Board)), CHECKED_BOARDS):
        assert shape in (None, board.shape)
        check_written(board)
        if board.allowed is None:
            check_counts(board)


def check_written(board: Board) -> None:
    """A board is read as it was written, in every format; pencil marks are in the one-line text alone."""
    assert Board.parse(str(board), board.shape) == board, "not read as it was written"
    plain = Board.from_cells(board.shape, board.cells)
    drawing = as_drawing(plain)
    beside = drawing.replace("\n", "   facts 12 3\n")
    for written in (as_numbers(plain), as_drawing(plain, ascii=True), drawing, beside):
        assert Board.parse(written, board.shape) == plain, "not read as it was written"


def read_bytes(name: str) -> bytes:
    """Return the bytes of a file, decompressed and as UTF-8, up to any damage."""
    found = b""
    with suppress(BoardError), open_source(name, name) as file:
        while data := file.read1():
            found += data
    return found


def values(entries: Iterable[Entry]) -> list[tuple[str, int, Board | str]]:
    """Return entries as values that can be compared: errors as their messages."""
    return [
        (entry.name, entry.line, entry.content if isinstance(entry.content, Board) else str(entry.content))
        for entry in entries
    ]


def check_read_all(name: str, shape: Shape | None, entries: list[Entry]) -> None:
    """`read_all` has the same boards, up to the first error."""
    found: list[Board | str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of symbols that can also be another board
        try:
            for board in read_all(name, shape):
                found.append(board)  # noqa: PERF402 - the boards before an error count as well
        except BoardError as error:
            found.append(str(error))
    assert found == [content for _, _, content in values(entries[: len(found)])], "other boards from read_all"
    assert len(found) == len(entries) or isinstance(found[-1], str), "fewer boards from read_all"


def check_counts(board: Board) -> None:
    """All ways to count have the same result, on boards where none of them takes long."""
    is_small, walk = board.shape == Shape(2, 2), search.start(board)
    if is_small or (contraction.supports(board.shape) and board.empty_cells <= MOST_EMPTY_CELLS):
        walk.run(MOST_NODES)
        if not (is_small or walk.finished):
            return
        expected = reference_count(board)
        assert search.count(board) == expected, "the search miscounts"
        assert contraction.count(board) == expected, "the contraction miscounts"


def seeds() -> Iterator[bytes]:
    rows = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
    solved = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    texts = [
        PUZZLE,
        "\n".join(rows),
        f"# two\n{PUZZLE}\n{solved} remark\r\n",
        f"{solved[:40]}{'.' * 20}{solved[60:]}\n" * 2,
        as_drawing(Board.parse(PUZZLE), ascii=True),
        as_numbers(Board.parse(solved)),
        "1234341221434321\n" * 2 + "12..............\n12X.............\n",
        "12 34\n34 12\n21 43\n43 21\n",
        "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1",
        "1,2,0,4\n3,4,1,2\n2,1,4,3\n4,3,2,1\n",
        "┌───┬───┐\n│1 2│3 4│\n│. .│. .│\n├───┼───┤\n│? ?│_ _│\n│* *│0 0│\n└───┴───┘\n",
        "\ufeff1.............2.\r\n\r\n1.............2.\r",
        ("." * 16 + "\n") * 15 + "G" + "." * 15 + "\n",
        "12345......6....4..............3....",
        "\n".join([*rows[:4], rows[4] + ".", *rows[5:], PUZZLE]),
        "What is this?\n" * 12,
        "." * 625,
        "a" + "." * 1295,
    ]
    for text in texts:
        yield b"\0\x20" + text.encode()
    for path in sorted(CORPUS.glob("*")):
        if path.suffix != ".expected":
            yield b"\0\x20" + path.read_bytes()
    yield b"\0\x20" + b"\xff" + PUZZLE[1:].encode()
    for encoding in ("utf-16", "utf-32", "utf-16-le"):
        yield b"\0\x20" + f"{PUZZLE}\n{PUZZLE}".encode(encoding)
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        yield b"\0\x20" + pack(f"{PUZZLE}\n{PUZZLE}".encode())
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3)):
        cells = "." * (shape.cells - 1)
        yield bytes([SHAPES.index(shape) + 3 * len(SHAPES), 80]) + f"1{cells}\n{cells}2\n{cells}".encode()
