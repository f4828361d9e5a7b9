"""Every solution of a board, written to a sink in order. A ledger makes the list resumable.

Terms:

    sink      an object that solutions are written to: a file or a pipe; it counts them
    mark      a place in a file up to which everything is on disk
    ledger    the record of the places where the list continues; work after a mark is repeated
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import Part, PartResult
from enumerator.engines.interfaces import Page, Place, SolutionList
from enumerator.questions.ask import within
from enumerator.questions.fields import board_facts
from enumerator.questions.solutions import Frontier, build_index, list_cores, solution_list
from enumerator.questions.solutions import pages as list_pages
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.run.solution_file import Mark
from enumerator.run.solution_file import Output as Output
from enumerator.text.phrases import plural, whole

if TYPE_CHECKING:
    from gmpy2 import mpq

    from enumerator.run.ledger import Ledger, LedgerContents  # and SQLite: 10 ms that most lists do not need


TOTAL_AFTER_SECONDS, TOTAL_SECONDS = 0.3, 1.0
"""The age of a list at which its solutions are counted, for the progress, and the most time for that.

A contraction counts the solutions of most boards in 1 to 100 ms.
"""


class LineSink:
    """A sink that writes one solution per line. Sinks of other forms are subclasses."""

    form = "lines"
    """The name of this format in a ledger."""

    def __init__(self, output: Output, shape: Shape) -> None:
        self.output, self.shape = output, shape

    def write(self, lines: bytes | bytearray) -> int:
        """Write lines; return the number of solutions written."""
        return self.output.write(lines, len(lines) // (self.shape.cells + 1))

    def mark(self) -> Mark:
        """Flush everything written to disk, and return the mark there."""
        return self.output.mark()

    def resume(self, mark: Mark, solutions: int) -> None:
        """Continue at a mark, which has `solutions` solutions before it; raise ResumeError on failure."""
        self.output.resume(mark, solutions)


@dataclass(frozen=True, slots=True, repr=False)
class ListAnswer:
    """The result of writing a list.

    >>> en.write_solutions("1234 3412 .... ....", "list.txt").written
    4
    """

    board: Board
    engine: str
    written: int
    """The number of solutions written by this run."""
    complete: bool
    """True if all solutions are written."""
    cut_off: bool = False
    """True if the list ended at its limit and there are more solutions."""
    out_of_time: bool = False
    """True if the list ended at its time limit."""
    before: int = 0
    """The number of solutions written by earlier runs."""
    was_finished: bool = False
    """True if an earlier run had finished the list, so that nothing was left to do."""

    def __repr__(self) -> str:
        earlier = f", {whole(self.before, '{:,}')} by earlier runs" if self.before else ""
        written = plural(self.written, "solution", "{:,}")
        return f"<ListAnswer: {written} written{earlier}, {'all' if self.complete else 'not all'}>"

    def to_dict(self) -> dict[str, object]:
        return {
            **board_facts(self.board),
            "engine": self.engine,
            "written": str(self.written),
            "before": str(self.before),
            "complete": self.complete,
        }


class RecordedPlaces:
    """The places where a list continues, which are the parts of a ledger."""

    def __init__(self, solutions: SolutionList, ledger: Ledger) -> None:
        self.engine, self._check, self._ledger = solutions.engine, solutions.check, ledger
        self._open = deque(
            ledger.parts(self) if ledger.engine else [ledger.begin(self, self.load(solutions.whole.name))]
        )
        self._began = perf_counter()

    def places(self) -> list[Place]:
        """Return the places that are open."""
        from enumerator.engines.shares import to_pair

        return [Place(part.load.decode(), to_pair(part.share)) for part in self._open]

    def close_page(self, page: Page, solutions: int) -> None:
        """Record that the next page is done, and has so many solutions."""
        from gmpy2 import mpq

        now, left = perf_counter(), [self.part(name.encode(), mpq(*share)) for name, share in page.left]
        result = PartResult(solutions, max(1, solutions), now - self._began, [])
        self._open.extendleft(reversed(self._ledger.close_part(self._open.popleft(), result, left)))
        self._began = now

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        return Part(0, load, share, row)

    def text(self, load: bytes) -> str:
        return load.decode()

    def load(self, text: str) -> bytes:
        self._check(text)
        return text.encode()


def write_list(
    board: Board,
    solutions: SolutionList,
    sink: LineSink,
    plan: Plan,
    *,
    time_limit: float | None = None,
    ledger: Ledger | None = None,
    watch: Watch = no_progress,
) -> ListAnswer:
    """Write the solutions of a list, at most `plan.limit`, to a sink, within `time_limit` seconds.

    With a ledger, resume the list that it records. Raise ResumeError if the sink does not fit the
    ledger, LedgerError if the ledger is corrupted, and RunLostError if the ledger cannot be
    written.
    """
    before = ledger.contents.totals.solutions if ledger else 0
    if ledger:
        sink.resume(find_mark(ledger.contents), before)
        if ledger.contents.finished:
            complete = ledger.contents.complete
            return ListAnswer(board, solutions.engine, 0, complete, before=before, was_finished=True)
    deadline = inf if time_limit is None else perf_counter() + time_limit
    writer = (_LedgerWriter if ledger else _Writer)(board, solutions, sink, plan)
    written, lines, is_late = 0, 0, False
    with closing(writer.pages(ledger)) as pages:
        for number, page in enumerate(pages):
            if number and perf_counter() > deadline:
                is_late = True
                break
            lines += writer.lines_of(page)
            written += writer.write(page)
            if watch is not no_progress:
                watch(writer.progress(page, written, before))
    is_cut_off = lines > writer.wanted
    complete = not (is_cut_off or is_late)
    return ListAnswer(board, solutions.engine, written, complete, is_cut_off, is_late, before)


def write_file(
    board: Board,
    path: str,
    plan: Plan,
    *,
    time_limit: float | None = None,
    checkpoint: str | None = None,
    watch: Watch = no_progress,
) -> ListAnswer:
    """Write the solutions of a board, at most `plan.limit`, to a file, one per line.

    The list ends after `time_limit` seconds.
    With a checkpoint, resume the list that it records. Raise OSError if the file cannot be written,
    and the errors of `write_list`.
    """
    solutions = solution_list(board, plan)
    with Output(path, plan.cores, deferred=checkpoint is not None) as output:
        sink = LineSink(output, board.shape)
        if checkpoint is None:
            return write_list(board, solutions, sink, plan, time_limit=time_limit, watch=watch)
        from enumerator.run.ledger import Ledger

        with Ledger(checkpoint, list_identity(board, plan, output, sink.form), pacing=plan.pacing) as ledger:
            return write_list(board, solutions, sink, plan, time_limit=time_limit, ledger=ledger, watch=watch)


def list_identity(board: Board, plan: Plan, output: Output, form: str) -> dict[str, str]:
    """Return the facts that identify a list. A ledger is resumed only by a list with the same facts."""
    from enumerator.run.ledger import run_identity

    return {**run_identity("list", board, plan), "output": output.name, "form": form}


class _Writer:
    """A writer of the pages of a list to a sink, up to the limit."""

    def __init__(self, board: Board, solutions: SolutionList, sink: LineSink, plan: Plan) -> None:
        self.board, self.solutions, self.sink, self.plan = board, solutions, sink, plan
        self.line = board.shape.cells + 1
        self.wanted: float = inf if plan.limit is None else plan.limit
        """The number of lines that this run is to write."""
        self._left = self.wanted
        self._frontier = Frontier(solutions.engine)
        self._total: int | None = None
        self._total_due = perf_counter() + TOTAL_AFTER_SECONDS

    def pages(self, ledger: Ledger | None) -> Generator[Page, None, None]:
        """Yield the pages to write. They have one line more than `wanted`, to know if there are others."""
        return self._pages(None)

    def _pages(self, places: Sequence[Place] | None) -> Generator[Page, None, None]:
        most = None if self.wanted == inf else int(self.wanted) + 1
        self._frontier = Frontier(self.solutions.engine, places)
        return list_pages(self.solutions, self.board.shape, list_cores(self.solutions, self.plan), most, places)

    def lines_of(self, page: Page) -> int:
        return len(page.text) // self.line

    def write(self, page: Page) -> int:
        """Write a page, and return the number of solutions written."""
        lines = self.lines_of(page)
        text = page.text if lines <= self._left else page.text[: int(self._left) * self.line]
        self._left -= min(lines, self._left)
        return self.sink.write(text) if text else 0

    def progress(self, page: Page, written: int, before: int) -> Progress:
        """Return the progress after a page.

        It is called once for each page, in order. `written` and `before` are the solutions of this run
        and of earlier ones.
        """
        limit, found = self.plan.limit, before + written
        known = self._frontier.progress(page, found, limit)
        if self._total is None and limit is None and perf_counter() > self._total_due:
            self._total, self._total_due = self._count(), inf
        if self._total:
            return Progress(min(1.0, found / self._total), found, total=self._total)
        return known

    def _count(self) -> int | None:
        """Return the number of solutions, if it is known without visiting them."""
        if self.solutions.visits:
            return None
        try:
            return build_index(self.solutions, 1, watch=within(TOTAL_SECONDS)).total
        except OutOfTimeError:
            return None


class _LedgerWriter(_Writer):
    """A writer that also records in a ledger which pages are in the file."""

    def pages(self, ledger: Ledger | None) -> Generator[Page, None, None]:
        """Yield the pages that the ledger does not record. The file has been truncated at its last mark."""
        if ledger is None:
            raise RuntimeError("there is no ledger")
        self._ledger, self._recorded = ledger, RecordedPlaces(self.solutions, ledger)
        self.wanted -= ledger.contents.totals.solutions
        self._left = self.wanted
        self._started = self._marked = perf_counter()
        self._is_settled = True
        try:
            yield from self._pages(self._recorded.places())
        finally:
            if self._is_settled:  # a page that was interrupted is not marked, and is written again
                self._mark()

    def write(self, page: Page) -> int:
        self._is_settled = False
        written = super().write(page)
        self._recorded.close_page(page, written)
        self._is_settled, now, pacing = True, perf_counter(), self.plan.pacing
        pause = max(pacing.first_mark_seconds, (self._marked - self._started) / 4)
        if now - self._marked > min(pacing.mark_seconds, pause):
            self._mark()
        return written

    def _mark(self) -> None:
        """Flush the file to disk, then commit its mark to the ledger."""
        mark = self.sink.mark()
        self._ledger.note(bytes=str(mark.size), tail=mark.tail.hex())
        self._ledger.commit(last=True)
        self._marked = perf_counter()


def find_mark(contents: LedgerContents) -> Mark:
    """Return the mark that a ledger records."""
    return Mark(int(contents.run.get("bytes", "0")), bytes.fromhex(contents.run.get("tail", "")))
