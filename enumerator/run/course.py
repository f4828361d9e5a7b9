"""The courses of two engines that count the same board, and which of them is expected to finish first.

    leader        the engine that gets the time, and whose count is the answer
    challenger    the other engine, which gets a small share of the time, so that a mistake is noticed
    course        the processor time of an engine, and what it has found and finished by then
    window        the last half of a course, or up to three quarters. Speeds are measured in it. The course of a
                  count that was resumed begins anew; what is known of its past counts for what is left alone

The challenger passes the leader when it is expected to finish first. The first expectation that applies:

    many solutions    both must find the same ones: the engine that finds more per second is ahead
    share             the share of the work in the window predicts the rest, if the engine's shares do
    doubt             otherwise an engine takes `race_doubt` times as long again as it has taken

A record of the leader is lost when the challenger passes it. So it must then be expected to find everything
sooner than the leader what it has left, by the expectation that says the least: see `is_worth_a_record`.

Where these contradict each other, the challenger gets a quarter of the leader's time instead of a
twentieth, up to 0.2 s.

The rules were chosen by replaying recorded courses of both engines on one core: 23 boards of 16×16 to
25×25, rearranged 13 times each, 299 races. `excess` is the time of a race beyond 20 ms over that of the better engine.

    rule                                               above 1.5   worst excess
    as it is                                                  0        1.4
    as it was: a trial of 10 ms, the challenger left          4        4.8
    a first trial of 5 ms, of 10 ms                       3, 17        2.6, 5.9
    doubt: 2 times, 6 times as long again                  0, 2        1.4, 5.9
    a twentieth of the time always, a tenth                1, 1        2.1, 2.4
    a lead of 1.0, of 2.0 instead of 1.2                   1, 3        1.6, 2.0
    30 solutions are many, 60 to 1,000 are                 1, 0        3.0, 1.4

Medians of the speeds in 16 or 32 windows ignore a nest of solutions, but they are 0 for longest: after 5 % of
the time of the better engine they decided one comparison in seven. The speed in one window decided three in
four, and one in thirteen wrongly. Of 154 races, medians made 4 take more than 1.5 times as long, the worst
2.9. A wrong decision costs little, since the race stays open. The shares of `learning` were wrong in half of the cases.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from enumerator.engines import Engine
from enumerator.run.pacing import Pacing

MANY_SOLUTIONS = 100
"""The number of solutions from which engines are compared by the solutions that they find.

With 30, a nest of 32 solutions decided a race for a tenth of a second. 60 to 1,000 were alike.
"""

WORTH_TRIALS = 4
"""The expected time of the leader, in trials, from which the challenger is tried or kept informed."""

MOST_OF_TRIAL = 1 / 3
"""The most time of a trial, as a share of the time that the leader has had."""

CLEAR_LEAD = 2.0
"""The factor by which the leader finds more solutions per second, so that the challenger gets less time."""

LESS_TIME = 0.25
"""The factor of that time."""

LEAST_TRIED = 0.01
"""The least time of the challenger, as a share of that of a leader whose record would be lost.

Shares may be wrong at first, by any factor.
"""


class Mark(NamedTuple):
    """The state of a count at a time."""

    seconds: float = 0.0
    solutions: int = 0
    share: float = 0.0


class Course:
    """What an engine has found and finished in its processor time."""

    def __init__(self, engine: Engine, start: Mark = Mark()) -> None:  # noqa: B008 - it is frozen
        self.engine, self.start, self.now = engine, start, start
        self._marks = [start, start]
        """The beginning of the window, and that of the next one: its time is twice as long."""

    def add(self, seconds: float, solutions: int, share: float) -> None:
        """Go on for some seconds, to a state."""
        self.now = Mark(self.now.seconds + max(seconds, 1e-9), solutions, share)
        if self.spent >= 2 * (self._marks[1].seconds - self.start.seconds):
            self._marks = [self._marks[1], self.now]

    @property
    def seconds(self) -> float:
        return self.now.seconds

    @property
    def spent(self) -> float:
        """The seconds since the start: without those before the count was resumed."""
        return self.now.seconds - self.start.seconds

    @property
    def speed(self) -> float:
        """The solutions per second in the window."""
        before = self._marks[0]
        return (self.now.solutions - before.solutions) / max(self.seconds - before.seconds, 1e-9)

    @property
    def left(self) -> float:
        """The share of the work that is left; 1 if the engine's shares do not predict."""
        return 1 - self.now.share if self.engine.shares_predict else 1.0

    def remaining(self, most: float, pacing: Pacing) -> float:
        """Return the expected seconds to the end, or to `most` solutions."""
        if not self.seconds:
            return pacing.race_trial_seconds
        by_limit = (most - self.now.solutions) / self.speed if self.speed and most < inf else inf
        if not self.engine.shares_predict:
            return min(by_limit, pacing.race_doubt * max(self.seconds, pacing.race_trial_seconds))
        by_window, by_all = self._by_share(self._marks[0]), self._by_share(Mark())
        return min(by_limit, by_window, by_all if self.start.seconds else inf)

    def least_remaining(self, most: float, pacing: Pacing) -> float:
        """Return the least expected seconds to the end: by shares that do not predict, and by solutions, too."""
        by_share = inf if self.engine.shares_predict else min(self._by_share(self._marks[0]), self._by_share(Mark()))
        still = self.now.solutions / self.now.share * (1 - self.now.share) if self.now.share else inf
        return min(self.remaining(most, pacing), by_share, still / self.speed if self.speed else inf)

    def _by_share(self, since: Mark) -> float:
        done = self.now.share - since.share
        return (1 - self.now.share) / done * (self.seconds - since.seconds) if done > 0 else inf


def is_passed(leader: Course, challenger: Course, most: float, pacing: Pacing, *, is_recorded: bool = False) -> bool:
    """Return True if both have had a trial, and the challenger is expected to finish first.

    `is_recorded` is True if what the leader has done is lost then.
    """
    trial = pacing.race_trial_seconds
    if min(leader.spent, challenger.seconds) < trial:
        return False
    lead = pacing.race_lead * (1 + trial / challenger.seconds)  # speeds are not certain yet
    if is_recorded:
        return is_worth_a_record(leader, challenger, most, pacing, lead)
    if (ratio := speed_ratio(leader, challenger)) is not None:
        return ratio > lead
    return is_ahead_by_rest(challenger, leader, most, pacing, lead)


def is_due(leader: Course, challenger: Course, most: float, pacing: Pacing) -> bool:
    """Return True if the challenger is to go on for a slice."""
    trial, had = pacing.race_trial_seconds, leader.spent
    left = leader.remaining(most, pacing)
    if left <= WORTH_TRIALS * trial:
        return False
    if challenger.seconds < trial:
        return challenger.seconds < MOST_OF_TRIAL * had
    due, ratio = pacing.race_share * had, speed_ratio(leader, challenger)
    if ratio is not None and is_ahead_by_rest(challenger, leader, most, pacing):
        due = max(due, min(pacing.race_unsure_share * had, pacing.race_unsure_seconds))
    elif ratio is not None and ratio < 1 / CLEAR_LEAD:
        due *= LESS_TIME
    elif leader.engine.shares_predict:
        due = max(due, min(pacing.race_share * left, pacing.race_seconds, MOST_OF_TRIAL * had))
    return challenger.seconds < due


def speed_ratio(leader: Course, challenger: Course) -> float | None:
    """Return how many times as fast the challenger finds the leader's solutions; None if few are found."""
    speed = leader.speed
    if max(leader.now.solutions, challenger.now.solutions) < MANY_SOLUTIONS or not (speed or challenger.speed):
        return None
    return challenger.speed * leader.left / speed if speed else inf


def is_ahead_by_rest(one: Course, other: Course, most: float, pacing: Pacing, lead: float = 1.0) -> bool:
    """Return True if an engine is expected to finish first by what is left, and not by its solutions."""
    return lead * one.remaining(most, pacing) < other.remaining(most, pacing)


def is_worth_a_record(leader: Course, challenger: Course, most: float, pacing: Pacing, lead: float) -> bool:
    """Return True if the challenger is expected to find everything before the leader finds what it has left.

    The share of the leader is at least what it has done, by either engine. The challenger has to find at
    least what the leader has found. If it cannot be predicted, it is expected to find all solutions that
    the leader's share promises, or is doubted like an engine that has had the time of the leader.
    """
    if challenger.seconds < LEAST_TRIED * leader.seconds:
        return False
    found, speed = leader.now.solutions, challenger.speed
    whole = challenger.remaining(most, pacing)
    if not challenger.engine.shares_predict:
        doubt = pacing.race_doubt * max(leader.seconds, challenger.seconds)
        promised = found / leader.now.share if leader.now.share else inf
        is_known = speed and max(found, challenger.now.solutions) >= MANY_SOLUTIONS
        whole = min(doubt, (promised - challenger.now.solutions) / speed if is_known else inf)
    still = found - challenger.now.solutions
    if still > 0:
        whole = max(whole, still / speed if speed else inf)
    return lead * whole < leader.least_remaining(most, pacing)
