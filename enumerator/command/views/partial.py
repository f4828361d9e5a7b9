"""Views of questions with a partial answer: after a time limit or Ctrl-C it is shown, and a message says so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import DRAWINGS, AnswerType, View, size_of_text
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.many import Asking


class PartialView(View[AnswerType]):
    """The view of a question whose answer may be partial, or which needs a board with one solution."""

    undone: str
    """A clause for the message about an answer that is not complete: the clues are not all judged."""

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.ask import Interrupted, OutOfTimeError
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

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

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.many import Asking
        from enumerator.questions.singly import SingleBoards, patience_of, plan_alone
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

        if request.form in DRAWINGS:
            return Asking()
        alone = request._replace(plan=plan_alone(request.plan), output=None, has_bar=False, start=None)
        patience = patience_of(request.plan, request.options.time_limit)
        question = SingleBoards(partial(ask_one, self, alone), patience, NoSolutionError, NotUniqueError)
        return Asking(question, Printer(self, request.form).render, size_of_text, takes_blocks=False)

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
            from enumerator.command.printing import make_row

            console.write_line(make_row(self.columns, facts))
        elif form == "number":
            console.write_line(verdict)

    def save_pictures(self, source: str, answer: AnswerType, request: Request) -> int:
        """Write the files of --svg and --html, if the question has pictures; return the exit status."""
        return ANSWERED


def ask_one(view: PartialView[Any], request: Request, board: Board, watch: Watch) -> Any:
    """Ask the question of one board."""
    return view.ask(board, request, watch)
