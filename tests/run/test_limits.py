"""Limits of counts: an answer is complete if and only if there are no more solutions than the limit."""

from __future__ import annotations

import random
from threading import Event

import pytest
from support.boards import COMMON_SHAPES, PUZZLE, UNSOLVABLE, random_board
from support.runs import EAGER, last
from support.verdicts import classify_slowly

from enumerator.board import Board, Shape
from enumerator.engines import search, supporting
from enumerator.questions.count import try_count
from enumerator.run.local import PartialCount
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import Plan


@pytest.mark.parametrize("pacing", [DEFAULT_PACING, EAGER], ids=["alone", "shared"])
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_count_is_complete_if_there_are_no_more_solutions_than_the_limit(shape: Shape, pacing: Pacing) -> None:
    rng = random.Random(f"limits {shape}")
    boards = [random_board(shape, rng, most) for most in (1, 5, 60)]
    for one in boards:
        expected = search.count(one)
        for engine in (*(engine.name for engine in supporting(one)), "auto"):
            for limit in {1, max(1, expected - 1), expected, expected + 1, 10**30}:
                plan = Plan(2, limit, engine=engine, pool=None, usable=lambda: 2, pacing=pacing)
                tally = last(one, plan)
                assert (tally.solutions, tally.complete) == (min(limit, expected), limit >= expected)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_batches_have_the_same_limits(limit: int) -> None:
    for cells, expected in ((PUZZLE, 1), (UNSOLVABLE, 0), ("1234" + "." * 12, 12)):
        answer = try_count(Board.parse(cells), Plan(limit=limit))
        assert not isinstance(answer, PartialCount)
        assert (answer.solutions, answer.complete) == (min(limit, expected), limit >= expected)


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_verdict_tells_none_one_and_several_apart(shape: Shape) -> None:
    rng = random.Random(f"verdicts {shape}")
    for one in [random_board(shape, rng, most) for most in (1, 2, 3, 9)]:
        number, _ = classify_slowly(one, False, Plan(), Event())
        assert number == min(2, search.count(one))
