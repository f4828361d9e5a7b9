"""The workers of a driver: threads, processes or a cluster, and their tasks in flight."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from threading import Event
from time import perf_counter
from typing import Any

from enumerator.engines import Part, TaskResult, Worker
from enumerator.engines.stopping import run_until
from enumerator.run.observer import Observer
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import kill_executor
from enumerator.run.workers.threads import Threads


@dataclass(slots=True)
class TaskInFlight:
    """The parts of a task that was handed to a worker and has not returned yet."""

    parts: list[Part]
    deaths: int = 0
    """The number of workers that have died over these parts."""


@dataclass(eq=False)
class WorkerPool:
    """An executor, its seats and its tasks in flight. A seat is a place for one running task."""

    executor: Executor
    seats: int
    workers: int
    flights: dict[Future[Any], TaskInFlight] = field(default_factory=dict)
    arrivals: set[Future[Any]] = field(default_factory=set)
    """The probes that starting processes have not answered yet."""
    present: set[int] = field(default_factory=set)
    """The ids of the processes that have answered."""
    requested: float = field(default_factory=perf_counter)
    """The time at which the processes were requested."""

    def submit(self, work: Worker, loads: list[bytes], budget: int, limit: int, seconds: float) -> Future[TaskResult]:
        """Hand a task to a worker."""
        return self.executor.submit(work, loads, budget, limit, seconds)

    def awaits(self, future: Future[Any]) -> bool:
        return future in self.flights or future in self.arrivals

    @property
    def room(self) -> int:
        """The number of tasks that may be submitted now.

        If every worker has a seat, half as many more tasks are queued in the executor.
        """
        waiting = (self.seats + 1) // 2 if self.seats == self.workers else 0
        return self.seats + waiting - len(self.flights)

    @property
    def may_retry(self) -> bool:
        """True if a task over which a worker has died may be retried now.

        It is retried alone, when no other task is in flight.
        """
        return not (self.flights or self.arrivals)

    def welcome(self, worker: int) -> None:
        """Add a seat for a process that has answered."""
        self.present.add(worker)
        self.seats = min(len(self.present), self.workers)

    def leave(self) -> None:
        """Kill the executor if it has tasks in flight. Idle processes stay, to be reused."""
        if self.flights or self.arrivals:
            kill_executor(self.executor)


@dataclass(eq=False)
class ThreadPool(WorkerPool):
    """The threads of this process. They have all seats from the start."""

    stop: Event = field(default_factory=Event)
    """Set at the end of a run, which waits for threads: they cannot be killed."""
    make: Callable[[int], Executor] = Threads
    """Makes an executor with a given number of threads."""
    retired: list[Executor] = field(default_factory=list)
    """Executors of other numbers of threads, which may still be at work."""

    def submit(self, work: Worker, loads: list[bytes], budget: int, limit: int, seconds: float) -> Future[TaskResult]:
        return self.executor.submit(run_until, self.stop, work, loads, budget, limit, seconds)

    def run(self, call: Callable[[], None]) -> Future[None]:
        """Hand another call to a thread. It ends soon after the tasks are stopped."""
        return self.executor.submit(run_until, self.stop, call)

    def resize(self, threads: int) -> None:
        """Use another number of threads. Tasks in flight end where they are."""
        if threads != self.workers:
            self.executor.shutdown(wait=False)
            self.retired.append(self.executor)
            self.executor = self.make(threads)
            self.seats = self.workers = threads

    def close(self) -> None:
        """Stop the tasks, and wait for all threads."""
        self.stop.set()
        for executor in (*self.retired, self.executor):
            executor.shutdown(wait=True, cancel_futures=True)

    @property
    def is_alone(self) -> bool:
        """True if no thread could be started, and `submit` does the work."""
        return isinstance(self.executor, Threads) and self.executor.is_alone

    def welcome(self, worker: int) -> None:
        pass


class ClusterPool(WorkerPool):
    """The workers of a cluster.

    They may join and leave, and the scheduler handles those that die.
    """

    is_waiting = False
    """True if the cluster has no workers now."""

    def recount(self, plan: Plan, observer: Observer) -> None:
        """Use as many seats as the cluster has threads now."""
        if plan.cluster:
            plan.cluster.check()
            for address in plan.cluster.departures():
                observer.on_departure(address)
        self.seats = self.workers = plan.effective_cores()
        if not self.seats and not self.is_waiting:
            plan.on_message("the cluster has no workers: waiting for some")
        self.is_waiting = not self.seats

    @property
    def room(self) -> int:
        """The number of tasks that may be submitted now.

        As many tasks are queued as are running, because messages to a cluster take longer.
        """
        return 2 * self.seats - len(self.flights)

    @property
    def may_retry(self) -> bool:
        return True

    def welcome(self, worker: int) -> None:
        pass

    def leave(self) -> None:
        """Cancel the tasks in flight. The cluster keeps running."""
        for future in self.flights:
            future.cancel()
