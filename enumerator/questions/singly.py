"""Questions that are asked of many boards in processes: one board at a time, on one core each."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, TypeAlias

from enumerator.board import Board
from enumerator.engines.board_blocks import HardBoard
from enumerator.questions.ask import OutOfTimeError, within
from enumerator.questions.fields import AnswerBlock, AnswerList
from enumerator.questions.many import BlockQuestion
from enumerator.run.plan import Plan, no_messages
from enumerator.run.progress import Watch

AskOne: TypeAlias = Callable[[Board, Watch], Any]
"""A function that answers for one board, on one core. It is sent to processes."""


class SingleBoards(BlockQuestion[AnswerBlock]):
    """A question that is asked of one board at a time.

    A board that takes longer than `seconds` is left to the caller, and so is one that is refused by an error.
    """

    def __init__(self, ask_one: AskOne, seconds: float, *refusals: type[Exception]) -> None:
        self.ask_one, self.seconds = ask_one, seconds
        self.refusals: tuple[type[Exception], ...] = OutOfTimeError, *refusals

    def ask_hard(self, hard: HardBoard, stop: Event) -> AnswerBlock | None:
        try:
            return AnswerList([self.ask_one(hard.board, within(self.seconds))])
        except self.refusals:
            return None

    def for_worker(self) -> SingleBoards:
        return self


def plan_alone(plan: Plan) -> Plan:
    """Return the plan of a question in a worker: one core, no messages."""
    return plan._replace(cores=1, pool=None, on_message=no_messages, cluster=None)


def patience_of(plan: Plan, time_limit: float | None) -> float:
    """Return the seconds after which a worker leaves a board to the caller."""
    seconds = plan.batch_pacing.give_up_seconds
    return seconds if time_limit is None else min(seconds, time_limit / 2)
