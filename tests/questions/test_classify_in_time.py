"""Verdicts within a time limit: unknown is never a wrong answer, and a hard board does not hold up the others."""

from __future__ import annotations

import random
import threading
from threading import Event
from time import perf_counter, sleep
from typing import Any

import pytest
from support.boards import NINE, full_board, with_holes
from support.lateness import Stopwatch
from support.verdicts import classify_slowly

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock, StartedCount
from enumerator.questions import classify as classifying
from enumerator.questions import many
from enumerator.questions import verdict as verdicts
from enumerator.questions.classify import Classifier, classify, classify_all
from enumerator.questions.verdict import UNDECIDED, VERDICTS, Decision, Verdict
from enumerator.run.local import LocalCount
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.progress import Stopped

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

IMPATIENT = Plan(batch_pacing=BatchPacing(classify_nodes=0))
"""The kernel leaves every board that it cannot classify at once to `classify_slowly`."""

EMPTY, FULL = Board.empty(NINE), full_board(NINE, random.Random("in time"))


class Endless(LocalCount):
    """A count that never ends, and finds `found` solutions."""

    found = 0
    takes_long = False

    @property
    def finished(self) -> bool:
        return False

    def step(self) -> Any:
        sleep(0.001)
        self.tally = self.tally._replace(solutions=self.found)
        return self.tally


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "LocalCount", Endless)


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("found", [0, 1])
def test_a_board_that_is_not_decided_in_time_is_unknown(found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Endless, "found", found)
    started = perf_counter()
    assert classify_slowly(EMPTY, True, Plan(), Event(), 0.1) == (UNDECIDED + found, b"")
    assert perf_counter() - started >= 0.1
    answer = classify(EMPTY, IMPATIENT, time_limit=0.05)
    assert (answer.verdict, answer.at_least, answer.solution) == (Verdict.UNKNOWN, found, None)
    assert answer.to_dict() == {
        "board": "." * 81,
        "shape": "3x3",
        "verdict": "unknown",
        "at_least": found,
        "reason": "not decided within 0.05 s",
    }


@pytest.mark.usefixtures("endless")
def test_the_time_of_the_kernel_counts_too() -> None:
    with Stopwatch() as watch:
        assert (
            classify_slowly(EMPTY, False, Plan(), Event(), 1000.0, started_count=StartedCount(1000.0))[0] == UNDECIDED
        )
    assert watch.seconds < 10


def test_a_verdict_is_the_same_within_a_time_limit() -> None:
    rng = random.Random("limits")
    boards = [EMPTY, FULL, FULL.with_cell(0, FULL.cells[1])]
    boards += [with_holes(full_board(shape, rng), shape.cells // 2, rng) for shape in (NINE, Shape(3, 4), Shape(4, 4))]
    expected = list(classify_all(boards, Plan()))
    for seconds in (1e-6, 0.01, 100.0):
        for plan in (Plan(), IMPATIENT):
            found = list(classify_all(boards, plan, time_limit=seconds))
            pairs = list(zip(found, expected, strict=True))
            assert all(one is other or one is Verdict.UNKNOWN for one, other in pairs)
            assert found == expected or seconds < 100.0
    assert set(expected) == set(VERDICTS) - {Verdict.UNKNOWN}


def test_a_unique_board_stays_unique_if_its_solution_is_not_found_again_in_time() -> None:
    """The second walk, for the solution, has the time that the first one has left."""
    code, solution = classify_slowly(FULL.with_cell(0, 0), True, Plan(), Event(), 1e-9)
    assert (code, solution) in [(1, b""), (1, FULL.cells), (UNDECIDED, b""), (UNDECIDED + 1, b"")]
    answer = classifying.make_answer(Board.empty(NINE), 1, bytes(81), 1.0)
    assert answer.to_dict() == {"board": "." * 81, "shape": "3x3", "verdict": "unique"}


def test_limits_that_are_none_are_refused() -> None:
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="greater than 0"):
            enumerator.classify(EMPTY, time_limit=wrong)
        with pytest.raises(ValueError, match="greater than 0"):
            enumerator.classify_all([EMPTY], time_limit=wrong)
    assert enumerator.classify(EMPTY, time_limit=10) is Verdict.MULTIPLE
    assert list(enumerator.classify_all([EMPTY, FULL], time_limit=10)) == [Verdict.MULTIPLE, Verdict.UNIQUE]


# -------------------------------------------------------------------------------- beside a hard board


@pytest.mark.parametrize("place", [0, 3, 499])
def test_the_others_are_classified_while_a_hard_board_is_at_work(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hard board ends when all others have been handed to the kernel and are decided."""
    boards = [FULL] * 500
    boards[place] = EMPTY
    decided, real = 0, many.count_quickly

    def quickly(*rest: Any) -> tuple[int, StartedCount | None]:
        nonlocal decided
        found, started_count = real(*rest)
        decided += found
        return found, started_count

    def slowly(board: Board, *_: Any, **__: Any) -> Decision:
        assert board == EMPTY
        deadline = perf_counter() + 60
        while decided < len(boards) - 1:
            assert perf_counter() < deadline
            sleep(0.001)
        return Decision(2)

    monkeypatch.setattr(classifying, "count_quickly", quickly)
    monkeypatch.setattr(classifying, "decide_slowly", slowly)
    # a full board takes no node, an empty one more than a few
    plan = Plan(2, usable=lambda: 2, batch_pacing=BatchPacing(first_chunk=7, chunk=7, classify_nodes=10))
    found = list(classify_all(boards, plan))
    assert found == [Verdict.UNIQUE] * place + [Verdict.MULTIPLE] + [Verdict.UNIQUE] * (499 - place)


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("cores", [1, 2])
def test_hard_boards_are_unknown_one_by_one(cores: int) -> None:
    plan = Plan(cores, usable=lambda: cores, batch_pacing=BatchPacing(classify_nodes=10))
    boards = [FULL, EMPTY, EMPTY, FULL, FULL, EMPTY]
    expected = [Verdict.UNIQUE if board == FULL else Verdict.UNKNOWN for board in boards]
    assert list(classify_all(boards, plan, time_limit=0.02)) == expected


@pytest.mark.usefixtures("endless")
def test_a_stop_ends_a_board_before_its_time_limit() -> None:
    stop = Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        classify_slowly(EMPTY, False, Plan(), stop, 1000.0)
    timer.join()


def test_a_block_ends_when_its_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "TURN_SECONDS", 0.0)
    plan = Plan(batch_pacing=BatchPacing(classify_nodes=200))
    boards = [with_holes(FULL, 40, random.Random(f"turn {number}")) for number in range(100)]
    expected = list(classify_all(boards, Plan(cores=1)))
    assert list(classify_all(boards, plan)) == expected
    block = BoardBlock(NINE, memoryview(b"".join(board.cells for board in boards)))
    _, decided, _ = Classifier(plan).ask(block, Event())
    assert decided < 100
