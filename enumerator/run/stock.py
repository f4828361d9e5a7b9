"""The parts that wait to be handed out."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from enumerator.engines import DIVIDED, Part, Record
from enumerator.run.pacing import DEFAULT_PACING, Pacing


class Stock:
    """Parts in the order of their sizes."""

    def __init__(self, pacing: Pacing = DEFAULT_PACING) -> None:
        self._pacing = pacing
        self._parts: list[Part] = []

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, part: Part) -> None:
        insort(self._parts, part)

    def take(self, workers: int, deep: bool = False, share: float = 0.0) -> list[Part]:
        """Take parts for one task: the smallest ones that keep the stock from growing, then the largest.

        A task that exceeds its budget hands back parts, most of them small. Alone, each would cost more
        to send than to count. So a task takes small parts up to `share` of the whole, as long as
        something is left for every worker.

        With `deep`, or where parts take too much memory, it takes only small ones: they are nearest to
        their solutions, and leave the fewest parts behind.
        """
        if not self._parts:
            return []
        deep = deep or len(self._parts) * len(self._parts[0].load) > self._pacing.stock_bytes
        largest = [] if deep else [self._parts.pop()]
        number = max(deep, len(self._parts) // (self._pacing.tasks_ahead * workers))
        if not deep:
            share -= largest[0].share + sum(part.share for part in self._parts[:number])
            while share > 0 and number < len(self._parts) - workers:
                share -= self._parts[number].share
                number += 1
        smallest, self._parts[:number] = self._parts[:number], []
        return smallest + largest

    def divide(self, divide: Callable[[Part], list[Part] | None], record: Record, share: float) -> bool:
        """Divide the largest part, if that is possible and it is more than `share` of the whole."""
        below = divide(self._parts[-1]) if self._parts and self._parts[-1].share > share else None
        if below is None:
            return False
        for part in record.settle(self._parts.pop(), DIVIDED, below):
            self.add(part)
        return True
