"""Walks over boards with pencil marks: the solutions are those that the marks allow, however they are walked."""

from __future__ import annotations

import pickle
import random
from array import array
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import NINE, random_board
from support.cases import slow_after
from support.counts import general
from support.marks import filtered, only_marks, rearrange, respects, restrict, restricted_board
from support.walks import classified, listing, walks

from bench.common import reference
from bench.common.position import Position
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import contraction, search
from enumerator.engines.search import kernel
from enumerator.engines.walks import pack_masks
from enumerator.engines.walks.boards import space
from enumerator.engines.walks.probes import WalkProbes
from enumerator.engines.walks.tree import above, split
from enumerator.engines.walks.worker import walk_parts

FOUR, SIX, SIXTEEN = Shape(2, 2), Shape(2, 3), Shape(4, 4)
SHAPES = [FOUR, SIX, NINE, SIXTEEN]

MARKED = st.builds(
    lambda shape, seed: restricted_board(shape, random.Random(f"marked {shape} {seed}")),
    st.sampled_from(SHAPES),
    st.integers(0, 9_999),
)
"""A board, and the same board with pencil marks."""


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(MARKED)
def test_the_solutions_are_those_of_the_plain_board_that_the_marks_allow(boards: tuple[Board, Board]) -> None:
    plain, marked = boards
    expected = filtered(plain, marked)
    assert expected
    for start in walks(marked.shape):
        assert sorted(listing(start(marked))) == expected
    if marked.shape.size <= 9 and marked.empty_cells < 50:
        assert sorted(solution.cells for solution in reference.walk(marked)) == expected


@pytest.mark.parametrize("number", range(20))
def test_every_way_to_mark_the_empty_4x4_board(number: int) -> None:
    marked = restrict(Board.empty(FOUR), random.Random(f"empty {number}"), 0.8)
    expected = filtered(Board.empty(FOUR), marked)
    assert len(expected) < 288
    assert sorted(listing(general(marked))) == sorted(board.cells for board in reference.walk(marked)) == expected


@pytest.mark.parametrize("digits", slow_after(2, [1, 2, 3]))
@pytest.mark.parametrize("number", range(4))
def test_two_walks_and_the_reference_agree_on_boards_of_marks_alone(digits: int, number: int) -> None:
    for shape in (SIX, NINE):
        board = only_marks(shape, random.Random(f"marks {digits} {number}"), digits)
        assert not any(board.cells)
        walk = general(board)
        found = listing(walk)
        assert all(respects(solution, board) for solution in found)
        assert sorted(found) == sorted(listing(search.start(board)))
        if walk.nodes < 300:
            assert reference.count(board) == len(found)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(MARKED, st.randoms(use_true_random=False))
def test_splitting_the_marks_of_a_cell_splits_the_solutions(boards: tuple[Board, Board], rng: random.Random) -> None:
    marked = boards[1]
    masks = marked.allowed or ()
    cell = rng.choice([cell for cell, digit in enumerate(marked.cells) if not digit])
    one = masks[cell] & rng.getrandbits(marked.shape.size)
    halves = (
        Board.from_cells(marked.shape, marked.cells, [*masks[:cell], half, *masks[cell + 1 :]])
        for half in (one, masks[cell] & ~one)
    )
    assert sum(map(search.count, halves)) == search.count(marked)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(MARKED, st.randoms(use_true_random=False))
def test_rearranging_a_marked_board_leaves_its_count(boards: tuple[Board, Board], rng: random.Random) -> None:
    marked = boards[1]
    assert search.count(rearrange(marked, rng)) == search.count(marked)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(MARKED, st.randoms(use_true_random=False))
def test_any_slicing_finds_the_same_and_leaves_the_rest(boards: tuple[Board, Board], rng: random.Random) -> None:
    marked = boards[1]
    for start in walks(marked.shape):
        expected = listing(start(marked))
        assert listing(start(marked), rng.randint(1, 9), rng.randint(1, 9)) == expected
        walk = start(marked)
        chunk = bytearray(len(expected) * walk.cells)
        found = walk.run(rng.randint(0, 2 * len(expected)), out=chunk)
        everything = [bytes(chunk[at : at + walk.cells]) for at in range(0, found * walk.cells, walk.cells)]
        for part in walk.rest():
            everything += listing(start(Board.from_cells(marked.shape, part, marked.allowed)))
        assert sorted(everything) == sorted(expected)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(MARKED, st.integers(1, 200))
def test_parts_are_walked_by_any_worker(boards: tuple[Board, Board], budget: int) -> None:
    plain, marked = boards
    job = search.ENGINE.tree(marked.shape, allowed=marked.allowed)
    work = pickle.loads(pickle.dumps(job.work))
    found, loads = 0, [job.whole(marked)]
    while loads:
        result = work([loads.pop()], budget, kernel.MOST, 1.0)
        found += result.solutions
        loads += [load for part in result.parts for load, _ in part.rest]
    assert found == len(filtered(plain, marked))
    whole = job.part(marked.cells, 1.0)
    assert whole.size == marked.combinations
    assert job.board(whole.load) == marked
    parts = list(split([whole], above(max(1, whole.size // 1000), job.branch)))
    assert sum(search.count(Board.from_cells(marked.shape, part.load, marked.allowed)) for part in parts) == found


def test_a_plain_job_sends_no_marks() -> None:
    plain, marked = restricted_board(NINE, random.Random("sent"))
    work = search.ENGINE.tree(NINE).work
    assert getattr(work, "func", None) is walk_parts
    assert getattr(work, "keywords", None) == {}
    sent = len(pickle.dumps(search.ENGINE.tree(NINE, allowed=marked.allowed).work)) - len(pickle.dumps(work))
    assert 8 * 81 <= sent < 8 * 81 + 200
    assert plain.allowed is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_cell_or_a_digit_without_a_place_ends_a_walk_at_once(shape: Shape) -> None:
    full = (1 << shape.size) - 1
    no_cell = Board.from_allowed(shape, [0, *[full] * (shape.cells - 1)])
    no_digit = Board.from_allowed(shape, [full >> 1] * shape.cells)
    row = shape.size
    not_in_a_row = Board.from_allowed(shape, [full >> 1] * row + [full] * (shape.cells - row))
    forbidden = kernel.General(bytes([1] + [0] * (shape.cells - 1)), shape.height, shape.width, allowed=masks(2, shape))
    assert forbidden.finished
    for start in walks(shape):
        for board in (no_cell, no_digit, not_in_a_row):
            walk = start(board)
            assert walk.run(1_000) == 0
            assert walk.finished
            if shape.size >= 9:  # the others have too few cells for rules of units
                assert walk.nodes == 0


def masks(first: int, shape: Shape) -> array[int]:
    """Return the masks of a board that restricts its first cell only."""
    return array("Q", [first, *[(1 << shape.size) - 1] * (shape.cells - 1)])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_kernel_takes_marks_that_are_not_normalised(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"kernel {shape}"), 100).with_cell(0, 0)
    height, width = shape.height, shape.width
    for digit in (1, 2):
        one = masks(1 << (digit - 1), shape)
        expected = search.start(board.with_cell(0, digit)).run(limit=500)
        for walk in (
            kernel.start(board.cells, height, width, one),
            kernel.General(board.cells, height, width, allowed=one),
            kernel.start(board.with_cell(0, digit).cells, height, width, one),
        ):
            assert walk.run(limit=500) == expected
        other = masks(1 << digit, shape)
        assert kernel.start(board.with_cell(0, digit).cells, height, width, other).finished
        two = masks(3 << digit, shape)
        assert space(board.cells, height, width, two) == Board.from_cells(shape, board.cells, two).combinations
    beyond = array("Q", [2**64 - 1] * shape.cells)  # bits of digits that the board does not have
    assert kernel.start(board.cells, height, width, beyond).run(limit=500) == search.start(board).run(limit=500)
    assert space(board.cells, height, width, beyond) == board.combinations


def test_the_kernel_refuses_marks_of_another_length() -> None:
    short = array("Q", [511] * 80)
    for call in (
        lambda: kernel.start(bytes(81), 3, 3, short),
        lambda: kernel.General(bytes(81), 3, 3, allowed=short),
        lambda: space(bytes(81), 3, 3, short),
        lambda: classified(bytes(81), NINE, 10, None, short),
    ):
        with pytest.raises(ValueError, match="80 masks, not 81"):
            call()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_one_call_classifies_boards_that_share_their_marks(shape: Shape) -> None:
    rng = random.Random(f"classify {shape}")
    for _ in range(5):
        plain, marked = restricted_board(shape, rng, 20)
        tries = [plain, *(plain.with_cell(cell, digit) for cell, digit in clues(plain)[:5])]
        boards = b"".join(board.cells for board in tries)
        solutions = bytearray(len(boards))
        verdicts = classified(boards, shape, kernel.MOST, solutions, pack_masks(marked.allowed))
        for at, board in enumerate(tries):
            expected = filtered(board, marked)
            assert verdicts[at] == min(2, len(expected))
            if len(expected) == 1:
                assert solutions[at * shape.cells : (at + 1) * shape.cells] == expected[0]


def clues(board: Board) -> list[tuple[int, int]]:
    """Return the empty cells of a board, each with its digit in the first solution."""
    solution = listing(general(board))[0]
    return [(cell, solution[cell]) for cell, digit in enumerate(board.cells) if not digit]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(MARKED, st.randoms(use_true_random=False))
def test_a_position_keeps_the_marks(boards: tuple[Board, Board], rng: random.Random) -> None:
    marked = boards[1]
    position, expected = Position(marked), marked
    for _ in range(10):
        count, cell = position.best
        if position.full or not count:
            break
        digits = [digit for digit in range(1, marked.shape.size + 1) if position.candidates(cell) >> (digit - 1) & 1]
        assert len(digits) == count
        position.set(cell, digit := rng.choice(digits))
        expected = expected.with_cell(cell, digit)
        assert position.board == position.clone().board == expected
        assert position.best == Position(expected).best
        if rng.random() < 0.3:
            position.unset()
            expected = Board.from_cells(
                marked.shape, expected.cells[:cell] + b"\0" + expected.cells[cell + 1 :], marked.allowed
            )
            assert position.board == expected


def test_probes_of_a_marked_board_are_right_on_average() -> None:
    rng = random.Random("probes 1")
    marked = restrict(random_board(NINE, rng, 20_000), rng, 0.1)
    expected = search.count(marked)
    assert expected > 500
    probes = WalkProbes(search.start(marked), marked)
    found = [exp(probes.probe(50, rng, lambda: None).log_solutions) for _ in range(200)]
    assert sum(found) / len(found) == pytest.approx(expected, rel=0.1)


def test_an_engine_says_if_it_takes_pencil_marks() -> None:
    plain, marked = restricted_board(NINE, random.Random("engines"))
    assert [engine.name for engine in engines.supporting(plain)] == ["search", "contraction", "learning"]
    assert [engine.name for engine in engines.supporting(marked)] == ["search", "learning"]
    assert engines.first_supporting(marked) is engines.get("search")
    refused = "the engine contraction does not take pencil marks: use the search"
    engine = contraction.ENGINE
    engine.check(plain)
    for call in (engine.check, engine.begin, engine.job, engine.prepare, engine.solutions, engine.candidates):
        with pytest.raises(ValueError, match=refused):
            call(marked)
