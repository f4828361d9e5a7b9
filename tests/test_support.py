"""The helpers that other tests rely on when something is wrong."""

from __future__ import annotations

from time import process_time, sleep

import pytest
from support.boards import PUZZLE, SOLVED
from support.counts import assert_count, counts, divide
from support.lateness import Stopwatch

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import contraction, search

TWO_CLUES = Board.parse("12" + "." * 14)
"""A 4×4 board with 288 / (4 · 3) = 24 solutions. r1c3 is its first cell with two candidates."""


def table(text: str) -> dict[str, list[str]]:
    """Return the columns of a table of sub-counts by their titles."""
    title, *rows = (line.split() for line in text.splitlines())
    return dict(zip(title, map(list, zip(*rows, strict=True)), strict=True))


def test_a_wrong_count_is_shown_by_branch() -> None:
    assert_count(TWO_CLUES, 24)
    with pytest.raises(AssertionError, match=r"^24 solutions and not 25 of 12\.{14}\n") as caught:
        assert_count(TWO_CLUES, 25)
    columns = table(str(caught.value).partition("\n")[2])
    assert columns.pop("branch") == ["r1c3=3", "r1c3=4"]
    assert list(columns) == ["count", "search", "contraction", "reference"]
    assert list(columns.values()) == [["12", "12"]] * 4


def test_the_branch_that_is_counted_wrongly_stands_out() -> None:
    def miscount(board: Board) -> int:
        return search.count(board) + (board.cells[2] == 4)

    columns = table(divide(TWO_CLUES, miscount))
    assert columns["count"] == ["12", "13"]
    assert columns["search"] == columns["contraction"] == columns["reference"] == ["12", "12"]


@pytest.mark.slow
def test_engines_that_would_take_long_are_left_out() -> None:
    nine = table(divide(Board.empty(Shape(3, 3)), contraction.count))
    assert nine["branch"] == [f"r1c1={digit}" for digit in range(1, 10)]
    assert nine["search"] == nine["reference"] == ["-"] * 9
    assert nine["count"] == nine["contraction"] == [str(6_670_903_752_021_072_936_960 // 9)] * 9
    ten = table(divide(Board.empty(Shape(2, 5)), lambda _: 0))
    assert ten["branch"][-1] == "r1c1=A"
    assert set(ten["search"] + ten["contraction"]) == {"-"}


@pytest.mark.parametrize(
    ("text", "reason"), [(SOLVED, "the board is full"), ("11" + "." * 79, "row 1 holds 1 twice, at r1c1 and r1c2")]
)
def test_boards_without_branches_say_why(text: str, reason: str) -> None:
    assert divide(Board.parse(text), search.count) == f"no branches: {reason}"


def test_every_engine_counts_the_shapes_that_it_takes() -> None:
    assert list(counts(Shape(3, 3))) == ["search", "contraction", "learning", "general walk"]
    assert list(counts(Shape(4, 4))) == ["search", "learning", "general walk"]
    assert {count(Board.parse(PUZZLE)) for count in counts(Shape(3, 3)).values()} == {1}
    assert enumerator.count(TWO_CLUES) == 24


def test_a_stopwatch_computes_only_after_the_free_seconds() -> None:
    def seconds_of_work(free: float) -> float:
        before = process_time()
        with Stopwatch(free) as watch:
            sleep(0.1)
        assert watch.seconds > 0
        return process_time() - before

    assert any(seconds_of_work(60) < 0.02 < seconds_of_work(0.01) for _ in range(20))  # on a busy machine, too
