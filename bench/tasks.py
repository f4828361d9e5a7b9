"""What there is to do, and what it costs to share it out: the data of `simulate`.

tasks.csv.gz has the tree of guesses of each board, cut into subtrees that were walked one by one: about a millisecond
each, so that a task of any length can be put together from them. costs.csv has what the driver, its threads and their
tasks take besides the walk, in processor time; and what a pool of processes takes until it is there.

`python -m bench.tasks` says what it takes to find out how many cores there are, for the first time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from math import inf, isclose
from pathlib import Path
from time import perf_counter, process_time, sleep, thread_time

from bench.data import write
from bench.rows import Cost, Piece
from bench.session import Known, Step, add_common, boards, chosen, conduct, in_a_process, opened, output
from bench.trial import start_of_pool
from enumerator.board import Board
from enumerator.engines import Done, Outcome, Tally
from enumerator.engines.search import kernel
from enumerator.engines.search.worker import work
from enumerator.run import Begun, Plan
from enumerator.run.driver import Driver
from enumerator.run.executors import usable_cores
from enumerator.run.splitting import Part, Stock, Tree, above, cutoff_for, split, whole

LARGEST = 10_000
"""Nodes of a subtree that is walked in one go: about a millisecond."""

ROUNDS = 25
"""Costs are measured so often, and the least time counts."""

WALKS = 2
"""Subtrees are walked so often, and the least time counts: a machine that stops for 60 ms is no part of the tree."""

PARTS = 2_000
"""And with so many parts of a board."""

THREADS = 64

LONG_SECONDS = 1_000.0
"""A count that seems to take so long has no tasks of very many parts."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_common(parser, "tasks.csv.gz")
    parser.add_argument("--costs", type=Path, metavar="FILE", help="the table of costs (default: costs.csv beside it)")
    parser.add_argument("--largest", type=int, default=LARGEST, help="nodes of a subtree (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    path, paths = output(options, "tasks.csv.gz"), chosen(options)
    command = f"tasks --largest {options.largest}"
    table, parsed, known = opened(path, Piece, command, options.fresh), boards(paths), Known(options.folder)
    there = {row.board for row in table.rows}
    if torn := [name for name in there if not is_whole([row for row in table.rows if row.board == name])]:
        raise SystemExit(f"bench: {path} has only a part of {', '.join(torn)}: --fresh replaces it")

    def walk(name: str) -> None:
        walked = list(pieces(name, parsed[name], options.largest))
        known.check(name, sum(piece.solutions for piece in walked))
        table.add(*walked)

    steps = [Step(name, "piece by piece", None if name in there else partial(walk, name)) for name in parsed]
    status = conduct(steps, len(steps), set())
    print(*summarised(table.rows), sep="\n")
    prices = options.costs or path.with_name("costs.csv")
    if not status and (options.fresh or not prices.exists()):
        largest = max(parsed, key=lambda name: parsed[name].search_space)
        rows = list(costs(parsed[largest]))
        write(prices, Cost, f"{command} (costs on {largest})", rows)
        print(*(f"{row.step:<20}{row.seconds * 1e6:>14,.1f} µs" for row in rows), sep="\n")
    return status


def is_whole(rows: list[Piece]) -> bool:
    """Whether these are all subtrees of a board, and not what was written of them when something ended that."""
    parents = {row.parent for row in rows}
    return isclose(sum(row.share for row in rows if row.number not in parents), 1.0, rel_tol=1e-5)


def pieces(name: str, board: Board, largest: int = LARGEST) -> Iterator[Piece]:
    """The tree of a board, from its root: subtrees that are small enough are walked, the others are branched."""
    tree, numbers = Tree(board.shape), count()
    ahead: list[tuple[Part, int | None]] = [(whole(board), None)]
    while ahead:
        part, parent = ahead.pop()
        number = next(numbers)
        seconds = inf
        for _ in range(WALKS):
            walk = kernel.start(part.load, board.shape.height, board.shape.width)
            started = perf_counter()
            found = walk.run(largest)
            seconds = min(seconds, perf_counter() - started)
        said = (name, number, parent, float(part.size), part.share)
        if walk.finished:
            yield Piece(*said, found, walk.nodes, seconds)
        else:
            yield Piece(*said, 0, 0, 0.0)
            ahead += [(child, number) for child in reversed(tree.branch(part))]


def summarised(rows: list[Piece]) -> Iterator[str]:
    yield f"{'board':<7}{'subtrees':>10}{'walked':>10}{'nodes':>14}{'seconds':>10}{'median ms':>11}{'longest ms':>12}"
    for board in dict.fromkeys(row.board for row in rows):
        walked = sorted((row for row in rows if row.board == board and row.nodes), key=lambda row: row.seconds)
        if not walked:  # it was dead from the start
            continue
        total, seconds = sum(row.nodes for row in walked), sum(row.seconds for row in walked)
        median, longest = walked[len(walked) // 2].seconds, walked[-1].seconds
        subtrees = sum(row.board == board for row in rows)
        yield (
            f"{board:<7}{subtrees:>10,}{len(walked):>10,}{total:>14,}{seconds:>10.3f}"
            f"{median * 1e3:>11.3f}{longest * 1e3:>12.3f}"
        )


# ---------------------------------------------------------------------------------------------------- costs


def costs(board: Board) -> Iterator[Cost]:
    """What each step takes, on a board with many solutions. The names are those of `simulation.Costs`, and others."""
    tree = Tree(board.shape)
    cutoff = cutoff_for([whole(board)], tree.branch, PARTS)
    parts = list(split([whole(board)], above(cutoff, tree.branch)))
    everybody, driver = min(driven(board, parts) for _ in range(ROUNDS))
    left, begin = left_behind(board, parts)
    yield Cost("hand out", driver / 2)
    yield Cost("take in", driver / 2)
    yield Cost("take in part", least(partial(stocked, tree, parts)))
    yield Cost("begin", everybody - driver + begin)
    yield Cost("leave part", left)
    yield Cost("branch", least(lambda: [tree.branch(part) for part in parts]) / len(parts))
    yield Cost("start thread", least(started_threads))
    yield Cost("start pool", min(start_of_pool(max(1, usable_cores() - 1)) for _ in range(3)))
    yield Cost("count cores", min(float(in_a_process("bench.tasks")) for _ in range(7)))


def least(step: Callable[[], object]) -> float:
    """The least time of this thread that a step takes, or that it says it takes."""
    times = []
    for _ in range(ROUNDS):
        started = thread_time()
        said = step()
        times.append(said if isinstance(said, float) else thread_time() - started)
    return min(times)


class Idle(Tree):
    """A job with nothing to do: all that it takes is its driver's time, and that of threads that take a task and give
    it back.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board.shape, limited=True)
        self.work = lambda loads, *_: Outcome([Done(0, 1, 1e-9, []) for _ in loads], 0)  # type: ignore[assignment]


def driven(board: Board, parts: list[Part]) -> tuple[float, float]:
    """The time for a task, of some parts, of a driver and its threads together, and of the driver alone.

    Without what it takes to make parts of what was begun: there is as much of it however many tasks there are.
    """
    begun = Begun(Tally(), 0, [(part.load, part.share) for part in parts], LONG_SECONDS, 1e7)
    driver = Driver(Idle(board), Plan(cores=2, pool=None, usable=lambda: 2, in_sight=lambda: 2), begun)
    made = thread_time()
    for part in begun.parts:
        driver.job.part(*part)
    made = thread_time() - made
    everybody, own = process_time() + made, thread_time() + made
    for _ in driver.run():
        pass
    return (process_time() - everybody) / driver.tasks, (thread_time() - own) / driver.tasks


def left_behind(board: Board, parts: list[Part]) -> tuple[float, float]:
    """What a task spends on each part that it leaves, and on everything else, besides the walk."""
    height, width = board.shape.height, board.shape.width

    def bare(efforts: list[int]) -> None:
        for part, effort in zip(parts, efforts, strict=True):
            kernel.start(part.load, height, width).run(effort)

    def as_task(nodes: int) -> list[Outcome]:
        return [work(height, width, [part.load], nodes) for part in parts]

    def besides(nodes: int) -> tuple[float, float]:
        """The parts that a task leaves, and what it takes besides the walk."""
        outcomes = as_task(nodes)
        left = sum(len(done.rest) for outcome in outcomes for done in outcome.parts)
        walk = partial(bare, [outcome.effort for outcome in outcomes])
        return left / len(parts), (least(partial(as_task, nodes)) - least(walk)) / len(parts)

    (short, cheap), (long, dear) = besides(1), besides(1_000)
    each = max(0.0, (dear - cheap) / (long - short)) if long > short else 0.0
    return each, max(0.0, cheap - short * each)


def stocked(tree: Tree, parts: list[Part]) -> float:
    """What the driver spends on a part that was left."""
    stock, started = Stock(), thread_time()
    for part in parts:
        stock.add(tree.part(part.load, part.share))
    return (thread_time() - started) / len(parts)


def started_threads() -> float:
    with ThreadPoolExecutor(THREADS) as threads:
        started = thread_time()
        for _ in range(THREADS):
            threads.submit(sleep, 0.01)
        return (thread_time() - started) / THREADS


if __name__ == "__main__":  # in a process that has not asked before
    began = thread_time()
    usable_cores()
    print(thread_time() - began)
