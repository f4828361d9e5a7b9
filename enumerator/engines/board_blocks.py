"""Blocks of boards, and their counts, which one call of an engine fills in.

block    boards of the same shape, with the same pencil marks
hard     a board that takes the kernel longer than its budget of nodes
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from enumerator.board import Board, Shape
from enumerator.engines.jobs import Counting

Numbers: TypeAlias = "array[int] | memoryview"
Cells: TypeAlias = bytearray | memoryview


class StartedCount(NamedTuple):
    """The beginning of the count of a hard board: the seconds that it took, and its state."""

    seconds: float = 0.0
    counting: Counting | None = None
    """None if the count begins again."""


NOT_STARTED = StartedCount()


class HardBoard(NamedTuple):
    """A board that exceeds the budget of the kernel, and the beginning of its count."""

    board: Board
    started_count: StartedCount = NOT_STARTED


class BoardBlock(NamedTuple):
    """Boards of the same shape, with the same pencil marks."""

    shape: Shape
    cells: memoryview
    """The cells of all boards, concatenated. A view, because blocks are divided often."""
    allowed: tuple[int, ...] | None = None

    @property
    def boards(self) -> int:
        """The number of boards."""
        return len(self.cells) // self.shape.cells

    def board(self, number: int) -> Board:
        """Return one of the boards."""
        size = self.shape.cells
        return Board.from_cells(self.shape, bytes(self.cells[number * size : (number + 1) * size]), self.allowed)

    def take(self, boards: int) -> BoardBlock:
        """Return the block of the first `boards` boards."""
        return self._replace(cells=self.cells[: boards * self.shape.cells])

    def skip(self, boards: int) -> BoardBlock:
        """Return the block without the first `boards` boards."""
        return self._replace(cells=self.cells[boards * self.shape.cells :])

    def remaining_after(self, boards: int, started_count: StartedCount | None) -> Iterator[Task]:
        """Yield the tasks that remain after the first boards: a hard board, and the others.

        The next board is hard if its count is a `StartedCount`.
        """
        if started_count is not None:
            yield HardBoard(self.board(boards), started_count)
            boards += 1
        if boards < self.boards:
            yield self.skip(boards)


Task: TypeAlias = BoardBlock | HardBoard
"""A block, or a board that exceeds the budget of the kernel."""


class BoardCounts:
    """The numbers of solutions of consecutive boards, and what else was requested of them.

        counts    the number of solutions of each board
        facts     the nodes, the time and the candidates of each board
        unique    the solution of each board with exactly one, at the place of the board
        listed    the solutions of all boards, concatenated

    The last three are None if they were not requested.
    """

    __slots__ = ("counts", "facts", "listed", "unique")

    def __init__(self, boards: int) -> None:
        self.counts: Numbers = array("Q", bytes(8 * boards))
        self.facts: BoardFacts | None = None
        self.unique: Cells | None = None
        self.listed: Cells | None = None

    def remaining_after(self, boards: int, shape: Shape) -> BoardCounts:
        """Return the room for the boards after the first `boards`."""
        rest = BoardCounts(0)
        rest.counts = memoryview(self.counts)[boards:]
        if self.facts:
            rest.facts = self.facts.remaining_after(boards, shape)
        if self.unique is not None:
            rest.unique = memoryview(self.unique)[boards * shape.cells :]
        if self.listed is not None:
            rest.listed = memoryview(self.listed)[sum(self.counts[:boards]) * shape.cells :]
        return rest


class BoardFacts:
    """The nodes, the time and the candidates of consecutive boards.

    `candidates` has size + 1 numbers per board: how many empty cells have 0, 1, …, size candidates.
    """

    __slots__ = ("candidates", "empty_cells", "nanoseconds", "nodes")

    def __init__(self, boards: int, shape: Shape) -> None:
        self.nodes: Numbers = array("Q", bytes(8 * boards))
        self.nanoseconds: Numbers = array("Q", bytes(8 * boards))
        self.empty_cells: Numbers = array("Q", bytes(8 * boards))
        self.candidates: Numbers = array("H", bytes(2 * boards * (shape.size + 1)))

    def remaining_after(self, boards: int, shape: Shape) -> BoardFacts:
        """Return the room for the boards after the first `boards`."""
        rest = BoardFacts(0, shape)
        for name in ("nodes", "nanoseconds", "empty_cells"):
            setattr(rest, name, memoryview(getattr(self, name))[boards:])
        rest.candidates = memoryview(self.candidates)[boards * (shape.size + 1) :]
        return rest
