"""The compiled walks against the reference, against each other, and against properties of every board."""

import random
from itertools import islice, pairwise
from time import process_time

import pytest
from support.boards import NINE, SHAPES, breaks_no_rule, full_board, random_board, shuffle, transpose, with_holes
from support.cases import slow_after
from support.counts import assert_count, general, walk_generally
from support.lateness import Stopwatch
from support.walks import SMALL, listing, walk_counts, walks

import enumerator
from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.search import kernel
from enumerator.engines.walks import Slices
from enumerator.engines.walks import tallies as tallies_of

OBLONG = [Shape(2, 5), Shape(5, 2), Shape(2, 6), Shape(3, 4), Shape(4, 3)]


# ------------------------------------------------------------------------------ against the reference


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("number", range(4))
def test_kernels_find_what_the_reference_finds(shape: Shape, number: int) -> None:
    rng = random.Random(f"reference {shape} {number}")
    # the reference has no rule but the first: large boards must have few guesses to make
    board = (
        random_board(shape, rng, 200) if shape in SMALL else with_holes(full_board(shape, rng), shape.cells // 6, rng)
    )
    expected = sorted(solution.cells for solution in reference.walk(board))
    assert expected
    for count in walk_counts(shape):
        assert_count(board, len(expected), count)
    for start in walks(shape):
        assert sorted(listing(start(board))) == expected


@pytest.mark.parametrize("number", slow_after(30, range(60)))
def test_kernels_and_reference_agree_on_boards_with_many_solutions_or_none(number: int) -> None:
    rng = random.Random(f"many {number}")
    shape = rng.choice(SMALL)
    board = random_board(shape, rng, 400)
    if number % 2 and board.empty_cells:  # a wrong digit: few solutions, or none
        cell = board.cells.index(0)
        board = board.with_cell(cell, rng.randint(1, shape.size))
    expected = reference.count(board)
    for count in walk_counts(shape):
        assert_count(board, expected, count)


def test_there_are_288_full_boards_of_4x4() -> None:
    empty = Board.empty(Shape(2, 2))
    assert_count(empty, 288, reference.count)
    assert_count(empty, 288, walk_generally)
    assert all(breaks_no_rule(solution, empty) for solution in enumerator.solutions(empty))


@pytest.mark.parametrize("number", range(25))
def test_the_two_kernels_agree_on_9x9(number: int) -> None:
    rng = random.Random(f"two kernels {number}")
    board = random_board(NINE, rng, 30_000)
    first, second = listing(general(board)), listing(search.start(board))
    assert sorted(first) == sorted(second)
    assert len(set(first)) == len(first)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.size <= 16], ids=str)
def test_rules_change_the_way_and_not_the_solutions(shape: Shape) -> None:
    """Rules applied at every node, at none, and where they are applied by default."""
    rng = random.Random(f"deep {shape}")
    for _ in range(3):
        board = random_board(shape, rng, 300)
        everywhere, nowhere = (
            kernel.General(board.cells, shape.height, shape.width, rules_above) for rules_above in (0, shape.cells)
        )
        expected = sorted(listing(general(board)))
        assert sorted(listing(everywhere)) == expected
        # without rules a large board may not finish: compare as far as it gets
        chunk = bytearray(shape.cells * (len(expected) + 1))
        found = nowhere.run(200_000, out=chunk)
        some = {bytes(chunk[cell : cell + shape.cells]) for cell in range(0, found * shape.cells, shape.cells)}
        assert some == set(expected) if nowhere.finished else some <= set(expected)


# --------------------------------------------------------------------------------- what must hold


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_solution_is_one(shape: Shape) -> None:
    rng = random.Random(f"solution {shape}")
    board = with_holes(full_board(shape, rng), shape.cells // 4, rng)
    for start in walks(shape):
        found = listing(start(board), 2000)
        assert found
        assert len(set(found)) == len(found)
        assert all(breaks_no_rule(Board.from_cells(shape, cells), board) for cells in islice(found, 50))


@pytest.mark.parametrize("number", range(30))
def test_the_count_survives_rearrangement(number: int) -> None:
    rng = random.Random(f"rearranged {number}")
    board = random_board(rng.choice([*SMALL, *OBLONG, NINE]), rng, 3000)
    expected = search.count(board)
    for twin in (shuffle(board, rng), transpose(board), transpose(shuffle(board, rng))):
        for count in walk_counts(twin.shape):
            assert_count(twin, expected, count)


@pytest.mark.parametrize("number", range(30))
def test_the_count_is_the_sum_over_one_cell(number: int) -> None:
    rng = random.Random(f"sum {number}")
    board = random_board(rng.choice([*SMALL, *OBLONG, NINE]), rng, 3000)
    cell = rng.choice([cell for cell, digit in enumerate(board.cells) if not digit])
    for count in walk_counts(board.shape):
        parts = [count(board.with_cell(cell, digit)) for digit in range(1, board.shape.size + 1)]
        assert_count(board, sum(parts), count)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_full_board_has_itself_as_its_only_solution(shape: Shape) -> None:
    board = full_board(shape, random.Random(f"full {shape}"))
    for start in walks(shape):
        assert listing(start(board)) == [board.cells]
    wrong = board.with_cell(0, board.cells[1])
    for count in [*walk_counts(shape), reference.count]:
        assert_count(wrong, 0, count)


def clues(**places: int) -> Board:
    """Return a 9×9 board with clues such as r1c4=1."""
    board = Board.empty(NINE)
    for place, digit in places.items():
        board = board.with_cell((int(place[1]) - 1) * 9 + int(place[3]) - 1, digit)
    return board


CONTRADICTIONS = {
    "twice in a row": clues(r1c1=1, r1c9=1),
    "twice in a column": clues(r1c1=1, r9c1=1),
    "twice in a box": clues(r1c1=1, r3c3=1),
    "a cell without a candidate": clues(r1c1=1, r1c2=2, r1c3=3, r1c4=4, r1c5=5, r1c6=6, r1c7=7, r1c8=8, r9c9=9),
    "a box without a place for 1": clues(r1c4=1, r2c7=1, r4c1=1, r7c2=1, r3c3=2),
    "a row without a place for 5": clues(r1c1=1, r1c2=2, r1c3=3, r1c4=4, r1c5=6, r1c6=7, r2c7=5),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions_leave_no_solution(name: str) -> None:
    board = CONTRADICTIONS[name]
    assert any(board.conflicts()) == ("twice" in name)
    for twin in (board, transpose(board), shuffle(board, random.Random(name))):
        for count in walk_counts(NINE):
            assert_count(twin, 0, count)


# --------------------------------------------------------------------------------------- in Python


def test_tallies_grow_and_the_last_one_is_complete() -> None:
    board = random_board(NINE, random.Random(77), 50_000)
    tallies = list(tallies_of(search.start(board)))
    assert all(
        before.solutions <= after.solutions and before.nodes < after.nodes for before, after in pairwise(tallies)
    )
    assert [tally.complete for tally in tallies] == [False] * (len(tallies) - 1) + [True]
    for count in walk_counts(NINE):
        assert_count(board, tallies[-1].solutions, count)


def test_a_limited_count_does_not_claim_to_be_complete() -> None:
    board = Board.empty(NINE)
    *_, last = tallies_of(search.start(board), limit=12_345)
    assert last.solutions == search.count(board, limit=12_345) == 12_345
    assert not last.complete
    assert search.count(Board.empty(Shape(2, 2)), limit=1000) == 288


@pytest.mark.slow
def test_slices_of_a_long_count_are_short() -> None:
    times = [process_time() for _ in islice(tallies_of(search.start(Board.empty(Shape(5, 5)))), 30)]
    gaps = sorted(after - before for before, after in pairwise(times))
    assert gaps[len(gaps) // 2] < 0.1
    assert gaps[-1] < 2


def test_slices_stay_short_however_soon_they_are_full() -> None:
    """A slice that ends because its buffer is full says nothing about how many nodes fit into 20 ms."""
    slices = Slices(search.start(Board.empty(NINE)))
    chunk = bytearray(81)
    for _ in range(2000):
        assert slices.run(out=chunk) == 1
    with Stopwatch() as watch:
        slices.walk.run(slices.nodes)
    assert watch.seconds < 2
