"""Estimates: their intervals hold what is true as often as they say."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
from helpers import ROOT, full_board, random_board

from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import search
from enumerator.questions import estimate as estimating
from enumerator.questions.estimate import BeyondEstimateError, Interval, Mean, estimate, estimates, probe, total


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many probes as are needed at least, and no more."""
    monkeypatch.setattr(estimating, "ALONE_SHARE", 0.0)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["1d", "2d"])
def test_intervals_hold_the_truth_about_95_times_in_100(name: str) -> None:
    board = read(ROOT / "boards" / f"{name}.txt")
    walk = search.start(board)
    truth = walk.run(), walk.nodes
    hits = [0, 0]
    for seed in range(20):
        answer = estimate(board, seconds=0, seed=seed)
        assert not answer.exact
        assert answer.probes >= 8 * 100
        for place, interval in enumerate((answer.solutions, answer.nodes)):
            hits[place] += interval.low <= truth[place] <= interval.high
    assert min(hits) >= 16  # fewer than 16 of 20 would be seen once in 400 times, if 95 % were right


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["1f", "2e"])
def test_published_boards_are_estimated(shared: Path, name: str) -> None:
    table = dict(line.split("\t")[0::2][:2] for line in (shared / "boards" / "table.tsv").read_text().splitlines()[1:])
    solutions = estimate(read(shared / "boards" / f"{name}.txt"), seconds=0.2, seed=3).solutions
    assert 0.5 * int(table[name]) < solutions.mean < 2 * int(table[name])


def test_the_empty_board_is_estimated() -> None:
    solutions = estimate(Board.empty(Shape(3, 3)), seconds=1, seed=1).solutions
    known = 6670903752021072936960  # Felgenhauer and Jarvis, 2005
    assert 0.4 * known < solutions.mean < 2.5 * known
    assert solutions.low < solutions.mean < solutions.high


def test_a_small_board_is_counted() -> None:
    rng = random.Random(1)
    for board in (random_board(Shape(3, 3), rng, 50), full_board(Shape(2, 3), rng), Board.parse("11" + "." * 14)):
        answer = estimate(board)
        found = search.count(board)
        assert answer.exact
        assert answer.solutions == Interval(found, found, found)


def test_probes_are_right_on_average() -> None:
    """All ways down a small tree, each as often as it is chosen: their mean is the count, exactly."""
    board = random_board(Shape(2, 3), random.Random(4), 500)
    rng = random.Random(5)
    mean = Mean()
    for _ in range(3000):
        mean.add(probe(board.cells, board.shape, rng)[0])
    error = 4 * mean.variance**0.5
    assert abs(mean.mean - search.count(board)) <= error


def test_means_and_totals() -> None:
    first, second = Mean(), Mean()
    for value in (1.0, 2.0, 3.0):
        first.add(value)
    for value in (10.0, 10.0):
        second.add(value)
    assert first.mean == pytest.approx(2)
    assert first.variance == pytest.approx(1 / 3)
    interval = total([first, second], at_least=0)
    assert interval.mean == pytest.approx(12)
    assert (interval.high - interval.low) / 2 == pytest.approx(12.71 / 3**0.5)  # two probes are few
    for mean in (first, second):
        for _ in range(8):
            mean.add(mean.mean)
    interval = total([first, second], at_least=0)
    assert (interval.high - interval.low) / 2 == pytest.approx(1.96 * first.variance**0.5)
    assert total([second], at_least=15) == Interval(15, 15, 15)


def test_estimates_get_better() -> None:
    found = islice(estimates(Board.empty(Shape(3, 3)), 60, seed=2), 5)
    widths = [each.solutions.high - each.solutions.low for each in found]
    assert len(widths) == 5
    assert widths[-1] < 1.5 * widths[0]


def test_what_is_beyond_numbers_is_refused() -> None:
    with pytest.raises(BeyondEstimateError, match="more than 1e\\+150 nodes"):
        estimate(Board.empty(Shape(5, 5)), seconds=0.1)
