"""A race that goes on while a driver counts on many cores.

The driver counts with the leader. The challenger counts the whole board by itself, slice by slice, in a
thread of the driver's process, and takes a seat meanwhile. When it is expected to finish first (course.py),
the driver stops, and another one goes on from the parts that the challenger has left. Then the former
leader is the challenger, with the parts that the driver had left.

A count with a cut-off or on a cluster has no challenger.
"""

from __future__ import annotations

from math import inf

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Counting, Engine, Job, JobCounting
from enumerator.run.chooser import is_dense
from enumerator.run.course import Course, Mark
from enumerator.run.local import PartialCount
from enumerator.run.plan import Plan
from enumerator.run.race import Race, Runner, beginning

DENSE_SECONDS = 10.0
"""The processor time of a leader that finds many solutions on a small board before it is challenged.

A challenge takes up to 0.2 s, which is 5 % of a count of three seconds.
"""


class Challenge:
    """The engine that a driver does not use, and the course of the one that it uses."""

    def __init__(self, leader: Course, challenger: Runner, plan: Plan, patience: float = 0.0) -> None:
        """Prepare a challenge, which begins when the leader has had `patience` seconds of processor time."""
        self.leader, self.challenger, self._patience = leader, challenger, patience
        self._most: float = inf if plan.sought is None else plan.sought
        self._pacing, self._on_message = plan.pacing, plan.on_message
        self._first_nodes = challenger.nodes

    @property
    def is_due(self) -> bool:
        """True if the challenger is to go on for a slice."""
        has_begun = self.leader.seconds >= self._patience
        return has_begun and self.challenger.is_due(self.leader, self._most, self._pacing)

    def step(self) -> None:
        """Count for a slice. The driver calls this in a thread, one slice at a time."""
        self.challenger.step()

    def fail(self, error: BaseException) -> None:
        """Give the challenger up, after an error in a slice."""
        self.challenger.fail(error, self._on_message)

    def has_passed(self, is_recorded: bool) -> bool:
        """Return True if the challenger is over, or is expected to finish first.

        `is_recorded` is True if the record of the leader is lost then.
        """
        return self.challenger.has_passed(self.leader, self._most, self._pacing, is_recorded=is_recorded)

    @property
    def is_over(self) -> bool:
        """True if the challenger has found all solutions, or as many as are sought."""
        return self.challenger.is_over(self._most)

    def take_over(self, left: PartialCount, seconds: float) -> PartialCount:
        """Return the count of the challenger, for another driver. `left` is that of the leader.

        Afterwards, the challenger has no count any more: workers may use what it has learnt.
        """
        counting, nodes = self.challenger.counting, self.challenger.nodes - self._first_nodes
        if counting is None:
            raise RuntimeError("a challenger has not started")
        tally = counting.tally
        if not tally.complete:  # what is known already is not forgotten
            tally = tally._replace(solutions=max(tally.solutions, left.tally.solutions))
        known = left.tally
        tally = tally._replace(nodes=known.nodes + nodes, tasks=known.tasks, cores=known.cores)
        start = PartialCount(
            tally, counting.solutions, counting.parts(), seconds, self.challenger.rate, counting.effort
        )
        self.challenger.counting = None
        return start


def open_race(race: Race, plan: Plan) -> Challenge:
    """Return the race of one core, for a driver that continues with its leader."""
    return Challenge(race.leader.course, race.challenger, plan)


def challenge_anew(board: Board, plan: Plan, start: PartialCount) -> Challenge | None:
    """Return a challenge to a count that was resumed or changed; its challenger has not started.

    None if no engine may challenge that of the count.
    """
    engine, other = engines.get(start.tally.engine), other_engine(board, start.tally.engine)
    if other is None:
        return None
    seconds = start.effort / start.rate if start.rate else start.seconds
    course = Course(engine, Mark(seconds, start.solutions, start.tally.share))
    patience = DENSE_SECONDS if is_dense(board, start.tally) else 0.0
    return Challenge(course, Runner(other, beginning(other, board, plan.sought, plan.pacing)), plan, patience)


def challenge_back(challenge: Challenge, job: Job, left: PartialCount, plan: Plan) -> Challenge:
    """Return the challenge to the engine that has taken over, by the one that has led before."""
    engine, course = challenge.leader.engine, challenge.leader

    def begin() -> Counting:
        return JobCounting(
            job,
            [(load, share) for load, share, *_ in left.parts],
            plan.sought,
            left.tally,
            plan.pacing.race_slice_seconds,
            (left.solutions, left.effort),
        )

    return Challenge(challenge.challenger.course, Runner(engine, begin, begin(), course=course), plan)


def other_engine(board: Board, name: str) -> Engine | None:
    """Return the engine that races with the one called `name`; None if there is none."""
    first, racer = engines.first_supporting(board), engines.racer(board)
    if racer is None or name not in (first.name, racer.name):
        return None
    return racer if name == first.name else first
