"""Counts known from elsewhere, for every engine, and the figures of our own boards.

`tests/golden/` holds those that are ours to state, with their sources; the others lie beside the repository.
"""

from __future__ import annotations

import random
import re
from math import factorial
from pathlib import Path

import pytest
from support.boards import ALL_9X9, ROOT, shuffle, transpose
from support.boards import board as read_ours
from support.cases import slow_after
from support.counts import Count, assert_count, counts, general, walk_generally
from support.lateness import Stopwatch

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.files import read, read_all
from enumerator.engines import contraction, search

GOLDEN = ROOT / "tests" / "golden"

PUBLISHED = ["1a", "1b", "1c", "2a", "2b", "2c", "1d", "1e", "1f", "2d", "2e", "2f"]
LONG_WALK = 60_000_000
"""Solutions beyond which an oracle is not for a walk."""


def table_rows(path: Path) -> list[list[str]]:
    """Read a table: the fields of every line that is not a comment."""
    return [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]


def name_of(row: object) -> str | None:
    """Return the name of a case: the last field of a row, which says where it is from."""
    return row[-1] if isinstance(row, list) else None


def chosen(engines: str, shape: Shape) -> list[Count]:
    """Return the ways to count that a row names; "all" is every one that takes the shape."""
    return [count for name, count in counts(shape).items() if engines == "all" or name in engines.split()]


# ------------------------------------------------------------------------------------------- golden files


@pytest.mark.parametrize("row", table_rows(GOLDEN / "empty.tsv"), ids=name_of)
def test_empty_boards(row: list[str]) -> None:
    shape, text, solutions, engines, _ = row
    height, width = map(int, shape.split("x"))
    board = Board.parse(text, Shape(height, width))
    for count in chosen(engines, board.shape):
        assert_count(board, int(solutions), count)
        assert_count(transpose(board), int(solutions), count)


@pytest.mark.parametrize("row", table_rows(GOLDEN / "puzzles.tsv"), ids=name_of)
def test_puzzles(row: list[str]) -> None:
    text, solutions, engines, why = row
    board = Board.parse(text)
    for count in chosen(engines, board.shape):
        assert_count(board, int(solutions), count)
        assert_count(shuffle(transpose(board), random.Random(why)), int(solutions), count)


@pytest.mark.parametrize(
    "row", [row for row in table_rows(GOLDEN / "puzzles.tsv") if "17 clues" in row[-1]], ids=name_of
)
def test_no_puzzle_with_16_clues_has_one_solution(row: list[str]) -> None:
    """McGuire, Tugemann and Civario 2012; the puzzle has one solution, so with a clue less it has more."""
    board = Board.parse(row[0])
    clues = [cell for cell, digit in enumerate(board.cells) if digit]
    assert len(clues) == 17
    for cell in clues:
        assert search.count(board.with_cell(cell, 0), limit=2) == 2
        assert general(board.with_cell(cell, 0)).run(limit=2) == 2
        assert contraction.count(board.with_cell(cell, 0)) >= 2


@pytest.mark.slow
def test_the_bands_of_9x9() -> None:
    """Felgenhauer and Jarvis 2005: 44 classes, which have all boards between them."""
    bands, total = 0, 0
    for text, solutions, members, completions in table_rows(GOLDEN / "bands.tsv"):
        board = Board.parse(text)
        assert int(solutions) == 72 * int(completions)
        assert_count(board, int(solutions), contraction.count)
        assert_count(shuffle(transpose(board), random.Random(text)), int(solutions), contraction.count)
        bands += int(members)
        total += int(members) * int(completions)
    assert bands == 36288
    assert total == 2**7 * 27704267971
    assert total * factorial(9) * 72**2 == ALL_9X9


@pytest.mark.slow
def test_there_are_two_boards_of_4x4_but_for_rearrangement() -> None:
    """OEIS A109741. Rearrangements of 4×4 boards make two orbits of the 288."""
    rng = random.Random("4x4")
    left = set(enumerator.solutions(Board.empty(Shape(2, 2))))
    assert len(left) == 288
    orbits = []
    while left:
        first = min(left, key=str)
        orbit = {first} | {shuffle(twin, rng) for twin in (first, transpose(first)) for _ in range(5000)}
        assert orbit <= left
        orbits.append(len(orbit))
        left -= orbit
    assert len(orbits) == 2


# ------------------------------------------------------------------------------------------- beside the repository


@pytest.mark.parametrize("name", slow_after(6, PUBLISHED))
def test_published_boards(shared: Path, name: str) -> None:
    table = {row[0]: [int(figure) for figure in row[1:]] for row in table_rows(shared / "boards" / "table.tsv")}
    empty_cells, solutions, search_space = table[name]
    board = read(str(shared / "boards" / f"{name}.txt"))
    assert (board.empty_cells, board.search_space) == (empty_cells, search_space)
    assert_count(board, solutions)
    if solutions < 10_000_000:
        assert_count(board, solutions, search.count)
    if solutions < 1_000_000:
        assert_count(board, solutions, walk_generally)


@pytest.mark.slow
def test_oracles(shared: Path) -> None:
    checked = 0
    for text, solutions, why in table_rows(shared / "oracles" / "9x9.tsv"):
        if int(solutions) <= LONG_WALK and "published" not in why:
            board = Board.parse(text)
            assert_count(board, int(solutions), search.count)
            assert_count(board, int(solutions), walk_generally)
            checked += 1
    assert checked >= 12


def test_the_number_of_6x6_boards(shared: Path) -> None:
    known = {row[0]: int(row[1]) for row in table_rows(shared / "oracles" / "empty.tsv")}
    first_row_given = Board.from_cells(Shape(2, 3), bytes([*range(1, 7), *[0] * 30]))
    assert search.count(first_row_given) * 720 == known["2x3"]  # 6! ways to label the first row
    assert search.count(transpose(first_row_given)) * 720 == known["2x3"]
    assert_count(Board.empty(Shape(2, 2)), known["2x2"], search.count)


@pytest.mark.parametrize(("name", "verdict"), [("17clue", 1), ("hardest", 1), ("magictour", 1), ("multiple", 2)])
def test_lists_of_puzzles_are_unique_or_not(shared: Path, name: str, verdict: int) -> None:
    boards = list(read_all(str(shared / "puzzles" / f"{name}.txt")))
    assert len(boards) > 1000
    assert {search.start(board).run(limit=2) for board in boards} == {verdict}
    for board in random.Random(name).sample(boards, 100):
        assert general(board).run(limit=2) == verdict


# ------------------------------------------------------------------------------------------- our boards


def table_of_ours() -> list[list[str]]:
    """Read the table of `boards/README.md`."""
    rows = (ROOT / "boards" / "README.md").read_text().splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| [")]


def test_every_board_is_in_the_table() -> None:
    assert {re.findall(r"\((.*)\)", row[0])[0] for row in table_of_ours()} == {
        path.name for path in (ROOT / "boards").glob("*.txt")
    }


@pytest.mark.parametrize("row", table_of_ours(), ids=lambda row: row[0].split("]")[0][1:])
def test_the_table_of_our_boards_is_true(row: list[str]) -> None:
    link, shape, empty_cells, filling_factor, solutions, search_space = row
    board = read(str(ROOT / "boards" / re.findall(r"\((.*)\)", link)[0]))
    assert str(board.shape) == shape
    assert board.empty_cells == int(empty_cells)
    assert f"{board.filling_factor:.3f}" == filling_factor
    assert f"{board.search_space:.3e}" == search_space
    count = int(solutions.replace(",", ""))
    if board.empty_cells == 81:
        assert count == ALL_9X9
    else:
        assert_count(board, count)
        if count < 1_000_000:
            assert_count(board, count, walk_generally)


@pytest.mark.parametrize("number", [1, 2])
def test_our_series_are_nested_and_like_the_published_ones(shared: Path, number: int) -> None:
    published = {row[0]: row for row in table_rows(shared / "boards" / "table.tsv")}
    ours = {row[0][1:3]: int(row[4].replace(",", "")) for row in table_of_ours()}
    before = None
    for name in (f"{number}{letter}" for letter in "abcdef"):
        board = read_ours(name)
        _, empty_cells, solutions, _ = published[name]
        assert board.empty_cells == int(empty_cells)
        assert int(solutions) / 3 <= ours[name] <= int(solutions) * 3
        assert (ours[name] == 1) == (name[1] == "a")
        assert board != read(str(shared / "boards" / f"{name}.txt"))
        if before is not None:
            assert all(digit in (0, old) for digit, old in zip(board.cells, before.cells, strict=True))
        before = board


@pytest.mark.parametrize("name", ["16x16-unique", "25x25-unique"])
def test_large_puzzles_are_proven_unique_in_seconds(name: str) -> None:
    board = read_ours(name)
    with Stopwatch() as watch:
        assert_count(board, 1, search.count)
    assert watch.seconds < 10
