"""A question in progress: its progress function, its deadline, and its end before there is an answer."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from enumerator.board.phrases import lasting, whole
from enumerator.run.errors import Interrupted, OutOfTimeError, RunLostError, Stopped
from enumerator.run.progress import Progress

if TYPE_CHECKING:
    from enumerator.api.arguments import ProgressLike

Item = TypeVar("Item")

Ending = OutOfTimeError | RunLostError | Stopped | Interrupted


class Question:
    """A question in progress. Its method `watch` is the `Watch` of the question."""

    def __init__(self, undone: str, time_limit: float | None, progress: ProgressLike, has_deadline: bool) -> None:
        self._undone, self._limit, self._progress = undone, time_limit, progress
        self._started = perf_counter()
        self._deadline = inf if time_limit is None or not has_deadline else self._started + time_limit
        self._found: int | None = None

    def watch(self, progress: Progress) -> None:
        """Tell the caller the progress; raise OutOfTimeError after the deadline."""
        if progress.solutions is not None and not progress.stage:  # other stages have other numbers
            self._found = max(self._found or 0, progress.solutions)
        if callable(self._progress):
            self._progress(progress)
        if perf_counter() > self._deadline:
            raise OutOfTimeError

    def pausing(self, items: Generator[Item, None, None]) -> Generator[Item, None, None]:
        """Yield items. The clock stands still while the caller works on one."""
        with closing(items):
            for item in items:
                left = perf_counter()
                yield item
                pause = perf_counter() - left
                self._started += pause
                self._deadline += pause

    def complete(self, error: Ending) -> None:
        """Fill in the attributes of an error and, unless it has one, its message."""
        error.seconds = perf_counter() - self._started
        solutions = getattr(error.answer, "solutions", None)
        if isinstance(solutions, int):
            self._found = max(self._found or 0, solutions)
            error.estimate = getattr(error.answer, "estimate", None)
        elif solutions is not None:
            error.estimate = solutions
        error.at_least = self._found or 0
        if not str(error):
            error.args = (self._message(error),)

    def _message(self, error: Ending) -> str:
        known = self._known(error)
        if isinstance(error, OutOfTimeError):
            return f"{self._undone} after {lasting(self._limit or error.seconds)}{known and ': '}{known}"
        end = "interrupted" if isinstance(error, Interrupted) else "stopped"
        return f"{end} after {lasting(error.seconds)}: {self._undone}{known and '; '}{known}"

    def _known(self, error: Ending) -> str:
        """Return a sentence about what is known; empty if nothing is."""
        if isinstance(error.answer, list) and error.answer:
            return f"{len(error.answer):,} of them were"
        if self._found is None:
            return ""
        least = whole(self._found, "{:,}") + (" solution" if self._found == 1 else " solutions")
        known = f"there {'is' if self._found == 1 else 'are'} at least {least}" if self._found else "none was found"
        has_estimate = error.estimate is not None and not getattr(error.estimate, "caveat", "")
        return f"{known}; estimated total: {error.estimate}" if has_estimate else known


@contextmanager
def asking(
    undone: str, time_limit: float | None, progress: ProgressLike, *, has_deadline: bool = True
) -> Iterator[Question]:
    """Ask a question in this block, and complete the error if the question ends early.

    `undone` is a clause for its message: the list is not complete. After `time_limit` seconds the
    question's `watch` raises OutOfTimeError, unless the question has a deadline of its own.
    """
    bar = None
    if progress is True:
        from enumerator.api.progress import ProgressBar, has_place

        bar = ProgressBar(has_place())
    question = Question(undone, time_limit, bar.show if bar else progress, has_deadline)
    try:
        yield question
    except (OutOfTimeError, RunLostError, Stopped, Interrupted) as error:
        question.complete(error)
        raise
    except KeyboardInterrupt as error:
        interrupted = Interrupted()
        question.complete(interrupted)
        raise interrupted from error
    finally:
        if bar:
            bar.close()
