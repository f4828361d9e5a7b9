"""The verdict on a board: no solution, one, or several; unknown, if a time limit ends the search.

One call of a kernel classifies a chunk of boards. A board that takes longer than some milliseconds
is set aside. It is counted slice by slice, by the engine that is predicted to be faster.

A board that is set aside is a task of its own, and so are the boards behind it:

    chunk -> verdicts on the boards before a hard one, [the hard one], [the boards behind it]

So the other cores go on with the boards behind it, and the verdicts are in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from threading import Event
from time import perf_counter
from typing import NamedTuple, TypeAlias

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines.lists import Work
from enumerator.questions.solutions import pages, solution_list, to_boards
from enumerator.run.local import LocalCount
from enumerator.run.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Stopped


class Verdict(Enum):
    """The verdict on a board."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"
    """The time limit has passed before the board was decided."""

    def __str__(self) -> str:
        return self.value


UNDECIDED = 3
"""The code of a board that is not decided in time, before any solution is found; 4 if one is found."""

VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNKNOWN, Verdict.UNKNOWN)
"""The verdicts by code: the number of solutions, where 2 means several; or an undecided board."""

TURN_SECONDS = 0.2
"""The time after which the rest of a chunk becomes a task of its own, so that verdicts do not wait."""


@dataclass(frozen=True, slots=True)
class ClassifyAnswer:
    """The verdict on a board, and its solution if it has exactly one.

    A unique board has no solution here if the time limit has passed before it was found again.
    """

    shape: Shape
    verdict: Verdict
    solution: Board | None = None
    at_least: int = 0
    """The number of solutions found, if the verdict is unknown: 0 or 1."""
    time_limit: float | None = None
    """The time limit in seconds; None: no limit."""

    def to_dict(self) -> dict[str, object]:
        facts: dict[str, object] = {"shape": str(self.shape), "verdict": str(self.verdict)}
        if self.verdict is Verdict.UNKNOWN:
            facts["at_least"] = self.at_least
            facts["reason"] = f"not decided within {self.time_limit:g} s"
        if self.solution:
            facts["solution"] = str(self.solution)
        return facts


def make_answer(shape: Shape, code: int, solution: bytes = b"", time_limit: float | None = None) -> ClassifyAnswer:
    """Return the answer for a code. `solution` is empty or zero if none was found."""
    unique = Board.from_cells(shape, solution) if code == 1 and any(solution) else None
    return ClassifyAnswer(shape, VERDICTS[code], unique, max(0, code - UNDECIDED), time_limit)


def classify_quickly(
    boards: AlikeBoards, solutions: memoryview | None, plan: Plan, stop: Event
) -> tuple[bytes, float | None]:
    """Return the codes of the first boards; and the seconds spent on the next one, if it is hard.

    Without a hard board, the codes end after TURN_SECONDS.
    The solution of each board with exactly one is written to the board's place in `solutions`. Raise
    Stopped soon after `stop` is set.
    """
    shape, cells, allowed = boards
    engine = engines.first_classifying(shape, allowed is not None)
    budget = plan.batch_pacing.nodes_for(shape)
    codes, now = bytearray(), perf_counter()
    end = now + TURN_SECONDS
    while (first := len(codes) * shape.cells) < len(cells):
        if stop.is_set():
            raise Stopped
        place = None if solutions is None else solutions[first:]
        some = engine.classify(memoryview(cells)[first:], shape, budget, place, allowed)
        if not some:  # the first board takes longer than the budget
            return bytes(codes), perf_counter() - now
        codes += some
        if (now := perf_counter()) > end:
            break
    return bytes(codes), None


def classify_slowly(
    board: Board, with_solution: bool, plan: Plan, stop: Event, time_limit: float | None = None, spent: float = 0.0
) -> tuple[int, bytes]:
    """Return the code of a board that exceeds the budget of the kernel.

    With `with_solution`, also return the solution of a board with exactly one. `time_limit` is for
    both, and for the `spent` seconds of the kernel; a solution that is not found in time is empty.
    """
    end = perf_counter() + (inf if time_limit is None else time_limit - spent)
    plan = plan._replace(cores=1, limit=1, cluster=None)  # a count looks for one solution more
    local = LocalCount(board, plan)
    while not local.finished:
        local.step()
        if stop.is_set():
            raise Stopped
        if perf_counter() > end and not local.finished:
            return UNDECIDED + local.tally.solutions, b""
    number = local.tally.solutions if local.tally.complete else 2
    if not with_solution or number != 1:
        return number, b""
    found = solution_list(board, plan._replace(engine=local.tally.engine))
    with closing(pages(found, board.shape, cores=1, limit=1)) as walked:
        for page in walked:
            if page.text:
                return 1, next(to_boards(board.shape, [page.text])).cells
            if stop.is_set():
                raise Stopped
            if perf_counter() > end:
                return 1, b""
    raise RuntimeError("a solution was counted, but is not in the list")


def classify_alike(
    boards: AlikeBoards, with_solutions: bool, plan: Plan, stop: Event, time_limit: float | None = None
) -> tuple[bytes, bytes]:
    """Return the code of each board, on one core.

    With `with_solutions`, also return the solution of each board with exactly one, at the board's
    place. Raise Stopped soon after `stop` is set.
    """
    shape, cells, allowed = boards
    codes, solutions = bytearray(), bytearray(len(cells) if with_solutions else 0)
    while (first := len(codes) * shape.cells) < len(cells):
        place = memoryview(solutions)[first:] if with_solutions else None
        some, spent = classify_quickly(boards._replace(cells=cells[first:]), place, plan, stop)
        codes += some
        if spent is not None:
            first = len(codes) * shape.cells
            board = Board.from_cells(shape, cells[first : first + shape.cells], allowed)
            code, solution = classify_slowly(board, with_solutions, plan, stop, time_limit, spent)
            codes.append(code)
            solutions[first : first + len(solution)] = solution
    return bytes(codes), bytes(solutions)


def classify(
    board: Board, plan: Plan, *, with_solution: bool = True, time_limit: float | None = None
) -> ClassifyAnswer:
    """Return the verdict on a board. At most two solutions are visited.

    With `with_solution`, the answer includes the solution of a unique board. On a hard board, that
    takes about twice as long. After `time_limit` seconds, the verdict is unknown.
    """
    shape, solution, started = board.shape, bytearray(board.shape.cells if with_solution else 0), perf_counter()
    place = memoryview(solution) if with_solution else None
    decided = engines.decide(board, plan.batch_pacing.nodes_for(shape), place)
    if decided is not None:
        return make_answer(shape, decided, bytes(solution), time_limit)
    code, found = classify_slowly(board, with_solution, plan, Event(), time_limit, perf_counter() - started)
    return make_answer(shape, code, found, time_limit)


def classify_all(boards: Iterable[Board], plan: Plan, *, time_limit: float | None = None) -> Iterator[Verdict]:
    """Yield the verdicts on many boards, in order. After `time_limit` seconds, a board's is unknown."""
    stop = Event()

    def work(task: Task) -> tuple[bytes, list[Task]]:
        if isinstance(task, HardBoard):
            return bytes([classify_slowly(task.board, False, plan, stop, time_limit, task.spent)[0]]), []
        codes, spent = classify_quickly(task, None, plan, stop)
        return codes, list(task.behind(len(codes), spent))

    for codes in map_ordered(Work(work, _chunks(boards, plan)), plan.effective_cores(), stop, size=len):
        yield from map(VERDICTS.__getitem__, codes)


class HardBoard(NamedTuple):
    """A board that exceeds the budget of the kernel, and the seconds that the kernel has spent on it."""

    board: Board
    spent: float


class AlikeBoards(NamedTuple):
    """Boards of the same shape, with the same pencil marks."""

    shape: Shape
    cells: bytes
    """The cells of all boards, concatenated."""
    allowed: tuple[int, ...] | None = None

    def behind(self, boards: int, spent: float | None) -> Iterator[Task]:
        """Yield the tasks that remain behind the first boards: a hard board, and the others.

        The next board is hard if `spent` is a number: the seconds that the kernel has spent on it.
        """
        size = self.shape.cells
        cells = self.cells[boards * size :]
        if spent is not None:
            yield HardBoard(Board.from_cells(self.shape, cells[:size], self.allowed), spent)
            cells = cells[size:]
        if cells:
            yield self._replace(cells=cells)


Task: TypeAlias = AlikeBoards | HardBoard
"""Boards that are alike; or a board that exceeds the budget of the kernel."""


def _chunks(boards: Iterable[Board], plan: Plan) -> Iterator[Task]:
    """Yield chunks of boards of the same shape. The chunks grow.

    A chunk in which a board has pencil marks is yielded board by board.
    """
    size = plan.batch_pacing.first_chunk
    for shape, alike in groupby(boards, attrgetter("shape")):
        while some := list(islice(alike, size)):
            if any(map(attrgetter("allowed"), some)):
                yield from (AlikeBoards(shape, board.cells, board.allowed) for board in some)
            else:
                yield AlikeBoards(shape, b"".join(map(attrgetter("cells"), some)))
            size = min(2 * size, plan.batch_pacing.chunk)
