"""Puzzles of the page's server: made, made minimal, refused, stopped. A real socket everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.boards import CONTRADICTION, EMPTY, PUZZLE, SOLVED
from support.pages import JSON, Served, needs_web, served
from support.plain_solver import is_minimal, is_unique
from support.processes import PATIENCE

import enumerator as en
from enumerator.board import Board
from enumerator.questions.levels import find_level

pytestmark = needs_web


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as server:
        yield server


def last_line(server: Served, **arguments: object) -> Any:
    """Ask for puzzles, and return the last line of the answer."""
    return server.post("generate", json.dumps(arguments))[1]


def make(server: Served, **arguments: object) -> Any:
    """Ask for puzzles that can be had."""
    last = last_line(server, **arguments)
    assert last["kind"] == "answer", last
    return last["answer"]


def test_a_puzzle_is_minimal_unless_a_number_of_clues_is_asked_for(server: Served) -> None:
    found = make(server, seed=3)
    (puzzle,) = found["puzzles"]
    assert (found["box"], found["seed"], found["complete"]) == ([3, 3], "3", True)
    assert is_minimal(Board(puzzle["board"]).cells, 3, 3)
    assert puzzle["clues"] == 81 - puzzle["board"].count(".")


def test_four_puzzles_are_as_they_were_asked_for(server: Served) -> None:
    asked = {"shape": "3x3", "clues": "28", "symmetry": "180", "level": "pairs"}
    found = make(server, number=4, seed=5, **asked)
    boards = [puzzle["board"] for puzzle in found["puzzles"]]
    assert len(set(boards)) == 4
    for board in boards:
        empty = [symbol == "." for symbol in board]
        assert empty == empty[::-1]
        assert empty.count(False) == 28
        assert is_unique(Board(board).cells, 3, 3)
        assert find_level(Board(board)) == "pairs"
    assert {puzzle["level"] for puzzle in found["puzzles"]} == {"pairs"}


def test_a_seed_makes_the_puzzles_of_the_library(server: Served) -> None:
    found = make(server, shape="2x3", number=3, seed=1)
    assert [puzzle["board"] for puzzle in found["puzzles"]] == [str(b) for b in en.generate(3, shape="2x3", seed=1)]
    other = make(server, shape="2x3", number=3, level=None, clues=None)
    assert make(server, shape="2x3", number=3, seed=other["seed"]) == other, "a random seed is in the answer"


def test_a_large_puzzle_with_many_clues_has_one_solution(server: Served) -> None:
    found = make(server, shape="5x5", clues=400, seed=1)
    board = Board(found["puzzles"][0]["board"], "5x5")
    assert found["box"] == [5, 5]
    assert board.shape.cells - board.empty_cells == 400
    assert is_unique(board.cells, 5, 5)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"board": PUZZLE}, "puzzles are made of random solutions: leave out board"),
        ({"clues": 0}, "clues must be an integer of at least 1"),
        ({"clues": "many"}, "clues must be an integer of at least 1"),
        ({"clues": 82}, "a puzzle of 81 cells cannot have 82 clues"),
        ({"clues": 26, "symmetry": "90"}, "no pattern with the symmetry 90 has 26 clues"),
        ({"symmetry": 180}, "symmetry must be one of none, 180, 90, mirror, diagonal"),
        ({"level": "hard"}, "level must be one of singles, pairs, more"),
        ({"number": 101}, "number must be an integer of at least 1 and 100 at most"),
        ({"seed": "x"}, "seed must be an integer of at least 0"),
        ({"seconds": 61}, "seconds must be a number greater than 0, and 60 at most"),
        ({"shape": "6x6"}, "puzzles up to 25×25 are made"),
        ({"shape": 9}, 'shape must be a string, such as "3x3"'),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(server: Served, asked: dict[str, object], message: str) -> None:
    assert last_line(server, **asked) == {"kind": "error", "code": "request", "message": message}


def test_what_is_not_made_in_time_is_said_and_what_was_made_is_kept(server: Served) -> None:
    last = last_line(server, clues=17, seconds=0.2)
    assert (last["kind"], last["answer"]) == ("stopped", None)
    assert last["message"].startswith("no such puzzle was made after 0.2")
    found = make(server, shape="5x5", clues=420, number=100, seconds=0.5, seed=1)
    assert not found["complete"]
    assert 0 < len(found["puzzles"]) < 100


def test_a_minimal_puzzle_inside_a_board(server: Served) -> None:
    found = server.answer("minimal", SOLVED, seed=1)
    assert is_minimal(Board(found["puzzle"]).cells, 3, 3)
    assert found["clues"] == 81 - found["puzzle"].count(".")
    assert (found["removed"], found["seed"]) == (81 - found["clues"], "1")
    assert all(symbol in (".", solved) for symbol, solved in zip(found["puzzle"], SOLVED, strict=True))
    again = server.answer("minimal", found["puzzle"])
    assert (again["puzzle"], again["removed"]) == (found["puzzle"], 0)


@pytest.mark.parametrize(
    ("board", "code", "message"),
    [
        (EMPTY, "multiple", "the board has several solutions"),
        (CONTRADICTION, "none", "the board has no solution: row 1 holds 5 twice"),
        (str(Board.from_allowed("2x2", [0b0011] + [0b1111] * 15)), "request", "clues cannot be removed from a board"),
    ],
)
def test_a_board_without_one_solution_is_not_made_minimal(server: Served, board: str, code: str, message: str) -> None:
    last = server.ask("minimal", board, seed=1)
    assert (last["kind"], last["code"]) == ("error", code)
    assert last["message"].startswith(message)


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"clues": 17}, {"shape": "5x5"}], ids=["17 clues", "25x25"])
def test_a_closed_connection_stops_the_making_within_two_seconds(server: Served, asked: dict[str, object]) -> None:
    connection = server.connect()
    connection.request("POST", "/api/generate", json.dumps(asked), JSON)
    answer = connection.getresponse()
    assert json.loads(answer.readline())["kind"] in ("progress", "heartbeat")
    assert server.is_at_work(PATIENCE)
    answer.close()
    connection.close()
    assert server.seconds_to_rest() < 2


def test_a_puzzle_from_the_page_has_the_solution_of_its_board(server: Served) -> None:
    found = server.answer("minimal", PUZZLE)
    assert server.answer("solve", found["puzzle"]) == {"solution": SOLVED}
