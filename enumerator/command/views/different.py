"""The view of --different: the number of solutions of each board up to the symmetries that fix it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.views import BOARD_COLUMNS, DRAWINGS, View, option
from enumerator.text.phrases import lasting, plural, printable, whole

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.boards import BatchResult, BatchWork, PackedBoard
    from enumerator.command.layout import Facts
    from enumerator.command.request import Request
    from enumerator.questions.different import DifferentAnswer
    from enumerator.run.local import PartialCount
    from enumerator.run.plan import Plan


class DifferentView(View["DifferentAnswer"]):
    """The number of essentially different solutions, or a lower bound."""

    arguments = option(
        action="store_true", help="the number of solutions up to the symmetries that fix the clues and pencil marks"
    )
    special_options = frozenset(["time_limit", "quiet", "engine"])
    columns = (
        *BOARD_COLUMNS,
        *("different", "solutions", "complete", "symmetries", "engine", "cores", "nodes", "seconds", "error"),
    )

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        from enumerator.questions.different import different
        from enumerator.questions.fixed.arrangements import TooManySymmetriesError
        from enumerator.run.errors import Interrupted, OutOfTimeError, RunLostError

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

    def batch_work(self, request: Request) -> BatchWork | None:
        from enumerator.questions.count import worker_plan

        if request.form in DRAWINGS:
            return None
        return partial(different_batch, form=request.form, plan=worker_plan(request.plan, request.options.time_limit))

    def as_number(self, answer: DifferentAnswer) -> str:
        return f"{answer.different}{'' if answer.complete else '+'}"

    def facts(self, answer: DifferentAnswer) -> Facts:
        least = "" if answer.complete else "at least "
        return [
            ("different", f"{least}{whole(answer.different)}"),
            ("solutions", f"{least}{whole(answer.solutions)}"),
            ("symmetries", f"{answer.symmetries:,}"),
            ("engine", f"{answer.engine}, {plural(answer.cores, 'core')}"),
            ("time", lasting(answer.seconds)),
        ]


def different_batch(boards: list[PackedBoard], form: str, plan: Plan) -> list[BatchResult]:
    """Answer for boards in a worker, on one core; leave a board that takes long to all cores."""
    from enumerator.command.boards import unpack
    from enumerator.questions.ask import within
    from enumerator.questions.different import different
    from enumerator.questions.fixed.arrangements import TooManySymmetriesError
    from enumerator.run.errors import OutOfTimeError

    results: list[BatchResult] = []
    alone = plan._replace(cores=1, pool=None)
    for packed in boards:
        source, board, error = unpack(packed)
        if board is None or error:
            results.append(("", packed, None))
            continue
        try:
            answer = different(board, alone, watch=within(plan.batch_pacing.give_up_seconds))
            results.append((VIEW.render(source, answer, form), None, None))
        except (OutOfTimeError, TooManySymmetriesError):
            results.append(("", packed, None))
    return results


VIEW = DifferentView()
