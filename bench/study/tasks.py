"""The work of each board and the costs of sharing it out: the data of `simulate`.

tasks.csv.gz has the tree of guesses of each board, cut into subtrees that were walked one by one:
about a millisecond each, so that a task of any length can be put together from them. costs.csv has
the processor time of the driver, its threads and their tasks besides the walk, and the start of a
pool of processes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import count
from math import inf, isclose
from pathlib import Path
from time import perf_counter

from bench.study.costs import measure_costs
from bench.study.options import KnownCounts, add_common, chosen_boards, output_path, read_boards
from bench.study.session import Step, open_table, run_steps
from bench.tables.rows import Cost, Piece
from bench.tables.table import write
from enumerator.board import Board
from enumerator.engines import Part
from enumerator.engines.search import kernel
from enumerator.engines.search.tree import Tree

LARGEST_NODES = 10_000
"""Nodes of a subtree that is walked in one go: about a millisecond."""

WALKS = 2
"""Walks of each subtree, of which the faster counts: some machines stop for 60 ms now and then."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_common(parser, "tasks.csv.gz")
    parser.add_argument("--costs", type=Path, metavar="FILE", help="the table of costs (default: costs.csv beside it)")
    parser.add_argument("--largest", type=int, default=LARGEST_NODES, help="nodes of a subtree (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    path, paths = output_path(options, "tasks.csv.gz"), chosen_boards(options)
    command = f"tasks --largest {options.largest}"
    table, boards = open_table(path, Piece, command, options.fresh), read_boards(paths)
    known = KnownCounts(options.folder)
    done = {row.board for row in table.rows}
    if torn := [name for name in done if not is_whole([row for row in table.rows if row.board == name])]:
        raise SystemExit(f"bench: {path} has only a part of {', '.join(torn)}: --fresh replaces it")

    def walk(name: str) -> None:
        walked = list(walk_pieces(name, boards[name], options.largest))
        known.check(name, sum(piece.solutions for piece in walked))
        table.add(*walked)

    steps = [Step(name, "piece by piece", None if name in done else partial(walk, name)) for name in boards]
    status = run_steps(steps, len(steps), set())
    print(*summary_lines(table.rows), sep="\n")
    costs_path = options.costs or path.with_name("costs.csv")
    if not status and (options.fresh or not costs_path.exists()):
        largest = max(boards, key=lambda name: boards[name].search_space)
        costs = list(measure_costs(boards[largest]))
        write(costs_path, Cost, f"{command} (costs on {largest})", costs)
        print(*(f"{row.step:<20}{row.seconds * 1e6:>14,.1f} µs" for row in costs), sep="\n")
    return status


def is_whole(rows: list[Piece]) -> bool:
    """Return whether these are all subtrees of a board; a killed writer leaves some of them."""
    parents = {row.parent for row in rows}
    return isclose(sum(row.share for row in rows if row.number not in parents), 1.0, rel_tol=1e-5)


def walk_pieces(name: str, board: Board, largest: int = LARGEST_NODES) -> Iterator[Piece]:
    """Yield the tree of a board: subtrees of up to `largest` nodes are walked, others branched."""
    tree, numbers = Tree(board.shape), count()
    ahead: list[tuple[Part, int | None]] = [(tree.part(board.cells, 1.0), None)]
    while ahead:
        part, parent = ahead.pop()
        number = next(numbers)
        seconds = inf
        for _ in range(WALKS):
            walk = kernel.start(part.load, board.shape.height, board.shape.width)
            started = perf_counter()
            found = walk.run(largest)
            seconds = min(seconds, perf_counter() - started)
        place = (name, number, parent, float(part.size), part.share)
        if walk.finished:
            yield Piece(*place, found, walk.nodes, seconds)
        else:
            yield Piece(*place, 0, 0, 0.0)
            ahead += [(child, number) for child in reversed(tree.branch(part))]


def summary_lines(rows: list[Piece]) -> Iterator[str]:
    """Yield the lines of a printed table: nodes and times of the subtrees of each board."""
    yield f"{'board':<7}{'subtrees':>10}{'walked':>10}{'nodes':>14}{'seconds':>10}{'median ms':>11}{'longest ms':>12}"
    for board in dict.fromkeys(row.board for row in rows):
        walked = sorted((row for row in rows if row.board == board and row.nodes), key=lambda row: row.seconds)
        if not walked:  # a dead board
            continue
        total, seconds = sum(row.nodes for row in walked), sum(row.seconds for row in walked)
        median, longest = walked[len(walked) // 2].seconds, walked[-1].seconds
        subtrees = sum(row.board == board for row in rows)
        yield (
            f"{board:<7}{subtrees:>10,}{len(walked):>10,}{total:>14,}{seconds:>10.3f}"
            f"{median * 1e3:>11.3f}{longest * 1e3:>12.3f}"
        )
