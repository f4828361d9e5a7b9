"""Texts that can be read in several ways: the reading that is chosen, and why."""

import pytest
from support.boards import PUZZLE, ROWS

from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, parse
from enumerator.board.writing import as_drawing

EMPTY_ROW = "." * 9
FULL = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


def readings(text: str, shape: Shape | None = None) -> list[str]:
    """Return what a text is read as: a size for each board, with `+` if it has pencil marks, or `error`."""
    found = []
    for entry in parse(text.splitlines(keepends=True), "x", shape):
        if isinstance(entry.content, BoardError):
            found.append("error")
        else:
            size = entry.content.shape.size
            found.append(f"{size}×{size}" + "+" * (entry.content.allowed is not None))
    return found


def grid(*rows: str) -> str:
    return "\n".join(rows) + "\n"


CASES = {
    # 16, 36 and 64 symbols: a row of a large board, or the whole of a small one
    "16 symbols": ("1" + "." * 15, ["4×4"], "one line is a board: a row alone would be an error"),
    "15 lines of 16": (grid(*["." * 16] * 15), ["4×4"] * 15, "too few rows for a large board"),
    "16 lines of 16": (grid(*["." * 16] * 16), ["16×16"], "a file of exactly one large board; a remark says so"),
    "16 lines that contradict": (
        grid(*["1" + "." * 15] * 16),
        ["4×4"] * 16,
        "as a large board, column 1 holds 1 16 times",
    ),
    "17 lines of 16": (grid(*["." * 16] * 17), ["4×4"] * 17, "a row would be left over; a remark says so"),
    "16 lines with F": (grid(*["." * 15 + "F"] * 8, *["." * 16] * 8), ["16×16"], "4×4 has no F"),
    "32 lines with F": (grid(*["." * 16] * 31, "." * 15 + "F"), ["16×16"] * 2, "4×4 has no F"),
    "one slip": (
        grid(*["1" + "." * 15] * 15, "1A" + "." * 14),
        ["4×4"] * 15 + ["error"],
        "one A among boards that contradict as rows is a slip",
    ),
    "16 numbers": ("1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1", ["4×4"], "as for symbols"),
    # 64, 4096 and split size³ symbols: pencil marks, or boards
    "64 marks": (
        "1234" * 16,
        ["4×4"],
        "every group of 4 has a digit at its place; all digits allowed is no restriction",
    ),
    "64 marks, restricted": ("12.." + "1234" * 15, ["4×4+"], "as an 8×8 board, columns would hold a digit many times"),
    "64 symbols with an empty group": (
        "...." + "1234" * 15,
        ["4×4+"],
        "as an 8×8 board, columns would hold a digit many times; a remark says so",
    ),
    "64 symbols with most groups empty": (
        "1" + "." * 63,
        ["8×8"],
        "as marks, cells without a digit: a remark says so",
    ),
    "64 lines that begin like marks": (
        grid("1" + "." * 63, *["." * 64] * 63),
        ["64×64"],
        "a file of exactly one large board",
    ),
    "4,096 marks": (
        ("12" + "." * 14) + "123456789ABCDEFG" * 255,
        ["16×16+"],
        "as a 64×64 board, columns would hold a digit many times",
    ),
    "lists of 4,096 marks": (
        grid(*[("12" + "." * 14) + "123456789ABCDEFG" * 255] * 3),
        ["16×16+"] * 3,
        "each line is read as the first",
    ),
    "4,096 symbols with most groups empty": ("1" + "." * 4095, ["64×64"], "a remark says so"),
    "16 lines of 4 marks": (grid(*["12.."] * 16), ["4×4+"], "as boards they contradict themselves; a remark says so"),
    "9 lines of 81 marks": (
        grid("12" + "." * 7 + "123456789" * 8, *["123456789" * 9] * 8),
        ["9×9+"],
        "as boards they contradict themselves",
    ),
    "9 lines of 81 diagonals": (
        grid(*["1" + ".........2.........3.........4.........5.........6.........7.........8.........9"] * 9),
        ["9×9"] * 9,
        "each line is a board without contradiction",
    ),
    # several digits side by side: pencil marks, numbers or boxes
    "boxes apart": (grid(*["12 34", "34 12", "21 43", "43 21"]), ["4×4"], "two words are no row of numbers or marks"),
    "numbers to 16": (grid(*[" ".join(map(str, range(1, 17)))] * 16), ["16×16"], "all words are numbers up to 16"),
    "numbers that contradict": (
        grid("16 16 " + "0 " * 14, *["0 " * 16] * 15),
        ["16×16"],
        "all words are numbers up to 16: a contradiction does not make them marks",
    ),
    "marks like numbers": (grid("12 3 45 6 7 8 9 1 2", *["1 2 3 4 5 6 7 8 9"] * 8), ["9×9+"], "9×9 has no 12"),
    "marks like a line": (
        grid(*[" ".join(["123456789"] * 9)] * 9),
        ["9×9"],
        "as one-line boards they contradict themselves; no cell is restricted",
    ),
    # a line of digits and signs: a title, or a faulty row
    "number above a grid": (grid("0001", *ROWS), ["9×9"], "a row of 4 is none of the board below"),
    "row of 8 above a grid": (
        grid(ROWS[0][:8], *ROWS),
        ["error"] * 2,
        "nearly a row: rather a fault, and the grid may lack a row",
    ),
    "number above a line": (grid("17", PUZZLE), ["9×9"], "it numbers or counts the boards"),
    "80 symbols above a line": (
        grid(PUZZLE[:-1], PUZZLE),
        ["error", "9×9"],
        "nearly a board: lines of output stay aligned",
    ),
    "40 symbols in a list": (grid(PUZZLE, PUZZLE[:40], PUZZLE), ["9×9", "error", "9×9"], "mostly signs of a board"),
    "words in a list": (grid(PUZZLE, "second part", PUZZLE), ["9×9", "9×9"], "mostly letters: a title"),
    "a word of 16 letters": (grid("Characterization", PUZZLE), ["9×9"], "no letter is a digit of 4×4"),
    "9 letters": (grid("My riddle", *ROWS), ["9×9"], "no letter is a digit of 9×9"),
    # signs for empty
    "ruler of 9 dashes": (
        grid(*ROWS[:3], "-" * 9, *ROWS[3:]),
        ["9×9"],
        "the board has 9 rows without it, and `.` is empty",
    ),
    "row of 9 dashes": (
        grid(*[row.replace(".", "-") for row in ROWS[:4]], "-" * 9, *[row.replace(".", "-") for row in ROWS[5:]]),
        ["9×9"],
        "`-` is empty in the other rows, of which there are 8",
    ),
    "one X in a full grid": (FULL.replace("5", "X", 1), ["error"], "one X is a slip"),
    "X for every empty cell": (PUZZLE.replace(".", "X"), ["9×9"], "no other sign is there, and it is in many cells"),
    "X and dots": (PUZZLE.replace(".", "X", 1), ["error"], "`.` is the sign for empty"),
    "blanks, 8 rows of 9 characters": (grid(*["1234 5678"] * 8), ["8×8"], "as rows of 8 symbols there is a board"),
    "0 and dot on 16×16": (
        grid("0" + "." * 15, *["." * 16] * 14, "1" + "." * 15),
        ["16×16"],
        "hexadecimal; a remark says so",
    ),
    # tables
    "commas and empty fields": (
        grid(*["1,2,,,,,,,"] + [",,,,,,,,"] * 8),
        ["9×9"],
        "nine fields a line, not two symbols",
    ),
    "two boards a line": (f"{PUZZLE},{EMPTY_ROW * 9}", ["9×9"] * 2, "words of 81 symbols are boards"),
    "a puzzle and its solution": (
        f"{FULL[:40]}{'.' * 41},{FULL}",
        ["9×9"],
        "the second is the solution in the tables that people publish",
    ),
    "a solution of another puzzle": (f"{PUZZLE},{FULL}", ["9×9"] * 2, "it has other clues"),
    "two spaced grids": (
        grid(
            *["1 3 2 | 4 6 5", "4 6 5 | 1 3 2", "3 1 4 | 5 2 6", "2 5 6 | 3 4 1", "5 2 3 | 6 1 4", "6 4 1 | 2 5 3"] * 2
        ),
        ["6×6"] * 2,
        "blanks between all cells are no empty cells of a 12×12 board",
    ),
    # gaps
    "8 rows, gap, 9 rows": (grid(*ROWS[:8], "", *ROWS), ["error", "9×9"], "the first grid lacks a row"),
    "9 rows apart": ("\n\n".join(ROWS), ["9×9"], "a gap below every row means nothing"),
    "two grids without a gap": (grid(*ROWS, *ROWS), ["9×9"] * 2, "nine rows each"),
}


@pytest.mark.parametrize(("text", "chosen", "why"), CASES.values(), ids=CASES)
def test_an_ambiguous_text_is_read_as_it_is_most_likely_meant(text: str, chosen: list[str], why: str) -> None:
    assert readings(text) == chosen, why


def test_shape_chooses_the_other_reading() -> None:
    assert readings(grid(*["." * 16] * 16), Shape(2, 2)) == ["4×4"] * 16
    assert readings(grid(*["." * 16] * 32), Shape(4, 4)) == ["16×16"] * 2
    assert readings("...." + "1234" * 15, Shape(2, 2)) == ["4×4+"]


def test_hexadecimal_digits_are_named_in_a_remark() -> None:
    text = grid("0123456789ABCDEF", *["." * 16] * 15)
    (entry,) = parse(text.splitlines(), "x")
    assert isinstance(entry.content, Board)
    assert entry.content.cells[:16] == bytes(range(1, 17))
    assert [remark.partition(":")[0] for remark in entry.remarks] == ["read as hexadecimal"]
    for other in (text.replace("F", "G"), text.replace(".", "0"), text.replace("0", ".")):
        assert not [entry.remarks for entry in parse(other.splitlines(), "x") if "hexadecimal" in str(entry.remarks)]


def test_rows_of_a_grid_are_not_lost_behind_a_title() -> None:
    text = "".join(f"Grid {number:02}\n{as_drawing(Board.parse(PUZZLE))}\n" for number in range(1, 51))
    entries = list(parse(text.splitlines(), "x"))
    assert [entry.content for entry in entries] == [Board.parse(PUZZLE)] * 50
    assert [entry.line for entry in entries] == list(range(3, 701, 14))


def letters(size: int, first: str) -> str:
    """Return a full row of letters alone from `first` on, and empty rows below."""
    return grid("".join(chr(ord(first) + at) for at in range(size)), *["." * size] * (size - 1))


@pytest.mark.parametrize("size", [10, 16, 25])
def test_letters_without_digits_begin_with_a_as_1_and_a_remark_says_so(size: int) -> None:
    (entry,) = parse(letters(size, "A").splitlines(), "x")
    assert isinstance(entry.content, Board)
    assert entry.content.cells[:size] == bytes(range(1, size + 1))
    assert [remark.partition(":")[0] for remark in entry.remarks] == [f"read as letters A to {chr(64 + size)}"]
    mixed = letters(size, "A").replace("".join(map(chr, range(65, 65 + size))), "1A" + "." * (size - 2))
    (entry,) = parse(mixed.splitlines(), "x")
    assert isinstance(entry.content, Board)
    assert (entry.content.cells[:2], entry.remarks) == (b"\1\12", ())


def test_what_this_program_writes_is_not_taken_for_letters_alone() -> None:
    board = Board.empty(Shape(4, 4)).with_clue(0, 0, 10).with_clue(1, 4, 16)
    assert Board(str(board)) == board


def test_a_wrong_letter_is_named_with_the_letters_of_the_board() -> None:
    text = letters(25, "A").replace("Y", "Z", 1)
    (entry,) = parse(text.splitlines(), "x", Shape(5, 5))
    assert str(entry.content) == "x:1:25: 'Z' is none of the letters A to Y of a 25×25 board"
