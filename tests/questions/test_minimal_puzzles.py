"""Minimal puzzles inside a board: random ones, and all of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from support.boards import SOLVED
from support.plain_solver import is_minimal

import enumerator
from enumerator.board import Board
from enumerator.questions import minimal as questions
from enumerator.questions.generate import Puzzle
from enumerator.questions.minimal import all_minimal, number_first
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

GRID = "1234341221434321"


def test_random_ones_are_minimal_and_inside_the_board() -> None:
    board = Board("1234 3412 21.. 43..")
    for puzzle in enumerator.minimal(board, 30, seed=1):
        assert is_minimal(puzzle.cells, 2, 2)
        assert all(digit in (0, clue) for digit, clue in zip(puzzle.cells, board.cells, strict=True))


def test_a_seed_gives_the_same_ones_on_any_number_of_cores() -> None:
    some = list(enumerator.minimal(GRID, 100, seed=2, cores=1))
    assert some == list(enumerator.minimal(GRID, 100, seed=2, cores=2))
    assert some[:3] == list(enumerator.minimal(GRID, 3, 2))
    assert set(enumerator.minimal(GRID, 4_000, seed=3)) == set(enumerator.minimal(GRID, None)), "all come, in time"


def test_a_minimal_puzzle_is_the_only_one_inside_itself() -> None:
    puzzle = next(enumerator.generate(1, seed=4))
    assert list(enumerator.minimal(puzzle)) == [puzzle]
    assert list(enumerator.minimal(puzzle, None)) == [puzzle]


@pytest.mark.parametrize("seed", [1, 3])
def test_all_minimal_puzzles_inside_a_6x6_board_are_those_of_all_its_subsets(seed: int) -> None:
    """Each of the subsets of the clues is classified; those of which no smaller one is unique are minimal."""
    board = next(enumerator.generate(1, shape="2x3", seed=seed))
    solution = enumerator.solve(board)
    held = [cell for cell in range(36) if board.cells[cell]]
    held += random.Random(seed).sample([cell for cell in range(36) if cell not in held], 13 - len(held))
    puzzles = dict[int, Board]()
    for chosen in range(1 << len(held)):
        kept = {cell for at, cell in enumerate(held) if chosen >> at & 1}
        cells = bytes(digit if cell in kept else 0 for cell, digit in enumerate(solution.cells))
        puzzles[chosen] = Board.from_valid(board.shape, cells)
    verdicts = zip(puzzles, enumerator.classify_all(puzzles.values()), strict=True)
    unique = {chosen for chosen, verdict in verdicts if verdict == "unique"}
    least = {one for one in unique if not any(one >> at & 1 and one ^ 1 << at in unique for at in range(len(held)))}
    assert len(least) > 1
    assert set(enumerator.minimal(puzzles[max(puzzles)], None)) == {puzzles[one] for one in least}


def test_their_number_comes_first_if_it_is_soon_known(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[int | Puzzle] = []
    for some in number_first(all_minimal(Board(GRID), Plan()), said.append):
        said += some
    assert said[0] == len(said) - 1 == 284
    monkeypatch.setattr(questions, "NUMBER_SECONDS", -1)
    streamed: list[int | Puzzle] = []
    for some in number_first(all_minimal(Board(SOLVED), Plan()), streamed.append):
        streamed += some
        if len(streamed) > 20:
            break
    assert all(isinstance(each, Puzzle) for each in streamed), "it is not known"


@pytest.mark.slow
def test_all_minimal_puzzles_of_all_4x4_grids() -> None:
    """85,632: 25,728 with 4 clues, 58,368 with 5, 1,536 with 6 (shared/oracles/symmetry.md)."""
    found = {puzzle for grid in enumerator.solutions("." * 16) for puzzle in enumerator.minimal(grid, None)}
    assert Counter(16 - puzzle.empty_cells for puzzle in found) == {4: 25_728, 5: 58_368, 6: 1_536}


@pytest.mark.slow
def test_all_of_a_9x9_board_with_superfluous_clues() -> None:
    """Puzzles with more clues added: each minimal puzzle is that of a subset, and none is missing among random ones."""
    puzzle = next(enumerator.generate(1, seed=5))
    solution = enumerator.solve(puzzle)
    more = puzzle
    for cell in [cell for cell in range(81) if not puzzle.cells[cell]][:6]:
        more = more.with_cell(cell, solution.cells[cell])
    found = list(enumerator.minimal(more, None))
    assert len(set(found)) == len(found)
    assert puzzle in found
    assert set(enumerator.minimal(more, 300, seed=6)) <= set(found)
    assert not any(enumerator.superfluous(each) for each in found[:20])


def test_a_board_without_one_solution_has_none() -> None:
    with pytest.raises(enumerator.NotUniqueError):
        list(enumerator.minimal("." * 16))
    with pytest.raises(enumerator.NoSolutionError):
        list(enumerator.minimal("11" + "." * 14, None))
    masks = [1 << digit - 1 for digit in Board(GRID).cells]
    allowed = Board.from_allowed("2x2", [masks[0] | 2, *masks[1:]])
    with pytest.raises(ValueError, match="pencil marks"):
        list(enumerator.minimal(allowed))
    with pytest.raises(ValueError, match="up to 9×9"):
        list(enumerator.minimal("." * 256, None))


def test_the_time_limit_ends_a_list_that_nobody_can_finish() -> None:
    grid = enumerator.sample("." * 81, 1, seed=7)[0]
    found = list[Board]()
    with pytest.raises(OutOfTimeError, match="not all minimal puzzles were found"):
        found.extend(enumerator.minimal(grid, None, time_limit=0.1))
    assert found
