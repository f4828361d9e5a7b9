"""Many boards of files, answered in chunks on threads.

The answers are in order:

chunks -> threads -> answers in print -> standard output, or the file of --output
             |
             +-> a board that takes long: all cores answer for it when its turn comes
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from operator import attrgetter
from threading import Event
from typing import TYPE_CHECKING, Any

from enumerator.board.files import STANDARD_INPUT
from enumerator.command import console
from enumerator.command.boards import Answered, answer_one, file_size
from enumerator.command.chunks import Answerer, Chunk, ChunkQuestion, ChunkResult, NamedBoard
from enumerator.command.console import FAILED, INTERRUPTED
from enumerator.engines.lists import Work
from enumerator.run.maps.ordered import map_growing, map_ordered
from enumerator.run.maps.readahead import ReadAhead
from enumerator.run.progress import Progress

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.command.views import View
    from enumerator.questions.progress_bar import ProgressBar

CHUNKS_AHEAD = 64
"""The number of chunks that are read ahead from a pipe."""

ALONE_BYTES = 100_000
"""The total size of files below which threads are started only for boards that take longer."""


def answer_chunks(
    view: View[Any], question: ChunkQuestion, chunks: Iterator[Chunk], request: Request, answered: Answered
) -> int:
    """Answer for the boards of all chunks in order, and return the exit status.

    `answered` are the boards before them.
    """
    stop, batch = Event(), Batch(view, question, request, answered)
    try:
        with request.bar() as bar:
            for result in map_chunks(Work(Answerer(question, stop).answer, chunks), request, stop, batch, bar):
                outcome = batch.take(result, bar)
                if outcome == INTERRUPTED or (outcome == FAILED and view.ends_on_failure):
                    return answered.end(outcome)
        console.flush()
    except KeyboardInterrupt:
        console.write_at_once()
        answered.report_interrupt()
        return INTERRUPTED
    finally:
        stop.set()
    return answered.status


class Batch:
    """The boards that are answered so far, and how they are shown."""

    def __init__(self, view: View[Any], question: ChunkQuestion, request: Request, answered: Answered) -> None:
        names, self.question = request.options.boards, question
        self.view, self.request, self.answered = view, request, answered
        self.total_bytes = sum(map(file_size, names))
        self.has_pipe = STANDARD_INPUT in names or not self.total_bytes
        """True if boards may arrive slowly."""
        self._bytes = 0.0
        self._is_scrolling = request.has_bar and sys.stdout.isatty()

    def take(self, result: ChunkResult, bar: ProgressBar) -> int:
        """Print the answers for some boards, or answer for one that is left. Return the exit status."""
        name, board, start = result.left or (result.name, None, None)
        self._bytes += result.text_bytes
        if board or result.error:
            bar.hide()
            outcome = answer_one(self.view, NamedBoard(name, board, result.error), self.request, start)
            self.answered.add(outcome)
            self.show(bar)
            return outcome
        if self._is_scrolling:
            bar.hide()
        self.answered.boards += result.boards  # before they are printed: an interrupt may follow at once
        if result.text.text:
            self.view.write_block(result.text, self.request)
            if self.has_pipe or self._is_scrolling:
                console.flush()
        self.show(bar)
        return self.answered.status

    def show(self, bar: ProgressBar) -> None:
        """Show the number of boards, the share of the files that they were read from, and work on a hard one."""
        is_known = not self.has_pipe and 0 < self._bytes <= self.total_bytes
        hard = self.question.at_work or Progress()
        share = self._bytes / self.total_bytes if is_known else None
        bar.show(hard._replace(share=share, solutions=None, boards=self.answered.boards))


def map_chunks(
    work: Work[Chunk, ChunkResult], request: Request, stop: Event, batch: Batch, bar: ProgressBar
) -> Generator[ChunkResult, None, None]:
    """Yield the answers for the boards of files, in order, chunk by chunk.

    The boards of small files are answered in this thread, until one takes longer.
    """
    size, tick = attrgetter("size"), (lambda: batch.show(bar)) if request.has_bar else None
    if not batch.has_pipe and batch.total_bytes < ALONE_BYTES:
        yield from map_growing(work, request.plan.effective_cores, stop, size=size, tick=tick)
        return
    cores = request.plan.effective_cores()
    if not batch.has_pipe or (cores == 1 and tick is None):
        yield from map_ordered(work, cores, stop, size=size, tick=tick)
        return
    ahead = ReadAhead(work.tasks, CHUNKS_AHEAD)
    try:
        yield from map_ordered(work._replace(tasks=ahead), cores, stop, size=size, tick=tick)
    finally:
        ahead.close()
