"""One count in a new process.

`python -m bench.study.trial` reads a `Trial` and writes a `TrialResult`, both as JSON.

The process is new every time, so its memory is that of this count. The clock starts when everything
is there that a program has from its first count on: modules, or a cluster. The start of a pool of
start_processes, which the driver hides behind its threads, is measured separately. A count of a few
microseconds is repeated until it can be timed.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from statistics import fmean
from threading import Barrier
from time import perf_counter

from bench.common.memory import peak_of_this_tree
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Tally
from enumerator.engines.search import kernel
from enumerator.run.counting import tallies
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import BACKENDS, say_ready, shut_down_pools, start_processes

WARM_UP_SECONDS = 0.2
"""Before the measurement the count is begun, and left after this time."""

LEAST_SECONDS = 0.02
"""A shorter count is repeated until this time has passed."""

WALK_NODES = 1_000_000
"""Nodes of the walk that shows how much cores slow each other down: some 0.1 s."""

BACKEND_NAMES = (*BACKENDS, "dask")


@dataclass(frozen=True, slots=True)
class Trial:
    """A board to count, and the way to count it."""

    path: str
    cores: int = 1
    engine: str = "auto"
    cutoff: int | None = None
    backend: str = "loky"
    is_oversubscribed: bool = False
    """True if `cores` workers are at work whatever the number of cores."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The measurements of a trial.

    Solutions are text: readers of JSON may not know such large numbers.
    """

    solutions: str
    engine: str
    seconds: float
    nodes: int
    tasks: int
    busy: float
    pool_seconds: float
    memory: float
    walk: float


def measure(trial: Trial) -> TrialResult:
    board = read(trial.path)
    with ExitStack() as cleanup:
        started = perf_counter()
        plan = make_plan(trial, cleanup)
        pool_seconds = perf_counter() - started
        count_until(perf_counter() + WARM_UP_SECONDS, plan, board)
        counts, started = 0, perf_counter()
        while not counts or perf_counter() - started < LEAST_SECONDS:
            tally = count_until(float("inf"), plan, board)
            counts += 1
        seconds = (perf_counter() - started) / counts
        memory = peak_of_this_tree()
    shut_down_pools()
    if plan.pool and trial.cores > 1:
        pool_seconds = pool_start_seconds(trial.cores - 1)
    return TrialResult(
        str(tally.solutions),
        tally.engine,
        seconds,
        tally.nodes,
        tally.tasks,
        tally.busy if tally.tasks else seconds,
        pool_seconds if trial.cores > 1 else 0.0,
        memory,
        walk_seconds(trial.cores),
    )


def make_plan(trial: Trial, cleanup: ExitStack) -> Plan:
    """Return the plan of a trial.

    A cluster is up when this returns, and is closed with `cleanup`.
    """
    if trial.backend == "dask":
        from enumerator.run.workers.cluster import Cluster

        cluster = cleanup.enter_context(Cluster(workers=trial.cores))
        return Plan(trial.cores, None, trial.cutoff, None, engine=trial.engine, usable=cluster.cores, cluster=cluster)
    plan = Plan(trial.cores, None, trial.cutoff, BACKENDS[trial.backend], engine=trial.engine)
    if trial.is_oversubscribed:
        plan = plan._replace(usable=lambda: trial.cores, visible=lambda: trial.cores)
    return plan


def count_until(deadline: float, plan: Plan, board: Board) -> Tally:
    """Count until the deadline or the end; return the last tally."""
    with closing(tallies(board, plan)) as counting:
        for tally in counting:  # noqa: B007
            if perf_counter() > deadline:
                break
    return tally


def pool_start_seconds(workers: int) -> float:
    """Return the seconds until all start_processes of a new pool have answered."""
    started = perf_counter()
    pool = start_processes(workers)
    for answer in [pool.submit(say_ready, 0.02) for _ in range(workers)]:
        answer.result()
    seconds = perf_counter() - started
    shut_down_pools()
    return seconds


def walk_seconds(threads: int) -> float:
    """Return the mean seconds in which `threads` threads make the same walk at once."""
    start_together = Barrier(threads)

    def walk(_: int) -> float:
        own = kernel.start(bytes(81), 3, 3)
        start_together.wait()
        started = perf_counter()
        own.run(WALK_NODES)
        return perf_counter() - started

    with ThreadPoolExecutor(threads) as pool:
        return fmean(pool.map(walk, range(threads)))


if __name__ == "__main__":
    print(json.dumps(asdict(measure(Trial(**json.load(sys.stdin))))))
