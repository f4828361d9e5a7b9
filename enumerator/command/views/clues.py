"""The view of --clues: the number of solutions without each clue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.clues import CluesAnswer


class CluesView(PartialView["CluesAnswer"]):
    """The clues, which of them are superfluous, and whether the board is minimal."""

    question = "clues"
    group = "clues"
    arguments = option(
        action="store_true", help="for each clue, the number of solutions without it; superfluous ones; is it minimal?"
    )
    special_options = frozenset(["time_limit", "quiet", "engine", "svg", "html"])
    undone = "the clues are not all judged"

    def ask(self, board: Board, request: Request, watch: Watch) -> CluesAnswer:
        from enumerator.questions.clues import clues

        return clues(board, request.plan, watch=watch)

    def as_number(self, answer: CluesAnswer) -> str:
        """Return the numbers of solutions without each clue, row by row, on one line; 2+ is at least 2."""
        return " ".join(clue.describe_count() for clue in answer)

    def draw(self, source: str, answer: CluesAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_clues

        heading = Heading(printable(source), answer.headline, "bold green" if answer.minimal else "bold")
        return draw_clues(heading, answer, self.facts(answer, is_drawn=True), ascii)

    def save_pictures(self, source: str, answer: CluesAnswer, request: Request) -> int:
        from enumerator.board.pictures import clues_page, clues_svg
        from enumerator.command.saved_files import save_pictures

        drawn = answer.board, answer.levels, printable(source), [answer.headline, *str(answer).splitlines()[1:]]
        return save_pictures(request.options, clues_svg, clues_page, *drawn)


VIEW = CluesView()
