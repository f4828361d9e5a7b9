"""Counts known from elsewhere, and the figures of our own boards."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from helpers import ROOT, transpose

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.files import read, read_all
from enumerator.engines import search
from enumerator.engines.search import kernel

PUBLISHED = ["1a", "1b", "1c", "1d", "1e", "1f", "2a", "2b", "2c", "2d", "2e", "2f"]
WALKABLE = 60_000_000
"""Oracles with more solutions than this are not for a walk."""


def lines(path: Path) -> Iterator[list[str]]:
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def general(board: Board) -> int:
    return kernel.General(board.cells, board.shape.height, board.shape.width).run()


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_boards(shared: Path, name: str) -> None:
    table = {row[0]: [int(figure) for figure in row[1:]] for row in lines(shared / "boards" / "table.tsv")}
    empty_cells, solutions, search_space = table[name]
    board = read(str(shared / "boards" / f"{name}.txt"))
    assert (board.empty_cells, board.search_space) == (empty_cells, search_space)
    assert enumerator.count(board) == solutions
    if solutions < 10_000_000:
        assert search.count(board) == solutions
    if solutions < 1_000_000:
        assert general(board) == solutions


def test_oracles(shared: Path) -> None:
    checked = 0
    for text, solutions, why in lines(shared / "oracles" / "9x9.tsv"):
        if int(solutions) <= WALKABLE and "published" not in why:
            board = Board.parse(text)
            assert search.count(board) == general(board) == int(solutions), why
            checked += 1
    assert checked >= 12


def test_the_number_of_6x6_boards(shared: Path) -> None:
    known = {row[0]: int(row[1]) for row in lines(shared / "oracles" / "empty.tsv")}
    first_row_given = Board(Shape(2, 3), bytes([*range(1, 7), *[0] * 30]))
    assert search.count(first_row_given) * 720 == known["2x3"]  # 6! ways to label the first row
    assert search.count(transpose(first_row_given)) * 720 == known["2x3"]
    assert search.count(Board.empty(Shape(2, 2))) == known["2x2"]


@pytest.mark.parametrize(("name", "verdict"), [("17clue", 1), ("hardest", 1), ("magictour", 1), ("multiple", 2)])
def test_lists_of_puzzles_are_unique_or_not(shared: Path, name: str, verdict: int) -> None:
    boards = list(read_all(str(shared / "puzzles" / f"{name}.txt")))
    assert len(boards) > 1000
    assert {search.start(board).run(limit=2) for board in boards} == {verdict}
    for board in random.Random(name).sample(boards, 100):
        assert kernel.General(board.cells, 3, 3).run(limit=2) == verdict


# ------------------------------------------------------------------------------------------- our boards


def table_of_ours() -> list[list[str]]:
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
        assert count == 6_670_903_752_021_072_936_960  # Felgenhauer and Jarvis 2005
    else:
        assert enumerator.count(board) == count
        if count < 1_000_000:
            assert general(board) == count


@pytest.mark.parametrize("number", [1, 2])
def test_our_series_are_nested_and_like_the_published_ones(shared: Path, number: int) -> None:
    published = {row[0]: row for row in lines(shared / "boards" / "table.tsv")}
    ours = {row[0][1:3]: int(row[4].replace(",", "")) for row in table_of_ours()}
    before = None
    for name in (f"{number}{letter}" for letter in "abcdef"):
        board = read(str(ROOT / "boards" / f"{name}.txt"))
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
    board = read(str(ROOT / "boards" / f"{name}.txt"))
    started = perf_counter()
    assert search.count(board) == 1
    assert perf_counter() - started < 10
