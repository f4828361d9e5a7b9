"""Progress of a question, and how it is stopped: the same for every question."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Progress(NamedTuple):
    """How far a question is, as far as that is known."""

    share: float | None = None
    """The share of the work that is done."""
    solutions: int | None = None
    """The solutions found so far."""
    stage: str = ""
    """The name of a stage that begins anew, with shares and times of its own: a verification, for one."""


Watch: TypeAlias = Callable[[Progress], None]
"""A function that is called with the progress of a question, several times a second.

It may raise `Stopped` to end the question.
"""


class Stopped(Exception):  # noqa: N818
    """Raised by a watch to stop a question. Nothing is left at work when it reaches the caller."""

    answer: object = None
    """What is known, if the question has a partial answer."""


def no_progress(progress: Progress) -> None:
    """Ignore the progress of a question."""
