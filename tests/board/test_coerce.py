"""Anything that is a board, and what is said of what is none."""

import csv
import io
import random
import re
import warnings
from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.boards import BOARDS, NINE, PUZZLE, ROWS, SHAPES, board_file, full_board, with_holes

import enumerator
from enumerator.board import Board, Shape
from enumerator.board.coerce import as_board, as_shape
from enumerator.board.plain_lines import plain_cells
from enumerator.board.reading import BoardError
from enumerator.board.shape import SYMBOLS

FOUR = "1234 3412 .... ...."
FOUR_ROWS = [[1, 2, 3, 4], [3, 4, 1, 2], [0] * 4, [0] * 4]


@pytest.mark.parametrize("shape", SHAPES[::3], ids=str)
def test_rows_and_cells_in_every_form_are_the_same_board(shape: Shape) -> None:
    rng = random.Random(f"forms {shape}")
    board = with_holes(full_board(shape, rng), shape.cells // 2, rng)
    rows, flat = board.rows(), list(board.cells)
    symbols = "." + shape.symbols
    forms: list[Any] = [
        rows,
        list(board),
        tuple(map(tuple, rows)),
        deque(rows),
        (row for row in rows),
        zip(*board.transposed().rows(), strict=True),
        map(iter, rows),
        flat,
        tuple(flat),
        iter(flat),
        array("B", flat),
        [array("H", row) for row in rows],
        [[digit or None for digit in row] for row in rows],
        [[float(digit) or float("nan") for digit in row] for row in rows],
        [[symbols[digit] for digit in row] for row in rows],
        [["" if not digit else str(digit) for digit in row] for row in rows],
        ["".join(symbols[digit] for digit in row) for row in rows],
        ["".join(symbols[digit] for digit in row).encode() for row in rows],
        [["".join(symbols[digit] for digit in row), row][number % 2] for number, row in enumerate(rows)],
        [symbols[digit] for digit in flat],
        str(board),
        str(board).encode(),
        bytearray(str(board).encode()),
        str(board) + "\n",
        board,
    ]
    for form in forms:
        again = as_board(form, shape)
        assert again == board, form
        assert type(again.cells) is bytes
        assert again.shape is shape or again.shape == shape
    usual = Shape.of_size(shape.size) == shape
    assert usual == (as_board(rows).shape == shape)
    assert usual == (as_board(flat).shape == shape)


def test_lines_and_fields_of_a_file_are_a_board() -> None:
    text = "5 3 . | . 7 . | . . .\n" * 9
    assert as_board(text.splitlines(keepends=True)) == as_board(text)
    assert as_board(io.StringIO(text).readlines()) == as_board(text)
    assert as_board([PUZZLE]) == as_board(csv.reader([",".join(row) for row in ROWS])) == Board(PUZZLE)
    assert as_board(Path(board_file("1c")).read_bytes()) == enumerator.read(board_file("1c"))


def test_hexadecimal_symbols_are_digits_in_lists_as_in_text() -> None:
    text = "0123456789ABCDEF" + "." * 240
    assert as_board(text) == as_board(list(text)) == as_board([list(text[at : at + 16]) for at in range(0, 256, 16)])
    assert as_board(text)[0] == tuple(range(1, 17))


def test_an_empty_cell_has_many_signs() -> None:
    for sign in (0, 0.0, None, float("nan"), "", " ", "0", ".", "_", "*", "?", "·", "-"):
        assert as_board([1, *[sign] * 15]) == as_board(["1", *[sign] * 15]) == as_board("1" + "." * 15)


def test_numbers_of_numpy_are_cells() -> None:
    np = pytest.importorskip("numpy")
    rows = [[np.int8(1), np.float32(2), np.uint64(3), np.float64(4)], *FOUR_ROWS[1:]]
    assert as_board(rows) == as_board(FOUR)
    assert as_board([np.array(row) for row in FOUR_ROWS]) == as_board(FOUR)
    assert as_board(np.array([["1", "2", "3", "4"], *[[".", "", "0", "_"]] * 3])) == as_board("1234" + "." * 12)
    assert as_board(np.ma.masked_equal(np.array(FOUR_ROWS), 0)) == as_board(FOUR)
    with pytest.raises(TypeError, match="not bool in row 1, column 1"):
        as_board(np.ones((4, 4), bool))
    with pytest.raises(TypeError, match=r"not bool_? in row 1, column 2"):
        as_board([[1, np.True_, 0, 0], *[[0] * 4] * 3])
    with pytest.raises(ValueError, match=re.escape("2.5 in row 4, column 4 is not a digit of a 4×4 board")):
        as_board(np.array([0.0] * 15 + [2.5]))
    with pytest.raises(TypeError, match="not list in row 1, column 1"):
        as_board(np.zeros((9, 9, 9), int).tolist())
    with pytest.raises(ValueError, match="an array of 3 dimensions is not a board"):
        as_board(np.zeros((9, 9, 9), int))
    with pytest.raises(TypeError, match="not int64"):
        as_board(np.int64(5))


def test_an_object_that_becomes_an_array_is_a_board() -> None:
    class Frame:
        """As a DataFrame: iterating yields the names of its columns."""

        def __array__(self) -> "array[int]":
            return array("B", [digit for row in FOUR_ROWS for digit in row])

        def __iter__(self) -> Any:
            return iter(["a", "b", "c", "d"])

    assert as_board(Frame()) == as_board(FOUR)


def test_a_frame_of_pandas_is_a_board() -> None:
    pd = pytest.importorskip("pandas")
    rows = [[digit or None for digit in row] for row in FOUR_ROWS]
    assert as_board(pd.DataFrame(rows)) == as_board(pd.DataFrame(rows, dtype="Int64")) == as_board(FOUR)


# ----------------------------------------------------------------------------- what is not a board


@pytest.mark.parametrize(
    "content", [None, 5, 5.0, {}, {1: 2}, set(), {1, 2}, frozenset(), object(), Board, list, Decimal(5), len, ...]
)
def test_a_wrong_type_is_named(content: Any) -> None:
    with pytest.raises(
        TypeError, match=f"a board is a text, rows of numbers, an array or a Board, not {type(content).__name__}"
    ):
        as_board(content)
    with pytest.raises(TypeError, match="a board is a text"):
        Board(content)


def test_files_are_for_read(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=re.escape("not a path: enumerator.read(path) reads files")):
        as_board(tmp_path)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=re.escape("not a file: enumerator.read(file) reads files")):
        as_board(io.StringIO(PUZZLE))
    (tmp_path / "name").write_text(PUZZLE)
    for name in (str(BOARDS / "1c.txt"), "boards/1c.txt", "absent.sdm", str(tmp_path / "name")):
        with pytest.raises(BoardError, match=re.escape("(is it a file? enumerator.read(path) reads files)")):
            as_board(name)
    for text in ("", "a title", PUZZLE[1:], "boards\n/1c.txt"):
        with pytest.raises(BoardError) as caught:
            as_board(text)
        assert "enumerator.read" not in str(caught.value)


def test_cells_as_bytes_are_not_text() -> None:
    with pytest.raises(BoardError, match=re.escape("Board.from_cells(shape, cells) takes digits")):
        as_board(Board(PUZZLE).cells)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "no board has 0 cells"),
        ([[]], "no board has 1 row"),
        ([1, 2, 3], "no board has 3 cells: a 9×9 board has 9 rows of 9 cells, or 81 cells"),
        ([[1, 2, 3]] * 3, "no board has 3 rows"),
        ([[0] * 4] * 3 + [[0] * 5], "5 cells in row 4 where a row of a 4×4 board has 4"),
        ([[0] * 4, [0], [0] * 4, [0] * 4], "1 cell in row 2 where a row of a 4×4 board has 4"),
        ([[0] * 4] * 3 + [[0, 0, 5, 0]], "5 in row 4, column 3 is not a digit of a 4×4 board"),
        ([[0] * 4] * 3 + [[0, 0, -1, 0]], "-1 in row 4, column 3 is not a digit of a 4×4 board"),
        ([0] * 15 + [10**5000 // 10**4990], "in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + [1.5], "1.5 in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + [float("inf")], "inf in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + ["A"], "'A' in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + ["AB"], "'AB' in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + ["1" * 5000], "in row 4, column 4 is not a digit of a 4×4 board"),
        ([0] * 15 + ["-1"], "'-1' in row 4, column 4 is not a digit of a 4×4 board"),
        (["x"] * 16, "'x' in row 1, column 1 is not a digit of a 4×4 board"),
        (range(10**12), "no board has 4097 cells"),
    ],
)
def test_a_wrong_content_is_named_with_its_place(content: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        as_board(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([0] * 15 + [True], "a cell is a number, a symbol or None, not bool in row 4, column 4"),
        ([0] * 15 + [1j], "not complex in row 4, column 4"),
        ([0] * 15 + [object()], "not object in row 4, column 4"),
        ([[0] * 4] * 3 + [[0, 0, [1], 0]], "not list in row 4, column 3"),
        ([[0] * 4] * 3 + [5], "row 4 is a list of cells, not int"),
        ([[0] * 4] * 3 + [{1, 2, 3, 4}], "row 4 is a list of cells, not set"),
        ([[0] * 4] * 3 + [{1: 2}], "row 4 is a list of cells, not dict"),
        ([[0] * 4] * 3 + [None], "row 4 is a list of cells, not NoneType"),
    ],
)
def test_a_cell_or_row_of_a_wrong_type_is_named_with_its_place(content: Any, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        as_board(content)


def test_numbers_of_other_kinds_are_cells_if_they_are_whole() -> None:
    class Whole:
        def __index__(self) -> int:
            return 1

    assert as_board([Whole(), *[0] * 15])[0, 0] == 1
    if hasattr(Fraction, "is_integer"):  # from Python 3.12 on
        assert as_board([Fraction(2, 2), *[0] * 15])[0, 0] == 1


# ------------------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize("given", [Shape(3, 2), "3x2", "3×2", (3, 2), [3, 2]])
def test_a_shape_is_given_in_any_form(given: Any) -> None:
    shape, text = Shape(3, 2), "123456" + "." * 30
    assert as_shape(given) == shape
    assert Board(text, given).shape == Board.parse(text, given).shape == shape
    assert Board.from_rows([[0] * 6] * 6, given).shape == Board.empty(given).shape == shape
    assert Board.from_cells(given, bytes(36)) == Board.from_allowed(given, [63] * 36) == Board.empty(shape)
    assert as_board(Board(text, shape), given) == Board(text, shape)
    with pytest.raises(ValueError, match="the board has boxes of 3x2, not of 2x3"):
        as_board(Board(text, given), (2, 3))


def test_a_shape_must_fit() -> None:
    with pytest.raises(ValueError, match="4 rows where a 6×6 board has 6"):
        as_board(FOUR_ROWS, "2x3")
    with pytest.raises(ValueError, match="16 cells where a 6×6 board has 36"):
        as_board([0] * 16, "2x3")
    with pytest.raises(BoardError):
        as_board(PUZZLE, "2x3")


@pytest.mark.parametrize("given", [5, 2.5, {2, 3}, b"2x3", object(), Shape, (2.0, 3), ("2", "3")])
def test_what_is_no_shape_is_a_type_error(given: Any) -> None:
    for call in (lambda: as_shape(given), lambda: Board(PUZZLE, given), lambda: Board.empty(given)):
        with pytest.raises(TypeError, match=r'a shape is a Shape, "2x3" or \(2, 3\)|of a box is an integer'):
            call()


@pytest.mark.parametrize("given", ["", "9x9", "nonsense", (2,), (2, 3, 4), (1, 9), []])
def test_a_wrong_shape_is_a_value_error(given: Any) -> None:
    with pytest.raises(ValueError, match=r"shape|box"):
        as_shape(given)


def test_a_board_needs_a_shape_where_nothing_else_tells_it() -> None:
    assert as_shape(None) is None
    with pytest.raises(TypeError, match="not None"):
        Board.empty(None)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ the fast path


def outcome(make: Any, *arguments: Any) -> object:
    """Return the board that a function makes, or its error."""
    try:
        return make(*arguments)
    except BoardError as error:
        return str(error)


def odd_lines() -> list[str]:
    """Return lines that are nearly a board on one line, or one in an odd way."""
    rng = random.Random("odd lines")
    lines = [
        "",
        " ",
        "\n",
        PUZZLE + "\n",
        PUZZLE + "\r\n\n",
        PUZZLE + "\x85",
        f" {PUZZLE}",
        f"\t{PUZZLE}\t",
        f"\ufeff{PUZZLE}",
    ]
    lines += [PUZZLE + " 3.4", PUZZLE + "#x", PUZZLE + ",2", PUZZLE.replace(".", "·"), PUZZLE.replace(".", "-")]
    lines += [
        PUZZLE.replace(".", "X"),
        PUZZLE[:-1],
        PUZZLE + "1",
        "٣" + PUZZLE[1:],
        "\udcff" + PUZZLE[1:],
        f"{PUZZLE}\v{PUZZLE}",
    ]
    for length in (16, 36, 64, 81, 100, 144, 216, 225, 256, 324, 512, 625, 729, 1000, 1296, 4096):
        size = round(length**0.5)
        for symbols in (
            ".",
            "0",
            "1.",
            ".0",
            ".0123456789ABCDEF",
            ".123456789abcdefg",
            SYMBOLS + ".",
            SYMBOLS[:size] + "..",
        ):
            for _ in range(3):
                lines.append("".join(rng.choices(symbols, k=length)))
        cube = round(length ** (1 / 3))
        if cube**3 == length:
            lines.append(SYMBOLS[:cube] * cube**2)
            marks = ["".join(s if rng.random() < 0.5 else "." for s in SYMBOLS[:cube]) for _ in range(cube**2)]
            lines.append("".join(marks))
    return lines + [f"{line}\n" for line in lines[20::5]]


@pytest.mark.parametrize("shape", [None, Shape(3, 2), NINE], ids=str)
def test_a_plain_line_is_what_the_reader_makes_of_it(shape: Shape | None) -> None:
    fast = 0
    warnings.simplefilter("ignore")  # of lines that are pencil marks or a larger board; pytest restores it
    for line in odd_lines():
        expected = outcome(Board.parse, line, shape)
        assert outcome(Board, line, shape) == expected, line
        assert outcome(as_board, line, shape) == expected, line
        fast += plain_cells(line, shape) is not None
    assert fast
