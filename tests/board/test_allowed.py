"""Boards with pencil marks: every way to say the same restriction is the same board."""

import pickle
import random
from math import prod

import pytest
from support.boards import SHAPES, full_board, with_holes

from bench.common.boards import as_numbers
from enumerator.board import Board, Shape
from enumerator.board.writing import as_drawing

FOUR = Shape(2, 2)
FULL = 15


def restricted(shape: Shape, rng: random.Random) -> Board:
    """Return a board with clues, restricted cells, free cells and, sometimes, a cell without a digit."""
    board = with_holes(full_board(shape, rng), shape.cells * 2 // 3, rng)
    full = (1 << shape.size) - 1
    masks = [1 << (digit - 1) if digit else rng.choice((full, rng.randint(0, full))) for digit in board.cells]
    return Board.from_allowed(shape, masks)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_board_is_normalised_however_it_is_made(shape: Shape) -> None:
    rng = random.Random(f"normalised {shape}")
    board, full = restricted(shape, rng), (1 << shape.size) - 1
    assert board.allowed is not None
    for digit, mask in zip(board.cells, board.allowed, strict=True):
        assert digit == (mask.bit_length() if mask.bit_count() == 1 else 0)
    looser = [full if digit else mask for digit, mask in zip(board.cells, board.allowed, strict=True)]
    for same in (
        Board.from_allowed(shape, board.allowed),
        Board.from_cells(shape, board.cells, tuple(looser)),
        board.transposed().transposed(),
        pickle.loads(pickle.dumps(board)),
    ):
        assert same == board
        assert hash(same) == hash(board)
    assert board != Board.from_cells(shape, board.cells)
    assert Board.from_allowed(shape, [full] * shape.cells) == Board.empty(shape)


def test_masks_that_restrict_no_empty_cell_leave_no_trace() -> None:
    board = Board.from_cells(FOUR, bytes([1] + [0] * 15), tuple([3] + [FULL] * 15))
    assert board == Board.empty(FOUR).with_cell(0, 1)
    assert board.allowed is None


def test_a_clue_that_is_not_allowed_is_a_cell_without_a_digit() -> None:
    board = Board.from_cells(FOUR, bytes([4] + [0] * 15), tuple([3] + [FULL] * 15))
    assert board.cells == bytes(16)
    assert board.allowed == (0, *[FULL] * 15)
    assert [str(conflict) for conflict in board.conflicts()] == ["r1c1 has no allowed digit"]
    assert board.combinations == 0


def test_clues_are_set_and_removed_on_a_restricted_board() -> None:
    board = Board.from_allowed(FOUR, [3, 5, *[FULL] * 14])
    assert board.with_cell(0, 2).allowed == (2, 5, *[FULL] * 14)
    assert board.with_cell(0, 4).allowed == (0, 5, *[FULL] * 14)
    assert board.with_cell(0, 0) == board
    assert board.with_cell(5, 1).with_cell(5, 0) == board
    assert board.with_cell(5, 1).with_cell(5, 2) == board.with_cell(5, 2)
    assert board.with_cell(0, 1).with_cell(1, 3) == Board.from_cells(FOUR, bytes([1, 3] + [0] * 14))
    assert board.with_cell(0, 1).with_cell(0, 0).allowed == (FULL, 5, *[FULL] * 14)


@pytest.mark.parametrize("shape", SHAPES[:12], ids=str)
def test_candidates_are_the_digits_that_units_and_masks_leave(shape: Shape) -> None:
    board = restricted(shape, random.Random(f"candidates {shape}"))
    assert board.allowed is not None
    counts = []
    for cell, mask in enumerate(board.allowed):
        if not board.cells[cell]:
            place = shape.place(cell)
            held = {
                board.cells[other]
                for other in range(shape.cells)
                if any(one == two for one, two in zip(place, shape.place(other), strict=True))
            }
            counts.append(sum(mask >> (digit - 1) & 1 and digit not in held for digit in range(1, shape.size + 1)))
    assert board.candidate_counts() == counts
    assert board.combinations == board.search_space == prod(counts)


def test_figures_of_a_restricted_board_are_those_of_its_clues() -> None:
    board = Board.from_allowed(FOUR, [1, 3, *[FULL] * 14])
    plain = Board.from_cells(FOUR, board.cells)
    assert (board.empty_cells, board.filling_factor) == (15, 1 / 16)
    assert board.clues == plain.clues == str(plain)
    assert (as_drawing(board), as_numbers(board)) == (as_drawing(plain), as_numbers(plain))


def test_a_restricted_board_is_written_with_a_symbol_for_each_digit_of_each_cell() -> None:
    board = Board.from_allowed(FOUR, [1, 0b1010, 0, FULL, *[FULL] * 12])
    assert str(board) == "1..." + ".2.4" + "...." + "1234" * 13
    nine = Board.from_allowed(Shape(3, 3), [0b110000001, *[511] * 80])
    assert str(nine) == "1......89" + "123456789" * 80
    assert len(str(nine)) == 729


@pytest.mark.parametrize("masks", [(), [FULL] * 15, [FULL] * 17, [16, *[FULL] * 15], [-1, *[FULL] * 15]], ids=str)
def test_masks_must_fit_the_shape(masks: list[int]) -> None:
    with pytest.raises(ValueError, match="4×4"):
        Board.from_allowed(FOUR, masks)
