"""Text to boards: round trips for every shape, every way to write a board, every error."""

import random
import tracemalloc
from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.boards import MANY_SHAPES, PUZZLE, ROWS, SHAPES, full_board, with_holes
from support.cases import slow_after

from bench.common.boards import as_numbers
from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, RowCells, one_line_shape, parse, rows
from enumerator.board.writing import as_drawing


def boards(shapes: list[Shape]) -> st.SearchStrategy[Board]:
    return st.builds(
        lambda shape, seed, share: with_holes(
            full_board(shape, random.Random(seed)), int(share * shape.cells), random.Random(seed)
        ),
        st.sampled_from(shapes),
        st.integers(0, 2**32),
        st.floats(0, 1),
    )


def texts(text: str, shape: Shape | None = None) -> list[Board | BoardError]:
    return [entry.content for entry in parse(text.splitlines(keepends=True), "x.txt", shape)]


# ------------------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_every_shape_is_read_as_it_was_written(shape: Shape) -> None:
    rng = random.Random(f"formats {shape}")
    for holes in (0, shape.cells // 2, shape.cells):
        board = with_holes(full_board(shape, rng), holes, rng)
        for text in (
            str(board),
            as_drawing(board),
            as_drawing(board, ascii=True),
            as_numbers(board),
            as_numbers(board).replace("\n", " "),
        ):
            assert Board.parse(text, shape) == board


@given(boards([shape for shape in SHAPES if Shape.of_size(shape.size) == shape]))
@settings(deadline=None, max_examples=30)
@example(Board.empty(Shape(2, 4)))
@pytest.mark.filterwarnings("ignore:64 symbols")  # they could be the pencil marks of a 4×4 board, too
def test_the_size_follows_from_the_text(board: Board) -> None:
    for text in (str(board), as_drawing(board), as_drawing(board, ascii=True), as_numbers(board)):
        assert Board.parse(text) == board


@given(boards([Shape(3, 3), Shape(2, 3), Shape(3, 4), Shape(4, 4)]), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=100)
def test_decoration_counts_for_nothing(board: Board, rng: random.Random) -> None:
    shape = board.shape
    lines = ["\ufeff# a remark\n"] if rng.random() < 0.5 else []
    empty = rng.choice(".0_*?")
    for row in range(shape.size):
        symbols = str(board)[row * shape.size : (row + 1) * shape.size].replace(".", empty)
        if rng.random() < 0.5:
            symbols = symbols.lower()
        boxes = [symbols[start : start + shape.width] for start in range(0, shape.size, shape.width)]
        style = rng.choice(["plain", "spaced", "boxed", "drawn"])
        if style == "plain":
            line = symbols
        elif style == "spaced":
            line = rng.choice([" ", ", ", ",", "\t"]).join(symbols)
        else:
            bar = " | " if style == "boxed" else "│"
            line = bar.strip() + bar.join(rng.choice(["", " "]).join(box) for box in boxes) + bar
        if row % shape.height == 0:
            lines.append(rng.choice(["", "\n", "------+------\n", "+===+===+\n", "├───┼───┤\n", "# next band\n"]))
        lines.append(line + rng.choice(["\n", "\r\n", "  \n"]))
    assert Board.parse("".join(lines)) == board


@pytest.mark.parametrize("remark", ["", " 7.2 hard", ",534678912672195348", "\t# 30 clues", "; a", " | 1 | 2"])
def test_what_follows_a_board_on_its_line_is_ignored(remark: str) -> None:
    assert texts(f"{PUZZLE}{remark if remark[:1] != ';' else ' ' + remark}\n" * 3) == [Board.parse(PUZZLE)] * 3


def test_rows_of_numbers_may_have_two_figures() -> None:
    rng = random.Random(5)
    board = with_holes(full_board(Shape(4, 4), rng), 128, rng)
    padded = "\n".join(
        " ".join(f"{int(number):02}" for number in row.split()) for row in as_numbers(board).splitlines()
    )
    commas = as_numbers(board).replace(" ", ",")
    assert Board.parse(padded, Shape(4, 4)) == Board.parse(commas) == board


def test_small_letters_mean_the_same_as_capitals_up_to_35_digits() -> None:
    board = full_board(Shape(5, 7), random.Random(3))
    assert Board.parse(str(board).lower(), board.shape) == board


def test_small_letters_are_digits_of_their_own_on_larger_boards() -> None:
    board = Board.parse("a" + "." * 1295)
    assert board.shape == Shape(6, 6)
    assert board.cells[0] == 36


# ---------------------------------------------------------------------------------- which size is it?


def test_sixteen_symbols_are_a_small_board_or_a_row_of_a_large_one() -> None:
    small = Board.parse("1234341221434321")
    assert small.shape == Shape(2, 2)
    assert texts("1234341221434321\n" * 40) == [small] * 40
    assert texts("1...............\n" * 5) == [Board.parse("1...............")] * 5
    assert Board.parse("................\n" * 16).shape == Shape(4, 4)
    assert Board.parse("1234............\n....1234........\n" + "................\n" * 14).shape == Shape(4, 4)
    assert texts("1...............\n" * 16, Shape(2, 2)) == [Board.parse("1...............")] * 16


def test_a_slip_does_not_turn_small_boards_into_a_large_one() -> None:
    first, error, second = texts("12..............\n12X.............\n12............3.\n")
    assert [board.shape for board in (first, second) if isinstance(board, Board)] == [Shape(2, 2)] * 2
    assert str(error) == "x.txt:2:3: 'X' is no digit of a 4×4 board"


def test_sixteen_small_boards_are_not_a_large_one_that_contradicts_itself() -> None:
    lines = [f"{number % 4 + 1}..............." for number in range(16)]
    assert [str(board) for board in texts("\n".join(lines))] == lines


def test_a_small_board_may_have_a_remark_too() -> None:
    assert texts("123434122143.... easy\n" * 2) == [Board.parse("123434122143....")] * 2


def test_numbers_may_be_padded_with_zeros() -> None:
    assert Board.parse(("00 " * 16 + "\n") * 16) == Board.empty(Shape(4, 4))
    rows = [" ".join(f"{number:02}" for number in range(1, 17)), *["00 " * 16] * 15]
    assert Board.parse("\n".join(rows)).cells[:17] == bytes([*range(1, 17), 0])


def test_one_slip_among_sixteen_small_boards_is_named() -> None:
    contents = texts("1...............\n" * 7 + "%...............\n" + "1...............\n" * 8)
    assert [str(content) for content in contents if isinstance(content, BoardError)] == [
        "x.txt:8:1: '%' is no digit of a 4×4 board"
    ]
    assert len(contents) == 16


def test_boxes_apart_are_not_numbers() -> None:
    assert Board.parse("12 34\n34 12\n21 43\n43 21\n") == Board.parse("1234341221434321")
    assert Board.parse("123 456 789\n" + "... ... ...\n" * 8).shape == Shape(3, 3)


def test_one_line_of_numbers_is_a_board() -> None:
    assert Board.parse("1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1") == Board.parse("1234341221434321")
    board = full_board(Shape(4, 4), random.Random(8))
    assert Board.parse(", ".join(map(str, board.cells))) == board


# ------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n".join([*ROWS[:2], "98....X6."]), "x.txt:3:7: 'X' is no digit of a 9×9 board"),
        ("\n".join(["5 3 . | . 7 . | . . .", "6 . . | 1 A 5 | . . ."]), "x.txt:2:11: 'A' is no digit of a 9×9 board"),
        (PUZZLE.replace("8", "x", 1), "x.txt:1:21: 'x' is no digit of a 9×9 board"),
        ("1 2 3 17 " + "0 " * 12 + ("\n" + "0 " * 16) * 15, "x.txt:1:7: '17' is no digit of a 16×16 board"),
        ("½" + PUZZLE[1:], "x.txt:1:1: '½' is no digit of a 9×9 board"),
        ("\x1b" + PUZZLE[1:], r"x.txt:1:1: '\x1b' is no digit of a 9×9 board"),
        ("٣" + PUZZLE[1:], "x.txt:1:1: '٣' is no digit of a 9×9 board"),
        (PUZZLE[:-1], "x.txt:1: 80 cells in a line: neither a row nor the whole of a board"),
        ("5", "x.txt:1: 1 cell in a line: neither a row nor the whole of a board"),
        ("\n".join(ROWS[:-1]), "x.txt:8: 8 rows where a 9×9 board has 9"),
        ("\n".join([ROWS[0], ROWS[1][:-1], *ROWS[2:]]), "x.txt:2: 8 cells where a row of a 9×9 board has 9"),
        ("\n".join([ROWS[0], ROWS[1] + ".", *ROWS[2:]]), "x.txt:2:10: 10 cells where a row of a 9×9 board has 9"),
        ("........", "x.txt:1: 1 row where an 8×8 board has 8"),
    ],
)
def test_errors_say_what_is_wrong_and_where(text: str, message: str) -> None:
    (error,) = texts(text)
    assert isinstance(error, BoardError)
    assert str(error).startswith(message)
    with pytest.raises(BoardError):
        Board.parse(text)


def test_with_a_shape_the_length_must_be_its_length() -> None:
    (error,) = texts(PUZZLE, Shape(2, 3))
    assert str(error) == "x.txt:1:7: 81 cells where a row of a 6×6 board has 6"


def test_a_bad_line_does_not_spoil_the_others() -> None:
    good, bad = Board.parse(PUZZLE), PUZZLE.replace("5", "x")
    first, error, second = texts(f"{PUZZLE}\n{bad}\n{PUZZLE}\n")
    assert (first, second) == (good, good)
    assert str(error) == "x.txt:2:1: 'x' is no digit of a 9×9 board"


def test_after_a_line_of_the_wrong_length_the_next_is_read() -> None:
    good = Board.parse(PUZZLE)
    for odd in (PUZZLE[:-1], PUZZLE + ".", PUZZLE[:40], PUZZLE[:-1] + ";8.3;name"):
        first, error, second = texts(f"{PUZZLE}\n{odd}\n{PUZZLE}\n")
        assert (first, second) == (good, good)
        assert str(error).startswith("x.txt:2")
    error, board = texts(f"{PUZZLE[:-1]}\n{PUZZLE}\n", Shape(3, 3))
    assert board == good


def test_after_a_broken_grid_only_a_line_can_be_trusted() -> None:
    broken = [*ROWS[:4], ROWS[4] + ".", *ROWS[5:]]
    error, skipped, board = texts("\n".join([*broken, *ROWS, PUZZLE]))
    assert str(error).startswith("x.txt:5:10")
    assert str(skipped) == "x.txt:10: 9 rows after a broken grid skipped"
    assert board == Board.parse(PUZZLE)


def test_a_word_in_a_list_is_a_title_with_a_remark() -> None:
    lines = [PUZZLE, "oops", PUZZLE, "", "Part two", PUZZLE]
    entries = list(parse("\n".join(lines).splitlines(keepends=True), "x.txt"))
    assert [(entry.line, len(entry.remarks)) for entry in entries] == [(1, 0), (3, 1), (6, 0)]


def test_a_text_of_prose_holds_no_boards() -> None:
    assert texts("What is this?\n" * 1000) == []
    with pytest.raises(BoardError, match="<text>: no board in it"):
        Board.parse("What is this?\n" * 1000)


def test_any_number_of_faulty_boards_is_an_entry_each() -> None:
    lines = [PUZZLE, *[PUZZLE[:-1]] * 30, PUZZLE]
    first, *errors, last = texts("\n".join(lines))
    assert first == last == Board.parse(PUZZLE)
    assert [error.line for error in errors if isinstance(error, BoardError)] == list(range(2, 32))


def test_a_text_is_one_board_or_an_error() -> None:
    with pytest.raises(BoardError, match="no board in it"):
        Board.parse("# nothing\n\n---+---\n")
    with pytest.raises(BoardError, match="<text>:2: more than one board"):
        Board.parse(f"{PUZZLE}\n{PUZZLE}\n")


# --------------------------------------------------------------------------------------------- a new format


def test_a_new_format_is_one_function_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(tokens: list[str], shape: Shape | None) -> RowCells | None:
        _, mark, board = tokens[0].partition("?board=")
        return RowCells(board, whole=True) if mark and one_line_shape(len(board), shape) else None

    monkeypatch.setattr(rows, "ROW_FORMATS", (link, *rows.ROW_FORMATS))
    assert texts(f"https://example.org/?board={PUZZLE} by me\n{PUZZLE}\n") == [Board.parse(PUZZLE)] * 2


# ------------------------------------------------------------------------------------------------ memory


@pytest.mark.parametrize(
    "line",
    slow_after(1, [PUZZLE, "[1, 2", ROWS[0], "", PUZZLE[:-1], "A title", "12 3 45 6 7 8 9 1 2"]),
)
def test_a_long_file_takes_no_more_memory_than_a_short_one(line: str) -> None:
    def lines(count: int) -> Iterator[str]:
        return repeat(line + "\n", count)

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in parse(lines(count), "x.txt"):
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(200)
    assert peak(1_500) < 2 * peak(200) + 150_000  # whatever other threads have; the lines are more


def test_a_board_of_letters_that_needs_digits_is_refused_with_the_reason() -> None:
    (error,) = texts("ABCDEFGHI........" + "." * 64 + "\n")
    assert str(error) == "x.txt:1:1: 'A' is no digit of a 9×9 board: boards up to 9×9 have digits, not letters"
