"""The progress of a question, and stopping it. All questions share this interface."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple, TypeAlias

from enumerator import engines
from enumerator.engines import Tally
from enumerator.run.endings import Stopped as Stopped

PUZZLES = "puzzles"
"""The stage in which puzzles are counted, and not solutions."""


class Progress(NamedTuple):
    """The progress of a question, as a progress function receives it several times per second.

    >>> seen = []
    >>> try:
    ...     en.count("." * 256, time_limit=0.2, progress=seen.append)
    ... except en.OutOfTimeError:
    ...     print(seen[-1].share < 1, seen[-1].solutions > 0)
    True True
    """

    share: float | None = None
    """The share of the work that is done; None if unknown."""
    solutions: int | None = None
    """The number of solutions found so far; None if unknown."""
    stage: str = ""
    """The name of the present stage, for example a verification. `share` begins at 0 in each stage."""
    total: int | None = None
    """The number of solutions at the end; None if unknown."""
    boards: int | None = None
    """The number of boards answered so far; None if the question is about one board."""
    effort: int | None = None
    """The work of the engine so far, in its unit; None if unknown.

    Of many boards, it is the work for the hardest one that is at work now.
    """
    unit: str = ""
    """The name of the unit of `effort`, in the plural: nodes, products, steps."""
    rate: float | None = None
    """The effort per second, since this engine was first reported; None if unknown."""
    predicts: bool = True
    """False if `share` says nothing about the time that is left."""

    def to_dict(self) -> dict[str, object]:
        """Return what is known; integers that may exceed 53 bits are strings."""
        return {
            "share": self.share,
            "solutions": None if self.solutions is None else str(self.solutions),
            "stage": self.stage,
            "effort": None if self.effort is None else str(self.effort),
            "unit": self.unit,
            "rate": self.rate,
            "predicts": self.predicts,
        }


Watch: TypeAlias = Callable[[Progress], None]
"""A function that is called several times per second with the progress of a question.

It may raise `Stopped` to end the question.
"""


def no_progress(progress: Progress) -> None:
    """Ignore the progress of a question."""


class Meter:
    """A meter of the work of engines. It makes the progress of a question from what they report."""

    __slots__ = ("_clock", "_engine", "_first_effort", "_since")

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock, self._engine = clock, ""
        self._first_effort, self._since = 0, 0.0

    def read(
        self, engine: str, effort: int | None, share: float | None, solutions: int | None, limit: int | None = None
    ) -> Progress:
        """Return the progress of a question whose engine has spent `effort`.

        `share` is the share of the work that is done. With a limit, it is that of the `limit` solutions,
        if that is more.
        """
        working, rate = engines.get(engine), self._rate(engine, effort)
        predicts = working.shares_predict
        if limit and (solutions or 0) / limit >= (share or 0.0):
            share, predicts = (solutions or 0) / limit, True
        return Progress(share, solutions, effort=effort, unit=working.effort, rate=rate, predicts=predicts)

    def read_tally(self, tally: Tally) -> Progress:
        """Return the progress of a count.

        The share of an engine whose shares do not predict is unknown until it has found a solution, or
        until workers have finished parts. Before, it may also decrease.
        """
        is_known = tally.solutions or tally.tasks or engines.get(tally.engine).shares_predict
        return self.read(tally.engine, tally.effort, tally.share if is_known else None, tally.solutions)

    def _rate(self, engine: str, effort: int | None) -> float | None:
        now, effort = self._clock(), effort or 0
        if engine != self._engine or effort < self._first_effort:
            self._engine, self._first_effort, self._since = engine, effort, now
        seconds, done = now - self._since, effort - self._first_effort
        return done / seconds if done and seconds > 0 else None
