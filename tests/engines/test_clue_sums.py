"""Counts of boards without one of their clues: the lines prepared together, the plans, the numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.boards import NINE, PUZZLE, full_board, random_board

import enumerator as en
from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.engines.contraction.clue_plans import (
    PRODUCTS_BEFORE_SYMMETRIES,
    ContractionClues,
    cheapest_without_symmetries,
)
from enumerator.engines.contraction.clue_sums import ClueSums, find_order
from enumerator.engines.contraction.network import Line, Network
from enumerator.engines.contraction.sum import VERSIONS
from enumerator.engines.contraction.summation import cheapest

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE]

PUBLISHED_1F = "...2....6........9..4...1...9......4.........1...7...5..3...2..5......6.4..6....1"
"""A board of the published study, with 16,269,895 solutions."""


CLUES_17 = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""A puzzle with 17 clues and one solution, from Gordon Royle's collection."""


def clues_of(board: Board) -> list[int]:
    return [cell for cell, digit in enumerate(board.cells) if digit]


def network_of(board: Board) -> Network:
    return Network(board.cells, board.shape.height, board.shape.width)


def values_of(line: Line) -> list[tuple[int, ...]]:
    """Return the values of a line with their weights, in no order of the line's own."""
    return sorted((*line.values[3 * at : 3 * at + 3], weight) for at, weight in enumerate(line.weights))


def sums_of(board: Board, version: int | None = None) -> ClueSums:
    return ClueSums(board.cells, board.shape.height, board.shape.width, version)


def count_without(board: Board, cell: int) -> int:
    counting = contraction.ENGINE.without_clues(board).begin(cell, 10.0)
    while not counting.step().complete:
        pass
    return counting.solutions


def boards_of_all_kinds(shape: Shape, number: int, most_clues: int, rng: random.Random) -> Iterator[Board]:
    """Yield boards with one solution, with several, with none, and with two equal digits in a unit."""
    for at in range(number):
        made, clues = full_board(shape, rng), max(rng.randint(0, most_clues), rng.randint(0, most_clues))
        for cell in rng.sample(range(shape.cells), shape.cells - clues):
            made = made.with_cell(cell, 0)
        if at % 4 == 1:  # most of these have no solution, some break a rule
            for cell in rng.sample(range(shape.cells), 2):
                made = made.with_cell(cell, rng.randint(1, shape.size))
        if at % 4 == 2:  # two equal digits side by side
            digit = rng.randint(1, shape.size)
            made = made.with_cell(0, digit).with_cell(1, digit)
        yield made if at % 4 < 3 else random_board(shape, rng, rng.choice([1, 30]))


# ------------------------------------------------------------------------------------------------ lines and plans


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_networks_prepared_together_are_those_of_the_boards(shape: Shape) -> None:
    rng = random.Random(f"networks {shape}")
    for made in boards_of_all_kinds(shape, 4, shape.cells // 3, rng):
        together = sums_of(made)
        for cell in clues_of(made)[::3]:
            found, expected = together.network(cell), network_of(made.with_cell(cell, 0))
            if found is None:
                assert not expected.solvable
                continue
            assert found.digits == expected.digits
            for one, other in zip(found.bands + found.stacks, expected.bands + expected.stacks, strict=True):
                assert values_of(one) == values_of(other)


def test_a_condition_of_two_clues_remains_without_one_of_them() -> None:
    """Two equal digits in a row of a box say the same about their band."""
    twice = Board.empty(NINE).with_cell(0, 5).with_cell(1, 5).with_cell(40, 7)
    network = sums_of(twice).network(0)
    assert network
    assert values_of(network.bands[0]) == values_of(network_of(Board.empty(NINE).with_cell(1, 5)).bands[0])
    assert sums_of(twice).network(40) is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_plans_without_symmetries_have_the_same_sum(shape: Shape) -> None:
    rng = random.Random(f"orders {shape}")
    for _ in range(3):
        network = network_of(random_board(shape, rng, 200))
        plain, other = cheapest_without_symmetries(network), cheapest(network)
        assert plain.sum().run()[0] * plain.factor == other.sum().run()[0] * other.factor


def test_an_order_has_all_lines_and_the_missing_ones_last() -> None:
    for shape in SHAPES:
        _, stacks, bands, cost = find_order(network_of(Board.empty(shape)))
        assert sorted(stacks) == sorted(bands) == [0, 1, 2]
        assert stacks[2] == 2 or shape != Shape(2, 2)
        assert cost > 0


def test_symmetries_are_looked_for_in_long_sums_only() -> None:
    few = Board.empty(NINE).with_cell(0, 1).with_cell(40, 5)
    for made, is_long in ((few, True), (Board(PUZZLE), False)):
        plan = ContractionClues(made).plan(clues_of(made)[0])
        assert plan
        assert (plan.products >= PRODUCTS_BEFORE_SYMMETRIES) == is_long
        assert bool(plan.swaps) == is_long


# ------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
@pytest.mark.parametrize("version", range(VERSIONS))
def test_short_counts_of_small_boards_agree_with_brute_force(shape: Shape, version: int) -> None:
    rng = random.Random(f"short {shape}")
    for made in boards_of_all_kinds(shape, 12, shape.cells, rng):
        if len(clues_of(made)) > shape.size:
            total, without = sums_of(made, version).counts()
            assert total == reference.count(made)
            assert list(without) == clues_of(made)
            for cell in rng.sample(clues_of(made), 3):
                assert without[cell] == reference.count(made.with_cell(cell, 0))


def test_short_counts_of_9x9_agree_with_the_search() -> None:
    rng, counted = random.Random("short 9x9"), 0
    for made in boards_of_all_kinds(NINE, 16, 45, rng):
        total, without = sums_of(made).counts(10**5)
        assert [sums_of(made, version).counts(10**5) for version in range(VERSIONS)] == [(total, without)] * VERSIONS
        for cell in clues_of(made)[::5] if len(clues_of(made)) > 22 else ():
            counted += without[cell] is not None
            assert without[cell] in (None, en.count(made.with_cell(cell, 0), engine="search"))
    assert counted > 30


def test_short_counts_of_a_puzzle_with_17_clues() -> None:
    made = Board(CLUES_17)
    total, without = sums_of(made).counts()
    assert total == 1
    for cell in clues_of(made)[::6]:
        assert without[cell] == en.count(made.with_cell(cell, 0), engine="search")


def test_a_budget_leaves_out_counts_and_changes_none() -> None:
    sums, seen = sums_of(Board(CLUES_17)), set()
    total, without = sums.counts(10**7)
    assert total == 1
    assert None not in without.values()
    for budget in (0, 1_000, 10_000, 10**5):
        most, some = sums.counts(budget)
        assert most in (None, total)
        assert all(some[cell] in (None, without[cell]) for cell in without)
        seen.add(list(some.values()).count(None))
    assert max(seen) == len(without) > min(seen)


@pytest.mark.parametrize("version", range(VERSIONS))
def test_entries_whose_products_are_large(version: int) -> None:
    """Below a full band, two bands without clues have the largest entries that there are: up to 1,728."""
    made = Board("123456789456789123789123456" + "." * 54)
    total, without = sums_of(made, version).counts(10**8)
    plan = cheapest(network_of(made))
    assert total == plan.sum().run()[0] * plan.factor
    assert without[0] == total  # the other clues of the row leave no other digit


@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
def test_small_boards_agree_with_brute_force(shape: Shape) -> None:
    rng = random.Random(f"clue sums {shape}")
    for made in boards_of_all_kinds(shape, 24, shape.cells, rng):
        for cell in rng.sample(clues_of(made), min(4, len(clues_of(made)))):
            if len(clues_of(made)) > shape.size:
                assert count_without(made, cell) == reference.count(made.with_cell(cell, 0))


def test_a_few_boards_of_9x9_agree_with_the_search() -> None:
    rng = random.Random("some")
    for made in boards_of_all_kinds(NINE, 8, 40, rng):
        for cell in clues_of(made)[::4] if len(clues_of(made)) > 22 else ():
            assert count_without(made, cell) == en.count(made.with_cell(cell, 0), engine="search")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_200_boards_of_all_kinds_agree_with_counts(part: int) -> None:
    """The count has its network, its plan and most of the time its engine from elsewhere."""
    rng = random.Random(f"all kinds {part}")
    most = [40, 40, 36, 30][part]
    for made in boards_of_all_kinds(NINE, 50, most, rng):
        cells = clues_of(made)
        for cell in rng.sample(cells, min(len(cells), 5 if len(cells) > 20 else 1)):
            assert count_without(made, cell) == en.count(made.with_cell(cell, 0)), made


def test_every_clue_of_published_1f() -> None:
    """The sums are shared out among threads; the expected numbers are sums with symmetries, board by board."""
    asked = Board(PUBLISHED_1F)
    answer = en.clues(asked, cores=2)
    assert (answer.solutions, len(answer)) == (16_269_895, 17)
    for clue in answer:
        plan = cheapest(network_of(asked.with_cell(clue.cell, 0)))
        assert clue.solutions == plan.sum().run()[0] * plan.factor


@pytest.mark.skipif(VERSIONS == 1, reason="the portable loops are all there are")
def test_all_versions_of_the_loops_have_the_same_sums() -> None:
    made = Board(PUBLISHED_1F)
    for cell in clues_of(made)[:2]:
        plan = ContractionClues(made).plan(cell)
        assert plan
        assert len({plan.sum(version).run()[0] for version in range(VERSIONS)}) == 1
