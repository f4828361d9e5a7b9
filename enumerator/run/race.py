"""A race: two engines count the same board on one core, in turn, until one of them is dropped.

For boards on which no engine can be predicted. The first engine has begun already. The second one
gets a trial: a twentieth of the time that the first one is still expected to take, from 10 ms to 1 s, and
no more than the first one has had. Then the engine that is expected to finish first gets the time, and
the challenger a twentieth of it, so that a mistake is noticed; an eightieth, if it finds far fewer
solutions.

    runner      one of the two counts, and its processor time
    leader      the runner that is expected to finish first; the state of the race is its state
    window      the last half of a runner's time, or up to three quarters. Speeds are measured in it

Expectations, the first that applies:

    many solutions    both must find the same ones: the runner that finds more per second leads
    share             the share of the work in the window predicts the rest, if the engine's shares do
    doubt             otherwise a runner takes `race_doubt` times as long again as it has taken

A challenger leaves when the leader has had twenty seconds, and it one second or far fewer
solutions. The time of a race over that of the better engine, as measured on boards of 16×16 to 36×36
that take 50 ms to 8 s: 0.97 to 1.25. Shorter counts take up to 30 ms longer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import thread_time
from typing import NamedTuple

from enumerator.engines import Counting, Engine, Share, Tally
from enumerator.run.chooser import MANY_SOLUTIONS
from enumerator.run.pacing import DEFAULT_PACING, Pacing

WORTH_TRIALS = 3
"""The expected time of the leader, in trials, from which another engine is tried or kept informed."""

CLEAR_LEAD = 2.0
"""The factor by which the leader finds more solutions per second, so that the other one gets less time."""

LESS_TIME = 0.25
"""The factor of that time."""


class _Mark(NamedTuple):
    """The state of a runner at a time."""

    seconds: float = 0.0
    solutions: int = 0
    share: float = 0.0


class Runner:
    """A count in a race. It has begun before the race, or begins with its first step."""

    def __init__(
        self,
        engine: Engine,
        begin: Callable[[], Counting],
        begun: Counting | None = None,
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self.engine, self.counting, self._begin, self._clock = engine, begun, begin, clock
        self.now = _Mark(0.0, begun.solutions, begun.tally.share) if begun else _Mark()
        self._marks = [self.now, self.now]
        """The beginning of the window, and that of the next one: its time is twice as long."""
        self._first_effort = begun.effort if begun else 0

    def step(self) -> None:
        started = self._clock()
        if self.counting is None:
            self.counting = self._begin()
        tally = self.counting.step()
        seconds = self.now.seconds + max(self._clock() - started, 1e-9)
        self.now = _Mark(seconds, self.counting.solutions, tally.share)
        if seconds >= 2 * self._marks[1].seconds:
            self._marks = [self._marks[1], self.now]

    @property
    def nodes(self) -> int:
        return self.counting.tally.nodes if self.counting else 0

    @property
    def rate(self) -> float:
        """The effort per second of the race."""
        effort = self.counting.effort - self._first_effort if self.counting else 0
        return effort / self.seconds if effort and self.seconds else self.engine.cautious_rate

    @property
    def seconds(self) -> float:
        return self.now.seconds

    @property
    def speed(self) -> float:
        """The solutions per second in the window."""
        before = self._marks[0]
        return (self.now.solutions - before.solutions) / max(self.seconds - before.seconds, 1e-9)

    def remaining(self, most: float, pacing: Pacing) -> float:
        """Return the expected seconds to the end, or to `most` solutions."""
        if not self.seconds:
            return pacing.race_trial_seconds
        now, before = self.now, self._marks[0]
        doubt = pacing.race_doubt * max(now.seconds, pacing.race_trial_seconds)
        by_limit = (most - now.solutions) / self.speed if self.speed and most < inf else inf
        if not self.engine.shares_predict:
            return min(by_limit, doubt)
        done = now.share - before.share
        return min(by_limit, (1 - now.share) / done * (now.seconds - before.seconds) if done > 0 else inf)


class Race:
    """A race as a count on one core."""

    promised_seconds = 0.0

    def __init__(self, leader: Runner, challenger: Runner, most: int | None, pacing: Pacing = DEFAULT_PACING) -> None:
        """Let two runners count up to `most` solutions. The first one must have begun."""
        if leader.counting is None:
            raise ValueError("the leader of a race has not begun")
        self.leader, self._leading = leader, leader.counting
        self.challenger: Runner | None = challenger
        self._most: float = inf if most is None else most
        self._pacing, self._dropped = pacing, (0, 0)

    def step(self) -> Tally:
        """Run one of the two for one slice."""
        runner = self._next()
        runner.step()
        if self.challenger:
            self._settle(runner, self.leader, self.challenger)
        return self.tally

    def _next(self) -> Runner:
        leader, challenger, pacing = self.leader, self.challenger, self._pacing
        if challenger is None or not leader.seconds:
            return leader
        trial, left = pacing.race_trial_seconds, leader.remaining(self._most, pacing)
        share = pacing.race_share
        if self._leads_clearly(leader, challenger):
            due = max(trial, LESS_TIME * share * leader.seconds)
        elif leader.engine.shares_predict:
            due = max(trial, min(share * left, pacing.race_seconds, leader.seconds), share * leader.seconds)
        else:
            due = max(trial, share * leader.seconds)
        return challenger if left > WORTH_TRIALS * trial and challenger.seconds < due else leader

    def _leads_clearly(self, leader: Runner, challenger: Runner) -> bool:
        """Return True if the leader has found many solutions, and finds far more than the other one."""
        if challenger.seconds < self._pacing.race_trial_seconds or leader.now.solutions < MANY_SOLUTIONS:
            return False
        return leader.speed > CLEAR_LEAD * challenger.speed

    def _is_over(self, runner: Runner) -> bool:
        counting = runner.counting
        return counting is not None and (counting.tally.complete or counting.solutions >= self._most)

    def _settle(self, runner: Runner, leader: Runner, challenger: Runner) -> None:
        """Compare the two after a step of `runner`: exchange them, or drop the challenger."""
        if self._is_over(runner):
            self._lead(runner, None)
        elif challenger.seconds >= self._pacing.race_trial_seconds and self._is_passed(leader, challenger):
            self._lead(challenger, leader)
        elif self._may_leave(leader, challenger):
            self._lead(leader, None)

    def _may_leave(self, leader: Runner, challenger: Runner) -> bool:
        """Return True if the challenger has had its time, or is clearly slower."""
        pacing = self._pacing
        due = pacing.race_share * leader.seconds
        if due < pacing.race_seconds:
            return False
        return pacing.race_seconds <= challenger.seconds <= due or self._leads_clearly(leader, challenger)

    def _lead(self, leader: Runner, challenger: Runner | None) -> None:
        if challenger is None:
            dropped = self.leader if leader is self.challenger else self.challenger
            self._dropped = (dropped.nodes, dropped.now.solutions) if dropped else (0, 0)
        self.leader, self.challenger = leader, challenger
        self._leading = leader.counting or self._leading

    def _is_passed(self, leader: Runner, challenger: Runner) -> bool:
        """Return True if the challenger is expected to finish first."""
        pacing = self._pacing
        if max(leader.now.solutions, challenger.now.solutions) >= MANY_SOLUTIONS:
            left = 1 - leader.now.share if leader.engine.shares_predict else 1.0  # the other one has all before it
            early = 1 + pacing.race_trial_seconds / challenger.seconds  # speeds are not certain yet
            return challenger.speed * left > pacing.race_lead * early * leader.speed
        return pacing.race_lead * challenger.remaining(self._most, pacing) < leader.remaining(self._most, pacing)

    @property
    def tally(self) -> Tally:
        """The state of the leader, with the solutions that the other one has found if those are more."""
        tally, challenger = self._leading.tally, self.challenger
        nodes, others = (challenger.nodes, challenger.now.solutions) if challenger else self._dropped
        known = tally.solutions if tally.complete else max(tally.solutions, others)
        return tally._replace(solutions=known, nodes=tally.nodes + nodes)

    @property
    def is_undecided(self) -> bool:
        """True until both have had a trial, unless the leader is about to finish."""
        return self.challenger is not None and self._next() is self.challenger

    @property
    def leading(self) -> Counting:
        """The count of the leader."""
        return self._leading

    @property
    def start_effort(self) -> int:
        return self._leading.start_effort

    @property
    def solutions(self) -> int:
        return self._leading.solutions

    @property
    def effort(self) -> int:
        return self._leading.effort

    @property
    def rate(self) -> float:
        return self.leader.rate

    @property
    def handover_bytes(self) -> int:
        return self._leading.handover_bytes

    @property
    def kept(self) -> bytes:
        return self._leading.kept

    def parts(self) -> list[tuple[bytes, Share]]:
        return self._leading.parts()
