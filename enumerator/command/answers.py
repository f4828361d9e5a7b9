"""From boards to answers in print: one at a time on all cores, or many at a time on one core each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.board.reading import Entry
from enumerator.board.wording import printable
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.progress import Progress
from enumerator.command.report import (
    Before,
    Report,
    as_json,
    as_number,
    as_text,
    estimate_as_json,
    estimate_as_number,
    estimate_as_text,
)
from enumerator.command.request import Question, Request, ask
from enumerator.engines import Tally
from enumerator.run import WORTH_SECONDS, Alone, Begun, Plan, RunLostError, tallies

if TYPE_CHECKING:
    from enumerator.questions.estimate import Interval
    from enumerator.questions.verify import Again
    from enumerator.run.ledger.ledger import Ledger

RENDERINGS: dict[str, Callable[[Report], str]] = {"json": as_json, "number": as_number, "text": as_text}
"""What can be written anywhere. The drawing on a terminal is made here, where the terminal is."""

FIRST_BOARDS, BATCH_BOARDS, PIPE_SECONDS, LONG_SECONDS = 4, 16, 1.0, 1.0
"""The first boards, with all that is imported for them, say nothing of the others. After so many more it is asked
whether it is worth it to spread the others over the cores; after so many seconds where nobody knows how many there are.
It is not where a board takes so long on average that it keeps all cores busy."""

GIVE_UP = 1.0
"""A board of a batch that takes longer is handed back, for all cores to go on with."""

COUNT_SHARE = 0.8
"""Of the time for a board; the rest is for an estimate, if it takes longer."""
HOPELESS = 0.01
"""A count that is no further than this after half of that time is left then: the estimate will be the better for it."""
LEAST_GUESS = 0.05
"""Seconds that such an estimate has, even if the time is up."""


class Unfinished(NamedTuple):
    """A board whose count was begun."""

    question: Question
    begun: Begun


class Complaint(NamedTuple):
    """What is wrong with a board."""

    message: str


def answer(entries: Iterable[Entry], request: Request, length: int = 0) -> int:
    """Answer for every board, in order; one that cannot be read does not keep the others from it.

    It helps to know about how long their text is.
    """
    status, may_batch = ANSWERED, request.may_batch
    started = warm = perf_counter()
    questions = (ask(entry, request.plan.engine) for entry in entries)
    for boards, question in enumerate(questions, 1):
        outcome = answer_one(question, request)
        if outcome == INTERRUPTED or (outcome == FAILED and request.wanted == "count"):  # a machine that fails
            return outcome
        status = max(status, outcome)
        if boards == FIRST_BOARDS:
            warm = perf_counter()
        if may_batch and boards >= FIRST_BOARDS + BATCH_BOARDS:
            pace = (perf_counter() - warm) / (boards - FIRST_BOARDS)
            expected = length // (len(question.cells) + 1) - boards
            worth = expected * pace > WORTH_SECONDS if length else perf_counter() - started > PIPE_SECONDS
            if worth and pace < LONG_SECONDS:
                if (cores := request.plan.effective_cores()) > 1 or request.plan.cluster:
                    return answer_batch(questions, request, max(1, cores), expected, status)
                may_batch = False
    return status


# ------------------------------------------------------------------------------------------------ one board


def answer_one(question: Question, request: Request, begun: Begun | None = None) -> int:
    """Answer for a board, on all cores if it takes them."""
    if question.error:
        complain(question.error)
        return UNUSABLE
    if request.wanted == "count":
        return count(question, request, begun)
    if request.wanted == "estimate":
        return estimate(question.source, question.board, request)
    from enumerator.command import solutions as solved

    return solved.ANSWERS[request.wanted](question, request)


def count(question: Question, request: Request, begun: Begun | None = None) -> int:
    """Say how many solutions a board has; if the time for it is up before, at least how many, and about."""
    if request.checkpoint is None:
        return counted(question, request, begun)
    from enumerator.command.checkpoint import opened
    from enumerator.run.ledger.contents import LedgerError

    try:
        with opened(question, request) as ledger:
            return counted(question, request, ledger=ledger)
    except LedgerError as error:
        complain(str(error))
        return UNUSABLE


def counted(question: Question, request: Request, begun: Begun | None = None, ledger: Ledger | None = None) -> int:
    """The same, with a ledger or without."""
    board, plan = question.board, request.plan
    tally = begun.tally if begun else Tally()
    before = Before(ledger.book.account.finished, ledger.book.seconds) if ledger and not ledger.is_new else None
    started = perf_counter() - (begun.seconds if begun else 0.0)
    deadline, review = request.deadline(COUNT_SHARE), request.deadline(COUNT_SHARE / 2)
    status, message, about, check, seconds = ANSWERED, "", None, None, 0.0
    try:
        earlier = started - (before.seconds if before else 0.0)
        with closing(tallies(board, plan, begun, ledger)) as counting, Progress(request.progress, earlier) as progress:
            for tally in counting:
                if not tally.complete:
                    progress.show(tally.share, tally.solutions)
                end = review if tally.share < HOPELESS else deadline
                if end is not None and perf_counter() > end and not tally.complete:
                    break
        if not tally.complete and tally.solutions != plan.limit:
            about = guessed(board, request, started, tally.solutions)
        seconds = perf_counter() - started
        check = verified(board, tally, request)
    except KeyboardInterrupt:
        status, message = INTERRUPTED, f"interrupted: this count is not {'verified' if tally.complete else 'complete'}"
    except RunLostError as error:
        status, message = FAILED, f"{error}; this count is not {'verified' if tally.complete else 'complete'}"
    seconds = seconds or perf_counter() - started
    report = reported(question.source, board, tally, seconds, plan, about, before, check)
    if not report.agrees:
        from enumerator.command.audit import mismatch

        status, message = FAILED, mismatch(report)
    show(report, request.rendering)
    if message:
        complain(message)
    return status


def verified(board: Board, tally: Tally, request: Request) -> Again | None:
    """The count in another way, if that is wanted."""
    if not (request.verify and tally.complete):
        return None
    from enumerator.questions.verify import again

    with Progress(request.progress, perf_counter()) as progress:
        return again(board, tally.engine, tally.solutions, request.plan, progress.show)


def guessed(board: Board, request: Request, started: float, known: int) -> Interval | None:
    """About how many solutions there are, at least those that are known, found out in what is left of the time."""
    from enumerator.questions.estimate import BeyondEstimateError, Interval, estimates

    best = None
    with suppress(BeyondEstimateError):
        for best in estimates(board, max(LEAST_GUESS, started + (request.seconds or 0) - perf_counter())):  # noqa: B007
            pass
    if best is None:
        return None
    return Interval(*(max(bound, known) for bound in (best.solutions.mean, best.solutions.low, best.solutions.high)))


def reported(
    source: str,
    board: Board,
    tally: Tally,
    seconds: float,
    plan: Plan,
    estimate: Interval | None = None,
    before: Before | None = None,
    again: Again | None = None,
) -> Report:
    """What a tally says of a board."""
    return Report(
        source=source,
        board=board,
        solutions=tally.solutions,
        complete=tally.complete,
        nodes=tally.nodes,
        seconds=seconds,
        engine=tally.engine,
        cores=tally.cores,
        requested_cores=plan.cores or tally.cores,
        tasks=tally.tasks,
        estimate=estimate,
        before=before,
        again=again,
    )


def show(report: Report, rendering: str) -> None:
    """Print a report: drawn on a terminal, plain elsewhere."""
    if render := RENDERINGS.get(rendering):
        print(render(report), flush=True)
    else:
        from enumerator.command.terminal import draw_report

        draw_report(report)


def estimate(source: str, board: Board, request: Request) -> int:
    """Say about how many solutions there are, and how long a count would take."""
    from enumerator.questions.estimate import BeyondEstimateError, estimates

    best, status = None, ANSWERED
    try:
        for best in estimates(board, engine=request.plan.engine):  # noqa: B007
            pass
    except KeyboardInterrupt:
        status = INTERRUPTED
        complain("interrupted: this estimate could be better" if best else "interrupted: there is no estimate yet")
    except BeyondEstimateError as error:
        status = FAILED
        complain(f"{printable(source)}: {error}")
    if best:
        renderings = {"json": estimate_as_json, "number": estimate_as_number}
        render = renderings.get(request.rendering, estimate_as_text)
        print(render(source, board, best, request.plan.effective_cores()), flush=True)
    return status


# ---------------------------------------------------------------------------------------------- many boards


def answer_batch(questions: Iterable[Question], request: Request, cores: int, expected: int, status: int) -> int:
    """Answer for many boards at once, in order. One that takes long gets all cores when its turn comes."""
    from enumerator.run.batches import in_order
    from enumerator.run.executors import Mapping, Maps

    plan = request.plan
    work = partial(answers_to, rendering=request.rendering, plan=Plan(plan.cores, plan.limit, engine=plan.engine))
    try:
        start: Callable[[int], Maps] = plan.cluster.mapping if plan.cluster else Mapping
        for answers in in_order(work, questions, cores, expected, lambda question: question.source, complain, start):
            for one in answers:
                if isinstance(one, str):
                    sys.stdout.write(one + "\n")
                    continue
                sys.stdout.flush()
                if isinstance(one, Complaint):
                    status = UNUSABLE
                    complain(one.message)
                else:
                    outcome = answer_one(one.question, request, one.begun)
                    if outcome in (FAILED, INTERRUPTED):
                        return outcome
            sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
        complain("interrupted: not all boards are answered")
    except RunLostError as error:
        status = FAILED
        complain(f"{error}; not all boards are answered")
    return status


def answers_to(questions: list[Question], rendering: str, plan: Plan) -> list[str | Unfinished | Complaint]:
    """Answers in print, in order, worked out on one core."""
    render = RENDERINGS[rendering]
    answers: list[str | Unfinished | Complaint] = []
    for question in questions:
        if question.error:
            answers.append(Complaint(question.error))
            continue
        alone = Alone(question.board, plan)
        alone.step()
        while not alone.finished and alone.seconds < GIVE_UP:
            alone.step()
        if alone.finished:
            answers.append(render(reported(question.source, alone.board, alone.tally, alone.seconds, plan)))
        else:
            answers.append(Unfinished(question, alone.leave()))
    return answers
