"""Counts of large boards by the engine that learns: our own, and those beside the repository."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.boards import ROOT, shuffle, transpose
from support.cases import slow_after
from support.counts import assert_count

from bench.make import large
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import learning

FOLDER = ROOT / "boards" / "large"
SOLUTIONS = {name: entry.solutions for name, entry in large.entries((FOLDER / "README.md").read_text()).items()}
LONG = ("25x25-a-8", "25x25-a-10", "36x36-a")
"""Boards that take a second and more: tests/bench/test_large_boards.py counts them by this engine and others."""

QUICK_PUZZLES = 3
"""Published 25×25 puzzles that take 0.2 s at most."""


def count(one: Board) -> int:
    return learning.ENGINE.start(one).run()


def large_folder(shared: Path) -> Path:
    if not (shared / "large").is_dir():
        pytest.skip("no shared/large beside the repository")
    return shared / "large"


@pytest.mark.parametrize("name", slow_after(3, [name for name in SOLUTIONS if name not in LONG]))
def test_our_large_boards_have_their_counts(name: str) -> None:
    one = read(FOLDER / f"{name}.txt")
    assert_count(one, SOLUTIONS[name], count)
    assert_count(shuffle(transpose(one), random.Random(name)), SOLUTIONS[name], count)


def test_the_long_boards_are_boards_of_ours() -> None:
    assert set(LONG) < set(SOLUTIONS)


@pytest.mark.long
@pytest.mark.parametrize(("least", "most"), slow_after(0, [(0, 5_000), (5_000, 150_000)]))
def test_published_boards_have_their_counts(shared: Path, least: int, most: int) -> None:
    """Boards with at least `least` solutions, and fewer than `most`."""
    rows = [line.split("\t") for line in (large_folder(shared) / "many.tsv").read_text().splitlines()]
    known = [
        (cells, int(solutions)) for cells, solutions, *_ in (row for row in rows if len(row) == 3) if solutions != "?"
    ]
    chosen = [(Board.parse(cells), solutions) for cells, solutions in known if least <= solutions < most]
    assert chosen
    for one, solutions in chosen:
        assert_count(one, solutions, count)


@pytest.mark.parametrize("number", slow_after(QUICK_PUZZLES, [16, 17, 2, 1, 13]))
def test_published_puzzles_of_25x25_have_one_solution(shared: Path, number: int) -> None:
    one = Board.parse((large_folder(shared) / "25x25.txt").read_text().split()[number])
    assert_count(one, 1, count)


def test_all_published_puzzles_of_16x16_have_one_solution(shared: Path) -> None:
    for text in (large_folder(shared) / "16x16.txt").read_text().split():
        assert_count(Board.parse(text), 1, count)
