"""Target: boards, written in all formats and read again."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tempfile
from collections.abc import Iterator
from math import isqrt
from pathlib import Path

from bench.check.targets.inputs import SHAPES, Input
from bench.common.boards import as_numbers
from enumerator.board import Board
from enumerator.board.files import open_boards
from enumerator.board.shape import Shape
from enumerator.board.writing import as_drawing
from enumerator.run.solution_file import Output


def check(data: bytes) -> None:
    """Boards are read as they were written, in every format and from every kind of file."""
    given = Input(data)
    shape, form, ending, number = SHAPES[given.number() % len(SHAPES)], given.number(), given.number(), given.number()
    written = []
    for _ in range(1 + number % 4):
        cells = bytes(digit % (shape.size + 1) for digit in given.take(shape.cells))
        written.append(Board.from_cells(shape, cells.ljust(shape.cells, b"\0")))
    write = (str, in_ascii, as_numbers, numbers_on_a_line)[form % 4]
    text = ("\n", "\r\n", "\n\n", " \n", "\n# a remark\n")[ending % 5].join(map(write, written))
    if ending >= 128:
        text += "\n"
    suffix = (".txt", ".gz", ".zst", ".xz", ".bz2")[form // 4 % 5]
    with tempfile.TemporaryDirectory() as folder:
        packed, plain = os.path.join(folder, f"packed{suffix}"), os.path.join(folder, "plain.txt")
        with Output(packed, 1 + form // 16 % 2) as output:
            output.write(text.encode(), len(written))
        Path(plain).write_bytes(unpack(Path(packed)))
        assert Path(plain).read_bytes() == text.encode(), "a file that holds something else"
        for path in (plain, packed):
            assert [entry.content for entry in open_boards(path, shape)] == written, "other boards"
    (first, *others), is_line = written, write in (str, numbers_on_a_line)
    # 16, 36 or 64 rows that contradict each other are as many small boards
    is_clear = is_line or not (Shape.of_size(isqrt(shape.size)) and any(first.conflicts()))
    if not others and is_clear and Shape.of_size(shape.size) == shape:
        assert Board.parse(write(first)) == first, "another board without its shape"


def in_ascii(board: Board) -> str:
    return as_drawing(board, ascii=True)


def numbers_on_a_line(board: Board) -> str:
    return " ".join(map(str, board.cells))


def unpack(path: Path) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        import zstandard

        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as reader:
            return reader.read()
    if path.suffix == ".xz":
        return lzma.decompress(path.read_bytes())
    if path.suffix == ".bz2":
        return bz2.decompress(path.read_bytes())
    return path.read_bytes()


def seeds() -> Iterator[bytes]:
    for number, shape in enumerate((Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4), Shape(8, 8), Shape(3, 2))):
        for form in range(4):
            head = bytes([SHAPES.index(shape), form + 4 * (number % 5), number, form])
            yield head + bytes(range(1, shape.size + 1)) + bytes(number)
