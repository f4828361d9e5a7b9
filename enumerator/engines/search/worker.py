"""The task of a worker: boards and a budget in; a count and the boards not visited out.

Nothing in here knows where it runs. All that comes and goes is bytes and numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from enumerator.engines import MAX_TASK_SECONDS, MOST, PartResult, TaskResult, worker_id
from enumerator.engines.search import kernel

CLOCK_CHECKS = 8
"""Looks at the clock in the course of a budget."""

ROUND_OFF_PART = 8
"""A task may exceed what it has visited by this part, to reach the end of a branch.

It then leaves a third as many boards.
"""


def walk_parts(
    height: int,
    width: int,
    boards: Sequence[bytes],
    budget: int = MOST,
    limit: int = MOST,
    max_seconds: float = MAX_TASK_SECONDS,
) -> TaskResult:
    """Walk over boards, one after the other, until `budget` nodes, `limit` solutions or `max_seconds`."""
    begun = started = perf_counter()
    nodes = budget = max(1, budget)
    step = max(1, budget // CLOCK_CHECKS)
    results: list[PartResult] = []
    for cells in boards:
        if budget <= 0 or limit <= 0 or begun - started > max_seconds:
            break
        walk = kernel.start(cells, height, width)
        found, late = 0, False
        while not (walk.finished or walk.nodes >= budget or found >= limit or late):
            found += walk.run(min(step, budget - walk.nodes), limit - found)
            late = perf_counter() - started > max_seconds
        if walk.nodes >= budget or late:
            found += walk.round_off((nodes - budget + walk.nodes) // ROUND_OFF_PART, limit - found)
        visited = max(1, walk.nodes)  # a board that is dead from the start counts as work, too
        budget, limit = budget - visited, limit - found
        now = perf_counter()
        results.append(PartResult(found, visited, now - begun, walk.parts()))
        begun = now
    return TaskResult(results, worker_id())
