"""The ends of a question that has no complete answer. Each carries what is known."""

from __future__ import annotations

from typing import Any

from enumerator.text.errors import EnumeratorError


class Unfinished:
    """The attributes of an error that ends a question early."""

    answer: Any = None
    """The partial answer; None if the question has none."""
    at_least: int = 0
    """The number of solutions that were found, so that the board has at least as many."""
    estimate: Any = None
    """The estimated number of solutions, with `mean`, `low` and `high`; None if there is none."""
    seconds: float = 0.0
    """The time that the question took."""


class OutOfTimeError(Unfinished, EnumeratorError, TimeoutError):
    """A question was not answered within its time limit.

    `at_least` is the number of solutions found, and `seconds` the time that the question took. After
    a count, `estimate` is the estimated number of solutions, with `mean`, `low` and `high`. `answer`
    is the partial answer, or None.

    >>> try:
    ...     en.count("." * 256, time_limit=0.5)
    ... except en.OutOfTimeError as error:
    ...     print(error.at_least > 0, error.estimate.mean > 1e90, error.seconds < 60)
    True True True
    """


class RunLostError(Unfinished, EnumeratorError, RuntimeError):
    """A run cannot continue: workers have died, or a checkpoint cannot be written.

    The message says why. `at_least`, `seconds` and `answer` are those of OutOfTimeError.

    >>> def patient_count(board):
    ...     try:
    ...         return en.count(board)
    ...     except en.RunLostError as error:
    ...         return f"at least {error.at_least}"
    >>> patient_count("1234 3412 .... ....")
    4
    """


class WorkerLostError(RunLostError):
    """Workers have died repeatedly over the same work."""


class BalanceError(RunLostError):
    """Parts of a run were lost or counted twice: an error of this program. The message names them."""

    def __init__(self, message: str) -> None:
        super().__init__(f"internal error: {message}; the count is not valid")


class DeadlyTaskError(RuntimeError):
    """The scheduler of a cluster has given up a task, because too many workers died with it."""


class Stopped(Unfinished, EnumeratorError):  # noqa: N818
    """An error for a progress function to raise, to stop a question.

    All workers have stopped when it reaches the caller. `at_least`, `seconds` and `answer` are those
    of OutOfTimeError.

    >>> def stop(progress):
    ...     raise en.Stopped
    >>> try:
    ...     en.count("." * 256, progress=stop)
    ... except en.Stopped as error:
    ...     print(error.at_least > 0, error.answer.complete)
    True False
    """


class Interrupted(Unfinished, KeyboardInterrupt):
    """Ctrl-C during a question. All workers have stopped when it reaches the caller.

    `at_least`, `seconds` and `answer` are those of OutOfTimeError.

    >>> from signal import SIGINT, raise_signal
    >>> try:
    ...     en.count("." * 256, progress=lambda progress: raise_signal(SIGINT))
    ... except en.Interrupted as error:
    ...     print(error.at_least > 0)
    True
    """
