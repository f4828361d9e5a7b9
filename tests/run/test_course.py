"""Which of two engines on the same board is expected to finish first: decisions about their courses."""

from __future__ import annotations

from math import inf

import pytest

from enumerator import engines
from enumerator.engines import learning, search
from enumerator.run.course import Course, Mark, is_due, is_passed
from enumerator.run.pacing import DEFAULT_PACING

SEARCH, LEARNING = search.ENGINE, learning.ENGINE


def course(engine: engines.Engine, *marks: tuple[float, int, float]) -> Course:
    """Return a course by its marks: seconds, solutions, share."""
    found, before = Course(engine), 0.0
    for seconds, solutions, share in marks:
        found.add(seconds - before, solutions, share)
        before = seconds
    return found


def is_passed_by(leader: Course, challenger: Course) -> bool:
    return is_passed(leader, challenger, inf, DEFAULT_PACING)


def is_due_after(leader: Course, challenger: Course) -> bool:
    return is_due(leader, challenger, inf, DEFAULT_PACING)


def test_the_engine_that_finds_more_solutions_a_second_leads() -> None:
    slow = course(SEARCH, (0.5, 500, 0.01), (1.0, 1_000, 0.02))
    assert is_passed_by(slow, course(LEARNING, (0.01, 100, 0.0), (0.02, 200, 0.0)))
    assert not is_passed_by(slow, course(LEARNING, (0.01, 10, 0.0), (0.02, 20, 0.0)))


def test_a_nest_of_solutions_is_forgotten() -> None:
    """The leader has found a thousand solutions at once, and hardly any since."""
    steady = course(LEARNING, (0.01, 50, 0.0), (0.02, 100, 0.0))
    marks = [(0.1 + 0.1 * number, 1_000 + number, 0.05 + 1e-4 * number) for number in range(6)]
    assert not is_passed_by(course(SEARCH, *marks[:1]), steady)
    assert is_passed_by(course(SEARCH, *marks), steady)


def test_a_count_that_has_just_begun_to_lead_is_not_passed() -> None:
    """It has found its solutions in another thread, and has had no time of its own yet."""
    assert not is_passed_by(Course(LEARNING, Mark(0.0, 200, 0.0)), course(SEARCH, (1.0, 10, 0.5)))


def test_before_a_trial_nothing_is_passed() -> None:
    leader = course(SEARCH, (1.0, 0, 0.0))
    assert not is_passed_by(leader, Course(LEARNING))
    assert not is_passed_by(leader, course(LEARNING, (DEFAULT_PACING.race_trial_seconds / 2, 10**6, 0.0)))


@pytest.mark.parametrize("share", [1e-6, 0.01, 0.2])
def test_a_walk_without_solutions_is_judged_by_its_share(share: float) -> None:
    doubt = course(LEARNING, (0.05, 0, 0.0))
    assert is_passed_by(course(SEARCH, (1.0, 0, share)), doubt)
    assert not is_passed_by(course(SEARCH, (1.0, 0, 0.9)), doubt)


def test_a_challenger_gets_more_time_where_the_expectations_contradict_each_other() -> None:
    """The leader finds more, and yet has a thousandth of its tree behind it after a second."""
    hopeless, promising = course(SEARCH, (1.0, 1_000, 0.001)), course(SEARCH, (1.0, 1_000, 0.9))
    behind = course(LEARNING, (0.06, 40, 0.0))
    assert is_due_after(hopeless, behind)
    assert not is_due_after(promising, behind)
    assert not is_due_after(hopeless, course(LEARNING, (DEFAULT_PACING.race_unsure_seconds * 1.01, 100, 0.0)))


def test_a_count_that_was_resumed_is_expected_to_end_by_all_of_its_time() -> None:
    resumed = Course(SEARCH, Mark(100.0, 500, 0.5))
    resumed.add(1.0, 500, 0.5)
    assert resumed.remaining(inf, DEFAULT_PACING) == pytest.approx(101.0)
    assert not is_passed_by(resumed, course(LEARNING, (25.0, 0, 0.0)))


def test_a_challenger_of_a_count_that_was_resumed_gets_a_share_of_the_time_since() -> None:
    resumed = Course(SEARCH, Mark(1000.0, 500, 0.01))
    resumed.add(1.0, 510, 0.01)
    assert is_due_after(resumed, course(LEARNING, (0.04, 10, 0.0)))
    assert not is_due_after(resumed, course(LEARNING, (0.3, 10, 0.0)))


@pytest.mark.parametrize("seconds", [0.0, 3600.0])
def test_a_nest_of_solutions_is_forgotten_by_a_count_that_was_resumed(seconds: float) -> None:
    """Three million solutions before it was resumed, or a thousand in its first second since; none in 50 minutes."""
    leader = Course(LEARNING, Mark(seconds, 3_600_000 if seconds else 0, 0.0))
    leader.add(1.0, 3_601_000, 0.0)
    for _ in range(30):
        leader.add(100.0, 3_601_000, 0.0)
    steady = [(5.0 + number, 500 * number, 0.001 * number) for number in range(10)]
    assert leader.speed == 0
    assert is_passed_by(leader, course(SEARCH, *steady))


# ------------------------------------------------------------------------------ what is lost with a record


def loses_its_record(leader: Course, challenger: Course) -> bool:
    return is_passed(leader, challenger, inf, DEFAULT_PACING, is_recorded=True)


def resumed(engine: engines.Engine, seconds: float, solutions: int, share: float, speed: int = 0) -> Course:
    """Return the course of a count that was resumed from a ledger a second ago."""
    found = Course(engine, Mark(seconds, solutions, share))
    found.add(1.0, solutions + speed, share)
    return found


@pytest.mark.parametrize("leader", [SEARCH, LEARNING])
@pytest.mark.parametrize("share", [0.9, 0.96, 0.995])
@pytest.mark.parametrize("speed", [0, 27_000])
def test_a_record_that_is_nearly_done_is_kept(leader: engines.Engine, share: float, speed: int) -> None:
    """The challenger finds twice as many a second, and yet has all of them still to find."""
    nearly = resumed(leader, 36_000.0, 1_000_000_000, share, speed)
    other = SEARCH if leader is LEARNING else LEARNING
    for seconds in (0.005, 400.0):
        assert not loses_its_record(
            nearly, course(other, (seconds / 2, 1, 0.0), (seconds, int(54_000 * seconds), 1e-6))
        )


def test_a_record_that_is_nearly_done_is_kept_though_few_solutions_are_left() -> None:
    """By its share it has a third of its time left, by its solutions half a second."""
    nearly = resumed(LEARNING, 100.0, 1_500, 0.75, 1_000)
    assert not loses_its_record(nearly, course(SEARCH, (5.0, 1_000, 0.2), (10.0, 2_000, 0.4)))


def test_a_record_of_a_leader_that_is_stuck_is_lost() -> None:
    """It has a millionth of its tree, and the challenger finds all that it has found in a moment."""
    for solutions in (0, 1_000):
        stuck = resumed(SEARCH, 100.0, solutions, 1e-6)
        assert loses_its_record(stuck, course(LEARNING, (1.0, 500, 0.0), (2.0, 1_000, 0.0)))
    jumped = course(SEARCH, (1.0, 0, 0.5), (10.0, 0, 0.5), (100.0, 0, 0.5), (300.0, 0, 0.5))
    assert loses_its_record(jumped, course(LEARNING, (5.0, 0, 0.0), (10.0, 0, 0.0)))
    assert loses_its_record(resumed(LEARNING, 100.0, 0, 0.0), course(SEARCH, (1.0, 0, 0.05), (2.0, 0, 0.1)))


def test_a_record_is_not_lost_for_the_first_moments_of_a_challenger() -> None:
    """Its share jumps at first, as if it were nearly done."""
    stuck = resumed(LEARNING, 3600.0, 0, 0.0)
    assert not loses_its_record(stuck, course(SEARCH, (0.005, 0, 0.2), (0.01, 0, 0.4)))
    assert loses_its_record(stuck, course(SEARCH, (20.0, 0, 0.2), (40.0, 0, 0.4)))
