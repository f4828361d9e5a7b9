"""The plan of a run: cores, limits, the engine, where tasks go. And the errors that end a run."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, NamedTuple

from enumerator import engines
from enumerator.board import Board
from enumerator.run.executors import ProcessFactory, start_processes, usable_cores, visible_cores
from enumerator.run.pacing import DEFAULT_BATCH_PACING, DEFAULT_PACING, BatchPacing, Pacing

if TYPE_CHECKING:
    from enumerator.run.cluster import Cluster

MAX_DEATHS = 3
"""Work over which this many workers have died is not handed out again."""


class RunLostError(RuntimeError):
    """A run cannot continue. Says why."""

    answer: object = None
    """What is known, if the question has a partial answer."""


class WorkerLostError(RunLostError):
    """Work has killed its worker again and again."""


class DeadlyTaskError(RuntimeError):
    """A cluster has given up a task: workers have died over it as often as its scheduler allows."""


class OutOfTimeError(TimeoutError):
    """An answer was not found within its time limit."""


def no_messages(message: str) -> None:
    """Ignore a message."""


class Plan(NamedTuple):
    """How to find an answer.

    A named tuple: one is made for every board that is counted from Python, in 0.4 instead of 1.6 µs.
    """

    cores: int | None = None
    """The most cores to use; None: all."""
    limit: int | None = None
    """The number of solutions after which to stop."""
    cutoff: int | None = None
    """The search space at or below which a part is one task.

    None: parts are divided where too few of them wait.
    """
    pool: ProcessFactory | None = start_processes
    """Starts processes for long runs; None: the threads of this process do everything."""
    tell: Callable[[str], None] = no_messages
    """Called with messages for the user."""
    engine: str = engines.AUTO
    """The name of an engine, or `auto`: the one that promises to be the fastest."""
    usable: Callable[[], int] = usable_cores
    """Returns the number of cores that may be used, exactly."""
    visible: Callable[[], int] = visible_cores
    """Returns the number of cores in sight, at once."""
    cluster: Cluster | None = None
    """Where tasks are sent instead; then `usable` is the number of its threads at the moment."""
    pacing: Pacing = DEFAULT_PACING
    batch_pacing: BatchPacing = DEFAULT_BATCH_PACING

    def effective_cores(self) -> int:
        """Return the number of cores to use on this machine, or on the cluster."""
        if self.cores == 1 and not self.cluster:
            return 1
        usable = self.usable()
        return min(self.cores or usable, usable)


def check_plan(board: Board, plan: Plan) -> None:
    """Raise ValueError for an engine or a number of cores that cannot be meant."""
    if plan.engine != engines.AUTO and plan.engine not in engines.MODULES:
        raise ValueError(f"{plan.engine!r} is no engine: it must be one of {', '.join(engines.names())}")
    if plan.engine != engines.AUTO:
        engines.get(plan.engine).check(board.shape)
    check_cores(plan.cores)


def check_cores(cores: int | None) -> None:
    """Raise ValueError for fewer cores than one."""
    if cores is not None and index(cores) < 1:
        raise ValueError(f"{cores} cores: at least 1 is needed")
