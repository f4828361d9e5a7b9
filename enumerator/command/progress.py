"""How far something is, shown on a terminal once it takes longer, and gone at the end."""

from __future__ import annotations

from math import inf
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enumerator.command.terminal import Bar

AFTER, EVERY = 0.5, 0.2
"""Seconds before a bar is shown, and between its changes."""


class Progress:
    """A bar, if it is wanted, from the time on that it is needed."""

    def __init__(self, is_wanted: bool, started: float) -> None:
        self._started, self._due = started, started + AFTER if is_wanted else inf
        self._bar: Bar | None = None

    def show(self, share: float | None, solutions: int | None) -> None:
        """Say what share is done, and how many solutions are found, if that is known; now and then it is shown."""
        if (now := perf_counter()) > self._due:
            if self._bar is None:
                from enumerator.command.terminal import Bar

                self._bar = Bar()
            self._bar.show(share, solutions, now - self._started)
            self._due = perf_counter() + EVERY

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.close()
