"""A simulated machine: time, cores, the interpreter's lock, and threads.

An observer may see what the driver does, such as a tracer with the clock of this machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Any

from enumerator.engines import Part, Tally, TaskResult
from enumerator.run.local import PartialCount
from enumerator.run.observer import IGNORING, Observer
from enumerator.run.trace_records import TimedResult, Timing, WorkerName


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds that each step holds the lock; the last is a factor."""

    hand_out: float = 0.0
    take_in: float = 0.0
    take_in_part: float = 0.0
    begin: float = 0.0
    leave_part: float = 0.0
    branch: float = 0.0
    start_thread: float = 0.0
    count_cores: float = 0.0
    crowded: float = 1.0
    """The factor by which a walk is slower while other cores work."""


class World(Observer):
    """The time of the driver's thread, and all that happens beside it."""

    def __init__(self, costs: Costs, cores: int) -> None:
        self.costs, self.cores = costs, cores
        self.walking = 0  # threads that walk at the moment
        self.now = 0.0
        self.lock_free_at = 0.0
        self.debt = 0.0  # seconds that the driver has used of a core on which a thread was walking
        self.results: list[tuple[Future[TaskResult], TaskResult]] = []
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._number = count()
        self.observer: Observer = IGNORING
        self.thread = 0
        """The thread that works on a task now."""

    def on_start(self, start: PartialCount, engine: str) -> None:
        self.observer.on_start(start, engine)

    def on_tally(self, tally: Tally) -> None:
        self.observer.on_tally(tally)

    def on_handed_out(self, parts: list[Part], budget: int, deaths: int) -> None:
        self.observer.on_handed_out(parts, budget, deaths)

    def on_taken_in(self) -> None:
        self.observer.on_taken_in()

    def on_result(self, parts: list[Part], result: TaskResult) -> None:
        self.observer.on_result(parts, result)

    def clock(self) -> float:
        return self.now

    def make_threads(self, size: int) -> SimulatedThreads:
        return SimulatedThreads(self, size)

    def spend(self, seconds: float) -> None:
        """Let the driver's thread work for `seconds`, from when it has the lock."""
        self._advance(self.now)
        self.now = self.lock_free_at = max(self.now, self.lock_free_at) + seconds
        if self.walking == self.cores:
            self.debt += seconds

    def schedule(self, time: float, event: Callable[[float], None]) -> None:
        """Call `event(time)` at that time."""
        heappush(self._events, (time, next(self._number), event))

    def on_wait(self) -> None:
        """Let the driver's thread sleep until a task is done, and merge all that are."""
        self.observer.on_wait()
        self._advance(self.now)
        while not self.results:
            if not self._events:
                raise RuntimeError("the driver waits, and no task is in flight")
            self.now = max(self.now, self._events[0][0])
            self._advance(self.now)
        self.observer.on_woken()
        for future, result in self.results:
            left = sum(len(done.rest) for done in result.parts)
            self.spend(self.costs.take_in + left * self.costs.take_in_part)
            future.set_result(result)
        self.results = []

    def _advance(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            time, _, event = heappop(self._events)
            event(time)


class SimulatedThreads(Executor):
    """An executor with `size` threads, started one by one as there are tasks for them."""

    def __init__(self, world: World, size: int) -> None:
        self.world, self.size = world, size
        self.started, self.idle = 0, list[int]()
        self._tasks: deque[tuple[Future[TaskResult], Callable[[], TaskResult]]] = deque()

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[TaskResult] = Future()
        self.world.spend(self.world.costs.hand_out)
        self._tasks.append((future, lambda: function(*args)))
        if not self.idle and self.started < self.size:
            self.world.spend(self.world.costs.start_thread)
            self.idle.append(self.started)
            self.started += 1
        if self.idle:
            thread = self.idle.pop()
            self.world.schedule(self.world.now, lambda time: self._next_task(thread, time))
        return future

    def _next_task(self, thread: int, time: float) -> None:
        """Let a thread take a task, or become idle."""
        if not self._tasks:
            self.idle.append(thread)
            return
        world, (future, work) = self.world, self._tasks.popleft()
        world.thread = thread
        result = TimedResult(*work())
        left = sum(len(done.rest) for done in result.parts)
        world.lock_free_at = max(time, world.lock_free_at) + world.costs.begin + left * world.costs.leave_part
        world.walking += 1

        def finish(time: float) -> None:
            world.walking -= 1
            world.results.append((future, result))
            self._next_task(thread, time)

        debt, world.debt = world.debt, 0.0
        began = world.lock_free_at + debt
        result.timing = Timing(began, began + result.seconds, WorkerName("", 0, thread))
        world.schedule(began + result.seconds, finish)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing: the threads end with the world."""
