"""The solutions of many boards, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import NamedTuple

from enumerator import engines
from enumerator.engines import MOST
from enumerator.engines.board_blocks import BoardBlock, BoardCounts, HardBoard, StartedCount
from enumerator.questions.fields import cells_column
from enumerator.questions.many import BlockQuestion, count_quickly
from enumerator.questions.solutions import pages, solution_list
from enumerator.run.plan import Plan
from enumerator.text import columns
from enumerator.text.columns import write_lines


class Lines(NamedTuple):
    """Solutions, one per line, and their number."""

    data: bytes | bytearray
    solutions: int = 0


class Lister(BlockQuestion[Lines]):
    """Every solution of each board, one per line, in the order of the board's list."""

    def __init__(self, plan: Plan, reports_none: bool) -> None:
        """Prepare to list. If `reports_none`, a board without solutions is left to the caller."""
        self.plan, self.reports_none = plan, reports_none

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Lines, int, StartedCount | None]:
        shape, limit = block.shape, self.plan.limit
        engine = engines.first_counting_boards(shape, block.allowed is not None)
        budget = engine.list_nodes(shape, self.plan.pacing.sizes)
        if not budget:
            return Lines(b""), 0, StartedCount()
        sought = MOST if limit is None else limit + 1
        out = BoardCounts(block.boards)
        out.listed = listed = bytearray((block.boards + min(sought, budget)) * shape.cells)
        boards, started_count = count_quickly(block, out, budget, sought, stop)
        counts = out.counts[:boards].tolist()
        for number in self._with_message():
            if number in counts[:boards]:
                boards, started_count = counts.index(number), StartedCount()
        solutions = sum(counts[:boards])
        made = [*cells_column(listed, shape), columns.text(b"\n")]
        return Lines(write_lines(solutions, made), solutions), boards, started_count

    def _with_message(self) -> Iterator[int]:
        """Yield the numbers of solutions that are left to the caller: more than the limit, or none."""
        if self.plan.limit is not None:
            yield self.plan.limit + 1
        if self.reports_none:
            yield 0

    def ask_hard(self, hard: HardBoard, stop: Event) -> Lines | None:
        board = hard.board
        found = solution_list(board, self.plan)
        if self.plan.limit is not None or not found.is_short:
            return None
        text = bytearray().join(page.text for page in pages(found, board.shape, cores=1))
        if not text and self.reports_none:
            return None
        return Lines(text, len(text) // (board.shape.cells + 1))
