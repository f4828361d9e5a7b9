"""The work of each board and the costs of sharing it out: the data of `simulate`.

tasks.csv.gz has the tree of guesses of each board, cut into subtrees that were walked one by one:
about a millisecond of processor time each, so that a task of any length can be put together from them. costs.csv has
the processor time of the driver, its threads and their tasks besides the walk, and the start of a
pool of processes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from math import inf, isclose
from time import perf_counter, thread_time

from bench.common.boards import PUBLISHED
from bench.common.commands import TimeLimitError
from bench.common.options import add_boards, add_number, chosen_boards, read_boards
from bench.study.costs import ROUNDS, measure_costs
from bench.study.options import TWELVE, KnownCounts, add_measuring, positive, print_table
from bench.study.session import Step, open_table, run_steps
from bench.tables.rows import Cost, Piece
from bench.tables.table import write
from bench.tables.text import Column, text_table
from enumerator.board import Board
from enumerator.engines import Part
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.search import kernel
from enumerator.engines.shares import WHOLE

LARGEST_NODES = 10_000
"""Nodes of a subtree that is walked in one go: about a millisecond."""

MOST_PIECES = 20_000
"""About the most subtrees of a board: those of a large board are larger."""

MOST_NODES = 1_000_000
"""The most nodes of a subtree of a large board: 0.1 s."""

LIMIT_SECONDS = 300.0
"""The longest time for a board, by default."""

WALKS = 2
"""Walks of each subtree, of which the faster counts: others on the machine may use the same caches."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--largest", LARGEST_NODES, "nodes of a subtree")
    add_number(parser, "--rounds", ROUNDS, "measurements of each cost, of which the least counts")
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a board (default: %(default)g)"
    )
    add_boards(parser, TWELVE)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    path, paths = options.results / "tasks.csv.gz", chosen_boards(options.boards, TWELVE)
    command = f"tasks --largest {options.largest}"
    boards = read_boards(paths)
    table, known = open_table(path, Piece, command, options.fresh), KnownCounts(paths)
    rows_of = {name: [row for row in table.rows if row.board == name] for name in {row.board for row in table.rows}}
    done = {name for name, rows in rows_of.items() if is_whole(rows)}
    if len(done) < len(rows_of):  # a killed writer leaves a part of a board
        table.replace([row for row in table.rows if row.board in done])

    def walk(name: str) -> None:
        expected = 2 * known.counts.get(name, 0)  # two nodes a solution
        nodes = max(options.largest, min(expected // MOST_PIECES, MOST_NODES))
        walks = WALKS if nodes == options.largest else 1  # noise averages out over the pieces of a large board
        try:
            walked = list(walk_pieces(name, boards[name], nodes, options.limit, walks))
        except TimeLimitError:
            print(f"bench: {name} takes longer than {options.limit:g} s: left out", file=sys.stderr)
            return
        known.check(name, sum(piece.solutions for piece in walked))
        table.add(*walked)

    steps = [Step(name, "piece by piece", None if name in done else partial(walk, name)) for name in boards]
    status = run_steps(steps, len(steps), options)
    print_table(options, summary_lines(table.rows), table.rows)
    costs_path = options.results / "costs.csv"
    if not status and (options.fresh or not costs_path.exists()):
        name = largest(boards)
        costs = list(measure_costs(boards[name], options.rounds))
        write(costs_path, Cost, f"{command} (costs on {name})", costs)
        print_table(options, (f"{row.step:<20}{row.seconds * 1e6:>14,.1f} µs" for row in costs), costs)
    return status


def largest(boards: dict[str, Board]) -> str:
    """Return the name of our board with the largest search space; of any, if none is ours."""
    ours = [name for name in boards if not name.startswith(PUBLISHED)]
    return max(ours or boards, key=lambda name: boards[name].search_space)


def is_whole(rows: list[Piece]) -> bool:
    """Return whether these are all subtrees of a board; a killed writer leaves some of them."""
    parents = {row.parent for row in rows}
    return isclose(sum(row.share for row in rows if row.number not in parents), 1.0, rel_tol=1e-5)


def walk_pieces(
    name: str, board: Board, largest: int = LARGEST_NODES, limit: float = inf, walks: int = WALKS
) -> Iterator[Piece]:
    """Yield the tree of a board: subtrees of up to `largest` nodes are walked `walks` times, others branched.

    Raise TimeLimitError after `limit` seconds.
    """
    tree, numbers, deadline = SEARCH.tree(board.shape), count(), perf_counter() + limit
    ahead: list[tuple[Part, int | None]] = [(tree.part(board.cells, WHOLE), None)]
    while ahead:
        if perf_counter() > deadline:
            raise TimeLimitError
        part, parent = ahead.pop()
        number = next(numbers)
        seconds = inf
        for _ in range(walks):
            walk = kernel.start(part.load, board.shape.height, board.shape.width)
            started = thread_time()  # so that others on the machine do not count
            found = walk.run(largest)
            seconds = min(seconds, thread_time() - started)
            if not walk.finished:
                break
        place = (name, number, parent, float(part.size), float(part.share))
        if walk.finished:
            yield Piece(*place, found, walk.nodes, seconds)
        else:
            yield Piece(*place, 0, 0, 0.0)
            ahead += [(child, number) for child in reversed(tree.branch(part))]


def summary_lines(rows: list[Piece]) -> Iterator[str]:
    """Yield the lines of a printed table: nodes and times of the subtrees of each board."""
    by_board: dict[str, list[Piece]] = {}
    for row in rows:
        by_board.setdefault(row.board, []).append(row)
    columns: list[Column[list[Piece]]] = [
        Column("board", lambda pieces: pieces[0].board, is_left=True),
        Column("subtrees", lambda pieces: f"{len(by_board[pieces[0].board]):,}"),
        Column("walked", lambda pieces: f"{len(pieces):,}"),
        Column("nodes", lambda pieces: f"{sum(piece.nodes for piece in pieces):,}"),
        Column("seconds", lambda pieces: f"{sum(piece.seconds for piece in pieces):.3f}"),
        Column("median ms", lambda pieces: f"{pieces[len(pieces) // 2].seconds * 1e3:.3f}"),
        Column("longest ms", lambda pieces: f"{pieces[-1].seconds * 1e3:.3f}"),
    ]
    walked = (sorted((row for row in each if row.nodes), key=lambda row: row.seconds) for each in by_board.values())
    return text_table(columns, [pieces for pieces in walked if pieces])  # a dead board has none
