"""The numbers of solutions of many boards."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from threading import Event
from time import perf_counter
from typing import TypeAlias, TypeVar

from enumerator import engines
from enumerator.board import Shape
from enumerator.board.coerce import BoardLike
from enumerator.engines import MOST
from enumerator.engines.board_blocks import BoardBlock, BoardCounts, BoardFacts, HardBoard, StartedCount
from enumerator.questions.count import CountAnswer, count, try_count, with_solution, worker_plan
from enumerator.questions.count_answer import CountedBlock
from enumerator.questions.fields import AnswerBlock, AnswerList
from enumerator.questions.gathering import BadItems, gather
from enumerator.questions.many import Asking, BlockQuestion, Result, answer_many, count_quickly
from enumerator.run.endings import OutOfTimeError
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.text.phrases import lasting

Value = TypeVar("Value")

Counts: TypeAlias = list[int]
"""The numbers of solutions of consecutive boards."""


class Counter(BlockQuestion[Counts]):
    """A counter of blocks of boards."""

    def __init__(self, plan: Plan, time_limit: float | None = None) -> None:
        self.plan, self.worker_plan = plan, worker_plan(plan, time_limit)
        self.sought = MOST if plan.sought is None else plan.sought

    def count_block(self, block: BoardBlock, out: BoardCounts, stop: Event) -> tuple[int, StartedCount | None]:
        """Count the first boards of a block; return their number, and the beginning of a hard one."""
        if block.boards and not engines.counts_boards(self.plan.engine, block.shape, block.allowed is not None):
            return 0, StartedCount()  # every board is hard
        return count_quickly(block, out, self.plan.batch_pacing.count_nodes_for(block.shape), self.sought, stop)

    def try_hard(self, hard: HardBoard, stop: Event) -> CountAnswer | PartialCount:
        """Count a hard board on one core; return a partial count if it takes too long."""
        started = perf_counter()
        try:
            return try_count(hard.board, self.worker_plan, stop, hard.started_count)
        finally:
            self.hard_seconds += perf_counter() - started

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Counts, int, StartedCount | None]:
        out = BoardCounts(block.boards)
        boards, started_count = self.count_block(block, out, stop)
        counts, limit = out.counts[:boards].tolist(), self.plan.limit
        return counts if limit is None else [min(number, limit) for number in counts], boards, started_count

    def ask_hard(self, hard: HardBoard, stop: Event) -> Counts | PartialCount:
        found = self.try_hard(hard, stop)
        return found if isinstance(found, PartialCount) else [found.solutions]

    def for_worker(self) -> Counter:
        return type(self)(self.worker_plan)


class AnswerCounter(BlockQuestion[AnswerBlock]):
    """A counter of blocks of boards that returns answers: with all facts, or numbers alone."""

    def __init__(self, plan: Plan, time_limit: float | None = None, *, has_facts: bool) -> None:
        self._counter, self.has_facts = Counter(plan, time_limit), has_facts

    def ask(self, block: BoardBlock, stop: Event) -> tuple[AnswerBlock, int, StartedCount | None]:
        out = BoardCounts(block.boards)
        if self.has_facts:
            out.facts, out.unique = BoardFacts(block.boards, block.shape), bytearray(len(block.cells))
        boards, started_count = self._counter.count_block(block, out, stop)
        return CountedBlock(block.take(boards), out, self._counter.plan), boards, started_count

    def ask_hard(self, hard: HardBoard, stop: Event) -> AnswerBlock | PartialCount:
        found = self._counter.try_hard(hard, stop)
        if isinstance(found, PartialCount):
            return found
        return AnswerList([with_solution(found, self._counter.plan) if self.has_facts else found])

    def for_worker(self) -> AnswerCounter:
        return AnswerCounter(self._counter.worker_plan, has_facts=self.has_facts)


def count_all(
    items: Iterable[BoardLike],
    plan: Plan,
    shape: Shape | None = None,
    *,
    time_limit: float | None = None,
    bad: BadItems[Value] | None = None,
) -> Generator[int | Value, None, None]:
    """Yield the number of solutions of each board. A long count is continued on all cores.

    A board that is not counted within `time_limit` seconds is a bad item, as one that is not a board.
    """
    bad = bad or BadItems[Value]()
    check = None if plan.engine == engines.AUTO else engines.get(plan.engine).check
    chunks = gather(items, shape, plan.batch_pacing, bad=bad, check=check)
    asking = Asking(Counter(plan, time_limit), size=lambda counts: 40 * len(counts))  # most numbers are objects
    with closing(answer_many(lambda: asking, chunks, plan)) as results:
        yield from bad.fill(
            _continue(result, plan, time_limit, bad) if result.shown is None else result.shown for result in results
        )


def _continue(result: Result, plan: Plan, time_limit: float | None, bad: BadItems[Value]) -> Iterator[int | Value]:
    """Continue a count that a core gave up on all cores, and yield it.

    If it does not end in time, raise OutOfTimeError, skip it, or yield the value of `bad`, as `bad` says.
    """
    if result.left is None or (board := result.left.board) is None:
        return
    answer = count(board, plan, time_limit=time_limit, start=result.start)
    if answer.ended != "time limit":
        yield answer.solutions
    elif bad.raises:
        error = OutOfTimeError(f"a board is not counted in {lasting(time_limit or 0.0)}: {board}")
        error.answer = answer
        raise error
    elif not bad.skips:
        yield bad.value
