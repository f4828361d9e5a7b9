"""The chunks of boards that a command answers on threads: read from files, and answered as text.

    files -> chunks of boards -> answers in print, and chunks that remain

A chunk ends before a board that takes longer. That board, and the boards after it, are chunks of
their own, so the other threads go on with those.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from enumerator.board import Board, Shape
from enumerator.board.files import STANDARD_INPUT, Block
from enumerator.board.reading import BoardError, Entry
from enumerator.command.inputs import open_arguments
from enumerator.engines.blocks import Begun, BoardBlock, HardBoard
from enumerator.run.progress import Stopped

if TYPE_CHECKING:
    from threading import Event

    from enumerator.command.request import Request
    from enumerator.run.local import PartialCount
    from enumerator.run.progress import Progress

ENTRIES_A_CHUNK = 64
"""The number of boards in a chunk, in files that do not have one board per line."""


SINGLE_ENTRIES = 20
"""The number of such boards at the start that are chunks by themselves, so that they are answered at once."""


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
        return self.listed[:boards] or (f"{self.source}:{line}" for line in range(self.line, self.line + boards))


class Chunk(NamedTuple):
    """Consecutive boards that are alike; or one that takes longer; or one that cannot be read."""

    names: Names
    content: BoardBlock | HardBoard | None
    error: str = ""
    text_bytes: float = 0.0
    """The size of the text that the boards were read from."""

    @property
    def boards(self) -> int:
        """The number of boards; one that cannot be read is also one."""
        return self.content.boards if isinstance(self.content, BoardBlock) else 1

    def split(self, boards: int, begun: Begun | None = None) -> tuple[float, list[Chunk]]:
        """Return the size of the text of the first boards, and the chunks that remain after them.

        If `begun` is given, the first board that remains is hard.
        """
        left: list[Chunk] = []
        if isinstance(self.content, BoardBlock):
            each = self.text_bytes / self.content.boards
            for task in self.content.remaining_after(boards, begun):
                chunk = Chunk(self.names.skip(boards), task)
                left.append(chunk._replace(text_bytes=each * chunk.boards))
                boards += chunk.boards
        return self.text_bytes - sum(chunk.text_bytes for chunk in left), left


class NamedBoard(NamedTuple):
    """A board and the name of its source; or what is wrong with its text, and no board."""

    source: str
    board: Board | None
    error: str = ""
    """Why there is no answer. If there is a board, the engine of the options does not take it."""


class LeftBoard(NamedTuple):
    """A board that needs all cores, and the count that one core gave up."""

    name: str
    board: Board
    start: PartialCount | None = None


class Text(NamedTuple):
    """Printed answers for some boards, and the number of solutions among them."""

    text: bytes | bytearray
    solutions: int = 0


class ChunkResult(NamedTuple):
    """Printed answers, or an unreadable board's error, or a board to finish on all cores."""

    text: Text
    boards: int
    text_bytes: float
    name: str = ""
    """The name of a board that cannot be read."""
    error: str = ""
    left: LeftBoard | None = None

    @property
    def size(self) -> int:
        return len(self.text.text)


class ChunkQuestion(Protocol):
    """A question about many boards, answered in print. Several threads may ask it at the same time."""

    @property
    def at_work(self) -> Progress | None:
        """The progress of a hard board; None if there is none, or if it is left to all cores."""
        ...

    def ask(self, names: Names, block: BoardBlock, stop: Event) -> tuple[Text, int, Begun | None]:
        """Answer for the first boards of a block. See `BlockQuestion.ask`."""
        ...

    def ask_hard(self, name: str, hard: HardBoard, stop: Event) -> Text | LeftBoard:
        """Answer for a hard board on one core, or leave it to all cores."""
        ...


# ------------------------------------------------------------------------------------------ reading


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
        if shape:
            names, cells = tuple(entry.name for entry in some), memoryview(b"".join(board.cells for board in boards))
            yield Chunk(Names(listed=names), BoardBlock(shape, cells, allowed), "", len(some) * each)
        else:
            for entry in some:
                yield Chunk(Names(listed=(entry.name,)), None, str(entry.content), each)


def kind_of_board(entry: Entry) -> tuple[Shape | None, tuple[int, ...] | None]:
    """Return the shape and the pencil marks of a board; None for one that cannot be read."""
    board = entry.content
    return (None, None) if isinstance(board, BoardError) else (board.shape, board.allowed)


# --------------------------------------------------------------------------------------- answering


class Answerer:
    """An answerer of chunks of boards. Several threads may use it at the same time."""

    def __init__(self, question: ChunkQuestion, stop: Event) -> None:
        self.question, self.stop = question, stop

    def answer(self, chunk: Chunk) -> tuple[ChunkResult, list[Chunk]]:
        """Return the answers for the first boards of a chunk, and chunks of the others.

        Once `stop` is set, there are no answers.
        """
        content = chunk.content
        try:
            if content is None:
                return ChunkResult(Text(b""), 1, chunk.text_bytes, chunk.names.listed[0], chunk.error), []
            if isinstance(content, HardBoard):
                return self._answer_hard(chunk, content), []
            text, boards, begun = self.question.ask(chunk.names, content, self.stop)
        except Stopped:
            return ChunkResult(Text(b""), 0, 0.0), []
        text_bytes, left = chunk.split(boards, begun)
        return ChunkResult(text, boards, text_bytes), left

    def _answer_hard(self, chunk: Chunk, hard: HardBoard) -> ChunkResult:
        (name,) = chunk.names.take(1)
        found = self.question.ask_hard(name, hard, self.stop)
        if isinstance(found, LeftBoard):
            return ChunkResult(Text(b""), 1, chunk.text_bytes, left=found)
        return ChunkResult(found, 1, chunk.text_bytes)


# ------------------------------------------------------------------------------- one board at a time


class BoardReader:
    """The boards of chunks, one at a time; from any board on, the rest in chunks."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks, self._rest = chunks, list[Chunk]()

    def __iter__(self) -> Iterator[NamedBoard]:
        for chunk in self.rest():
            (name,) = chunk.names.take(1)
            _, self._rest = chunk.split(1)
            content = chunk.content
            yield NamedBoard(name, content.board(0) if isinstance(content, BoardBlock) else None, chunk.error)

    def peek(self) -> Chunk | None:
        """Return the chunk of the next board; None if there is none."""
        if not self._rest:
            self._rest = list(islice(self._chunks, 1))
        return self._rest[0] if self._rest else None

    def rest(self) -> Iterator[Chunk]:
        """Yield the chunks with the boards that were not taken."""
        while True:
            chunk = self._rest.pop(0) if self._rest else next(self._chunks, None)
            if chunk is None:
                return
            yield chunk
