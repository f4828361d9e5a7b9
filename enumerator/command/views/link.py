"""The view of --link: a link to each board, on a site on the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.arguments import site_name
from enumerator.command.console import UNUSABLE, complain
from enumerator.command.views import View, option
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.read import LinkAnswer

SITES = ("fpuzzles", "sudokupad", "sudokuwiki")
"""The sites of `enumerator.board.links.WRITABLE`, which is imported on first use."""


class LinkView(View["LinkAnswer"]):
    """One link per line."""

    question = "read:LINK_FIELDS"
    group = "making"
    arguments = option(
        type=site_name,
        choices=SITES,
        metavar="SITE",
        help="a link to each board, on f-puzzles, sudokupad or sudokuwiki",
    )
    special_options = frozenset(["quiet"])

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        try:
            return super().answer_board(source, board, request)
        except ValueError as error:
            complain(f"{printable(source)}: {error}")
            return UNUSABLE

    def ask(self, board: Board, request: Request, watch: Watch) -> LinkAnswer:
        from enumerator.questions.read import link

        return link(board, request.options.link)

    def as_text(self, source: str, answer: LinkAnswer) -> str:
        return answer.link

    def as_number(self, answer: LinkAnswer) -> str:
        return answer.link


VIEW = LinkView()
