"""Clues: the number of solutions without each, superfluous ones, minimal boards."""

from __future__ import annotations

import json
import random
from itertools import combinations
from signal import SIGINT, raise_signal

import pytest
from support.boards import (
    CONTRADICTION,
    EMPTY,
    NINE,
    PUZZLE,
    SOLVED,
    board,
    full_board,
    random_board,
    shuffle,
    transpose,
)
from support.processes import Run

import enumerator as en
from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.questions.clues import ClueCount, CluesAnswer, clues
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

ALONE = Plan(1, pool=None)


def all_cells(board: Board) -> list[int]:
    return [cell for cell, digit in enumerate(board.cells) if digit]


def unique_board(shape: Shape, rng: random.Random) -> Board:
    """Return a board with one solution and, most of the time, some superfluous clues."""
    made = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), 2 * shape.cells // 3):
        without = made.with_cell(cell, 0)
        made = without if en.classify(without) == "unique" else made
    return made


def assert_right(answer: CluesAnswer, asked: Board, expected: dict[int, int], solutions: int) -> None:
    """Assert that an answer has these numbers, and what follows from them."""
    assert answer.complete
    assert (answer.solutions, answer.exact) == (solutions, True)
    assert {clue.cell: clue.solutions for clue in answer} == expected
    assert all(clue.exact and clue.digit == asked.cells[clue.cell] for clue in answer)
    superfluous = [cell for cell, number in expected.items() if number == solutions]
    assert [row * asked.shape.size + column for row, column in answer.superfluous] == superfluous
    assert answer.minimal == (solutions == 1 and not superfluous)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3)], ids=str)
def test_the_numbers_are_those_of_brute_force(shape: Shape) -> None:
    rng = random.Random(str(shape))
    for _ in range(8):
        asked = random_board(shape, rng, 6)
        expected = {cell: reference.count(asked.with_cell(cell, 0)) for cell in all_cells(asked)}
        assert_right(clues(asked, ALONE), asked, expected, reference.count(asked))


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 300])
def test_the_numbers_of_9x9_are_counts_without_the_clue(most: int) -> None:
    rng = random.Random(most)
    for _ in range(10):
        asked = random_board(NINE, rng, most) if most > 1 else unique_board(NINE, rng)
        expected = {cell: en.count(asked.with_cell(cell, 0), engine="search") for cell in all_cells(asked)}
        solutions = en.count(asked, engine="search")
        for plan in (ALONE, Plan(2)):
            assert_right(clues(asked, plan), asked, expected, solutions)


@pytest.mark.slow
def test_boards_with_many_solutions_are_summed() -> None:
    """The engines share no code; the numbers of the search have another source, the walk."""
    asked = board("1c")
    answer = clues(asked, Plan(2))
    assert answer.solutions == 134_037
    assert all(clue.exact for clue in answer)
    for clue in list(answer)[::9]:
        assert clue.solutions == en.count(asked.with_cell(clue.cell, 0), engine="search")


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 2), NINE, Shape(2, 5)], ids=str)
def test_verdicts_agree_with_counts(shape: Shape) -> None:
    rng = random.Random(str(shape))
    for _ in range(4):
        made = unique_board(shape, rng)
        impatient = ALONE._replace(batch_pacing=ALONE.batch_pacing._replace(classify_nodes=1))
        by_verdict = clues(made, impatient, exact=False)
        superfluous = tuple(divmod(cell, shape.size) for cell in all_cells(made) if is_unique(made.with_cell(cell, 0)))
        assert by_verdict.superfluous == superfluous == clues(made, ALONE).superfluous == en.superfluous(made)
        assert by_verdict.minimal == (not superfluous)
        assert all(clue.solutions == 1 if clue.superfluous else clue.solutions >= 2 for clue in by_verdict)


def is_unique(board: Board) -> bool:
    return en.classify(board) == "unique"


@pytest.mark.slow
def test_large_boards_get_verdicts() -> None:
    asked = board("16x16-unique")
    answer = clues(asked, ALONE)
    assert answer.complete
    assert {clue.exact for clue in answer} == {True, False}
    for clue in list(answer)[::8]:
        assert clue.superfluous == is_unique(asked.with_cell(clue.cell, 0))


def test_the_numbers_do_not_change_when_the_board_is_rearranged() -> None:
    rng, ours = random.Random(1), Board(PUZZLE)
    numbers = sorted(clue.solutions for clue in clues(ours, ALONE))
    for other in (transpose(ours), shuffle(ours, rng)):
        assert sorted(clue.solutions for clue in clues(other, ALONE)) == numbers


def test_pencil_marks_may_make_a_clue_superfluous() -> None:
    solved = Board(SOLVED)
    masks = [1 << digit - 1 for digit in solved.cells]
    masks[0] |= 0b1  # r1c1 allows 1 and 5, and is a 5 only because of the clues
    marked = Board.from_allowed("3x3", masks)
    assert marked.restricted_cells == 1
    assert [clue.cell for clue in clues(marked, ALONE) if clue.superfluous] == list(range(1, 81))


@pytest.mark.parametrize("text", [SOLVED, CONTRADICTION, EMPTY])
def test_boards_at_the_ends(text: str) -> None:
    answer = clues(Board(text), ALONE)
    assert answer.complete
    assert answer.minimal is False
    if text == SOLVED:
        assert len(answer.superfluous) == 81
    if text == CONTRADICTION:  # without one of the two 5s there are solutions
        assert all(clue.solutions > 10**12 for clue in answer)


TWO_CONTRADICTIONS = "11..22.........."
"""A board with no solution, whichever clue is taken away."""


@pytest.mark.parametrize("exact", [None, True, False])
def test_no_solution_depends_on_a_single_clue_where_two_pairs_contradict(exact: bool | None) -> None:
    answer = clues(Board(TWO_CONTRADICTIONS), ALONE, exact=exact)
    assert [clue.solutions for clue in answer] == [0] * 4
    assert answer.levels == dict.fromkeys([0, 1, 4, 5], 0.0)
    assert answer.minimal is False


@pytest.mark.parametrize("form", ["--json", "--csv", "--ascii"])
def test_two_contradictions_do_not_end_a_batch(ask: Run, form: str) -> None:
    done = ask("--clues", form, TWO_CONTRADICTIONS, SHORT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("text", "error"), [(EMPTY, en.NotUniqueError), (CONTRADICTION, en.NoSolutionError)])
def test_a_board_without_a_single_solution_has_no_superfluous_clues(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        en.superfluous(text)


@pytest.mark.parametrize("end", [en.Stopped, en.OutOfTimeError, en.Interrupted])
def test_it_can_be_ended_and_has_what_is_known(end: type[Exception]) -> None:
    seen: list[float] = []

    def watch(progress: Progress) -> None:
        seen.append(progress.share or 0.0)
        if len(seen) == 10:
            raise end

    with pytest.raises(end) as ended:
        clues(Board(PUZZLE), ALONE, watch=watch)
    answer = ended.value.answer  # type: ignore[attr-defined]
    assert seen == sorted(seen)
    assert len(answer) == 10
    assert not answer.complete
    assert answer.clues == clues(Board(PUZZLE), ALONE).clues[:10]


def test_the_message_of_an_early_end_says_whether_the_solutions_are_counted() -> None:
    def stop(progress: Progress) -> None:
        if progress.stage == "clues":
            raise en.Stopped

    with pytest.raises(en.Stopped, match=r"not all judged; there is 1 solution$") as ended:
        en.clues(TINY, progress=stop)
    assert ended.value.answer.solutions_complete
    several = Board.empty(Shape(4, 4)).with_cell(0, 1)
    with pytest.raises(en.Stopped, match=r"not all judged; there are at least 2 solutions$"):
        en.clues(several, progress=stop)


# ----------------------------------------------------------------------------------------------- the command

TINY, SHORT = "1.....2..3..2..4", "1.....2..3.....4"


def test_the_command_prints_a_line_of_each_clue(ask: Run) -> None:
    lines = ask(TINY, "--clues").stdout.splitlines()
    assert [" ".join(line.split()) for line in lines[:-1]] == [
        "<argument>",
        "solutions 1",
        "minimal no",
        "superfluous r4c1 = 2",
        "without r1c1 = 1: 2",
        "without r2c3 = 2: 3",
        "without r3c2 = 3: 3",
        "without r4c1 = 2: 1",
        "without r4c4 = 4: 2",
    ]
    assert ask("--clues", "-q", TINY, SHORT).stdout == "2 3 3 1 2\n3 3 3 3\n"


def test_json_and_csv_have_the_same_facts(ask: Run) -> None:
    facts = json.loads(ask(TINY, "--clues", "--json").stdout)
    assert (facts["solutions"], facts["minimal"], facts["superfluous"]) == ("1", False, ["r4c1"])
    rows = ask(TINY, "--clues", "--csv").stdout.splitlines()
    assert rows[0] == "source,board,cell,symbol,solutions,exact,superfluous,error"
    expected = [[clue["cell"], clue["symbol"], clue["solutions"]] for clue in facts["clues"]]
    assert [row.split(",")[2:5] for row in rows[1:]] == expected


def test_pictures_shade_the_clues(ask: Run, tmp_path: object) -> None:
    done = ask(TINY, "--clues", "--svg", f"{tmp_path}/a.svg", "--html", f"{tmp_path}/a.html")
    assert done.returncode == 0
    with open(f"{tmp_path}/a.svg") as picture:
        text = picture.read()
    assert text.count('class="clue"') == 1  # the superfluous one
    assert "unique, 1 of 5 clues is superfluous" in text
    with open(f"{tmp_path}/a.html") as page:
        assert "r2c3 = 2: 3" in page.read()


def test_an_interrupt_leaves_a_partial_answer(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.questions import clues as questions

    real, judged = questions.ClueCount, list[int]()

    def interrupted(cell: int, digit: int, solutions: int, exact: bool, superfluous: bool) -> ClueCount:
        judged.append(cell)
        if len(judged) == 3:
            raise_signal(SIGINT)
        return real(cell, digit, solutions, exact, superfluous)

    monkeypatch.setattr(questions, "ClueCount", interrupted)
    done = ask(TINY, "--clues")
    assert done.returncode == 130
    assert "judged          2 of 5 clues" in done.stdout
    assert "interrupted" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("text", "minimal"), [("1234341221434321", 12), ("1234341223414123", 128)])
def test_a_4x4_board_has_the_known_number_of_minimal_puzzles_with_4_clues(text: str, minimal: int) -> None:
    """The numbers: sudopedia, "Shi Doku"."""
    full = Board(text)
    puzzles = (
        Board.from_valid(full.shape, bytes(digit if cell in kept else 0 for cell, digit in enumerate(full.cells)))
        for kept in combinations(range(16), 4)
    )
    assert sum(clues(each, ALONE).minimal is True for each in puzzles if is_unique(each)) == minimal
