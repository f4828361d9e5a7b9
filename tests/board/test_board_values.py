"""Boards as Python values: repr, indexing, rows, arrays, clues, copies, and integers that print."""

import copy
import doctest
import json
import pickle
import random
import re
from xml.etree import ElementTree

import gmpy2
import pytest
from support.boards import MANY_SHAPES, NINE, PUZZLE, SHAPES, full_board, with_holes
from support.marks import only_marks, restrict
from support.processes import run_python

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.conflicts import Conflict
from enumerator.board.pictures import board_html
from enumerator.board.reading import BoardError
from enumerator.text.numbers import LongInteger


def some_boards(shape: Shape) -> list[Board]:
    rng = random.Random(f"values {shape}")
    full = full_board(shape, rng)
    half = with_holes(full, shape.cells // 2, rng)
    nothing_in_one = [0] + [(1 << shape.size) - 2] * (shape.cells - 1)
    marked = [restrict(half, rng), only_marks(shape, rng, 3), Board.from_allowed(shape, nothing_in_one)]
    return [Board.empty(shape), full, half, *marked]


def same(expression: str) -> object:
    """Evaluate what `repr` returns."""
    return eval(expression, {"Board": Board, "Shape": Shape})


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_a_board_evaluates_from_its_repr(shape: Shape) -> None:
    assert same(repr(shape)) == shape
    for board in some_boards(shape):
        assert same(repr(board)) == board


def test_a_repr_names_the_shape_only_where_it_must() -> None:
    assert repr(Board(PUZZLE)) == f'Board("{PUZZLE}")'
    assert repr(Board.empty("2x3")) == f'Board("{"." * 36}")'
    assert repr(Board.empty("3x2")) == f'Board("{"." * 36}", "3x2")'


def test_symbols_of_a_small_board_with_marks_can_be_those_of_a_large_board() -> None:
    """4³ symbols are also 8² cells, and 16³ symbols are 64² cells."""
    cube = "1....2....3....4" * 4
    assert repr(Board(cube, "2x4")) == f'Board("{cube}", "2x4")'
    for shape in (Shape(2, 2), Shape(4, 4)):
        marked = only_marks(shape, random.Random(f"cube {shape}"), 3)
        assert len(str(marked)) == shape.size**3
        assert same(repr(marked)) == marked


def test_a_board_is_indexed_like_rows_and_like_an_array() -> None:
    board = Board(PUZZLE)
    rows = [tuple(int(symbol) if symbol != "." else 0 for symbol in PUZZLE[at : at + 9]) for at in range(0, 81, 9)]
    assert list(board) == rows
    assert board.rows() == list(map(list, rows))
    assert len(board) == 9
    assert [[board[row, column] for column in range(9)] for row in range(9)] == board.rows()
    assert [[board[row][column] for column in range(-9, 0)] for row in range(-9, 0)] == board.rows()
    assert board[2:5] == tuple(rows[2:5])
    assert board[::-1, 0] == tuple(row[0] for row in reversed(rows))
    assert board[4, 3:6] == rows[4][3:6]
    assert board[3:6, 3:6] == tuple(row[3:6] for row in rows[3:6])


@pytest.mark.parametrize("key", [9, -10, (0, 9), (-10, 0), (slice(None), 9)])
def test_a_cell_outside_is_an_index_error(key: object) -> None:
    with pytest.raises(IndexError, match=r"a 9×9 board has no (row|column) -?[0-9]+: they are counted from 0"):
        Board(PUZZLE)[key]  # type: ignore[call-overload]


@pytest.mark.parametrize("key", ["a", 1.0, None, (1.5, 0), (0, "1"), (1, 2, 3), ()])
def test_a_wrong_index_is_a_type_error(key: object) -> None:
    with pytest.raises(TypeError, match="of a board is an integer or a slice"):
        Board(PUZZLE)[key]  # type: ignore[call-overload]


def test_a_board_contains_its_digits_and_its_rows_and_is_true() -> None:
    board = Board("1234 3412 .... ....")
    assert 4 in board
    assert 0 in board
    assert 5 not in board
    assert 300 not in board
    assert "1" not in board
    assert (1, 2, 3, 4) in board
    assert (4, 3, 2, 1) not in board
    assert Board.empty("2x2")
    assert bool(board)


@pytest.mark.parametrize("shape", SHAPES[::5], ids=str)
def test_a_clue_is_set_and_removed(shape: Shape) -> None:
    rng, size = random.Random(f"clue {shape}"), shape.size
    for board in some_boards(shape):
        row, column, digit = rng.randrange(size), rng.randrange(size), rng.randint(1, size)
        there = board.with_clue(row, column, digit)
        assert there == board.with_clue(row - size, column - size, shape.symbols[digit - 1])
        assert there == board.with_cell(row * size + column, digit)
        assert there[row, column] in (0, digit)
        if board.allowed is None:
            assert there[row, column] == digit
            assert there.without_clue(row, column) == board.without_clue(row, column)
        assert board.without_clue(row, column)[row, column] == 0


@pytest.mark.parametrize("digit", [0, 10, -1, "0", ".", "A", "", "10", "12345678901234567890", "AB", "é"])
def test_a_clue_must_be_a_digit_of_the_board(digit: int | str) -> None:
    with pytest.raises(ValueError, match="is not a digit of a 9×9 board"):
        Board(PUZZLE).with_clue(0, 0, digit)


@pytest.mark.parametrize("digit", [True, 1.0, None, [1]])
def test_a_clue_is_a_number_or_a_symbol(digit: object) -> None:
    with pytest.raises(TypeError, match="a clue is a number or a symbol"):
        Board(PUZZLE).with_clue(0, 0, digit)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", [(9, 0), (0, 9), (-10, 0)])
def test_a_clue_outside_is_an_index_error(place: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match="a 9×9 board has no"):
        Board(PUZZLE).with_clue(*place, 1)
    with pytest.raises(IndexError, match="a 9×9 board has no"):
        Board(PUZZLE).without_clue(*place)


def test_a_letter_is_a_digit_of_a_large_board() -> None:
    assert Board.empty("4x4").with_clue(0, 0, "g") == Board.empty("4x4").with_clue(0, 0, 16)


@pytest.mark.parametrize("shape", SHAPES[::7], ids=str)
def test_copies_are_equal_and_have_the_same_hash(shape: Shape) -> None:
    for board in some_boards(shape):
        copies = [copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board)), Board(board)]
        assert copies == [board] * 4
        assert {*copies} == {board}
        assert Board(json.loads(json.dumps(str(board))), shape) == board
        assert board.transposed().transposed() == board


def test_a_board_error_can_be_pickled() -> None:
    with pytest.raises(BoardError) as caught:
        Board("w" + PUZZLE[1:])
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.source, again.line, again.column) == (str(caught.value), "<text>", 1, 1)
    assert again.message == "'w' is no digit of a 9×9 board"


# ------------------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize("sides", [(2.5, 4), (2.0, 4), ("2", 3), (True, 3), (3, None), ([2], 3)])
def test_the_sides_of_a_shape_are_integers(sides: tuple[object, object]) -> None:
    with pytest.raises(TypeError, match="of a box is an integer, not"):
        Shape(*sides)  # type: ignore[arg-type]


def test_a_shape_takes_integers_of_numpy() -> None:
    np = pytest.importorskip("numpy")
    shape = Shape(np.uint8(3), np.int64(3))
    assert (shape, repr(shape), hash(shape)) == (NINE, repr(NINE), hash(NINE))
    assert {type(shape.height), type(shape.width)} == {int}
    with pytest.raises(ValueError, match="between 2x2 and 8x8"):
        Shape(np.int64(9), 3)


# ------------------------------------------------------------------------------------------- arrays


@pytest.mark.parametrize("shape", SHAPES[::6], ids=str)
def test_a_board_is_an_array_and_an_array_is_a_board(shape: Shape) -> None:
    np = pytest.importorskip("numpy")
    rng = random.Random(f"array {shape}")
    board = with_holes(full_board(shape, rng), shape.cells // 2, rng)
    array = np.asarray(board)
    assert (array.dtype, array.shape) == (np.uint8, (shape.size, shape.size))
    assert array.tolist() == board.rows()
    assert np.asarray(board, dtype=np.int64).dtype == np.int64
    array[0, 0] = 0  # a copy, which may be changed
    assert np.array(board).tolist() == board.rows()
    assert np.array([board, board]).shape == (2, shape.size, shape.size)
    for kind in (np.uint8, np.int64, float, object):
        assert Board(np.asarray(board, dtype=kind), shape) == board
        assert Board(np.asarray(board, dtype=kind).ravel(), shape) == board


def test_an_array_without_a_copy_is_constant() -> None:
    np = pytest.importorskip("numpy")
    board = Board(PUZZLE)
    array = board.__array__(copy=False)
    assert not array.flags.writeable
    assert board.__array__(np.uint8, copy=False).tolist() == board.rows()
    with pytest.raises(ValueError, match="copy"):
        board.__array__(float, copy=False)


# ------------------------------------------------------------------------------------ search spaces


@pytest.mark.parametrize(
    ("base", "power"), [(7, 0), (10, 200), (10, 1000), (10, 4299), (10, 4300), (64, 4096), (-3, 9999)]
)
def test_an_integer_prints_in_full_however_long_it_is(base: int, power: int) -> None:
    number = base**power
    long, digits = LongInteger(number), str(gmpy2.mpz(number))
    assert long == number
    assert repr(long) == str(long) == f"{long}" == f"{long:d}" == digits
    for separator in ",_":
        assert f"{long:{separator}}".replace(separator, "") == digits
        assert all(len(group) == 3 for group in f"{long:{separator}}".split(separator)[1:])
    assert f"{long:.3e}" == f"{gmpy2.mpz(number):.3e}"
    assert pickle.loads(pickle.dumps(long)) == long
    with pytest.raises(ValueError, match=r"(?i)format|conversion"):
        format(long, "nonsense")


def test_the_search_space_of_the_largest_board_is_exact_and_prints() -> None:
    space = Board.empty("8x8").search_space
    assert space == 64**4096
    assert len(repr(space)) == 7398 + 1


def test_gmpy2_is_imported_for_long_integers_only() -> None:
    program = (
        "import sys, enumerator as en; print(en.Board.empty('3x3').search_space, 'gmpy2' in sys.modules);"
        "print(len(str(en.Board.empty('8x8').search_space)), 'gmpy2' in sys.modules)"
    )
    done = run_python(program, status=0)
    assert done.stdout.split() == [str(9**81), "False", "7399", "True"]


# ----------------------------------------------------------------------------------------- notebooks


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 2), NINE, Shape(4, 4)], ids=str)
def test_a_notebook_draws_a_board_in_the_colours_of_its_page(shape: Shape) -> None:
    svg = "{http://www.w3.org/2000/svg}"
    for board in some_boards(shape):
        picture = board._repr_html_()
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label") == f"A Sudoku board, {shape.title}"
        assert "currentColor" in picture
        assert "prefers-color-scheme" not in picture
        assert not re.search(r"<(script|image|link|use|rect)|url\(|@import", picture)
        full = (1 << shape.size) - 1
        masks = board.allowed or [1 << (digit - 1) if digit else full for digit in board.cells]
        marks = sum(mask.bit_count() for mask in masks if mask != full)
        assert len(list(root.iter(f"{svg}text"))) == marks


def test_a_notebook_draws_solutions() -> None:
    board = Board("12.. .... .... ....")
    found = next(enumerator.solutions(board))
    assert board_html(board, found).count('class="found"') == 14


# ------------------------------------------------------------------------------------------ examples


@pytest.mark.parametrize("thing", [Board, Shape, Conflict, BoardError, enumerator.read, enumerator.read_all])
def test_examples_are_true(thing: object) -> None:
    examples = 0
    for test in doctest.DocTestFinder().find(thing, globs={"en": enumerator}):
        result = doctest.DocTestRunner().run(test)
        assert not result.failed
        examples += result.attempted
    assert examples


def test_a_board_is_formatted_as_its_text() -> None:
    board = Board("1234 3412 .... ....")
    assert f"{board}" == str(board)
    assert f"{board:>20}" == str(board).rjust(20)
