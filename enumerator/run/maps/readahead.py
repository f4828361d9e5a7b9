"""Reading items in a thread, ahead of the consumer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from threading import Thread
from time import perf_counter, sleep
from typing import Generic, TypeVar

from enumerator.run.workers.threads import start_threads

Item = TypeVar("Item")


class ReadAhead(Generic[Item]):
    """Reads items in a thread of its own, at most `most` ahead of the consumer."""

    SHORTEST_NAP, LONGEST_NAP = 0.001, 0.02
    """Polling intervals in seconds: they double from the first to the second."""

    def __init__(self, items: Iterable[Item], most: int) -> None:
        self._items, self._most = iter(items), most
        self._read: deque[Item] = deque()
        self._error: BaseException | None = None
        self._closed = False
        self._thread = Thread(target=self._run, name="reading ahead", daemon=True)
        self._is_alone = not start_threads([self._thread])
        """True if there is no thread, and the consumer reads one item at a time."""

    def __len__(self) -> int:
        return len(self._read)

    def __iter__(self) -> Iterator[Item]:
        """Yield items one at a time, each as soon as it is there."""
        while self.more():
            yield from self.take(1)

    def _run(self) -> None:
        try:
            for item in self._items:
                self._read.append(item)
                if len(self._read) >= self._most:
                    self._sleep_until(lambda: len(self._read) < self._most)
                if self._closed:
                    break
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the consumer
            self._error = error

    def _sleep_until(self, condition: Callable[[], object], seconds: float = inf) -> None:
        deadline, nap = perf_counter() + seconds, self.SHORTEST_NAP
        while not (condition() or self._closed or perf_counter() > deadline):
            sleep(nap)
            nap = min(2 * nap, self.LONGEST_NAP)

    def more(self) -> bool:
        """Wait for another item; return False if there is none."""
        if not self._read and self._is_alone:
            self._read.extend(islice(self._items, 1))
        elif not self._read:
            self._sleep_until(lambda: self._read or not self._thread.is_alive())
        if not self._read and self._error:
            raise self._error
        return bool(self._read)

    def take(self, most: int, seconds: float = 0.0) -> list[Item]:
        """Return at most `most` items: those that are there after `seconds` at the latest."""
        if seconds and len(self._read) < most:
            self._sleep_until(lambda: len(self._read) >= most or not self._thread.is_alive(), seconds)
        return [self._read.popleft() for _ in range(min(most, len(self._read)))]

    def close(self) -> None:
        """Stop reading."""
        self._closed = True
