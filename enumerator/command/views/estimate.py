"""The view of --estimate: an estimate of the solutions of each board and of the time of a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.board.phrases import lasting, plural, printable, rough
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.layout import Facts, describe_interval, exact_figures
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.estimate import EstimateAnswer
    from enumerator.run.local import PartialCount


class EstimateView(View["EstimateAnswer"]):
    """An estimate, which is exact if the board could be counted in time."""

    arguments = option(action="store_true", help="about how many solutions, and how long a count would take")
    special_options = frozenset(["quiet", "engine"])

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        from enumerator.questions.estimate import BeyondEstimateError, InterruptedEstimate, estimate

        status, answer = ANSWERED, None
        try:
            with request.bar() as bar:
                answer = estimate(board, request.plan, watch=bar.show)
        except InterruptedEstimate as error:
            status, answer = INTERRUPTED, error.answer
            complain(
                "interrupted: this estimate could be better" if answer else "interrupted: there is no estimate yet"
            )
        except BeyondEstimateError as error:
            status, answer = FAILED, error.answer
            complain(f"{printable(source)}: {error}")
        if answer:
            self.show(source, answer, request.form)
        return status

    def as_number(self, answer: EstimateAnswer) -> str:
        """Return the number of solutions; a leading ~ means "about"."""
        known = answer.estimate
        return str(known.solutions.mean) if known.exact else f"~{rough(known.solutions.mean)}"

    def facts(self, answer: EstimateAnswer) -> Facts:
        known, cores = answer.estimate, answer.cores
        facts = exact_figures(answer.board)
        if known.exact:
            return [
                *facts,
                ("solutions", f"{known.solutions.mean} (counted)"),
                ("time", f"{lasting(known.seconds.mean)} by {known.engine}"),
            ]
        time = describe_interval(known.seconds, lasting, cores)
        return [
            *facts,
            ("solutions", describe_interval(known.solutions, rough)),
            ("nodes", describe_interval(known.nodes, rough)),
            ("time", f"{time} by {known.engine} on {plural(cores, 'core')}"),
            ("probes", f"{known.probes}"),
        ]


VIEW = EstimateView()
