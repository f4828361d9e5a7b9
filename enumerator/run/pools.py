"""The workers of a driver: threads, processes or a cluster, and their tasks in flight."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from enumerator.engines import Part
from enumerator.run.executors import kill_executor


@dataclass(slots=True)
class TaskInFlight:
    """Parts on their way to a worker and back."""

    parts: list[Part]
    deaths: int = 0
    """Workers that have died over these parts."""


@dataclass(eq=False)
class WorkerPool:
    """An executor, its seats and its tasks in flight. A seat is a core on which it may work."""

    executor: Executor
    seats: int
    workers: int
    flights: dict[Future[Any], TaskInFlight] = field(default_factory=dict)
    arrivals: set[Future[Any]] = field(default_factory=set)
    """Processes that were asked to answer, and have not yet."""
    present: set[int] = field(default_factory=set)
    """Processes that have answered."""
    requested: float = field(default_factory=perf_counter)
    """The time at which the processes were asked for."""

    def awaits(self, future: Future[Any]) -> bool:
        return future in self.flights or future in self.arrivals

    @property
    def room(self) -> int:
        """The number of tasks that may be added: where every worker has a seat, some wait in line."""
        waiting = (self.seats + 1) // 2 if self.seats == self.workers else 0
        return self.seats + waiting - len(self.flights)

    @property
    def may_retry(self) -> bool:
        """Tell if a task over which a worker has died may be tried now: with no other beside it."""
        return not (self.flights or self.arrivals)

    def welcome(self, worker: int) -> None:
        """Give a seat to a process that has answered."""
        self.present.add(worker)
        self.seats = min(len(self.present), self.workers)

    def leave(self) -> None:
        """Kill what is at work. Idle processes stay, to be used again."""
        if self.flights or self.arrivals:
            kill_executor(self.executor)


class ThreadPool(WorkerPool):
    """The threads of this process. They have their seats from the start."""

    def welcome(self, worker: int) -> None:
        pass


class ClusterPool(WorkerPool):
    """The workers of a cluster. They come and go; the scheduler replaces those that die."""

    @property
    def room(self) -> int:
        """As many tasks wait in line as are at work: they take longer on their way."""
        return 2 * self.seats - len(self.flights)

    @property
    def may_retry(self) -> bool:
        return True

    def welcome(self, worker: int) -> None:
        pass

    def leave(self) -> None:
        """Cancel the tasks. The cluster stays."""
        for future in self.flights:
            future.cancel()
