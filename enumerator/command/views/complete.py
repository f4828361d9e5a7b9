"""The view of --complete: the fewest further clues that make a board unique."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.arguments import number_of_clues
from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.text.partial_counts import with_plus
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.complete import CompleteAnswer


class CompleteView(PartialView["CompleteAnswer"]):
    """The sets of clues, and the cell whose digit tells most."""

    question = "complete"
    group = "clues"
    arguments = option(
        nargs="?",
        const=0,
        type=number_of_clues,
        metavar="K",
        help="the smallest sets of further clues that make it unique, exactly for up to K clues (1 to 8), and the cell "
        "that tells most",
    )
    special_options = frozenset(["time_limit", "quiet", "engine", "svg", "html"])
    undone = "not all sets are known"

    def ask(self, board: Board, request: Request, watch: Watch) -> CompleteAnswer:
        from enumerator.questions.complete import complete

        return complete(board, request.plan, request.options.complete or None, watch=watch)

    def as_number(self, answer: CompleteAnswer) -> str:
        """Return the number of clues; a leading ~ marks one that may be too large, a + a lower bound."""
        if answer.needed is None:
            return with_plus(answer.at_least, is_complete=False)
        return f"{'' if answer.exact else '~'}{answer.needed}"

    def draw(self, source: str, answer: CompleteAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        heading = Heading(printable(source), answer.headline)
        facts = self.facts(answer, is_drawn=True)
        return draw_board_with_facts(heading, answer.board, facts, completed_board(answer), ascii)

    def save_pictures(self, source: str, answer: CompleteAnswer, request: Request) -> int:
        from enumerator.board.pictures import board_page, board_svg
        from enumerator.command.saved_files import save_pictures

        drawn = answer.board, completed_board(answer), printable(source), answer.headline
        return save_pictures(request.options, board_svg, board_page, *drawn)


def completed_board(answer: CompleteAnswer) -> Board:
    """Return the board with the clues of the first set."""
    completed = answer.board
    for cell, digit in answer.sets[0] if answer.sets else ():
        completed = completed.with_cell(cell, digit)
    return completed


VIEW = CompleteView()
