"""The driver with a clock, threads and an observer, and the names of the run that go with it.

This is the one module of bench that depends on the inside of the driver. Others import from here:

    Driver, Observer                            a run, and the one who is told of it
    PartialCount, TaskResult, PartResult        what a run begins with, and what its tasks bring
    FIRST_SLICE, SLICE_SECONDS, takes_long      how the single-core start of a count is paced
    TASK_SECONDS                                the longest that a task may take
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter

from enumerator.engines import PATIENCE as TASK_SECONDS
from enumerator.engines import Done as PartResult
from enumerator.engines import Outcome as TaskResult
from enumerator.engines.search import FIRST_SLICE, SLICE_SECONDS
from enumerator.run import Begun as PartialCount
from enumerator.run import Plan, takes_long
from enumerator.run.driver import Driver as PlainDriver
from enumerator.run.driver import Flight
from enumerator.run.splitting import Job, Part, Record

__all__ = [
    "FIRST_SLICE",
    "SLICE_SECONDS",
    "TASK_SECONDS",
    "Driver",
    "Observer",
    "PartResult",
    "PartialCount",
    "TaskResult",
    "takes_long",
]


class Observer:
    """Sees what a driver does, for measurements. This one ignores it."""

    def on_filled(self, idle_seats: int) -> None:
        """Tasks were handed out; `idle_seats` have none."""

    def on_wait(self) -> None:
        """The driver is about to wait for a result."""

    def on_result(self, parts: list[Part], result: TaskResult) -> None:
        """A task is done; its result is not merged yet."""


class Driver(PlainDriver):
    """A driver with a clock, a factory of threads and an observer."""

    def __init__(
        self,
        job: Job,
        plan: Plan,
        start: PartialCount,
        record: Record | None = None,
        *,
        clock: Callable[[], float] = perf_counter,
        threads: Callable[[int], Executor] = ThreadPoolExecutor,
        observer: Observer | None = None,
    ) -> None:
        self.now, self.threaded = clock, threads
        self.observer = observer or Observer()
        super().__init__(job, plan, start, record)

    def _fill(self) -> bool:
        is_work_left = super()._fill()
        pools = [pool for pool in (self.threads, self.pool) if pool]
        self.observer.on_filled(sum(max(0, pool.seats - len(pool.flights)) for pool in pools))
        return is_work_left

    def _wait(self) -> None:
        self.observer.on_wait()
        super()._wait()

    def _take_in(self, flight: Flight, outcome: TaskResult) -> None:
        self.observer.on_result(flight.parts, outcome)
        super()._take_in(flight, outcome)
