"""A race: two engines count the same board on one core, in turn.

For boards on which no engine can be predicted. The first engine has started already. The second one gets a
trial: 2 ms, and no more than a third of the time that the first one has had. Then the engine that is
expected to finish first gets the time, and the challenger a twentieth of it, so that a mistake is noticed;
an eightieth, if it finds far fewer solutions. course.py has the rules.

A race stays open. When the count is handed over to several cores, its challenger goes along (challenge.py).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import thread_time

from enumerator.board import Board
from enumerator.engines import Counting, Engine, Share, Tally
from enumerator.run.course import Course, Mark, is_due, is_passed
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import no_messages


class Runner:
    """A count in a race. It has started before the race, or begins with its first step."""

    def __init__(
        self,
        engine: Engine,
        begin: Callable[[], Counting],
        counting: Counting | None = None,
        clock: Callable[[], float] = thread_time,
        course: Course | None = None,
    ) -> None:
        self.engine, self.counting, self.clock, self._begin = engine, counting, clock, begin
        self.course = course or Course(
            engine, Mark(0.0, counting.solutions, counting.tally.share) if counting else Mark()
        )
        self._first_effort = counting.effort if counting else 0
        self.has_failed = False

    def step(self) -> None:
        """Count for a slice."""
        started = self.clock()
        if self.counting is None:
            self.counting = self._begin()
        tally = self.counting.step()
        self.course.add(self.clock() - started, self.counting.solutions, tally.share)

    def fail(self, error: BaseException, on_message: Callable[[str], None]) -> None:
        """Give up, after an error that is none of the leader's. Then it is never due, and passes nobody."""
        self.has_failed, self.counting = True, None
        on_message(f"{self.engine.name} was tried and has failed: {error or type(error).__name__}")

    def is_over(self, most: float) -> bool:
        """Return True if all solutions are found, or `most`."""
        return self.counting is not None and (self.counting.tally.complete or self.counting.solutions >= most)

    def is_due(self, leader: Course, most: float, pacing: Pacing) -> bool:
        """Return True if this count is to go on for a slice, as the challenger."""
        return not self.has_failed and is_due(leader, self.course, most, pacing)

    def has_passed(self, leader: Course, most: float, pacing: Pacing, *, is_recorded: bool = False) -> bool:
        """Return True if this count is over, or is expected to be over before the leader's."""
        if self.has_failed:
            return False
        return self.is_over(most) or is_passed(leader, self.course, most, pacing, is_recorded=is_recorded)

    @property
    def nodes(self) -> int:
        """The nodes visited, if that is the engine's unit of effort."""
        return self.counting.effort if self.counting and self.engine.effort == "nodes" else 0

    @property
    def solutions(self) -> int:
        return self.course.now.solutions

    @property
    def rate(self) -> float:
        """The effort per second of the race."""
        if self.counting is None:
            return self.engine.cautious_rate
        effort, seconds = self.counting.effort - self._first_effort, self.course.seconds
        return effort / seconds if effort and seconds else self.counting.rate


class Race:
    """A race as a count on one core."""

    promised_seconds = 0.0

    def __init__(
        self,
        leader: Runner,
        challenger: Runner,
        most: int | None,
        pacing: Pacing = DEFAULT_PACING,
        on_message: Callable[[str], None] = no_messages,
    ) -> None:
        """Let two runners count up to `most` solutions. The first one must have started."""
        if leader.counting is None:
            raise ValueError("the leader of a race has not started")
        self.leader, self.challenger = leader, challenger
        self._leading = leader.counting
        self._most: float = inf if most is None else most
        self._pacing, self._on_message = pacing, on_message

    def step(self) -> Tally:
        """Run one of the two for one slice. The leader goes on alone if the challenger fails."""
        leader, challenger = self.leader, self.challenger
        if not self.is_undecided:
            leader.step()
        else:
            try:
                challenger.step()
            except Exception as error:  # noqa: BLE001 - memory, or whatever else it does not have
                challenger.fail(error, self._on_message)
        if not leader.is_over(self._most) and challenger.has_passed(leader.course, self._most, self._pacing):
            self._lead(challenger, leader)
        return self.tally

    def _lead(self, leader: Runner, challenger: Runner) -> None:
        self.leader, self.challenger = leader, challenger
        self._leading = leader.counting or self._leading

    def lead_with(self, counting: Counting, engine: Engine) -> None:
        """Let another count lead, which has come further by one of the two engines in about the same time."""
        same, other = self.leader, self.challenger
        if same.engine is not engine:
            same, other = other, same
        same.course.add(0.0, counting.solutions, counting.tally.share)
        self._lead(Runner(engine, lambda: counting, counting, same.clock, same.course), other)

    @property
    def tally(self) -> Tally:
        """The state of the leader, with the solutions that the other one has found if those are more."""
        tally, challenger = self._leading.tally, self.challenger
        known = tally.solutions if tally.complete else max(tally.solutions, challenger.solutions)
        return tally._replace(solutions=known, nodes=tally.nodes + challenger.nodes)

    @property
    def is_undecided(self) -> bool:
        """True if the challenger is to have the next slice: until both have had a trial, and now and then."""
        leader = self.leader.course
        return leader.seconds > 0 and self.challenger.is_due(leader, self._most, self._pacing)

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


def beginning(engine: Engine, board: Board, most: int | None, pacing: Pacing) -> Callable[[], Counting]:
    """Return a function that begins a count of a board, up to `most` solutions, for a race."""
    return lambda: engine.begin(board, most, slice_seconds=pacing.race_slice_seconds)
