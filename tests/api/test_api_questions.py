"""The questions in Python: they agree with each other, whatever the form of the board."""

import json
import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from support.boards import COMMON_SHAPES, CONTRADICTION, PUZZLE, SOLVED, random_board, regular, with_holes

import enumerator as en
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.questions.checks import EngineName

SHAPES = [*COMMON_SHAPES, Shape(2, 4), Shape(3, 4), Shape(4, 4)]


def some_boards(shape: Shape, number: int = 4) -> list[Board]:
    """Return boards with no solution, with one, and with some hundreds at most."""
    rng = random.Random(f"asking {shape}")
    return [regular(shape), *(random_board(shape, rng, most) for most in (1, 20, 300)[: number - 1])]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_questions_agree_with_each_other(shape: Shape) -> None:
    for board in some_boards(shape):
        every = list(en.solutions(board))
        number = len(every)
        assert en.count(board) == number == len(set(every))
        assert en.classify(board) == ("none", "unique", "multiple")[min(number, 2)]
        answer = en.candidates(board)
        assert answer.solutions == number
        tallied = Counter((cell, digit) for solution in every for cell, digit in enumerate(solution.cells))
        size = shape.size
        for cell in range(shape.cells):
            row, column = divmod(cell, size)
            counts = [tallied[cell, digit] for digit in range(1, size + 1)]
            assert answer[row, column] == answer[cell] == answer.counts[cell] == counts
            assert [answer[row, column, digit] for digit in range(1, size + 1)] == counts
        assert list(answer) == answer.counts
        assert len(answer) == shape.cells
        assert (en.verify(board).solutions, en.verify(board).agrees) == (number, True)
        assert en.estimate(board).solutions.mean == number
        for n in {0, number // 2, number - 1} - {-1}:
            assert en.nth(board, n) == every[n]
        assert set(en.sample(board, 5, seed=1)) <= set(every)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_form_of_a_board_gives_the_same_answer(shape: Shape) -> None:
    for board in some_boards(shape, 3):
        rows = [list(board.cells[first : first + shape.size]) for first in range(0, shape.cells, shape.size)]
        for form in (str(board), str(rows)):
            assert en.count(form, shape=shape) == en.count(board)
            assert en.classify(form, shape=shape) is en.classify(board)
            assert list(en.solutions(form, shape=shape)) == list(en.solutions(board))
            assert en.candidates(form, shape=shape).counts == en.candidates(board).counts
            assert en.sample(form, 3, shape=shape, seed=7) == en.sample(board, 3, seed=7)
            assert en.nth(form, 0, shape=shape) == en.nth(board, 0)
            assert en.verify(form, shape=shape).solutions == en.count(board)
            assert en.estimate(form, shape=shape).solutions == en.estimate(board).solutions


@pytest.mark.parametrize("engine", engines.names())
def test_a_limit_is_the_number_or_the_limit(engine: EngineName) -> None:
    for board in some_boards(Shape(2, 3)):
        number = en.count(board)
        for limit in {0, 1, 2, 3, number - 1, number, number + 1, 10**18} - {-1}:
            assert en.count(board, limit=limit, engine=engine) == min(number, limit)
            listed = list(en.solutions(board, limit=limit, engine=engine))
            assert listed == list(islice(en.solutions(board, engine=engine), limit))


@pytest.mark.parametrize("engine", engines.names())
def test_a_count_that_has_begun_is_not_begun_again(engine: EngineName) -> None:
    """A board that the first slice does not finish: its solutions there are counted once."""
    rng = random.Random("begun")
    board = random_board(Shape(3, 3), rng, 40_000)
    while en.count(board, engine="contraction") < 3_000:
        board = random_board(Shape(3, 3), rng, 40_000)
    number = en.count(board, engine="contraction")
    for cores in (1, 2):
        assert en.count(board, engine=engine, cores=cores) == number
        assert en.count(board, engine=engine, cores=cores, limit=number - 1) == number - 1
        assert en.count(board, engine=engine, cores=cores, limit=2_000) == 2_000


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_solve_finds_the_only_solution_or_says_why_not(shape: Shape) -> None:
    rng = random.Random(f"solve {shape}")
    full = regular(shape)
    for holes in (0, 1, shape.size, shape.cells // 3, shape.cells // 2):
        board = with_holes(full, holes, rng)
        found = list(en.solutions(board, limit=2))
        for engine in ("auto", "search"):
            if len(found) == 1:
                assert en.solve(board, engine=engine) == found[0] == full
                continue
            with pytest.raises(en.NotUniqueError, match=r"differ in \d+ cells") as caught:
                en.solve(board, engine=engine)
            one, other = caught.value.solutions
            assert one != other
            assert {one, other} <= set(en.solutions(board, engine=engine, limit=10_000))


def test_a_board_without_a_solution_is_not_solved() -> None:
    with pytest.raises(en.NoSolutionError, match="no solution: row 1 holds 5 twice, at r1c1 and r1c5") as caught:
        en.solve(CONTRADICTION)
    assert caught.value.conflicts == ("row 1 holds 5 twice, at r1c1 and r1c5",)
    assert str(en.solve(PUZZLE)) == SOLVED
    assert issubclass(en.NotUniqueError, ValueError)


def test_a_verdict_is_a_string() -> None:
    verdict = en.classify(PUZZLE)
    assert verdict == "unique" == str(verdict) == f"{verdict}" == verdict.value
    assert verdict is en.Verdict.UNIQUE is en.Verdict("unique")
    assert json.dumps([verdict]) == '["unique"]'
    assert {"unique": 1}[verdict] == 1
    assert hash(verdict) == hash("unique")


def test_candidates_outside_the_board_are_refused() -> None:
    answer = en.candidates(PUZZLE)
    for place in [(9, 0), (0, -1), (0, 0, 0), (0, 0, 10), (0, 0, 1, 1), (0,)]:
        with pytest.raises(IndexError, match=r"\[row, column, digit\]|begin at 0"):
            _ = answer[place]  # type: ignore[index]


def test_answers_are_readable() -> None:
    several = "12.. 3... 2... 4..."
    assert repr(en.candidates(PUZZLE)) == "<CandidatesAnswer: unique>"
    assert str(en.candidates(several)).splitlines()[:2] == [
        "6 solutions",
        "unique with r3c3 = 1, r3c4 = 1, r4c3 = 3, r4c4 = 3",
    ]
    assert repr(en.verify(several)) == "<CountAnswer: 6 solutions, contraction agrees>"
    assert repr(en.estimate(several)).startswith("<EstimateAnswer: 6 solutions, counted in ")
    unknown = en.estimate("." * 256, probes=512, cores=2)
    assert repr(unknown).startswith("<EstimateAnswer: about ")
    assert repr(unknown).endswith(" on 2 cores>")
    assert str(unknown.solutions).startswith("about ")
    assert repr(unknown.solutions) == f"<Interval: {unknown.solutions}>"


def test_a_notebook_draws_candidates() -> None:
    picture = en.candidates("12.. 3... 2... 4...")._repr_svg_()
    assert picture.startswith("<svg ")
    assert "6 solutions" in picture
    assert "unique with r3c3 = 1" in picture


def test_answers_about_a_checkpoint_are_readable(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    en.count("12.. 3... 2... 4...", checkpoint=path)
    assert repr(en.status(path)) == "<StatusAnswer: finished, 100 % done, 6 solutions>"
    assert (en.status(path).solutions, en.status(path).complete) == (6, True)
    assert repr(en.audit(path, share=1)) == "<AuditAnswer: 1 of 1 task recounted, all agree>"
    assert (
        repr(en.write_solutions("1234 3412 .... ....", tmp_path / "list")) == "<ListAnswer: 4 solutions written, all>"
    )


@pytest.mark.parametrize("text", [PUZZLE, "1234" + "." * 12, CONTRADICTION, "." * 16])
def test_an_answer_tells_a_limit_that_is_reached_from_one_that_is_exceeded(text: str) -> None:
    number = en.count(text)
    for limit in (0, 1, 2, number, number + 1, None):
        answer = en.count_answer(text, limit=limit)
        assert answer.exceeded == (limit is not None and number > limit)
        assert answer.complete == (not answer.exceeded)
        assert answer.solutions == en.count(text, limit=limit) == (number if limit is None else min(number, limit))
        assert answer.to_dict()["ended"] == ("limit" if answer.exceeded else "complete")
        assert answer.requested_cores is None
        assert (answer.solution is not None) == (answer.verdict == "unique")
    assert en.count_answer(text, cores=1).requested_cores == 1


def test_answers_are_of_the_exported_types() -> None:
    assert isinstance(en.count_answer(PUZZLE), en.CountAnswer)
    assert isinstance(en.verify(PUZZLE), en.CountAnswer)
    assert isinstance(en.candidates(PUZZLE), en.CandidatesAnswer)
    estimate = en.estimate(PUZZLE)
    assert isinstance(estimate, en.EstimateAnswer)
    assert isinstance(estimate.solutions, en.Interval)
    assert isinstance(en.steps(PUZZLE), en.StepsAnswer)
    assert isinstance(en.clues(PUZZLE), en.CluesAnswer)
    assert en.superfluous(PUZZLE) == en.clues(PUZZLE).superfluous


def test_an_answer_out_of_time_comes_with_the_error() -> None:
    with pytest.raises(en.OutOfTimeError) as caught:
        en.count_answer("." * 256, time_limit=0.05, cores=1)
    answer = caught.value.answer
    assert isinstance(answer, en.CountAnswer)
    assert (answer.ended, answer.exceeded, answer.complete) == ("time limit", False, False)
