"""How the work is distributed over the first levels of a tree, and who walks it.

A board's tree is cut into subtrees as `tasks` does it, and divided among simulated workers by the real
driver: at fixed cut-offs without budgets, and by the default. Every node takes the same time, and nothing
else takes any, so the table is the same on every machine. tree.svg shows the subtrees of the first
levels, as wide as their shares of the nodes, in the colours of the workers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

from bench.common.options import add_boards, add_number, chosen_boards, read_boards, whole_number
from bench.figures.style import save_figure
from bench.figures.tree import draw_trees
from bench.simulation.division import Division, divide_tree
from bench.study.options import KnownCounts, add_measuring, positive, print_table
from bench.study.session import Step, open_table, run_steps
from bench.study.tasks import walk_pieces
from bench.tables.rows import Branch, Piece
from bench.tables.text import Column, text_table

BOARDS = "1c"

CORES = 4

PARTS = [1, 4]
"""The parts of each cut-off for each worker."""

LEVELS = 9
"""The number of levels that are drawn."""

LEAST_SHARE = 4e-3
"""The share of the nodes from which a subtree is drawn."""

PIECES = 2_000
"""About the number of subtrees that a board is cut into."""

NODE_SECONDS = 1e-7
"""The time of a node: measured times of such small subtrees would be mostly noise."""

LIMIT_SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--cores", CORES, "simulated workers", least=2)
    text = "about how many parts each cut-off makes for each worker (default: 1 4)"
    parser.add_argument("--parts", type=whole_number("--parts"), nargs="+", default=PARTS, metavar="N", help=text)
    parser.add_argument(
        "--limit", type=positive, default=LIMIT_SECONDS, metavar="S", help="seconds for a board (default: %(default)g)"
    )
    add_boards(parser, BOARDS)
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    paths, path = chosen_boards(options.boards, BOARDS), options.results / "tree.csv.gz"
    boards, known = read_boards(paths), KnownCounts(paths)
    table = open_table(
        path, Branch, f"tree --cores {options.cores} --parts {' '.join(map(str, options.parts))}", options.fresh
    )
    done = {row.board for row in table.rows}

    def divide(name: str) -> None:
        largest = max(50, 2 * known.counts.get(name, 0) // PIECES)
        walked = walk_pieces(name, boards[name], largest, options.limit, walks=1)
        pieces = [replace(piece, seconds=NODE_SECONDS * piece.nodes) for piece in walked]
        known.check(name, sum(piece.solutions for piece in pieces))
        table.add(*divisions(name, pieces, options.cores, options.parts))

    steps = [Step(name, "divided", None if name in done else partial(divide, name)) for name in boards]
    status = run_steps(steps, len(steps), options)
    print_table(options, summary_lines(table.rows), table.rows)
    if not (options.silent or options.csv) and find_spec("matplotlib") and table.rows:
        save_figure(draw_trees(table.rows), options.results / "tree.svg")
        print(f"drawn: {options.results / 'tree.svg'}")
    return status


def divisions(name: str, pieces: list[Piece], cores: int, parts: list[int]) -> Iterator[Branch]:
    """Yield the rows of a board: divided at cut-offs, and by the default."""
    cutoffs = {f"cut-off, {cores * each} parts": cores * each for each in parts}
    for setting, number in {**cutoffs, "default, budgets": 0}.items():
        yield from branches(name, setting, pieces, divide_tree(pieces, cores, number))


def branches(board: str, setting: str, pieces: list[Piece], division: Division) -> Iterator[Branch]:
    """Yield the subtrees of the first levels, and the share of each worker."""
    below: list[list[int]] = [[] for _ in pieces]
    for piece in pieces[1:]:
        below[piece.parent or 0].append(piece.number)
    nodes, workers = [piece.nodes for piece in pieces], [set[int]() for _ in pieces]
    for piece in reversed(pieces):  # the subtrees below a piece come after it
        mine = {division.workers[piece.number]} if piece.nodes else set[int]()
        nodes[piece.number] += sum(nodes[child] for child in below[piece.number])
        workers[piece.number] = mine.union(*(workers[child] for child in below[piece.number]))
    all_nodes = max(1, nodes[0])
    key = board, setting, division.cores, division.time
    ahead = [(0, 0, 0)]
    while ahead:
        number, level, before = ahead.pop()
        if level >= LEVELS or nodes[number] < LEAST_SHARE * all_nodes:
            continue
        who = min(workers[number]) if len(workers[number]) == 1 else -1
        yield Branch(*key, level, before / all_nodes, nodes[number] / all_nodes, who)
        for child in below[number]:
            ahead.append((child, level + 1, before))
            before += nodes[child]
    for worker in range(division.cores):
        share = sum(piece.nodes for piece in pieces if division.workers.get(piece.number) == worker) / all_nodes
        yield Branch(*key, -1, 0.0, share, worker)


def by_setting(rows: list[Branch]) -> dict[tuple[str, str], list[Branch]]:
    """Return rows by their boards and settings, in the order of the rows."""
    found: dict[tuple[str, str], list[Branch]] = {}
    for row in rows:
        found.setdefault((row.board, row.setting), []).append(row)
    return found


def of_workers(same: list[Branch]) -> list[float]:
    """Return the shares of the nodes that the workers have walked."""
    return [row.share for row in same if row.level < 0]


COLUMNS: list[Column[list[Branch]]] = [
    Column("board", lambda same: same[0].board, is_left=True),
    Column("setting", lambda same: same[0].setting, is_left=True),
    Column("cores", lambda same: str(same[0].cores)),
    Column("time / perfect", lambda same: f"{same[0].time:.2f}"),
    Column("largest of one worker", lambda same: f"{largest_of_one(same):.1%}"),
    Column("least share", lambda same: f"{min(of_workers(same)):.1%}"),
    Column("most", lambda same: f"{max(of_workers(same)):.1%}"),
]


def largest_of_one(same: list[Branch]) -> float:
    """Return the share of the largest subtree that one worker has walked alone."""
    return max((row.share for row in same if row.level >= 0 <= row.worker), default=0.0)


def summary_lines(rows: list[Branch]) -> Iterator[str]:
    """Yield the lines of a printed table: times, and the shares of the workers."""
    return text_table(COLUMNS, by_setting(rows).values())
