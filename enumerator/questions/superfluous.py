"""The superfluous clues of a board with one solution: those without which it still has only that one.

Without a clue, any other solution has another digit in its cell: one with the same digit would solve
the board with the clue, too. So the digit is forbidden there, and the clue is superfluous if no solution
is left. Each clue is judged alone. Two superfluous clues may need each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from math import inf
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.questions.ask import carrying
from enumerator.questions.solve import solve
from enumerator.questions.verdict import decide_at_once
from enumerator.run.counting import tallies
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.phrases import plural

MOST_NAMED = 5
"""The number of clues that the `repr` of an answer names."""


@dataclass(frozen=True, slots=True, repr=False)
class SuperfluousAnswer:
    """The superfluous clues of a board, as cells; and how many of its clues were judged.

    >>> for row, column in en.superfluous("1... ..2. .3.. 2..4"):
    ...     print(row, column)
    3 0
    """

    board: Board
    cells: tuple[tuple[int, int], ...]
    """The rows and columns of the superfluous clues, numbered from 0, row by row."""
    judged: int
    seconds: float

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.cells)

    def __repr__(self) -> str:
        clues = plural(self.board.shape.cells - self.board.empty_cells, "clue", "{:,}")
        among = clues if self.complete else f"the first {self.judged:,} of {clues}"
        if not self.cells:
            return f"<SuperfluousAnswer: none of {among}>"
        size = self.board.shape.size
        named = ", ".join(cell_name(row * size + column, size) for row, column in self.cells[:MOST_NAMED])
        more = ", …" if len(self.cells) > MOST_NAMED else ""
        return f"<SuperfluousAnswer: {len(self.cells):,} of {among}: {named}{more}>"

    @property
    def complete(self) -> bool:
        """True if all clues were judged."""
        return self.judged == self.board.shape.cells - self.board.empty_cells

    def to_dict(self) -> dict[str, object]:
        """Return the clues with their places and symbols. `index` numbers the cells from 0, row by row."""
        board, size = self.board, self.board.shape.size
        return {
            "clues": [
                {
                    "cell": cell_name(index, size),
                    "index": index,
                    "symbol": board.shape.symbols[board.cells[index] - 1],
                }
                for index in (row * size + column for row, column in self.cells)
            ],
            "complete": self.complete,
            "judged": self.judged,
            "seconds": round(self.seconds, 6),
        }


class _TimeUpError(Exception):
    """The time limit has passed."""


def superfluous(
    board: Board, plan: Plan, *, time_limit: float | None = None, watch: Watch = no_progress
) -> SuperfluousAnswer:
    """Return the superfluous clues of a board with exactly one solution, in the order of their cells.

    Raise NoSolutionError or NotUniqueError if the board has another number. After `time_limit`
    seconds, the answer has those clues that were judged. Raise OutOfTimeError if there is none. Errors
    that end the question have the clues judged so far in `answer`.
    """
    started = perf_counter()
    end = inf if time_limit is None else started + time_limit
    clues = [cell for cell, digit in enumerate(board.cells) if digit]
    found: list[int] = []
    judged = 0

    def look(_: Progress | None = None) -> None:
        watch(Progress(judged / len(clues) if clues else None, stage="clues"))
        if perf_counter() > end:
            raise _TimeUpError

    def answer() -> SuperfluousAnswer:
        cells = tuple(divmod(cell, board.shape.size) for cell in found)
        return SuperfluousAnswer(board, cells, judged, perf_counter() - started)

    with suppress(_TimeUpError), carrying(answer):
        solve(board, plan, watch=look)
        for cell in clues:
            if not has_solution(without_digit(board, cell), plan, look):
                found.append(cell)
            judged += 1
            look()
    if clues and not judged:
        raise OutOfTimeError("no clue was judged within the time limit")
    return answer()


def without_digit(board: Board, cell: int) -> Board:
    """Return the board without the clue in a cell, where its digit is forbidden."""
    full, digit = (1 << board.shape.size) - 1, board.cells[cell]
    masks = list(board.allowed or (1 << clue - 1 if clue else full for clue in board.cells))
    masks[cell] = full ^ 1 << digit - 1
    cells = board.cells[:cell] + b"\0" + board.cells[cell + 1 :]
    return Board.from_cells(board.shape, cells, masks)


def has_solution(board: Board, plan: Plan, watch: Watch) -> bool:
    """Return True if a board has a solution: by one call of a kernel, or by a count on all cores."""
    if decision := decide_at_once(board, plan, with_solution=False):
        return decision.code > 0
    if plan.engine != engines.AUTO and not engines.get(plan.engine).takes(board):  # because of the forbidden digit
        plan = plan._replace(engine=engines.AUTO)
    with closing(tallies(board, plan._replace(limit=0))) as counting:  # it looks for one solution
        for tally in counting:
            if tally.complete:
                return False
            watch(Progress())
    return True
