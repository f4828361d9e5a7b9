"""The questions about many boards: their counts, their verdicts, their solutions, in order.

`enumerator.questions.blocks` runs them, in blocks on threads. Where most boards are hard, processes
bring more than threads, because the contraction prepares its sums under the lock of the interpreter:
then `enumerator.run.maps.batches` maps the boards over joblib's processes. Two cores against one, by
`python -m bench library hard`:

                       each      threads   processes
    1c, rearranged     20 ms     1.82      1.98
    2d, rearranged      9 ms     1.16      1.73
    2e, rearranged      9 ms     1.33      1.79
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from threading import Event
from time import perf_counter
from typing import NamedTuple, TypeAlias, TypeVar, cast

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike
from enumerator.engines import MOST
from enumerator.engines.blocks import Begun, BoardBlock, BoardCounts, HardBoard
from enumerator.questions.blocks import count_quickly, map_blocks
from enumerator.questions.classify import BoardCodes, Classifier, size_of_codes
from enumerator.questions.count import CountAnswer, count, try_count, worker_plan
from enumerator.questions.gathering import BadItems, gather
from enumerator.questions.verdict import VERDICTS, Verdict
from enumerator.run.errors import OutOfTimeError
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.text.phrases import lasting

Value = TypeVar("Value")


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
        if block.boards and not engines.counts_boards(self.plan.engine, block.shape, block.allowed is not None):
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
    blocks = gather(items, shape, plan.batch_pacing, bad=bad, check=check)
    with closing(_count_blocks(blocks, plan, time_limit)) as groups:  # an error must end its threads
        yield from bad.fill(_finish(groups, plan, time_limit, bad))


def _count_blocks(blocks: Iterator[BoardBlock], plan: Plan, time_limit: float | None) -> Generator[Counts, None, None]:
    """Yield the counts of all blocks, in groups: on threads, or in processes if the first block is hard."""
    counter, cores = Counter(plan, time_limit), plan.effective_cores()
    if (first := next(blocks, None)) is None:
        return
    yield from map_blocks(counter, [first], cores, _size_of_counts, growing=True)
    if cores > 1 and counter.hard_seconds > plan.batch_pacing.process_seconds * first.boards:
        yield from _count_in_processes(blocks, plan, cores, time_limit)
    else:
        yield from map_blocks(counter, blocks, cores, _size_of_counts)


def _size_of_counts(counts: Counts) -> int:
    """Return the size of a list of numbers in bytes. Those above 256 are objects of their own."""
    return 40 * len(counts)


def _finish(
    groups: Iterable[Counts], plan: Plan, time_limit: float | None, bad: BadItems[Value]
) -> Iterator[Iterable[int | Value]]:
    """Yield the counts of all groups; continue on all cores the counts that one core gave up."""
    for counts in groups:
        is_done = all(isinstance(found, int) for found in counts)
        yield cast("Sequence[int]", counts) if is_done else _continue(counts, plan, time_limit, bad)


def _continue(counts: Counts, plan: Plan, time_limit: float | None, bad: BadItems[Value]) -> Iterator[int | Value]:
    """Yield counts. One that does not end in time is raised as OutOfTimeError, skipped, or the value of `bad`."""
    for found in counts:
        if isinstance(found, int):
            yield found
            continue
        answer = count(found.board, plan, time_limit=time_limit, start=found.start)
        if answer.ended != "time limit":
            yield answer.solutions
        elif bad.raises:
            error = OutOfTimeError(f"a board is not counted in {lasting(time_limit or 0.0)}: {found.board}")
            error.answer = answer
            raise error
        elif not bad.skips:
            yield bad.value


def _count_in_processes(
    blocks: Iterable[BoardBlock], plan: Plan, cores: int, time_limit: float | None
) -> Iterator[Counts]:
    from enumerator.run.maps.batches import map_batches

    boards = (block.board(number) for block in blocks for number in range(block.boards))
    worker = worker_plan(plan, time_limit)
    work: Callable[[list[Board]], list[int | UnfinishedBoard]] = partial(_try_counts, plan=worker)
    return map_batches(work, boards, cores, tell=plan.tell, pacing=plan.batch_pacing)


def _try_counts(boards: list[Board], plan: Plan) -> list[int | UnfinishedBoard]:
    counter, stop = Counter(plan), Event()
    return list(chain.from_iterable(counter.ask_hard(HardBoard(board), stop) for board in boards))


def classify_all(
    items: Iterable[BoardLike],
    plan: Plan,
    shape: Shape | None = None,
    *,
    time_limit: float | None = None,
    bad: BadItems[Value] | None = None,
) -> Generator[Verdict | Value, None, None]:
    """Yield the verdict on each board. After `time_limit` seconds, a board's is unknown."""
    bad = bad or BadItems[Value]()
    with closing(_map_codes(Classifier(plan, False, time_limit), items, shape, bad)) as groups:
        yield from bad.fill(map(VERDICTS.__getitem__, codes) for codes, _, _ in groups)


def solve_all(
    items: Iterable[BoardLike],
    plan: Plan,
    shape: Shape | None = None,
    *,
    time_limit: float | None = None,
    bad: BadItems[Value] | None = None,
) -> Generator[Board | Value | None, None, None]:
    """Yield the solution of each board; None for a board without exactly one, or not solved in time."""
    bad = bad or BadItems[Value]()
    with closing(_map_codes(Classifier(plan, True, time_limit), items, shape, bad)) as groups:
        yield from bad.fill(map(_solved, groups))


def _solved(found: BoardCodes) -> Iterator[Board | None]:
    """Yield the solution of each board of a block; None for one that does not have exactly one."""
    codes, solutions, shape = found
    for number, code in enumerate(codes):
        solution = solutions[number * shape.cells : (number + 1) * shape.cells]
        yield Board.from_valid(shape, bytes(solution)) if code == 1 and solution[0] else None


def _map_codes(
    classifier: Classifier, items: Iterable[BoardLike], shape: Shape | None, bad: BadItems[Value]
) -> Generator[BoardCodes, None, None]:
    plan = classifier.plan
    blocks = gather(items, shape, plan.batch_pacing, bad=bad)
    return map_blocks(classifier, blocks, plan.effective_cores(), size_of_codes)
