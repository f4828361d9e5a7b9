"""The view of --status: the state of ledgers and of their runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import ANSWERED, UNUSABLE, complain
from enumerator.command.views import View, option
from enumerator.text.partial_counts import with_plus

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.status import StatusAnswer


class StatusView(View["StatusAnswer"]):
    """The progress of a run, and its solutions so far."""

    question = "status"
    group = "runs"
    arguments = option(action="store_true", help="the state of a run; BOARD is its ledger")
    special_options = frozenset(["quiet", "engine"])
    subject = "ledger"

    def answer(self, request: Request) -> int:
        from enumerator.questions.checkpoints import LedgerError
        from enumerator.questions.status import status as ask_status

        status = ANSWERED
        for name in request.options.boards:
            try:
                answer = ask_status(name)
            except LedgerError as error:
                complain(str(error))
                status = UNUSABLE
            else:
                self.show(name, answer, request.form)
        return status

    def as_number(self, answer: StatusAnswer) -> str:
        """Return the number of solutions; a trailing + means "at least"."""
        return with_plus(answer.solutions, answer.complete)


VIEW = StatusView()
