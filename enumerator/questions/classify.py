"""The verdict on a board: no solution, one, or several.

One call of a kernel classifies a chunk of boards. A board that takes longer than some milliseconds
is set aside. It is counted slice by slice, by the engine that is predicted to be faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import groupby, islice
from operator import attrgetter
from threading import Event
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Engine
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

    def __str__(self) -> str:
        return self.value


VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)
"""The verdicts by number of solutions: 0, 1, or 2 for several."""


@dataclass(frozen=True, slots=True)
class ClassifyAnswer:
    """The verdict on a board, and its solution if it has exactly one."""

    shape: Shape
    verdict: Verdict
    solution: Board | None = None

    def to_dict(self) -> dict[str, object]:
        facts: dict[str, object] = {"shape": str(self.shape), "verdict": str(self.verdict)}
        if self.solution:
            facts["solution"] = str(self.solution)
        return facts


class Chunk(NamedTuple):
    """Boards of the same shape, concatenated, with the same pencil marks."""

    shape: Shape
    cells: bytes
    allowed: tuple[int, ...] | None


@cache
def _classifier(shape: Shape, is_restricted: bool) -> Engine:
    """Return the first engine that classifies many boards in one call, with pencil marks or not."""
    empty = memoryview(b"")
    able = (engine for engine in engines.supporting(Board.empty(shape)) if engine.takes_pencil_marks >= is_restricted)
    return next(engine for engine in able if engine.classify(empty, shape, 0, None) is not None)


def classify_cells(
    cells: bytes, shape: Shape, with_solutions: bool, plan: Plan, stop: Event, allowed: Sequence[int] | None = None
) -> tuple[bytes, bytes]:
    """Return the number of solutions, at most 2, of each board.

    `cells` are the boards, concatenated. All of them have the pencil marks `allowed`. With
    `with_solutions`, also return the solution of each board with exactly one, at the board's place.
    Raise Stopped soon after `stop` is set.
    """
    engine = _classifier(shape, allowed is not None)
    solutions = bytearray(len(cells) if with_solutions else 0)
    counts, budget = bytearray(), plan.batch_pacing.classify_nodes * 81 // shape.cells
    while (first := len(counts) * shape.cells) < len(cells):
        if stop.is_set():
            raise Stopped
        place = memoryview(solutions)[first:] if with_solutions else None
        some = engine.classify(memoryview(cells)[first:], shape, budget, place, allowed)
        if not some:  # the first board takes longer than the budget
            board = Board(shape, cells[first : first + shape.cells], None if allowed is None else tuple(allowed))
            count, solution = classify_slowly(board, with_solutions, plan, stop)
            some = bytes([count])
            if place and solution:
                place[: shape.cells] = solution
        counts += some
    return bytes(counts), bytes(solutions)


def classify_slowly(board: Board, with_solution: bool, plan: Plan, stop: Event) -> tuple[int, bytes]:
    """Return the number of solutions, at most 2, of a board that exceeds the budget of the kernel.

    With `with_solution`, also return the solution of a board with exactly one.
    """
    plan = plan._replace(cores=1, limit=2, cluster=None)
    local = LocalCount(board, plan)
    while not local.finished:
        local.step()
        if stop.is_set():
            raise Stopped
    if not with_solution or local.tally.solutions != 1:
        return local.tally.solutions, b""
    found = solution_list(board, plan._replace(engine=local.tally.engine))
    with closing(pages(found, board.shape, cores=1, limit=1)) as walked:
        for page in walked:
            if page.text:
                return 1, next(to_boards(board.shape, [page.text])).cells
            if stop.is_set():
                raise Stopped
    raise RuntimeError("a solution was counted, but is not in the list")


def classify(board: Board, plan: Plan, *, with_solution: bool = True) -> ClassifyAnswer:
    """Return the verdict on a board. At most two solutions are visited.

    With `with_solution`, the answer includes the solution of a unique board. On a hard board, that
    takes about twice as long.
    """
    counts, solution = classify_cells(board.cells, board.shape, with_solution, plan, Event(), board.allowed)
    unique = Board(board.shape, solution) if solution and counts[0] == 1 else None
    return ClassifyAnswer(board.shape, VERDICTS[counts[0]], unique)


def classify_all(boards: Iterable[Board], plan: Plan) -> Iterator[Verdict]:
    """Yield the verdicts on many boards, in order."""
    stop = Event()

    def classify_chunk(chunk: Chunk) -> tuple[bytes, list[Chunk]]:
        shape, cells, allowed = chunk
        return classify_cells(cells, shape, False, plan, stop, allowed)[0], []

    for counts in map_ordered(Work(classify_chunk, _chunks(boards, plan)), plan.effective_cores(), stop):
        yield from map(VERDICTS.__getitem__, counts)


def _chunks(boards: Iterable[Board], plan: Plan) -> Iterator[Chunk]:
    """Yield chunks of boards that are alike, concatenated. The chunks grow."""
    size = plan.batch_pacing.first_chunk
    for (shape, allowed), alike in groupby(boards, attrgetter("shape", "allowed")):
        while some := b"".join(map(attrgetter("cells"), islice(alike, size))):
            yield Chunk(shape, some, allowed)
            size = min(2 * size, plan.batch_pacing.chunk)
