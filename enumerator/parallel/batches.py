"""Many small pieces of work, on many cores, answered in order.

    items -> Ahead, a thread that reads them -> chunks -> joblib's processes -> results, in the order of the items
                                                  ^                                |
                                                  +---- not too far ahead of ------+

A window is one call of joblib. It ends where the reader of the results is slow, where there is nothing more to
read for a moment, and where a process dies; then the next one begins. So memory is bounded, nothing that could be
answered waits for input that has not come, and chunks that were lost with a process are done again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from functools import partial
from threading import Thread
from time import perf_counter, sleep
from typing import Generic, TypeVar

from enumerator.parallel import DEATHS, WorkerLostError, keep_quiet
from enumerator.parallel.executors import mapped
from enumerator.wording import plural

Item = TypeVar("Item")
Result = TypeVar("Result")

CHUNK_SECONDS = 0.03
FIRST_CHUNK, LARGEST_CHUNK = 16, 1024
PENDING_CHUNKS = 16
"""So many chunks a core may be handed out, or done and not yet asked for."""
PATIENCE = 0.02
"""So long a chunk waits to be filled."""


def in_order(
    work: Callable[[list[Item]], list[Result]],
    items: Iterable[Item],
    cores: int,
    name: Callable[[Item], str] = str,
    tell: Callable[[str], None] = keep_quiet,
) -> Iterator[list[Result]]:
    """The results of all items, some at a time. `work` gets a list of items and gives as many results.

    A few items are not worth sending: while no more than that are to be had, they are done here.
    """
    ahead = Ahead(items, most=PENDING_CHUNKS * cores * FIRST_CHUNK)
    pending: deque[list[Item]] = deque()
    size, deaths = FIRST_CHUNK, 0

    def window() -> Iterator[list[Item]]:
        yield from list(pending)  # what a process has not lived to answer
        while len(pending) < PENDING_CHUNKS * cores and (chunk := ahead.take(size, PATIENCE)):
            pending.append(chunk)
            yield chunk

    while pending or ahead.more():
        if not pending and len(ahead) < cores:
            yield work(ahead.take(1))
            continue
        try:
            for seconds, results in mapped(partial(timed, work), window(), cores):
                pending.popleft()
                deaths = 0
                size = max(1, min(int(len(results) * CHUNK_SECONDS / seconds), 2 * size, LARGEST_CHUNK))
                yield results
        except BrokenExecutor as error:
            deaths += 1
            lost = sum(map(len, pending))
            if deaths == DEATHS or not pending:
                first, last = (name(chunk[end]) for chunk, end in ((pending[0], 0), (pending[-1], -1)))
                raise WorkerLostError(
                    f"workers have died {plural(deaths, 'time')} in a row over the boards from {first} to {last}"
                ) from error
            tell(f"a worker has died; {plural(lost, 'board')} will be looked at again")


def timed(work: Callable[[list[Item]], list[Result]], items: list[Item]) -> tuple[float, list[Result]]:
    """Results, and how long they took."""
    started = perf_counter()
    results = work(items)
    return max(perf_counter() - started, 1e-9), results


class Ahead(Generic[Item]):
    """Reads items in a thread of its own, a bounded number of them ahead of who takes them."""

    NAP = 0.001

    def __init__(self, items: Iterable[Item], most: int) -> None:
        self._items, self._most = iter(items), most
        self._read: deque[Item] = deque()
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name="reading ahead", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        return len(self._read)

    def _run(self) -> None:
        try:
            for item in self._items:
                self._read.append(item)
                while len(self._read) >= self._most:
                    sleep(self.NAP)
        except BaseException as error:
            self._error = error

    def more(self) -> bool:
        """Wait for another item; False if there is none."""
        while not self._read:
            if not self._thread.is_alive() and not self._read:
                if self._error:
                    raise self._error
                return False
            sleep(self.NAP)
        return True

    def take(self, most: int, patience: float = 0.0) -> list[Item]:
        """Up to so many items, as many as there are after so many seconds at the latest."""
        deadline = perf_counter() + patience
        while len(self._read) < most and self._thread.is_alive() and perf_counter() < deadline:
            sleep(self.NAP)
        return [self._read.popleft() for _ in range(min(most, len(self._read)))]
