"""The chunks of boards that --classify hands to threads: read from files, and classified.

    files -> chunks of boards -> verdicts in print, and chunks that remain

A chunk ends before a board that takes longer. That board, and the boards behind it, are chunks of
their own, so the other threads go on with those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from threading import Event
from typing import NamedTuple

from enumerator.board import Board, Shape
from enumerator.board.files import STANDARD_INPUT, Block
from enumerator.board.reading import BoardError, Entry
from enumerator.command.inputs import open_arguments
from enumerator.command.request import Request
from enumerator.command.views import render_invalid
from enumerator.questions.classify import (
    VERDICTS,
    AlikeBoards,
    HardBoard,
    classify_quickly,
    classify_slowly,
    make_answer,
)
from enumerator.run.progress import Stopped

ENTRIES_A_CHUNK = 64
"""The number of boards in a chunk, in files that do not have one board per line."""


class Chunk(NamedTuple):
    """Consecutive boards of a shape; or one that takes longer; or one that cannot be read."""

    names: Names
    shape: Shape | None
    cells: bytes = b""
    """The cells of all boards, concatenated."""
    hard: HardBoard | None = None
    error: str = ""
    text_bytes: float = 0.0
    """The size of the text that the boards were read from."""
    allowed: tuple[int, ...] | None = None
    """The pencil marks that all boards have."""

    def split(self, boards: int, spent: float | None) -> tuple[float, list[Chunk]]:
        """Return the size of the text of the first boards, and the chunks that remain behind them.

        If `spent` is a number, the first board that remains is hard: it took the kernel `spent` seconds.
        """
        if self.shape is None or boards * self.shape.cells == len(self.cells):
            return self.text_bytes, []
        size = self.shape.cells
        each = self.text_bytes / (len(self.cells) // size)
        left, first = [], boards * size
        if spent is not None:
            hard = HardBoard(Board.from_cells(self.shape, self.cells[first : first + size], self.allowed), spent)
            left.append(Chunk(self.names.skip(boards), self.shape, hard=hard, text_bytes=each))
            boards, first = boards + 1, first + size
        if rest := self.cells[first:]:
            names, text_bytes = self.names.skip(boards), len(rest) // size * each
            left.append(self._replace(names=names, cells=rest, text_bytes=text_bytes))
        return self.text_bytes - sum(chunk.text_bytes for chunk in left), left


class Names(NamedTuple):
    """The names of consecutive boards: a list, or a file and the line of the first one."""

    source: str = ""
    line: int = 0
    listed: tuple[str, ...] = ()

    def skip(self, boards: int) -> Names:
        """Return the names without the first `boards` of them."""
        return Names(self.source, self.line + boards, self.listed[boards:])

    def take(self, boards: int) -> Iterable[str]:
        """Return the first `boards` names."""
        return self.listed or (f"{self.source}:{line}" for line in range(self.line, self.line + boards))


class ChunkResult(NamedTuple):
    """The printed verdicts on some boards, and the error of one that cannot be read."""

    text: str
    boards: int
    text_bytes: float
    error: str = ""

    @property
    def size(self) -> int:
        return len(self.text)


# ------------------------------------------------------------------------------------------ reading


def split_files(request: Request) -> Iterator[Chunk]:
    """Yield the boards of files in chunks."""
    boards_a_chunk = request.plan.batch_pacing.chunk
    for name, parts, meter in open_arguments(request.options.boards, request.options.shape):
        before = 0
        for part in parts:
            if isinstance(part, Block):
                yield from split_block(part, boards_a_chunk, meter.bytes - before)
            else:  # from here on, `open_blocks` yields boards one by one
                most = 1 if name == STANDARD_INPUT else ENTRIES_A_CHUNK
                others = [entry for entry in islice(parts, most - 1) if not isinstance(entry, Block)]
                yield from join_entries([part, *others], meter.bytes - before)
            before = meter.bytes


def split_block(block: Block, boards_a_chunk: int, text_bytes: int) -> Iterator[Chunk]:
    """Yield chunks of a block of lines."""
    size, names = block.shape.cells, Names(block.source, block.line)
    for number in range(0, len(block.cells) // size, boards_a_chunk):
        cells = block.cells[number * size : (number + boards_a_chunk) * size]
        yield Chunk(names.skip(number), block.shape, cells, text_bytes=text_bytes * len(cells) / len(block.cells))


def join_entries(entries: list[Entry], text_bytes: int) -> Iterator[Chunk]:
    """Yield chunks of boards that were read one by one: those that are alike, or a single error."""
    each = text_bytes / len(entries)
    for (shape, allowed), alike in groupby(entries, kind_of_board):
        some = list(alike)
        boards = [entry.content for entry in some if not isinstance(entry.content, BoardError)]
        if boards:
            names, cells = tuple(entry.name for entry in some), b"".join(board.cells for board in boards)
            yield Chunk(Names(listed=names), shape, cells, text_bytes=len(some) * each, allowed=allowed)
        else:
            for entry in some:
                yield Chunk(Names(listed=(entry.name,)), None, error=str(entry.content), text_bytes=each)


def kind_of_board(entry: Entry) -> tuple[Shape | None, tuple[int, ...] | None]:
    """Return the shape and the pencil marks of a board; None for one that cannot be read."""
    board = entry.content
    return (None, None) if isinstance(board, BoardError) else (board.shape, board.allowed)


# -------------------------------------------------------------------------------------- classifying


class Classifier:
    """A classifier of chunks of boards. Several threads may use it at the same time."""

    def __init__(self, request: Request, stop: Event) -> None:
        self.request, self.stop = request, stop
        self._lines = [f"{verdict}\n" for verdict in VERDICTS]
        self._as_json, self._time_limit = request.form == "json", request.options.time_limit

    def classify(self, chunk: Chunk) -> tuple[ChunkResult, list[Chunk]]:
        """Return the verdicts on the first boards of a chunk, and chunks of the others.

        Once `stop` is set, there are no verdicts.
        """
        if chunk.shape is None:
            line = render_invalid(chunk.names.listed[0], chunk.error, "json" if self._as_json else "number")
            return ChunkResult(f"{line}\n", 1, chunk.text_bytes, chunk.error), []
        plan = self.request.plan
        try:
            if chunk.hard:
                board, spent = chunk.hard
                code, solution = classify_slowly(board, self._as_json, plan, self.stop, self._time_limit, spent)
                lines = self._render(chunk.names, chunk.shape, bytes([code]), solution or bytes(chunk.shape.cells))
                return ChunkResult("".join(lines), 1, chunk.text_bytes), []
            solutions = bytearray(len(chunk.cells)) if self._as_json else bytearray()
            place = memoryview(solutions) if self._as_json else None
            boards = AlikeBoards(chunk.shape, chunk.cells, chunk.allowed)
            codes, spent_on_next = classify_quickly(boards, place, plan, self.stop)
        except Stopped:
            return ChunkResult("", 0, 0.0), []
        text_bytes, left = chunk.split(len(codes), spent_on_next)
        text = "".join(self._render(chunk.names, chunk.shape, codes, solutions))
        return ChunkResult(text, len(codes), text_bytes), left

    def _render(self, names: Names, shape: Shape, codes: bytes, solutions: bytes | bytearray) -> Iterable[str]:
        """Return a line for each board. `solutions` are the solutions of all of them, concatenated."""
        if not self._as_json:
            return map(self._lines.__getitem__, codes)
        size = shape.cells
        parts = (bytes(solutions[first : first + size]) for first in range(0, len(solutions), size))
        return map(self._json_line, names.take(len(codes)), [shape] * len(codes), codes, parts)

    def _json_line(self, source: str, shape: Shape, code: int, solution: bytes) -> str:
        import json

        answer = make_answer(shape, code, solution, self._time_limit)
        return json.dumps({"source": source, **answer.to_dict()}) + "\n"
