"""Boards as values, and positions against recomputation after random moves."""

import pickle
import random

import gmpy2
import pytest
from support.boards import MANY_SHAPES, SHAPES, full_board, random_board, with_holes

from bench.common.position import Position, popcounts
from enumerator.board import Board
from enumerator.board.shape import Shape, units


def candidates_from_units(board: Board, cell: int) -> set[int]:
    """The candidates of a cell, straight from the rules."""
    held = {board.cells[other] for _, members in units(board.shape) if cell in members for other in members}
    return set(range(1, board.shape.size + 1)) - held


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_a_position_is_what_its_moves_make_it(shape: Shape) -> None:
    rng = random.Random(f"moves {shape}")
    board = with_holes(full_board(shape, rng), shape.cells * 2 // 3, rng)
    position = Position(board)
    history = [board]
    for _ in range(40 if shape.size <= 16 else 10):
        count, cell = position.best
        if len(history) > 1 and (rng.random() < 0.4 or position.full or count == 0):
            position.unset()
            history.pop()
        else:
            empty = [cell for cell, digit in enumerate(position.cells) if not digit]
            cell = rng.choice([cell, rng.choice(empty)])
            digits = candidates_from_units(position.board, cell)
            if not digits:
                continue
            digit = rng.choice(sorted(digits))
            position.set(cell, digit)
            history.append(history[-1].with_cell(cell, digit))
        now = history[-1]
        assert position.board == now
        assert position.empty == now.empty_cells
        assert position.full == (0 not in now.cells)
        assert_tracks(position, Position(now))
        if shape.size <= 9:
            ranks = [
                (len(candidates_from_units(now, cell)), cell) for cell in range(shape.cells) if not now.cells[cell]
            ]
            assert position.full or position.best == min(ranks)


def assert_tracks(position: Position, afresh: Position) -> None:
    assert position.used == afresh.used
    assert position.bests == afresh.bests
    assert position.best == afresh.best


def test_a_clone_goes_its_own_way() -> None:
    board = Board.empty(Shape(3, 3))
    position = Position(board)
    position.set(0, 1)
    twin = position.clone()
    assert_tracks(twin, position)
    twin.set(40, 5)
    assert position.board == board.with_cell(0, 1)
    assert twin.board == board.with_cell(0, 1).with_cell(40, 5)
    position.unset()
    assert position.board == board


def test_a_position_needs_clues_that_agree() -> None:
    with pytest.raises(ValueError, match="row 1 holds 1 twice"):
        Position(Board.parse("1..1 .... .... ...."))


@pytest.mark.parametrize("size", [1, 4, 9, 16])
def test_the_popcount_table_counts_ones(size: int) -> None:
    assert list(popcounts(size)) == [mask.bit_count() for mask in range(2**size)]


@pytest.mark.parametrize("shape", SHAPES[:20], ids=str)
def test_the_search_space_is_the_product_of_the_numbers_of_candidates(shape: Shape) -> None:
    rng = random.Random(f"space {shape}")
    board = with_holes(full_board(shape, rng), shape.cells // 2, rng)
    product = gmpy2.mpz(1)
    for cell in range(shape.cells):
        if not board.cells[cell]:
            product *= len(candidates_from_units(board, cell))
    assert board.search_space == product
    assert isinstance(board.search_space, int)
    assert repr(board.search_space) == str(product)


def test_conflicts_are_named_with_unit_digit_and_cells() -> None:
    board = Board.parse("1.1. .... 1..2 ...2")
    assert [str(conflict) for conflict in board.conflicts()] == [
        "row 1 holds 1 twice, at r1c1 and r1c3",
        "column 1 holds 1 twice, at r1c1 and r3c1",
        "column 4 holds 2 twice, at r3c4 and r4c4",
        "box 4 holds 2 twice, at r3c4 and r4c4",
    ]
    assert not list(random_board(Shape(2, 3), random.Random(1)).conflicts())


def test_a_digit_that_stands_three_times_is_one_conflict() -> None:
    assert (
        str(next(Board.parse("111. .... .... ....").conflicts())) == "row 1 holds 1 3 times, at r1c1 and r1c2 and r1c3"
    )


def test_figures_of_a_board() -> None:
    board = Board.parse("12.. .... .... ....")
    assert board.empty_cells == 14
    assert board.filling_factor == 2 / 16
    assert str(board) == "12.............."


def test_a_board_is_made_of_bytes_and_has_no_cells_outside() -> None:
    with pytest.raises(TypeError, match="bytes, not list"):
        Board.from_cells(Shape(2, 2), [0] * 16)  # type: ignore[arg-type]
    for cell in (-1, 16):
        with pytest.raises(IndexError, match="no cell"):
            Board.empty(Shape(2, 2)).with_cell(cell, 1)


@pytest.mark.parametrize("cells", [b"", bytes(15), bytes(17), bytes([5] + [0] * 15)])
def test_a_board_must_fit_its_shape(cells: bytes) -> None:
    with pytest.raises(ValueError, match="4×4"):
        Board.from_cells(Shape(2, 2), cells)


def test_a_board_of_cells_known_to_be_valid_is_like_any_other() -> None:
    board = Board.from_cells(Shape(2, 2), bytes(range(4)) + bytes(12))
    assert Board.from_valid(board.shape, board.cells) == board
    assert hash(Board.from_valid(board.shape, board.cells)) == hash(board)
    assert pickle.loads(pickle.dumps(Board.from_valid(board.shape, board.cells))) == board


@pytest.mark.parametrize(
    "shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(4, 4), Shape(5, 5)], ids=str
)
def test_a_grid_is_a_drawing_that_is_read_back(shape: Shape) -> None:
    rng = random.Random(f"grid {shape}")
    for _ in range(5):
        board = Board.from_cells(shape, bytes(rng.randint(0, shape.size) for _ in range(shape.cells)))
        for ascii_only in (False, True):
            drawn = board.grid(ascii=ascii_only)
            assert Board.parse(drawn, shape=shape) == board
            assert len(drawn.splitlines()) == shape.size + shape.width + 1
            assert drawn.isascii() == ascii_only
