"""Views of questions with a partial answer: after a time limit or Ctrl-C it is shown, and a message says so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import AnswerType, View
from enumerator.run.plan import no_messages
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.boards import BatchResult, BatchWork, PackedBoard
    from enumerator.command.request import Request
    from enumerator.run.local import PartialCount


class PartialView(View[AnswerType]):
    """The view of a question whose answer may be partial, or which needs a board with one solution."""

    undone: str
    """A clause for the message about an answer that is not complete: the clues are not all judged."""

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        from enumerator.questions.solve import NoSolutionError, NotUniqueError
        from enumerator.run.errors import Interrupted, OutOfTimeError

        try:
            with request.asking(self.undone, self.deadline(request)) as question:
                answer = self.ask(board, request, question.watch)
        except (NoSolutionError, NotUniqueError) as error:
            verdict = "none" if isinstance(error, NoSolutionError) else "multiple"
            self.show_unanswered(source, board, verdict, str(error), request.form)
            return UNUSABLE
        except (Interrupted, OutOfTimeError) as error:
            complain(f"{printable(source)}: {error}")
            if error.answer is not None:
                self.show(source, error.answer, request.form)
            if isinstance(error, Interrupted):
                return INTERRUPTED
            return FAILED if error.answer is None else self.save_pictures(source, error.answer, request)
        self.show(source, answer, request.form)
        return self.save_pictures(source, answer, request)

    def batch_work(self, request: Request) -> BatchWork | None:
        from enumerator.command.views import DRAWINGS

        if request.form in DRAWINGS:
            return None
        alone = request.plan._replace(cores=1, pool=None, tell=no_messages, cluster=None)
        return partial(answer_batch, view=self, request=request._replace(plan=alone, output=None, has_bar=False))

    def show(self, source: str, answer: AnswerType, form: str) -> None:
        if form != "csv" or self.as_csv(source, answer):  # an answer may have no rows
            super().show(source, answer, form)

    def deadline(self, request: Request) -> float | None:
        """Return the seconds after which the question ends; None: no limit."""
        limit: float | None = request.options.time_limit
        return limit

    def show_unanswered(self, source: str, board: Board, verdict: str, reason: str, form: str) -> None:
        """Say why a board has no answer; print its line where every board has one."""
        complain(f"{printable(source)}: {reason}")
        facts: dict[str, object] = {"source": source, "board": str(board), "verdict": verdict, "error": reason}
        if form == "json":
            import json

            console.write_line(json.dumps(facts))
        elif form == "csv":
            from enumerator.command.csv_lines import make_row

            console.write_line(make_row(self.columns, facts))
        elif form == "number":
            console.write_line(verdict)

    def save_pictures(self, source: str, answer: AnswerType, request: Request) -> int:
        """Write the files of --svg and --html, if the question has pictures; return the exit status."""
        return ANSWERED


def answer_batch(boards: list[PackedBoard], view: PartialView[Any], request: Request) -> list[BatchResult]:
    """Answer for boards in a worker, on one core; leave those that take long or have no answer."""
    return [answer_alone(packed, view, request) for packed in boards]


def answer_alone(packed: PackedBoard, view: PartialView[Any], request: Request) -> BatchResult:
    """Return the answer for a board in print, or the board."""
    from enumerator.command.boards import unpack
    from enumerator.questions.ask import within
    from enumerator.questions.solve import NoSolutionError, NotUniqueError
    from enumerator.run.errors import OutOfTimeError

    source, board, error = unpack(packed)
    seconds = request.plan.batch_pacing.give_up_seconds
    if request.options.time_limit is not None:
        seconds = min(seconds, request.options.time_limit / 2)
    if board is not None and not error:
        try:
            text = view.render(source, view.ask(board, request, within(seconds)), request.form)
        except (NoSolutionError, NotUniqueError, OutOfTimeError):
            text = ""
        if text:
            return text, None, None
    return "", packed, None
