"""What every engine can say of a count: how far it is, and what a task of it has brought."""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import sleep
from typing import NamedTuple

PATIENCE = 1.0
"""A task hands back what is left after so many seconds, even if its budget would allow more."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a count knows so far; if it is complete, there are no more solutions than these."""

    solutions: int = 0
    nodes: int = 0
    """How much of the tree was walked, if any."""
    complete: bool = False
    share: float = 0.0
    """How much of the work is done, as far as one can tell before its end."""
    cores: int = 1
    """How many have worked on it at once."""
    tasks: int = 0
    """How many parts were handed out; none where it was done in one piece."""
    engine: str = "search"


class Outcome(NamedTuple):
    """What a task has found, and what it has left: (index of the part, its share that is left, what to do about it)."""

    solutions: int
    effort: int
    """In the engine's own unit, that of its budgets."""
    seconds: float
    worker: int
    rest: list[tuple[int, float, bytes]]


def ready(pause: float) -> int:
    """The process that answers, after a pause in which it answers nothing else."""
    sleep(pause)
    return os.getpid()
