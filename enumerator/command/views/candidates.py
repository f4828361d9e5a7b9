"""The view of --candidates: the number of solutions with each digit in each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.command.views import View, option
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.candidates import CandidatesAnswer


class CandidatesView(View["CandidatesAnswer"]):
    """A table of cells and digits, and the clues that would make a board unique."""

    question = "candidates"
    arguments = option(
        action="store_true", help="for each cell and digit, the number of solutions that have the digit in the cell"
    )
    special_options = frozenset(["time_limit", "quiet", "engine", "svg", "html"])
    undone = "the candidates are not counted"

    def ask(self, board: Board, request: Request, watch: Watch) -> CandidatesAnswer:
        from enumerator.questions.candidates import candidates

        return candidates(board, request.plan, watch=watch)

    def save_pictures(self, source: str, answer: CandidatesAnswer, request: Request) -> int:
        """Write the files of --svg and --html, and return the exit status."""
        from enumerator.board.pictures import candidates_page, candidates_svg
        from enumerator.command.saved_files import save_pictures

        drawn = answer.board, answer.counts, printable(source), [answer.headline, *answer.advise("{:,}")]
        return save_pictures(request.options, candidates_svg, candidates_page, *drawn)

    def as_number(self, answer: CandidatesAnswer) -> str:
        """Return a line for each cell, with the counts of all digits in columns."""
        return answer.table()

    def as_text(self, source: str, answer: CandidatesAnswer) -> str:
        return f"{super().as_text(source, answer)}\n\n{self.as_number(answer)}"

    def draw(self, source: str, answer: CandidatesAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_candidates

        style = "bold green" if answer.solutions else "bold red"
        heading = Heading(printable(source), answer.headline, style)
        return draw_candidates(heading, answer, self.facts(answer, is_drawn=True), ascii)


VIEW = CandidatesView()
