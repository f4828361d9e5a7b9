"""Verdicts as answers, and the verdicts on many boards. How a verdict is found is in verdict.py."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from threading import Event, get_ident
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock, BoardCounts, Cells, HardBoard, Numbers, StartedCount
from enumerator.questions.chunks import Chunk, block_of
from enumerator.questions.fields import ABSENT, BOARD, SHAPE, AnswerBlock, Field, cells_column, same, to_dict
from enumerator.questions.many import Asking, BlockQuestion, answer_many, count_quickly
from enumerator.questions.verdict import (
    UNDECIDED,
    VERDICTS,
    Decision,
    Verdict,
    decide,
    decide_slowly,
    node_budget,
)
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress

if TYPE_CHECKING:
    from enumerator.board.coerce import BoardLike
    from enumerator.questions.gathering import BadItems
    from enumerator.text.columns import Column

Value = TypeVar("Value")


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

    @property
    def reason(self) -> str:
        """Why the verdict is unknown; empty for others."""
        return f"not decided within {self.time_limit:g} s" if self.verdict is Verdict.UNKNOWN else ""

    def to_dict(self) -> dict[str, object]:
        return to_dict(FIELDS, self)


FIELDS = (
    BOARD,
    SHAPE,
    Field(
        "verdict",
        lambda answer: str(answer.verdict),
        column=lambda answers, _: answers.number(),
        is_text=True,
    ),
    Field(
        "solution",
        lambda answer: str(answer.solution) if answer.solution else ABSENT,
        column=lambda answers, _: cells_column(answers.found.solutions, answers.block.shape, answers.found.codes),
        shown=lambda answers: answers.found.codes,
        is_text=True,
    ),
    Field("at_least", lambda answer: answer.at_least if answer.verdict is Verdict.UNKNOWN else ABSENT, column=same),
    Field("reason", lambda answer: answer.reason or ABSENT, column=same),
)


class ClassifiedBlock(AnswerBlock):
    """The verdicts on consecutive boards."""

    def __init__(self, block: BoardBlock, found: BoardCodes, time_limit: float | None) -> None:
        super().__init__(block)
        self.fields, self.found, self.time_limit = FIELDS, found, time_limit

    @property
    def has_columns(self) -> bool:
        """False if a board is not decided, as it has facts of its own, and for boards with pencil marks."""
        return super().has_columns and not self.block.allowed and max(self.found.codes, default=0) < UNDECIDED

    def answer(self, number: int) -> ClassifyAnswer:
        size = self.block.shape.cells
        solution = bytes(self.found.solutions[number * size : (number + 1) * size])
        return make_answer(self.block.board(number), self.found.codes[number], solution, self.time_limit)

    def number(self) -> list[Column]:
        from enumerator.text import columns

        return [columns.choice(self.found.codes, [verdict.value.encode() for verdict in VERDICTS])]


def make_answer(board: Board, code: int, solution: bytes = b"", time_limit: float | None = None) -> ClassifyAnswer:
    """Return the answer for a code. `solution` is empty or zero if none was found."""
    unique = Board.from_cells(board.shape, solution) if code == 1 and any(solution) else None
    return ClassifyAnswer(board, VERDICTS[code], unique, max(0, code - UNDECIDED), time_limit)


def classify(
    board: Board,
    plan: Plan,
    *,
    time_limit: float | None = None,
    first: Decision | StartedCount | None = None,
    watch: Watch = no_progress,
) -> ClassifyAnswer:
    """Return the verdict on a board, with the solution of a unique one. At most two solutions are visited.

    After `time_limit` seconds, the verdict is unknown. `first` is what `first_look` has returned, if it was
    asked before.
    """
    decision = decide(board, plan, time_limit=time_limit, first=first, watch=watch)
    code = decision.code
    return ClassifyAnswer(board, VERDICTS[code], decision.solution, max(0, code - UNDECIDED), time_limit)


class BoardCodes(NamedTuple):
    """The codes of consecutive boards; and their solutions, if they were requested."""

    codes: Numbers
    solutions: Cells
    """The solution of each board with exactly one, at the place of the board; empty if not requested."""
    shape: Shape


def size_of_codes(found: BoardCodes) -> int:
    """Return the size of codes and solutions in bytes."""
    return 8 * len(found.codes) + len(found.solutions)


class Classifier(BlockQuestion[BoardCodes]):
    """A classifier of blocks of boards."""

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

    def ask(self, block: BoardBlock, stop: Event) -> tuple[BoardCodes, int, StartedCount | None]:
        out, solutions = BoardCounts(block.boards), bytearray(len(block.cells) if self.with_solutions else 0)
        out.unique = solutions if self.with_solutions else None
        budget = node_budget(block.shape, self.plan)
        boards, started_count = count_quickly(block, out, budget, 2, stop)
        return BoardCodes(out.counts[:boards], solutions, block.shape), boards, started_count

    def ask_hard(self, hard: HardBoard, stop: Event) -> BoardCodes:
        board, started_count = hard
        thread = get_ident()
        watch = partial(self._at_work.__setitem__, thread)
        try:
            decision = decide_slowly(
                board,
                self.plan,
                with_solution=self.with_solutions,
                time_limit=self.time_limit,
                started_count=started_count,
                watch=watch,
                stop=stop,
                is_alone=self._is_alone,
            )
        finally:
            self._at_work.pop(thread, None)
        solution = bytearray(board.shape.cells if self.with_solutions else 0)
        if solution and decision.solution:
            solution[:] = decision.solution.cells
        return BoardCodes(array("Q", [decision.code]), solution, board.shape)


class AnswerClassifier(BlockQuestion[AnswerBlock]):
    """A classifier of blocks of boards that returns answers, with the solutions if these were requested."""

    def __init__(self, plan: Plan, with_solutions: bool, time_limit: float | None = None) -> None:
        self._classifier = Classifier(plan, with_solutions, time_limit)

    @property
    def at_work(self) -> Progress | None:
        return self._classifier.at_work

    def ask(self, block: BoardBlock, stop: Event) -> tuple[AnswerBlock, int, StartedCount | None]:
        found, boards, started_count = self._classifier.ask(block, stop)
        return ClassifiedBlock(block.take(boards), found, self._classifier.time_limit), boards, started_count

    def ask_hard(self, hard: HardBoard, stop: Event) -> AnswerBlock:
        found = self._classifier.ask_hard(hard, stop)
        return ClassifiedBlock(block_of(hard.board), found, self._classifier.time_limit)


def classify_all(
    items: Iterable[BoardLike],
    plan: Plan,
    shape: Shape | None = None,
    *,
    time_limit: float | None = None,
    bad: BadItems[Value] | None = None,
) -> Generator[Verdict | Value, None, None]:
    """Yield the verdict on each board. After `time_limit` seconds, a board's is unknown."""
    bad, chunks = gather_good(items, shape, plan, bad)
    with closing(codes_of(Classifier(plan, False, time_limit), chunks)) as some:
        yield from bad.fill(map(VERDICTS.__getitem__, found.codes) for found in some)


def solve_all(
    items: Iterable[BoardLike],
    plan: Plan,
    shape: Shape | None = None,
    *,
    time_limit: float | None = None,
    bad: BadItems[Value] | None = None,
) -> Generator[Board | Value | None, None, None]:
    """Yield the solution of each board; None for a board without exactly one, or not solved in time."""
    bad, chunks = gather_good(items, shape, plan, bad)
    with closing(codes_of(Classifier(plan, True, time_limit), chunks)) as some:
        yield from bad.fill(map(_solved, some))


def gather_good(
    items: Iterable[BoardLike], shape: Shape | None, plan: Plan, bad: BadItems[Value] | None
) -> tuple[BadItems[Value], Iterator[Chunk]]:
    """Return what becomes of bad items, and the chunks of the good ones."""
    from enumerator.questions.gathering import BadItems, gather

    bad = bad or BadItems[Value]()
    return bad, gather(items, shape, plan.batch_pacing, bad=bad)


def _solved(found: BoardCodes) -> Iterator[Board | None]:
    """Yield the solution of each board of a block; None for one that does not have exactly one."""
    codes, solutions, shape = found
    for number, code in enumerate(codes):
        solution = solutions[number * shape.cells : (number + 1) * shape.cells]
        yield Board.from_valid(shape, bytes(solution)) if code == 1 and solution[0] else None


def codes_of(classifier: Classifier, chunks: Iterator[Chunk]) -> Generator[BoardCodes, None, None]:
    """Yield the codes of the boards of all chunks, in groups."""
    asking = Asking(classifier, size=size_of_codes)
    with closing(answer_many(lambda: asking, chunks, classifier.plan)) as results:
        for result in results:
            if result.shown is not None:
                yield result.shown
