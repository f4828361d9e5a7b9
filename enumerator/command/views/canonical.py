"""The view of --canonical: the form that all symmetric boards share, and the automorphisms of each board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.views import View, option
from enumerator.text.phrases import lasting

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.chunks import ChunkQuestion
    from enumerator.command.layout import Facts
    from enumerator.command.request import Request
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.run.progress import Watch


class CanonicalView(View["CanonicalAnswer"]):
    """The form and the automorphisms; with --quiet, the form alone."""

    group = "sameness"
    arguments = option(
        action="store_true", help="the form that all symmetric boards share, and the board's own symmetries"
    )
    special_options = frozenset(["quiet"])
    columns = ("source", "board", "shape", "form", "automorphisms", "seconds", "error")

    def chunk_question(self, request: Request) -> ChunkQuestion:
        from enumerator.command.canonical_text import CanonicalText

        return CanonicalText(self, request)

    def ask(self, board: Board, request: Request, watch: Watch) -> CanonicalAnswer:
        from enumerator.questions.canonical import canonical

        return canonical(board)

    def as_number(self, answer: CanonicalAnswer) -> str:
        return str(answer.form)

    def facts(self, answer: CanonicalAnswer) -> Facts:
        return [
            ("form", str(answer.form)),
            ("automorphisms", f"{answer.automorphisms:,}"),
            ("time", lasting(answer.seconds)),
        ]


VIEW = CanonicalView()
