"""The view of --classify: the verdict on each board, which is unique, multiple, none or unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.views import DRAWINGS, View, option, render_invalid, word_without_answer
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.chunks import ChunkQuestion, NamedBoard
    from enumerator.command.request import Request


class ClassifyView(View[Any]):
    """One verdict per line, on a terminal after the name of the board; in JSON, with the solution if there is one."""

    columns = ("source", "board", "shape", "verdict", "solution", "at_least", "reason", "error")
    arguments = option(
        action="store_true", help="the verdict on each board: unique, multiple or none; unknown after --time-limit"
    )
    special_options = frozenset(["quiet", "time_limit"])

    def answer(self, request: Request) -> int:
        from enumerator import engines
        from enumerator.board import Shape
        from enumerator.command.batches import answer_chunks
        from enumerator.command.boards import Answered
        from enumerator.command.chunks import split_files
        from enumerator.run.signals import deferred_signals

        with deferred_signals():  # compiled modules ignore an interrupt while they are imported
            question = self.chunk_question(request)
            engines.first_counting_boards(Shape(3, 3))
        return answer_chunks(self, question, split_files(request), request, Answered())

    def chunk_question(self, request: Request) -> ChunkQuestion:
        from enumerator.command.classify_text import ClassifyText

        return ClassifyText(self, request)

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
