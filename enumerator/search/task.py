"""A task: some boards and a budget in; a count and the boards not visited out.

Nothing in here knows where it runs: in this process, in another, on another machine. All that comes and goes is
bytes and numbers, and the kernel is all that it needs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from time import perf_counter

from enumerator.search import kernel
from enumerator.task import PATIENCE, Outcome

STEPS = 8
"""So often in the course of its budget a task looks at the clock."""


def work(
    height: int, width: int, boards: Sequence[bytes], nodes: int = kernel.MOST, limit: int = kernel.MOST
) -> Outcome:
    """Walk over boards, one after the other, for at most so many nodes or solutions (a node at least)."""
    started = perf_counter()
    budget = max(1, nodes)
    step = max(1, budget // STEPS)
    solutions = visited = 0
    late = False
    rest: list[tuple[int, float, bytes]] = []
    for index, cells in enumerate(boards):
        if visited >= budget or solutions >= limit or late:
            rest.append((index, 1.0, cells))
            continue
        walk = kernel.start(cells, height, width)
        before = visited
        while not walk.finished and visited < budget and solutions < limit and not late:
            solutions += walk.run(min(step, budget - visited), limit - solutions)
            visited = before + walk.nodes
            late = perf_counter() - started > PATIENCE
        visited = max(visited, before + 1)  # a board that is dead from the start is not for nothing
        rest.extend((index, share, part) for part, share in walk.parts())
    return Outcome(solutions, visited, perf_counter() - started, os.getpid(), rest)
