"""Several boards on one line: each is answered, or named as an error; solutions, ratings and names are not boards."""

import json
import random

import pytest
from support.boards import PUZZLE

from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, parse
from enumerator.questions.read import MORE_BOARDS, read_first

FULL = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
FORMS = {
    "commas": ",".join,
    "blanks": " ".join,
    "semicolons": "; ".join,
    "bars": " | ".join,
    "tabs": "\t".join,
    "JSON": json.dumps,
    "Python": repr,
}


def entries(text: str, shape: Shape | None = None) -> list[Board | str]:
    found = [entry.content for entry in parse([text], "x", shape)]
    return [str(content) if isinstance(content, BoardError) else content for content in found]


@pytest.mark.parametrize("shape", [Shape.of_size(size) for size in (4, 6, 9, 12, 16, 25)], ids=str)
@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
def test_each_board_of_a_line_is_read(shape: Shape, write) -> None:  # type: ignore[no-untyped-def]
    rng = random.Random(shape.size)
    boards = [
        Board.from_valid(shape, bytes(rng.choice([0, rng.randint(1, shape.size)]) for _ in range(shape.cells)))
        for _ in range(3)
    ]
    assert entries(write([str(board) for board in boards])) == boards
    assert entries(write([str(board) for board in boards]), shape) == boards


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{FULL[:40]}{'.' * 41},{FULL}", 1),
        (f"{FULL},{FULL[:40]}{'.' * 41}", 1),
        (f"7,{FULL},{FULL[:40]}{'.' * 41}", 1),
        (f"{FULL[:40]}{'.' * 41},{FULL},{PUZZLE},4.2", 2),
        (f"{PUZZLE} # not {FULL}", 1),
        (f"{PUZZLE};8.3;1.2;easy;2026-11-18;{'a' * 81}", 1),
        (f"3,{PUZZLE},{PUZZLE}", 2),
    ],
)
def test_solutions_ratings_and_names_are_not_boards(text: str, count: int) -> None:
    assert len(entries(text)) == count


def test_a_faulty_board_on_the_line_is_named() -> None:
    assert entries(f"{PUZZLE},{PUZZLE[:-1]}")[1] == "x:1:83: 80 cells where a 9×9 board has 81"
    assert entries(f"{PUZZLE} {PUZZLE[:-1]}x")[1] == "x:1:163: 'x' is no digit of a 9×9 board"


def test_a_single_board_is_not_the_first_of_several() -> None:
    with pytest.raises(BoardError, match="more than one board"):
        Board(f"{PUZZLE},{FULL}")
    assert read_first(f"{PUZZLE},{FULL}").remarks == (MORE_BOARDS,)


def test_each_link_of_a_line_is_read_once() -> None:
    first, second = Board(PUZZLE), Board(FULL)
    assert entries(f"{first.link('sudokuwiki')} {second.link('fpuzzles')}") == [first, second]
    assert entries(f"{first.link('sudokupad')} or {first.link('fpuzzles')} or https://x.example/y") == [first]
