"""A task: some boards and a budget in; a count and the boards not visited out.

Nothing in here knows where it runs: in this process, in another, on another machine. All that comes and goes is
bytes and numbers, and the kernel is all that it needs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from time import perf_counter

from enumerator.engines import PATIENCE, Done, Outcome
from enumerator.engines.search import kernel

STEPS = 8
"""So often in the course of its budget a task looks at the clock."""

BEYOND = 8
"""Such a part of what it has visited it may visit besides, to come to the end of a branch: a third as many boards are
left then."""


def work(
    height: int,
    width: int,
    boards: Sequence[bytes],
    nodes: int = kernel.MOST,
    limit: int = kernel.MOST,
    patience: float = PATIENCE,
) -> Outcome:
    """Walk over boards, one after the other, to so many solutions at most, until so many nodes or seconds are over."""
    begun = started = perf_counter()
    nodes = budget = max(1, nodes)
    step = max(1, budget // STEPS)
    done: list[Done] = []
    for cells in boards:
        if budget <= 0 or limit <= 0 or begun - started > patience:
            break
        walk = kernel.start(cells, height, width)
        found, late = 0, False
        while not (walk.finished or walk.nodes >= budget or found >= limit or late):
            found += walk.run(min(step, budget - walk.nodes), limit - found)
            late = perf_counter() - started > patience
        if walk.nodes >= budget or late:
            found += walk.round_off((nodes - budget + walk.nodes) // BEYOND, limit - found)
        visited = max(1, walk.nodes)  # a board that is dead from the start is not for nothing
        budget, limit = budget - visited, limit - found
        now = perf_counter()
        done.append(Done(found, visited, now - begun, walk.parts()))
        begun = now
    return Outcome(done, os.getpid())
