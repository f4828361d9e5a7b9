"""Many puzzles solved into one array: in order, of any form, with the number of solutions of each."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from support.boards import COMMON_SHAPES, NINE, PUZZLE, full_board, random_board
from support.cases import slow_after
from support.marks import restricted_board
from support.solution_lists import as_array

import enumerator as en
from enumerator.board import Board, Shape

if TYPE_CHECKING:
    import numpy as np
else:
    np = pytest.importorskip("numpy")

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

LARGE_SHAPES = [Shape(2, 5), Shape(3, 4), Shape(4, 4), Shape(5, 5)]
"""Shapes that only the search supports."""


def puzzles(shape: Shape, number: int) -> list[Board]:
    """Return boards with one solution, several, or none, mixed."""
    rng = random.Random(f"puzzles {shape}")
    found = [random_board(shape, rng, rng.choice([1, 1, 2, 50])) for _ in range(number)]
    wrong = [board.with_cell(board.cells.index(0), rng.randint(1, shape.size)) for board in found if 0 in board.cells]
    found += rng.sample(wrong, min(len(wrong), number // 3))
    rng.shuffle(found)
    return found


def assert_solved(boards: list[Board], solutions: Any, counts: Any, shape: Shape) -> None:
    assert solutions.dtype == counts.dtype == np.uint8
    assert solutions.shape == (len(boards), shape.size, shape.size)
    assert solutions.flags.c_contiguous
    verdicts = {0: en.Verdict.NONE, 1: en.Verdict.UNIQUE, 2: en.Verdict.MULTIPLE}
    assert [verdicts[count] for count in counts.tolist()] == list(en.classify_all(boards))
    for board, solution, count in zip(boards, solutions, counts, strict=True):
        expected = next(en.solutions(board)).cells if count == 1 else bytes(shape.cells)
        assert solution.tobytes() == expected


@pytest.mark.parametrize("shape", slow_after(2, [*COMMON_SHAPES, Shape(3, 4)]), ids=str)
def test_puzzles_are_solved_in_order_whatever_they_are_written_in(shape: Shape) -> None:
    boards = puzzles(shape, 60)
    cells = as_array(boards, shape)
    kinds: list[Any] = [
        boards,
        [str(board) for board in boards],
        [f"{board}\n" for board in boards],
        [str(board) if at % 7 else board for at, board in enumerate(boards)],
        np.array([str(board) for board in boards]),
        cells,
        cells.astype(np.int64),
        cells.reshape(len(boards), -1),
        np.asfortranarray(cells),
    ]
    for lines in kinds:
        for cores in (1, 2):
            assert_solved(boards, *en.solve_array(lines, shape=shape, return_counts=True, cores=cores), shape)
    assert (en.solve_array(map(str, boards), shape=shape) == en.solve_array(boards)).all()


def test_more_puzzles_than_a_block_are_solved() -> None:
    full = full_board(NINE, random.Random("full"))
    lines = [str(full.with_cell(at % 81, 0)) for at in range(20_000)]
    found = en.solve_array(lines)
    assert found.shape == (20_000, 9, 9)
    assert (found == as_array([full], NINE)).all()


def test_restricted_puzzles_are_solved_among_others() -> None:
    rng = random.Random("restricted puzzles")
    boards = [random_board(NINE, rng, 1), restricted_board(NINE, rng)[1], random_board(NINE, rng, 1)]
    solutions, counts = en.solve_array(boards, return_counts=True)
    assert_solved(boards, solutions, counts, NINE)


def test_no_puzzles_have_an_empty_array() -> None:
    assert en.solve_array([]).shape == (0, 9, 9)
    for shape in (Shape(2, 3), "2x3", (2, 3)):
        assert en.solve_array([], shape=shape).shape == (0, 6, 6)
    assert en.solve_array(np.zeros((0, 4, 4), np.uint8)).shape == (0, 4, 4)
    assert en.solve_array(np.zeros((0, 36), np.uint8)).shape == (0, 6, 6)
    solutions, counts = en.solve_array(iter(()), return_counts=True)
    assert len(solutions) == len(counts) == 0


def test_a_puzzle_that_takes_too_long_is_undecided() -> None:
    hard = "." * 30 + "1" + "." * (64**2 - 31)
    solutions, counts = en.solve_array([hard], return_counts=True, time_limit=0.01)
    assert counts.tolist() == [255]
    assert not solutions.any()


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        ([PUZZLE, PUZZLE[:-1] + "x"], ValueError, r"^lines\[1\]"),
        ([PUZZLE] * 5000 + ["12"], ValueError, r"^lines\[5000\]"),
        ([PUZZLE, "1" * 16], ValueError, r"^lines\[1\]"),
        ([Board.empty(NINE), Board.empty(Shape(2, 2))], ValueError, r"^lines\[1\]: a board of 2x2 boxes among"),
        (PUZZLE, TypeError, "is one board"),
        (Board.empty(NINE), TypeError, "is one board"),
        (np.zeros((9, 9)), TypeError, "float64"),
        (np.zeros((9, 9), int), ValueError, "9 × 9 is not an array of boards"),
        (np.zeros((2, 9, 8), int), ValueError, "2 × 9 × 8"),
        (np.zeros((2, 9, 9, 9), int), ValueError, "2 × 9 × 9 × 9"),
        (np.full((2, 9, 9), [[[0]], [[-1]]]), ValueError, r"^lines\[1\]: -1 is no digit"),
        (np.full((2, 9, 9), [[[10]], [[0]]]), ValueError, r"^lines\[0\]: 10 is no digit"),
    ],
)
def test_what_is_not_a_list_of_boards_is_named(lines: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        en.solve_array(lines)
