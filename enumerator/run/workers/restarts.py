"""The processes of a driver: their start, their death, and their restart, with the tasks to run again.

    requested    a pool was made; each of its processes answers a probe when it is up
    died         a process has died, and the pool with it. The parts of its tasks are retried, one at a time,
                 by the pool that is requested next
    given up     processes do not stay alive, or cannot be started: threads do without them

A result of a pool that is gone is ignored: no pool awaits its future any more. The workers of a cluster come
and go without a restart, because its scheduler handles those that die.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from queue import SimpleQueue
from typing import Any

from enumerator.engines import Job
from enumerator.run.endings import WorkerLostError
from enumerator.run.observer import Observer
from enumerator.run.plan import MAX_DEATHS, Plan
from enumerator.run.signals import starting_processes
from enumerator.run.stock import Stock
from enumerator.run.workers.executors import ProcessFactory, cause_of_death, is_pool_gone, kill_executor, say_ready
from enumerator.run.workers.pools import ClusterPool, TaskInFlight, WorkerPool
from enumerator.text.phrases import plural


class Processes:
    """The pool of processes of a driver, or its cluster. Parts that need no process any more return to the stock.

    It does not refer to the driver: in a cycle, a pool that another count has replaced would not end with the run.
    """

    def __init__(
        self,
        job: Job,
        plan: Plan,
        done: SimpleQueue[Future[Any]],
        stock: Stock,
        clock: Callable[[], float],
        observer: Observer,
    ) -> None:
        self.pool: WorkerPool | None = ClusterPool(plan.cluster, seats=0, workers=0) if plan.cluster else None
        self.retries: deque[TaskInFlight] = deque()
        """Parts over which a worker has died."""
        self._plan, self._describe, self._stock, self._clock = plan, job.describe, stock, clock
        self._start_pool = None if job.stays_in_process or plan.cluster else plan.pool
        self._done, self._observer = done, observer
        self._false_starts = 0

    def check(self, workers: int, is_long: bool) -> None:
        """Request processes if there are none, and the run `is_long` or has tasks to retry.

        A pool whose processes do not come up in time has died.
        """
        pool = self.pool
        if pool and pool.arrivals and self._clock() - pool.requested > self._plan.pacing.arrival_seconds:
            self._on_death(TimeoutError("no sign of life"))
        if self._start_pool and not self.pool and workers and (is_long or self.retries):
            self._request(self._start_pool, workers)

    def _request(self, start_pool: ProcessFactory, workers: int) -> None:
        """Start a pool. Its processes come up one by one a moment later."""
        try:
            self._observer.on_request(workers)
            self.pool = WorkerPool(start_pool(workers), seats=0, workers=workers)
            with starting_processes():
                for _ in range(workers):
                    future = self.pool.executor.submit(say_ready, 0.02)
                    self.pool.arrivals.add(future)
                    future.add_done_callback(self._done.put)
        except Exception as error:  # noqa: BLE001 - threads do without processes, whatever keeps these away
            if is_pool_gone(error):
                self._on_death(error)
                return
            if self.pool:  # no more processes, files or semaphores to be had
                lost, self.pool = self.pool, None
                kill_executor(lost.executor)
            self._give_up(f"processes cannot be started ({getattr(error, 'strerror', None) or error})")

    def submit(self, pool: WorkerPool, task: TaskInFlight, *call: Any) -> Future[Any] | None:
        """Hand a task to a pool. Return None if this pool of processes has died: the task is retried then."""
        try:
            with starting_processes() if pool is self.pool else nullcontext():
                future = pool.submit(*call)
        except Exception as error:
            if pool is not self.pool or not is_pool_gone(error):
                raise
            pool.flights[Future()] = task
            self._on_death(error)
            return None
        pool.flights[future] = task
        return future

    def on_failure(self, pool: WorkerPool, error: Exception) -> None:
        """Retry what was in flight if a process has died; raise any other error."""
        if pool is not self.pool or not is_pool_gone(error):
            raise error
        self._on_death(error)

    def on_answer(self) -> None:
        """Forget deaths at the start once all processes have answered."""
        if self.pool and not self.pool.arrivals:
            self._false_starts = 0

    def retry_alone(self, task: TaskInFlight, deaths: int) -> None:
        """Retry the parts of a task one by one, unless too many workers have died over it."""
        if deaths >= MAX_DEATHS and len(task.parts) == 1:
            raise WorkerLostError(
                f"a task has ended its worker {plural(deaths, 'time')}; it was {self._describe(task.parts[0])}"
            )
        # in front: a part that dies again is tried once more before any other is
        self.retries.extendleft(TaskInFlight([part], deaths) for part in task.parts)

    def close(self) -> None:
        """Leave nothing at work. A pool that has nothing to do may stay, to be used again."""
        if self.pool:
            self.pool.leave()

    def _on_death(self, error: BaseException) -> None:
        """Retry what was in flight, part by part: a process has died, and its pool with it."""
        if self.pool is None:
            return
        lost, self.pool = self.pool, None
        kill_executor(lost.executor)
        tasks, reason = [task.parts for task in lost.flights.values()], f"worker died{cause_of_death(error)}"
        self._observer.on_lost(tasks, reason, lost.present)
        for task in lost.flights.values():
            self.retry_alone(task, task.deaths + 1)
        again = f"; {plural(len(lost.flights), 'task')} will run again" if lost.flights else ""
        self._plan.on_message(f"a worker has died{cause_of_death(error)}{again}")
        self._false_starts += 1
        if self._false_starts >= MAX_DEATHS and not lost.flights:
            self._give_up("processes do not stay alive")

    def _give_up(self, reason: str) -> None:
        """Go on with threads, which also take the parts to retry."""
        self._plan.on_message(f"{reason}: going on with threads")
        self._start_pool = None
        while self.retries:
            for part in self.retries.popleft().parts:
                self._stock.add(part)
