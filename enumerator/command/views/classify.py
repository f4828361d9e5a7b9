"""The view of --classify: the verdict on each board, which is unique, multiple, none or unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.views import DRAWINGS, Text, View, option, render_invalid, size_of_text, word_without_answer
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.chunks import NamedBoard
    from enumerator.questions.many import Asking


class ClassifyView(View[Any]):
    """One verdict per line, on a terminal after the name of the board; in JSON, with the solution if there is one."""

    columns = ("source", "board", "shape", "verdict", "solution", "at_least", "reason", "error")
    arguments = option(
        action="store_true", help="the verdict on each board: unique, multiple or none; unknown after --time-limit"
    )
    special_options = frozenset(["quiet", "time_limit"])

    begins_alone = False

    def many(self, request: Request) -> Asking[Any, Text]:
        from enumerator.command.classify_text import ClassifyText
        from enumerator.questions.many import Asking, load_kernel

        load_kernel()
        text = ClassifyText(self, request)
        return Asking(text.classifier, text.render, size_of_text)

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        if request.form == "csv":
            super().show_invalid(named, request)
            return
        is_drawn = request.form in DRAWINGS
        line = named_line(named.source, word_without_answer(named)) if is_drawn else render_invalid(named, request.form)
        console.write_line(line)


def named_line(source: str, verdict: str) -> str:
    """Return a verdict and its board, as a terminal shows them."""
    return f"{printable(source)}: {verdict}"


VIEW = ClassifyView()
