"""One bad row of a batch: its error is raised behind the answers before it, or it is skipped, or gets a value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import pytest
from support.boards import NINE, PUZZLE, random_board

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.questions.classify import classify_all, solve_all
from enumerator.questions.counter import count_all
from enumerator.questions.gathering import BadItems
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

ALL: list[Callable[..., Iterator[Any]]] = [en.count_all, en.classify_all, en.solve_all]
QUESTIONS: list[Callable[..., Iterator[Any]]] = [count_all, classify_all, solve_all]
BAD: list[Any] = ["no board", "", PUZZLE[:-1], "!" * 81, None, 5, [[1, 2], [3]], PUZZLE + "\n" + PUZZLE[:40]]
"""Items that are no boards."""

VALUE = object()


def items_with_holes(rng: random.Random, number: int, share: float) -> tuple[list[Any], list[int]]:
    """Return boards and lines, some of which are bad; and the places of the good ones."""
    shapes = [Shape(2, 2), NINE, NINE, Shape(2, 3)]
    items: list[Any] = []
    good: list[int] = []
    for place in range(number):
        if rng.random() < share:
            items.append(rng.choice(BAD))
            continue
        board = random_board(rng.choice(shapes), rng, rng.choice([1, 3, 30]))
        good.append(place)
        items.append(rng.choice([board, str(board), f"{board}\n"]))
    return items, good


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.95, 1.0])
def test_each_item_has_its_answer_or_the_value(ask: Callable[..., Iterator[Any]], cores: int, share: float) -> None:
    """The answers are those of a batch of the good items, at their places, on threads and with hard boards."""
    rng = random.Random(f"{ask.__name__} {share}")
    items, good = items_with_holes(rng, 120, share)
    right = list(ask([items[place] for place in good], Plan(1)))
    expected = [VALUE] * len(items)
    for place, answer in zip(good, right, strict=True):
        expected[place] = answer
    pacing = BatchPacing(first_chunk=5, chunk=7, count_nodes=30, classify_nodes=30)
    plan = Plan(cores, usable=lambda: cores, batch_pacing=pacing)
    assert list(ask(items, plan, bad=BadItems(VALUE))) == expected
    assert list(ask(iter(items), plan, bad=BadItems("skip"))) == right


@pytest.mark.parametrize("ask", ALL)
def test_an_error_is_raised_behind_the_answers_before_it(ask: Callable[..., Iterator[Any]]) -> None:
    found = ask([PUZZLE, PUZZLE, "no board", PUZZLE])
    assert len(list(islice(found, 2))) == 2
    with pytest.raises(en.BoardError, match=r"^boards\[2\]"):
        next(found)
    (first,) = ask([PUZZLE])
    assert list(ask([PUZZLE, "no board", PUZZLE], on_error="skip")) == [first, first]
    for value in (None, -1, "invalid", 0):
        assert list(ask(["no board", PUZZLE, None], on_error=value)) == [value, first, value]


@pytest.mark.parametrize("ask", ALL)
def test_rows_of_an_array_are_items(ask: Callable[..., Iterator[Any]]) -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.array([Board(PUZZLE)] * 50, dtype="int16")
    right = list(ask(array))
    array[[0, 7, 8, 49], 0, 0] = [10, -1, 99, 10]
    found = list(ask(array, on_error=VALUE))
    assert [place for place, answer in enumerate(found) if answer is VALUE] == [0, 7, 8, 49]
    assert [answer for answer in found if answer is not VALUE] == right[4:]
    assert list(ask(array, on_error="skip")) == right[4:]
    with pytest.raises(ValueError, match=r"^boards\[0\]: 10 is no digit of a 9×9 board"):
        next(ask(array))
    before = ask(array[1:])
    assert list(islice(before, 6)) == right[:6]
    with pytest.raises(ValueError, match=r"^boards\[6\]: -1 is no digit"):
        next(before)


def test_a_board_that_the_engine_cannot_count_is_a_bad_item() -> None:
    boards = [PUZZLE, "." * 256, PUZZLE, str(Board.empty(Shape(3, 4)))]
    assert list(en.count_all(boards, engine="contraction", on_error=None)) == [1, None, 1, None]
    assert list(en.count_all(["." * 256] * 3, engine="contraction", on_error=None)) == [None] * 3
    with pytest.raises(ValueError, match=r"^boards\[1\]: 4x4 boxes are too large for the contraction"):
        list(en.count_all(boards, engine="contraction"))


@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2])
def test_a_board_that_is_not_counted_in_time_is_a_bad_item(cores: int) -> None:
    boards = ["1234" + "." * 12, "." * 256, PUZZLE]
    assert list(en.count_all(boards, time_limit=0.1, cores=cores, on_error=None)) == [12, None, 1]
    assert list(en.count_all(boards, time_limit=0.1, cores=cores, on_error="skip")) == [12, 1]
    found = en.count_all(boards, time_limit=0.1, cores=cores)
    assert next(found) == 12
    with pytest.raises(en.OutOfTimeError, match=r"^a board is not counted in 0\.1 s: \.{256}$") as caught:
        next(found)
    assert caught.value.at_least > 0
    assert isinstance(caught.value.answer, en.CountAnswer)
    assert str(caught.value.answer.board) == "." * 256
    assert list(en.count_all(boards[:1], time_limit=60)) == [12]
    with pytest.raises(ValueError, match=r"^time_limit must be greater than 0"):
        en.count_all(boards, time_limit=0)


@pytest.mark.parametrize("ask", ALL)
def test_endless_bad_items_are_answered_as_they_come(ask: Callable[..., Iterator[Any]]) -> None:
    found = ask(("no board" for _ in count()), on_error=VALUE)
    assert list(islice(found, 3_000)) == [VALUE] * 3_000
    found.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize("on_error", ["skip", None])
def test_an_error_of_the_source_ends_the_batch_in_any_case(ask: Callable[..., Iterator[Any]], on_error: Any) -> None:
    def source() -> Iterator[str]:
        yield PUZZLE
        raise OSError("the disk is gone")

    found = ask(source(), on_error=on_error)
    assert next(found) is not None
    with pytest.raises(OSError, match="the disk is gone"):
        next(found)
