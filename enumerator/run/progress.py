"""The progress of a question, and stopping it. All questions share this interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from enumerator.run.errors import Stopped as Stopped


class Progress(NamedTuple):
    """The progress of a question, as a progress function receives it several times per second.

    >>> seen = []
    >>> try:
    ...     en.count("." * 256, time_limit=0.2, progress=seen.append)
    ... except en.OutOfTimeError:
    ...     print(seen[-1].share < 1, seen[-1].solutions > 0)
    True True
    """

    share: float | None = None
    """The share of the work that is done; None if unknown."""
    solutions: int | None = None
    """The number of solutions found so far; None if unknown."""
    stage: str = ""
    """The name of the present stage, for example a verification.

    `share` begins at 0 in each stage.
    """
    total: int | None = None
    """The number of solutions at the end; None if unknown."""
    boards: int | None = None
    """The number of boards answered so far; None if the question is about one board."""


Watch: TypeAlias = Callable[[Progress], None]
"""A function that is called several times per second with the progress of a question.

It may raise `Stopped` to end the question.
"""


def no_progress(progress: Progress) -> None:
    """Ignore the progress of a question."""
