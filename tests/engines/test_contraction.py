"""Counting without walking: against the walk, against itself from another side, against figures from elsewhere."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise
from math import ceil
from pathlib import Path
from threading import Thread
from weakref import ref

import pytest
from support.boards import COMMON_SHAPES, NINE, board, full_board, random_board, shuffle, transpose, with_clues
from support.cases import slow_after
from support.counts import assert_count, network
from support.runs import left_of

from enumerator.board import Board, Shape
from enumerator.engines import contraction, search
from enumerator.engines.contraction.network import Line, images, orbits
from enumerator.engines.contraction.problem import RANGE, Problem, find_problem
from enumerator.engines.contraction.sum import VERSIONS, Sum
from enumerator.engines.contraction.summation import SYMMETRIES, SumPlan, cheapest, plans
from enumerator.engines.contraction.worker import sum_ranges


def sum_of(plan: SumPlan) -> int:
    return plan.sum().run()[0] * plan.factor


# ------------------------------------------------------------------------------------------ against the walk


@pytest.mark.parametrize("number", slow_after(8, range(20)))
def test_random_boards_have_as_many_solutions_as_the_walk_finds(number: int) -> None:
    rng = random.Random(f"contraction {number}")
    for clues in (22, 24, 26, 28, 30):
        board = with_clues(NINE, clues, rng)
        walk = search.start(board)
        expected = walk.run(2_000_000)
        if walk.finished:
            assert_count(board, expected, contraction.count)
    board = with_clues(rng.choice(COMMON_SHAPES[:3]), rng.randrange(6, 14), rng)
    assert_count(board, search.count(board), contraction.count)


@pytest.mark.slow
@pytest.mark.parametrize("clues", [18, 21])
def test_boards_with_many_solutions(clues: int) -> None:
    rng = random.Random(f"many {clues}")
    checked = 0
    while checked < 3:
        board = with_clues(NINE, clues, rng)
        solutions = contraction.count(board)
        if solutions < 1_000_000:
            assert_count(board, solutions, search.count)
            checked += 1


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_boards_with_few_solutions_none_and_one(shape: Shape) -> None:
    rng = random.Random(5)
    for _ in range(10):
        full = full_board(shape, rng)
        assert_count(full, 1, contraction.count)
        cell = rng.randrange(shape.cells)
        wrong = full.with_cell(cell, full.cells[cell] % shape.size + 1)
        assert_count(wrong, 0, contraction.count)
        few = random_board(shape, rng, rng.choice([1, 5, 200]))
        assert search.count(few) > 0
        assert_count(few, search.count(few), contraction.count)


def test_contradictions_in_sight_and_out_of_sight() -> None:
    for one, other in ((0, 8), (0, 72), (0, 20), (0, 1), (0, 9), (40, 50)):  # row, column and box, near and far
        assert_count(Board.empty(NINE).with_cell(one, 7).with_cell(other, 7), 0, contraction.count)
    cells = bytes([1, 2, 3, 4, 5, 6, 7, 8, 0, *[0] * 8, 9, *[0] * 63])  # no digit is left for r1c9
    assert_count(Board.from_cells(NINE, cells), 0, contraction.count)
    hidden = bytearray(81)
    hidden[0:3], hidden[12:15], hidden[24] = b"\1\2\3", b"\4\5\6", 7  # 1 2 3 have no row left in the third box
    for at, digit in ((9, 4), (10, 5), (15, 1), (16, 2)):
        hidden[at] = digit
    assert_count(
        Board.from_cells(NINE, bytes(hidden)), search.count(Board.from_cells(NINE, bytes(hidden))), contraction.count
    )


# ------------------------------------------------------------------------------------------- against itself


@pytest.mark.parametrize("number", slow_after(3, [1, 2, 3, 0]))
def test_all_plans_have_the_same_sum(number: int) -> None:
    rng = random.Random(f"plans {number}")
    board = with_clues(*[(NINE, rng.randrange(16, 20), rng), (rng.choice(COMMON_SHAPES), 3, rng)][number % 3 == 0])
    every = list(plans(network(board)))
    heights = {2: 2, 3: 6}  # the orders of lines to sum over
    shape = board.shape
    assert len(every) == heights[shape.height] * shape.width + heights[shape.width] * shape.height
    assert {sum_of(plan) for plan in every} == {contraction.count(board)}


@pytest.mark.parametrize("number", slow_after(4, range(10)))
def test_rearranged_boards_have_as_many_solutions(number: int) -> None:
    rng = random.Random(f"rearranged {number}")
    board = with_clues(*[(NINE, rng.randrange(11, 17), rng), (rng.choice(COMMON_SHAPES), 4, rng)][number % 3 == 0])
    expected = contraction.count(board)
    assert_count(transpose(board), expected, contraction.count)
    assert_count(shuffle(board, rng), expected, contraction.count)


@pytest.mark.parametrize("number", slow_after(3, range(6)))
def test_the_values_of_a_cell_have_the_solutions_between_them(number: int) -> None:
    rng = random.Random(f"cell {number}")
    board = with_clues(*[(NINE, rng.randrange(12, 16), rng), (rng.choice(COMMON_SHAPES), 2, rng)][number % 3 == 0])
    cell = rng.choice([cell for cell, digit in enumerate(board.cells) if not digit])
    digits = range(1, board.shape.size + 1)
    parts = [contraction.count(board.with_cell(cell, digit)) for digit in digits]
    assert_count(board, sum(parts), contraction.count)


SYMMETRIC = {
    "two bands without clues": "1..2..3...4..5..6...7..8..." + "." * 54,
    "a complete digit": "1...........1...........1...1...........1...........1...1...........1...........1",
    "a filled box": "123......456......789......" + "." * 54,
    "digits in a row": "123......" + "." * 27 + "...456..." + "." * 36,
    "clues here and there": "1.......2..........3.....1......4.......2....5...........6...." + "." * 19,
}


@pytest.mark.parametrize("name", slow_after(2, sorted(SYMMETRIC)))
def test_every_symmetry_can_be_done_without(name: str) -> None:
    board = Board.parse(SYMMETRIC[name])
    expected = contraction.count(board)
    whole = network(board)
    for left_out in SYMMETRIES:
        plan = cheapest(whole, SYMMETRIES - {left_out})
        if plan.products < 5e9:
            assert sum_of(plan) == expected, left_out


def test_symmetries_have_something_to_do() -> None:
    """The number of values of y0 with and without each, on a board where it counts."""
    empty = network(Board.empty(NINE))
    assert len(cheapest(empty).first_values) == 2
    assert len(cheapest(empty, {"digits"}).first_values) == 2
    assert len(cheapest(empty, ()).first_values) == 15_400
    boxed = network(Board.parse(SYMMETRIC["a filled box"]))
    assert len(cheapest(boxed).first_values) < len(cheapest(boxed, SYMMETRIES - {"bands"}).first_values)
    alone, grouped, doubled = (cheapest(empty, {"digits", *more}) for more in ((), {"groups"}, {"twins"}))
    assert 3 * grouped.sum().run()[2] < alone.sum().run()[2]
    assert 1.2 * doubled.sum().run()[2] < alone.sum().run()[2]


@pytest.mark.parametrize("number", range(4))
def test_small_boards_without_any_symmetry(number: int) -> None:
    shape = COMMON_SHAPES[number]
    for clues in (0, 2) if shape != NINE else (16,):
        board = with_clues(shape, clues, random.Random(number))
        assert_count(board, sum_of(cheapest(network(board), ())), contraction.count)


def test_digits_that_are_clues_may_be_interchangeable() -> None:
    """1 and 2 are clues side by side: exchanging them is undone by exchanging their columns."""
    plan = cheapest(network(Board.parse("12" + "." * 79)))
    assert len(plan.swaps) == 1 + 7 * 6 // 2
    assert sum_of(plan) * 72 == 6670903752021072936960  # Felgenhauer and Jarvis, 2005: 9 · 8 ways to fill r1c1 and r1c2


def test_orbits() -> None:
    first, sizes = orbits(6, [array("H", [1, 2, 0, 3, 5, 4])])
    assert (list(first), list(sizes)) == ([0, 3, 4], [3, 1, 2])
    assert [*map(list, orbits(2, []))] == [[0, 1], [1, 1]]
    same = array("H", range(280))
    swapped = array("H", [1, 0, *range(2, 280)])
    line = Line(array("H", [0, 1, 2, 1, 0, 2]), array("H", [3, 3]))
    assert list(images(line, swapped, (0, 1, 2)) or ()) == [1, 0]
    assert list(images(line, same, (1, 0, 2)) or ()) == [1, 0]
    assert images(Line(line.values, array("H", [3, 4])), swapped, (0, 1, 2)) is None
    assert images(line, array("H", [5, *range(1, 280)]), (0, 1, 2)) is None


# --------------------------------------------------------------------------------------------------- slices


@pytest.mark.parametrize("number", range(6))
def test_a_sum_in_pieces_is_the_same(number: int) -> None:
    rng = random.Random(f"pieces {number}")
    board = with_clues(NINE, rng.randrange(12, 20), rng)
    plan = cheapest(network(board))
    whole = plan.sum()
    expected, end, units = whole.run()
    assert end == whole.items
    found = item = 0
    while item < whole.items:
        last = min(whole.items, item + rng.randrange(1, whole.items))
        piece, item, _ = whole.run(item, last, 10 ** rng.uniform(0, 9))
        assert item <= last
        found += piece
    assert found == expected
    assert whole.run(whole.items) == (0, whole.items, 0.0)
    assert units > 0
    for first, last in ((whole.items + 1, whole.items), (-1, 1), (0, whole.items + 1), (2, 1)):
        with pytest.raises(ValueError, match="no items"):
            whole.run(first, last)


def test_tasks_hand_back_what_they_have_not_done() -> None:
    board = with_clues(NINE, 12, random.Random(8))
    cells = board.cells
    items = find_problem(cells, 3, 3).items
    left = [RANGE.pack(0, items // 3, items), RANGE.pack(items // 3, items, items)]
    found = rounds = 0
    while left:
        outcome = sum_ranges(cells, 3, 3, left, 5_000_000)
        assert all(0 < numerator <= denominator for done in outcome.parts for _, (numerator, denominator) in done.rest)
        found += outcome.solutions
        left = left_of(left, outcome)
        rounds += 1
    assert rounds > 3
    assert_count(board, found, contraction.count)
    with pytest.raises(RuntimeError, match="not the same version"):
        sum_ranges(cells, 3, 3, [RANGE.pack(0, 1, items + 1)], 1)


def test_a_problem_is_shared_while_it_is_in_use() -> None:
    cells = with_clues(NINE, 12, random.Random(10)).cells
    mine = find_problem(cells, 3, 3)
    assert find_problem(cells, 3, 3) is mine
    assert find_problem(bytes(81), 3, 3) is not mine
    assert find_problem(cells, 3, 3, keep=True) is mine
    gone = ref(mine)
    del mine
    assert gone() is None
    kept = ref(find_problem(cells, 3, 3, keep=True))
    assert kept() is not None
    find_problem(bytes(16), 2, 2, keep=True)
    assert kept() is None


def test_several_threads_share_the_tables_of_a_sum() -> None:
    plan = cheapest(network(with_clues(NINE, 13, random.Random(9))))
    expected, items, _ = plan.sum().run()
    shared_sum = plan.sum()
    bounds = [items * piece // 8 for piece in range(9)]
    found: list[int] = []
    threads = [
        Thread(target=lambda first=first, last=last: found.append(shared_sum.run(first, last)[0]))
        for first, last in pairwise(bounds)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == expected


@pytest.mark.skipif(VERSIONS == 1, reason="the portable loops are all there are")
@pytest.mark.parametrize("number", slow_after(3, [0, 1, 2, 5]))
def test_all_versions_of_the_loops_have_the_same_sum(number: int) -> None:
    rng = random.Random(f"loops {number}")
    board = [Board.empty(NINE), Board.parse("12" + "." * 79), with_clues(NINE, 10 + number, rng)][min(number, 2)]
    plan = cheapest(network(board))
    whole = plan.sum()
    last = max(1, int(whole.items * min(1, 2e9 / plan.products)))
    for version in range(VERSIONS):
        assert plan.sum(version).run(0, last)[:2] == whole.run(0, last)[:2], version
    with pytest.raises(ValueError, match="no version"):
        plan.sum(VERSIONS)


@pytest.mark.parametrize("number", range(3))
def test_the_groups_of_a_sum_do_not_depend_on_what_is_summed_with_them(number: int) -> None:
    """Lanes of several groups share a batch, with all weights, and with entries that are no bytes."""
    rng = random.Random(f"batches {number}")
    board = [Board.parse("." * 80 + "1"), with_clues(NINE, 9, rng), with_clues(Shape(2, 3), 2, rng)][number]
    plan = cheapest(network(board))
    whole = plan.sum()
    first = rng.randrange(max(1, whole.items - 200))
    last = min(whole.items, first + 200)
    alone = [whole.run(item, item + 1)[0] for item in range(first, last)]
    assert whole.run(first, last)[0] == sum(alone) == plan.sum(0).run(first, last)[0] > 0


def test_a_sum_is_not_sent_to_another_process() -> None:
    import pickle

    with pytest.raises(TypeError):
        pickle.dumps(cheapest(network(Board.empty(Shape(2, 2)))).sum())


# -------------------------------------------------------------------------------------- figures from elsewhere


@pytest.mark.slow
def test_all_oracles(shared: Path) -> None:
    checked = 0
    for line in (shared / "oracles" / "9x9.tsv").read_text().splitlines():
        if not line.startswith("#"):
            text, solutions, _ = line.split("\t")
            assert_count(Board.parse(text), int(solutions), contraction.count)
            checked += 1
    assert checked > 40


def test_empty_boards(shared: Path) -> None:
    known = dict(line.split("\t")[:2] for line in (shared / "oracles" / "empty.tsv").read_text().splitlines()[1:])
    for shape in COMMON_SHAPES:
        smaller = f"{min(shape.height, shape.width)}x{max(shape.height, shape.width)}"
        assert_count(Board.empty(shape), int(known[smaller]), contraction.count)


def test_the_published_boards(shared: Path) -> None:
    rows = (line.split("\t") for line in (shared / "boards" / "table.tsv").read_text().splitlines()[1:])
    for name, _, solutions, _ in rows:
        board = Board.parse((shared / "boards" / f"{name}.txt").read_text())
        for twin in (board, transpose(board)):
            assert_count(twin, int(solutions), contraction.count)


def test_a_problem_without_a_solution_costs_nothing() -> None:
    hopeless = Problem.of_board(Board.empty(NINE).with_cell(0, 7).with_cell(1, 7).cells, 3, 3)
    assert (hopeless.items, hopeless.products, hopeless.run(0, 0, 1.0)) == (0, 0.0, (0, 0, 0.0))


def test_what_a_sum_refuses() -> None:
    plan = cheapest(network(Board.empty(Shape(2, 2))))
    assert isinstance(plan.sum(), Sum)
    assert not contraction.supports(Shape(4, 4))
    assert not contraction.supports(Shape(2, 4))
    assert all(contraction.supports(shape) for shape in COMMON_SHAPES)


def test_a_trial_depends_on_the_board_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts the board if its plan takes no more products than allowed, on processors of either kind."""
    for name in ("1c", "2e", "4x4-unique"):
        ours = board(name)
        problem = find_problem(ours.cells, ours.shape.height, ours.shape.width)
        assert problem.plan
        for versions in range(1, VERSIONS + 1):
            monkeypatch.setattr("enumerator.engines.contraction.problem.VERSIONS", versions)
            found = contraction.ENGINE.trial(ours, ceil(problem.plan.products))
            assert (found.solutions, found.complete) == (contraction.count(ours), True)
            assert not contraction.ENGINE.trial(ours, int(problem.plan.products) - 1).complete
    hopeless = contraction.ENGINE.trial(Board.parse("11" + "." * 14), 0)
    assert (hopeless.solutions, hopeless.complete) == (0, True)
