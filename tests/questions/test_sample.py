"""Random samples: every solution is as likely as any other, and the same seed gives the same sample."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from math import comb, inf, sqrt
from statistics import NormalDist

import pytest
from support.boards import COMMON_SHAPES, NINE, breaks_no_rule, random_board
from support.lateness import Stopwatch
from support.solution_lists import ENGINES, Listed, both, elsewhere, text

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.questions.checks import EngineName
from enumerator.run.endings import OutOfTimeError

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


def board_with(solutions: int, shape: Shape = NINE) -> Board:
    """Return a 9×9 board, or one of another shape, with exactly `solutions` solutions."""
    for number in range(1000):
        board = random_board(shape, random.Random(f"{solutions} of {shape}, {number}"), solutions)
        if len(elsewhere(board)) == solutions:
            return board
    raise LookupError(solutions)


def quantile(degrees: int, tail: float = 0.001) -> float:
    """Return the value that a chi-square exceeds with probability `tail` (Wilson and Hilferty, 1931)."""
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + NormalDist().inv_cdf(1 - tail) * sqrt(spread)) ** 3


def chi_square(observed: Counter[int], bins: int) -> float:
    expected = observed.total() / bins
    return sum((observed[number] - expected) ** 2 for number in range(bins)) / expected


def test_the_yardstick_is_that_of_the_tables() -> None:
    """The figures are the upper 0.1 % points of chi-square as printed in statistical tables."""
    for degrees, known in ((1, 10.828), (2, 13.816), (8, 26.124), (50, 86.661), (100, 149.449)):
        assert quantile(degrees) == pytest.approx(known, rel=0.04)
    assert quantile(100) == pytest.approx(149.449, rel=0.001)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("solutions", "number"), [(2, 1000), (3, 1000), (12, 1200), (97, 1940), (1000, 10_000)])
def test_every_solution_is_as_likely_as_any_other(solutions: int, number: int, engine: EngineName) -> None:
    board = board_with(solutions) if solutions < 1000 else random_board(NINE, random.Random("likely"), 1000)
    every = {Board.from_cells(NINE, cells): rank for rank, cells in enumerate(elsewhere(board))}
    sample = enumerator.sample(board, number, seed=solutions, cores=1, engine=engine)
    assert len(sample) == number
    drawn = Counter(every[solution] for solution in sample)
    assert number >= 10 * len(every)
    assert chi_square(drawn, len(every)) < quantile(len(every) - 1)


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_no_part_of_a_long_list_is_preferred(shape: Shape, engine: EngineName) -> None:
    """Solutions are ranked in ascending order, which is the order of no engine."""
    board = random_board(shape, random.Random(f"long {shape}"), 10_000)
    ranks = {cells: rank for rank, cells in enumerate(elsewhere(board))}
    bins = 48
    assert len(ranks) % bins < len(ranks) / 100
    whole_bins = len(ranks) // bins * bins
    drawn = Counter(
        rank * bins // whole_bins
        for solution in enumerator.sample(board, 2000, seed=11, cores=1, engine=engine)
        if (rank := ranks[solution.cells]) < whole_bins
    )
    assert chi_square(drawn, bins) < quantile(bins - 1)


@pytest.mark.slow
def test_every_digit_is_as_likely_in_every_cell_of_the_empty_board() -> None:
    board = Board.empty(NINE)
    sample = enumerator.sample(board, 3000, seed=5)
    assert len(set(sample)) == 3000
    assert all(breaks_no_rule(solution, board) for solution in sample[::50])
    for cell in range(81):
        drawn = Counter(solution.cells[cell] - 1 for solution in sample)
        assert chi_square(drawn, 9) < quantile(8, 0.001 / 81), cell


@pytest.mark.parametrize("engine", ENGINES)
def test_a_solution_does_not_depend_on_the_one_before(engine: EngineName) -> None:
    board = board_with(3)
    ranks = {cells: rank for rank, cells in enumerate(elsewhere(board))}
    drawn = [ranks[solution.cells] for solution in enumerator.sample(board, 1801, seed=8, cores=1, engine=engine)]
    assert chi_square(Counter(3 * one + other for one, other in pairwise(drawn)), 9) < quantile(8)


def test_solutions_repeat_as_often_as_birthdays() -> None:
    board = random_board(NINE, random.Random("birthdays"), 1000)
    total, number = len(elsewhere(board)), 1000
    drawn = Counter(enumerator.sample(board, number, seed=3, cores=1))
    pairs = sum(comb(times, 2) for times in drawn.values())
    expected = comb(number, 2) / total
    assert abs(pairs - expected) < 3.3 * sqrt(expected * (1 - 1 / total))


@pytest.mark.parametrize("shape", [*COMMON_SHAPES, Shape(2, 4)], ids=str)
def test_the_same_seed_gives_the_same_sample(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"seed {shape}"), 2000)
    for engine in ENGINES if contraction.supports(shape) else ENGINES[:1]:
        sample = enumerator.sample(board, 50, seed=1, cores=1, engine=engine)
        assert enumerator.sample(board, 50, seed=1, cores=2, engine=engine) == sample
        assert enumerator.sample(board, 50, seed=2, cores=1, engine=engine) != sample
        assert all(breaks_no_rule(solution, board) for solution in sample)
        every = list(enumerator.solutions(board, engine=engine))
        generator = random.Random(1)
        assert sample == [every[generator.randrange(len(every))] for _ in range(50)]
    assert enumerator.sample(board, 0) == []


def test_without_a_seed_samples_differ() -> None:
    board = random_board(NINE, random.Random("no seed"), 3000)
    assert enumerator.sample(board, 10) != enumerator.sample(board, 10)


@pytest.mark.slow
def test_there_is_no_sample_of_what_was_not_counted() -> None:
    with Stopwatch() as watch:
        for cores in (1, 2):
            with pytest.raises(OutOfTimeError):
                enumerator.sample(Board.empty(Shape(4, 4)), 1, seed=1, cores=cores, time_limit=0.2)
        for found in both(Board.empty(NINE)):
            for cores in (1, 2):
                with pytest.raises(OutOfTimeError):
                    found.count(cores, seconds=0)
    assert watch.seconds < 5


def test_a_count_may_end_where_there_are_enough() -> None:
    board = Board.empty(Shape(4, 4))
    found = Listed(board, "search")
    assert 100 < found.count(1, inf, enough=100) < 10**7
    assert next(iter(found.lines([100], 1))) == text(found, 1, 101).splitlines(keepends=True)[100]
