"""The checks of `bench canonical --full`: nothing is wrong, and what is wrong is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from bench.measure import sameness
from enumerator.board import Board, Shape

CHECKS = [
    partial(sameness.check_images, 2),
    partial(sameness.check_all_of_four, 1),
    partial(sameness.check_some_of_six, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.func.__name__)
def test_a_form_that_is_the_board_itself_is_found(check: Callable[[], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    def boards_of(shape: Shape, cells: bytes, allowed: tuple[int, ...] | None = None) -> list[Board]:
        parts = (cells[first : first + shape.cells] for first in range(0, len(cells), shape.cells))
        return [Board.from_cells(shape, part, allowed) for part in parts]

    assert check()
    monkeypatch.setattr(sameness, "forms_of", boards_of)
    assert not check()


@pytest.mark.slow
def test_other_checks_find_nothing_wrong_and_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sameness.check_pairs(40)
    assert sameness.check_samples(200)
    assert sameness.check_different(2)
    monkeypatch.setattr(sameness, "forms_of", lambda *_: [Board("." * 81)])
    monkeypatch.setattr(sameness, "order_of", lambda *_: 2)
    monkeypatch.setattr(sameness, "first_of_forms", lambda *_: iter(()))
    assert not sameness.check_pairs(40)
    assert not sameness.check_samples(200)
    assert not sameness.check_different(2)


def test_the_number_of_arrangements_is_that_of_the_group() -> None:
    assert len(sameness.arrangements(Shape(2, 2))) == 128  # OEIS A346008
    assert len(set(sameness.arrangements(Shape(2, 3)))) == 3_456  # 3! · 2!³ orders of rows, 2! · 3!² of columns
