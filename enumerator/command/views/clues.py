"""The view of --clues: the number of solutions without each clue."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.questions.fields import Facts
from enumerator.text.phrases import lasting, plural, printable, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.clues import CluesAnswer


class CluesView(PartialView["CluesAnswer"]):
    """The clues, which of them are superfluous, and whether the board is minimal."""

    group = "clues"
    arguments = option(
        action="store_true", help="for each clue, the number of solutions without it; superfluous ones; is it minimal?"
    )
    special_options = frozenset(["time_limit", "quiet", "engine", "svg", "html"])
    columns = ("source", "board", "cell", "symbol", "solutions", "exact", "superfluous", "error")
    undone = "the clues are not all judged"

    def ask(self, board: Board, request: Request, watch: Watch) -> CluesAnswer:
        from enumerator.questions.clues import clues

        return clues(board, request.plan, watch=watch)

    def as_number(self, answer: CluesAnswer) -> str:
        """Return the numbers of solutions without each clue, row by row, on one line; 2+ is at least 2."""
        return " ".join(clue.describe_count() for clue in answer)

    def rows(self, source: str, answer: CluesAnswer) -> Iterator[dict[str, object]]:
        """Yield a row for each clue."""
        facts = answer.to_dict()
        clues = facts["clues"]
        for clue in clues if isinstance(clues, list) else ():
            yield {"source": source, "board": facts["board"], **clue}

    def facts(self, answer: CluesAnswer) -> Facts:
        return clue_facts(answer, "{}")

    def draw(self, source: str, answer: CluesAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_clues

        heading = Heading(printable(source), answer.headline, "bold green" if answer.minimal else "bold")
        return draw_clues(heading, answer, clue_facts(answer, "{:,}")[1:], ascii)

    def save_pictures(self, source: str, answer: CluesAnswer, request: Request) -> int:
        from enumerator.board.pictures import clues_page, clues_svg
        from enumerator.command.saved_files import save_pictures

        drawn = answer.board, answer.levels, printable(source), [answer.headline, *str(answer).splitlines()[1:]]
        makers = {"--svg": partial(clues_svg, *drawn), "--html": partial(clues_page, *drawn)}
        return save_pictures(request.options, makers)


def clue_facts(answer: CluesAnswer, integer: str) -> Facts:
    """Return the facts about the clues. `integer` is the format of integers."""
    named = [answer.name(clue) for clue in answer if clue.superfluous]
    clues = answer.board.shape.cells - answer.board.empty_cells
    return [
        ("solutions", whole(answer.solutions, integer) + "+" * (not answer.exact)),
        ("minimal", {True: "yes", False: "no", None: "not known"}[answer.minimal]),
        *([("superfluous", ", ".join(named))] if named else []),
        *(("without", f"{answer.name(clue)}: {clue.describe_count(integer)}") for clue in answer),
        *([] if answer.complete else [("judged", f"{len(answer)} of {plural(clues, 'clue')}")]),
        ("time", lasting(answer.seconds)),
    ]


VIEW = CluesView()
