"""The boards of boards/large/ and their page, as `python -m bench large-boards` makes them."""

import random
from argparse import Namespace
from pathlib import Path

import pytest
from support.boards import ROOT, breaks_no_rule
from support.cases import slow_after
from support.counts import walk_generally

from bench.common.boards import clue_cells, our_boards, without_cells
from bench.make import large
from bench.study.options import stated_counts
from bench.study.peer_programs import MORE_PROGRAMS, PROGRAMS, Task, installed_version
from enumerator import classify, count, engines
from enumerator.board import Board, Shape
from enumerator.board.files import read

FOLDER = ROOT / "boards" / "large"
PAGE = (FOLDER / "README.md").read_text()
ENTRIES = large.entries(PAGE)
BOARDS = {name: read(FOLDER / f"{name}.txt") for name in ENTRIES}

KEPT = {"16x16-a": 14}
"""The number of the grid whose puzzle was kept, where several were tried."""

LONG = ("25x25-a-8", "25x25-a-10")
"""Boards that another program counts in `python -m bench large` alone, as it takes seconds."""

SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(4, 4)]


def require_engine(name: str) -> None:
    """Skip a test of a board that needs an engine which is not there."""
    if ENTRIES[name].engine not in engines.names():
        pytest.skip(f"{name} needs the engine {ENTRIES[name].engine}")


# ------------------------------------------------------------------------------------------------- the method


@pytest.mark.parametrize("shape", slow_after(2, SHAPES), ids=str)
def test_a_mixed_grid_breaks_no_rule_and_depends_on_the_seed_alone(shape: Shape) -> None:
    grids = [large.mixed_grid(shape, random.Random(seed)) for seed in (1, 1, 2)]
    assert all(breaks_no_rule(grid, Board.empty(shape)) for grid in grids)
    assert grids[0] == grids[1] != grids[2]


def test_a_move_changes_the_places_of_its_digits_alone() -> None:
    shape, rng = Shape(4, 4), random.Random(1)
    before = large.mixed_grid(shape, rng)
    after = bytearray(before.cells)
    large.move(shape, after, [3, 5, 7], rng)
    changed = [cell for cell in range(shape.cells) if after[cell] != before.cells[cell]]
    assert changed
    assert {before.cells[cell] for cell in changed} <= {3, 5, 7}
    assert breaks_no_rule(Board.from_cells(shape, bytes(after)), Board.empty(shape))


@pytest.mark.slow
def test_a_puzzle_without_a_number_of_clues_is_minimal() -> None:
    puzzle = large.make("small", large.Recipe(Shape(3, 3), 0, tries=3))["small"]
    assert count(puzzle) == 1
    assert all(count(without_cells(puzzle, [cell])) > 1 for cell in clue_cells(puzzle))


@pytest.mark.slow
def test_of_several_puzzles_the_one_with_the_most_candidates_is_kept() -> None:
    recipe = large.Recipe(Shape(3, 3), 24)
    several = large.candidates(large.make("small", recipe._replace(tries=4))["small"])
    assert several >= large.candidates(large.make("small", recipe)["small"])


def test_a_series_is_nested_and_has_as_many_clues_fewer() -> None:
    boards = large.make("small", large.Recipe(Shape(3, 3), 30, fewer=(2, 5)))
    assert [len(clue_cells(board)) for board in boards.values()] == [30, 28, 25]
    clues = [set(clue_cells(board)) for board in boards.values()]
    assert clues[0] > clues[1] > clues[2]
    assert list(boards) == ["small", "small-2", "small-5"]


def test_the_command_makes_boards_and_their_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipes = {"small": large.Recipe(Shape(3, 3), 30, fewer=(4,), seed=7)}
    monkeypatch.setattr(large, "RECIPES", recipes)
    options = Namespace(names=[], seed=None, fresh=False, folder=tmp_path)
    assert large.run(options) == 0
    found = large.entries((tmp_path / "README.md").read_text())
    made = {path.stem: read(path) for path in tmp_path.glob("*.txt")}
    assert made == large.make("small", recipes["small"])
    assert {name: entry.solutions for name, entry in found.items()} == {
        name: count(board) for name, board in made.items()
    }
    assert {(entry.seed, entry.engine) for entry in found.values()} == {(7, "search")}
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert large.run(options) == 0
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


# ------------------------------------------------------------------------------------------- boards of boards/large


def test_the_page_of_large_boards_is_what_the_command_writes() -> None:
    assert large.table({FOLDER / f"{name}.txt": entry for name, entry in ENTRIES.items()}) == PAGE


def test_every_large_board_is_in_the_table() -> None:
    made = [each for name, recipe in large.RECIPES.items() for each in large.names_of(name, recipe)]
    assert list(ENTRIES) == made
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(made)


def test_the_counts_of_large_boards_are_known_by_name() -> None:
    paths = our_boards("large/*")
    assert stated_counts(paths) == {f"large/{name}": entry.solutions for name, entry in ENTRIES.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", large.RECIPES)
def test_a_puzzle_is_a_part_of_its_grid(name: str) -> None:
    """The grid depends on the seed alone; which clues are needed is the work of an engine."""
    recipe, puzzle = large.RECIPES[name], BOARDS[name]
    assert ENTRIES[name].seed == recipe.seed
    kept = KEPT.get(name, 0)
    assert 0 <= kept < recipe.tries
    grid = large.mixed_grid(recipe.shape, random.Random(f"{recipe.seed}/{name}/{kept}"))
    assert without_cells(grid, set(range(recipe.shape.cells)) - set(clue_cells(puzzle))) == puzzle
    assert len(clue_cells(puzzle)) == recipe.clues or not recipe.clues
    for number in recipe.fewer:
        fewer = BOARDS[f"{name}-{number}"]
        assert len(clue_cells(fewer)) == len(clue_cells(puzzle)) - number
        assert without_cells(puzzle, set(clue_cells(puzzle)) - set(clue_cells(fewer))) == fewer


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_the_table_of_large_boards_is_true(name: str) -> None:
    require_engine(name)
    assert count(BOARDS[name]) == ENTRIES[name].solutions
    if ENTRIES[name].engine == "search" and BOARDS[name].shape.size <= 16:
        assert walk_generally(BOARDS[name]) == ENTRIES[name].solutions


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, entry in ENTRIES.items() if entry.solutions == 1 and BOARDS[name].shape.size <= 16]
)
def test_a_large_puzzle_is_unique(name: str) -> None:
    require_engine(name)
    assert classify(BOARDS[name]) == "unique"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ENTRIES if name not in LONG])
def test_another_program_agrees_with_the_table(name: str) -> None:
    solutions = ENTRIES[name].solutions
    program = MORE_PROGRAMS["CaDiCaL"] if solutions == 1 else PROGRAMS["clingo"]
    if installed_version(program) is None:
        pytest.skip(f"{program.name} is not installed")
    found = program.count(Task(BOARDS[name], 2 if solutions == 1 else None, 100.0, is_reduced=True))
    assert found == (solutions, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["16x16-b"])
def test_the_same_seed_makes_the_same_large_boards(name: str) -> None:
    made = large.make(name, large.RECIPES[name])
    assert made == {each: BOARDS[each] for each in made}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["25x25-a"])
def test_the_learning_engine_makes_the_same_large_boards(name: str) -> None:
    if "learning" not in engines.names():
        pytest.skip("no engine learning")
    made = large.make(name, large.RECIPES[name])
    assert made == {each: BOARDS[each] for each in made}
