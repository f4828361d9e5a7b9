"""Many small pieces of work on many cores, with their results in order.

    items -> ReadAhead, a thread -> chunks -> processes of a mapper -> results, in the order of the items
                                      ^                                   |
                                      +------ not too far ahead of -------+

Processes start when some seconds of work are waiting. Until they are up, this process does the
work.

A window is one call of the mapper. A window ends, and the next one begins, in three cases:

    the caller takes results slowly         so memory is bounded
    no input arrives for a short time       so results do not wait for input
    a process dies                          so chunks that were lost with it are retried
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from time import thread_time
from typing import Generic, TypeVar

from enumerator.run.endings import WorkerLostError
from enumerator.run.maps.readahead import ReadAhead
from enumerator.run.pacing import DEFAULT_BATCH_PACING, BatchPacing
from enumerator.run.plan import MAX_DEATHS, no_messages
from enumerator.run.signals import interruptibly
from enumerator.run.workers.executors import JoblibMapper, Mapper, cause_of_death
from enumerator.text.phrases import plural

Item = TypeVar("Item")
Result = TypeVar("Result")


@interruptibly
def map_batches(  # noqa: PLR0913 - five of them are options with defaults
    work: Callable[[list[Item]], list[Result]],
    items: Iterable[Item],
    cores: int,
    *,
    expected: int = 0,
    name: Callable[[Item], str] = str,
    on_message: Callable[[str], None] = no_messages,
    start: Callable[[int], Mapper] = JoblibMapper,
    pacing: BatchPacing = DEFAULT_BATCH_PACING,
) -> Generator[list[Result], None, None]:
    """Yield the results of all items in order, in groups. `work` returns one result for each item.

        expected   the predicted number of items
        name       returns the name of an item, for messages
        tell       is called with messages
        start      starts a mapper for a number of cores

    `pacing` has the tunables.
    """
    batch = _Batch(work, items, cores, pacing)
    batch.expected, is_tidy = expected, False
    try:
        while batch.pending or batch.ahead.more():
            try:
                if batch.should_start():
                    batch.mapper = start(cores)
                if batch.mapper and batch.should_map(batch.mapper):
                    yield from batch.map(batch.mapper)
                    continue
            except BrokenExecutor as error:
                batch.note_death(error, name, on_message)
                continue
            except OSError as error:  # the limit of processes, files or semaphores is reached
                on_message(f"processes cannot be started ({error.strerror or error}): going on with this one")
                batch.mapper, batch.is_alone = None, True
            if batch.is_alone and not is_tidy:
                gc.collect()  # the files of processes that did not start: joblib needs some at the end
                is_tidy = True
            yield batch.work_here()
    finally:
        batch.close()


class _Batch(Generic[Item, Result]):
    """The state of a map over batches."""

    def __init__(
        self, work: Callable[[list[Item]], list[Result]], items: Iterable[Item], cores: int, pacing: BatchPacing
    ) -> None:
        self.work, self.cores, self.pacing = work, cores, pacing
        self.ahead = ReadAhead(items, pacing.read_ahead)
        self.pending: deque[list[Item]] = deque()
        """The chunks that were handed out and have no result yet."""
        self.mapper: Mapper | None = None
        self.is_alone = False
        self.expected = self.deaths = 0
        self.seconds_an_item = 0.0

    def should_start(self) -> bool:
        """Return True if there is enough work to start processes for."""
        waiting = len(self.ahead)
        work = max(self.expected, waiting) * self.seconds_an_item
        plenty = waiting >= self.pacing.read_ahead or work > self.pacing.worth_seconds
        return self.mapper is None and plenty and not self.is_alone

    def should_map(self, mapper: Mapper) -> bool:
        return bool(self.pending) or (mapper.up and len(self.ahead) >= self.cores)

    def map(self, mapper: Mapper) -> Iterator[list[Result]]:
        """Yield the results of a window."""
        with closing(mapper.map(partial(work_timed, self.work), self._window())) as answers:
            for seconds, results in answers:
                self.pending.popleft()
                self.deaths = 0
                self.seconds_an_item += (seconds / len(results) - self.seconds_an_item) / 4
                yield results

    def _window(self) -> Iterator[list[Item]]:
        yield from list(self.pending)  # chunks that were lost when a process died
        seconds = self.pacing.chunk_seconds
        while len(self.pending) < self.pacing.pending_chunks * self.cores:
            size = max(1, min(int(seconds / (self.seconds_an_item or seconds)), self.pacing.largest_chunk))
            chunk = self.ahead.take(size, self.pacing.fill_seconds)
            if not chunk:
                break
            self.pending.append(chunk)
            yield chunk

    def work_here(self) -> list[Result]:
        """Work on the next chunk, or on one item, in this process; return the results."""
        seconds, results = work_timed(self.work, self.pending.popleft() if self.pending else self.ahead.take(1))
        self.seconds_an_item += (seconds / len(results) - self.seconds_an_item) / 16
        self.expected -= len(results)
        return results

    def note_death(self, error: BaseException, name: Callable[[Item], str], on_message: Callable[[str], None]) -> None:
        self.deaths += 1
        if self.deaths == MAX_DEATHS:
            names = [name(self.pending[0][0]), name(self.pending[-1][-1])] if self.pending else ["nothing"]
            raise WorkerLostError(
                f"workers have died {plural(self.deaths, 'time')} in a row over {' to '.join(names)}"
            ) from error
        lost = plural(sum(map(len, self.pending)), "board")
        on_message(f"a worker has died{cause_of_death(error)}; {lost} will be retried")

    def close(self) -> None:
        self.ahead.close()
        if self.mapper:
            self.mapper.close()


def work_timed(work: Callable[[list[Item]], list[Result]], items: list[Item]) -> tuple[float, list[Result]]:
    """Return the processor time of this thread in seconds, and the results."""
    started = thread_time()
    results = work(items)
    return max(thread_time() - started, 1e-9), results
