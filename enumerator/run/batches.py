"""Many small pieces of work, on many cores, answered in order.

    items -> Ahead, a thread that reads them -> chunks -> joblib's processes -> results, in the order of the items
                                                  ^                                |
                                                  +---- not too far ahead of ------+

Until some seconds' work is waiting, and while the processes start, the items are done here.

A window is one call of joblib. It ends where the reader of the results is slow, where there is nothing more to
read for a moment, and where a process dies; then the next one begins. So memory is bounded, nothing that could be
answered waits for input that has not come, and chunks that were lost with a process are done again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from time import thread_time
from typing import TypeVar

from enumerator.board.wording import plural
from enumerator.run import DEATHS, WORTH_SECONDS, WorkerLostError, keep_quiet
from enumerator.run.executors import Mapping, Maps, cause
from enumerator.run.readahead import Ahead

Item = TypeVar("Item")
Result = TypeVar("Result")

CHUNK_SECONDS = 0.05
LARGEST_CHUNK = 1024
PENDING_CHUNKS = 12
"""So many chunks a core may be handed out, or done and not yet asked for."""
READ_AHEAD = 65_536
PATIENCE = 0.02
"""So long a chunk waits to be filled."""


def in_order(
    work: Callable[[list[Item]], list[Result]],
    items: Iterable[Item],
    cores: int,
    expected: int = 0,
    name: Callable[[Item], str] = str,
    tell: Callable[[str], None] = keep_quiet,
    start: Callable[[int], Maps] = Mapping,
) -> Iterator[list[Result]]:
    """The results of all items, some at a time. `work` gets a list of items and gives as many results.

    It helps to know about how many items are to be expected. What maps them is started for so many cores.
    """
    ahead = Ahead(items, READ_AHEAD)
    pending: deque[list[Item]] = deque()
    mapping: Maps | None = None
    alone = False
    pace, deaths = 0.0, 0  # seconds an item

    def window() -> Iterator[list[Item]]:
        yield from list(pending)  # what a process has not lived to answer
        while len(pending) < PENDING_CHUNKS * cores:
            chunk = ahead.take(max(1, min(int(CHUNK_SECONDS / (pace or CHUNK_SECONDS)), LARGEST_CHUNK)), PATIENCE)
            if not chunk:
                break
            pending.append(chunk)
            yield chunk

    try:
        while pending or ahead.more():
            plenty = len(ahead) >= READ_AHEAD or max(expected, len(ahead)) * pace > WORTH_SECONDS
            try:
                if mapping is None and plenty and not alone:
                    mapping = start(cores)
                if mapping and (pending or (mapping.up and len(ahead) >= cores)):
                    with closing(mapping.map(partial(timed, work), window())) as answers:
                        for seconds, results in answers:
                            pending.popleft()
                            deaths = 0
                            pace += (seconds / len(results) - pace) / 4
                            yield results
                    continue
            except BrokenExecutor as error:
                deaths += 1
                if deaths == DEATHS:
                    names = [name(pending[0][0]), name(pending[-1][-1])] if pending else ["nothing"]
                    raise WorkerLostError(
                        f"workers have died {plural(deaths, 'time')} in a row over {' to '.join(names)}"
                    ) from error
                lost = plural(sum(map(len, pending)), "board")
                tell(f"a worker has died{cause(error)}; {lost} will be looked at again")
                continue
            except OSError as error:  # no more processes, files or semaphores to be had
                tell(f"processes cannot be started ({error.strerror or error}): going on with this one")
                mapping, alone = None, True
            seconds, results = timed(work, pending.popleft() if pending else ahead.take(1))
            pace += (seconds / len(results) - pace) / 16
            expected -= len(results)
            yield results
    finally:
        ahead.close()
        if mapping:
            mapping.close()


def timed(work: Callable[[list[Item]], list[Result]], items: list[Item]) -> tuple[float, list[Result]]:
    """Results, and how long they took: by the clock of this thread, which others that are busy do not make run on."""
    started = thread_time()
    results = work(items)
    return max(thread_time() - started, 1e-9), results
