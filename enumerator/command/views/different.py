"""The view of --different: the number of solutions of each board up to the symmetries that fix it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.views import DRAWINGS, View, option, size_of_text
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.different import DifferentAnswer
    from enumerator.questions.fields import Field
    from enumerator.questions.many import Asking
    from enumerator.questions.plans import Plan


class DifferentView(View["DifferentAnswer"]):
    """The number of essentially different solutions, or a lower bound."""

    arguments = option(
        action="store_true", help="the number of solutions up to the symmetries that fix the clues and pencil marks"
    )
    special_options = frozenset(["time_limit", "quiet", "engine"])
    group = "sameness"

    @property
    def fields(self) -> tuple[Field, ...]:
        from enumerator.questions.different import FIELDS

        return FIELDS

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.ask import Interrupted, OutOfTimeError, RunLostError
        from enumerator.questions.different import different
        from enumerator.questions.fixed.arrangements import TooManySymmetriesError

        name, status, message = printable(source), ANSWERED, ""
        try:
            undone = "the different solutions are not all counted"
            with request.asking(undone, request.options.time_limit) as question:
                answer = different(board, request.plan, watch=question.watch)
        except TooManySymmetriesError as error:
            complain(f"{name}: {error}")
            return FAILED
        except OutOfTimeError as error:
            answer = cast("DifferentAnswer", error.answer)
        except Interrupted as error:
            answer = cast("DifferentAnswer", error.answer)
            status, message = INTERRUPTED, "interrupted: this count is not complete"
        except RunLostError as error:
            answer = cast("DifferentAnswer", error.answer)
            status, message = FAILED, f"{error}; this count is not complete"
        self.show(source, answer, request.form)
        if message:
            complain(message)
        return status

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.fixed.arrangements import TooManySymmetriesError
        from enumerator.questions.many import Asking
        from enumerator.questions.singly import SingleBoards, patience_of, plan_alone

        if request.form in DRAWINGS:
            return Asking()
        patience = patience_of(request.plan, request.options.time_limit)
        question = SingleBoards(partial(ask_one, plan_alone(request.plan)), patience, TooManySymmetriesError)
        return Asking(question, Printer(self, request.form).render, size_of_text, takes_blocks=False)

    def as_number(self, answer: DifferentAnswer) -> str:
        return f"{answer.different}{'' if answer.complete else '+'}"


def ask_one(plan: Plan, board: Board, watch: Watch) -> DifferentAnswer:
    """Answer for one board."""
    from enumerator.questions.different import different

    return different(board, plan, watch=watch)


VIEW = DifferentView()
