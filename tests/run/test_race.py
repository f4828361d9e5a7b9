"""Races of two engines: their time against that of the better one, and their answers. Time is simulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator.board import Board, Shape
from enumerator.engines import Engine, Job, Share, Tally
from enumerator.run.course import MOST_OF_TRIAL
from enumerator.run.pacing import DEFAULT_PACING
from enumerator.run.race import Race, Runner

SLICE = 0.02
TRIAL = DEFAULT_PACING.race_trial_seconds
BOUND = 1.3
"""The time of a race over that of the better engine, apart from some slices."""
SOME = 6 * SLICE
EXAMPLES = settings(max_examples=60, deadline=None, derandomize=True)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Toy(Engine):
    """An engine that only a race asks for its properties."""

    effort = "steps"

    def __init__(self, name: str, shares_predict: bool = True) -> None:
        self.name, self.shares_predict = name, shares_predict

    def supports(self, shape: Shape) -> bool:
        return True

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Job:
        raise NotImplementedError


WALK, LEARNER = Toy("walk"), Toy("learner", shares_predict=False)


@dataclass
class Scripted:
    """A count that follows a script: the solutions found and the share visited after some seconds."""

    clock: Clock
    engine: Toy
    seconds_needed: float
    total: int = 1
    found: Callable[[float], float] = lambda part: part
    """The part of the solutions that is found after a part of the time."""
    shown: Callable[[float], float] = lambda part: part
    """The share that is reported after a part of the time."""
    most: float = inf
    spent: float = 0.0
    promised_seconds: float = 0.0
    is_undecided: bool = False
    start_effort: int = 0
    handover_bytes: int = 0
    rate: float = 1.0
    kept: bytes = b""
    steps: int = field(default=0)

    @property
    def part(self) -> float:
        return min(1.0, self.spent / self.seconds_needed)

    @property
    def solutions(self) -> int:
        whole = self.part >= 1
        return int(min(self.most, self.total if whole else self.found(self.part) * self.total))

    @property
    def effort(self) -> int:
        return max(1, self.steps)

    @property
    def tally(self) -> Tally:
        whole = self.part >= 1
        share = 1.0 if whole else self.shown(self.part)
        return Tally(self.solutions, 0, whole, share, engine=self.engine.name, effort=self.steps)

    def step(self) -> Tally:
        self.clock.now += SLICE
        self.spent += SLICE
        self.steps += 1
        return self.tally

    def parts(self) -> list[tuple[bytes, Share]]:
        return [(self.engine.name.encode(), (1.0 - self.tally.share).as_integer_ratio())]


def race_of(walk: Scripted, learner: Scripted, most: int | None = None) -> Race:
    walk.most = learner.most = inf if most is None else most
    first = Runner(walk.engine, lambda: walk, walk, walk.clock)
    return Race(first, Runner(learner.engine, lambda: learner, None, walk.clock), most)


def run(race: Race, clock: Clock, seconds: float = 1e4) -> Tally:
    """Run a race to its end; return the last tally."""
    while not (race.tally.complete or race.solutions >= race._most):  # noqa: SLF001 - the limit of the count
        assert clock.now < seconds, "the race does not end"
        race.step()
    return race.tally


SECONDS = st.floats(0.05, 25)


@pytest.mark.slow
@EXAMPLES
@given(SECONDS, SECONDS, st.integers(10_000, 10**9))
def test_a_race_for_many_solutions_takes_little_longer_than_the_better_engine(
    walk: float, learner: float, total: int
) -> None:
    clock = Clock()
    race = race_of(Scripted(clock, WALK, walk, total), Scripted(clock, LEARNER, learner, total, shown=lambda _: 0.0))
    tally = run(race, clock)
    assert tally.solutions == total
    assert clock.now <= BOUND * min(walk, learner) + SOME


@pytest.mark.slow
@EXAMPLES
@given(SECONDS, st.floats(0.0, 0.2))
def test_a_walk_that_is_stuck_is_left(learner: float, jump: float) -> None:
    """Its share jumps at first, as if it were nearly done, and then stands still."""
    clock = Clock()
    stuck = Scripted(clock, WALK, inf, 1, lambda _: 0.0, lambda _: jump)
    race = race_of(stuck, Scripted(clock, LEARNER, learner, 1, lambda _: 0.0, lambda _: 0.0))
    tally = run(race, clock)
    assert (tally.engine, tally.solutions) == ("learner", 1)
    assert clock.now <= BOUND * learner + SOME


@pytest.mark.slow
@EXAMPLES
@given(SECONDS)
def test_a_learner_that_never_ends_costs_a_part_of_a_walk_that_goes_forward(walk: float) -> None:
    clock = Clock()
    endless = Scripted(clock, LEARNER, inf, 1, lambda _: 0.0, lambda _: 0.0)
    tally = run(race_of(Scripted(clock, WALK, walk, 1, lambda _: 0.0), endless), clock)
    assert tally.engine == "walk"
    assert clock.now <= BOUND * walk + SOME


@pytest.mark.slow
@EXAMPLES
@given(SECONDS, SECONDS)
def test_without_solutions_a_race_takes_little_longer_than_the_better_engine(walk: float, learner: float) -> None:
    """If the shares of the walk are right. The learner says nothing until it is done."""
    clock = Clock()
    silent = Scripted(clock, LEARNER, learner, 1, lambda _: 0.0, lambda _: 0.0)
    run(race_of(Scripted(clock, WALK, walk, 1, lambda _: 0.0), silent), clock)
    assert clock.now <= BOUND * min(walk, learner) + SOME or clock.now <= BOUND * walk + SOME < 2 * SOME + 5 * learner


def test_a_walk_that_becomes_slow_is_left() -> None:
    """It finds a tenth of the solutions in a thousandth of its time."""
    clock = Clock()
    total = 10**6
    walk = Scripted(clock, WALK, 1000, total, lambda part: min(100 * part, 0.1 + part / 10), lambda part: part)
    tally = run(race_of(walk, Scripted(clock, LEARNER, 20, total, shown=lambda _: 0.0)), clock)
    assert (tally.engine, tally.solutions) == ("learner", total)
    assert clock.now < 40


def test_a_short_walk_has_no_rival() -> None:
    clock = Clock()
    learner = Scripted(clock, LEARNER, 1.0, 100)
    assert run(race_of(Scripted(clock, WALK, 0.027, 100), learner), clock).engine == "walk"
    assert learner.steps == 0


@pytest.mark.slow
@EXAMPLES
@given(SECONDS, SECONDS, st.integers(0, 10**4), st.one_of(st.none(), st.integers(1, 100)))
def test_tallies_grow_and_the_last_one_is_right(walk: float, learner: float, total: int, most: int | None) -> None:
    clock = Clock()
    race = race_of(
        Scripted(clock, WALK, walk, total), Scripted(clock, LEARNER, learner, total, shown=lambda _: 0.0), most
    )
    seen = [race.tally]
    while not (race.tally.complete or (most is not None and race.solutions >= most)):
        seen.append(race.step())
        assert race.parts() == [(seen[-1].engine.encode(), (1 - race.leader.course.now.share).as_integer_ratio())]
        assert race.solutions <= seen[-1].solutions
    assert all(one.solutions <= other.solutions for one, other in pairwise(seen))
    assert seen[-1].solutions == min(total, total if most is None else most)


def test_the_slower_engine_keeps_a_small_share_to_the_end() -> None:
    clock = Clock()
    walk, learner = Scripted(clock, WALK, 100, 10**6), Scripted(clock, LEARNER, 1000, 10**6, shown=lambda _: 0.0)
    race = race_of(walk, learner)
    assert race.is_undecided is False, "nothing is tried before the walk has run once"
    run(race, clock)
    assert race.leader.engine is WALK
    assert walk.spent / 100 < learner.spent < DEFAULT_PACING.race_share * walk.spent + SLICE


@EXAMPLES
@given(SECONDS, SECONDS, st.booleans())
def test_the_first_trial_takes_at_most_a_third_of_the_first_engines_time(
    walk: float, learner: float, is_found: bool
) -> None:
    clock = Clock()
    first = Scripted(clock, WALK, walk, 10**6 if is_found else 0)
    race = race_of(first, Scripted(clock, LEARNER, learner, 0, shown=lambda _: 0.0))
    while race.leader.engine is WALK and race.challenger.course.seconds < TRIAL and not race.tally.complete:
        before = race.challenger.course.seconds
        race.step()
        assert before < race.challenger.course.seconds <= MOST_OF_TRIAL * race.leader.course.seconds + SLICE or (
            race.challenger.course.seconds == before
        )


def test_a_count_of_a_portfolio_takes_the_place_of_its_engine() -> None:
    """The search stays the other one, whichever of the two has led."""
    for walk_leads in (True, False):
        clock = Clock()
        walk = Scripted(clock, WALK, 10, 100_000)
        learner = Scripted(clock, LEARNER, 100 if walk_leads else 1, 100_000, shown=lambda _: 0.0)
        race = race_of(walk, learner)
        for _ in range(30):
            race.step()
        assert (race.leader.engine is WALK) == walk_leads
        further = Scripted(clock, LEARNER, 100, 100_000, spent=50)
        race.lead_with(further, LEARNER)
        assert race.leading is further
        assert (race.leader.engine, race.challenger.engine) == (LEARNER, WALK)
        assert race.challenger.counting is walk
        assert (race.solutions, race.leader.course.now.solutions) == (50_000, 50_000)
        assert run(race, clock).solutions == 100_000


def test_a_race_goes_on_alone_when_the_challenger_fails() -> None:
    class Failing(Scripted):
        def step(self) -> Tally:
            if self.steps == 2:
                raise MemoryError("no room")
            return super().step()

    clock, said = Clock(), list[str]()
    walk = Scripted(clock, WALK, 10.0, 1_000)
    learner = Failing(clock, LEARNER, 1.0, 1_000_000)
    pacing = DEFAULT_PACING._replace(race_lead=inf)  # it stays the challenger
    first, second = Runner(WALK, lambda: walk, walk, clock), Runner(LEARNER, lambda: learner, None, clock)
    race = Race(first, second, None, pacing, said.append)
    assert run(race, clock).engine == "walk"
    assert said == ["learner was tried and has failed: no room"]
    assert learner.steps == 2


def test_the_leader_must_have_started() -> None:
    clock = Clock()
    runner = Runner(WALK, lambda: Scripted(clock, WALK, 1.0), None, clock)
    with pytest.raises(ValueError, match="has not started"):
        Race(runner, runner, None)
