"""Engine selection: `auto` begins with the first engine and may switch to a faster one.

There are two ways to compare engines: by prediction, and by a race (race.py) on boards on which no
engine can be predicted.

A count begins with the first engine that takes the board. Predictions are compared after a probe
of 3 ms, so easy boards never pay for preparing another engine. The first engine may then spend a
few times the predicted time of the other one. It is replaced at once if its own prediction is
longer. So a count takes at most a few times as long as the better engine alone.
"""

from __future__ import annotations

from math import inf

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Counting, Engine, Tally
from enumerator.run.plan import Plan

TRIAL_SECONDS = 0.05
"""The time of a trial at the nominal rate, for the choice of the engine of a list."""

ENOUGH_SOLUTIONS = 30
"""The number of solutions in a trial from which the engine of a list is the one that finds more.

A race takes 100 (course.py). Here both choose alike for three rearrangements of each of our boards of 16×16
to 25×25, and another number would give other boards another order: their lists could not be resumed.
"""


SMALL_SIZE = 9
"""The size of boards up to which the first engine is nearly always the fastest of those that race.

These are boards with pencil marks. The first engine lists those with several solutions, because the others have
another order.
"""

SMALL_PROBES = 300
"""The expected probes of a count by the first engine from which it has to race on a small board: about a second.

The share that is done predicts them. It is looked at after a tenth of them, and then whenever the effort has
doubled. A race after the first probe made counts of 4 to 20 ms up to twice as long.
"""

DENSE_EFFORT = 10
"""The effort for each solution up to which the first engine does not have to race on a small board.

The rival takes two steps for a solution, in the time of 15 to 30 nodes. A race made such counts of seconds 8 % longer.
"""


class EngineChooser:
    """The decision when a count should switch to another engine."""

    __slots__ = (
        "_kept",
        "_next_effort",
        "_on_message",
        "_pacing",
        "_race_effort",
        "_rival",
        "_sought",
        "board",
        "engine",
        "limit",
        "undecided",
    )

    def __init__(self, board: Board, plan: Plan) -> None:
        self.board, self.limit, self._sought = board, plan.limit, plan.sought
        self._pacing, self._on_message = plan.pacing, plan.on_message
        self._rival: Engine | None = None
        self._kept: list[object] = []
        self.undecided = plan.engine == engines.AUTO
        """True until predictions have been compared. The time of the count is unknown until then."""
        if self.undecided:
            self.engine = engines.first_supporting(board)
            self._next_effort: float = self.engine.probe_effort
            self._race_effort = self.engine.probe_effort * self.engine.rate_for(board.shape) / self.engine.nominal_rate
            if board.shape.size <= SMALL_SIZE:
                self._race_effort *= SMALL_PROBES / 10
        else:
            self.engine, self._next_effort, self._race_effort = engines.get(plan.engine), inf, inf

    def better(self, tally: Tally) -> Engine | None:
        """Return the engine to switch to now; None to continue with the present one."""
        if tally.effort < self._next_effort or tally.engine != self.engine.name:
            return None
        self.undecided = False
        if self._rival:
            return self._change()
        expected = self.engine.predict(self.board, tally, self.limit)
        rivals = engines.alternatives(self.board)
        affordable = [rival for rival in rivals if rival.setup_seconds <= expected]
        if not affordable:
            setup = min((rival.setup_seconds for rival in rivals), default=inf)
            self._next_effort = self._effort_in(setup)
            return None
        self._kept = [rival.prepare(self.board) for rival in affordable]
        predictions = {rival.name: rival.predict(self.board, tally, self.limit) for rival in affordable}
        best = min(affordable, key=lambda rival: predictions[rival.name])
        worth = predictions[best.name]
        if worth == inf:
            self._next_effort = inf
            return None
        self._rival = best
        patience = max(best.setup_seconds, self._pacing.overrun_before_switch * worth)
        self._next_effort = self._effort_in(patience)
        return self._change() if expected > worth else None

    def race(self, counting: Counting, tally: Tally) -> Counting | None:
        """Return a race of the present count against another engine; None if there is none to begin now."""
        if tally.effort < self._race_effort or tally.engine != self.engine.name:
            return None
        if self.board.shape.size <= SMALL_SIZE and self._is_ahead(tally):
            self._race_effort = 2 * tally.effort
            return None
        self._race_effort = inf
        rival = engines.racer(self.board)
        if rival is None:
            return None
        from enumerator.run.race import Race, Runner, beginning

        first = Runner(self.engine, lambda: counting, counting)
        begin = beginning(rival, self.board, self._sought, self._pacing)
        return Race(first, Runner(rival, begin), self._sought, self._pacing, self._on_message)

    def _is_ahead(self, tally: Tally) -> bool:
        """Return True if the first engine ends soon, or finds solutions faster than any other."""
        is_short = tally.effort < SMALL_PROBES * self.engine.probe_effort * tally.share
        return is_short or is_dense(self.board, tally)

    def _effort_in(self, seconds: float) -> float:
        """Return the effort of the present engine in `seconds` at its nominal rate."""
        return round(seconds * self.engine.nominal_rate) if seconds < inf else inf

    def _change(self) -> Engine | None:
        self.engine, self._rival, self._next_effort = self._rival or self.engine, None, inf
        return self.engine


def is_dense(board: Board, tally: Tally) -> bool:
    """Return True if a walk over a small board finds so many solutions that no other engine is faster now."""
    return board.shape.size <= SMALL_SIZE and tally.effort <= DENSE_EFFORT * tally.solutions


def steady_engine(board: Board, name: str) -> Engine:
    """Return the engine for answers that depend on the engine, such as the order of a list.

    A count switches its engine by elapsed time. This choice depends only on the board: the first
    engine if the board is quick for it, otherwise the one with the best prediction.
    """
    if name != engines.AUTO:
        return engines.get(name)
    first, others, rival = engines.first_supporting(board), engines.alternatives(board), engines.racer(board)
    if not (others or rival) or first.is_quick(board):
        return first
    if rival:
        return _faster_in_trials(board, first, rival)
    if len(others) == 1:
        return others[0]
    kept = [engine.prepare(board) for engine in others]
    return min(others, key=lambda engine: engine.predict(board, engines.NOTHING, None)) if kept else first


def _faster_in_trials(board: Board, first: Engine, rival: Engine) -> Engine:
    """Return the engine that finds more solutions in a trial; the rival, if both find few.

    A race without a clock: times are efforts at nominal rates, so the choice depends on the board.
    On small boards the rival must end with at most one solution, which has no order.
    """
    if board.shape.size <= SMALL_SIZE:
        tally = rival.trial(board, round(TRIAL_SECONDS * rival.rate_for(board.shape)), 1)
        return rival if tally and tally.complete and tally.solutions <= 1 else first
    tallies = [engine.trial(board, round(TRIAL_SECONDS * engine.rate_for(board.shape))) for engine in (first, rival)]
    one, other = tallies
    if one is None or other is None or one.complete:
        return first
    if other.complete or max(one.solutions, other.solutions) < ENOUGH_SOLUTIONS:
        return rival
    return first if one.solutions >= other.solutions else rival
