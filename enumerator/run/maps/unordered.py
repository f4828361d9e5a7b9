"""The unordered map: work on several threads, its results as soon as they are there.

A task may return others, which come before those that wait. So a tree is walked depth first, as far as threads are
free, and no result waits for one before it: a ledger can record it at once. `ordered.py` keeps the order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from threading import Event
from typing import TypeVar

from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import run_until
from enumerator.run.signals import interruptibly
from enumerator.run.workers.threads import Threads

Task = TypeVar("Task")
Result = TypeVar("Result")

TASKS_AHEAD = 2
"""Tasks for each core that are at work, or wait for a thread."""

TICK_SECONDS = 0.1
"""The longest time between two calls of `tick`."""


@interruptibly
def map_unordered(
    work: Work[Task, Result], cores: int, tick: Callable[[], None]
) -> Generator[tuple[Task, Result, list[Task]], None, None]:
    """Yield tasks with their results, and with the tasks that they return, which are done, too.

    `tick` is called every TICK_SECONDS. The tasks at work are waited for when the caller stops: they have to ask
    `engines.stopping`.
    """
    pool, stop = Threads(cores, "unordered map"), Event()
    waiting = list(work.tasks)[::-1]
    at_work = dict[Future[tuple[Result, list[Task]]], Task]()
    try:
        while waiting or at_work:
            while waiting and len(at_work) < TASKS_AHEAD * cores:
                task = waiting.pop()
                at_work[pool.submit(run_until, stop, work.do, task)] = task
            done, _ = wait(at_work, TICK_SECONDS, FIRST_COMPLETED)
            tick()
            for future in done:
                result, left = future.result()
                waiting += reversed(left)
                yield at_work.pop(future), result, left
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
