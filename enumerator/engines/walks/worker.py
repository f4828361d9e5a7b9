"""The task of a worker: boards and a budget in; a count and the boards not visited out.

Arguments and results are bytes and numbers, so a task can run in a thread, a process or on a
cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from enumerator.engines import MAX_TASK_SECONDS, MOST, PartResult, TaskResult, worker_id
from enumerator.engines.stopping import is_stopped
from enumerator.engines.walks import Slices, Start

if TYPE_CHECKING:
    from array import array

CLOCK_CHECKS = 8
"""The number of times that the clock is checked in the course of a budget."""

ROUND_OFF_PART = 8
"""A task may visit 1 / ROUND_OFF_PART more nodes than it has visited, to reach the end of a branch.

It then leaves a third as many boards.
"""


def walk_parts(  # noqa: PLR0913 - the first three are the same for all tasks of a tree
    start: Start,
    height: int,
    width: int,
    boards: Sequence[bytes],
    budget: int = MOST,
    limit: int = MOST,
    max_seconds: float = MAX_TASK_SECONDS,
    *,
    allowed: array[int] | None = None,
) -> TaskResult:
    """Walk over boards one after the other, each by the walk that `start` returns.

    All of them have the pencil marks `allowed`. Stop after `budget` nodes, `limit` solutions or
    `max_seconds`, or soon after the caller stops the task, whichever comes first.
    """
    part_started = started = perf_counter()
    used = thread_time()
    nodes = budget = max(1, budget)
    step = max(1, budget // CLOCK_CHECKS)
    results: list[PartResult] = []
    for cells in boards:
        if budget <= 0 or limit <= 0 or part_started - started > max_seconds or is_stopped():
            break
        walk = start(cells, height, width, allowed)
        slices, found, late = Slices(walk), 0, False
        while not (walk.finished or walk.nodes >= budget or found >= limit or late or is_stopped()):
            found += slices.run(limit - found, most=min(step, budget - walk.nodes))
            late = perf_counter() - started > max_seconds
        if (walk.nodes >= budget or late) and not is_stopped():
            found += walk.round_off((nodes - budget + walk.nodes) // ROUND_OFF_PART, limit - found)
        visited = max(1, walk.nodes)  # a board without any node counts as one, so that budgets end
        budget, limit = budget - visited, limit - found
        now = perf_counter()
        results.append(PartResult(found, visited, now - part_started, walk.parts()))
        part_started = now
    return TaskResult(results, worker_id(), thread_time() - used)
