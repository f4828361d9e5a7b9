"""The view of --classify: the verdict on each board, which is unique, multiple, none or unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command import console
from enumerator.command.views import DRAWINGS, FACT_FORMS, View, option, size_of_text, word_without_answer
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.chunks import NamedBoard
    from enumerator.questions.classify import ClassifyAnswer
    from enumerator.questions.many import Asking


class ClassifyView(View["ClassifyAnswer"]):
    """One verdict per line, on a terminal after the name of the board; in JSON, with the solution if there is one."""

    question = "classify"
    arguments = option(
        action="store_true", help="the verdict on each board: unique, multiple or none; unknown after --time-limit"
    )
    special_options = frozenset(["quiet", "time_limit"])

    begins_alone = False

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.classify import AnswerClassifier
        from enumerator.questions.many import Asking, load_kernel

        load_kernel()
        form = "number" if request.form == "text" else request.form
        classifier = AnswerClassifier(request.plan, form in FACT_FORMS, request.options.time_limit)
        return Asking(classifier, Printer(self, form).render, size_of_text)

    def as_number(self, answer: ClassifyAnswer) -> str:
        return str(answer.verdict)

    def as_text(self, source: str, answer: ClassifyAnswer) -> str:
        return named_line(source, answer.verdict)

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        if request.form in DRAWINGS:
            console.write_line(named_line(named.source, word_without_answer(named)))
        else:
            console.write_line(self.line_without_answer(named, request.form))


def named_line(source: str, verdict: str) -> str:
    """Return a verdict and its board, as a terminal shows them."""
    return f"{printable(source)}: {verdict}"


VIEW = ClassifyView()
