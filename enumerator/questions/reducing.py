"""Clues removed from boards of one shape, as long as each has one solution.

The kernel of an engine tests most clues in microseconds. On boards larger than 9×9, a test that takes more
than KERNEL_NODES is repeated at the end by `has_solution`, which may take any engine.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import MOST
from enumerator.engines.reductions import ClueVerdict, Orbits
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.clues import has_solution, without_digit
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

KERNEL_CELLS = 81
"""The largest board whose clues the kernel judges without a limit: no test takes a second."""

KERNEL_NODES = 1_000
"""The most nodes for the kernel's test of a clue on a larger board, some milliseconds."""


class Reducer:
    """Removes clues of boards of one shape. Several threads may use it at the same time."""

    def __init__(self, shape: Shape, orbits: Orbits, fewest: int = 0, engine: str = engines.AUTO) -> None:
        """Prepare to remove whole orbits, as long as `fewest` clues are left."""
        self.shape, self.orbits, self.fewest = shape, orbits, fewest
        self._reduction = engines.reduction(shape)
        self._nodes = MOST if shape.cells <= KERNEL_CELLS else KERNEL_NODES
        self._plan = Plan(cores=1, engine=engine)
        self.tested = 0
        """The number of clues that were tested. It is for progress: threads add to it without a lock."""

    def reduce(self, boards: bytearray, rng: Random) -> None:
        """Remove clues of boards in random order. Each has one solution before and after."""
        cells = self.shape.cells
        seeds = array("Q", (rng.getrandbits(64) for _ in range(len(boards) // cells)))
        undecided = self._reduction.reduce(boards, seeds, self.orbits, self.fewest, self._nodes)
        self.tested += len(boards) - sum(undecided)
        if any(undecided):
            for first in range(0, len(boards), cells):
                board = boards[first : first + cells]
                self._finish(board, undecided[first : first + cells], rng)
                boards[first : first + cells] = board

    def _finish(self, board: bytearray, undecided: bytearray, rng: Random) -> None:
        """Remove those orbits of a board that the kernel did not decide, in random order, where possible."""
        left = [orbit for orbit in self.orbits if any(undecided[cell] for cell in orbit)]
        rng.shuffle(left)
        clues = len(board) - board.count(0)
        for orbit in left:
            here = [cell for cell in orbit if board[cell]]
            if clues - len(here) >= self.fewest and self._remove(board, here):
                clues -= len(here)
            self.tested += len(orbit)

    def _remove(self, board: bytearray, cells: Sequence[int]) -> bool:
        """Remove some clues if the board keeps its one solution; return False if it does not."""
        before = board[:]
        for cell in cells:
            if not self.is_superfluous(bytes(board), cell):
                board[:] = before
                return False
            board[cell] = 0
        return True

    def is_superfluous(self, cells: bytes, cell: int) -> bool:
        """Return True if a board has one solution without the clue in `cell`, too."""
        board = Board.from_valid(self.shape, cells)
        return not has_solution(without_digit(board, cell), self._plan, stop_if_unwanted)

    def superfluous(self, boards: bytes | bytearray) -> list[list[int]]:
        """Return the cells of the superfluous clues of each board. Every clue is judged alone."""
        verdicts, size = self._reduction.judge(boards, self._nodes), self.shape.cells
        found = list[list[int]]()
        for first in range(0, len(boards), size):
            cells = bytes(boards[first : first + size])
            found.append(
                [
                    cell
                    for cell, digit in enumerate(cells)
                    if digit and self._is_superfluous(verdicts[first + cell], cells, cell)
                ]
            )
        return found

    def _is_superfluous(self, verdict: int, cells: bytes, cell: int) -> bool:
        if verdict == ClueVerdict.UNDECIDED:
            return self.is_superfluous(cells, cell)
        return verdict == ClueVerdict.SUPERFLUOUS


def stop_if_unwanted(_: Progress) -> None:
    """Raise TaskStoppedError if the caller of this thread's task does not want its result any more."""
    if is_stopped():
        raise TaskStoppedError
