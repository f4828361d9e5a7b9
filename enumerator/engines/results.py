"""The words in which engines report: tallies of counts, parts, and the results of parts and tasks."""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol

MOST = 2**63 - 1
"""The largest budget or limit that a kernel takes."""

MAX_TASK_SECONDS = 1.0
"""A task hands back what is left after this time, even if its budget would allow more."""


class Tally(NamedTuple):
    """The state of a count. If it is complete, `solutions` is their exact number."""

    solutions: int = 0
    nodes: int = 0
    """Nodes visited, by engines whose effort is nodes."""
    complete: bool = False
    share: float = 0.0
    """The estimated share of the work that is done."""
    cores: int = 1
    """The number of cores that worked at the same time."""
    tasks: int = 0
    """Tasks handed out; 0 if the count was done in one piece."""
    engine: str = "search"
    busy: float = 0.0
    """The seconds of all tasks together, and those before the first."""
    effort: int = 0
    """The effort of the engine at work."""


NOTHING = Tally()
"""The state of a count before it has begun."""


class PartResult(NamedTuple):
    """The outcome of one part: solutions found, and what is left of it, each with its share of the part."""

    solutions: int
    effort: int
    """In the engine's unit, which is also that of budgets."""
    seconds: float
    rest: list[tuple[bytes, float]]


class TaskResult(NamedTuple):
    """The outcome of a task: one result for each part that it began. The last parts may not be begun."""

    parts: list[PartResult]
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


class Part(NamedTuple):
    """A part of a job. Parts compare by size first."""

    size: int
    load: bytes
    share: float
    row: int = 0
    """Its row in a ledger; 0 without a ledger."""


DIVIDED = PartResult(0, 0, 0.0, [])
"""The result of a part that was divided and not worked on."""


class Record(Protocol):
    """A memory of the parts of a job: a ledger, or nothing."""

    def settle(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Note that a part is done except for `left`. Return `left` as the record knows these parts."""
        ...

    def commit(self, last: bool = False) -> None:
        """Write what was noted to the disk: soon, or at once if this is the last chance."""
        ...

    @property
    def is_kept(self) -> bool:
        """Tell if anything is written, so that a task costs more."""
        ...


class NullRecord:
    """A record that keeps nothing."""

    is_kept = False

    def settle(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        return left

    def commit(self, last: bool = False) -> None:
        pass


def worker_id() -> int:
    """Return the number by which a driver knows the worker that runs this."""
    return os.getpid()


class KernelBuild(NamedTuple):
    """The way in which the compiled code of an engine was built."""

    compiler: str
    cython: str
    flags: str
    checked: bool
    """Every check of Cython's and C's is on."""
