"""Boards with clues, pencil marks and empty masks: what is written is read as the same board, or a remark says so."""

import io
import random
from contextlib import AbstractContextManager, nullcontext

import pytest
from support.boards import MANY_SHAPES
from support.cases import slow_after

from bench.check.targets import forms
from enumerator.board import Board, Shape
from enumerator.board.files import open_boards, read_all
from enumerator.board.reading import parse

MOST_SYMBOLS = 30_000
"""Larger texts take long: other runs of `python -m bench fuzz forms` read them."""

USUAL_SHAPES = [shape for size in range(4, 26) if (shape := Shape.of_size(size))]


def marked(shape: Shape, rng: random.Random, empty_share: float) -> Board:
    """Return a board of random pencil marks; a share of the cells allows no digit."""
    full = (1 << shape.size) - 1
    return Board.from_allowed(
        shape, [0 if rng.random() < empty_share else rng.randint(1, full) for _ in range(shape.cells)]
    )


def remarks_of_python(board: Board) -> AbstractContextManager[object]:
    """Expect a warning from Python if the symbols of a board can also be those of another one."""
    if len(str(board)) not in (4**3, 16**3):
        return nullcontext()
    return pytest.warns(UserWarning, match='symbols: read as the .* shape="')


def test_python_warns_of_symbols_that_are_read_as_another_board() -> None:
    board = Board("1234" * 16, "2x4")
    with pytest.warns(UserWarning, match='marks of a 4×4 board; shape="2x4" reads the clues of an 8×8 board'):
        assert Board(str(board)) != board
    assert Board(str(board), "2x4") == board
    assert eval(repr(board)) == board


@pytest.mark.parametrize("shape", USUAL_SHAPES, ids=str)
@pytest.mark.parametrize("empty_share", [0, 0.02, 0.4, 0.9])
def test_marks_on_one_line_are_the_same_board_or_a_remark_names_the_other_reading(
    shape: Shape, empty_share: float
) -> None:
    board = marked(shape, random.Random(shape.size), empty_share)
    (entry,) = parse([str(board)], "x")
    assert entry.content == board or f"--shape {shape} reads the pencil marks" in str(entry.remarks)
    assert Board.parse(str(board), shape) == board
    assert eval(repr(board)) == board
    if not empty_share:
        with remarks_of_python(board):
            assert Board(str(board)) == board
        with remarks_of_python(board):
            assert list(read_all(io.StringIO(f"{board}\n{board} remark\n"))) == [board, board]


@pytest.mark.parametrize("name", slow_after(9, forms.FORMS))
def test_a_board_of_any_shape_is_read_as_it_is_written_in_every_form(name: str) -> None:
    rng, outcomes = random.Random(name), set[str]()
    for shape in MANY_SHAPES:
        boards = [forms.random_board(shape, rng)]
        if shape.size <= 9:
            boards += [
                Board.empty(shape),
                Board.from_allowed(shape, bytes(shape.cells)),
                forms.random_board(shape, rng),
            ]
        outcomes |= {forms.check_form(name, board) for board in boards if len(str(board)) <= MOST_SYMBOLS}
    is_read = name not in ("fragment", "table of candidates")
    assert ("same" in outcomes) == is_read


def test_another_board_in_silence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board("12" + "." * 14)
    monkeypatch.setitem(forms.FORMS, "str", forms.Form(lambda board: str(board.transposed()), forms.whole))
    with pytest.raises(AssertionError, match="another board in silence"):
        forms.check_form("str", board)


def test_drawings_and_lines_of_our_own_name_their_boxes() -> None:
    board = Board.from_valid(Shape(3, 2), bytes(range(1, 7)) + bytes(30))
    (entry,) = parse(board.grid().splitlines(), "x")
    assert (entry.content, entry.remarks) == (board, ("read with boxes of 3x2, as drawn; --shape 2x3 reads others",))
    assert Board.parse(board.grid(), "2x3").shape == Shape(2, 3)
    for name in ("repr", "JSON", "JSON of the page", "address"):
        text = forms.FORMS[name].write(board)
        assert text
        assert Board.parse(text) == board
        with pytest.raises(ValueError, match="the line names boxes of 3x2, not of 2x3"):
            Board.parse(text, "2x3")


def test_the_rows_of_a_drawn_grid_are_no_pencil_marks() -> None:
    assert forms.check_form("grid", Board("1234" * 64, "2x8")) == "remark"


def test_a_list_of_large_boards_goes_on_to_pencil_marks(tmp_path) -> None:  # type: ignore[no-untyped-def]
    large = Board.from_cells("8x8", bytes(range(1, 65)) + bytes(4032))
    small = marked(Shape(4, 4), random.Random(1), 0)
    path = tmp_path / "boards.txt"
    path.write_text(f"{large}\n{large}\n{small}\n{large}\n")
    assert [entry.content for entry in open_boards(str(path))] == [large, large, small, large]
    path.write_text(f"{large}\n1{'.' * 4095}\n")
    assert [bool(entry.remarks) for entry in open_boards(str(path))] == [False, True]
    assert not any(entry.remarks for entry in open_boards(str(path), Shape(8, 8)))
