"""Chunks of boards: what goes into `enumerator.questions.many`, from files or from Python.

A chunk is a block of boards that a kernel works off, or a single board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock as BoardBlock
from enumerator.engines.board_blocks import HardBoard, StartedCount


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


NO_NAMES = Names()


class NamedBoard(NamedTuple):
    """A board and the name of its source; or what is wrong with its text, and no board."""

    source: str
    board: Board | None
    error: str = ""
    """Why there is no answer. If there is a board, the engine of the plan does not take it."""


class Chunk(NamedTuple):
    """Consecutive boards that are alike; or a single board; or one that cannot be read."""

    names: Names
    content: BoardBlock | HardBoard | Board | None
    error: str = ""
    text_bytes: float = 0.0
    """The size of the text that the boards were read from."""

    @property
    def boards(self) -> int:
        """The number of boards; one that cannot be read is also one."""
        return self.content.boards if isinstance(self.content, BoardBlock) else 1

    @property
    def shape(self) -> Shape | None:
        """The shape of the boards; None for one that cannot be read."""
        content = self.content.board if isinstance(self.content, HardBoard) else self.content
        return None if content is None else content.shape

    @property
    def first(self) -> NamedBoard:
        """The first board."""
        (name,), board = self.names.take(1), self.content
        if isinstance(board, BoardBlock):
            board = board.board(0)
        return NamedBoard(name, board.board if isinstance(board, HardBoard) else board, self.error)

    def take(self, boards: int) -> Chunk:
        """Return the chunk of the first `boards` boards of a block."""
        if not isinstance(self.content, BoardBlock) or boards >= self.boards:
            return self
        return self._replace(content=self.content.take(boards), text_bytes=self.text_bytes * boards / self.boards)

    def split(self, boards: int, started_count: StartedCount | None = None) -> tuple[float, list[Chunk]]:
        """Return the size of the text of the first boards, and the chunks that remain after them.

        If `started_count` is given, the first board that remains is hard.
        """
        left: list[Chunk] = []
        if isinstance(self.content, BoardBlock):
            each = self.text_bytes / max(1, self.content.boards)
            for task in self.content.remaining_after(boards, started_count):
                chunk = Chunk(self.names.skip(boards), task)
                left.append(chunk._replace(text_bytes=each * chunk.boards))
                boards += chunk.boards
        return self.text_bytes - sum(chunk.text_bytes for chunk in left), left


class ChunkReader:
    """The chunks of a source. Those that were taken can be put back."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks, self._next = chunks, deque[Chunk]()

    def __iter__(self) -> Iterator[Chunk]:
        while (chunk := self._next.popleft() if self._next else next(self._chunks, None)) is not None:
            yield chunk

    def put_back(self, chunks: Iterable[Chunk]) -> None:
        """Put chunks before those that were not taken."""
        self._next.extendleft(reversed(list(chunks)))

    def peek(self) -> Chunk | None:
        """Return the next chunk; None if there is none."""
        self.put_back(islice(self, 1))
        return self._next[0] if self._next else None

    def boards(self) -> Iterator[tuple[NamedBoard, float]]:
        """Yield boards one at a time, each with the size of its text."""
        for chunk in self:
            text_bytes, left = chunk.split(1)
            self.put_back(left)
            yield chunk.first, text_bytes


def block_of(board: Board) -> BoardBlock:
    """Return the block of one board."""
    return BoardBlock(board.shape, memoryview(board.cells), board.allowed)
