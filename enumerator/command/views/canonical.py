"""The view of --canonical: the form that all symmetric boards share, and the automorphisms of each board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.views import FACT_FORMS, UNKNOWN, AnswerType, Text, option, size_of_text
from enumerator.command.views.partial import PartialView
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.questions.chunks import BoardBlock, Names
    from enumerator.questions.many import Asking


class FormView(PartialView[AnswerType]):
    """The view of a question that needs canonical forms: it is answered in time, or not at all."""

    special_options = frozenset(["time_limit", "quiet"])
    group = "sameness"

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.ask import Interrupted, OutOfTimeError
        from enumerator.questions.canonical import UNDONE

        try:
            with request.asking(UNDONE, self.deadline(request)) as question:
                answer = self.ask(board, request, question.watch)
        except Interrupted as error:
            complain(f"{printable(source)}: {error}")
            return INTERRUPTED
        except (OutOfTimeError, MemoryError) as error:
            self.show_unanswered(source, board, UNKNOWN, str(error), request)
            return FAILED
        self.show(source, answer, request.form)
        return ANSWERED

    def many(self, request: Request) -> Asking:
        from enumerator.questions.many import Asking

        return Asking()


class CanonicalView(FormView["CanonicalAnswer"]):
    """The form and the automorphisms; with --quiet, the form alone."""

    question = "canonical"
    arguments = option(
        action="store_true", help="the form that all symmetric boards share, and the board's own symmetries"
    )

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.canonical import AnswerFinder, FormFinder
        from enumerator.questions.many import Asking

        if self.deadline(request) is not None:
            return super().many(request)  # each board alone, with its deadline
        if request.form == "number":
            return Asking(FormFinder(), print_forms, size_of_text)
        form = request.form if request.form in FACT_FORMS else "text"
        return Asking(AnswerFinder(), Printer(self, form).render, size_of_text)

    def ask(self, board: Board, request: Request, watch: Watch) -> CanonicalAnswer:
        from enumerator.questions.canonical import canonical

        return canonical(board, watch)

    def as_number(self, answer: CanonicalAnswer) -> str:
        return str(answer.form)


def print_forms(names: Names, block: BoardBlock, forms: list[Board]) -> Text:  # noqa: ARG001 - a `Render`
    """Return forms, one per line."""
    return Text("".join(f"{form}\n" for form in forms).encode())


VIEW = CanonicalView()
