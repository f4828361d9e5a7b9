"""The questions of the page over HTTP: answers, progress, stopping, places. A real socket everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import pairwise
from time import monotonic
from typing import Any, NoReturn

import pytest
from support.boards import ALL_9X9, BOARDS, CONTRADICTION, EMPTY, PUZZLE, SOLVED
from support.lateness import Stopwatch
from support.pages import EMPTY_16, Served, needs_web, served
from support.processes import PATIENCE, wait_for

import enumerator as en
from enumerator.board import Board
from enumerator.board.shape import SYMBOLS
from enumerator.page.answers import QUESTIONS, Asked
from enumerator.page.requests import Request
from enumerator.questions.clues import clues, find_superfluous
from enumerator.questions.complete import complete
from enumerator.run.plan import Plan
from enumerator.run.progress import no_progress

pytestmark = needs_web

FOUR = "12343412........"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as server:
        yield server


def test_the_page_has_the_symbols_of_the_library() -> None:
    script = files("enumerator.page").joinpath("static", "board.js").read_text()
    assert f'SYMBOLS = "{SYMBOLS}";' in script


def lines(server: Served, name: str, board: str, **arguments: object) -> list[tuple[float, Any]]:
    """Return the lines of an answer, each with the second in which it came."""
    connection, answer = server.begin(name, board, **arguments)
    started, found = monotonic(), []
    while line := answer.readline():
        found.append((monotonic() - started, json.loads(line)))
    connection.close()
    return found


# ------------------------------------------------------------------------------------------------ answers


def test_a_text_is_read_as_a_board(server: Served) -> None:
    found = server.answer("read", "1 2 | 3 4\n3 4 | 1 2\n----+----\n. . | . .\n. . | . .")
    assert found["text"] == FOUR
    assert (found["shape"], found["size"], found["box"], found["symbols"]) == ("2x2", 4, [2, 2], "1234")
    assert found["cells"] == [1, 2, 3, 4, 3, 4, 1, 2] + [0] * 8
    assert found["allowed"] is None
    assert found["messages"] == []


@pytest.mark.parametrize(
    ("text", "shape"), [("." * 36, "3x2"), ("." * 4096, "8x8"), (str(en.Board.empty("4x5")), None)]
)
def test_what_was_read_is_read_again_as_the_same_board(server: Served, text: str, shape: str | None) -> None:
    found = server.answer("read", text, shape=shape)
    assert server.answer("read", found["text"], shape=found["shape"]) == found


def test_pencil_marks_are_read_and_read_again(server: Served) -> None:
    board = en.Board.from_allowed("2x2", [0b0001, 0b0110] + [0b1111] * 14)
    found = server.answer("read", str(board))
    assert found["allowed"][:3] == [[1], [2, 3], [1, 2, 3, 4]]
    (remark,) = found["messages"]
    assert "--shape 2x4 reads the clues of an 8×8 board" in remark
    assert server.answer("read", found["text"], shape=found["shape"]) == {**found, "messages": []}
    assert server.answer("count", found["text"])["solutions"] == str(en.count(board))


def test_what_is_not_a_board_is_told_with_its_place(server: Served) -> None:
    last = server.ask("read", "1234\n34x2\n....\n....")
    assert (last["kind"], last["code"]) == ("error", "board")
    assert last["message"].startswith("line 2, column 3: 'x' is no digit")


def test_the_first_board_of_a_text_is_read_and_a_message_says_so(server: Served) -> None:
    found = server.answer("read", f"{PUZZLE}\n{SOLVED}\n")
    assert found["text"] == PUZZLE
    assert "more than one board" in found["messages"][0]
    assert server.answer("read", f"{PUZZLE}\n{PUZZLE[:-1]}x\n")["messages"] == ["the text below the board is not read"]


@pytest.mark.parametrize("name", sorted(path.stem for path in BOARDS.glob("*.txt")))
def test_a_count_and_a_verdict_are_those_of_the_library(server: Served, name: str) -> None:
    board = en.read(BOARDS / f"{name}.txt")
    assert server.answer("count", str(board), shape=str(board.shape))["solutions"] == str(en.count(board))
    assert server.answer("classify", str(board), shape=str(board.shape))["verdict"] == en.classify(board)


def test_large_integers_are_strings(server: Served) -> None:
    assert server.answer("count", EMPTY)["solutions"] == str(ALL_9X9)
    found = server.answer("candidates", EMPTY)
    assert found["solutions"] == str(ALL_9X9)
    assert found["candidates"][0] == [str(ALL_9X9 // 9)] * 9


def test_conflicts_are_named_with_their_cells(server: Served) -> None:
    found = server.answer("classify", CONTRADICTION)
    assert found["verdict"] == "none"
    conflict = {"sentence": "row 1 holds 5 twice, at r1c1 and r1c5", "cells": [0, 4], "symbol": "5", "unit": "row 1"}
    assert found["conflicts"] == [conflict]


def test_a_unique_board_has_its_solution(server: Served) -> None:
    assert server.answer("classify", PUZZLE)["solution"] == SOLVED
    assert server.answer("solve", PUZZLE) == {"solution": SOLVED}
    assert server.answer("count", PUZZLE)["solution"] == SOLVED


def test_solutions_are_numbered_from_one(server: Served) -> None:
    all_four = [server.answer("nth", FOUR, n=str(n))["solution"] for n in range(1, 5)]
    assert all_four == [str(solution) for solution in en.solutions(FOUR)]
    last = server.ask("nth", FOUR, n="5")
    assert (last["kind"], last["code"]) == ("error", "no such solution")


def test_samples_are_those_of_the_library(server: Served) -> None:
    found = server.answer("sample", EMPTY, number=3, seed=7)
    assert found["solutions"] == [str(solution) for solution in en.sample(EMPTY, 3, seed=7)]


def test_an_estimate_is_of_the_right_size(server: Served) -> None:
    found = server.answer("estimate", EMPTY_16, seconds=0.5)
    assert 1e90 < found["estimated_solutions"]["mean"] < 1e110
    assert not found["exact"]


def test_clues_and_what_to_add_are_those_of_the_library(server: Served) -> None:
    for name, expected in (("clues", clues(Board(FOUR), Plan())), ("complete", complete(Board(FOUR), Plan()))):
        found = server.answer(name, FOUR)
        assert {**found, "seconds": None} == {**expected.to_dict(), "seconds": None}


def test_unavoidable_sets_are_those_of_the_library(server: Served) -> None:
    found, expected = server.answer("unavoidable", PUZZLE), en.unavoidable(PUZZLE)
    assert {**found, "seconds": None} == {**expected.to_dict(), "seconds": None}
    assert server.ask("unavoidable", FOUR)["code"] == "multiple"


def test_superfluous_clues_are_those_of_the_library(server: Served) -> None:
    expected = find_superfluous(Board(PUZZLE), Plan()).to_dict()
    found = server.answer("superfluous", PUZZLE)
    assert found["complete"]
    assert found["clues"] == expected["clues"]
    assert server.ask("superfluous", FOUR)["code"] == "multiple"


@pytest.mark.parametrize(("board", "code"), [(FOUR, "multiple"), (CONTRADICTION, "none")])
def test_a_board_without_a_single_solution_is_not_solved(server: Served, board: str, code: str) -> None:
    last = server.ask("solve", board)
    assert (last["kind"], last["code"]) == ("error", code)


@pytest.mark.slow
def test_a_count_that_takes_too_long_has_a_bound_and_an_estimate(server: Served) -> None:
    found = server.answer("count", EMPTY_16, seconds=1)
    assert not found["complete"]
    assert int(found["solutions"]) > 0
    assert found["estimated_solutions"]["mean"] > 1e90


def test_other_questions_that_take_too_long_say_so(server: Served) -> None:
    last = server.ask("candidates", EMPTY_16, seconds=0.5)
    assert (last["kind"], last["answer"]) == ("stopped", None)
    assert last["message"].startswith("the candidates are not counted after 0.5 s: there are at least ")


@pytest.mark.parametrize("board", [en.Board(text) for text in (PUZZLE, EMPTY, CONTRADICTION)], ids=str)
def test_a_canonical_form_is_that_of_the_library(server: Served, board: en.Board) -> None:
    check_form(server, board)


def test_a_canonical_form_of_pencil_marks_is_that_of_the_library(server: Served) -> None:
    check_form(server, en.Board.from_allowed("2x2", [3] + [15] * 15))


def check_form(server: Served, board: en.Board) -> None:
    expected = en.canonical(board).to_dict()
    found = server.answer("canonical", str(board))
    assert {**found, "seconds": None} == {**expected, "seconds": None}


def test_a_canonical_form_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def search_for_ever(board: Board, look: Callable[[], object]) -> NoReturn:  # noqa: ARG001 - a `find_form`
        while True:
            look()

    monkeypatch.setattr("enumerator.questions.canonical.find_form", search_for_ever)
    request = Request(json.dumps({"board": EMPTY_16, "seconds": 0.05}).encode())
    ask = QUESTIONS["canonical"].ask
    assert ask
    with pytest.raises(en.OutOfTimeError, match=r"the canonical form is not found after 0.05 s"):
        ask(Asked(request, request.read(), Plan(), no_progress))


# ------------------------------------------------------------------------------------------------ streams


@pytest.mark.slow
def test_progress_comes_at_most_ten_times_a_second_and_one_line_ends_it(server: Served) -> None:
    told = lines(server, "count", EMPTY_16, seconds=1)
    kinds = [line["kind"] for _, line in told]
    assert set(kinds[:-1]) <= {"progress", "heartbeat"}
    assert kinds[-1] == "answer"
    assert 3 <= kinds.count("progress") <= 13
    progress = [line for _, line in told if line["kind"] == "progress"]
    assert all(int(one["solutions"]) <= int(next_one["solutions"]) for one, next_one in pairwise(progress))
    assert {type(one["effort"]) for one in progress} == {str}


@pytest.mark.slow
def test_a_closed_connection_stops_the_question_within_a_second(server: Served) -> None:
    for name in ("count", "candidates", "nth", "sample", "estimate"):
        arguments = {"n": "1" + "0" * 30} if name == "nth" else {"seconds": 60}
        connection, answer = server.begin(name, EMPTY_16, **arguments)
        assert json.loads(answer.readline())["kind"] in ("progress", "heartbeat")
        assert server.is_at_work(PATIENCE)
        answer.close()
        connection.close()
        assert server.seconds_to_rest() < 1, name


@pytest.mark.slow
def test_a_closed_connection_also_stops_the_estimate_after_a_count(server: Served) -> None:
    connection, answer = server.begin("count", EMPTY_16, seconds=2.5)
    started = monotonic()
    while monotonic() - started < 1.2:  # the count ends after 1 s
        assert json.loads(answer.readline())["kind"] in ("progress", "heartbeat")
    assert server.is_at_work(PATIENCE)
    answer.close()
    connection.close()
    assert server.seconds_to_rest() < 1


@pytest.mark.slow
def test_two_heavy_questions_are_at_work_and_others_are_told_so(server: Served) -> None:
    busy = [server.begin("count", EMPTY_16) for _ in range(2)]
    for _, answer in busy:
        answer.readline()
    status, refused = server.post("count", json.dumps({"board": EMPTY_16}))
    assert (status, refused["kind"], refused["code"]) == (503, "error", "busy")
    with Stopwatch() as watch:
        assert server.answer("classify", PUZZLE)["verdict"] == "unique"
        assert server.answer("solve", PUZZLE)["solution"] == SOLVED
    assert watch.seconds < 1
    busy[0][1].close()
    busy[0][0].close()
    assert wait_for(lambda: server.ask("count", EMPTY)["kind"] == "answer")
    busy[1][1].close()
    busy[1][0].close()
    assert server.seconds_to_rest() < 1


@pytest.mark.slow
def test_a_question_follows_one_that_is_being_stopped(server: Served) -> None:
    """An edit stops two questions and asks two others at once: neither is told that the server is busy."""
    for _ in range(3):
        asked = [server.begin("count", EMPTY_16), server.begin("candidates", EMPTY_16)]
        assert [answer.status for _, answer in asked] == [200, 200]
        for connection, answer in asked:
            answer.close()
            connection.close()
    assert server.seconds_to_rest() < 1


@pytest.mark.slow
def test_no_process_is_started_for_a_count(server: Served) -> None:
    connection, answer = server.begin("count", EMPTY_16)
    for _ in range(8):  # 0.8 s: the command would have started processes
        answer.readline()
    assert not server.children
    answer.close()
    connection.close()
