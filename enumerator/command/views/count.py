"""The view of the default question: the number of solutions of each board.

The facts that --json prints are those of `CountAnswer.to_dict` in questions/count.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from enumerator import engines
from enumerator.board import Board
from enumerator.command.arguments import picture_path, positive_integer
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.layout import Facts, describe_interval, exact_figures, short_figures
from enumerator.command.views import BOARD_COLUMNS, DRAWINGS, FACT_FORMS, View, interval_columns, option
from enumerator.text.phrases import lasting, plural, printable, rough_power, whole

if TYPE_CHECKING:
    from enumerator.command.boards import BatchResult, BatchWork, PackedBoard
    from enumerator.command.chunks import ChunkQuestion
    from enumerator.command.request import Request
    from enumerator.questions.count import CountAnswer
    from enumerator.questions.repeated import Times
    from enumerator.questions.verify import Verification
    from enumerator.run.ledger import Ledger
    from enumerator.run.local import PartialCount
    from enumerator.run.plan import Plan
    from enumerator.run.trace import Tracer


MOST_LIMIT = 1_000
"""The largest limit of counts that are printed in blocks: there is a table of all numbers up to it."""


class CountView(View["CountAnswer"]):
    """The number of solutions, or a lower bound."""

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
    columns = (
        *BOARD_COLUMNS,
        *("solutions", "complete", "ended", "engine", "cores", "requested_cores", "tasks", "nodes", "effort.steps"),
        *("seconds", "verdict", "solution"),
        *("repeated.number", "repeated.mean", "repeated.deviation", "repeated.least", "repeated.most"),
        *("verified.agrees", "verified.solutions", "verified.way", "verified.seconds"),
        *("before.tasks", "before.seconds"),
        *interval_columns("estimated_solutions"),
        *("conflicts", "error"),
    )

    def conflicts(self, options: argparse.Namespace) -> Iterator[str]:
        if options.cutoff is not None and options.engine != engines.AUTO and not engines.get(options.engine).visits:
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

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        if request.options.checkpoint is None:
            return self._count(source, board, request, start)
        from enumerator.run.ledger import LedgerError, run_identity

        try:
            with request.open_ledger(source, run_identity("count", board, request.plan)) as ledger:
                return self._count(source, board, request, ledger=ledger)
        except LedgerError as error:
            complain(str(error))
            return UNUSABLE

    def _count(
        self,
        source: str,
        board: Board,
        request: Request,
        start: PartialCount | None = None,
        ledger: Ledger | None = None,
    ) -> int:
        """Count, show the answer, which may be partial, and return the exit status."""
        from enumerator.questions.count import count, with_solution
        from enumerator.run.errors import Interrupted, RunLostError

        options, plan = request.options, request.plan
        status, message = ANSWERED, ""
        if options.trace:
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
        from enumerator.command.pictures import save_pictures

        drawn = answer.board, answer.solution, printable(source), headline(answer)
        makers = {"--svg": partial(board_svg, *drawn), "--html": partial(board_page, *drawn)}
        return save_pictures(request.options, makers)

    def _report_mismatch(self, source: str, answer: CountAnswer) -> str:
        """Save a report of two counts that disagree, and return a message about it."""
        from enumerator.command.mismatch import save_report

        again = answer.verification
        if again is None:
            raise RuntimeError("there is nothing to compare with")
        parts = [{"board": board, "solutions": str(solutions)} for board, solutions in again.parts]
        count = {"source": source, **answer.to_dict()}
        saved = save_report({"count": count, "board": str(answer.board), "again": parts})
        figures = f"{answer.solutions} solutions by {answer.engine}, {again.solutions} by {again.way}"
        return f"{printable(source)}: the counts do not agree: {figures}; {saved}"

    def batch_work(self, request: Request) -> BatchWork | None:
        from enumerator.questions.count import worker_plan

        options = request.options
        if request.form in DRAWINGS or is_alone(options):
            return None
        return partial(count_batch, form=request.form, plan=worker_plan(request.plan, options.time_limit))

    def chunk_question(self, request: Request) -> ChunkQuestion | None:
        options, limit = request.options, request.plan.limit
        is_plain = request.form in (*FACT_FORMS, "number") and not is_alone(options)
        if not is_plain or not (limit is None or 0 < limit <= MOST_LIMIT):
            return None
        from enumerator.command.block_text import CountText

        return CountText(self, request)

    # ----------------------------------------------------------------------------------------- showing

    def as_number(self, answer: CountAnswer) -> str:
        return f"{answer.solutions}{'' if answer.complete else '+'}"

    def facts(self, answer: CountAnswer) -> Facts:
        solutions = whole(answer.solutions)
        facts = [
            ("solutions", solutions if answer.complete else f"at least {solutions} ({answer.ended})"),
            ("verdict", answer.verdict),
        ]
        if answer.solution:
            facts.append(("solution", str(answer.solution)))
        conflicts = [("conflict", conflict) for conflict in answer.conflicts]
        return [*facts, *conflicts, *count_facts(answer, "{}"), *exact_figures(answer.board)]

    def draw(self, source: str, answer: CountAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        style = "bold red" if answer.verdict == "none" else "bold green" if answer.complete else "bold yellow"
        facts = [
            *(("conflict", conflict) for conflict in answer.conflicts[1:]),
            *count_facts(answer, "{:,}"),
            *short_figures(answer.board),
        ]
        heading = Heading(printable(source), headline(answer), style)
        return draw_board_with_facts(heading, answer.board, facts, answer.solution, ascii)


def traced(plan: Plan) -> tuple[Tracer, Plan]:
    """Return an observer that keeps what happens, messages included, and the plan with it."""
    from enumerator.run.trace import Tracer

    tracer, tell = Tracer(), plan.tell

    def tell_both(message: str) -> None:
        tracer.on_message(message)
        tell(message)

    return tracer, plan._replace(observer=tracer, tell=tell_both)


def save_trace(path: str, tracer: Tracer, source: str, answer: CountAnswer) -> bool:
    """Write a trace; return False, and say why, if that fails. An interrupt waits meanwhile."""
    from enumerator.command.pictures import save
    from enumerator.run.signals import deferred_signals
    from enumerator.run.trace_events import trace_text

    effort = answer.effort or answer.nodes
    tracer.finish(answer.tasks, answer.nodes, effort, answer.solutions)
    try:
        with deferred_signals():
            save(path, trace_text(tracer, {"source": source, **answer.to_dict()}))
    except OSError as error:
        complain(f"{printable(path)}: {error.strerror or error}; the trace is not written")
        return False
    return True


def missing(answer: CountAnswer) -> str:
    """Return what a count that ended early is lacking: it is not verified, not repeated, or not complete."""
    if answer.repeated:
        return f"only {plural(answer.repeated.number, 'count')} finished"
    return f"this count is not {'verified' if answer.complete else 'complete'}"


def headline(answer: CountAnswer) -> str:
    """Return the verdict and the number: unique, 184 solutions, no solution, at least 3 solutions (limit)."""
    if answer.verdict == "unique":
        return "unique"
    if answer.verdict == "none":
        return ": ".join(["no solution", *answer.conflicts[:1]])
    some = f"{whole(answer.solutions, '{:,}')} solution{'' if answer.solutions == 1 else 's'}"
    return some if answer.complete else f"at least {some} ({answer.ended})"


def count_facts(answer: CountAnswer, integer: str) -> Facts:
    """Return the facts about a count after the number of solutions, in the order of display.

    `integer` is the format of integers.
    """
    facts = []
    if answer.verification:
        facts.append(("verified", describe_verification(answer.verification, answer.agrees, integer)))
    if answer.estimate:
        facts.append(("estimate", describe_interval(answer.estimate, rough_power)))
    facts.append(("engine", ", ".join(describe_work(answer, integer))))
    facts.append(("time", f"{answer.seconds:.3f} s"))
    if answer.repeated:
        facts.append(("repeated", describe_times(answer.repeated)))
    if answer.before:
        tasks = plural(answer.before.tasks, "task", integer)
        facts.append(("before", f"{tasks} in {lasting(answer.before.seconds)}"))
    return facts


def describe_times(times: Times) -> str:
    """Return the times of repeated counts as text."""
    times_text = f"mean {times.mean:.4f} s ± {times.deviation:.4f}, least {times.least:.4f}, most {times.most:.4f}"
    return f"{plural(times.number, 'count')}: {times_text}"


def is_alone(options: argparse.Namespace) -> bool:
    """Return True if each board is to be counted on its own, and not in a batch."""
    return options.verify or any(value is not None for value in (options.checkpoint, options.repeat, options.trace))


def describe_work(answer: CountAnswer, integer: str) -> Iterator[str]:
    """Yield the engine, its cores, and the numbers of nodes and tasks."""
    from enumerator.questions.count import own_unit

    yield answer.engine
    yield describe_cores(answer)
    if engines.get(answer.engine).effort == "nodes":
        yield plural(answer.nodes, "node", integer)
    elif unit := own_unit(answer.engine):
        yield plural(answer.effort, unit.removesuffix("s"), integer)
    if answer.tasks:
        yield plural(answer.tasks, "task", integer)


def describe_cores(answer: CountAnswer) -> str:
    """Return the number of cores and, if more were requested, why these did it."""
    from enumerator.run.workers.executors import usable_cores

    cores, requested = plural(answer.cores, "core"), answer.requested_cores
    if requested in (None, answer.cores):
        return cores
    usable = usable_cores()
    if answer.cores > usable:  # those of a cluster
        return f"{cores} ({requested} requested)"
    if answer.cores == usable:
        reason = "no more are available"
    elif answer.tasks:
        reason = "not worth dividing further"
    else:
        reason = f"{'done' if answer.complete else 'ended'} before it was worth dividing"
    return f"{cores} ({requested} requested: {reason})"


def describe_verification(again: Verification, agrees: bool, integer: str) -> str:
    """Return the result of a verification as text."""
    result = "agrees" if agrees else f"says {integer.format(again.solutions)}: ONE OF THEM IS WRONG"
    return f"{again.way}: {result}, {again.seconds:.3f} s"


def count_batch(boards: list[PackedBoard], form: str, plan: Plan) -> list[BatchResult]:
    """Count boards in a worker, on one core, and return the answers as text."""
    from enumerator.command.boards import unpack
    from enumerator.questions.count import try_count, with_solution
    from enumerator.run.local import PartialCount

    results: list[BatchResult] = []
    for packed in boards:
        source, board, error = unpack(packed)
        if board is None or error:
            results.append(("", packed, None))
            continue
        found = try_count(board, plan)
        if isinstance(found, PartialCount):
            results.append(("", packed, found))
        else:
            answer = found if form == "number" else with_solution(found, plan)
            results.append((VIEW.render(source, answer, form), None, None))
    return results


VIEW = CountView()
