"""The walk over every shape: its two halves, far from the leaves and near them, and the step between.

`rules_above` says where the walk near the leaves takes over: at most that many open cells, and at most 64.
"""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest
from support.boards import breaks_no_rule, full_board, random_board, shuffle, with_holes
from support.counts import general, walk_generally
from support.walks import listing

from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines.search import kernel

MIXED = [Shape(2, 2), Shape(3, 2), Shape(2, 5), Shape(3, 3), Shape(3, 4), Shape(4, 4)]


def stepping(board: Board, rules_above: int) -> kernel.Walk:
    """Start a walk whose half near the leaves takes over at `rules_above` open cells."""
    return kernel.General(board.cells, board.shape.height, board.shape.width, rules_above)


@pytest.mark.parametrize("shape", MIXED, ids=str)
def test_the_half_near_the_leaves_may_take_over_anywhere(shape: Shape) -> None:
    rng = random.Random(f"halves {shape}")
    board = random_board(shape, rng, 150)
    expected = sorted(listing(general(board)))
    for rules_above in {0, 1, 2, 3, 7, 20, 50, 63, 64, 65}:
        whole = listing(stepping(board, rules_above))
        assert sorted(whole) == expected
        for nodes in (1, 5):
            assert listing(stepping(board, rules_above), nodes, at_a_time=3) == whole
        walk = stepping(board, rules_above)
        chunk = bytearray(shape.cells * len(expected))
        found = walk.run(rng.randint(1, 2 * len(expected)), out=chunk)
        begun = [bytes(chunk[start : start + shape.cells]) for start in range(0, found * shape.cells, shape.cells)]
        rest = [
            cells for part in walk.rest() for cells in listing(stepping(Board.from_cells(shape, part), rules_above))
        ]
        assert sorted(begun + rest) == expected


@pytest.mark.parametrize("shape", [Shape(3, 5), Shape(4, 4), Shape(7, 3), Shape(5, 5), Shape(8, 8)], ids=str)
@pytest.mark.parametrize("holes", [63, 64, 65, 66])
def test_a_board_with_as_many_open_cells_as_a_word_has_bits(shape: Shape, holes: int) -> None:
    rng = random.Random(f"word {shape} {holes}")
    board = with_holes(full_board(shape, rng), holes, rng)
    far = listing(stepping(board, 0))
    for rules_above in (holes - 1, holes, shape.cells):
        near = stepping(board, rules_above)
        chunk = bytearray(shape.cells * (len(far) + 1))
        found = near.run(100_000, out=chunk)
        some = {bytes(chunk[start : start + shape.cells]) for start in range(0, found * shape.cells, shape.cells)}
        assert len(some) == found
        assert some == set(far) if near.finished else some <= set(far)
    assert all(breaks_no_rule(Board.from_cells(shape, cells), board) for cells in far[:3])


@pytest.mark.parametrize("shape", MIXED, ids=str)
def test_a_walk_that_is_used_again_remembers_nothing(shape: Shape) -> None:
    """Boards far from the leaves, near them, full, contradictory and dead, in any order."""
    rng = random.Random(f"again {shape}")
    boards = []
    for _ in range(30):
        full = full_board(shape, rng)
        twice = bytearray(full.cells)
        twice[0] = twice[1]
        wrong = bytearray(random_board(shape, rng, 5).cells)
        if 0 in wrong:
            wrong[wrong.index(0)] = rng.randint(1, shape.size)
        few = with_holes(full, rng.randint(1, min(40, shape.cells // 3)), rng)
        boards += [random_board(shape, rng, 20).cells, few.cells, full.cells, bytes(twice), bytes(wrong)]
    rng.shuffle(boards)
    counts = array("Q", bytes(8 * len(boards)))
    done, hard, _ = kernel.count_boards(b"".join(boards), shape.height, shape.width, kernel.MOST, kernel.MOST, counts)
    assert (done, hard) == (len(boards), None)
    assert list(counts) == [walk_generally(Board.from_cells(shape, cells)) for cells in boards]
    if shape.size <= 9:
        assert list(counts) == [reference.count(Board.from_cells(shape, cells)) for cells in boards]


@pytest.mark.parametrize("shape", [Shape(4, 4), Shape(5, 5), Shape(8, 8)], ids=str)
def test_an_empty_board_has_a_first_solution(shape: Shape) -> None:
    walk, chunk = general(Board.empty(shape)), bytearray(shape.cells)
    assert walk.left == shape.size
    if shape.size < 64:
        assert walk.run(1_000_000, 1, chunk) == 1
        assert breaks_no_rule(Board.from_cells(shape, bytes(chunk)), Board.empty(shape))


def test_large_boards_have_their_known_numbers_of_solutions(shared: Path) -> None:
    """Numbers that two other programs found, and those of boards with rows, columns and digits exchanged."""
    rng, checked = random.Random("large"), 0
    for line in (shared / "large" / "many.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        text, solutions, name = line.split("\t")
        if not (name.startswith("16-") and solutions.isdecimal() and int(solutions) < 10_000):
            continue
        board = Board.parse(text)
        for twin in (board, shuffle(board, rng)):
            assert walk_generally(twin) == int(solutions), name
        checked += 1
    assert checked >= 6
