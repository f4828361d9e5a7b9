"""The view of --unavoidable: sets of cells of a solution, one of which must be a clue."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from enumerator.board.shape import cell_name
from enumerator.command import console
from enumerator.command.arguments import number_of_cells
from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.text.partial_counts import with_plus
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.unavoidable import UnavoidableAnswer


class UnavoidableView(PartialView["UnavoidableAnswer"]):
    """The sets, each with its cells and the clues that stand in it."""

    question = "unavoidable"
    group = "clues"
    arguments = option(
        nargs="?",
        const=0,
        type=number_of_cells,
        metavar="K",
        help="the minimal unavoidable sets of the solution, up to K cells (1 to 64; default: 12 on 9x9), and the clues "
        "in them",
    )
    special_options = frozenset(["time_limit", "quiet", "svg", "html"])
    undone = "not all sets are found"

    def ask(self, board: Board, request: Request, watch: Watch) -> UnavoidableAnswer:
        from enumerator.questions.unavoidable import unavoidable

        return unavoidable(board, request.plan, request.options.unavoidable or None, watch=watch)

    def as_number(self, answer: UnavoidableAnswer) -> str:
        """Return the number of sets; a + marks a lower bound."""
        return with_plus(len(answer), answer.complete)

    def as_text(self, source: str, answer: UnavoidableAnswer) -> str:
        return "\n".join([super().as_text(source, answer), *describe_sets(answer)])

    def draw(self, source: str, answer: UnavoidableAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        heading = Heading(printable(source), answer.headline)
        if not draw_board_with_facts(heading, answer.board, self.facts(answer, is_drawn=True), answer.solution, ascii):
            return False
        console.write_lines(describe_sets(answer))
        return True

    def save_pictures(self, source: str, answer: UnavoidableAnswer, request: Request) -> int:
        from enumerator.board.pictures import clues_page, clues_svg
        from enumerator.command.saved_files import save_pictures

        numbers = Counter(cell for cells in answer for cell in cells)
        most = max(numbers.values(), default=1)
        levels = {cell: number / most for cell, number in numbers.items()}
        legend = (f"The darker a cell, the more sets it is in: up to {most:,}.",)
        drawn = answer.solution, levels, printable(source), [answer.headline], legend
        return save_pictures(request.options, clues_svg, clues_page, *drawn)


def describe_sets(answer: UnavoidableAnswer) -> list[str]:
    """Return a line for each set: its cells, where those that hold a clue have their digit."""
    shape, cells = answer.board.shape, answer.board.cells

    def name(cell: int) -> str:
        digit = cells[cell]
        return cell_name(cell, shape.size) + (f"={shape.symbols[digit - 1]}" if digit else "")

    return [f"  {' '.join(map(name, some))}" for some in answer]


VIEW = UnavoidableView()
