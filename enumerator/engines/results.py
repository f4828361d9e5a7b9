"""The types that engines report in: tallies, parts, and the results of parts and tasks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from gmpy2 import mpq

MOST = 2**63 - 1
"""The largest budget or limit that a kernel takes."""

MAX_TASK_SECONDS = 1.0
"""The time after which a task returns its remaining parts, even if its budget is not spent."""


Share: TypeAlias = tuple[int, int]
"""An exact share, as a numerator and a denominator. shares.py makes fractions of them."""


ALMOST_ALL = 1 - 2**-53
"""The largest float below 1. Work that is not complete shows no larger share."""


class Tally(NamedTuple):
    """The state of a count. If `complete` is True, `solutions` is the exact number of solutions."""

    solutions: int = 0
    nodes: int = 0
    """The number of nodes visited by engines whose unit of effort is nodes."""
    complete: bool = False
    share: float = 0.0
    """The estimated share of the work that is done."""
    cores: int = 1
    """The number of cores that worked at the same time."""
    tasks: int = 0
    """The number of tasks handed out; 0 if the count was done in one piece."""
    engine: str = "search"
    busy: float = 0.0
    """The total seconds of all tasks and of the single-core start."""
    effort: int = 0
    """The effort of the engine that is counting."""


NOTHING = Tally()
"""The state of a count before it starts."""


class PartResult(NamedTuple):
    """The outcome of one part."""

    solutions: int
    effort: int
    """The effort spent, in the engine's unit. Budgets have the same unit."""
    seconds: float
    rest: list[tuple[bytes, Share]]
    """The loads that remain of the part, each with its share of the part."""


class TaskResult(NamedTuple):
    """The outcome of a task: one result for each part that it began, in order.

    Parts that the budget did not reach have no result.
    """

    parts: list[PartResult]
    worker: int
    processor_seconds: float = 0.0
    """The processor time of the task, for races; 0 if it was not measured."""

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
    share: mpq
    """The exact share of the whole."""
    row: int = 0
    """The row of the part in a ledger; 0 without a ledger."""


DIVIDED = PartResult(0, 0, 0.0, [])
"""The result of a part that was divided without any work on it."""


class Record(Protocol):
    """A record of the parts of a job: a ledger, or a NullRecord."""

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Record that a part is done except for `left`. Return `left` with the row of each part."""
        ...

    def commit(self, last: bool = False) -> None:
        """Write pending changes to disk, if `last` is True or the commit interval has passed."""
        ...

    @property
    def is_kept(self) -> bool:
        """True if the record is written to a file, which makes a task more expensive."""
        ...


class NullRecord:
    """A record that keeps nothing."""

    is_kept = False

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        return left

    def commit(self, last: bool = False) -> None:
        pass


def worker_id() -> int:
    """Return the number that identifies the calling worker to the driver."""
    return os.getpid()


class KernelBuild(NamedTuple):
    """The build settings of an engine's compiled code."""

    compiler: str
    cython: str
    flags: str
    checked: bool
    """True if all checks of Cython and C are on."""
    instructions: str
    """The instruction set that the kernels use; see `enumerator/engines/instructions.py`."""
