"""The lists of puzzles that `python -m bench minimal` makes."""

from pathlib import Path

import pytest
from support.counts import assert_count

from bench.common import reference
from bench.common.boards import clue_cells, without_cells
from bench.common.puzzles import our_lists, read_list
from bench.make.minimal import COUNT, SEED, make_pair, write_list
from enumerator.board import Board
from enumerator.engines import contraction

LISTS = {name: read_list(path) for name, path in our_lists().items()}
SAMPLE = range(0, COUNT, COUNT // 10)


def test_there_are_two_lists_of_as_many_puzzles() -> None:
    assert {name: len(puzzles) for name, puzzles in LISTS.items()} == {"minimal": COUNT, "multiple": COUNT}
    assert len(set(LISTS["minimal"])) == COUNT
    assert all(path.stat().st_size < 300_000 for path in our_lists().values())


def test_the_same_seed_makes_the_same_puzzles() -> None:
    pairs = [make_pair(SEED, number) for number in range(20)]
    assert pairs == list(zip(LISTS["minimal"][:20], LISTS["multiple"][:20], strict=True))
    assert make_pair(SEED + 1, 0) != pairs[0]


def test_the_same_puzzles_make_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt.gz", tmp_path / "other.txt.gz"
    for path in (one, other):
        write_list(path, "a command", LISTS["minimal"][:20])
    assert one.read_bytes() == other.read_bytes()
    assert read_list(one) == LISTS["minimal"][:20]


@pytest.mark.parametrize("number", SAMPLE)
def test_the_contraction_finds_one_solution_and_several_without_any_clue(number: int) -> None:
    puzzle = LISTS["minimal"][number]
    assert_count(puzzle, 1, contraction.count)
    assert all(contraction.count(without_cells(puzzle, [cell])) > 1 for cell in clue_cells(puzzle))


def test_the_reference_finds_one_solution() -> None:
    for number in SAMPLE[:3]:
        assert_count(LISTS["minimal"][number], 1, reference.count)


@pytest.mark.parametrize("number", SAMPLE)
def test_a_puzzle_of_the_second_list_lacks_one_clue_of_the_first(number: int) -> None:
    minimal, multiple = LISTS["minimal"][number], LISTS["multiple"][number]
    (cell,) = set(clue_cells(minimal)) - set(clue_cells(multiple))
    assert multiple == Board.from_cells(minimal.shape, without_cells(minimal, [cell]).cells)
    assert contraction.count(multiple) > 1
