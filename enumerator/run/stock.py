"""The stock: the parts that wait for a worker."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from itertools import islice

from enumerator.engines import DIVIDED, Part, Record
from enumerator.run.pacing import DEFAULT_PACING, Pacing


class Stock:
    """The parts that wait for a worker, sorted by size."""

    def __init__(self, pacing: Pacing = DEFAULT_PACING) -> None:
        self._pacing = pacing
        self._parts: list[Part] = []
        self.source: Iterator[Part] = iter(())
        """More parts, which are not made before they are taken."""

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def add(self, part: Part) -> None:
        insort(self._parts, part)

    def pull(self, most: int | None = None) -> None:
        """Take at most `most` parts from the source; None: all."""
        for part in islice(self.source, most):
            self.add(part)

    def take(self, workers: int, deep: bool = False, share: float = 0.0) -> list[Part]:
        """Take the parts of one task: some of the smallest, then the largest.

        A task that exceeds its budget returns parts, and most of them are small. Alone, each would
        cost more to send than to count. So a task takes enough small parts to keep the stock from
        growing. It takes more, up to `share` of the whole, as long as every worker has a part left.

        With `deep`, or if the stock takes too much memory, a task takes only small parts. They are
        nearest to their solutions and leave the fewest parts.
        """
        if not self._parts:
            return []
        deep = deep or len(self._parts) * len(self._parts[0].load) > self._pacing.stock_bytes
        largest = [] if deep else [self._parts.pop()]
        number = max(deep, len(self._parts) // (self._pacing.tasks_ahead * workers))
        if not deep:
            share -= float(largest[0].share) + sum(float(part.share) for part in self._parts[:number])
            while share > 0 and number < len(self._parts) - workers:
                share -= float(self._parts[number].share)
                number += 1
        smallest, self._parts[:number] = self._parts[:number], []
        return smallest + largest

    def divide(self, divide: Callable[[Part], list[Part] | None], record: Record, share: float) -> bool:
        """Divide the largest part, if it is more than `share` of the whole. Return True if it was divided."""
        below = divide(self._parts[-1]) if self._parts and self._parts[-1].share > share else None
        if below is None:
            return False
        for part in record.close_part(self._parts.pop(), DIVIDED, below):
            self.add(part)
        return True
