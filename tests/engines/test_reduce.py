"""Clues removed by the kernel: what it keeps is needed, what it removes is not, proved by plain Python."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from itertools import combinations
from math import exp, inf, isinf, lgamma

import pytest
from support.boards import full_board
from support.plain_solver import count_solutions, is_minimal, is_unique, superfluous

import enumerator
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import MOST
from enumerator.engines.reductions import ClueVerdict, Reduction
from enumerator.engines.search import reduce as kernel
from enumerator.engines.stopping import TaskStoppedError, run_until

FOUR, SIX, NINE = Shape(2, 2), Shape(2, 3), Shape(3, 3)
GRIDS = {"1234341221434321": (12, 256, 16), "1234341223414123": (128, 176, 0)}
"""Both solved 4×4 grids up to symmetry: their minimal puzzles of 4, 5 and 6 clues (shared/oracles/symmetry.md)."""


def grids(shape: Shape, number: int, seed: int) -> list[bytes]:
    """Return random solved grids."""
    return [grid.cells for grid in enumerator.sample(Board.empty(shape), number, seed)]


def reduction(shape: Shape) -> Reduction:
    return engines.reduction(shape)


def single_cells(shape: Shape) -> list[list[int]]:
    return [[cell] for cell in range(shape.cells)]


def reduce(shape: Shape, boards: list[bytes], orbits: list[list[int]], fewest: int = 0, seed: int = 1) -> list[bytes]:
    """Remove clues of boards of a shape."""
    rng, together = random.Random(seed), bytearray(b"".join(boards))
    seeds = array("Q", [rng.getrandbits(64) for _ in boards])
    assert not any(reduction(shape).reduce(together, seeds, orbits, fewest, MOST))
    return [bytes(together[at : at + shape.cells]) for at in range(0, len(together), shape.cells)]


@pytest.mark.parametrize(("shape", "number"), [(FOUR, 60), (SIX, 8), (NINE, 1)], ids=str)
def test_a_reduced_grid_is_minimal(shape: Shape, number: int) -> None:
    for grid, puzzle in zip(found := grids(shape, number, 1), reduce(shape, found, single_cells(shape)), strict=True):
        assert all(digit in (0, solved) for digit, solved in zip(puzzle, grid, strict=True))
        assert is_minimal(puzzle, shape.height, shape.width)


@pytest.mark.parametrize("fewest", [5, 8, 15])
def test_fewest_clues_are_left(fewest: int) -> None:
    for puzzle in reduce(FOUR, grids(FOUR, 50, 2), single_cells(FOUR), fewest):
        clues = 16 - puzzle.count(0)
        assert clues == fewest or (clues > fewest and is_minimal(puzzle, 2, 2))
        assert is_unique(puzzle, 2, 2)


def test_an_orbit_is_removed_as_a_whole_or_not_at_all() -> None:
    halves = [[cell, 15 - cell] for cell in range(8)]
    for puzzle in reduce(FOUR, grids(FOUR, 60, 3), halves):
        assert is_unique(puzzle, 2, 2)
        for one, other in halves:
            assert bool(puzzle[one]) == bool(puzzle[other])
            if puzzle[one]:
                fewer = bytes(0 if cell in (one, other) else digit for cell, digit in enumerate(puzzle))
                assert not is_unique(fewer, 2, 2)


def test_every_clue_is_judged_as_by_plain_python() -> None:
    rng = random.Random(4)
    for shape, number in ((FOUR, 40), (SIX, 10), (NINE, 1)):
        for puzzle, grid in zip(
            reduce(shape, found := grids(shape, number, 5), single_cells(shape)), found, strict=True
        ):
            more = bytearray(puzzle)
            for cell in rng.sample(range(shape.cells), 4):
                more[cell] = grid[cell]
            verdicts = reduction(shape).judge(more, MOST)
            needless = [cell for cell, digit in enumerate(more) if digit and verdicts[cell] == ClueVerdict.SUPERFLUOUS]
            assert needless == superfluous(bytes(more), shape.height, shape.width)
            assert ClueVerdict.UNDECIDED not in verdicts


def test_without_nodes_a_clue_that_needs_some_is_undecided_and_kept() -> None:
    (puzzle,) = reduce(NINE, grids(NINE, 1, 6), single_cells(NINE))
    verdicts = reduction(NINE).judge(puzzle, 0)
    assert ClueVerdict.UNDECIDED in verdicts
    board = bytearray(puzzle)
    undecided = reduction(NINE).reduce(board, array("Q", [1]), single_cells(NINE), 0, 0)
    assert bytes(board) == puzzle
    assert {cell for cell in range(81) if undecided[cell]} <= {cell for cell in range(81) if puzzle[cell]}
    assert any(undecided)


# ------------------------------------------------------------------------------------------ all minimal puzzles


def all_minimal(shape: Shape, cells: bytes, tests: int = 1_000, room: int = 7) -> list[bytes]:
    search, out, found = reduction(shape).minimal(cells), bytearray(room * shape.cells), list[bytes]()
    share = 0.0
    while not search.finished:
        number = search.run(tests, out)
        found += [bytes(out[at * shape.cells : (at + 1) * shape.cells]) for at in range(number)]
        assert share <= search.share
        share = search.share
    assert search.share == 1
    return found


@pytest.mark.parametrize(("grid", "numbers"), GRIDS.items())
def test_all_minimal_puzzles_of_a_4x4_grid(grid: str, numbers: tuple[int, ...]) -> None:
    cells = Board(grid).cells
    found = all_minimal(FOUR, cells)
    assert len(set(found)) == len(found)
    clues = Counter(16 - puzzle.count(0) for puzzle in found)
    assert tuple(clues[number] for number in (4, 5, 6)) == numbers
    assert set(found) == set(all_minimal(FOUR, cells, tests=1, room=1)), "in any slices the same"


def test_all_minimal_puzzles_equal_those_of_every_subset() -> None:
    """Of 4×4 and 6×6 boards with some superfluous clues; every subset of these is tried."""
    for shape, extra in ((FOUR, 4), (SIX, 2)):
        for puzzle, grid in zip(reduce(shape, found := grids(shape, 2, 7), single_cells(shape)), found, strict=True):
            more = bytearray(puzzle)
            for cell in random.Random(8).sample([cell for cell in range(shape.cells) if not puzzle[cell]], extra):
                more[cell] = grid[cell]
            needless = superfluous(bytes(more), shape.height, shape.width)
            tried = [
                bytes(0 if cell in out else digit for cell, digit in enumerate(more))
                for number in range(len(needless) + 1)
                for out in combinations(needless, number)
            ]
            expected = {board for board in tried if is_minimal(board, shape.height, shape.width)}
            assert set(all_minimal(shape, bytes(more))) == expected
            assert puzzle in expected


# ------------------------------------------------------------------------------------------------------ weights


def test_the_mean_of_the_weights_is_the_number_of_minimal_puzzles_in_a_grid() -> None:
    """With the probability of the first set of clues, weights are 1 / probability of a puzzle, for any floor."""
    for grid, numbers in GRIDS.items():
        for first, paths, floor in ((10, 0, -inf), (12, 2, -inf), (10, 2, -9.0)):
            tries = 2_000
            rng, boards = random.Random(f"{grid}{first}{floor}"), bytearray(Board(grid).cells * tries)
            seeds = array("Q", [rng.getrandbits(64) for _ in range(tries)])
            weights = reduction(FOUR).weigh(boards, seeds, first, paths, floor)
            sets = lgamma(17) - lgamma(first + 1)
            means = {
                clues: sum(
                    0.0 if isinf(weight) else exp(weight + sets)
                    for at, weight in enumerate(weights)
                    if 16 - boards[16 * at : 16 * at + 16].count(0) == clues
                )
                / tries
                for clues in (4, 5, 6)
            }
            assert means[5] == pytest.approx(numbers[1], rel=0.15)
            assert means[4] == pytest.approx(numbers[0], rel=0.4)
            assert sum(means.values()) == pytest.approx(sum(numbers), rel=0.1)
            assert not any(floor > weight > -inf for weight in weights)


def test_a_weighed_puzzle_is_minimal() -> None:
    boards = bytearray(b"".join(grids(FOUR, 100, 9)))
    weights = reduction(FOUR).weigh(boards, array("Q", range(100)), 10, 1, -inf)
    for at, weight in enumerate(weights):
        assert isinf(weight) or is_minimal(bytes(boards[16 * at : 16 * at + 16]), 2, 2)


def test_bad_arguments_are_refused() -> None:
    board, ones, marks = bytearray(Board("1234341221434321").cells), array("Q", [1]), bytearray(16)
    cells, ends = array("H", range(16)), array("H", range(1, 17))
    bad_orbits = ((array("H", [0, 0]), array("H", [2])), (array("H", [16]), array("H", [1])), (cells, array("H", [3])))
    for cells_and_ends in (*bad_orbits, (cells, array("H", [4, 4, 16])), (cells, array("H", [17]))):
        with pytest.raises(ValueError, match="orbit"):
            kernel.reduce_boards(board, 2, 2, ones, *cells_and_ends, 0, 100, marks)
    with pytest.raises(ValueError, match="seeds"):
        kernel.reduce_boards(board, 2, 2, array("Q"), cells, ends, 0, 100, marks)
    with pytest.raises(ValueError, match="bytes"):
        kernel.judge_clues(board, 2, 2, 100, bytearray(3))
    with pytest.raises(ValueError, match="weights"):
        kernel.weigh_boards(board, 2, 2, ones, 0, 1, -inf, array("d", [0]))
    assert count_solutions(bytes(board), 2, 2, 2) == 1


class StopAfter:
    """A stop that is set once it was asked for more than `most` times."""

    def __init__(self, most: int) -> None:
        self.left = most

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize(("shape", "most"), [(Shape(4, 4), 20), (Shape(3, 3), 1)], ids=str)
def test_a_task_that_is_stopped_ends_before_the_next_test_or_board(shape: Shape, most: int) -> None:
    """It is asked before each clue beyond 9×9, where tests may take long, and before each board otherwise."""
    solved = full_board(shape, random.Random("stopped")).cells
    boards, size, tests = bytearray(2 * solved), shape.cells, reduction(shape)
    with pytest.raises(TaskStoppedError):
        run_until(StopAfter(most), tests.reduce, boards, array("Q", [1, 2]), single_cells(shape), 0, 1_000)
    assert 0 < boards.count(0) < (most if size > 81 else size)
    assert boards[size:] == solved
    with pytest.raises(TaskStoppedError):
        run_until(StopAfter(most), tests.judge, 2 * solved, 1_000)
    assert set(run_until(StopAfter(10**6), tests.judge, solved, 1_000)) == {ClueVerdict.SUPERFLUOUS}
