"""The view of --steps: how a board is solved, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command import console
from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.steps import StepsAnswer


class StepsView(PartialView["StepsAnswer"]):
    """The steps, each with its reason, and the rules that they use as a rating."""

    question = "steps"
    group = "clues"
    arguments = option(
        action="store_true", help="solve it as a person would: each step with its rule and reason, and a rating"
    )
    special_options = frozenset(["time_limit", "quiet"])
    undone = "the board is not solved"

    def deadline(self, request: Request) -> float | None:
        """Return None: after the time limit, the record ends, and says so."""
        return None

    def ask(self, board: Board, request: Request, watch: Watch) -> StepsAnswer:
        from enumerator.questions.steps import record_steps

        return record_steps(board, time_limit=request.options.time_limit, watch=watch)

    def as_number(self, answer: StepsAnswer) -> str:
        """Return the rating, and the hardest rule."""
        return answer.describe_rating()

    def as_text(self, source: str, answer: StepsAnswer) -> str:
        return f"{super().as_text(source, answer)}\n{numbered(answer)}"

    def draw(self, source: str, answer: StepsAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        heading = Heading(printable(source), answer.headline, "bold green" if answer.solution else "bold red")
        if not draw_board_with_facts(heading, answer.board, self.facts(answer, is_drawn=True), answer.solution, ascii):
            return False
        console.write_line(numbered(answer))
        return True


def numbered(answer: StepsAnswer) -> str:
    """Return the steps with their numbers, one a line. The end is not a step."""
    return "\n".join(
        f"  {number if step.kind != 'solved' else '':<4}  {step.text}" for number, step in enumerate(answer, 1)
    )


VIEW = StepsView()
