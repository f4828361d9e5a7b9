"""A count that is made several times, to time it.

All counts are made in this process, one after the other. The first may take longer: it starts processes,
and prepares tables that later ones find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.questions.ask import carrying
from enumerator.questions.count import CountAnswer, count
from enumerator.run.endings import RunLostError
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress

if TYPE_CHECKING:
    from enumerator.run.local import LocalCount, PartialCount


class Times(NamedTuple):
    """The times of repeated counts, in seconds."""

    number: int
    mean: float
    deviation: float
    """The standard deviation of the sample; 0 of one count."""
    least: float
    most: float

    def to_dict(self) -> dict[str, object]:
        """Return all facts; times to a microsecond."""
        return {name: round(value, 6) for name, value in self._asdict().items()}


def summarize(seconds: Sequence[float]) -> Times:
    """Return the mean, the deviation, the least and the most of some times, at least one."""
    number, mean = len(seconds), sum(seconds) / len(seconds)
    spread = (sum((each - mean) ** 2 for each in seconds) / (number - 1)) ** 0.5 if number > 1 else 0.0
    return Times(number, mean, spread, min(seconds), max(seconds))


def repeat_count(
    board: Board,
    plan: Plan,
    number: int,
    *,
    start: PartialCount | LocalCount | None = None,
    watch: Watch = no_progress,
) -> CountAnswer:
    """Count the solutions of a board `number` times; return the last answer with the times of all.

    An error that ends the counts carries the last complete answer, with the times so far. Raise
    RunLostError if two counts differ.
    """
    answers: list[CountAnswer] = []

    def last() -> CountAnswer:
        return answers[-1]._replace(repeated=summarize([answer.seconds for answer in answers]))

    try:
        for _ in range(number):
            with carrying(last if answers else None):
                answers.append(count(board, plan, start=start, watch=watch))
            start = None
            if answers[-1].complete and answers[-1].solutions != answers[0].solutions:
                raise RunLostError(f"internal error: {answers[0].solutions} solutions, and then others, were counted")
    except RunLostError as error:
        error.answer = error.answer or last()
        raise
    return last()
