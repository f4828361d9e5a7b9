"""Solutions one by one, recorded in a ledger, so that another iterator can continue after them.

The ledger is that of a list (see `listing`) in the form `boards`. Its fact `bytes` is the number of
solutions already yielded after the last committed position.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from time import perf_counter

from enumerator.board import Board
from enumerator.engines.interfaces import SolutionList
from enumerator.questions.listing import RecordedPlaces
from enumerator.questions.solutions import Frontier, boards_of, list_cores, pages, solution_list
from enumerator.run.ledger import Ledger, run_identity
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress


def resume_solutions(
    board: Board, plan: Plan, checkpoint: str, watch: Watch = no_progress
) -> Generator[Board, None, None]:
    """Yield the solutions after those that earlier iterators with the same checkpoint have yielded.

    All of them together yield `plan.limit` solutions at most.
    """
    solutions = solution_list(board, plan)
    identity = {**run_identity("list", board, plan), "output": "", "form": "boards"}
    with Ledger(checkpoint, identity, pacing=plan.pacing) as ledger:
        if not ledger.contents.finished:
            yield from _Resumed(board, solutions, plan, ledger).boards(watch)


class _Resumed:
    """An iteration that records in a ledger how far it has come."""

    def __init__(self, board: Board, solutions: SolutionList, plan: Plan, ledger: Ledger) -> None:
        self.board, self.solutions, self.plan, self.ledger = board, solutions, plan, ledger
        self.yielded = int(ledger.contents.run.get("bytes", "0"))
        """The number of solutions already yielded after the last committed position."""
        self._due = perf_counter()

    def boards(self, watch: Watch) -> Generator[Board, None, None]:
        shape, ledger, limit = self.board.shape, self.ledger, self.plan.limit
        found = ledger.contents.totals.solutions
        most = None if limit is None else limit - found
        recorded = RecordedPlaces(self.solutions, ledger)
        places = recorded.places()
        frontier = Frontier(self.solutions.engine, places)
        cores = list_cores(self.solutions, self.plan)
        try:
            with closing(pages(self.solutions, shape, cores, most, places, as_cells=True)) as walked:
                for page in walked:
                    solutions = len(page.text) // shape.cells
                    found += solutions
                    watch(frontier.progress(page, found, limit))
                    del page.text[: self.yielded * shape.cells]
                    for board in boards_of(shape, [page.text]):
                        self.yielded += 1
                        yield board
                        if perf_counter() > self._due:  # a page may take the caller long
                            self._commit()
                    self.yielded -= solutions
                    recorded.close_page(page, solutions)
        finally:
            self._commit()

    def _commit(self) -> None:
        self.ledger.note(bytes=str(max(0, self.yielded)), tail="")
        self.ledger.commit(last=True)
        self._due = perf_counter() + self.plan.pacing.commit_seconds
