"""Work on several threads, its results in order.

    tasks -> turns: | done | at work | at work | done | ... |   at most AHEAD for each core are begun: memory is bounded
                       |
                       +-> the result of the first one, as soon as it is there

A task may leave others behind, which come next, before those that stand behind it: a tree is walked in order like this,
whatever the number of threads. The kernels let go of the interpreter's lock, so threads do, and nothing is copied.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from threading import Event
from typing import Generic, TypeAlias, TypeVar

from enumerator.run.readahead import Ahead

Task = TypeVar("Task")
Result = TypeVar("Result")

Watch: TypeAlias = Callable[[float | None, int | None], None]
"""Is told how far something is: the share that is done, and the solutions found, as far as they are known."""

AHEAD = 4
"""Tasks for each core that are at work, or done and not asked for yet."""

TICK = 0.02
"""So often it is looked whether there are new ones of those that may be long in coming."""


def unwatched(share: float | None, solutions: int | None) -> None:
    """For work that nobody watches."""


class Turn(Generic[Task, Result]):
    """A task, and what has become of it."""

    __slots__ = ("future", "opened", "task")

    def __init__(self, task: Task) -> None:
        self.task = task
        self.future: Future[tuple[Result, list[Task]]] | None = None
        self.opened = False
        """What it has left behind stands in line."""

    @property
    def done(self) -> bool:
        return self.future is not None and self.future.done()

    @property
    def result(self) -> Result:
        return self._outcome[0]

    @property
    def left(self) -> list[Task]:
        return [] if self.future and self.future.exception() else self._outcome[1]

    @property
    def _outcome(self) -> tuple[Result, list[Task]]:
        if self.future is None:
            raise RuntimeError("a task that was not begun has no outcome")
        return self.future.result()


def in_turn(
    work: Callable[[Task], tuple[Result, list[Task]]], tasks: Iterable[Task], cores: int, stop: Event | None = None
) -> Generator[Result, None, None]:
    """The results of tasks, and of those that they leave behind, in order.

    On one core nothing runs but what is asked for. On several, those at work are waited for when no more results are
    wanted: tasks have to be short, or end soon after `stop` is set. Tasks that may be long in coming are read `Ahead`.
    """
    return _alone(work, tasks) if cores == 1 else _together(work, tasks, cores, stop or Event())


def _alone(work: Callable[[Task], tuple[Result, list[Task]]], tasks: Iterable[Task]) -> Generator[Result, None, None]:
    for task in tasks:
        stack = [task]
        while stack:
            result, left = work(stack.pop())
            stack += reversed(left)
            yield result


def _together(
    work: Callable[[Task], tuple[Result, list[Task]]], tasks: Iterable[Task], cores: int, stop: Event
) -> Generator[Result, None, None]:
    most, begun = AHEAD * cores, 0
    turns: deque[Turn[Task, Result]] = deque()
    slow = tasks if isinstance(tasks, Ahead) else None
    quick = Quick(tasks if slow is None else ())
    pool = ThreadPoolExecutor(cores, "in turn")
    try:
        while True:
            missing = max(0, most - len(turns))
            if slow is not None and not turns:
                slow.more()
            turns.extend(map(Turn, quick.take(missing) if slow is None else slow.take(missing)))
            if not turns:
                quick.fail()
                return
            for turn in turns:
                if begun >= most and turn is not turns[0]:
                    break
                if turn.future is None:
                    turn.future = pool.submit(work, turn.task)
                    begun += 1
            first = turns[0]
            if not first.done:
                tick = TICK if slow is not None and missing else None
                wait([turn.future for turn in turns if turn.future and not turn.done], tick, FIRST_COMPLETED)
            turns = deque(_opened(turns))
            if first.done:
                turns.popleft()
                begun -= 1
                yield first.result
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


class Quick(Generic[Task]):
    """Tasks that are there at once. If their source fails, that comes behind those that it has given."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._error: Exception | None = None

    def take(self, most: int) -> Iterator[Task]:
        """Up to so many."""
        try:
            yield from islice(self._tasks, most)
        except Exception as error:
            self._error = error

    def fail(self) -> None:
        """Raise what the source has raised, if it has."""
        if self._error:
            raise self._error


def _opened(turns: Iterable[Turn[Task, Result]]) -> Iterator[Turn[Task, Result]]:
    """Tasks in line, with what those that are done have left behind them."""
    for turn in turns:
        yield turn
        if turn.done and not turn.opened:
            turn.opened = True
            yield from map(Turn, turn.left)
