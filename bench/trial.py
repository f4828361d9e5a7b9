"""One count, measured in a process of its own: `python -m bench.trial`, which reads a `Trial` and writes a `Finding`.

The process is new every time, so that its memory is that of this count, and nothing is left of the one before. The
clock runs when all is there that a program has from its first count on: its modules, or a cluster. What the start of a
pool of processes takes, which the driver hides behind its threads, is measured apart. A count that takes a few
microseconds is made often enough to be timed.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from threading import Barrier
from time import perf_counter

import bench  # noqa: F401 - for what is installed, not the source tree
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Tally, ready
from enumerator.engines.search import kernel
from enumerator.run import Plan, tallies
from enumerator.run.executors import BACKENDS, dismiss, processes

WARM_SECONDS = 0.2
"""The count is begun and left after so long, before it is measured."""

LEAST_SECONDS = 0.02
"""What takes less is repeated until it does not."""

WALK_NODES = 1_000_000
"""Some 0.1 s."""

BACKEND_NAMES = (*BACKENDS, "dask")


@dataclass(frozen=True, slots=True)
class Trial:
    """What to count, and how."""

    path: str
    cores: int = 1
    engine: str = "auto"
    cutoff: int | None = None
    backend: str = "loky"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of it. Big numbers are text: JSON's readers may not know them."""

    solutions: str
    engine: str
    seconds: float
    nodes: int
    tasks: int
    busy: float
    pool_seconds: float
    memory: float
    walk: float


def measured(trial: Trial) -> Finding:
    board = read(trial.path)
    with ExitStack() as held:
        started = perf_counter()
        plan = planned(trial, held)
        pool_seconds = perf_counter() - started
        until(perf_counter() + WARM_SECONDS, plan, board)
        counts, started = 0, perf_counter()
        while not counts or perf_counter() - started < LEAST_SECONDS:
            tally = until(float("inf"), plan, board)
            counts += 1
        seconds = (perf_counter() - started) / counts
        memory = peak_memory()
    dismiss()
    if plan.pool and trial.cores > 1:
        pool_seconds = start_of_pool(trial.cores - 1)
    return Finding(
        str(tally.solutions),
        tally.engine,
        seconds,
        tally.nodes,
        tally.tasks,
        tally.busy if tally.tasks else seconds,
        pool_seconds if trial.cores > 1 else 0.0,
        memory,
        walked_by(trial.cores),
    )


def walked_by(threads: int) -> float:
    """The mean seconds in which so many threads at once make the same walk."""
    everybody = Barrier(threads)

    def walk(_: int) -> float:
        own = kernel.start(bytes(81), 3, 3)
        everybody.wait()
        started = perf_counter()
        own.run(WALK_NODES)
        return perf_counter() - started

    with ThreadPoolExecutor(threads) as pool:
        return fmean(pool.map(walk, range(threads)))


def planned(trial: Trial, held: ExitStack) -> Plan:
    """How to count; where that is on a cluster, it is there when this returns."""
    if trial.backend == "dask":
        from enumerator.run.cluster import Cluster

        cluster = held.enter_context(Cluster(workers=trial.cores))
        return Plan(trial.cores, None, trial.cutoff, None, engine=trial.engine, usable=cluster.cores, cluster=cluster)
    return Plan(trial.cores, None, trial.cutoff, BACKENDS[trial.backend], engine=trial.engine)


def start_of_pool(workers: int) -> float:
    """The seconds until all processes of a new pool have answered."""
    started = perf_counter()
    pool = processes(workers)
    for answer in [pool.submit(ready, 0.02) for _ in range(workers)]:
        answer.result()
    seconds = perf_counter() - started
    dismiss()
    return seconds


def until(deadline: float, plan: Plan, board: Board) -> Tally:
    """Count, but no longer than that."""
    with closing(tallies(board, plan)) as counting:
        for tally in counting:  # noqa: B007
            if perf_counter() > deadline:
                break
    return tally


def peak_memory() -> float:
    """What this process and those below it had at their peaks, in MB."""
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    return sum(map(memory_of, below()), 0.0) + (memory_of("self") or mine)


def below(pid: str = "self") -> list[str]:
    """The processes below a process, where the system tells."""
    children: list[str] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it has ended by now
            children += thread.read_text().split()
    return [each for child in children for each in (child, *below(child))]


def memory_of(pid: str) -> float:
    try:
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(peak[1]) * 1024 / 1e6 if peak else 0.0


if __name__ == "__main__":
    print(json.dumps(asdict(measured(Trial(**json.load(sys.stdin))))))
