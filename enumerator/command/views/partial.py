"""Views of questions that are asked of many boards in processes, and that may refuse a board."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from enumerator.command.views import DRAWINGS, AnswerType, View, size_of_text

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Ending, Watch
    from enumerator.questions.many import Asking


class PartialView(View[AnswerType]):
    """The view of a question that takes long for some boards, or needs a board with one solution."""

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

        try:
            return super().answer_board(source, board, request)
        except (NoSolutionError, NotUniqueError) as error:
            return self.refuse(source, board, error, request)

    def describe_end(self, name: str, error: Ending) -> str:
        return f"{name}: {error}"

    @property
    def refusals(self) -> tuple[type[Exception], ...]:
        """The errors of boards without an answer."""
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

        return NoSolutionError, NotUniqueError

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.many import Asking
        from enumerator.questions.singly import SingleBoards, patience_of, plan_alone

        if request.form in DRAWINGS:
            return Asking()
        alone = request._replace(plan=plan_alone(request.plan), output=None, has_bar=False, start=None)
        patience = patience_of(request.plan, request.options.time_limit)
        question = SingleBoards(partial(ask_one, self, alone), patience, *self.refusals)
        return Asking(question, Printer(self, request.form).render, size_of_text, takes_blocks=False)

    def show(self, source: str, answer: AnswerType, form: str) -> None:
        if form != "csv" or self.as_csv(source, answer):  # an answer may have no rows
            super().show(source, answer, form)


def ask_one(view: PartialView[Any], request: Request, board: Board, watch: Watch) -> Any:
    """Ask the question of one board."""
    return view.ask(board, request, watch)
