"""The count that goes with an estimate, and the predicted time of the whole count."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Tally
from enumerator.questions.intervals import Interval, certain
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan

LOCAL_SHARE = 0.05
"""The share of the time in which an estimate first tries to count the board."""

MOST_LOCAL_SECONDS = 1.0
"""The most time for that. Counts that take longer are left to the probes' prediction."""

PROMISED_SHARE = 0.5
"""The share of the time for that, if the engine predicts its time: it is then likely to finish."""

SPEED_FACTOR = 1.5
"""The factor by which the speed measured at the start may be wrong: trees and machines vary."""


class EstimatedCount:
    """The count on one core that goes with an estimate. Its time is that of its own steps."""

    def __init__(self, board: Board, engine: str) -> None:
        self.local = LocalCount(board, Plan(cores=1, engine=engine))
        self.seconds = 0.0
        self.step()

    @property
    def tally(self) -> Tally:
        return self.local.tally

    @property
    def finished(self) -> bool:
        return self.local.finished

    @property
    def is_promised(self) -> bool:
        """True if the engine predicts the time of the count."""
        return bool(self.local.counting.promised_seconds)

    def step(self) -> None:
        began = perf_counter()
        self.local.step()
        self.seconds += perf_counter() - began

    def start(self, seconds: float, watch: Callable[[], object]) -> None:
        """Count for a share of `seconds`: longer, if the engine predicts that it will finish."""
        least = min(MOST_LOCAL_SECONDS, LOCAL_SHARE * seconds)
        while not self.finished and self.local.seconds <= (PROMISED_SHARE * seconds if self.is_promised else least):
            watch()
            self.step()

    def run(self, seconds: float, watch: Callable[[], object]) -> None:
        """Count for `seconds`, or to the end."""
        began = perf_counter()
        while not self.finished and perf_counter() - began < seconds:
            watch()
            self.step()

    def predict(self, nodes: Interval) -> tuple[str, Interval]:
        """Return its engine, and the time of the whole count if the tree has `nodes` nodes."""
        tally, engine = self.tally, engines.get(self.tally.engine)
        if engine.effort == "nodes" and not self.is_promised:
            return engine.name, nodes.times(self.seconds / max(tally.nodes, 1), log(SPEED_FACTOR))
        time = remaining(self.seconds, tally.share)
        return engine.name, time if engine.shares_predict else time.without_bounds()


def sooner(one: tuple[str, Interval], other: tuple[str, Interval]) -> tuple[str, Interval]:
    """Return the engine that takes less time, and its time. Of the same engine, return the `other` one."""
    is_other = one[0] == other[0] or (not other[1].caveat and other[1].mean < one[1].mean)
    return other if is_other else one


def remaining(passed: float, share: float) -> Interval:
    """Return the time of a sum of which `share` took `passed` seconds.

    The interval is a factor of 2 to each side, because items take different times.
    """
    return certain(passed / max(share, 1e-9)).times(1.0, log(2))
