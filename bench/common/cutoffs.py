"""Cut-offs that divide a tree into about so many parts."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

from enumerator.engines import Part
from enumerator.engines.walks.tree import Branch, is_itself


def find_cutoff(parts: Iterable[Part], branch: Branch, tasks: int) -> int:
    """Return the largest cut-off that makes at least `tasks` parts.

    At most 2 · `tasks` parts are branched to find it, so the number of parts may stay below
    `tasks`.
    """
    heap = [(-part.size, part) for part in parts]
    heapify(heap)
    for _ in range(2 * tasks):
        if not heap or len(heap) >= tasks:
            break
        _, largest = heap[0]
        below = branch(largest)
        if is_itself(largest, below):
            break
        heappop(heap)
        for child in below:
            heappush(heap, (-child.size, child))
    return int(max(1, -heap[0][0])) if heap else 1
