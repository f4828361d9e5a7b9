"""Costs of a run besides the walk, for the simulation: by the driver, its threads, and their tasks.

`python -m bench.study.costs` prints the seconds that a new process takes to count its cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import process_time, sleep, thread_time

from bench.common.commands import run_module
from bench.common.cutoffs import find_cutoff
from bench.study.trial import pool_start_seconds
from bench.tables.rows import Cost
from enumerator.board import Board
from enumerator.engines import Part, PartResult, Tally, TaskResult
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.search import kernel
from enumerator.engines.shares import WHOLE, to_pair
from enumerator.engines.walks.tree import Tree, above, split
from enumerator.engines.walks.worker import walk_parts
from enumerator.run.balance import exact_parts
from enumerator.run.driver import Driver
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.stock import Stock
from enumerator.run.workers.executors import usable_cores

ROUNDS = 25
"""Measurements of each cost, of which the least counts, by default."""

PARTS = 2_000
"""Parts of the board that costs are measured with."""

THREADS = 64
"""Threads whose start is measured."""

ASSUMED_SECONDS = 1_000.0
"""The time that the idle count seems to take: in a long count no task has very many parts."""


def measure_costs(board: Board, rounds: int = ROUNDS) -> Iterator[Cost]:
    """Yield the seconds of each step, on a board with many solutions: the least of `rounds` measurements.

    The names are those of `bench.simulation.world.Costs`, and one more. Starts of processes take long, and are
    measured a few times only.
    """
    tree = SEARCH.tree(board.shape)
    whole = [tree.part(board.cells, WHOLE)]
    cutoff = find_cutoff(whole, tree.branch, PARTS)
    parts = list(split(whole, above(cutoff, tree.branch)))
    together, driver = min(task_seconds(board, parts) for _ in range(rounds))
    leave_part, begin = worker_seconds(board, parts, rounds)
    yield Cost("hand out", driver / 2)
    yield Cost("take in", driver / 2)
    yield Cost("take in part", least_seconds(partial(stock_seconds, tree, parts), rounds))
    yield Cost("begin", together - driver + begin)
    yield Cost("leave part", leave_part)
    yield Cost("branch", least_seconds(lambda: [tree.branch(part) for part in parts], rounds) / len(parts))
    yield Cost("start thread", least_seconds(thread_start_seconds, rounds))
    yield Cost("start pool", min(pool_start_seconds(max(1, usable_cores() - 1)) for _ in range(min(3, rounds))))
    yield Cost("count cores", min(float(run_module("bench.study.costs")) for _ in range(min(7, rounds))))


def least_seconds(step: Callable[[], object], rounds: int) -> float:
    """Return the least time of this thread for a step, or the least float that it returns."""
    times = []
    for _ in range(rounds):
        started = thread_time()
        returned = step()
        times.append(returned if isinstance(returned, float) else thread_time() - started)
    return min(times)


class IdleTree(Tree):
    """A job whose tasks do nothing: a run of it takes only the driver's and the threads' time."""

    def __init__(self, board: Board) -> None:
        super().__init__(SEARCH, board.shape, limited=True)
        self.work = lambda loads, *_: TaskResult([PartResult(0, 1, 1e-9, []) for _ in loads], 0)


def task_seconds(board: Board, parts: list[Part]) -> tuple[float, float]:
    """Return the seconds a task of the driver and its threads together, and of the driver alone.

    Making parts of the partial count is left out: its cost does not depend on the number of tasks.
    """
    start = PartialCount(Tally(), 0, [(part.load, to_pair(part.share)) for part in parts], ASSUMED_SECONDS, 1e7)
    job = IdleTree(board)
    driver = Driver(job, Plan(cores=2, pool=None, usable=lambda: 2, visible=lambda: 2), start)
    making = least_seconds(partial(exact_parts, job, start), 3)  # a slow first one would exceed that of the run
    together, alone = process_time() + making, thread_time() + making
    for last in driver.run():  # noqa: B007
        pass
    return (process_time() - together) / last.tasks, (thread_time() - alone) / last.tasks


def worker_seconds(board: Board, parts: list[Part], rounds: int) -> tuple[float, float]:
    """Return a task's seconds for each part that it leaves, and for all else but the walk."""
    height, width = board.shape.height, board.shape.width

    def walk_only(efforts: list[int]) -> None:
        for part, effort in zip(parts, efforts, strict=True):
            kernel.start(part.load, height, width).run(effort)

    def run_tasks(nodes: int) -> list[TaskResult]:
        return [walk_parts(kernel.start, height, width, [part.load], nodes) for part in parts]

    def besides_walk(nodes: int) -> tuple[float, float]:
        """Return the number of parts that a task leaves, and its seconds besides the walk."""
        results = run_tasks(nodes)
        left = sum(len(done.rest) for result in results for done in result.parts)
        walk = partial(walk_only, [result.effort for result in results])
        besides = least_seconds(partial(run_tasks, nodes), rounds) - least_seconds(walk, rounds)
        return left / len(parts), besides / len(parts)

    (few, cheap), (many, dear) = besides_walk(1), besides_walk(1_000)
    each = max(0.0, (dear - cheap) / (many - few)) if many > few else 0.0
    return each, max(0.0, cheap - few * each)


def stock_seconds(tree: Tree, parts: list[Part]) -> float:
    """Return the seconds that the driver spends on a part that was left."""
    stock, started = Stock(), thread_time()
    for part in parts:
        stock.add(tree.part(part.load, part.share))
    return (thread_time() - started) / len(parts)


def thread_start_seconds() -> float:
    """Return the seconds of this thread that the start of another takes."""
    with ThreadPoolExecutor(THREADS) as threads:
        started = thread_time()
        for _ in range(THREADS):
            threads.submit(sleep, 0.01)
        return (thread_time() - started) / THREADS


if __name__ == "__main__":  # in a new process: the answer is cached after the first time
    began = thread_time()
    usable_cores()
    print(thread_time() - began)
