"""The plan of a run: cores, limits, engine, workers. The errors that end a run are in `errors`."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, NamedTuple

from enumerator import engines
from enumerator.board import Board
from enumerator.run.errors import DeadlyTaskError as DeadlyTaskError
from enumerator.run.errors import OutOfTimeError as OutOfTimeError
from enumerator.run.errors import RunLostError as RunLostError
from enumerator.run.errors import WorkerLostError as WorkerLostError
from enumerator.run.executors import ProcessFactory, start_processes, usable_cores, visible_cores
from enumerator.run.pacing import DEFAULT_BATCH_PACING, DEFAULT_PACING, BatchPacing, Pacing

if TYPE_CHECKING:
    from enumerator.run.cluster import Cluster

MAX_DEATHS = 3
"""The number of workers that may die over the same work before the run ends."""


def no_messages(message: str) -> None:
    """Ignore a message."""


class Plan(NamedTuple):
    """The settings of a run.

    A named tuple, because every count from Python makes one: 0.4 µs instead of 1.6 µs.
    """

    cores: int | None = None
    """The largest number of cores to use; None: all."""
    limit: int | None = None
    """The number of solutions to report at most; None: no limit.

    A count looks for one more (`sought`). So the answer does not depend on the order of the work: it
    is complete if and only if there are no more than `limit` solutions.
    """
    cutoff: int | None = None
    """The search space at or below which a part is one task.

    None: the largest part is divided whenever too few parts wait.
    """
    pool: ProcessFactory | None = start_processes
    """The function that starts processes for long runs; None: use only threads."""
    tell: Callable[[str], None] = no_messages
    """The function to call with messages for the user."""
    engine: str = engines.AUTO
    """The name of an engine, or `auto` for the one that is predicted to be the fastest."""
    usable: Callable[[], int] = usable_cores
    """The function that returns the number of cores that may be used, in 0.1 ms."""
    visible: Callable[[], int] = visible_cores
    """The function that returns the number of visible cores. It is fast."""
    cluster: Cluster | None = None
    """The cluster to send tasks to; None: this machine.

    With a cluster, `usable` returns its current number of threads.
    """
    pacing: Pacing = DEFAULT_PACING
    batch_pacing: BatchPacing = DEFAULT_BATCH_PACING

    @property
    def sought(self) -> int | None:
        """The number of solutions after which a count stops; None: it does not."""
        return None if self.limit is None else self.limit + 1

    def effective_cores(self) -> int:
        """Return the number of cores to use on this machine, or on the cluster."""
        if self.cores == 1 and not self.cluster:
            return 1
        usable = self.usable()
        return min(self.cores or usable, usable)


def check_plan(board: Board, plan: Plan) -> None:
    """Raise ValueError for an unknown or unsuitable engine, or an invalid number of cores."""
    if plan.engine != engines.AUTO and plan.engine not in engines.MODULES:
        raise ValueError(f"{plan.engine!r} is not an engine: choose one of {', '.join(engines.names())}")
    if plan.engine != engines.AUTO:
        engines.get(plan.engine).check(board)
    check_cores(plan.cores)


def check_cores(cores: int | None) -> None:
    """Raise ValueError if `cores` is less than 1."""
    if cores is not None and index(cores) < 1:
        raise ValueError(f"{cores} cores: at least 1 is needed")


def check_time_limit(seconds: float | None) -> None:
    """Raise ValueError if a time limit is not greater than 0."""
    if seconds is not None and not seconds > 0:
        raise ValueError(f"a time limit of {seconds} s: it must be greater than 0")
