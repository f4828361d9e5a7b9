"""A race that goes on while workers count: counts that change their engine again and again."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import pytest
from gmpy2 import mpq
from support.boards import ROOT, board, random_board
from support.cases import slow_after
from support.ledgers import is_sound, ledger_of, rows, said_of, total
from support.marks import restricted_board
from support.odd_workers import die_once, poisoned
from support.runs import EAGER, RESTLESS, total_share

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import Counting, JobCounting, Tally, learning, search
from enumerator.engines.stopping import run_until
from enumerator.questions.audit import audit
from enumerator.run.challenge import Challenge, challenge_anew, challenge_back, other_engine
from enumerator.run.counting import tallies
from enumerator.run.course import Course
from enumerator.run.driver import Driver
from enumerator.run.ledger import Ledger
from enumerator.run.local import LocalCount, PartialCount
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import Plan
from enumerator.run.race import Runner
from enumerator.run.workers import executors

pytestmark = pytest.mark.usefixtures("census")

SEARCH, LEARNING = search.ENGINE, learning.ENGINE
FICKLE = RESTLESS._replace(race_trial_seconds=1e-9, race_lead=0.0, race_share=0.5, race_slice_seconds=2e-4)
"""The challenger takes over as soon as it has found or finished anything."""

DEAD_ENDS = ROOT / "boards" / "large" / "16x16-b-4.txt"
"""A board with 3,069 solutions and as many dead ends: see the page of its folder."""
SOLUTIONS = 3_069


def fickle(pacing: Pacing = FICKLE, cores: int = 2, limit: int | None = None) -> Plan:
    return Plan(cores=cores, pool=None, usable=lambda: cores, visible=lambda: cores, limit=limit, pacing=pacing)


def changes(seen: list[Tally]) -> int:
    return sum(one.engine != other.engine for one, other in pairwise(seen))


def test_only_engines_that_race_challenge_each_other() -> None:
    one = board("16x16-many")
    assert other_engine(one, "search") is LEARNING
    assert other_engine(one, "learning") is SEARCH
    assert other_engine(board("1a"), "search") is None
    assert other_engine(one, "contraction") is None


# ------------------------------------------------------------------------------------ the count stays exact


@pytest.mark.parametrize("cores", slow_after(1, [2, 1, 3]))
def test_a_count_whose_engine_changes_again_and_again_is_exact(cores: int) -> None:
    seen = list(tallies(read(DEAD_ENDS), fickle(cores=cores)))
    assert (seen[-1].solutions, seen[-1].complete, seen[-1].share) == (SOLUTIONS, True, 1.0)
    assert changes(seen) > 2 or cores == 1
    assert all(one.solutions <= other.solutions <= SOLUTIONS for one, other in pairwise(seen))
    assert {tally.engine for tally in seen} == {"search", "learning"}


@pytest.mark.parametrize("number", slow_after(6, range(40)))
def test_random_boards_are_counted_exactly_whatever_changes(number: int) -> None:
    rng = random.Random(f"challenge {number}")
    shape = rng.choice([Shape(2, 5), Shape(3, 4), Shape(4, 4)])
    one = restricted_board(shape, rng, 2_000)[1] if number % 3 == 1 else random_board(shape, rng, 2_000)
    pacing = FICKLE._replace(race_lead=rng.choice([0.0, 0.5, 1.2]), race_share=rng.choice([0.05, 1.0]))
    expected = search.count(one)
    limit = rng.choice([None, None, 1, expected, max(1, expected - 1), expected + 1])
    *_, tally = tallies(one, fickle(pacing, rng.randint(1, 3), limit))
    assert (tally.solutions, tally.complete) == (
        (expected, True) if limit is None or limit >= expected else (limit, False)
    )


def test_what_a_driver_leaves_and_has_found_is_the_whole() -> None:
    """After each exchange, the parts of both engines have all solutions that are not counted yet."""
    one = read(DEAD_ENDS)
    plan = fickle()
    local = LocalCount(one, plan)
    while not local.takes_long:
        local.step()
    start = local.hand_over()
    start = start if start.challenge else start._replace(challenge=challenge_anew(one, plan, start))
    for _ in range(4):
        job = engines.get(start.tally.engine).job(one)
        driver = Driver(job, plan, start)
        tally = list(driver.run())[-1]
        if not driver.is_passed:
            assert (tally.complete, tally.solutions) == (True, SOLUTIONS)
            return
        left = driver.leave()
        assert_whole(one, left)
        assert 1 - total_share(left.parts) == mpq(driver.balance.finished)
        challenge = start.challenge
        assert challenge
        taken = challenge.take_over(left, 0.1)
        assert_whole(one, taken)
        start = taken._replace(challenge=challenge_back(challenge, job, left, plan))


def assert_whole(one: Board, left: PartialCount) -> None:
    below = [Board.from_cells(one.shape, load) for load, *_ in left.parts]
    assert left.solutions + sum(map(search.count, below)) == SOLUTIONS
    assert 0 <= total_share(left.parts) <= 1


def test_a_count_of_parts_that_is_stopped_loses_none() -> None:
    """A thread whose task is stopped has not started the part that it has taken."""

    class Stopped:
        def is_set(self) -> bool:
            return True

    one = read(DEAD_ENDS)
    counting = SEARCH.job(one)
    parts = SEARCH.begin(one, slice_seconds=1e-4)
    parts.step()
    found = parts.solutions
    count = JobCounting(counting, parts.parts(), None, parts.tally, 1e-3, (found, parts.effort))
    run_until(Stopped(), count.step)
    assert count.parts() == parts.parts()
    while not count.step().complete:
        pass
    assert count.solutions == SOLUTIONS


def test_a_challenger_that_is_done_ends_the_count() -> None:
    one = read(DEAD_ENDS)
    plan = fickle(FICKLE._replace(race_lead=1e9))
    done = SEARCH.begin(one)
    while not done.step().complete:
        pass
    begun = LEARNING.begin(one, slice_seconds=1e-5)
    begun.step()
    challenge = Challenge(Course(LEARNING), Runner(SEARCH, lambda: done, done), plan)
    start = PartialCount(begun.tally, begun.solutions, begun.parts(), 0.01, 1e5, begun.effort, challenge)
    *_, tally = tallies(one, plan, start)
    assert (tally.engine, tally.solutions, tally.complete) == ("search", SOLUTIONS, True)


@pytest.mark.parametrize("error", [MemoryError("no room"), ZeroDivisionError()])
def test_a_challenger_that_fails_is_given_up(error: Exception) -> None:
    def fail() -> Counting:
        raise error

    said: list[str] = []
    one, plan = read(DEAD_ENDS), fickle()._replace(on_message=said.append)
    begun = SEARCH.begin(one, slice_seconds=1e-5)
    begun.step()
    challenge = Challenge(Course(SEARCH), Runner(LEARNING, fail), plan)
    start = PartialCount(begun.tally, begun.solutions, begun.parts(), 0.01, 1e5, begun.effort, challenge)
    seen = list(tallies(one, plan, start))
    assert (seen[-1].solutions, seen[-1].complete) == (SOLUTIONS, True)
    assert not changes(seen)
    assert said == [f"learning was tried and has failed: {error or 'ZeroDivisionError'}"]


# ---------------------------------------------------------------- interrupts, deaths of workers, and ledgers


@pytest.mark.parametrize("stop_after", slow_after(2, [3, 12, 1, 30, 60]))
def test_a_count_can_be_left_at_any_change(stop_after: int) -> None:
    with closing(tallies(read(DEAD_ENDS), fickle())) as counting:
        for number, tally in enumerate(counting):
            assert tally.solutions <= SOLUTIONS
            if number >= stop_after:
                break


class Triggered(Challenge):
    """A challenge that is won when something has happened, and not before."""

    trigger: Callable[[], bool] = staticmethod(lambda: False)

    def has_passed(self, is_recorded: bool) -> bool:
        assert not is_recorded
        return self.challenger.counting is not None and self.trigger()


def start_against(one: Board, plan: Plan, trigger: Callable[[], bool]) -> PartialCount:
    """Return a count by the search that has just begun, and is passed by learning after the trigger."""
    begun = SEARCH.begin(one, slice_seconds=1e-5)
    begun.step()
    challenge = Triggered(Course(SEARCH), Runner(LEARNING, lambda: LEARNING.begin(one, slice_seconds=1e-4)), plan)
    challenge.trigger = trigger
    return PartialCount(begun.tally, begun.solutions, begun.parts(), 0.01, 1e6, begun.effort, challenge)


@pytest.mark.slow
def test_an_engine_takes_over_after_a_worker_has_died(tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    said: list[str] = []
    one = board("large/16x16-b-8")
    plan = fickle(EAGER)._replace(pool=poisoned(die_once, tmp_path / "once"), on_message=said.append)
    seen = list(tallies(one, plan, start_against(one, plan, lambda: bool(said))))
    assert any("a worker has died" in message for message in said)
    assert (seen[-1].solutions, seen[-1].complete) == (113_837, True)  # as boards/large/README.md says
    assert changes(seen)


@pytest.mark.slow
def test_an_engine_takes_over_from_processes() -> None:
    one = board("large/16x16-b-8")
    plan = fickle(EAGER)._replace(pool=executors.start_processes)
    begun = perf_counter()
    seen = list(tallies(one, plan, start_against(one, plan, lambda: perf_counter() - begun > 0.03)))
    assert (seen[-1].solutions, seen[-1].complete) == (113_837, True)
    assert changes(seen)


def recorded(one: Board, path: Path) -> Generator[Tally, None, None]:
    with ledger_of(one, fickle(), path) as ledger:
        yield from recorded_in(ledger, one)


def recorded_in(ledger: Ledger, one: Board, lead: float = 0.01, share: float = 0.5) -> Generator[Tally, None, None]:
    return tallies(one, fickle(FICKLE._replace(race_lead=lead, race_share=share)), ledger=ledger)


@pytest.mark.parametrize("stop_after", slow_after(2, [5, 25, 1, 60, 100]))
def test_a_ledger_has_the_parts_of_one_engine_and_is_resumed(stop_after: int, tmp_path: Path) -> None:
    one, path = read(DEAD_ENDS), tmp_path / "ledger"
    with closing(recorded(one, path)) as counting:
        for number, tally in enumerate(counting):
            if tally.complete or number >= stop_after:
                break
    assert is_sound(path)
    assert_whole_ledger(one, path)
    *_, tally = recorded(one, path)
    assert (tally.solutions, tally.complete, total(path)) == (SOLUTIONS, True, SOLUTIONS)
    assert is_sound(path)
    assert said_of(path).engine == tally.engine
    assert audit(str(path), 1.0).agrees


def assert_whole_ledger(one: Board, path: Path) -> None:
    """The finished and the open parts in a ledger are the whole, and have all solutions together."""
    contents = said_of(path)
    job = engines.get(contents.engine).job(one)
    with ledger_of(one, fickle(), path) as ledger:
        parts = ledger.parts(job)
    assert contents.totals.share + sum(part.share for part in parts) == 1
    below = sum(search.count(Board.from_cells(one.shape, part.load)) for part in parts)
    assert contents.totals.solutions + below == SOLUTIONS
    assert len(rows(path)) >= len(parts)


@pytest.mark.slow
def test_a_ledger_that_is_nearly_done_is_finished_by_its_engine(tmp_path: Path) -> None:
    """113,837 solutions, as boards/large/README.md says. `auto` resumes what learning has nearly finished."""
    one, path = board("large/16x16-b-8").shuffled(1), tmp_path / "ledger"
    plan = fickle(DEFAULT_PACING._replace(synchronous=False))
    learning_plan = plan._replace(engine="learning")
    with ledger_of(one, plan, path) as ledger, closing(tallies(one, learning_plan, ledger=ledger)) as counting:
        while next(counting).solutions < 95_000:
            pass
    assert said_of(path).totals.share > 0.5
    with ledger_of(one, plan, path) as ledger:
        seen = list(tallies(one, plan, ledger=ledger))
    assert {tally.engine for tally in seen} == {"learning"}
    assert (seen[-1].solutions, seen[-1].complete, total(path)) == (113_837, True, 113_837)


def test_a_resumed_ledger_knows_how_often_its_engine_has_changed(tmp_path: Path) -> None:
    one, path = read(DEAD_ENDS), tmp_path / "ledger"
    with ledger_of(one, fickle(), path) as ledger, closing(recorded_in(ledger, one)) as counting:
        engine = next(counting).engine
        while next(counting).engine == engine:
            pass
        assert ledger.changes == 1
    with ledger_of(one, fickle(), path) as ledger:
        assert ledger.changes == 1
        seen = list(recorded_in(ledger, one, 1e9, 1e-9))  # the challenger could find all solutions first
        assert (ledger.changes, changes(seen)) == (1, 0)
