"""The progress bar of a question, on a terminal or in a notebook."""

from __future__ import annotations

import sys
from math import inf
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from enumerator.run.progress import Progress

if TYPE_CHECKING:
    from enumerator.questions.bars import NotebookBar, TerminalBar

FIRST_SECONDS = 0.5
"""The time after which a question, or a stage of it, gets a progress bar."""

REDRAW_SECONDS = 0.2
"""The shortest time between two updates of a progress bar."""


def is_notebook() -> bool:
    """Return True if Python runs as the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    return hasattr(get_ipython(), "kernel")


def has_place() -> bool:
    """Return True if a progress bar can be shown: in a notebook, or on a terminal."""
    return is_notebook() or (sys.stderr is not None and sys.stderr.isatty())


class ProgressBar:
    """The progress bar of a question, if it `is_wanted`.

    It appears after FIRST_SECONDS. Its method `show` is a `Watch`.
    """

    def __init__(self, is_wanted: bool, earlier_seconds: float = 0.0) -> None:
        """Start the clock. `earlier_seconds` were spent on the same question before."""
        self._is_wanted, self._stage = is_wanted, ""
        self._bar: TerminalBar | NotebookBar | None = None
        self._start(earlier_seconds)

    def _start(self, earlier_seconds: float = 0.0) -> None:
        self._started = perf_counter() - earlier_seconds
        self._due = self._started + FIRST_SECONDS if self._is_wanted else inf

    def show(self, progress: Progress) -> None:
        """Draw the progress, if REDRAW_SECONDS have passed since the last drawing."""
        if progress.stage != self._stage:
            self._stage = progress.stage
            self.close()
            self._start()
        if (now := perf_counter()) > self._due:
            if self._bar is None:
                from enumerator.questions.bars import NotebookBar, TerminalBar

                self._bar = NotebookBar() if is_notebook() else TerminalBar()
            self._bar.draw(progress, now - self._started)
            self._due = perf_counter() + REDRAW_SECONDS

    def hide(self) -> None:
        """Remove the bar, so that lines can be printed. It appears again after FIRST_SECONDS without any."""
        self.close()
        if self._is_wanted:
            self._due = perf_counter() + FIRST_SECONDS

    def close(self) -> None:
        bar, self._bar = self._bar, None
        if bar:
            bar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
