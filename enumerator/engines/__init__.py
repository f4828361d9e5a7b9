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
    busy: float = 0.0
    """The seconds of all tasks together, and those before the first."""


class Done(NamedTuple):
    """What has become of one part: what was found in it, and what is left of it, each with its share of the part."""

    solutions: int
    effort: int
    """In the engine's own unit, that of its budgets."""
    seconds: float
    rest: list[tuple[bytes, float]]


class Outcome(NamedTuple):
    """What a task has done with the first of its parts, one after the other; the others were not begun."""

    parts: list[Done]
    worker: int

    @property
    def solutions(self) -> int:
        return sum(part.solutions for part in self.parts)

    @property
    def effort(self) -> int:
        return sum(part.effort for part in self.parts)

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.parts)


def ready(pause: float) -> int:
    """The process that answers, after a pause in which it answers nothing else."""
    sleep(pause)
    return os.getpid()
