"""New puzzles: each is what was asked for, proved by plain Python and by the contraction, which make none of them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from math import sqrt
from statistics import mean, stdev

import pytest
from support.boards import NINE
from support.plain_solver import is_minimal, is_unique, superfluous

import enumerator
from enumerator.board import Board, Shape
from enumerator.questions.generate import Recipe, tries_in
from enumerator.questions.levels import LEVELS, find_level
from enumerator.questions.orbits import SYMMETRIES, PatternSymmetry, can_have, orbits
from enumerator.run.endings import OutOfTimeError, Stopped
from enumerator.run.progress import Progress

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

FOUR = Shape(2, 2)

TURNED = {
    "180": lambda row, column: (8 - row, 8 - column),
    "90": lambda row, column: (column, 8 - row),
    "mirror": lambda row, column: (row, 8 - column),
    "diagonal": lambda row, column: (column, row),
}


def clues(board: Board) -> int:
    return board.shape.cells - board.empty_cells


def proved(board: Board) -> bool:
    """Return True if a 9×9 board has one solution, by an engine that never sees the search."""
    return enumerator.count(board, engine="contraction") == 1


def test_minimal_puzzles_are_unique_and_no_clue_is_superfluous() -> None:
    puzzles = list(enumerator.generate(20, seed=1))
    assert len(set(puzzles)) == 20
    assert all(map(proved, puzzles))
    for puzzle in puzzles[:3]:
        for cell in random.Random(1).sample([cell for cell in range(81) if puzzle.cells[cell]], 3):
            assert not proved(puzzle.without_clue(*divmod(cell, 9)))
    assert is_minimal(puzzles[0].cells, 3, 3)


@pytest.mark.slow
def test_hundreds_of_puzzles_are_unique_and_some_of_them_minimal() -> None:
    """Counted by the contraction, which shares no code with the removal of clues."""
    puzzles = list(enumerator.generate(400, seed=20))
    assert set(enumerator.count_all(puzzles, engine="contraction")) == {1}
    fewer = [
        puzzle.without_clue(*divmod(cell, 9)) for puzzle in puzzles[:10] for cell in range(81) if puzzle.cells[cell]
    ]
    assert min(enumerator.count_all(fewer, engine="contraction")) > 1


@pytest.mark.slow
def test_clues_of_minimal_puzzles_are_as_is_known_of_this_method() -> None:
    """Mean 24.38, standard deviation 1.12 (shared/oracles/symmetry.md), within four standard errors."""
    numbers = [clues(puzzle) for puzzle in enumerator.generate(3_000, seed=2)]
    assert abs(mean(numbers) - 24.38) < 4 * 1.12 / sqrt(3_000)
    assert abs(stdev(numbers) - 1.12) < 4 * 1.12 / sqrt(6_000)


@pytest.mark.parametrize(
    "keywords", [{}, {"clues": 26, "symmetry": "180"}, {"level": "singles", "shape": "2x3"}], ids=str
)
def test_a_seed_gives_the_same_puzzles_on_any_number_of_cores(keywords: dict[str, object]) -> None:
    some = list(enumerator.generate(40, seed=3, cores=1, **keywords))  # type: ignore[call-overload]
    assert some == list(enumerator.generate(40, seed=3, cores=2, **keywords))  # type: ignore[call-overload]
    assert some[:7] == list(enumerator.generate(7, seed=3, **keywords))  # type: ignore[call-overload]
    assert some != list(enumerator.generate(40, seed=4, **keywords))  # type: ignore[call-overload]


def test_without_a_seed_puzzles_differ_and_without_a_number_they_do_not_end() -> None:
    assert list(enumerator.generate(2)) != list(enumerator.generate(2))
    assert len(list(islice(enumerator.generate(None, shape="2x2"), 700))) == 700
    assert list(enumerator.generate(0)) == []


@pytest.mark.parametrize("symmetry", [name for name in SYMMETRIES if name != "none"])
def test_patterns_are_symmetric(symmetry: PatternSymmetry) -> None:
    for puzzle in enumerator.generate(10, symmetry=symmetry, clues=(24, 36), seed=5):
        assert 24 <= clues(puzzle) <= 36
        assert proved(puzzle)
        for cell in range(81):
            row, column = TURNED[symmetry](*divmod(cell, 9))
            assert bool(puzzle.cells[cell]) == bool(puzzle.cells[9 * row + column])


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_orbits_divide_the_cells(symmetry: PatternSymmetry) -> None:
    for shape in (FOUR, Shape(2, 3), NINE, Shape(5, 5)):
        found = orbits(shape, symmetry)
        assert sorted(cell for orbit in found for cell in orbit) == list(range(shape.cells))
        assert {len(orbit) for orbit in found} <= {"none": {1}, "90": {1, 4}}.get(symmetry, {1, 2})


def test_some_numbers_of_clues_have_no_symmetric_pattern() -> None:
    assert [can_have(NINE, "90", number) for number in (24, 25, 26, 27)] == [True, True, False, False]
    assert [can_have(FOUR, "180", number) for number in (5, 6)] == [False, True]
    with pytest.raises(ValueError, match="no pattern with the symmetry 90 has 26 clues"):
        enumerator.generate(1, symmetry="90", clues=26)


@pytest.mark.parametrize("number", [23, 27, 40, 81])
def test_the_number_of_clues_is_as_asked(number: int) -> None:
    for puzzle in enumerator.generate(6, clues=number, seed=6):
        assert clues(puzzle) == number
        assert proved(puzzle)


@pytest.mark.parametrize("most", [0, 2])
def test_there_are_no_more_superfluous_clues_than_allowed(most: int) -> None:
    puzzles = list(enumerator.generate(30, shape="2x3", symmetry="180", superfluous=most, seed=7))
    numbers = [len(superfluous(puzzle.cells, 2, 3)) for puzzle in puzzles]
    assert max(numbers) <= most
    assert most == 0 or max(numbers) > 0


def test_puzzles_of_a_solution_have_it() -> None:
    solution = enumerator.sample("." * 81, 1, seed=8)[0]
    puzzles = list(enumerator.generate(5, solution=solution, seed=8))
    assert [enumerator.solve(puzzle, engine="learning") for puzzle in puzzles] == [solution] * 5
    assert set(puzzles) == set(enumerator.generate(5, solution=puzzles[0], seed=8)), "from a puzzle with this solution"


def test_clues_stand_on_the_cells_of_a_pattern() -> None:
    pattern = next(enumerator.generate(1, clues=26, symmetry="diagonal", seed=9))
    puzzles = list(enumerator.generate(3, pattern=pattern, seed=9))
    assert len(set(puzzles)) == 3
    for puzzle in puzzles:
        assert proved(puzzle)
        assert [bool(digit) for digit in puzzle.cells] == [bool(digit) for digit in pattern.cells]
    few = "1..1 .1.. ..1. 1..1"
    assert [is_unique(puzzle.cells, 2, 2) for puzzle in enumerator.generate(5, pattern=few, seed=9)] == [True] * 5


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("." * 18 + "1" * 63, "rows 1 and 2"),
        ("11111111." * 9, ""),
        ("1111111.." * 9, "columns 8 and 9"),
        ("1" * 7 + "." * 74, "two digits are missing"),
        ("." * 81, "two digits are missing"),
    ],
)
def test_a_pattern_that_no_unique_puzzle_has_is_refused(pattern: str, reason: str) -> None:
    if reason:
        with pytest.raises(ValueError, match=reason):
            enumerator.generate(1, pattern=pattern)
    else:
        assert proved(next(enumerator.generate(1, pattern=pattern, seed=1)))


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_that_of_the_steps(level: str) -> None:
    for puzzle in enumerator.generate(4, level=level, seed=10):  # type: ignore[call-overload]
        answer = enumerator.steps(puzzle)
        singles = {"naked single", "hidden single"}
        pairs = {"locked candidates", "naked pair", "hidden pair"}
        used = set(answer.rules)
        assert answer.ended == "solved"
        assert find_level(puzzle) == level
        assert (level == "singles") == (used <= singles)
        assert (level == "more") == bool(used - singles - pairs)


def test_singles_solve_every_4x4_puzzle() -> None:
    """All minimal puzzles of both kinds of grids; more clues leave no fewer conclusions."""
    for grid in ("1234341221434321", "1234341223414123"):
        assert {find_level(puzzle) for puzzle in enumerator.minimal(grid, None)} == {"singles"}
    with pytest.raises(ValueError, match="none has the level more"):
        enumerator.generate(1, shape="2x2", level="more")


# ---------------------------------------------------------------------------------------------- other shapes


@pytest.mark.parametrize("shape", ["2x2", "2x3", "3x2", "2x4", "3x4"])
def test_small_and_middle_shapes(shape: str) -> None:
    height, width = map(int, shape.split("x"))
    for puzzle in enumerator.generate(2, shape=shape, seed=11):
        assert enumerator.classify(puzzle, engine="learning") == "unique"
        assert height * width > 6 or is_minimal(puzzle.cells, height, width)


@pytest.mark.slow
def test_large_puzzles_are_minimal() -> None:
    """16×16: every clue is needed, by an engine that the generator asks only for hard tests."""
    (puzzle,) = enumerator.generate(1, shape="4x4", seed=12)
    assert enumerator.classify(puzzle, engine="learning") == "unique"
    assert clues(puzzle) < 120
    for cell in random.Random(12).sample([cell for cell in range(256) if puzzle.cells[cell]], 12):
        assert enumerator.count(puzzle.without_clue(*divmod(cell, 16)), engine="learning", limit=1) == 1
        assert enumerator.count_answer(puzzle.without_clue(*divmod(cell, 16)), engine="learning", limit=1).exceeded


@pytest.mark.slow
def test_the_largest_shape_that_is_promised() -> None:
    (puzzle,) = enumerator.generate(1, shape="5x5", clues=320, symmetry="180", seed=13)
    assert clues(puzzle) == 320
    assert enumerator.classify(puzzle, engine="search") == "unique"


def test_solutions_of_4x4_puzzles_are_uniform() -> None:
    """288 grids, each with the same chance: chi-square below its 0.1 % point."""
    solved = Counter(enumerator.solve(puzzle) for puzzle in enumerator.generate(5_760, shape="2x2", clues=8, seed=14))
    assert len(solved) == 288
    assert sum((number - 20) ** 2 / 20 for number in solved.values()) < 365


# ------------------------------------------------------------------------------------------------------ weights


def share_within(pairs: list[tuple[Board, float]], number: int, true: float) -> bool:
    """Return True if the weighted share of puzzles with `number` clues is within four standard errors of the truth."""
    total = sum(weight for _, weight in pairs)
    share = sum(weight for board, weight in pairs if clues(board) == number) / total
    error = sqrt(sum((weight * ((clues(board) == number) - share)) ** 2 for board, weight in pairs)) / total
    return abs(share - true) < 4 * error < 0.6


@pytest.mark.slow
def test_weighted_shares_of_4x4_puzzles_are_those_of_all() -> None:
    pairs = list(enumerator.generate(2_500, shape="2x2", weights=True, seed=15))
    for number, puzzles in {4: 25_728, 5: 58_368, 6: 1_536}.items():
        assert share_within(pairs, number, puzzles / 85_632)


@pytest.mark.slow
def test_weighted_shares_of_9x9_puzzles_are_the_known_ones() -> None:
    """By controlled bias (shared/oracles/symmetry.md); `bench generate` compares 10⁵ puzzles."""
    pairs = list(enumerator.generate(250, weights=True, seed=16))
    for number, share in {24: 2.28, 25: 13.42, 26: 31.94, 27: 32.74, 28: 15.48}.items():
        assert share_within(pairs, number, share / 100)
    assert all(weight >= 1 for _, weight in pairs)
    assert proved(pairs[0][0])


# ----------------------------------------------------------------------------------------------- ends, arguments


def test_what_cannot_be_had_ends_in_time() -> None:
    with pytest.raises(OutOfTimeError, match=r"not all puzzles were made after 0.1 s: 0 of 1 were$") as ended:
        list(enumerator.generate(1, clues=17, seed=17, time_limit=0.1))
    assert ended.value.at_least == 0


def test_the_end_of_a_question_says_how_many_puzzles_came() -> None:
    grid, came = enumerator.sample("." * 81, 1, seed=17)[0], list[Board]()
    with pytest.raises(OutOfTimeError) as ended:
        came.extend(enumerator.minimal(grid, None, time_limit=0.05))  # what came before the error is kept
    assert ended.value.at_least == len(came) > 0
    assert str(ended.value) == f"not all minimal puzzles were found after 0.05 s: {len(came):,} were"


@pytest.mark.slow
def test_progress_of_a_large_puzzle_names_the_clues_that_were_tested() -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if progress.effort and progress.effort > 300:
            raise Stopped

    with pytest.raises(Stopped):
        list(enumerator.generate(1, shape="5x5", progress=stop, seed=1, cores=1))
    efforts = [progress.effort or 0 for progress in seen]
    assert efforts == sorted(efforts)
    assert seen[-1].unit == "clues tested"


def test_progress_may_stop_it() -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if progress.solutions and progress.solutions >= 20:
            raise Stopped

    made = enumerator.generate(None, shape="2x2", progress=stop, seed=18)
    with pytest.raises(Stopped):
        list(made)
    assert seen


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"clues": 82}, "81 cells cannot have 82 clues"),
        ({"clues": (30, 20)}, "30 to 20"),
        ({"clues": (26,)}, "clues must be a number, or the fewest and the most"),
        ({"clues": 0}, "at least 1"),
        ({"superfluous": -1}, "superfluous must be at least 0"),
        ({"symmetry": "round"}, "symmetry must be one of"),
        ({"level": "easy"}, "level must be one of"),
        ({"pattern": "1" * 81, "clues": 30}, "its own number"),
        ({"weights": True, "clues": 30}, "weights are for minimal puzzles"),
        ({"weights": True, "shape": "4x4"}, "boxes up to 3x3"),
        ({"solution": "." * 81}, "several solutions"),
        ({"shape": "1x9"}, "not between"),
        ({"n": -1}, "n must be at least 0"),
    ],
)
def test_mistakes_are_named_before_any_work(keywords: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        enumerator.generate(**keywords)  # type: ignore[call-overload]


def test_an_array_has_the_same_puzzles() -> None:
    pytest.importorskip("numpy")
    array = enumerator.generate_array(30, shape="2x3", symmetry="180", seed=19)
    assert [Board(rows, "2x3") for rows in array] == list(enumerator.generate(30, shape="2x3", symmetry="180", seed=19))


def test_blocks_begin_small() -> None:
    assert [tries_in(NINE, block) for block in range(4)] == [16, 64, 256, 256]
    assert tries_in(Shape(4, 4), 3) == 1
    assert not list(Recipe(NINE).mistakes())
