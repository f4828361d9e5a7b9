"""Boards solved step by step: each step follows, the record can be replayed, dead ends return to their guess."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import count as numbers
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import (
    CONTRADICTION,
    EMPTY,
    PUZZLE,
    SOLVED,
    UNSOLVABLE,
    board,
    breaks_no_rule,
    full_board,
    with_clues,
)
from support.cases import slow_after
from support.marks import only_marks, respects, restricted_board

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.questions.rules import Candidates
from enumerator.questions.steps import StepsAnswer, record_steps
from enumerator.run.progress import Progress

UP_TO_25 = [Shape(*sides) for sides in ((2, 2), (2, 3), (3, 2), (3, 3), (5, 2), (3, 4), (2, 8), (4, 4), (6, 3), (5, 5))]

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""A 9×9 board that needs guesses: it was published as the hardest by Arto Inkala in 2012."""


class State:
    """The digits and candidates that a viewer shows, changed by the facts of a record alone."""

    def __init__(self, record: StepsAnswer) -> None:
        facts = json.loads(json.dumps(record.to_dict()))
        self.cells = list(record.board.cells)
        self.candidates = [set(digits) for digits in facts["candidates"]]
        self.steps = facts["steps"]

    def replay(self) -> Iterator[tuple[dict[str, Any], tuple[list[int], list[set[int]]]]]:
        """Yield each step with the state before it, and change the state."""
        before = list[tuple[list[int], list[set[int]]]]()
        for step in self.steps:
            before.append((self.cells[:], [set(digits) for digits in self.candidates]))
            yield step, before[-1]
            if step["kind"] == "place":
                assert self.cells[step["cell"]] == 0
                self.cells[step["cell"]] = step["digit"]
                self.candidates[step["cell"]] = set()
                for cell in step["removed"]:
                    self.candidates[cell].remove(step["digit"])
            elif step["kind"] == "remove":
                for cell in step["cells"]:
                    assert self.candidates[cell] & {*step["digits"]}, "each cell loses something"
                    self.candidates[cell] -= {*step["digits"]}
            elif step["kind"] == "dead end" and step["back_to"]:
                cells, candidates = before[step["back_to"] - 1]
                self.cells, self.candidates = cells[:], [set(digits) for digits in candidates]


def assert_consistent(record: StepsAnswer) -> None:
    """Assert what holds for the record of every board: the facts of each step are true in its state."""
    shape, state, guesses = record.board.shape, State(record), list[int]()
    digits = set(range(1, shape.size + 1))
    for number, (step, (cells, candidates)) in zip(numbers(1), state.replay(), strict=False):
        if step["kind"] == "dead end":
            assert step["depth"] == len(guesses)
            assert step["back_to"] == (guesses.pop() if guesses else None)
            if step["digit"] is None:
                (cell,) = step["cells"]
                assert (cells[cell], candidates[cell]) == (0, set())
            elif not any(record.board.conflicts()):
                assert not any(step["digit"] in {cells[cell], *candidates[cell]} for cell in step["cells"])
            continue
        guesses += [number] * (step.get("rule") == "guess")
        assert step["depth"] == len(guesses)
        if step["kind"] == "place":
            assert step["digit"] in candidates[step["cell"]]
            if step["rule"] == "naked single":
                assert candidates[step["cell"]] == {step["digit"]}
            elif step["rule"] == "guess":
                fewest = min(len(some) for digit, some in zip(cells, candidates, strict=True) if not digit)
                assert len(candidates[step["cell"]]) == fewest > 1
        elif step["kind"] == "remove" and step["rule"] == "elimination":
            guess, dead_end = state.steps[step_of(step) - 1], state.steps[number - 2]
            assert dead_end["kind"] == "dead end"
            assert dead_end["back_to"] == step_of(step)
            assert (guess["cell"], guess["digit"]) == (step["cells"][0], step["digits"][0])
        elif step["kind"] == "solved":
            assert number == len(record)
            assert all(digit in digits for digit in cells)
    if record.solution is not None:
        assert bytes(state.cells) == record.solution.cells
        assert breaks_no_rule(record.solution, record.board)
        assert respects(record.solution.cells, record.board)


def step_of(elimination: dict[str, Any]) -> int:
    """Return the number of the guess that an elimination names."""
    return int(elimination["text"].partition(" of step ")[2].split()[0])


def assert_follows(record: StepsAnswer, solution: Board) -> None:
    """Assert that each step that depends on no guess agrees with the only solution."""
    for step in record:
        if step.kind == "place" and step.depth == 0:
            assert solution.cells[step.cells[0]] == step.digits[0], step.text
        elif step.kind == "remove" and step.depth == 0:
            assert all(solution.cells[cell] not in step.digits for cell in step.cells), step.text


def unique_board(shape: Shape, rng: random.Random) -> Board:
    """Return a board with exactly one solution; it may have superfluous clues, large boards many of them."""
    found = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), shape.cells * 9 // 10 if shape.size < 15 else shape.cells // 2):
        emptier = found.with_cell(cell, 0)
        if en.count(emptier, limit=2) == 1:
            found = emptier
    return found


# ------------------------------------------------------------------------------------------ properties


@pytest.mark.parametrize("shape", slow_after(7, UP_TO_25), ids=str)
def test_steps_of_a_unique_board_lead_to_its_solution(shape: Shape) -> None:
    rng = random.Random(f"steps of {shape}")
    for _ in range(2):
        puzzle = unique_board(shape, rng)
        record = record_steps(puzzle, limit=None)
        solution = en.solve(puzzle)
        assert (record.ended, record.solution) == ("solved", solution)
        assert_follows(record, solution)
        assert_consistent(record)


@pytest.mark.parametrize("shape", slow_after(7, UP_TO_25), ids=str)
def test_steps_find_a_solution_if_and_only_if_there_is_one(shape: Shape) -> None:
    rng = random.Random(f"verdicts of {shape}")
    ends = set()
    for clues in (shape.cells * 3 // 5, shape.cells * 3 // 4):
        for wrong in (False, True):
            asked = with_clues(shape, clues, rng)
            if wrong:
                cell = next(cell for cell in rng.sample(range(shape.cells), shape.cells) if not asked.cells[cell])
                digits = [bit for bit in range(shape.size) if Candidates(asked).masks[cell] >> bit & 1]
                asked = asked.with_cell(cell, rng.choice(digits) + 1)
            record = record_steps(asked, limit=20_000)
            assert record.ended == ("solved" if en.classify(asked) != "none" else "no solution")
            assert_consistent(record)
            ends.add(record.ended)
    assert "solved" in ends


@pytest.mark.parametrize("shape", slow_after(7, UP_TO_25), ids=str)
def test_steps_respect_pencil_marks(shape: Shape) -> None:
    rng = random.Random(f"marks of {shape}")
    for marked in (restricted_board(shape, rng, 1)[1], only_marks(shape, rng, 1)):
        record = record_steps(marked, limit=20_000)
        assert record.ended == "solved"
        assert_consistent(record)
        if en.classify(marked) == "unique":
            assert record.solution == en.solve(marked)
            assert_follows(record, en.solve(marked))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=12), st.booleans())
def test_steps_of_any_clues_agree_with_the_kernel(changes: list[tuple[int, int]], is_puzzle: bool) -> None:
    asked = Board(PUZZLE if is_puzzle else EMPTY)
    for cell, digit in changes:
        asked = asked.with_cell(cell, digit)
    record = record_steps(asked)
    assert record.ended == ("solved" if en.count(asked, limit=1) else "no solution")
    assert_consistent(record)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=16, max_size=16))
def test_steps_of_any_pencil_marks_agree_with_the_kernel(masks: list[int]) -> None:
    asked = Board.from_allowed("2x2", [mask or 15 for mask in masks])
    record = record_steps(asked)
    assert record.ended == ("solved" if en.count(asked, limit=1) else "no solution")
    assert_consistent(record)


# ------------------------------------------------------------------------------- guesses and sentences


def test_a_dead_end_refutes_its_guess() -> None:
    record = record_steps(Board(HARD))
    number, dead_end = next((at, step) for at, step in enumerate(record, 1) if step.kind == "dead end")
    assert dead_end.back_to is not None
    guess, elimination = record.steps[dead_end.back_to - 1], record.steps[number]
    assert guess.rule == "guess"
    assert dead_end.text.startswith("Dead end: ")
    assert dead_end.text.endswith(f"; back to step {dead_end.back_to}.")
    assert (elimination.rule, elimination.cells, elimination.digits) == ("elimination", guess.cells, guess.digits)
    assert elimination.depth == guess.depth - 1
    assert elimination.text.endswith(
        f" is not {guess.digits[0]}: the guess of step {dead_end.back_to} led to a dead end."
    )
    assert str(record.solution) == str(en.solve(HARD))


def test_large_boards_are_described_by_their_symbols() -> None:
    record = record_steps(board("16x16-unique"))
    assert any(" is G: " in step.text for step in record)
    assert not any(" is 16" in step.text for step in record)


def test_every_sentence_is_one_sentence() -> None:
    for name in ("16x16-unique", "2a", "1c"):
        for step in record_steps(board(name)):
            assert step.text.endswith(".")
            assert step.text.count(".") == 1
            assert len(step.text.split()) <= 25


# ----------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CONTRADICTION, "No solution: row 1 holds 5 twice, at r1c1 and r1c5."),
        (UNSOLVABLE, "No solution: r1c9 has no candidate."),
        ("23......." + "456......" + "78......." + "..1......" + "." * 45, "No solution: box 1 has no place for 1."),
    ],
)
def test_a_board_without_a_solution_ends_with_the_reason(text: str, sentence: str) -> None:
    record = record_steps(Board(text))
    assert (record.ended, record.solution, [step.text for step in record]) == ("no solution", None, [sentence])
    assert record.steps[0].back_to is None


def test_a_cell_that_allows_no_digit_is_named() -> None:
    record = record_steps(Board.from_allowed("2x2", [0] + [15] * 15))
    assert [step.text for step in record] == ["No solution: r1c1 has no allowed digit."]
    assert record.steps[0].to_dict()["unit"] is None


def test_a_full_board_is_solved_in_one_step() -> None:
    record = record_steps(Board(SOLVED))
    assert [step.kind for step in record] == ["solved"]
    assert str(record.solution) == SOLVED


@pytest.mark.parametrize("limit", [1, 7, 40])
def test_a_record_is_cut_off_at_its_limit_and_says_so(limit: int) -> None:
    whole, cut = record_steps(Board(HARD)), record_steps(Board(HARD), limit=limit)
    assert (cut.ended, cut.solution, len(cut)) == ("step limit", None, limit)
    assert cut.steps == whole.steps[:limit]
    assert "the step limit cut it off" in repr(cut)


def test_a_limit_that_the_solution_just_reaches_cuts_nothing_off() -> None:
    whole = record_steps(Board(PUZZLE))
    assert record_steps(Board(PUZZLE), limit=len(whole)).ended == "solved"
    assert record_steps(Board(PUZZLE), limit=len(whole) - 1).ended == "step limit"


def test_a_hard_large_board_is_cut_off_by_its_default_limit_soon() -> None:
    hard = board("25x25-unique").transposed()
    record = record_steps(hard)
    assert (record.ended, len(record)) == ("step limit", 5_000)
    assert record.seconds < 5  # 0.2 s on an idle machine
    assert_follows(record, en.solve(hard))


def test_a_record_is_cut_off_by_its_time_limit_and_says_so() -> None:
    record = record_steps(board("25x25-unique"), limit=None, time_limit=0.05)
    assert (record.ended, record.solution) == ("time limit", None)
    assert record.seconds < 5


def test_a_record_reports_its_steps_and_can_be_stopped() -> None:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise en.Stopped

    with pytest.raises(en.Stopped):
        record_steps(Board(HARD), watch=watch)
    assert [progress.effort for progress in seen] == [32, 64, 96]
    assert {progress.unit for progress in seen} == {"steps"}


def test_a_record_of_several_solutions_ends_with_one_of_them() -> None:
    record = record_steps(board("2b"))
    assert record.solution is not None
    assert breaks_no_rule(record.solution, board("2b"))


def test_a_record_as_a_dictionary_has_the_facts_of_each_kind() -> None:
    facts = json.loads(json.dumps(record_steps(Board(HARD)).to_dict()))
    assert facts["ended"] == "solved"
    assert facts["solution"] == str(en.solve(HARD))
    assert facts["candidates"][0] == []
    assert facts["candidates"][1] == [1, 2, 4, 6]
    assert sum(facts["rules"].values()) == sum("rule" in step for step in facts["steps"])
    assert facts["rules"]["guess"] == facts["guesses"] == facts["rules"]["elimination"] + facts["steps"][-1]["depth"]
    assert facts["deepest"] == max(step["depth"] for step in facts["steps"])
    common = {"kind", "text", "depth"}
    kinds = {
        "place": {"rule", "cell", "digit", "unit", "because", "removed"},
        "remove": {"rule", "cells", "digits", "unit", "because"},
        "dead end": {"cells", "digit", "unit", "back_to"},
        "solved": set(),
    }
    assert {step["kind"] for step in facts["steps"]} == set(kinds)
    assert all(set(step) == common | kinds[step["kind"]] for step in facts["steps"])


@pytest.mark.parametrize("name", ["1a", "2a", "empty", "16x16-unique", "25x25-many"])
def test_a_record_is_quick(name: str) -> None:
    """10 ms at most for 9×9 and 12 ms for these larger ones on an idle machine."""
    asked = board(name)
    most = 0.05 if asked.shape.size == 9 else 1
    assert any(record_steps(asked).seconds < most for _ in range(50))  # at once, unless the machine is busy


# ------------------------------------------------------------------------------------------ in Python


def test_steps_in_python_are_those_of_the_question() -> None:
    answer = en.steps(HARD)
    assert answer.steps == record_steps(Board(HARD)).steps
    assert answer.solution == en.solve(HARD)
    assert str(answer).startswith("1. ")
    assert str(answer).count("\n") == len(answer) - 1


def test_steps_in_python_take_a_shape_and_limits() -> None:
    assert en.steps("." * 36, shape="3x2").board.shape == Shape(3, 2)
    assert en.steps(HARD, limit=3).ended == "step limit"
    assert en.steps(HARD, limit=None).ended == "solved"
    assert en.steps(board("25x25-unique"), limit=None, time_limit=0.05).ended == "time limit"


def test_steps_in_python_can_be_stopped() -> None:
    def stop(_: Progress) -> None:
        raise en.Stopped

    with pytest.raises(en.Stopped, match="the board is not solved"):
        en.steps(HARD, progress=stop)


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": "many"}, {"time_limit": 0}, {"time_limit": "1"}, {"progress": 3}], ids=str
)
def test_wrong_arguments_of_steps_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{next(iter(wrong))} must be "):
        en.steps(PUZZLE, **wrong)
