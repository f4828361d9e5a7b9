"""Make the lists of bench/puzzles/: minimal 9×9 puzzles, and puzzles with more than one solution.

A puzzle is minimal if it has one solution, and more than one without any of its clues. Each is a random
grid whose clues are removed in a random order, except those that are needed. A puzzle of the second
list, multiple, is the one of the same line without one more clue. The n-th puzzle depends only on n
and on `--seed`, so a shorter list is the beginning of a longer one.
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections.abc import Iterable
from pathlib import Path

from bench.common.boards import clue_cells, random_grid, without_cells
from bench.common.options import NINE, add_number
from bench.common.puzzles import PUZZLES
from enumerator import classify_all
from enumerator.board import Board
from enumerator.engines.search import start

COUNT, SEED = 4_000, 1
"""The puzzles of each list, and the seed, of the lists in the repository."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--count", COUNT, "puzzles of each list")
    add_number(parser, "--seed", SEED, "of the random numbers", least=0)
    parser.add_argument("--folder", type=Path, default=PUZZLES, help="where to write them (default: bench/puzzles)")


def run(options: argparse.Namespace) -> int:
    options.folder.mkdir(parents=True, exist_ok=True)
    pairs = [make_pair(options.seed, number) for number in range(options.count)]
    check_pairs(pairs)
    command = f"python -m bench minimal --count {options.count} --seed {options.seed}"
    write_list(options.folder / "minimal.txt.gz", command, (minimal for minimal, _ in pairs))
    write_list(options.folder / "multiple.txt.gz", command, (multiple for _, multiple in pairs))
    return 0


def make_pair(seed: int, number: int) -> tuple[Board, Board]:
    """Return the minimal puzzle of this number, and the same without one more clue."""
    rng = random.Random(f"{seed}/minimal/{number}")
    puzzle = random_grid(NINE, rng)
    for cell in rng.sample(range(NINE.cells), NINE.cells):
        fewer = without_cells(puzzle, [cell])
        if is_unique(fewer):
            puzzle = fewer
    return puzzle, without_cells(puzzle, [rng.choice(clue_cells(puzzle))])


def is_unique(board: Board) -> bool:
    return start(board).run(limit=2) == 1


def check_pairs(pairs: list[tuple[Board, Board]]) -> None:
    """End the command unless `classify_all` agrees: one solution each, and several without any clue."""
    fewer = [without_cells(minimal, [cell]) for minimal, _ in pairs for cell in clue_cells(minimal)]
    for boards, verdict in (([minimal for minimal, _ in pairs], "unique"), (fewer, "multiple")):
        if {str(found) for found in classify_all(boards)} != {verdict}:
            raise SystemExit(f"bench: a puzzle that should be {verdict} is not")


def write_list(path: Path, command: str, puzzles: Iterable[Board]) -> None:
    """Write puzzles one a line below a comment with the command that makes them, compressed.

    The compressed file holds no time, so the same command writes the same bytes.
    """
    text = f"# {command}\n" + "".join(f"{puzzle}\n" for puzzle in puzzles)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{path}: {path.stat().st_size:,} bytes", flush=True)
