"""Many boards, answered in order: the only place that does this, for Python and the command alike.

    chunks -> one at a time, in blocks on threads, or in processes -> results, in the order of the boards

A chunk is a block of boards that a kernel works off without Python code for each board, or a single
board. A board that takes the kernel longer than its budget is hard. It leaves its block, and so do the
boards after it, so the other cores go on with those:

    block -> answers for the boards before a hard one, [the hard one], [the boards after it]

How the boards are answered is decided once:

    one at a time    the caller answers, on all cores: few boards, and questions that are not asked of blocks
    on threads       where most boards are short. On two cores, with 30,000 puzzles of 17 clues, joblib over
                     threads takes longer than one core alone: its import 110 ms, where the puzzles take 70
    in processes     where most boards are hard, because the contraction prepares its sums under the lock of
                     the interpreter, and on clusters. By `python -m bench library hard`, two cores against one:

                       each      threads   processes
    1c, rearranged     20 ms     1.82      1.98
    2d, rearranged      9 ms     1.16      1.73
    2e, rearranged      9 ms     1.33      1.79
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cached_property, partial
from itertools import chain
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock, BoardCounts, HardBoard, StartedCount
from enumerator.questions.chunks import Chunk, ChunkReader, NamedBoard, Names, block_of
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Stopped
from enumerator.run.signals import deferred_signals

if TYPE_CHECKING:
    from enumerator.run.workers.executors import Mapper

Found = TypeVar("Found")

TURN_SECONDS = 0.2
"""The time after which the rest of a block becomes a task of its own, so that answers do not wait."""

CHUNKS_AHEAD = 64
"""The number of chunks that are read ahead from a slow source."""

ALONE_BYTES = 100_000
"""The size of the text of all boards below which threads are started only for boards that take longer."""


# ---------------------------------------------------------------------------------------- what comes out


class Result:
    """The answers for consecutive boards; or one board that the caller has to answer for.

    shown        the answers; None if there are none
    boards       the number of boards
    text_bytes   the size of the text that they were read from
    left         a board that the caller answers for on all cores, or that has no answer
    start        the count of that board that one core gave up
    """

    __slots__ = ("boards", "left", "shown", "start", "text_bytes")

    def __init__(
        self,
        shown: Any,
        boards: int = 1,
        text_bytes: float = 0.0,
        left: NamedBoard | None = None,
        start: PartialCount | None = None,
    ) -> None:
        self.shown, self.boards, self.text_bytes, self.left, self.start = shown, boards, text_bytes, left, start


class BlockQuestion(Generic[Found]):
    """A question about many boards. Several threads may ask it at the same time."""

    hard_seconds: float = 0.0
    """The time of the hard boards so far."""

    @property
    def at_work(self) -> Progress | None:
        """The progress of a hard board; None if there is none, or if it is left to all cores."""
        return None

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Found, int, StartedCount | None]:
        """Answer for the first boards of a block.

        Return the answers, their number, and the beginning of the next board's count if that is hard.
        Raise Stopped soon after `stop` is set.
        """
        raise NotImplementedError

    def ask_hard(self, hard: HardBoard, stop: Event) -> Found | PartialCount | None:
        """Answer for a hard board, on one core, or leave it to all cores. Raise Stopped soon after `stop` is set."""
        raise NotImplementedError

    def for_worker(self) -> BlockQuestion[Found] | None:
        """Return the question as it is sent to a process; None if it is not asked there."""
        return None


Road: TypeAlias = "Callable[[], Generator[Result, None, None]]"
"""A way to answer for the rest of the boards."""

Render: TypeAlias = "Callable[[Names, BoardBlock, Any], Any]"
"""A function that makes of the answers for named boards what is shown of them, in the thread that has found them."""


def as_found(names: Names, block: BoardBlock, found: Found) -> Found:  # noqa: ARG001 - a `Render`
    """Return the answers themselves."""
    return found


def as_named(named: NamedBoard) -> NamedBoard:
    """Return a board that is not checked."""
    return named


class Asking:
    """A question about many boards, and how somebody asks it.

    question       None if all boards are left to the caller
    render         makes of answers what is shown of them
    size           returns the size of what is shown, in bytes or the like
    takes_blocks   False if the question is asked in processes only
    """

    def __init__(
        self,
        question: BlockQuestion[Any] | None = None,
        render: Render = as_found,
        size: Callable[[Any], int] = len,
        takes_blocks: bool = True,
    ) -> None:
        self.question, self.render, self.size, self.takes_blocks = question, render, size, takes_blocks


# -------------------------------------------------------------------------------------------- the road


def answer_many(
    ask: Callable[[], Asking],
    chunks: Iterator[Chunk] | ChunkReader,
    plan: Plan,
    *,
    begins_alone: bool = False,
    check: Callable[[NamedBoard], NamedBoard] = as_named,
    total_bytes: int | None = None,
    tick: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """Yield the results of all boards, in order.

    ask             returns the question. It is called when it is known that the boards are many
    begins_alone    the first boards are left to the caller, on all cores, until it is known that they are short
    check           adds an error to a board that has no answer
    total_bytes     the size of the text of all boards: 0 if it comes slowly from a pipe, None if it is no text
    tick            is called while tasks are at work
    """
    reader = chunks if isinstance(chunks, ChunkReader) else ChunkReader(chunks)
    return AnswerRun(ask, reader, plan, check, total_bytes, tick).run(begins_alone)


class AnswerRun:
    """The answering of many boards."""

    def __init__(
        self,
        ask: Callable[[], Asking],
        reader: ChunkReader,
        plan: Plan,
        check: Callable[[NamedBoard], NamedBoard],
        total_bytes: int | None,
        tick: Callable[[], None] | None,
    ) -> None:
        self._ask, self.reader, self.plan, self.check = ask, reader, plan, check
        self.total_bytes, self.tick, self.stop, self.expected = total_bytes, tick, Event(), 0

    @cached_property
    def asking(self) -> Asking:
        """The question and how it is asked."""
        with deferred_signals():  # see `load_engines`
            return self._ask()

    @cached_property
    def worker(self) -> BlockQuestion[Any] | None:
        """The question as processes are asked it; None if they are not."""
        plan, question = self.plan, self.asking.question
        may_start = plan.cluster or (plan.pool and plan.cores != 1 and plan.effective_cores() > 1)
        return question.for_worker() if question and may_start else None

    @cached_property
    def takes_blocks(self) -> bool:
        """True if the question is asked of blocks, by an engine that counts many boards in one call."""
        if self.asking.question is None or not self.asking.takes_blocks or self.plan.cluster:
            return False
        with deferred_signals():
            return engines.counts_boards(self.plan.engine, Shape(3, 3))

    def run(self, begins_alone: bool) -> Generator[Result, None, None]:
        rest = yield from self._begin_alone() if begins_alone else self._begin_in_blocks()
        if rest is not None:
            yield from rest()

    def _begin_alone(self) -> Generator[Result, None, Road | None]:
        """Leave the first boards to the caller, until their pace is known. Return the way to answer for the rest.

        A block of many boards is asked at once. If one of the first is hard, it and the others are left, too.
        """
        probe, first = self.plan.batch_pacing.probe_boards, self.reader.peek()
        if first and isinstance(first.content, BoardBlock) and first.boards >= probe and self.takes_blocks:
            next(iter(self.reader))
            result, others = self._work(first.take(probe))
            self.reader.put_back([*others, *first.split(probe)[1]])
            if result.boards:
                yield result
            if not others:
                return self._on_threads
        return (yield from self._leave_first())

    def _leave_first(self) -> Generator[Result, None, Road | None]:
        """Leave boards to the caller one at a time. Return the way to answer for the rest once their pace is known."""
        pacing = self.plan.batch_pacing
        started = warm = perf_counter()
        for number, (named, text_bytes) in enumerate(self.reader.boards(), 1):
            yield Result(None, 1, text_bytes, self.check(named))
            if number == pacing.first_boards:
                warm = perf_counter()
            if not named.board or number < pacing.first_boards + pacing.probe_boards:
                continue
            now = perf_counter()
            pace = (now - warm) / (number - pacing.first_boards)
            if pace < pacing.process_seconds and self.takes_blocks:
                return self._on_threads
            self.expected = (self.total_bytes or 0) // (named.board.shape.cells + 1) - number
            waited = now - started
            is_worth = self.expected * pace > pacing.worth_seconds if self.total_bytes else waited > pacing.pipe_seconds
            if is_worth and pace < pacing.long_seconds and self.worker:
                return self._in_processes
        return None

    def _begin_in_blocks(self) -> Generator[Result, None, Road | None]:
        """Answer for the first block. Return the way to answer for the rest: in processes if that one is hard."""
        question = self.asking.question
        if question is None or not self.worker:
            return self._on_threads
        if (first := next(iter(self.reader), None)) is None:
            return None
        yield from self._grow([first])
        self.stop.clear()
        is_hard = question.hard_seconds > self.plan.batch_pacing.process_seconds * first.boards
        return self._in_processes if is_hard else self._on_threads

    # ------------------------------------------------------------------------------------------- threads

    def _on_threads(self) -> Generator[Result, None, None]:
        """Answer for the rest in blocks. Those of short texts are answered in this thread, until one takes longer."""
        from enumerator.run.maps.readahead import ReadAhead

        if self.total_bytes and self.total_bytes < ALONE_BYTES:
            yield from self._grow(self.reader)
            return
        cores = self.plan.effective_cores()
        if self.total_bytes != 0 or (cores == 1 and self.tick is None):
            yield from self._map(self.reader, cores)
            return
        ahead = ReadAhead(self.reader, CHUNKS_AHEAD)
        try:
            yield from self._map(ahead, cores)
        finally:
            ahead.close()

    def _grow(self, chunks: Iterable[Chunk]) -> Generator[Result, None, None]:
        """Answer for chunks in this thread, and from the first hard board on, on all cores."""
        from enumerator.engines.interfaces import Work
        from enumerator.run.maps.ordered import map_growing

        cores = self.plan.effective_cores
        return map_growing(Work(self._work, chunks), cores, self.stop, size=self._size, tick=self.tick)

    def _map(self, chunks: Iterable[Chunk], cores: int) -> Generator[Result, None, None]:
        from enumerator.engines.interfaces import Work
        from enumerator.run.maps.ordered import map_ordered

        return map_ordered(Work(self._work, chunks), cores, self.stop, size=self._size, tick=self.tick)

    def _work(self, chunk: Chunk) -> tuple[Result, list[Chunk]]:
        """Return the answers for the first boards of a chunk, and chunks of the others. None, once it is stopped."""
        content, question, render = chunk.content, self.asking.question, self.asking.render
        if content is None or question is None:
            return Result(None, 1, chunk.text_bytes, chunk.first), []
        try:
            if isinstance(content, HardBoard):
                found, start = split_found(question.ask_hard(content, self.stop))
                if found is None:
                    return Result(None, 1, chunk.text_bytes, chunk.first, start), []
                return Result(render(chunk.names, block_of(content.board), found), 1, chunk.text_bytes), []
            block = block_of(content) if isinstance(content, Board) else content
            chunk = chunk._replace(content=block)
            some, boards, started_count = question.ask(block, self.stop)
        except Stopped:
            return Result(None, 0), []
        text_bytes, left = chunk.split(boards, started_count)
        return Result(render(chunk.names, block.take(boards), some), boards, text_bytes), left

    def _size(self, result: Result) -> int:
        return 0 if result.shown is None else self.asking.size(result.shown)

    # ----------------------------------------------------------------------------------------- processes

    def _in_processes(self) -> Generator[Result, None, None]:
        """Answer for the rest in processes, one core each, or on a cluster."""
        from enumerator.run.maps.windows import map_batches
        from enumerator.run.workers.executors import JoblibMapper

        plan, worker, line = self.plan, self.worker, deque[tuple[NamedBoard, float]]()
        if worker is None:
            raise RuntimeError("the question is not asked in processes")
        start: Callable[[int], Mapper] = plan.cluster.mapping if plan.cluster else JoblibMapper

        def items() -> Iterator[NamedBoard]:
            for named, text_bytes in self.reader.boards():
                line.append((self.check(named), text_bytes))
                yield line[-1][0]

        groups = map_batches(
            partial(answer_alone, question=worker, render=self.asking.render),
            items(),
            max(1, plan.effective_cores()),
            expected=max(0, self.expected),
            name=lambda named: named.source,
            on_message=plan.on_message,
            start=start,
            pacing=plan.batch_pacing,
        )
        for answer in chain.from_iterable(groups):
            named, text_bytes = line.popleft()
            shown, started_count = split_found(answer)
            yield (
                Result(shown, 1, text_bytes) if shown is not None else Result(None, 1, text_bytes, named, started_count)
            )


def split_found(found: Any) -> tuple[Any, PartialCount | None]:
    """Return an answer, and the count that was given up. One of them is None, or both."""
    return (None, found) if isinstance(found, PartialCount) else (found, None)


def answer_alone(boards: list[NamedBoard], question: BlockQuestion[Any], render: Render) -> list[Any]:
    """Answer for boards in a worker, one after the other; None for one that is left."""
    answers: list[Any] = []
    for source, board, error in boards:
        found, start = (
            split_found(question.ask_hard(HardBoard(board), Event())) if board and not error else (None, None)
        )
        names = Names(listed=(source,))
        answers.append(start if found is None or board is None else render(names, block_of(board), found))
    return answers


# --------------------------------------------------------------------------------------------- kernels


def load_engines(chosen: str) -> None:
    """Import the engines that may be used, so that the time of the first board is its own.

    Compiled modules ignore an interrupt while they are imported, so it is deferred.
    """
    with deferred_signals():
        for name in list(engines.MODULES) if chosen == engines.AUTO else [chosen]:
            engines.get(name)


def load_kernel() -> None:
    """Import the first engine that counts many boards in one call."""
    with deferred_signals():
        engines.first_counting_boards(Shape(3, 3))


def count_quickly(
    block: BoardBlock, out: BoardCounts, budget: int, limit: int, stop: Event
) -> tuple[int, StartedCount | None]:
    """Count the first boards of a block; return their number, and the beginning of a hard one.

    At most `limit` solutions of each board are counted. Without a hard board, the counts end after
    TURN_SECONDS, or where `out` has no room. Raise Stopped soon after `stop` is set.
    """
    shape, cells, allowed = block
    boards, done, now = block.boards, 0, perf_counter()
    end = now + TURN_SECONDS
    while done < boards:
        if stop.is_set():
            raise Stopped
        room = out.remaining_after(done, shape) if done else out
        some, counting = engines.count_boards(cells[done * shape.cells :], shape, budget, limit, room, allowed)
        done, started, now = done + some, now, perf_counter()
        if counting:
            return done, StartedCount(now - started, counting)
        if not some or now > end:
            break
    return done, None
