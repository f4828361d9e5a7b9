"""The verdict on a board: no solution, one, or several; unknown, if a time limit ends the search.

One call of a kernel decides most boards. A board that takes longer than some milliseconds is counted
slice by slice, by the engine that is predicted to be faster.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import inf
from threading import Event, get_ident
from time import perf_counter
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Tally
from enumerator.engines.blocks import NOT_BEGUN, Begun, BoardBlock, BoardCounts, Cells, HardBoard, Numbers
from enumerator.questions.blocks import count_quickly
from enumerator.questions.solutions import pages, solution_list, to_boards
from enumerator.run.contest import hold_contest, rivals_of
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Progress, Stopped, Watch, no_progress


class Verdict(StrEnum):
    """The verdict on a board. It is also a string: "none", "unique", "multiple" or "unknown".

    >>> verdict = en.classify("1234 3412 2143 4321")
    >>> verdict
    <Verdict.UNIQUE: 'unique'>
    >>> verdict == "unique", f"{verdict}"
    (True, 'unique')
    """

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"
    """The time limit has passed before the board was decided."""


UNDECIDED = 3
"""The code of a board that is not decided in time, before any solution is found; 4 if one is found."""

VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNKNOWN, Verdict.UNKNOWN)
"""The verdicts by code: the number of solutions, where 2 means several; or an undecided board."""


@dataclass(frozen=True, slots=True)
class ClassifyAnswer:
    """The verdict on a board, and its solution if it has exactly one.

    A unique board has no solution here if the time limit has passed before it was found again.
    """

    board: Board
    verdict: Verdict
    solution: Board | None = None
    at_least: int = 0
    """The number of solutions found, if the verdict is unknown: 0 or 1."""
    time_limit: float | None = None
    """The time limit in seconds; None: no limit."""

    def to_dict(self) -> dict[str, object]:
        facts: dict[str, object] = {
            "board": str(self.board),
            "shape": str(self.board.shape),
            "verdict": str(self.verdict),
        }
        if self.verdict is Verdict.UNKNOWN:
            facts["at_least"] = self.at_least
            facts["reason"] = f"not decided within {self.time_limit:g} s"
        if self.solution:
            facts["solution"] = str(self.solution)
        return facts


def make_answer(board: Board, code: int, solution: bytes = b"", time_limit: float | None = None) -> ClassifyAnswer:
    """Return the answer for a code. `solution` is empty or zero if none was found."""
    unique = Board.from_cells(board.shape, solution) if code == 1 and any(solution) else None
    return ClassifyAnswer(board, VERDICTS[code], unique, max(0, code - UNDECIDED), time_limit)


def _tallies(local: LocalCount, is_alone: Callable[[], bool]) -> Generator[Tally, None, None]:
    """Count on one core; with the others, if the count takes long and they have nothing else to do."""
    while not local.finished:
        local.step()
        yield local.tally
        if not local.finished and is_alone() and local.takes_long and (rivals := rivals_of(local, local.plan)):
            yield from hold_contest(local, rivals, local.plan.pacing.tick)


def classify_slowly(  # noqa: PLR0913 - four of them have defaults
    board: Board,
    with_solution: bool,
    plan: Plan,
    stop: Event,
    time_limit: float | None = None,
    begun: Begun = NOT_BEGUN,
    watch: Watch = no_progress,
    is_alone: Callable[[], bool] = bool,
) -> tuple[int, bytes]:
    """Return the code of a board that exceeds the budget of the kernel.

    With `with_solution`, also return the solution of a board with exactly one. `time_limit` is for
    both, and for the seconds of the kernel that has `begun`; a solution that is not found in time is empty.
    While `is_alone` returns True, the other cores of the plan may help.
    """
    end = perf_counter() + (inf if time_limit is None else time_limit - begun.seconds)
    plan = plan._replace(limit=1, cluster=None)  # a count looks for one solution more
    local = LocalCount(board, plan, begun.counting if plan.engine == engines.AUTO else None)
    meter = Meter()
    with closing(_tallies(local, is_alone)) as counting:
        for tally in counting:
            watch(meter.read_tally(tally))
            if stop.is_set():
                raise Stopped
            if perf_counter() > end and not local.finished:
                return UNDECIDED + tally.solutions, b""
    number = local.tally.solutions if local.tally.complete else 2
    if not with_solution or number != 1:
        return number, b""
    if kept := local.counting.kept:
        return number, kept
    found = solution_list(board, plan._replace(cores=1, engine=local.tally.engine))
    with closing(pages(found, board.shape, cores=1, limit=1)) as walked:
        for page in walked:
            if page.text:
                return 1, next(to_boards(board.shape, [page.text])).cells
            if stop.is_set():
                raise Stopped
            if perf_counter() > end:
                return 1, b""
    raise RuntimeError("a solution was counted, but is not in the list")


def classify_at_once(board: Board, plan: Plan, *, with_solution: bool = True) -> ClassifyAnswer | None:
    """Return the verdict on a board that one call of a kernel decides, in milliseconds; None for others."""
    solution = bytearray(board.shape.cells) if with_solution else None
    decided = engines.decide(board, plan.batch_pacing.nodes_for(board.shape), solution)
    return None if decided is None else make_answer(board, decided, bytes(solution or b""))


def classify(
    board: Board,
    plan: Plan,
    *,
    with_solution: bool = True,
    time_limit: float | None = None,
    watch: Watch = no_progress,
) -> ClassifyAnswer:
    """Return the verdict on a board. At most two solutions are visited.

    With `with_solution`, the answer includes the solution of a unique board. After `time_limit`
    seconds, the verdict is unknown.
    """
    started = perf_counter()
    if answer := classify_at_once(board, plan, with_solution=with_solution):
        return answer
    begun = Begun(perf_counter() - started)
    code, found = classify_slowly(board, with_solution, plan, Event(), time_limit, begun, watch, lambda: True)
    return make_answer(board, code, found, time_limit)


class BoardCodes(NamedTuple):
    """The codes of consecutive boards; and their solutions, if they were requested."""

    codes: Numbers
    solutions: Cells
    """The solution of each board with exactly one, at the place of the board; empty if not requested."""
    shape: Shape


def size_of_codes(found: BoardCodes) -> int:
    """Return the size of codes and solutions in bytes."""
    return 8 * len(found.codes) + len(found.solutions)


class Classifier:
    """A classifier of blocks of boards: a `BlockQuestion`."""

    def __init__(self, plan: Plan, with_solutions: bool = False, time_limit: float | None = None) -> None:
        self.plan, self.with_solutions, self.time_limit = plan, with_solutions, time_limit
        self._at_work: dict[int, Progress] = {}
        """The progress of hard boards, by thread."""

    @property
    def at_work(self) -> Progress | None:
        """The progress of the hard board that has taken the most effort so far; None if there is none."""
        return max(self._at_work.copy().values(), key=lambda known: known.effort or 0, default=None)

    def _is_alone(self) -> bool:
        """Return True if one hard board is at work."""
        return len(self._at_work) == 1

    def ask(self, block: BoardBlock, stop: Event) -> tuple[BoardCodes, int, Begun | None]:
        out, solutions = BoardCounts(block.boards), bytearray(len(block.cells) if self.with_solutions else 0)
        out.unique = solutions if self.with_solutions else None
        budget = self.plan.batch_pacing.nodes_for(block.shape)
        boards, begun = count_quickly(block, out, budget, 2, stop)
        return BoardCodes(out.counts[:boards], solutions, block.shape), boards, begun

    def ask_hard(self, hard: HardBoard, stop: Event) -> BoardCodes:
        board, begun = hard
        thread = get_ident()
        watch = partial(self._at_work.__setitem__, thread)
        try:
            found = classify_slowly(
                board, self.with_solutions, self.plan, stop, self.time_limit, begun, watch, self._is_alone
            )
        finally:
            self._at_work.pop(thread, None)
        code, solution = found
        solution = solution or bytes(board.shape.cells if self.with_solutions else 0)
        return BoardCodes(array("Q", [code]), bytearray(solution), board.shape)
