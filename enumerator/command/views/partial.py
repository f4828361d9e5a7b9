"""Views of questions with a partial answer: after a time limit or Ctrl-C it is shown, and a message says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.views import AnswerType, View
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.run.local import PartialCount


class PartialView(View[AnswerType]):
    """The view of a question whose answer may be partial."""

    undone: str
    """A clause for the message about an answer that is not complete: the clues are not all judged."""

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        from enumerator.run.errors import Interrupted, OutOfTimeError

        status = ANSWERED
        try:
            with request.asking(self.undone, self.deadline(request)) as question:
                answer = self.ask(board, request, question.watch)
        except (Interrupted, OutOfTimeError) as error:
            status = INTERRUPTED if isinstance(error, Interrupted) else ANSWERED
            complain(f"{printable(source)}: {error}")
            if error.answer is None:
                return status or FAILED
            answer = error.answer
        self.show(source, answer, request.form)
        return status or self.save_pictures(source, answer, request)

    def deadline(self, request: Request) -> float | None:
        """Return the seconds after which the question ends; None: no limit."""
        limit: float | None = request.options.time_limit
        return limit

    def save_pictures(self, source: str, answer: AnswerType, request: Request) -> int:
        """Write the files of --svg and --html, if the question has pictures; return the exit status."""
        return ANSWERED
