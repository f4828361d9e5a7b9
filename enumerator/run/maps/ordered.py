"""The ordered map: work on several threads, its results in order.

    tasks -> line: | done | at work | at work | done | ... |   at most TASKS_AHEAD for each core are at work
                      |
                      +-> the result of the first one, as soon as it is there

A task may return others, which come next, before those after it. So a tree is walked
in order, whatever the number of threads. The kernels release the interpreter's lock: threads suffice,
and nothing is copied. Memory is bounded by the tasks at work.

Where results are small, and one task may take much longer than the others, `size` is given: then the
results after that task are held until it is done, as long as there is room for them, and work goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import chain, islice
from threading import Event
from typing import Generic, TypeVar

from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import run_until
from enumerator.run.maps.readahead import ReadAhead
from enumerator.run.signals import interruptibly
from enumerator.run.workers.threads import Threads

Task = TypeVar("Task")
Result = TypeVar("Result")

TASKS_AHEAD = 4
"""Tasks for each core that are at work, or done and not asked for yet."""

POLL_SECONDS = 0.02
"""Polling interval for slow sources of tasks."""

TICK_SECONDS = 0.1
"""The longest time between two calls of `tick`."""

HELD_SIZE = 32_000_000
"""The total size of the results that are held after a task that takes longer, in bytes."""

HELD_TASKS = 1_024
"""The number of tasks in line, with results that are held, above which no further one begins."""


def map_ordered(
    work: Work[Task, Result],
    cores: int,
    stop: Event | None = None,
    *,
    size: Callable[[Result], int] | None = None,
    tick: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """Yield the results of tasks, and of those that they return, in order.

    On one core nothing runs but what is asked for. On several, the tasks at work are waited for when
    the caller stops: they have to be short, or end soon after `stop` is set. Walks do: they ask
    `engines.stopping`. A source of tasks that may be slow has to be a `ReadAhead`.

        size   returns the size of a result; with it, up to HELD_SIZE of results are held
        tick   is called every TICK_SECONDS while tasks are at work; they then run in threads
    """
    if cores == 1 and tick is None:
        return _map_alone(work)
    return _map_on_threads(work, cores, stop or Event(), size, tick)


def map_growing(
    work: Work[Task, Result],
    cores: Callable[[], int],
    stop: Event | None = None,
    *,
    size: Callable[[Result], int] | None = None,
    tick: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """Map like `map_ordered`, in this thread until a task returns others, then on all cores."""
    tasks = iter(work.tasks)
    for task in tasks:
        result, left = work.do(task)
        yield result
        if left:
            yield from map_ordered(Work(work.do, chain(left, tasks)), cores(), stop, size=size, tick=tick)


def _map_alone(work: Work[Task, Result]) -> Generator[Result, None, None]:
    for task in work.tasks:
        stack = [task]
        while stack:
            result, left = work.do(stack.pop())
            stack += reversed(left)
            yield result


@interruptibly
def _map_on_threads(
    work: Work[Task, Result],
    cores: int,
    stop: Event,
    size: Callable[[Result], int] | None,
    tick: Callable[[], None] | None,
) -> Generator[Result, None, None]:
    most, at_work = TASKS_AHEAD * cores, 0
    line: deque[TaskInLine[Task, Result]] = deque()
    slow = work.tasks if isinstance(work.tasks, ReadAhead) else None
    quick = QuickSource(work.tasks if slow is None else ())
    pool = Threads(cores, "ordered map")
    try:
        while True:
            held = _count_held(line, size) if size else 0
            missing = max(0, most - len(line) + held)
            if slow is not None and not line:
                slow.more()
            line.extend(map(TaskInLine, quick.take(missing) if slow is None else slow.take(missing)))
            if not line:
                quick.reraise()
                return
            for one in line:
                if at_work - held >= most and one is not line[0]:
                    break
                if one.future is None:
                    one.begin(pool, work.do, stop)
                    at_work += 1
            if not line[0].done:
                timeout = POLL_SECONDS if slow is not None and missing else TICK_SECONDS if tick else None
                wait([one.future for one in line if one.future and not one.done], timeout, FIRST_COMPLETED)
                if tick:
                    tick()
            line = deque(_insert_left(line))
            while line and line[0].done:
                first = line.popleft()
                at_work -= 1
                yield first.result
                if size is None or not line or not line[0].is_expanded:
                    break  # otherwise many results may be held: they are yielded without going through the line
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _count_held(line: Iterable[TaskInLine[Task, Result]], size: Callable[[Result], int]) -> int:
    """Return the number of tasks in line that are done; 0 if there is no room for more results."""
    done = [one for one in line if one.done]
    is_full = len(done) >= HELD_TASKS or sum(one.size(size) for one in done) >= HELD_SIZE
    return 0 if is_full else len(done)


class TaskInLine(Generic[Task, Result]):
    """A task and its future, once it is at work."""

    __slots__ = ("future", "is_expanded", "task")

    def __init__(self, task: Task) -> None:
        self.task = task
        self.future: Future[tuple[Result, list[Task]]] | None = None
        self.is_expanded = False
        """The tasks that it has left stand in line."""

    def begin(self, pool: Executor, do: Callable[[Task], tuple[Result, list[Task]]], stop: Event) -> None:
        """Hand the task to a thread, which then has the only reference to it."""
        self.future = pool.submit(run_until, stop, do, self.task)
        del self.task

    @property
    def done(self) -> bool:
        return self.future is not None and self.future.done()

    @property
    def result(self) -> Result:
        return self._outcome[0]

    def size(self, measure: Callable[[Result], int]) -> int:
        """Return the size of the result; that of an error is 0."""
        return 0 if self.future and self.future.exception() else measure(self.result)

    @property
    def left(self) -> list[Task]:
        return [] if self.future and self.future.exception() else self._outcome[1]

    @property
    def _outcome(self) -> tuple[Result, list[Task]]:
        if self.future is None:
            raise RuntimeError("a task that was not started has no outcome")
        return self.future.result()


class QuickSource(Generic[Task]):
    """Tasks that are there at once. If their source fails, that is raised after the tasks that it gave."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._error: Exception | None = None

    def take(self, most: int) -> Iterator[Task]:
        """Yield at most `most` tasks."""
        try:
            yield from islice(self._tasks, most)
        except Exception as error:  # noqa: BLE001 - raised again by `reraise`
            self._error = error

    def reraise(self) -> None:
        """Raise what the source has raised, if it has."""
        if self._error:
            raise self._error


def _insert_left(line: Iterable[TaskInLine[Task, Result]]) -> Iterator[TaskInLine[Task, Result]]:
    """Yield tasks in line, with what those that are done have returned."""
    for one in line:
        yield one
        if one.done and not one.is_expanded:
            one.is_expanded = True
            yield from map(TaskInLine, one.left)
