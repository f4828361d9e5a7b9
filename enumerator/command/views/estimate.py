"""The view of --estimate: an estimate of the solutions of each board and of the time of a count."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from enumerator.board import Board
from enumerator.command.arguments import positive_integer
from enumerator.command.views import View, option
from enumerator.text.phrases import plural, printable, rough_power

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.ask import Ending, Watch
    from enumerator.questions.estimate import EstimateAnswer


class EstimateView(View["EstimateAnswer"]):
    """An estimate, which is exact if the board could be counted in time."""

    question = "estimate"
    arguments = option(action="store_true", help="estimate the number of solutions and the time of a count")
    special_options = frozenset(["quiet", "engine", "time_limit", "seed"])
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--probes": option(
            type=positive_integer,
            metavar="N",
            help="about N random probes for --estimate, however long they take (default with --seed: by the board)",
        )
    }

    def conflicts(self, options: argparse.Namespace) -> Iterator[str]:
        if options.time_limit is not None and (options.seed is not None or options.probes is not None):
            given = "--seed" if options.probes is None else "--probes"
            yield f"--time-limit does not go with --estimate {given}: the number of probes does not depend on the time"

    def deadline(self, request: Request) -> float | None:
        """Return None: the question ends in time itself."""
        return None

    def ask(self, board: Board, request: Request, watch: Watch) -> EstimateAnswer:
        from enumerator.questions.estimate import DEFAULT_SECONDS, estimate

        options = request.options
        seconds = DEFAULT_SECONDS if options.time_limit is None else options.time_limit
        return estimate(board, request.plan, time_limit=seconds, seed=options.seed, probes=options.probes, watch=watch)

    def describe_end(self, name: str, error: Ending) -> str:
        return f"interrupted: {'estimate from the probes so far' if error.answer else 'there is no estimate yet'}"

    def as_number(self, answer: EstimateAnswer) -> str:
        """Return the number of solutions; a leading ~ means "about", and ? too few probes to say."""
        solutions = answer.estimate.solutions
        if answer.estimate.exact:
            return str(solutions.mean)
        return "?" if solutions.caveat else f"~{rough_power(solutions.log10.mean)}"

    def draw(self, source: str, answer: EstimateAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        facts = self.facts(answer, is_drawn=True)
        return draw_board_with_facts(Heading(printable(source), headline(answer)), answer.board, facts, ascii=ascii)


def headline(answer: EstimateAnswer) -> str:
    """Return the estimate, or the number if the board was counted: about 1.2e9 solutions (95 %: …)."""
    known = answer.estimate
    if not known.exact:
        return known.solutions.describe(rough_power, "solutions")
    return f"{plural(round(known.solutions.mean), 'solution', '{:,}')} (counted)"


VIEW = EstimateView()
