"""The task of a worker: a board, ranges and a budget in; a count and the remaining ranges out."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from enumerator.engines import MAX_TASK_SECONDS, MOST, PartResult, TaskResult, worker_id
from enumerator.engines.contraction import problem
from enumerator.engines.stopping import is_stopped


def sum_ranges(
    cells: bytes,
    height: int,
    width: int,
    ranges: Sequence[bytes],
    budget: int,
    _limit: int = MOST,
    max_seconds: float = MAX_TASK_SECONDS,
) -> TaskResult:
    """Sum ranges one after the other until `budget` products or `max_seconds` are spent.

    At least one item is summed, unless the caller stops the task: it then ends soon. The limit is
    ignored: a sum finds all solutions of an item at once.
    """
    part_started = started = perf_counter()
    whole = problem.find_problem(cells, height, width, keep=True)
    left = float(max(1, budget))
    step = left / 2
    results: list[PartResult] = []
    for load in ranges:
        if left <= 0 or part_started - started > max_seconds or is_stopped():
            break
        first, last, items = problem.RANGE.unpack(load)
        if items != whole.items:
            raise RuntimeError(f"a sum of {items} items has {whole.items} here: not the same version of enumerator")
        item, solutions, spent, late = first, 0, 0.0, False
        while item < last and spent < left and not late and not is_stopped():
            found, item, cost = whole.run(item, last, min(step, left - spent))
            solutions += found
            spent += cost
            late = perf_counter() - started > max_seconds
        left -= max(1.0, spent)
        rest = [(problem.RANGE.pack(item, last, items), (last - item, last - first))] if item < last else []
        now = perf_counter()
        results.append(PartResult(solutions, max(1, int(spent)), now - part_started, rest))
        part_started = now
    return TaskResult(results, worker_id())
