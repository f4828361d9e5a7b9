"""Unavoidable sets: cells of a solution that can be filled in another way, and no fewer of them."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from support.boards import EMPTY, PUZZLE, SOLVED, UNSOLVABLE, full_board, shuffle, transpose
from support.processes import Run, assert_mistake

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.questions.unavoidable import unavoidable
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

ALONE = Plan(1, pool=None)

FIRST, SECOND = "1234341221434321", "1234341223414123"
"""The two 4×4 boards that are not symmetric to each other."""

MANY_FOURS = "123568479864791352957243681218657934536489127749312865391825746472136598685974213"
"""A board with 36 unavoidable sets of 4 cells, the most there are: gsf, Sudoku players' forum t36252."""


@pytest.mark.parametrize(
    ("text", "sizes"), [(FIRST, {4: 8, 8: 2, 12: 4}), (SECOND, {4: 4, 8: 6, 10: 16})], ids=["first", "second"]
)
def test_4x4_boards_have_those_of_brute_force(text: str, sizes: dict[int, int]) -> None:
    """The numbers are published; the sets are the least differences to each of the 288 boards."""
    ours = Board(text)
    answer = unavoidable(ours, ALONE)
    assert answer.complete
    assert answer.sizes == sizes
    others = [board.cells for board in en.solutions("." * 16) if board != ours]
    assert len(others) == 287
    differences = {frozenset(cell for cell in range(16) if cells[cell] != ours.cells[cell]) for cells in others}
    least = {one for one in differences if not any(other < one for other in differences)}
    assert {frozenset(cells) for cells in answer} == least


def test_sets_inside_random_holes_of_9x9_are_the_least_differences_of_their_solutions() -> None:
    differ = 0
    for seed in range(20):
        rng = random.Random(f"holes {seed}")
        ours = full_board(Shape(3, 3), rng)
        sets = {frozenset(cells) for cells in unavoidable(ours, Plan(2), 10)}
        for _ in range(10):
            holes = frozenset(rng.sample(range(81), rng.choice([20, 34, 44])))
            asked = Board.from_cells(
                ours.shape, bytes(0 if cell in holes else digit for cell, digit in enumerate(ours.cells))
            )
            others = [board.cells for board in en.solutions(asked) if board != ours]
            found = {frozenset(cell for cell in holes if cells[cell] != ours.cells[cell]) for cells in others}
            least = {one for one in found if len(one) <= 10 and not any(other < one for other in found)}
            assert {one for one in sets if one <= holes} == least
            differ += len(least)
    assert differ > 100


def test_a_published_board_has_36_sets_of_4_cells() -> None:
    assert unavoidable(Board(MANY_FOURS), ALONE, 4).sizes == {4: 36}


@pytest.mark.parametrize(
    ("shape", "most"), [(Shape(2, 3), 10), (Shape(3, 3), 9), (Shape(2, 5), 8), (Shape(4, 4), 6)], ids=str
)
def test_a_set_can_be_filled_in_another_way_and_no_part_of_it(shape: Shape, most: int) -> None:
    ours = full_board(shape, random.Random(str(shape)))
    answer = unavoidable(ours, Plan(2), most)
    assert len(set(answer)) == len(answer) > 10
    for cells in random.Random(1).sample(answer.sets, 10):
        holes = ours
        for cell in cells:
            holes = holes.with_cell(cell, 0)
        assert en.classify(holes) == "multiple"
        assert all(en.classify(holes.with_cell(cell, ours.cells[cell])) == "unique" for cell in cells)


@pytest.mark.slow
def test_the_numbers_do_not_change_when_the_board_is_rearranged() -> None:
    rng = random.Random(4)
    (ours,) = en.sample(EMPTY, 1, seed=4)
    sizes = unavoidable(ours, ALONE, 10).sizes
    for other in (transpose(ours), shuffle(ours, rng)):
        assert unavoidable(other, Plan(2), 10).sizes == sizes


def test_all_sets_up_to_a_size_are_those_of_a_larger_size() -> None:
    ours = Board(SOLVED)
    larger = unavoidable(ours, ALONE, 9)
    assert unavoidable(ours, ALONE, 6).sets == tuple(cells for cells in larger if len(cells) <= 6)


def test_a_puzzle_has_a_clue_in_each_set() -> None:
    puzzle = Board(PUZZLE)
    answer = en.unavoidable(puzzle, 10)
    assert answer.solution == en.solve(puzzle)
    assert all(answer.hits)
    assert all(puzzle.cells[cell] for cells in answer.hits for cell in cells)
    needed = {cells[0] for cells in answer.hits if len(cells) == 1}
    assert not needed & {9 * row + column for row, column in en.superfluous(puzzle)}


@pytest.mark.parametrize(("text", "error"), [(EMPTY, en.NotUniqueError), (UNSOLVABLE, en.NoSolutionError)])
def test_a_board_without_a_single_solution_has_none(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        en.unavoidable(text)


def test_what_is_known_after_an_early_end_is_right() -> None:
    def watch(progress: Progress) -> None:
        if (progress.share or 0) > 0.5:
            raise en.OutOfTimeError

    whole = unavoidable(Board(SOLVED), ALONE, 8)
    with pytest.raises(en.OutOfTimeError) as ended:
        unavoidable(Board(SOLVED), ALONE, 8, watch=watch)
    part = ended.value.answer
    assert not part.complete
    assert 0 < len(part) < len(whole)
    assert set(part) == {cells for cells in whole if cells[0] >= 81 - 41}


def test_the_command_lists_sets_with_the_clues_in_them(ask: Run) -> None:
    lines = ask("1.....2..3.....4", "--unavoidable", "4").stdout.splitlines()
    assert lines[1:4] == [
        "  sets            8 sets of up to 4 cells",
        "  solution        1243342143122134",
        "  size            4 cells: 8",
    ]
    assert lines[5] == "  r1c1=1 r1c2 r4c1 r4c2"
    assert ask(FIRST, SECOND, EMPTY, "--unavoidable", "-q").stdout == "14\n26\nmultiple\n"


def test_json_and_csv_have_the_cells_of_each_set(ask: Run) -> None:
    facts = json.loads(ask(FIRST, "--unavoidable", "--json").stdout)
    assert Counter(len(one["cells"]) for one in facts["sets"]) == {4: 8, 8: 2, 12: 4}
    rows = ask(FIRST, "--unavoidable", "4", "--csv").stdout.splitlines()
    assert rows[:2] == ["source,board,size,cells,clues,error", f"<argument>,{FIRST},4,{'r1c1; r1c2; r3c1; r3c2,' * 2}"]
    assert json.loads(ask(EMPTY, "--unavoidable", "--json").stdout)["verdict"] == "multiple"


def test_a_board_in_the_place_of_the_number_is_explained(ask: Run) -> None:
    assert_mistake(ask("--unavoidable", FIRST), "a board stands before the option")


def test_all_sets_of_a_small_board_are_known_however_many_cells_are_asked_for() -> None:
    answer = en.unavoidable(FIRST, 65)
    assert (answer.sizes, answer.most, answer.complete) == ({4: 8, 8: 2, 12: 4}, 16, True)


def test_sets_of_more_cells_than_are_found_are_refused() -> None:
    with pytest.raises(ValueError, match="up to 64 cells, not 65"):
        en.unavoidable(MANY_FOURS, 65)
