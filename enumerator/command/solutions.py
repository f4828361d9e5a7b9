"""Answers that are more than a number: the solutions of a board, some of them, or where their digits stand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import islice
from math import inf
from time import perf_counter
from typing import TypeAlias

from enumerator.board.wording import lasting, plural, printable
from enumerator.board.writing import as_grid
from enumerator.command.candidates import Shares, as_json, as_table, as_text
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.output import NotOursError
from enumerator.command.progress import Progress
from enumerator.command.request import Question, Request
from enumerator.questions.candidates import counted
from enumerator.questions.solutions import (
    List,
    NoSuchSolutionError,
    OutOfTimeError,
    boards,
    listed,
    nth_line,
    patience,
    sampled_lines,
    texts,
)
from enumerator.run import RunLostError
from enumerator.run.ordered import Watch

Pages: TypeAlias = Generator[bytes | bytearray, None, None]

SAMPLES = 1_024
"""Solutions of a sample that are written at a time."""


def list_all(question: Question, request: Request) -> int:
    """Write every solution, or so many."""
    found, limit = listed(question.board, request.plan.engine), request.plan.limit
    if request.checkpoint is not None:
        return list_on(question, request, found)
    most = None if limit is None else limit + 1  # to know whether there is one more
    return write(question, request, found, lambda cores, _: limited(question, request, texts(found.pages(cores, most))))


def list_on(question: Question, request: Request, found: List) -> int:
    """The same, with a ledger: go on where it was left."""
    from enumerator.command.checkpoint import kept, marked, opened
    from enumerator.run.ledger.contents import LedgerError

    output, limit = request.output, request.plan.limit
    if output is None:
        raise RuntimeError("nowhere to write to")
    try:
        with opened(question, request) as ledger:
            before = ledger.book.account.solutions
            try:
                output.go_on(marked(ledger.book), before)
            except OSError as error:
                complain(f"{output.name}: {error.strerror or error}")
                return UNUSABLE
            if ledger.book.finished:
                complain(f"{output.name}: {plural(before, 'solution', '{:,}')} written before, there is nothing to do")
                return ANSWERED
            left = None if limit is None else limit - before
            return write(
                question,
                request,
                found,
                lambda cores, _: limited(question, request, kept(found, ledger, output, cores, left), before),
            )
    except (LedgerError, NotOursError) as error:
        complain(str(error))
        return UNUSABLE


def limited(question: Question, request: Request, pages: Pages, before: int = 0) -> Pages:
    """Pages, cut off behind the last line that is wanted, where so many were written before."""
    limit, line = request.plan.limit, len(question.cells) + 1
    left = inf if limit is None else limit - before
    with closing(pages):
        for page in pages:
            lines = len(page) // line
            yield page if lines <= left else page[: int(left) * line]
            left -= lines
    if left < 0 and limit is not None:
        complain(f"{printable(question.source)}: stopped after {plural(limit, 'solution', '{:,}')}: there are more")


def nth(question: Question, request: Request) -> int:
    """Write one solution by its place."""
    found = listed(question.board, request.plan.engine)

    def pages(cores: int, watch: Watch) -> Pages:
        yield nth_line(found, request.number, cores, inf if request.seconds is None else request.seconds, watch)

    return write(question, request, found, pages)


def sample(question: Question, request: Request) -> int:
    """Write some solutions by chance."""
    found = listed(question.board, request.plan.engine)

    def pages(cores: int, watch: Watch) -> Pages:
        lines = sampled_lines(found, request.number, request.seed, cores, patience(found, request.seconds), watch)
        while some := b"".join(islice(lines, SAMPLES)):
            yield some

    return write(question, request, found, pages)


def write(question: Question, request: Request, found: List, pages: Callable[[int, Watch], Pages]) -> int:
    """Write pages of solutions as they come."""
    name, output = printable(question.source), request.output
    if output is None:
        raise RuntimeError("nowhere to write to")
    before, deadline = output.solutions, request.deadline()
    status, message = ANSWERED, ""

    def written() -> str:
        return f"{plural(output.solutions - before, 'solution', '{:,}')} written"

    try:
        cores = 1 if found.is_short else request.plan.effective_cores()
        with Progress(request.progress, perf_counter()) as progress, closing(pages(cores, progress.show)) as some:
            for number, page in enumerate(some):
                if number and deadline is not None and perf_counter() > deadline:
                    status, message = FAILED, f"{name}: the time is up; {written()}, not all"
                    break
                for text, solutions in dressed(page, question, request):
                    output.write(text, solutions)
                progress.show(None, output.solutions - before)
    except KeyboardInterrupt:
        status, message = INTERRUPTED, f"interrupted: {name}: {written()}"
    except RunLostError as error:
        status, message = FAILED, f"{error}; {written()}, not all"
    except NoSuchSolutionError as error:
        status, message = UNUSABLE, f"{name}: {error}"
    except OutOfTimeError:
        allowed = lasting(patience(found, request.seconds))
        status, message = FAILED, f"{name}: its solutions cannot be counted in {allowed}, so none of them can be picked"
        message += f" ({'a longer ' if request.seconds else ''}--time-limit allows for more)"
    if message:
        complain(message)
    return status


def dressed(page: bytes | bytearray, question: Question, request: Request) -> Iterator[tuple[bytes | bytearray, int]]:
    """A page of lines as it is to be written, some solutions at a time, with their number."""
    solutions = len(page) // (len(question.cells) + 1)
    if request.rendering == "json":
        begin, end = around(question, request)
        yield b"".join(begin + line + end for line in bytes(page).split()), solutions
    elif request.grids:
        for board in boards(question.board.shape, [page]):
            gap = "\n" if request.output and request.output.solutions else ""
            yield f"{gap}{as_grid(board)}\n".encode(), 1
    else:
        yield page, solutions


def around(question: Question, request: Request) -> tuple[bytes, bytes]:
    """What stands before a solution in its JSON object, and behind it."""
    import json

    facts: dict[str, object] = {"source": question.source}
    if request.wanted == "nth":
        facts["nth"] = str(request.number)
    elif request.wanted == "sample":
        facts["seed"] = request.seed
    begin, _, end = json.dumps({**facts, "solution": "|"}).rpartition("|")
    return begin.encode(), f"{end}\n".encode()


def candidates(question: Question, request: Request) -> int:
    """Say in how many solutions each digit stands in each cell."""
    board, plan, name = question.board, request.plan, printable(question.source)
    seconds = inf if request.seconds is None else request.seconds
    started, cores = perf_counter(), plan.effective_cores()
    try:
        with Progress(request.progress, started) as progress:
            counts, engine = counted(board, cores, plan.engine, seconds, progress.show)
    except KeyboardInterrupt:
        complain(f"interrupted: {name}: the candidates are not counted")
        return INTERRUPTED
    except OutOfTimeError:
        complain(f"{name}: the candidates cannot be counted in {lasting(seconds)}")
        return FAILED
    show(Shares(question.source, board, counts, engine, cores, perf_counter() - started), request.rendering)
    return ANSWERED


def show(shares: Shares, rendering: str) -> None:
    """Print candidates: drawn on a terminal, plain elsewhere."""
    if rendering == "drawing":
        from enumerator.command.terminal import draw_shares

        draw_shares(shares)
    else:
        renderings = {"json": as_json, "number": as_table, "text": as_text}
        print(renderings[rendering](shares), flush=True)


ANSWERS: dict[str, Callable[[Question, Request], int]] = {
    "list": list_all,
    "nth": nth,
    "sample": sample,
    "candidates": candidates,
}
