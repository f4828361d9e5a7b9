"""The compiled walks against the reference, against each other, and against properties of every board."""

import pickle
import random
import threading
from collections.abc import Callable
from itertools import islice, pairwise
from time import perf_counter

import pytest
from helpers import (
    ROOT,
    SHAPES,
    Count,
    assert_count,
    breaks_no_rule,
    full_board,
    general,
    random_board,
    shuffle,
    transpose,
    walk_generally,
    with_holes,
)

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.search import kernel, reference

SMALL = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), Shape(4, 2), Shape(3, 3)]
OBLONG = [Shape(2, 5), Shape(5, 2), Shape(2, 6), Shape(3, 4), Shape(4, 3)]
NINE = Shape(3, 3)

Start = Callable[[Board], kernel.Walk]


def walks(shape: Shape) -> list[Start]:
    """Return a start function for every compiled walk that takes boards of a shape."""
    return [general, search.start] if shape == NINE else [general]


def counts(shape: Shape) -> list[Count]:
    """Count by every compiled walk that takes boards of a shape."""
    return [walk_generally, search.count] if shape == NINE else [walk_generally]


def listing(walk: kernel.Walk, nodes: int = kernel.MOST, at_a_time: int = 1000) -> list[bytes]:
    """Return all solutions, fetched in slices of at most `nodes` nodes and `at_a_time` solutions."""
    found = []
    chunk = bytearray(walk.cells * at_a_time)
    while not walk.finished:
        count = walk.run(nodes, out=chunk)
        found += [bytes(chunk[start : start + walk.cells]) for start in range(0, count * walk.cells, walk.cells)]
    return found


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
    for count in counts(shape):
        assert_count(board, len(expected), count)
    for start in walks(shape):
        assert sorted(listing(start(board))) == expected


@pytest.mark.parametrize("number", range(60))
def test_kernels_and_reference_agree_on_boards_with_many_solutions_or_none(number: int) -> None:
    rng = random.Random(f"many {number}")
    shape = rng.choice(SMALL)
    board = random_board(shape, rng, 400)
    if number % 2 and board.empty_cells:  # a wrong digit: few solutions, or none
        cell = board.cells.index(0)
        board = board.with_clue(cell, rng.randint(1, shape.size))
    expected = reference.count(board)
    for count in counts(shape):
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
        assert all(breaks_no_rule(Board(shape, cells), board) for cells in islice(found, 50))


@pytest.mark.parametrize("number", range(30))
def test_the_count_survives_rearrangement(number: int) -> None:
    rng = random.Random(f"rearranged {number}")
    board = random_board(rng.choice([*SMALL, *OBLONG, NINE]), rng, 3000)
    expected = search.count(board)
    for twin in (shuffle(board, rng), transpose(board), transpose(shuffle(board, rng))):
        for count in counts(twin.shape):
            assert_count(twin, expected, count)


@pytest.mark.parametrize("number", range(30))
def test_the_count_is_the_sum_over_one_cell(number: int) -> None:
    rng = random.Random(f"sum {number}")
    board = random_board(rng.choice([*SMALL, *OBLONG, NINE]), rng, 3000)
    cell = rng.choice([cell for cell, digit in enumerate(board.cells) if not digit])
    for count in counts(board.shape):
        parts = [count(board.with_clue(cell, digit)) for digit in range(1, board.shape.size + 1)]
        assert_count(board, sum(parts), count)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_full_board_has_itself_as_its_only_solution(shape: Shape) -> None:
    board = full_board(shape, random.Random(f"full {shape}"))
    for start in walks(shape):
        assert listing(start(board)) == [board.cells]
    wrong = board.with_clue(0, board.cells[1])
    for count in [*counts(shape), reference.count]:
        assert_count(wrong, 0, count)


def clues(**places: int) -> Board:
    """Return a 9×9 board with clues such as r1c4=1."""
    board = Board.empty(NINE)
    for place, digit in places.items():
        board = board.with_clue((int(place[1]) - 1) * 9 + int(place[3]) - 1, digit)
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
        for count in counts(NINE):
            assert_count(twin, 0, count)


# ------------------------------------------------------------------------------------------------ slices


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 2), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_any_slicing_finds_the_same_solutions_in_the_same_order(shape: Shape, number: int) -> None:
    rng = random.Random(f"slices {shape} {number}")
    board = random_board(shape, rng, 500)
    for start in walks(shape):
        whole = start(board)
        expected = listing(whole)
        assert whole.finished
        for nodes in (1, 2, 7, 100):
            walk = start(board)
            assert listing(walk, nodes, at_a_time=rng.randint(1, 9)) == expected
            assert walk.nodes == whole.nodes
        walk = start(board)
        count = 0
        while not walk.finished:
            count += walk.run(rng.randint(1, 20), rng.randint(1, 5))
        assert count == len(expected)
        assert walk.run() == 0


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_what_was_found_and_what_is_left_make_the_whole(shape: Shape, number: int) -> None:
    rng = random.Random(f"rest {shape} {number}")
    board = random_board(shape, rng, 500)
    for start in walks(shape):
        expected = sorted(listing(start(board)))
        for nodes in (0, 1, 3, 10, 50, 10_000):
            walk = start(board)
            chunk = bytearray(shape.cells * len(expected))
            found = walk.run(nodes, out=chunk)
            everything = [
                bytes(chunk[cell : cell + shape.cells]) for cell in range(0, found * shape.cells, shape.cells)
            ]
            rest = walk.rest()
            assert bool(rest) != walk.finished
            for part in rest:
                everything += listing(start(Board(shape, part)))
            assert sorted(everything) == expected
            assert found + walk.run() == len(expected)  # asking for the rest has not disturbed the walk


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_what_is_left_at_the_end_of_a_branch_was_left_before(shape: Shape, number: int) -> None:
    board = random_board(shape, random.Random(f"rounded {shape} {number}"), 2_000)
    for start in walks(shape):
        expected = start(board).run()
        for nodes, beyond in ((0, 10), (1, 1), (10, 0), (10, 5), (50, 10), (300, 40), (300, 5_000), (10_000, 100)):
            walk = start(board)
            found = walk.run(nodes)
            visited, before = walk.nodes, walk.rest()
            found += walk.round_off(beyond)
            after = walk.rest()
            assert walk.nodes <= visited + beyond
            if walk.nodes < visited + beyond:
                assert after == before[len(before) - len(after) :]
            assert found + walk.run() == expected


def test_few_boards_are_left_at_the_end_of_a_branch() -> None:
    board = Board.parse((ROOT / "boards" / "1d.txt").read_text())
    for start in walks(NINE):
        walk, before, after = start(board), 0, 0
        for _ in range(100):
            walk.run(2_000)
            before += walk.left
            assert walk.round_off(250) <= 250
            after += walk.left
        assert after < 0.8 * before


def test_a_branch_is_left_where_there_are_solutions_enough() -> None:
    for start in walks(NINE):
        walk = start(Board.empty(NINE))
        walk.run(10_000)
        assert walk.round_off(10_000, 7) == 7
        assert walk.round_off(10_000, 0) == 0
        with pytest.raises(ValueError, match="less than nothing"):
            walk.round_off(-1)


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_shares_of_what_is_visited_and_what_is_left_make_one(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"shares {shape}"), 300)
    for start in walks(shape):
        walk = start(board)
        assert walk.share == 0
        before = 0.0
        while not walk.finished:
            walk.run(1)
            parts = walk.parts()
            assert [cells for cells, _ in parts] == walk.rest()
            assert len(parts) == walk.left
            assert all(0 < share <= 0.5 for _, share in parts)  # a branch has a brother
            assert walk.share + sum(share for _, share in parts) == pytest.approx(1)
            assert walk.share >= before
            before = walk.share
        assert walk.share == 1


def test_the_first_branches_have_equal_shares() -> None:
    for start in walks(NINE):
        parts = start(Board.empty(NINE)).parts()
        assert [share for _, share in parts] == [pytest.approx(1 / 9)] * 9
        assert len({cells for cells, _ in parts}) == 9


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_kernel_knows_the_search_space(shape: Shape) -> None:
    rng = random.Random(f"space {shape}")
    full = full_board(shape, rng)
    for holes in (0, 1, shape.cells // 2, shape.cells):
        board = with_holes(full, holes, rng)
        assert kernel.space(board.cells, shape.height, shape.width) == board.combinations
    with pytest.raises(ValueError, match="cell"):
        kernel.space(bytes(7), shape.height, shape.width)


def test_a_board_with_a_cell_that_has_no_candidate_has_no_search_space() -> None:
    board = Board.parse("123. ...4 .... ....")
    assert board.combinations == kernel.space(board.cells, 2, 2) == 0


def test_nodes_and_solutions_are_limited() -> None:
    board = Board.empty(NINE)
    for start in walks(NINE):
        walk = start(board)
        assert walk.run(nodes=0) == 0
        assert walk.run(limit=0) == 0
        assert walk.run(nodes=100) <= 100
        assert walk.nodes == 100
        assert walk.run(limit=3) == 3
        assert walk.run(out=bytearray(80)) == 0  # no room for a solution
        assert walk.run(limit=10, out=bytearray(81 * 5)) == 5
        assert not walk.finished


@pytest.mark.parametrize("cells", [b"", bytes(80), bytes(82), bytes([10] + [0] * 80)])
def test_a_kernel_refuses_what_is_no_board(cells: bytes) -> None:
    with pytest.raises(ValueError, match="cell"):
        kernel.Nine(cells)
    with pytest.raises(ValueError, match="cell"):
        kernel.General(cells, 3, 3)
    with pytest.raises(ValueError, match="no shape"):
        kernel.General(bytes(81), 9, 1)


def test_limits_are_whole_numbers() -> None:
    walk = search.start(Board.empty(NINE))
    for number in (1.5, "3", None):
        with pytest.raises(TypeError):
            walk.run(number)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            walk.run(limit=number)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        search.count(Board.empty(NINE), limit=2.5)  # type: ignore[arg-type]
    for number in (-1, -(2**70)):
        with pytest.raises(ValueError, match="less than nothing"):
            walk.run(number)
    assert walk.run(2**70, 1) == 1


def test_a_walk_is_started_and_neither_made_nor_pickled() -> None:
    with pytest.raises(TypeError, match="started"):
        kernel.Walk()
    for walk in (search.start(Board.empty(NINE)), general(Board.empty(NINE))):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(walk)


def test_a_walk_has_one_caller_at_a_time() -> None:
    for start in walks(NINE):
        walk = start(Board.empty(NINE))
        worker = threading.Thread(target=walk.run, kwargs={"nodes": 1_000_000})
        worker.start()
        refusal = None
        while refusal is None and worker.is_alive():
            try:
                walk.rest()
            except RuntimeError as error:
                refusal = str(error)
        assert refusal == "this walk is at work in another thread"
        with pytest.raises(RuntimeError):
            walk.run(1)
        worker.join()
        assert walk.nodes == 1_000_000


def test_kernels_let_other_threads_run() -> None:
    walk = search.start(Board.empty(NINE))
    worker = threading.Thread(target=walk.run, kwargs={"nodes": 3_000_000})
    started = last = perf_counter()
    longest = 0.0
    worker.start()
    while worker.is_alive():
        now = perf_counter()
        longest, last = max(longest, now - last), now
    assert walk.nodes == 3_000_000
    assert longest < (perf_counter() - started) / 2  # with the GIL held it would be all of the time


# --------------------------------------------------------------------------------------- in Python


def test_tallies_grow_and_the_last_one_is_complete() -> None:
    board = random_board(NINE, random.Random(77), 50_000)
    tallies = list(search.tallies(search.start(board)))
    assert all(
        before.solutions <= after.solutions and before.nodes < after.nodes for before, after in pairwise(tallies)
    )
    assert [tally.complete for tally in tallies] == [False] * (len(tallies) - 1) + [True]
    for count in counts(NINE):
        assert_count(board, tallies[-1].solutions, count)


def test_a_limited_count_does_not_claim_to_be_complete() -> None:
    board = Board.empty(NINE)
    *_, last = search.tallies(search.start(board), limit=12_345)
    assert last.solutions == search.count(board, limit=12_345) == 12_345
    assert not last.complete
    assert search.count(Board.empty(Shape(2, 2)), limit=1000) == 288


def test_slices_of_a_long_count_are_short() -> None:
    times = [perf_counter() for _ in islice(search.tallies(search.start(Board.empty(Shape(5, 5)))), 30)]
    gaps = sorted(after - before for before, after in pairwise(times))
    assert gaps[len(gaps) // 2] < 0.1
    assert gaps[-1] < 2


def test_slices_stay_short_however_soon_they_are_full() -> None:
    """A slice that ends because its buffer is full says nothing about how many nodes fit into 20 ms."""
    slices = search.Slices(search.start(Board.empty(NINE)))
    chunk = bytearray(81)
    for _ in range(2000):
        assert slices.run(out=chunk) == 1
    started = perf_counter()
    slices.walk.run(slices.nodes)
    assert perf_counter() - started < 2
