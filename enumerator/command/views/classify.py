"""The view of --classify: the verdict on each board, which is unique, multiple, none or unknown.

`enumerator.command.chunks` reads and classifies the boards.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from enumerator.board.phrases import plural
from enumerator.command import console
from enumerator.command.console import ANSWERED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from collections.abc import Generator
    from threading import Event

    from enumerator.command.chunks import ChunkResult
    from enumerator.command.progress import ProgressBar
    from enumerator.command.request import Request

CHUNKS_AHEAD = 64
"""The number of chunks that are read ahead from a pipe."""

ALONE_BYTES = 100_000
"""The total size of files below which threads are started only for boards that take longer."""


class ClassifyView(View[Any]):
    """One verdict per line; in JSON, with the solution of a board that has exactly one."""

    arguments = option(
        action="store_true", help="the verdict on each board: unique, multiple or none; unknown after --time-limit"
    )
    special_options = frozenset(["quiet", "time_limit"])

    def answer(self, request: Request) -> int:
        from threading import Event

        stop, classified = Event(), Classified(request)
        try:
            with request.bar() as bar:
                for result in classify_files(request, stop, classified, bar):
                    classified.print(result, bar)
            console.flush()
        except KeyboardInterrupt:
            console.write_at_once()
            complain(f"interrupted after {plural(classified.boards, 'board', '{:,}')}: the others are not classified")
            return INTERRUPTED
        finally:
            stop.set()
        return classified.status


class Classified:
    """The boards that are classified so far, and how they are shown."""

    def __init__(self, request: Request) -> None:
        from enumerator.board.files import STANDARD_INPUT
        from enumerator.command.boards import file_size

        names = request.options.boards
        self.boards, self.status = 0, ANSWERED
        self.total_bytes = sum(map(file_size, names))
        self.has_pipe = STANDARD_INPUT in names or not self.total_bytes
        """True if boards may arrive slowly."""
        self._bytes = 0.0
        self._is_scrolling = request.has_bar and sys.stdout.isatty()

    def print(self, result: ChunkResult, bar: ProgressBar) -> None:
        """Print the verdicts on a chunk, and the error of a board that cannot be read."""
        if self._is_scrolling:
            bar.hide()
        self.boards += result.boards  # before they are printed: an interrupt may follow at once
        self._bytes += result.text_bytes
        console.write(result.text)
        if self.has_pipe or self._is_scrolling or result.error:
            console.flush()
        if result.error:
            self.status = UNUSABLE
            complain(result.error)
        self.show(bar)

    def show(self, bar: ProgressBar) -> None:
        """Show the number of boards, and the share of the files that they were read from."""
        from enumerator.run.progress import Progress

        is_known = not self.has_pipe and 0 < self._bytes <= self.total_bytes
        bar.show(Progress(self._bytes / self.total_bytes if is_known else None, boards=self.boards))


def classify_files(request: Request, stop: Event, classified: Classified, bar: ProgressBar) -> Generator[ChunkResult]:
    """Yield the verdicts on the boards of files, in order, chunk by chunk.

    The boards of small files are classified in this thread, until one takes longer.
    """
    from operator import attrgetter

    from enumerator.command.chunks import Classifier, split_files
    from enumerator.engines.lists import Work
    from enumerator.run.ordered import map_growing, map_ordered
    from enumerator.run.readahead import ReadAhead

    do, chunks, size = Classifier(request, stop).classify, split_files(request), attrgetter("size")
    tick = (lambda: classified.show(bar)) if request.has_bar else None
    if not classified.has_pipe and classified.total_bytes < ALONE_BYTES:
        yield from map_growing(Work(do, chunks), request.plan.effective_cores, stop, size=size, tick=tick)
        return
    cores = request.plan.effective_cores()
    if not classified.has_pipe or (cores == 1 and tick is None):
        yield from map_ordered(Work(do, chunks), cores, stop, size=size, tick=tick)
        return
    ahead = ReadAhead(chunks, CHUNKS_AHEAD)
    try:
        yield from map_ordered(Work(do, ahead), cores, stop, size=size, tick=tick)
    finally:
        ahead.close()


VIEW = ClassifyView()
