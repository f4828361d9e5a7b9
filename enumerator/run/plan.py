"""The plan of a run: cores, limits, engine, workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from enumerator import engines
from enumerator.run.pacing import DEFAULT_BATCH_PACING, DEFAULT_PACING, BatchPacing, Pacing
from enumerator.run.workers.executors import ProcessFactory, start_processes, usable_cores, visible_cores

if TYPE_CHECKING:
    from enumerator.run.observer import Observer
    from enumerator.run.workers.cluster import Cluster

MAX_DEATHS = 3
"""The number of workers that may die over the same work before the run ends."""


def no_messages(message: str) -> None:
    """Ignore a message."""


class Plan(NamedTuple):
    """The settings of a run. A named tuple, because every count from Python makes one: 0.4 µs instead of 1.6 µs."""

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
    on_message: Callable[[str], None] = no_messages
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
    observer: Observer | None = None
    """The observer of drivers; None: nobody watches."""

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
