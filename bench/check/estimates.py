"""How often the 95 % intervals of estimates hold the truth, on boards with known numbers of solutions.

Each board is estimated with many seeds, from the same number of probes and without a count before it.

    said      the share of estimates with an interval; the others say "too few probes to say"
    held      the share of these intervals that hold the number of solutions, and of nodes
    width     the upper bound divided by the lower one, median of all intervals

The numbers for empty boards are published; those of 16×16 and 25×25 are themselves estimates (Silver;
Pettersen: Wikipedia, Mathematics of Sudoku). The other boards are counted here. The puzzles with clues
taken away are in a folder beside the repository and may be absent. The status is 1 if fewer than 90 %
of a board's intervals hold its number of solutions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import log10
from statistics import median
from time import perf_counter
from typing import NamedTuple

import enumerator
from bench import ROOT, SHARED
from bench.common.options import add_number
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines.search import start
from enumerator.questions.fixed_estimate import fixed_estimates
from enumerator.questions.intervals import Interval
from enumerator.text.phrases import rough_power

EMPTY = {
    (2, 4): log10(29136487207403520),
    (3, 3): log10(6670903752021072936960),
    (3, 4): log10(81171437193104932746936103027318645818654720000),
    (4, 4): log10(5.96) + 98,
    (5, 5): log10(4.36) + 308,
}
"""The logarithms of the numbers of solutions of empty boards, by the height and width of their boxes."""

COUNTED = ("1e", "2f", "16x16-many")
"""Boards of boards/ that are counted first."""

LARGE = {"25x25-a-8": 19_133, "25x25-a-10": 61_151}
"""Boards of boards/large that are full of dead ends, and their numbers of solutions."""

LARGE_PROBES = 64
"""The probes of an estimate of those, and of 25×25 puzzles: short walks with an effort of 1,600."""

LARGE_SEEDS = 10
"""The most estimates of those: each takes some seconds."""

PUBLISHED = (
    "16-1, 6 clues fewer",
    "16-1, 8 clues fewer",
    "16-2, 6 clues fewer",
    "25-1, 4 clues fewer",
    "25-0, 2 clues fewer",
)
"""Puzzles with clues taken away."""

LEAST_HELD = 0.9
"""The least share of intervals that must hold the truth."""


class Known(NamedTuple):
    """A board, and the logarithms of its numbers of solutions and of nodes; None if unknown."""

    name: str
    board: Board
    solutions: float
    nodes: float | None = None
    is_hard: bool = False
    """True if random paths are dead ends, so that it is estimated by short walks."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--seeds", 200, "estimates of each board")
    add_number(parser, "--probes", 256, "probes of each estimate")
    parser.add_argument("--only", metavar="TEXT", default="", help="only boards whose names contain TEXT")


def run(options: argparse.Namespace) -> int:
    print(f"{'board':<24}{'solutions':>12}{'said':>7}{'held':>7}{'nodes':>7}{'width':>8}{'s/estimate':>12}")
    status = 0
    for known in known_boards(options.only):
        started = perf_counter()
        seeds = min(options.seeds, LARGE_SEEDS) if known.is_hard else options.seeds
        probes = min(options.probes, LARGE_PROBES) if known.is_hard else options.probes
        found = [list(fixed_estimates(known.board, seed, probes, "search", counts=False))[-1] for seed in range(seeds)]
        seconds = (perf_counter() - started) / seeds
        said = [each.solutions for each in found if not each.solutions.caveat]
        held = share_held(said, known.solutions)
        nodes = share_held([each.nodes for each in found if not each.nodes.caveat], known.nodes)
        status |= held is not None and held < LEAST_HELD
        print(
            f"{known.name:<24}{describe(known.solutions):>12}{len(said) / seeds:>7.2f}"
            f"{percent(held):>7}{percent(nodes):>7}{describe(width(said)):>8}{seconds:>12.3f}",
            flush=True,
        )
    return status


def known_boards(part: str) -> Iterator[Known]:
    """Yield the boards whose names contain `part`."""
    for (height, width), solutions in EMPTY.items():
        shape = Shape(height, width)
        if part in (name := f"empty {shape.size}x{shape.size}"):
            yield Known(name, Board.empty(shape), solutions)
    for name in COUNTED:
        if part in name:
            yield counted(name, read(ROOT / "boards" / f"{name}.txt"))
    full = next(enumerator.solutions(read(ROOT / "boards" / "25x25-many.txt")))
    cleared = {
        "25x25 without 3 rows": bytes(75) + full.cells[75:],
        "25x25 without 4 digits": bytes(digit if digit > 4 else 0 for digit in full.cells),
    }
    for name, cells in cleared.items():
        if part in name:
            yield counted(name, Board.from_cells(full.shape, cells))
    for name, solutions in LARGE.items():
        if part in name:
            yield Known(name, read(ROOT / "boards" / "large" / f"{name}.txt"), log10(solutions), is_hard=True)
    table = SHARED / "large" / "many.tsv"
    for line in table.read_text().splitlines()[1:] if table.exists() else []:
        text, count, name = line.split("\t")
        if name in PUBLISHED and part in name:
            yield Known(name, Board.parse(text), log10(int(count)), is_hard=name.startswith("25"))


def counted(name: str, board: Board) -> Known:
    """Count the solutions and the nodes of a board."""
    walk = start(board)
    return Known(name, board, log10(walk.run()), log10(walk.nodes))


def share_held(intervals: list[Interval], truth: float | None) -> float | None:
    """Return the share of intervals that hold a number; None if it is unknown, or without intervals."""
    if truth is None or not intervals:
        return None
    return sum((each.log10.low or 0.0) <= truth <= (each.log10.high or 0.0) for each in intervals) / len(intervals)


def width(intervals: list[Interval]) -> float | None:
    """Return the median width of intervals, as a logarithm; None without intervals."""
    return median((each.log10.high or 0.0) - (each.log10.low or 0.0) for each in intervals) if intervals else None


def describe(power: float | None) -> str:
    """Return a number that is given by its logarithm."""
    return "" if power is None else rough_power(power)


def percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
