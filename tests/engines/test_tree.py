"""The parts of a tree: what they are, that they make the whole, and how they are handed out."""

import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import full_board, random_board, with_holes
from support.cases import slow_after
from support.counts import assert_count
from support.runs import left_of, total_share

from bench.common import reference
from bench.common.cutoffs import find_cutoff
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import Part, search
from enumerator.engines.search import kernel
from enumerator.engines.shares import WHOLE
from enumerator.engines.walks.tree import Branch, above, split
from enumerator.engines.walks.worker import walk_parts
from enumerator.run.pacing import Pacing
from enumerator.run.stock import Stock

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(4, 4)]

BOARDS = st.builds(
    lambda shape, seed: random_board(shape, random.Random(seed), 400), st.sampled_from(SHAPES), st.integers(0, 10**6)
)


def branch(shape: Shape) -> Branch:
    return search.ENGINE.tree(shape).branch


def whole_tree(board: Board) -> Part:
    return search.ENGINE.tree(board.shape).part(board.cells, WHOLE)


def solutions_of_parts(parts: list[Part], shape: Shape) -> int:
    return sum(search.count(Board.from_cells(shape, part.load)) for part in parts)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(board=BOARDS, exponent=st.integers(0, 60))
@pytest.mark.slow
def test_the_parts_of_a_split_sum_to_the_whole(board: Board, exponent: int) -> None:
    cutoff = 2**exponent
    parts = list(split([whole_tree(board)], above(cutoff, branch(board.shape))))
    assert_count(board, solutions_of_parts(parts, board.shape), search.count)
    assert all(part.size <= cutoff or 0 not in part.load for part in parts)
    assert len({part.load for part in parts}) == len(parts)
    assert sum(part.share for part in parts) <= 1  # dead parts take their shares with them
    assert parts == list(split([whole_tree(board)], above(cutoff, branch(board.shape))))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(board=BOARDS, tasks=st.integers(1, 200))
def test_parts_of_any_number_sum_to_the_whole(board: Board, tasks: int) -> None:
    cutoff = find_cutoff([whole_tree(board)], branch(board.shape), tasks)
    assert cutoff >= 1
    parts = list(split([whole_tree(board)], above(cutoff, branch(board.shape))))
    assert_count(board, solutions_of_parts(parts, board.shape), search.count)


def test_a_part_keeps_its_clues_and_the_solutions_of_parts_are_different() -> None:
    board = random_board(Shape(2, 3), random.Random(5), 200)
    parts = list(split([whole_tree(board)], above(50, branch(board.shape))))
    assert len(parts) > 3
    assert all(clue in (0, cell) for part in parts for clue, cell in zip(board.cells, part.load, strict=True))
    solutions = [
        solution.cells for part in parts for solution in reference.walk(Board.from_cells(board.shape, part.load))
    ]
    assert sorted(solutions) == sorted(solution.cells for solution in reference.walk(board))


def test_dead_boards_have_no_parts_and_full_ones_are_their_own() -> None:
    shape = Shape(3, 3)
    full = full_board(shape, random.Random(1))
    assert [part.load for part in split([whole_tree(full)], above(1, branch(shape)))] == [full.cells]
    two_fives = Board.empty(shape).with_cell(0, 5).with_cell(1, 5)
    assert solutions_of_parts(list(split([whole_tree(two_fives)], above(10**6, branch(shape)))), shape) == 0
    hidden = Board.parse("123... ...4.. ...... ...... ...... .....4")  # r1c4 … r1c6: 4 has no place among them
    parts = list(split([whole_tree(hidden)], above(1, branch(hidden.shape))))
    assert_count(hidden, solutions_of_parts(parts, hidden.shape), search.count)


def test_a_board_that_the_rules_fill_is_one_full_part() -> None:
    full = full_board(Shape(3, 3), random.Random(2))
    almost = with_holes(full, 20, random.Random(3))
    assert_count(almost, 1, search.count)
    (part,) = split([whole_tree(almost)], above(1, branch(almost.shape)))
    assert part.load == full.cells


def test_a_split_of_the_empty_board_comes_one_part_at_a_time() -> None:
    parts = list(islice(split([whole_tree(Board.empty(Shape(3, 3)))], above(1, branch(Shape(3, 3)))), 1000))
    assert len(parts) == 1000
    assert all(0 not in part.load for part in parts)


@pytest.mark.parametrize("tasks", slow_after(1, [1024, 128, 4096]))
@pytest.mark.parametrize("name", ["1c", "1d", "1e", "1f", "2c", "2d", "2e", "2f"])
def test_there_is_a_cutoff_for_about_any_number_of_tasks(shared: Path, name: str, tasks: int) -> None:
    board = read(shared / "boards" / f"{name}.txt")
    cutoff = find_cutoff([whole_tree(board)], branch(board.shape), tasks)
    parts = list(split([whole_tree(board)], above(cutoff, branch(board.shape))))
    assert tasks / 2 <= len(parts) <= 1.6 * tasks


def test_a_stock_gives_every_part_once_the_largest_first() -> None:
    rng = random.Random(7)
    parts = [Part(rng.randrange(10**6), bytes([number % 250]), 0.0) for number in range(1000)]
    stock = Stock()
    for part in parts:
        stock.add(part)
    taken, largest = [], []
    while tasks := stock.take(workers=2):
        assert len(tasks) <= 1 + 1000 // 16
        largest.append(tasks[-1])
        taken += tasks
    assert sorted(taken) == sorted(parts)
    assert largest == sorted(largest, reverse=True)
    assert len(largest) > 50  # enough to go round


def test_a_stock_that_takes_too_much_memory_gives_the_smallest() -> None:
    stock, large = Stock(), Stock(Pacing(stock_bytes=100))
    for number in range(100):
        stock.add(Part(number, b"cells", 0.0))
    assert [part.size for part in stock.take(2)] == [*range(6), 99]
    assert [part.size for part in stock.take(2, deep=True)] == [6, 7, 8, 9, 10]
    for number in range(11, 99):
        large.add(Part(number, b"cells", 0.0))
    assert [part.size for part in large.take(2)] == [11, 12, 13, 14, 15]


# ------------------------------------------------------------------------------------------------- tasks


@settings(max_examples=60, deadline=None, derandomize=True)
@given(board=BOARDS, budget=st.integers(0, 300))
def test_budgets_of_any_size_give_the_same_count(board: Board, budget: int) -> None:
    shape, found, tasks = board.shape, 0, 0
    left = [board.cells]
    while left:
        outcome = walk_parts(kernel.start, shape.height, shape.width, left, max(budget, 1))
        assert outcome.effort >= 1
        found, tasks = found + outcome.solutions, tasks + 1
        left = left_of(left, outcome)
        assert tasks < 100_000
    assert_count(board, found, search.count)


def test_a_task_that_has_no_budget_left_hands_back_whole_boards() -> None:
    boards = [Board.empty(Shape(3, 3)).with_cell(0, digit).cells for digit in range(1, 10)]
    outcome = walk_parts(kernel.start, 3, 3, boards, 10)
    assert outcome.effort >= 10
    assert len(outcome.parts) == 1  # the others were not begun
    assert total_share(outcome.parts[0].rest) == 1  # only the way down so far


def test_a_task_keeps_to_its_limit() -> None:
    boards = [Board.empty(Shape(2, 2)).cells] * 3
    assert walk_parts(kernel.start, 2, 2, boards).solutions == 3 * 288
    assert walk_parts(kernel.start, 2, 2, boards, limit=300).solutions == 300


def test_a_task_looks_at_the_clock() -> None:
    outcome = walk_parts(kernel.start, 3, 3, [bytes(81)], 8_000_000, max_seconds=0.0)
    assert outcome.effort < 2_000_000
    assert outcome.parts[0].rest
