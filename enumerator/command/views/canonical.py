"""The view of --canonical: the form that all symmetric boards share, and the automorphisms of each board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.views import FACT_FORMS, Text, View, option, size_of_text

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.questions.chunks import BoardBlock, Names
    from enumerator.questions.fields import Field
    from enumerator.questions.many import Asking


class CanonicalView(View["CanonicalAnswer"]):
    """The form and the automorphisms; with --quiet, the form alone."""

    group = "sameness"
    arguments = option(
        action="store_true", help="the form that all symmetric boards share, and the board's own symmetries"
    )
    special_options = frozenset(["quiet"])

    @property
    def fields(self) -> tuple[Field, ...]:
        from enumerator.questions.canonical import FIELDS

        return FIELDS

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.canonical import AnswerFinder, FormFinder
        from enumerator.questions.many import Asking

        if request.form == "number":
            return Asking(FormFinder(), print_forms, size_of_text)
        form = request.form if request.form in FACT_FORMS else "text"
        return Asking(AnswerFinder(), Printer(self, form).render, size_of_text)

    def ask(self, board: Board, request: Request, watch: Watch) -> CanonicalAnswer:
        from enumerator.questions.canonical import canonical

        return canonical(board)

    def as_number(self, answer: CanonicalAnswer) -> str:
        return str(answer.form)


def print_forms(names: Names, block: BoardBlock, forms: list[Board]) -> Text:  # noqa: ARG001 - a `Render`
    """Return forms, one per line."""
    return Text("".join(f"{form}\n" for form in forms).encode())


VIEW = CanonicalView()
