"""Search for 9×9 boards that the contraction takes long for: hill-climbs on the predicted cost.

A climb begins at a random board and changes one clue at a time: one is added, removed, moved, or becomes
another digit. A change that does not lower the cost of the cheapest plan is kept. A climb ends after
`--patience` boards in a row without a higher cost, and the next one begins. The worst ends are printed, one for
each cost, with the number of climbs that ended there; symmetric boards have the same cost. The worst few are
counted on one core. The board HARDEST of bench/common/boards.py stands beside them.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import NamedTuple

from bench.common.boards import HARDEST
from bench.common.options import NINE, add_number
from bench.measure.contraction import measure_sum
from enumerator.board import Board
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.summation import cheapest

FIRST_CLUES = 5, 11
"""The least and the most clues of a board that a climb begins with: costs are highest between."""


class Climb(NamedTuple):
    """The board that a climb ended at, and its predicted cost in products."""

    products: float
    board: Board


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--tries", 20_000, "boards whose cost is predicted")
    add_number(parser, "--patience", 250, "boards in a row without a higher cost, after which a climb ends")
    add_number(parser, "--shown", 10, "boards that are printed")
    add_number(parser, "--counted", 3, "boards that are counted, the worst of them", least=0)
    parser.add_argument("--seed", type=int, default=1, help="for the climbs (default: 1)")


def run(options: argparse.Namespace) -> int:
    climbs = climb_all(options.tries, options.patience, options.seed)
    known = predicted_products(Board.parse(HARDEST))
    by_cost: dict[float, list[Climb]] = {}
    for climb in sorted(climbs, reverse=True, key=lambda climb: climb.products):
        by_cost.setdefault(climb.products, []).append(climb)
    print(f"{options.tries} boards, {len(climbs)} climbs, seed {options.seed}")
    print(f"{'products':>9}{'clues':>7}{'climbs':>8}{'count s':>9}   board")
    print_board(known, Board.parse(HARDEST), len(by_cost.get(known, ())), counted=options.counted > 0)
    for rank, (products, ends) in enumerate(list(by_cost.items())[: options.shown]):
        print_board(products, ends[0].board, len(ends), counted=rank < options.counted)
    highest = max(by_cost)
    print(f"{'higher than' if highest > known else 'at most'} the hardest known: {highest / known:.3f} times its cost")
    return 0


def print_board(products: float, board: Board, climbs: int, counted: bool) -> None:
    seconds = f"{measure_sum(board)[1]:.2f}" if counted else ""
    print(f"{products:>9.3g}{81 - board.empty_cells:>7}{climbs:>8}{seconds:>9}   {board}", flush=True)


def climb_all(tries: int, patience: int, seed: int) -> list[Climb]:
    """Climb until the costs of `tries` boards were predicted; the last climb may be cut short."""
    rng, climbs, tried = random.Random(seed), list[Climb](), 0
    while tried < tries:
        board, best, vain = random_board(rng), 0.0, 0
        while vain < patience and tried < tries:
            after = changed(board, rng) if best else board
            products, tried, vain = predicted_products(after), tried + 1, vain + 1
            if products > best:
                vain = 0
            if products >= best:
                board, best = after, products
        climbs.append(Climb(best, board))
        if sys.stderr.isatty():
            worst = max(climb.products for climb in climbs)
            print(f"\r{tried} of {tries} boards, worst {worst:.3g} products", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return climbs


def predicted_products(board: Board) -> float:
    """Return the cost of the cheapest plan of a board, 0 if its network has no solution."""
    network = Network(board.cells, NINE.height, NINE.width)
    return cheapest(network).products if network.solvable else 0.0


def random_board(rng: random.Random) -> Board:
    board, clues = Board.empty(NINE), rng.randint(*FIRST_CLUES)
    while 81 - board.empty_cells < clues:
        board = with_clue(board, rng)
    return board


def changed(board: Board, rng: random.Random) -> Board:
    """Return the board with one clue more or less, or with another one in its place."""
    clues = [cell for cell, digit in enumerate(board.cells) if digit]
    change = rng.choice(("add", "remove", "move", "move", "relabel")) if clues else "add"
    if change == "add":
        return with_clue(board, rng)
    cell = rng.choice(clues)
    less = board.with_cell(cell, 0)
    return less if change == "remove" else with_clue(less, rng, cell if change == "relabel" else None)


def with_clue(board: Board, rng: random.Random, cell: int | None = None) -> Board:
    """Return the board with a random clue, in `cell` or in a random empty cell, that no other one contradicts."""
    while True:
        place = rng.choice([at for at, digit in enumerate(board.cells) if not digit]) if cell is None else cell
        after = board.with_cell(place, rng.randint(1, 9))
        if not any(after.conflicts()):
            return after
