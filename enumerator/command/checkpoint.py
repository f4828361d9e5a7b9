"""Ledgers, as the command has them: which question one is of, and what it says when it is asked how far it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from contextlib import closing
from time import perf_counter

from enumerator.board.wording import lasting, plural, printable
from enumerator.command.console import ANSWERED, UNUSABLE, complain
from enumerator.command.output import Mark, Output
from enumerator.command.report import lines
from enumerator.command.request import Question, Request
from enumerator.engines import Done
from enumerator.questions.solutions import Lines, List, Place
from enumerator.run.ledger.contents import Book, LedgerError, read
from enumerator.run.ledger.ledger import Ledger, asked


def opened(question: Question, request: Request) -> Ledger:
    """The ledger of a question, new or gone on with. Raises LedgerError."""
    run = asked(request.wanted, question.board, request.plan)
    if request.output:
        run["output"] = request.output.name
        run["form"] = "grids" if request.grids else "json" if request.rendering == "json" else "lines"
        if request.rendering == "json":  # which has it in each line
            run["source"] = printable(question.source)
    name = question.source.encode(errors="backslashreplace").decode()  # a file's name need not be text
    return Ledger(request.checkpoint or "", run, {"name": name})


def kept(
    found: List, ledger: Ledger, output: Output, cores: int, limit: int | None
) -> Generator[bytearray, None, None]:
    """The lines of a list from where a ledger has it, or so many and one more. Those that were written are noted in it.

    What is behind the last mark in the file is cut off when the list is gone on with, and written again.
    """
    kind, begun = Lines(found), perf_counter()
    whole = [] if ledger.engine else [ledger.begin(kind, found.whole.encode())]
    frontier = deque(whole or ledger.parts(kind))
    places = [Place(part.load.decode(), part.share) for part in frontier]
    started = noted = begun
    written, taken = output.solutions, output.taken
    try:
        with closing(found.pages(cores, None if limit is None else limit + 1, places)) as pages:
            for page in pages:
                yield page.text
                now, solutions = perf_counter(), output.solutions - written
                left = [kind.part(place.name.encode(), place.share) for place in page.left]
                done = Done(solutions, max(1, solutions), now - begun, [])
                frontier.extendleft(reversed(ledger.settle(frontier.popleft(), done, left)))
                begun, written, taken = now, output.solutions, output.taken
                if now - noted > min(MARK_SECONDS, max(FIRST_MARK_SECONDS, (noted - started) / 4)):
                    note(ledger, output)
                    noted = perf_counter()
    finally:
        if output.taken == taken:  # and not more, of a page that was interrupted
            note(ledger, output)


def marked(book: Book) -> Mark:
    """Up to where a ledger has solutions in their file."""
    return Mark(int(book.run.get("bytes", "0")), bytes.fromhex(book.run.get("tail", "")))


def note(ledger: Ledger, output: Output) -> None:
    """Have all that was written on the disk, then the ledger that says so."""
    mark = output.mark()
    ledger.note(bytes=str(mark.size), tail=mark.tail.hex())
    ledger.commit(last=True)


FIRST_MARK_SECONDS, MARK_SECONDS = 0.1, 2.0
"""Between two marks of a list, at first and later: so much of it may have to be written again."""


def show_status(names: list[str], rendering: str) -> int:
    """Say how far the runs of some ledgers are."""
    status = ANSWERED
    for name in names:
        try:
            book, running = read(name, lambda _: False)
        except LedgerError as error:
            complain(str(error))
            status = UNUSABLE
            continue
        renderings = {"json": as_json, "number": as_number}
        print(renderings.get(rendering, as_text)(name, book, running), flush=True)
    return status


def state(book: Book, running: bool) -> str:
    if book.finished:
        return "finished"
    return "running" if running else "stopped"


def as_number(_name: str, book: Book, _running: bool) -> str:
    """The number of solutions alone; + is "at least"."""
    return f"{book.account.solutions}{'' if book.complete else '+'}"


def as_json(name: str, book: Book, running: bool) -> str:
    """One object; integers that may not fit into 53 bits are strings."""
    import json

    run, known = book.run, book.account
    return json.dumps(
        {
            "ledger": name,
            "state": state(book, running),
            "source": run.get("name", ""),
            "question": run["question"],
            "shape": run["shape"],
            "board": run["board"],
            "engine": run["engine"],
            "at_work": book.engine,
            "cutoff": run.get("cutoff") or None,
            "limit": run.get("limit") or None,
            "output": run.get("output"),
            "version": run["version"],
            "created": run.get("created"),
            "solutions": str(known.solutions),
            "complete": book.complete,
            "share": round(known.share, 9),
            "tasks": {"finished": known.finished, "open": known.open},
            "effort": str(known.effort),
            "seconds": round(book.seconds, 6),
            "worked_seconds": round(known.worked, 6),
        }
    )


def as_text(name: str, book: Book, running: bool) -> str:
    """One fact a line."""
    run, known = book.run, book.account
    share = min(max(known.share, 0.0), 1.0)
    time = lasting(book.seconds)
    if not book.finished and share > 1e-14:  # below, it is mostly rounding
        time += f" so far, about {lasting(book.seconds * (1 - share) / share)} left"
    engine = run["engine"] if book.engine in ("", run["engine"]) else f"{run['engine']}: {book.engine}"
    facts = [
        ("state", state(book, running)),
        ("board", f"{run.get('name', '')}, {run['shape']}"),
        ("question", " ".join(filter(None, [run["question"], f"limit {run['limit']}" if run.get("limit") else ""]))),
        *([("output", run["output"])] if "output" in run else []),
        ("engine", engine),
        ("cut-off", run.get("cutoff") or "none"),
        ("version", run["version"]),
        ("begun", run.get("created", "")),
        ("solutions", f"{known.solutions:,}" if book.complete else f"at least {known.solutions:,}"),
        ("done", f"{100 * share:.3g} %"),
        ("tasks", f"{plural(known.finished, 'task', '{:,}')} finished, {known.open:,} open"),
        ("time", time),
    ]
    return lines(printable(name), [(label, printable(value)) for label, value in facts])
