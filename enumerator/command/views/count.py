"""The view of the default question: the number of solutions of each board.

The facts that it shows are declared in questions/count_answer.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from enumerator.board import Board
from enumerator.command.arguments import picture_path, positive_integer
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import DRAWINGS, View, option, size_of_text
from enumerator.questions.plans import divides_trees
from enumerator.text.partial_counts import number_of_solutions, what_is_missing
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.checkpoints import Ledger
    from enumerator.questions.count import CountAnswer
    from enumerator.questions.many import Asking
    from enumerator.questions.traces import Tracer


MOST_LIMIT = 1_000
"""The largest limit of counts that are printed in blocks: there is a table of all numbers up to it."""


class CountView(View["CountAnswer"]):
    """The number of solutions, or a lower bound."""

    question = "count_answer"
    special_options = frozenset(
        ["limit", "time_limit", "cutoff", "checkpoint", "verify", "quiet", "engine", "backend", "svg", "html"]
    )
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--repeat": option(
            type=positive_integer, metavar="N", help="count N times; print mean, deviation, least and most of the times"
        ),
        "--trace": option(
            type=picture_path, metavar="FILE", help="write who worked when to a file that Perfetto and browsers open"
        ),
    }
    ends_on_failure = True

    def conflicts(self, options: argparse.Namespace) -> Iterator[str]:
        if options.cutoff is not None and not divides_trees(options.engine):
            yield f"--cutoff does not go with --engine {options.engine}: it divides the tree of the search"
        if options.verify and options.limit is not None:
            yield "--verify does not go with --limit: it is for whole counts"
        if options.verify and options.time_limit is not None:
            yield "--verify does not go with --time-limit: it is for whole counts"
        if options.repeat is not None:
            for other in ("checkpoint", "verify", "time_limit", "quiet", "trace"):
                if getattr(options, other) not in (None, False):
                    yield f"--{other.replace('_', '-')} does not go with --repeat: it is for timing whole counts"

    # ------------------------------------------------------------------------------------------ asking

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        if (path := request.options.checkpoint) is None:
            return self._count(source, board, request)
        from enumerator.questions.checkpoints import LedgerError, open_count

        try:
            with open_count(path, board, request.plan, source) as ledger:
                return self._count(source, board, request, ledger=ledger)
        except LedgerError as error:
            complain(str(error))
            return UNUSABLE

    def _count(
        self,
        source: str,
        board: Board,
        request: Request,
        ledger: Ledger | None = None,
    ) -> int:
        """Count, show the answer, which may be partial, and return the exit status."""
        from enumerator.questions.ask import Interrupted, RunLostError
        from enumerator.questions.count import count, with_solution

        options, plan, start = request.options, request.plan, request.start
        status, message = ANSWERED, ""
        if options.trace:
            from enumerator.questions.traces import traced

            tracer, plan = traced(plan)
        is_drawn = options.svg is not None or options.html is not None
        earlier = start.seconds if start else ledger.contents.seconds if ledger else 0.0
        try:
            with request.asking("the solutions are not all counted", earlier_seconds=earlier) as question:
                if options.repeat:
                    from enumerator.questions.repeated import repeat_count

                    answer = repeat_count(board, plan, options.repeat, start=start, watch=question.watch)
                else:
                    answer = count(
                        board,
                        plan,
                        time_limit=options.time_limit,
                        verify=options.verify,
                        start=start,
                        ledger=ledger,
                        watch=question.watch,
                    )
            if request.form != "number" or is_drawn:
                try:
                    answer = with_solution(answer, request.plan)
                except KeyboardInterrupt:
                    status, message = INTERRUPTED, "interrupted: unique, but the solution was not computed"
        except Interrupted as error:
            answer = error.answer
            status, message = INTERRUPTED, f"interrupted: {missing(answer)}"
        except RunLostError as error:
            answer = cast("CountAnswer", error.answer)
            status, message = FAILED, f"{error}; {missing(answer)}"
        if not answer.agrees:
            status, message = FAILED, self._report_mismatch(source, answer)
        self.show(source, answer, request.form)
        if message:
            complain(message)
        if options.trace and not save_trace(options.trace, tracer, source, answer):
            status = max(status, FAILED) if status != INTERRUPTED else status
        return self._save_pictures(source, answer, request) if is_drawn and status == ANSWERED else status

    def _save_pictures(self, source: str, answer: CountAnswer, request: Request) -> int:
        """Write the files of --svg and --html, and return the exit status."""
        from enumerator.board.pictures import board_page, board_svg
        from enumerator.command.saved_files import save_pictures

        drawn = answer.board, answer.solution, printable(source), headline(answer)
        return save_pictures(request.options, board_svg, board_page, *drawn)

    def _report_mismatch(self, source: str, answer: CountAnswer) -> str:
        """Save a report of two counts that disagree, and return a message about it."""
        from enumerator.command.saved_files import save_report

        again = answer.verification
        if again is None:
            raise RuntimeError("there is nothing to compare with")
        parts = [{"board": board, "solutions": str(solutions)} for board, solutions in again.parts]
        count = {"source": source, **answer.to_dict()}
        saved = save_report({"count": count, "board": str(answer.board), "again": parts})
        figures = f"{answer.solutions} solutions by {answer.engine}, {again.solutions} by {again.way}"
        return f"{printable(source)}: the counts do not agree: {figures}; {saved}"

    def many(self, request: Request) -> Asking:
        from enumerator.command.printing import Printer
        from enumerator.questions.counter import AnswerCounter
        from enumerator.questions.many import Asking

        options, form, limit = request.options, request.form, request.plan.limit
        if form in DRAWINGS or is_alone(options):
            return Asking()
        counter = AnswerCounter(request.plan, options.time_limit, has_facts=form != "number")
        takes_blocks = form != "text" and (limit is None or 0 < limit <= MOST_LIMIT)
        return Asking(counter, Printer(self, form).render, size_of_text, takes_blocks)

    # ----------------------------------------------------------------------------------------- showing

    def as_number(self, answer: CountAnswer) -> str:
        from enumerator.questions.count_answer import as_number

        return as_number(answer)

    def draw(self, source: str, answer: CountAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        style = "bold red" if answer.verdict == "none" else "bold green" if answer.complete else "bold yellow"
        heading, facts = Heading(printable(source), headline(answer), style), self.facts(answer, is_drawn=True)
        return draw_board_with_facts(heading, answer.board, facts, answer.solution, ascii)


def save_trace(path: str, tracer: Tracer, source: str, answer: CountAnswer) -> bool:
    """Write a trace; return False, and say why, if that fails. An interrupt waits meanwhile."""
    from enumerator.command.saved_files import save
    from enumerator.questions.traces import deferred_signals, text_of_trace

    try:
        with deferred_signals():
            save(path, text_of_trace(tracer, source, answer))
    except OSError as error:
        complain(f"{printable(path)}: {error.strerror or error}; the trace is not written")
        return False
    return True


def missing(answer: CountAnswer) -> str:
    """Return what a count that ended early is lacking."""
    return what_is_missing(answer.complete, answer.repeated.number if answer.repeated else None)


def headline(answer: CountAnswer) -> str:
    """Return the verdict and the number: unique, 184 solutions, no solution, at least 3 solutions (limit)."""
    if answer.verdict == "unique":
        return "unique"
    if answer.verdict == "none":
        return ": ".join(["no solution", *answer.conflicts[:1]])
    return number_of_solutions(answer.solutions, answer.complete, answer.ended)


def is_alone(options: argparse.Namespace) -> bool:
    """Return True if each board is to be counted on its own, and not with others."""
    return options.verify or any(value is not None for value in (options.checkpoint, options.repeat, options.trace))


VIEW = CountView()
