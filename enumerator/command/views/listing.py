"""The view of --list: every solution of each board, one per line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from enumerator.board import Board
from enumerator.board.symbols import symbol_table
from enumerator.command import console
from enumerator.command.console import INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import DRAWINGS, option, size_of_text
from enumerator.command.views.solution_view import (
    SOLUTION_OPTIONS,
    Ending,
    SolutionsView,
    TimeUpError,
    Writing,
    get_output,
)
from enumerator.text.partial_counts import at_least
from enumerator.text.phrases import plural, printable, rough_power, whole

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.many import Asking


MOST_ON_TERMINAL = 1_000
"""The number of solutions that a terminal shows without --limit."""

LOOK_SECONDS = 1.0
"""The time in which the solutions of a board are counted before a terminal shows them."""


def find_flood(board: Board, request: Request) -> str:
    """Return a message with the number of solutions, if they are too many for a terminal; else ""."""
    from enumerator.questions.count import count

    answer = count(board, request.plan._replace(pool=None), time_limit=LOOK_SECONDS)
    if answer.solutions <= MOST_ON_TERMINAL:
        return ""
    number = at_least(whole(answer.solutions, "{:,}"), answer.complete)
    if answer.estimate and not answer.estimate.caveat:
        number += f" (estimated: {rough_power(answer.estimate.log10.mean)})"
    return (
        f"{number} solutions are too many for a terminal, which shows up to {MOST_ON_TERMINAL:,}:"
        " use --limit N, --output FILE or a pipe"
    )


class ListView(SolutionsView):
    """All solutions, or at most --limit of them. With a ledger, the list can be resumed."""

    arguments = option(
        action="store_true",
        help="every solution, one per line, drawn on a terminal; the order depends on board and "
        "engine and is not lexicographic",
    )
    special_options = SOLUTION_OPTIONS | {"limit", "checkpoint"}

    def conflicts(self, options: argparse.Namespace) -> Iterator[str]:
        if options.checkpoint is not None and options.output is None:
            yield "--checkpoint with --list requires --output FILE, so that the list can be resumed"
        if options.checkpoint is not None and options.distinct:
            yield "--checkpoint does not go with --list --distinct: that list cannot be resumed"

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        if get_output(request).is_terminal and request.options.limit is None:
            try:
                flood = find_flood(board, request)
            except KeyboardInterrupt:
                complain(f"interrupted: {printable(source)}: 0 solutions written")
                return INTERRUPTED
            if flood:
                complain(f"{printable(source)}: {flood}")
                return UNUSABLE
        if request.options.checkpoint is None:
            return super().answer_board(source, board, request)
        from enumerator.questions.checkpoints import LedgerError, ResumeError, named_ledger
        from enumerator.questions.listing import list_identity
        from enumerator.questions.solutions import solution_list

        solutions = solution_list(board, request.plan)
        sink = self.make_sink(source, board, request)
        identity = list_identity(board, request.plan, get_output(request), sink.form)
        if request.form == "json":  # each object includes its source
            identity["source"] = printable(source)
        try:
            with named_ledger(request.options.checkpoint, identity, request.plan, source) as ledger:
                return self.write_and_report(source, board, solutions, sink, request, ledger)
        except (LedgerError, ResumeError) as error:
            complain(str(error))
            return UNUSABLE

    def many(self, request: Request) -> Asking:
        from enumerator.questions.many import Asking

        options = request.options
        is_drawn = request.form in DRAWINGS and get_output(request).is_terminal
        if is_drawn or request.form == "json" or options.grids or options.checkpoint is not None or options.distinct:
            return Asking()
        from enumerator.questions.lister import Lister

        return Asking(Lister(request.plan, request.form in DRAWINGS), size=size_of_text)

    def write_block(self, answers: Any, request: Request) -> None:
        if answers.data:
            get_output(request).write(answers.data, answers.solutions)

    def write(self, writing: Writing) -> Ending:
        from enumerator.questions.listing import write_list

        _, board, solutions, sink, request, watch, ledger = writing
        if request.options.distinct:
            return self._write_different(writing)
        answer = write_list(
            board,
            solutions,
            sink,
            request.plan,
            time_limit=request.options.time_limit,
            ledger=ledger,
            watch=watch,
        )
        if answer.was_finished:
            some = plural(answer.before, "solution", "{:,}")
            complain(f"{sink.output.name}: {some} written before, there is nothing to do")
        elif answer.out_of_time:
            raise TimeUpError
        elif answer.cut_off:
            return Ending(
                message=f"stopped after {plural(request.plan.limit or 0, 'solution', '{:,}')}: there are more"
            )
        elif not answer.written and not answer.before and request.form in DRAWINGS:
            console.write_line(f"{writing.name}: no solution")
        return Ending()

    def _write_different(self, writing: Writing) -> Ending:
        """Write one solution of each class of those that the symmetries of the board lead to."""
        from enumerator.questions.ask import OutOfTimeError, within
        from enumerator.questions.different import different_solutions

        _, board, _, sink, request, watch, _ = writing
        written, limit = 0, request.plan.limit
        try:
            for cells in different_solutions(board, request.plan, watch=within(request.options.time_limit, watch)):
                if written == limit:
                    return Ending(message=f"stopped after {plural(limit, 'solution', '{:,}')}: there are more")
                written += sink.write(cells.translate(symbol_table(board.shape)) + b"\n")
        except OutOfTimeError:
            raise TimeUpError from None
        if not written and request.form in DRAWINGS:
            console.write_line(f"{writing.name}: no solution")
        return Ending()


VIEW = ListView()
