"""What there is to do, and what it costs to share it out: the data of `simulate`.

tasks.csv has the tree of guesses of each board, cut into subtrees that were walked one by one: about a millisecond
each, so that a task of any length can be put together from them. costs.csv has what the driver, its threads and their
tasks take besides the walk, and what the start of a pool of processes takes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import perf_counter, sleep

from bench.data import RESULTS, DataError, Table, write
from bench.rows import Cost, Piece
from bench.session import INTERRUPTED, Known, Session, add_common, boards, chosen, output
from bench.trial import start_of_pool
from enumerator.board import Board
from enumerator.parallel import Begun, Plan
from enumerator.parallel.driver import Driver
from enumerator.parallel.executors import usable_cores
from enumerator.parallel.splitting import Part, Tree, whole
from enumerator.search import kernel
from enumerator.task import Done, Outcome, Tally

LARGEST = 10_000
"""Nodes of a subtree that is walked in one go: about a millisecond."""

ROUNDS = 5
"""Costs are measured so often, and the least time counts."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_common(parser, "tasks.csv")
    parser.add_argument("--costs", metavar="FILE", help="the table of costs (default: costs.csv beside the other)")
    parser.add_argument("--largest", type=int, default=LARGEST, help="nodes of a subtree (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    path = output(options, "tasks.csv")
    return 0


def pieces(board: Board, largest: int = LARGEST) -> Iterator[tuple[Part, int | None, int, int, float]]:
    """The tree of a board, from the root: a part, the number of the one above it, and what was found, if it was walked."""
    tree, numbers = Tree(board.shape), count()
    ahead: list[tuple[Part, int | None]] = [(whole(board), None)]
    while ahead:
        part, parent = ahead.pop()
        number = next(numbers)
        walk = kernel.start(part.load, board.shape.height, board.shape.width)
        started = perf_counter()
        found = walk.run(largest)
        seconds = perf_counter() - started
        if walk.finished:
            yield part, parent, found, walk.nodes, seconds
        else:
            yield part, parent, 0, 0, 0.0
            ahead += [(child, number) for child in reversed(tree.branch(part))]
