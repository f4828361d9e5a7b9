"""Verified counts: a board is counted in another way, and an engine that is wrong is found out."""

from __future__ import annotations

import json
import random
import re
import signal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import CONTRADICTION, NINE, PUZZLE, SOLVED, UNSOLVABLE, board, board_file, random_board, transpose
from support.counts import assert_count
from support.ledgers import restless_plan as plan
from support.processes import Run, assert_mistake, reports, seconds_of_work, started, wait_for
from support.runs import RESTLESS

from bench.common import reference
from enumerator.board import Shape
from enumerator.engines import contraction, search
from enumerator.engines.walks import WalkCounting
from enumerator.questions import verify
from enumerator.run.endings import RunLostError

PACING = RESTLESS


@cache
def walked_slowly(name: str) -> int:
    """Return the number of solutions of a board, by a walk that shares nothing with the engines."""
    return reference.count(board(name))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    shape=st.sampled_from([Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE, Shape(2, 4), Shape(4, 3)]),
    seed=st.integers(0, 999),
    engine=st.sampled_from(["search", "contraction"]),
)
def test_a_board_has_as_many_solutions_in_another_way(shape: Shape, seed: int, engine: str) -> None:
    one = random_board(shape, random.Random(seed), 50)
    expected = reference.count(one)
    engine = engine if contraction.supports(shape) else "search"
    again = verify.verify(one, engine, expected, plan())
    assert (again.solutions, sum(count for _, count in again.parts)) == (expected, expected)
    assert again.way.split(",")[0] != engine or not contraction.supports(shape)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    shape=st.sampled_from([Shape(2, 2), Shape(2, 3), NINE, Shape(3, 4)]),
    seed=st.integers(0, 999),
    most=st.integers(1, 80),
)
def test_the_parts_of_a_board_have_its_solutions_between_them(shape: Shape, seed: int, most: int) -> None:
    one = random_board(shape, random.Random(seed), most)
    assert one.transposed() == transpose(one)
    parts = list(verify.split(one.transposed()))
    assert_count(one, sum(map(search.count, parts)), search.count)
    filled = {
        tuple(cell for cell, digit in enumerate(part.cells) if digit != transpose(one).cells[cell]) for part in parts
    }
    assert len(filled) == 1  # all of them in the same cell, or, for a full board, in none
    assert len(filled.pop()) == min(1, one.empty_cells)


@pytest.mark.parametrize(
    ("name", "engine", "way"),
    [
        ("4x4-many", "search", "contraction"),
        ("6x6-many", "contraction", "search"),
        ("1a", "auto", "contraction"),
        ("1c", "contraction", "search"),
        pytest.param("1c", "learning", "search", marks=pytest.mark.slow),
        ("16x16-unique", "auto", "learning"),
        ("25x25-unique", "learning", "search"),
        ("25x25-many", "search", "learning"),
    ],
)
def test_boards_of_every_kind_are_verified(ask: Run, tmp_path: Path, name: str, engine: str, way: str) -> None:
    done = ask(board_file(name), "--engine", engine, "--verify", "--json", "--cores", "2")
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (answer["verified"]["way"], answer["verified"]["agrees"]) == (way, True)
    assert answer["verified"]["solutions"] == answer["solutions"]
    assert list(tmp_path.iterdir()) == []


def test_a_count_that_no_other_engine_can_repeat_is_split() -> None:
    one = board("16x16-many")
    solutions = search.count(one)
    again = verify.verify(one, "search", solutions, plan(), most_visited=solutions - 1)
    assert (again.way, again.solutions) == ("search, rows for columns and one cell split", solutions)


def test_where_there_is_too_much_to_walk_the_sum_is_split() -> None:
    expected = search.count(board("1c"))
    again = verify.verify(board("1c"), "contraction", expected, plan(), most_visited=100_000)
    assert again.way == "contraction, rows for columns and one cell split"
    assert again.solutions == sum(count for _, count in again.parts) == expected


@pytest.mark.parametrize("cells", [PUZZLE, SOLVED, UNSOLVABLE, CONTRADICTION, "1" * 256, "." * 16])
@pytest.mark.parametrize("engine", ["search", "auto"])
def test_boards_without_a_solution_are_verified_too(ask: Run, tmp_path: Path, cells: str, engine: str) -> None:
    (tmp_path / "board.txt").write_text(cells)
    expected = {PUZZLE: "1", SOLVED: "1", "." * 16: "288"}.get(cells, "0")
    done = ask("board.txt", "--verify", "--json", "--engine", engine)
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (answer["solutions"], answer["verified"]["solutions"]) == (expected, expected)


def test_verify_says_so_in_words_and_goes_with_a_ledger(ask: Run) -> None:
    for _ in range(2):
        done = ask(board_file("1b"), "--engine", "search", "--verify", "--checkpoint", "ledger")
        assert re.search(r"^  verified        contraction: agrees, [\d.]+ s$", done.stdout, re.MULTILINE)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def wrong_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search find one solution too many."""
    real = search.Search.begin

    def begin(self: search.Search, *arguments: Any, **options: Any) -> WalkCounting:
        counting = real(self, *arguments, **options)
        counting.solutions += 1
        return counting

    monkeypatch.setattr(search.Search, "begin", begin)


@pytest.mark.parametrize(
    ("wrong", "engine", "errs"),
    [("wrong_sum", "contraction", 1), ("wrong_sum", "search", 0), ("wrong_walk", "search", 1)],
)
def test_an_engine_that_is_wrong_is_found_out(
    ask: Run, tmp_path: Path, request: pytest.FixtureRequest, wrong: str, engine: str, errs: int
) -> None:
    right = walked_slowly("2b")
    request.getfixturevalue(wrong)
    other = {"search": "contraction", "contraction": "search"}[engine]
    figures = {engine: right + errs, other: right + 1 - errs}
    done = ask(board_file("2b"), "--engine", engine, "--verify", "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert (answer["solutions"], answer["verified"]["solutions"]) == (str(figures[engine]), str(figures[other]))
    assert answer["verified"]["agrees"] is False
    assert done.stderr.count("\n") == 1
    said = (
        f"the counts do not agree: {figures[engine]} solutions by {engine}, {figures[other]} by {other}; a report is in"
    )
    assert said in done.stderr
    (report,) = reports(tmp_path)
    assert report["board"] == str(board("2b"))
    assert report["count"]["solutions"] == str(figures[engine])
    assert report["again"] == [{"board": str(board("2b")), "solutions": str(figures[other])}]
    assert f"{next(tmp_path.glob('*.json')).name}; please pass it on\n" in done.stderr


@pytest.mark.usefixtures("wrong_sum")
def test_an_engine_that_is_wrong_is_said_in_words(ask: Run, tmp_path: Path) -> None:
    done = ask(board_file("1a"), "--verify")
    assert done.returncode == 1
    assert "verified        contraction: says 2: ONE OF THEM IS WRONG" in done.stdout
    assert len(reports(tmp_path)) == 1


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted: this count is not verified"),
        (RunLostError("a worker was lost"), 1, "a worker was lost; this count is not verified"),
    ],
)
def test_a_count_that_could_not_be_verified_is_not_lost(
    ask: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, message: str
) -> None:
    def interrupted(*_: object) -> None:
        raise error

    monkeypatch.setattr(verify, "tallies", interrupted)
    done = ask(board_file("2b"), "--verify", "--quiet")
    expected = walked_slowly("2b")
    assert (done.returncode, done.stdout, done.stderr) == (status, f"{expected}\n", f"enumerate: {message}\n")


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_an_interrupt_is_heard_while_a_count_is_verified(tmp_path: Path) -> None:
    """The count takes a moment, and its verification, a walk, some seconds."""
    asked = (board_file("1f"), "--engine", "contraction", "--verify", "--quiet", "--cores", "2")
    with started(*asked, cwd=tmp_path) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 1.2)
        process.send_signal(signal.SIGINT)
        answer, errors = process.communicate()
    assert (process.returncode, answer) == (130, f"{contraction.count(board('1f'))}\n")
    assert errors == "enumerate: interrupted: this count is not verified\n"


@pytest.mark.parametrize("option", [["--limit", "5"], ["--time-limit", "5"]])
def test_only_whole_counts_are_verified(ask: Run, option: list[str]) -> None:
    assert_mistake(ask(board_file("1a"), "--verify", *option), f"--verify does not go with {option[0]}")


@pytest.mark.parametrize("other", ["--list", "--candidates", "--classify", "--estimate", "--status", "--audit"])
def test_only_counts_are_verified(ask: Run, other: str) -> None:
    assert_mistake(ask(board_file("1a"), "--verify", other), f"--verify does not go with {other}")
