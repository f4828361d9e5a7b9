"""The view of --different: the number of solutions of each board up to the symmetries that fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import FAILED, UNUSABLE, complain
from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.text.partial_counts import with_plus
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Ending, Watch
    from enumerator.questions.different import DifferentAnswer
    from enumerator.questions.many import Asking


class DifferentView(PartialView["DifferentAnswer"]):
    """The number of essentially different solutions, or a lower bound."""

    question = "different"
    arguments = option(
        action="store_true", help="the number of solutions up to the symmetries that fix the clues and pencil marks"
    )
    special_options = frozenset(["time_limit", "checkpoint", "quiet", "engine"])
    group = "sameness"
    undone = "the different solutions are not all counted"

    def ask(self, board: Board, request: Request, watch: Watch) -> DifferentAnswer:
        from enumerator.questions.different import different

        return different(board, request.plan, ledger=request.ledger, watch=watch)

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        if request.options.checkpoint is None:
            return self._answer(source, board, request)
        from enumerator.questions.checkpoints import LedgerError, open_different

        try:
            with open_different(request.options.checkpoint, board, request.plan, source) as ledger:
                return self._answer(source, board, request._replace(ledger=ledger))
        except LedgerError as error:
            complain(str(error))
            return UNUSABLE

    def _answer(self, source: str, board: Board, request: Request) -> int:
        try:
            return super().answer_board(source, board, request)
        except self.refusals as error:
            complain(f"{printable(source)}: {error}")
            return FAILED

    def many(self, request: Request) -> Asking:
        from enumerator.questions.many import Asking

        return super().many(request) if request.options.checkpoint is None else Asking()

    @property
    def refusals(self) -> tuple[type[Exception], ...]:
        from enumerator.questions.fixed.arrangements import TooManySymmetriesError

        return (TooManySymmetriesError,)

    def describe_end(self, name: str, error: Ending) -> str:
        from enumerator.questions.ask import Interrupted, OutOfTimeError

        if isinstance(error, OutOfTimeError):
            return ""
        return f"{'interrupted:' if isinstance(error, Interrupted) else f'{error};'} this count is not complete"

    def as_number(self, answer: DifferentAnswer) -> str:
        return with_plus(answer.different, answer.complete)


VIEW = DifferentView()
