"""The questions about many boards: their counts, their verdicts, their solutions, in order.

`enumerator.questions.blocks` runs them, in blocks on threads. Where most boards are hard, processes
bring more than threads, because the contraction prepares its sums under the lock of the interpreter:
then `enumerator.run.batches` maps the boards over joblib's processes. Two cores against one, by
`python -m bench library hard`:

                       each      threads   processes
    1c, rearranged     20 ms     1.82      1.98
    2d, rearranged      9 ms     1.16      1.73
    2e, rearranged      9 ms     1.33      1.79
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from threading import Event
from time import perf_counter
from typing import NamedTuple, TypeAlias

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike
from enumerator.engines import MOST
from enumerator.engines.blocks import Begun, BoardBlock, BoardCounts, HardBoard
from enumerator.questions.blocks import count_quickly, map_blocks
from enumerator.questions.classify import VERDICTS, BoardCodes, Classifier, Verdict, size_of_codes
from enumerator.questions.count import CountAnswer, count, try_count, worker_plan
from enumerator.questions.gathering import gather
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan


class UnfinishedBoard(NamedTuple):
    """A board whose count takes longer than one core should spend on it, and its state."""

    board: Board
    start: PartialCount


Counts: TypeAlias = Sequence[int | UnfinishedBoard]
"""The numbers of solutions of consecutive boards; or a board that all cores should go on with."""


class Counter:
    """A counter of blocks of boards: a `BlockQuestion`."""

    def __init__(self, plan: Plan, time_limit: float | None = None) -> None:
        self.plan, self._worker_plan = plan, worker_plan(plan, time_limit)
        self.sought = MOST if plan.sought is None else plan.sought
        self.hard_seconds = 0.0
        """The time of the hard boards so far."""

    def count_block(self, block: BoardBlock, out: BoardCounts, stop: Event) -> tuple[int, Begun | None]:
        """Count the first boards of a block; return their number, and the beginning of a hard one."""
        if not engines.counts_boards(self.plan.engine, block.shape, block.allowed is not None):
            return 0, Begun()  # every board is hard
        return count_quickly(block, out, self.plan.batch_pacing.count_nodes_for(block.shape), self.sought, stop)

    def try_hard(self, hard: HardBoard, stop: Event) -> CountAnswer | PartialCount:
        """Count a hard board on one core; return a partial count if it takes too long."""
        started = perf_counter()
        try:
            return try_count(hard.board, self._worker_plan, stop, hard.begun)
        finally:
            self.hard_seconds += perf_counter() - started

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Counts, int, Begun | None]:
        out = BoardCounts(block.boards)
        boards, begun = self.count_block(block, out, stop)
        counts, limit = out.counts[:boards].tolist(), self.plan.limit
        return counts if limit is None else [min(number, limit) for number in counts], boards, begun

    def ask_hard(self, hard: HardBoard, stop: Event) -> Counts:
        found = self.try_hard(hard, stop)
        return [UnfinishedBoard(hard.board, found) if isinstance(found, PartialCount) else found.solutions]


def count_all(items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None) -> Generator[int, None, None]:
    """Yield the number of solutions of each board. A long count is continued on all cores."""
    blocks = iter(gather(items, shape, plan.batch_pacing))
    counter, cores = Counter(plan), plan.effective_cores()
    if (first := next(blocks, None)) is None:
        return
    yield from _finish(map_blocks(counter, [first], cores, _size_of_counts, growing=True), plan)
    if cores > 1 and counter.hard_seconds > plan.batch_pacing.process_seconds * first.boards:
        yield from _count_in_processes(blocks, plan, cores)
    else:
        yield from _finish(map_blocks(counter, blocks, cores, _size_of_counts), plan)


def _size_of_counts(counts: Counts) -> int:
    """Return the size of a list of numbers in bytes. Those above 256 are objects of their own."""
    return 40 * len(counts)


def _finish(groups: Iterable[Counts], plan: Plan) -> Iterator[int]:
    """Yield the counts of all groups, and continue those that one core has left on all cores."""
    for counts in groups:
        for found in counts:
            yield found if isinstance(found, int) else count(found.board, plan, start=found.start).solutions


def _count_in_processes(blocks: Iterable[BoardBlock], plan: Plan, cores: int) -> Iterator[int]:
    from enumerator.run.batches import map_batches

    boards = (block.board(number) for block in blocks for number in range(block.boards))
    work: Callable[[list[Board]], list[int | UnfinishedBoard]] = partial(_try_counts, plan=worker_plan(plan))
    return _finish(map_batches(work, boards, cores, tell=plan.tell, pacing=plan.batch_pacing), plan)


def _try_counts(boards: list[Board], plan: Plan) -> list[int | UnfinishedBoard]:
    counter, stop = Counter(plan), Event()
    return list(chain.from_iterable(counter.ask_hard(HardBoard(board), stop) for board in boards))


def classify_all(
    items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None, *, time_limit: float | None = None
) -> Generator[Verdict, None, None]:
    """Yield the verdict on each board. After `time_limit` seconds, a board's is unknown."""
    for codes, _, _ in _map_codes(Classifier(plan, False, time_limit), items, shape):
        yield from map(VERDICTS.__getitem__, codes)


def solve_all(
    items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None, *, time_limit: float | None = None
) -> Generator[Board | None, None, None]:
    """Yield the solution of each board; None for a board without exactly one, or not solved in time."""
    for codes, solutions, own in _map_codes(Classifier(plan, True, time_limit), items, shape):
        for number, code in enumerate(codes):
            solution = solutions[number * own.cells : (number + 1) * own.cells]
            yield Board.from_valid(own, bytes(solution)) if code == 1 and solution[0] else None


def _map_codes(classifier: Classifier, items: Iterable[BoardLike], shape: Shape | None) -> Iterator[BoardCodes]:
    plan = classifier.plan
    blocks = gather(items, shape, plan.batch_pacing)
    return map_blocks(classifier, blocks, plan.effective_cores(), size_of_codes)
