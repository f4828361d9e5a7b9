"""The fewest further clues that make a board unique, against brute force and known numbers."""

from __future__ import annotations

import json
import random
from itertools import combinations, product
from math import log2

import pytest
from support.boards import COMMON_SHAPES, PUZZLE, UNSOLVABLE, board, random_board
from support.processes import Run

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.questions import complete as questions
from enumerator.questions.complete import FIELDS, CompleteAnswer, complete
from enumerator.questions.fields import table_rows
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

ALONE = Plan(1, pool=None)


def with_clues(board: Board, clues: tuple[tuple[int, int], ...]) -> Board:
    for cell, digit in clues:
        board = board.with_cell(cell, digit)
    return board


def by_brute_force(board: Board) -> set[tuple[tuple[int, int], ...]]:
    """Return all smallest sets: each choice of cells and digits is tried on the list of solutions."""
    solutions = [each.cells for each in en.solutions(board)]
    empty = [cell for cell, digit in enumerate(board.cells) if not digit]
    for number in range(5):
        found = set()
        for cells in combinations(empty, number):
            rows = [tuple(solution[cell] for cell in cells) for solution in solutions]
            found |= {tuple(zip(cells, row, strict=True)) for row in set(rows) if rows.count(row) == 1}
        if found:
            return found
    raise AssertionError("no set of four clues")


def assert_right(answer: CompleteAnswer, expected: set[tuple[tuple[int, int], ...]]) -> None:
    assert answer.exact
    assert answer.complete
    assert answer.number == len(expected)
    assert len(set(answer)) == len(answer) == min(answer.number, questions.MOST_SETS)
    assert set(answer) <= expected


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_the_sets_are_those_of_brute_force(shape: Shape) -> None:
    rng = random.Random(f"complete {shape}")
    for most in (1, 3, 12, 40):
        asked = random_board(shape, rng, most)
        expected = by_brute_force(asked)
        assert_right(complete(asked, ALONE), expected)
        assert_right(complete(asked, Plan(2)), expected)


def test_the_empty_4x4_board_has_the_known_number_of_puzzles_with_4_clues() -> None:
    """25,728: sudopedia, "Shi Doku"."""
    answer = complete(Board("." * 16), Plan(2))
    assert (answer.needed, answer.number, answer.exact) == (4, 25_728, True)
    assert all(en.classify(with_clues(answer.board, clues)) == "unique" for clues in answer.sets[::50])


def test_large_boards_with_few_solutions_are_searched_exactly() -> None:
    asked = board("16x16-unique")
    rng = random.Random(16)
    while en.count(asked, limit=30) < 4:
        held = [cell for cell, digit in enumerate(asked.cells) if digit]
        emptier = asked.with_cell(rng.choice(held), 0)
        asked = emptier if en.count(emptier, limit=30) < 30 else asked
    answer = complete(asked, ALONE)
    assert answer.exact
    assert answer.solutions == en.count(asked)
    for clues in answer.sets[::20]:
        assert en.classify(with_clues(asked, clues)) == "unique"


@pytest.mark.slow
def test_many_solutions_are_completed_greedily_and_that_is_said() -> None:
    asked = board("1e")
    answer = complete(asked, Plan(2))
    assert answer.solutions == 2_663_219
    assert not answer.exact
    assert (answer.at_least, answer.number) == (2, None)
    assert en.classify(with_clues(asked, answer.sets[0])) == "unique"
    assert "found greedily; at least 2 needed" in answer.headline


def test_a_search_that_is_too_long_is_replaced_by_a_greedy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = board("2b")
    exact = complete(asked, ALONE)
    assert exact.needed == 1
    harder = asked.with_cell(next(cell for cell, digit in enumerate(asked.cells) if digit), 0)
    best = complete(harder, ALONE)
    monkeypatch.setattr(questions, "MOST_VISITS", 1)
    greedy = complete(harder, ALONE)
    assert best.needed == best.at_least == 2
    assert (greedy.at_least, greedy.exact) == (2, greedy.needed == 2)
    assert greedy.needed is not None
    assert greedy.needed >= 2
    assert en.classify(with_clues(harder, greedy.sets[0])) == "unique"


@pytest.mark.parametrize("most", [1, 2])
def test_sets_up_to_a_number_are_searched_for_exactly(most: int) -> None:
    answer = en.complete("." * 16, most)
    assert answer.at_least == max(2, most + 1)
    assert answer.needed is not None
    assert answer.needed >= 4
    assert not answer.exact or answer.needed == answer.at_least


def test_the_next_cell_leaves_the_fewest_solutions_on_average() -> None:
    asked = board("2b")
    answer = complete(asked, ALONE)
    solutions = [each.cells for each in en.solutions(asked)]
    expected, bits = [0.0] * 81, [0.0] * 81
    for cell, digit in product(range(81), range(1, 10)):
        number = sum(solution[cell] == digit for solution in solutions)
        expected[cell] += number * number / len(solutions)
        bits[cell] += number / len(solutions) * log2(len(solutions) / number) if number else 0
    assert answer.next is not None
    assert answer.next.expected == pytest.approx(min(expected))
    assert answer.next.bits == pytest.approx(bits[answer.next.cell])


def test_a_unique_board_needs_nothing_and_an_unsolvable_one_has_no_answer() -> None:
    answer = en.complete(PUZZLE)
    assert (answer.needed, answer.sets, answer.exact, answer.next) == (0, ((),), True, None)
    assert answer.headline == "unique as it is"
    with pytest.raises(en.NoSolutionError):
        en.complete(UNSOLVABLE)


def test_it_can_be_ended_and_has_what_is_known() -> None:
    def watch(progress: Progress) -> None:
        if progress.stage == "sets of 3 clues":
            raise en.OutOfTimeError

    with pytest.raises(en.OutOfTimeError) as ended:
        complete(Board("." * 16), ALONE, watch=watch)
    answer = ended.value.answer
    assert (answer.needed, answer.at_least, answer.solutions, answer.complete) == (None, 3, 288, False)
    assert answer.headline == "at least 3 more clues needed"
    with pytest.raises(en.OutOfTimeError, match=r"^not all sets are known after .*: there are 288 solutions$"):
        en.complete("." * 16, progress=watch)


# ----------------------------------------------------------------------------------------------- the command

FOUR = "12343412........"


def test_the_command_names_sets_and_the_cell_that_tells_most(ask: Run) -> None:
    lines = ask(FOUR, "--complete").stdout.splitlines()
    assert lines[1:4] == [
        "  solutions       4",
        "  needed          unique with 2 more clues, in 64 ways",
        "  clues           r3c1 = 2, r3c2 = 1",
    ]
    assert lines[-3:-1] == [
        "  clues           … and 44 others",
        "  tells most      r3c1: 1.00 bits, leaves 2 on average",
    ]
    assert ask("--complete", "2", "-q", FOUR, "1.....2..3.....4", UNSOLVABLE).stdout == "2\n0\nnone\n"


def test_json_and_csv_have_all_sets(ask: Run) -> None:
    facts = json.loads(ask(FOUR, "--complete", "--json").stdout)
    assert (facts["needed"], facts["exact"], facts["number"], len(facts["sets"])) == (2, True, "64", 64)
    assert facts["next"] == {"cell": "r3c1", "expected_solutions": 2.0, "bits": 1.0}
    rows = ask(FOUR, "--complete", "--csv").stdout.splitlines()
    assert rows[:2] == [
        "source,board,needed,exact,at_least,clues,error",
        f"<argument>,{FOUR},2,true,2,r3c1 = 2; r3c2 = 1,",
    ]
    assert len(rows) == 65


def test_a_table_has_a_row_where_no_set_is_known() -> None:
    answer = CompleteAnswer(Board(FOUR), 288, (), None, 2, None, False, 1.0)
    (row,) = table_rows(FIELDS, answer)
    assert (row["board"], row["needed"], row["at_least"], row["clues"]) == (FOUR, None, 2, [])


@pytest.mark.parametrize("form", ["--quiet", "--json", "--csv"])
def test_a_board_that_is_not_counted_in_time_has_its_line(ask: Run, form: str) -> None:
    done = ask("." * 256, FOUR, "--complete", form, "--time-limit", "0.05")
    first = done.stdout.splitlines()[1 if form == "--csv" else 0]
    assert done.returncode == 1
    assert first == "unknown" if form == "--quiet" else "not all sets are known after 0.05 s" in first
