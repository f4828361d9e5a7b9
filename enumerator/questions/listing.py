"""Every solution of a board, written to a sink in order; with a ledger, resumed.

sink      where solutions are written: a file, a pipe; it says how many it has written
mark      a place in a file up to which everything is on the disk
ledger    the places at which the list is resumed; what is behind the last mark is written again
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Protocol

from enumerator.board import Board, Shape
from enumerator.engines import Part, PartResult, Place, SolutionList
from enumerator.questions.facts import board_facts
from enumerator.questions.solutions import list_cores, pages, solution_list
from enumerator.run.ledger import Ledger, LedgerContents, run_identity
from enumerator.run.output import Mark, Output
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress


class SolutionSink(Protocol):
    """Takes lines of solutions."""

    def write(self, lines: bytes | bytearray) -> int:
        """Write lines; return the number of solutions written."""
        ...

    def mark(self) -> Mark:
        """Put all that was written on the disk."""
        ...

    def resume(self, mark: Mark, solutions: int) -> None:
        """Continue behind a mark, up to which `solutions` solutions are written. Raise ResumeError."""
        ...


class LineSink:
    """Writes solutions one a line."""

    form = "lines"
    """Its name in a ledger."""

    def __init__(self, output: Output, shape: Shape) -> None:
        self.output, self.shape = output, shape

    def write(self, lines: bytes | bytearray) -> int:
        return self.output.write(lines, len(lines) // (self.shape.cells + 1))

    def mark(self) -> Mark:
        return self.output.mark()

    def resume(self, mark: Mark, solutions: int) -> None:
        self.output.resume(mark, solutions)


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """A list that was written."""

    board: Board
    engine: str
    written: int
    """Solutions written by this run."""
    complete: bool
    """There are no others."""
    cut_off: bool = False
    """It ended at its limit, and there are others."""
    out_of_time: bool = False
    before: int = 0
    """Solutions written by earlier runs."""
    was_finished: bool = False
    """An earlier run has written everything: there was nothing left to do."""

    def to_dict(self) -> dict[str, object]:
        return {
            **board_facts(self.board),
            "engine": self.engine,
            "written": str(self.written),
            "before": str(self.before),
            "complete": self.complete,
        }


class PlaceCodec:
    """Writes the places of a list as parts of a ledger."""

    def __init__(self, solutions: SolutionList) -> None:
        self.engine, self._check = solutions.engine, solutions.check

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        return Part(0, load, share, row)

    def text(self, load: bytes) -> str:
        return load.decode()

    def load(self, text: str) -> bytes:
        self._check(text)
        return text.encode()


def write_list(
    board: Board,
    solutions: SolutionList,
    sink: SolutionSink,
    plan: Plan,
    *,
    time_limit: float | None = None,
    ledger: Ledger | None = None,
    watch: Watch = no_progress,
) -> ListAnswer:
    """Write the solutions of a list, at most `plan.limit`, to a sink, within `time_limit` seconds.

    With a ledger, resume the list that it remembers. Raise LedgerError, ResumeError, RunLostError.
    """
    before = ledger.contents.totals.solutions if ledger else 0
    if ledger:
        sink.resume(find_mark(ledger.contents), before)
        if ledger.contents.finished:
            complete = ledger.contents.complete
            return ListAnswer(board, solutions.engine, 0, complete, before=before, was_finished=True)
    left: float = inf if plan.limit is None else plan.limit - before
    deadline = inf if time_limit is None else perf_counter() + time_limit
    written, is_late = 0, False
    writer = _LedgerWriter(solutions, ledger, sink, plan.pacing) if ledger else _PlainWriter(solutions, sink)
    # one more than are wanted, to know if there are others
    most = None if plan.limit is None else int(left) + 1
    with closing(writer.write_pages(board, list_cores(solutions, plan), most, left)) as counts:
        for number, (lines, some) in enumerate(counts):
            written += some
            left -= lines
            watch(Progress(None, written))
            if number and perf_counter() > deadline:
                is_late = True
                break
    complete = left >= 0 and not is_late
    return ListAnswer(board, solutions.engine, written, complete, left < 0, is_late, before)


def write_file(
    board: Board, path: str, plan: Plan, *, checkpoint: str | None = None, watch: Watch = no_progress
) -> ListAnswer:
    """Write the solutions of a board, at most `plan.limit`, to a file, one a line.

    With a checkpoint, resume the list that it remembers. Raise OSError, LedgerError, ResumeError,
    RunLostError.
    """
    solutions = solution_list(board, plan)
    with Output(path, plan.cores, deferred=checkpoint is not None) as output:
        sink = LineSink(output, board.shape)
        if checkpoint is None:
            return write_list(board, solutions, sink, plan, watch=watch)
        with Ledger(checkpoint, list_identity(board, plan, output, sink.form), pacing=plan.pacing) as ledger:
            return write_list(board, solutions, sink, plan, ledger=ledger, watch=watch)


def list_identity(board: Board, plan: Plan, output: Output, form: str) -> dict[str, str]:
    """Return the facts by which a ledger and a list belong together."""
    return {**run_identity("list", board, plan), "output": output.name, "form": form}


class _PlainWriter:
    """Writes pages that nothing remembers."""

    def __init__(self, solutions: SolutionList, sink: SolutionSink) -> None:
        self.solutions, self.sink = solutions, sink

    def write_pages(
        self, board: Board, cores: int, most: int | None, left: float
    ) -> Generator[tuple[int, int], None, None]:
        """Write pages, at most `left` lines; yield the lines of each, and the solutions written."""
        line = board.shape.cells + 1
        with closing(pages(self.solutions, board.shape, cores, most)) as found:
            for page in found:
                lines = len(page.text) // line
                text = page.text if lines <= left else page.text[: int(left) * line]
                left -= lines
                yield lines, self.sink.write(text) if text else 0


class _LedgerWriter:
    """Writes pages, and notes in a ledger which of them are in the file."""

    def __init__(self, solutions: SolutionList, ledger: Ledger, sink: SolutionSink, pacing: Pacing) -> None:
        self.solutions, self.ledger, self.sink, self.pacing = solutions, ledger, sink, pacing

    def write_pages(
        self, board: Board, cores: int, most: int | None, left: float
    ) -> Generator[tuple[int, int], None, None]:
        """See `_PlainWriter`. What is behind the last mark is cut off when the list is resumed."""
        codec, ledger, line = PlaceCodec(self.solutions), self.ledger, board.shape.cells + 1
        is_begun = bool(ledger.engine)
        parts = ledger.parts(codec) if is_begun else [ledger.begin(codec, self.solutions.whole.name.encode())]
        frontier = deque(parts)
        places = [Place(part.load.decode(), part.share) for part in frontier]
        began = started = marked = perf_counter()
        is_settled = True
        try:
            with closing(pages(self.solutions, board.shape, cores, most, places)) as found:
                for page in found:
                    lines = len(page.text) // line
                    text = page.text if lines <= left else page.text[: int(left) * line]
                    left -= lines
                    is_settled = False
                    written = self.sink.write(text) if text else 0
                    now = perf_counter()
                    behind = [codec.part(place.name.encode(), place.share) for place in page.left]
                    result = PartResult(written, max(1, written), now - began, [])
                    frontier.extendleft(reversed(ledger.settle(frontier.popleft(), result, behind)))
                    is_settled, began = True, now
                    pause = max(self.pacing.first_mark_seconds, (marked - started) / 4)
                    if now - marked > min(self.pacing.mark_seconds, pause):
                        self._mark()
                        marked = perf_counter()
                    yield lines, written
        finally:
            if is_settled:  # an interrupted page is written again
                self._mark()

    def _mark(self) -> None:
        """Put all that was written on the disk, then the ledger that says so."""
        mark = self.sink.mark()
        self.ledger.note(bytes=str(mark.size), tail=mark.tail.hex())
        self.ledger.commit(last=True)


def find_mark(contents: LedgerContents) -> Mark:
    """Return the mark up to which a ledger has solutions in their file."""
    return Mark(int(contents.run.get("bytes", "0")), bytes.fromhex(contents.run.get("tail", "")))
