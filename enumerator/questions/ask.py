"""A question about one board: its progress, its deadline, and its end before there is an answer.

This is the only place that ends a question early, for Python, the command and the page alike:

    asking      a block in which somebody asks a question. Its `watch` shows the progress, and raises OutOfTimeError
                after the deadline. An error that ends the question carries what is known, and a message
    carrying    a block in which a question has a partial answer. An error that ends it carries this answer
    within      a `watch` with a deadline of its own, for a part of a question
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from enumerator.run.endings import Interrupted, OutOfTimeError, RunLostError, Stopped
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.partial_counts import number_of_solutions
from enumerator.text.phrases import lasting

if TYPE_CHECKING:
    from enumerator.questions.progress_bar import ProgressBar

__all__ = [
    "Interrupted",
    "OutOfTimeError",
    "Progress",
    "ProgressLike",
    "Question",
    "RunLostError",
    "Stopped",
    "Watch",
    "asking",
    "carrying",
    "within",
]

Item = TypeVar("Item")

Ending = OutOfTimeError | RunLostError | Stopped | Interrupted
"""The errors that end a question early."""

ProgressLike: TypeAlias = Callable[[Progress], object] | bool | None
"""A function that is called with the progress; True: show a progress bar; None: neither."""


class Question:
    """A question in progress. Its method `watch` is the `Watch` of the question."""

    def __init__(
        self,
        undone: str,
        time_limit: float | None,
        show: Callable[[Progress], object] | None,
        has_deadline: bool,
        stage: str = "",
    ) -> None:
        self._undone, self._limit, self._show, self._stage = undone, time_limit, show, stage
        self._started = perf_counter()
        self._deadline = inf if time_limit is None or not has_deadline else self._started + time_limit
        self._found: int | None = None
        self._total: int | None = None

    def watch(self, progress: Progress) -> None:
        """Show the progress to the caller; raise OutOfTimeError after the deadline."""
        if progress.solutions is not None and progress.stage == self._stage:  # other stages have other numbers
            self._found, self._total = max(self._found or 0, progress.solutions), progress.total
        if self._show:
            self._show(progress)
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
        if self._stage:  # puzzles, not solutions of a board
            among = "" if self._total is None else f" of {self._total:,}"
            return f"{self._found or 0:,}{among} {'was' if self._found == 1 else 'were'}"
        if self._found is None:
            return ""
        some = number_of_solutions(self._found, getattr(error.answer, "solutions_complete", False))
        known = f"there {'is' if self._found == 1 else 'are'} {some}" if self._found else "none was found"
        has_estimate = error.estimate is not None and not getattr(error.estimate, "caveat", "")
        return f"{known}; estimated total: {error.estimate}" if has_estimate else known


@contextmanager
def asking(
    undone: str,
    time_limit: float | None,
    progress: ProgressLike | ProgressBar,
    *,
    has_deadline: bool = True,
    stage: str = "",
) -> Iterator[Question]:
    """Ask a question in this block, and complete the error if the question ends early.

    `undone` is a clause for its message: the list is not complete. After `time_limit` seconds the
    question's `watch` raises OutOfTimeError, unless the question has a deadline of its own. What is found is
    counted in the stage `stage`. A progress bar is closed at the end.
    """
    bar = None
    if progress is True:
        from enumerator.questions.progress_bar import ProgressBar, has_place

        bar = ProgressBar(has_place())
    elif not (progress is None or callable(progress) or isinstance(progress, bool)):
        bar = progress
    show = bar.show if bar else progress if callable(progress) else None
    question = Question(undone, time_limit, show, has_deadline, stage)
    try:
        with carrying():
            yield question
    except (OutOfTimeError, RunLostError, Stopped, Interrupted) as error:
        question.complete(error)
        raise
    finally:
        if bar:
            bar.close()


@contextmanager
def carrying(answer: Callable[[], object] | None = None) -> Iterator[None]:
    """Give an error that ends a question in this block the partial answer. Ctrl-C becomes Interrupted."""
    try:
        yield
    except (OutOfTimeError, RunLostError, Stopped, Interrupted) as error:
        if answer:
            error.answer = answer()
        raise
    except KeyboardInterrupt as interrupt:
        interrupted = Interrupted()
        if answer:
            interrupted.answer = answer()
        raise interrupted from interrupt


def within(seconds: float | None, watch: Watch = no_progress) -> Watch:
    """Return a `watch` that raises OutOfTimeError after some seconds, besides calling `watch`; None: no limit."""
    if seconds is None:
        return watch
    deadline = perf_counter() + seconds

    def check(progress: Progress) -> None:
        watch(progress)
        if perf_counter() > deadline:
            raise OutOfTimeError

    return check
