"""The verdict on a board, and the solution of a unique one, as it is shown with its count."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import sleep
from typing import Any

import pytest
from support.boards import PUZZLE, board, breaks_no_rule

import enumerator as en
from enumerator.board import Board
from enumerator.engines.board_blocks import StartedCount
from enumerator.page.answers import QUESTIONS, Asked
from enumerator.page.requests import Request
from enumerator.questions import verdict as verdicts
from enumerator.questions.count import count, with_solution
from enumerator.questions.verdict import find_solution
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.progress import no_progress

UNIQUE = ["4x4-unique", "6x6-unique", "1a", "2a", "16x16-unique", "25x25-unique"]


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.parametrize("nodes", [1, 10**9])
def test_the_solution_is_the_same_at_once_and_from_the_list(name: str, nodes: int) -> None:
    plan = Plan(cores=2, batch_pacing=BatchPacing(classify_nodes=nodes))
    found = find_solution(board(name), plan, 60.0)
    assert found is not None
    assert breaks_no_rule(found, board(name))


@pytest.mark.parametrize("name", ["1b", "4x4-many"])
def test_a_board_with_several_solutions_has_none_of_them_in_its_answer(name: str) -> None:
    answer = count(board(name), Plan(cores=1))
    assert with_solution(answer, Plan(cores=1)) is answer
    assert "solution" not in answer.to_dict()


def test_a_count_that_ended_early_shows_no_solution() -> None:
    plan = Plan(cores=1, limit=1)
    answer = with_solution(count(board("4x4-many"), plan), plan)
    assert (answer.solutions, answer.verdict, answer.ended, answer.solution) == (1, "unknown", "limit", None)


# ------------------------------------------------------------------------------------- the kernel is asked once

MANY, HARD = Board("12343412........"), Board(PUZZLE)
"""A board with several solutions, and one that the kernel of these tests leaves to a count."""


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Return a list that is filled with the boards that the kernel is asked to decide."""
    boards, real = list[Board](), verdicts.ask_kernel

    def ask_kernel(board: Board, nodes: int, solution: bytearray | None = None) -> int | None:
        boards.append(board)
        sleep(0.01)
        return None if board == HARD else real(board, nodes, solution)

    monkeypatch.setattr(verdicts, "ask_kernel", ask_kernel)
    return boards


def ask_page(name: str, board: Board) -> None:
    """Ask a question as the page does: at once, then with what was found."""
    question, request = QUESTIONS[name], Request(json.dumps({"board": str(board)}).encode())
    assert question.ask
    assert question.at_once
    found = question.at_once(Asked(request, request.read(), Plan(cores=1), no_progress))
    if isinstance(found, Asked):
        question.ask(found)


WAYS = [en.solve, en.classify, partial(ask_page, "solve"), partial(ask_page, "classify")]


@pytest.mark.parametrize("ask", WAYS, ids=["solve", "classify", "solve on the page", "classify on the page"])
@pytest.mark.parametrize("board", [MANY, HARD], ids=["several solutions", "beyond the budget"])
def test_the_kernel_decides_a_board_once(ask: Callable[[Board], object], board: Board, looks: list[Board]) -> None:
    with suppress(en.NotUniqueError):
        ask(board)
    assert looks == [board]


@pytest.mark.usefixtures("looks")
def test_the_time_limit_of_a_verdict_includes_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, real = list[float](), verdicts.decide_slowly

    def slowly(*rest: Any, started_count: StartedCount, **options: Any) -> verdicts.Decision:
        seen.append(started_count.seconds)
        return real(*rest, started_count=started_count, **options)

    monkeypatch.setattr(verdicts, "decide_slowly", slowly)
    assert en.classify(HARD, time_limit=1e-6) in ("unknown", "unique")
    assert min(seen) >= 0.01
