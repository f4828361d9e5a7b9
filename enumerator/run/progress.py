"""The progress of a question, and stopping it. All questions share this interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Progress(NamedTuple):
    """The progress of a question."""

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


class Stopped(Exception):  # noqa: N818
    """Raised by a watch to stop a question. All workers have stopped when it reaches the caller."""

    answer: object = None
    """The partial answer; None if the question has none."""


def no_progress(progress: Progress) -> None:
    """Ignore the progress of a question."""
