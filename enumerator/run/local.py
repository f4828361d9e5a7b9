"""The single-core start of a count. Most counts end here, and import no other module of `run`."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import MOST, Counting, Share, Tally
from enumerator.run.chooser import EngineChooser
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan

if TYPE_CHECKING:
    from enumerator.run.challenge import Challenge
    from enumerator.run.race import Race


class PartialCount(NamedTuple):
    """The state of an unfinished count, and its remaining parts."""

    tally: Tally
    solutions: int
    """The number of solutions found by the present engine. An engine that was tried before may have found more."""
    parts: Sequence[tuple[bytes, Share] | tuple[bytes, Share, int]]
    """The remaining loads, with their shares of the whole and, with a ledger, their rows in it."""
    seconds: float
    """The elapsed time of the count."""
    rate: float
    """The effort per second."""
    effort: int = 0
    """The effort of the present engine."""
    challenge: Challenge | None = None
    """The race of that engine with another one, if it goes on."""


class LocalCount:
    """A count on one core, slice by slice, by the engine that the chooser picks."""

    __slots__ = ("board", "chooser", "counting", "plan", "started", "tally")

    def __init__(self, board: Board, plan: Plan, counting: Counting | None = None) -> None:
        """Begin a count, or continue one that the first engine has started."""
        self.board, self.plan, self.started = board, plan, perf_counter()
        self.chooser = EngineChooser(board, plan)
        self.counting: Counting = counting or self.chooser.engine.begin(
            board, plan.sought, slice_seconds=plan.pacing.slice_seconds
        )
        self.tally = self.counting.tally

    def step(self) -> Tally:
        """Count for one slice, and switch to another engine if it is predicted to be faster."""
        self.tally = self.capped(self.counting.step())
        if not self.finished and (engine := self.chooser.better(self.tally)):
            self.counting = engine.begin(self.board, self.plan.sought, self.tally, self.plan.pacing.slice_seconds)
            self.tally = self.capped(self.counting.tally)
        elif not self.finished and (race := self.chooser.race(self.counting, self.tally)):
            self.counting = race
        return self.tally

    def capped(self, tally: Tally) -> Tally:
        """Return a tally without the solution beyond the limit. It is not complete if there is one."""
        limit = self.plan.limit
        return tally if limit is None or tally.solutions <= limit else tally._replace(solutions=limit, complete=False)

    @property
    def finished(self) -> bool:
        """True if all solutions are counted, or more than the limit."""
        return self.tally.complete or (self.plan.limit is not None and self.counting.solutions > self.plan.limit)

    def is_over(self, counting: Counting) -> bool:
        """Return True if a count of this board has found all solutions, or more than the limit."""
        return counting.tally.complete or (self.plan.limit is not None and counting.solutions > self.plan.limit)

    def end_with(self, counting: Counting, tally: Tally) -> None:
        """Go on with another count of this board, with the tally of all that were counting. A race stays open."""
        if counting is not self.counting and (race := self._race) and not self.is_over(counting):
            race.lead_with(counting, engines.get(counting.tally.engine))
        else:
            self.counting = counting
        self.tally = tally

    @property
    def _race(self) -> Race | None:
        """The count, if it is a race."""
        if self.plan.engine != engines.AUTO or engines.racer(self.board) is None:
            return None
        from enumerator.run.race import Race

        return self.counting if isinstance(self.counting, Race) else None

    @property
    def kept(self) -> list[Board]:
        """The first solutions, one or two, if the engine keeps them; none if this count was left."""
        kept, cells = self.counting.kept if hasattr(self, "counting") else b"", self.board.shape.cells
        return [Board.from_valid(self.board.shape, kept[at : at + cells]) for at in range(0, len(kept), cells)]

    @property
    def seconds(self) -> float:
        """The time since the count began."""
        return perf_counter() - self.started

    @property
    def takes_long(self) -> bool:
        """True if the count is worth sharing among cores."""
        pacing, seconds = self.plan.pacing, self.seconds
        if self.counting.is_undecided or self.counting.effort < pacing.start_factor * self.counting.start_effort:
            return False
        if self.counting.promised_seconds > pacing.promised_seconds:
            return True
        whole = 0.0 if self.chooser.undecided else seconds / max(self.tally.share, 1e-9)
        if self.plan.limit is not None and self.tally.solutions:
            whole = min(whole, seconds / self.tally.solutions * min(self.plan.limit, MOST))
        if self.counting.promised_seconds:
            whole = 0.0
        return takes_long(seconds, whole, self.counting.handover_bytes, pacing)

    def leave(self) -> PartialCount:
        """Return the count in its present state, for the driver to continue. This one ends."""
        counting = self.counting
        del self.counting  # workers may use what it has learnt once it is gone
        return PartialCount(
            self.tally, counting.solutions, counting.parts(), self.seconds, counting.rate, counting.effort
        )

    def hand_over(self) -> PartialCount:
        """Return the count in its present state, with its race: for a driver in this process. This one ends."""
        race = None if self.plan.cluster or self.plan.cutoff is not None else self._race
        if race is None:
            return self.leave()
        from enumerator.run.challenge import open_race

        challenge = open_race(race, self.plan)
        del race
        return self.leave()._replace(challenge=challenge)


def takes_long(seconds: float, whole: float, handover_bytes: int, pacing: Pacing) -> bool:
    """Return True if a count is worth sharing among cores.

    `seconds` is its elapsed time, `whole` the expected time of the whole count (0: unknown), and
    `handover_bytes` the size of its remaining loads.
    """
    handover = handover_bytes * pacing.seconds_a_byte
    if handover < pacing.alone_seconds and seconds * whole > pacing.early_product and whole > pacing.early_worth:
        return True
    return seconds > pacing.alone_seconds + handover
