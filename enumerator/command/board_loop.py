"""The loop of the command: the boards that its options name are answered in order, and printed.

`enumerator.questions.many` answers for them. A board that it leaves is answered here, on all cores.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from functools import cached_property, partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

from enumerator.board.files import STANDARD_INPUT
from enumerator.command import console
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.inputs import closing_reader, file_size, split_files
from enumerator.questions.ask import Progress, RunLostError
from enumerator.questions.chunks import Chunk, ChunkReader, NamedBoard
from enumerator.questions.many import Asking, Result, answer_many, load_engines
from enumerator.questions.plans import AUTO
from enumerator.run.signals import one_step
from enumerator.text.phrases import plural, printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.command.views import View
    from enumerator.questions.progress_bar import ProgressBar

ONE_BOARD_OPTIONS = ("checkpoint", "svg", "html", "trace")
"""The options that name a file for one board."""

FLUSH_SECONDS = 0.1
"""The longest time that an answer waits for others to be written with it."""


def answer_boards(view: View[Any], request: Request) -> int:
    """Answer for every board of the files that the options name, and return the exit status."""
    options, engine = request.options, request.plan.engine
    with closing_reader(split_files(request)) as chunks:
        reader = ChunkReader(chunks)
        if single := next((name for name in ONE_BOARD_OPTIONS if getattr(options, name, None) is not None), ""):
            first = list(islice(reader, 2))
            second = next((chunk for chunk in [*split_first(first), None]), None)
            if second:
                complain(f"--{single} is for one board: {printable(second.first.source)} is another")
                return UNUSABLE
            reader.put_back(first)
        if view.takes("engine"):
            load_engines(engine)
        return BoardsRun(view, request, reader).run()


def split_first(chunks: list[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of all boards but the first."""
    for number, chunk in enumerate(chunks):
        yield from [chunk] if number else chunk.split(1)[1]


def check_board(named: NamedBoard, engine: str) -> NamedBoard:
    """Return a board, with an error if the engine that was chosen does not take it."""
    if named.board is None or engine == AUTO:
        return named
    from enumerator.questions.checks import check_engine

    try:
        check_engine(named.board, engine)
    except ValueError as reason:
        return named._replace(error=f"{printable(named.source)}: {reason} (--engine search)")
    return named


class BoardsRun:
    """The boards that are answered so far, the exit status, and how they are shown."""

    def __init__(self, view: View[Any], request: Request, reader: ChunkReader) -> None:
        names = request.options.boards
        self.view, self.request, self.reader = view, request, reader
        self.boards, self.status = 0, ANSWERED
        self.has_pipe = STANDARD_INPUT in names or not any(map(file_size, names))
        """True if boards may arrive slowly."""
        self.total_bytes = 0 if self.has_pipe else sum(map(file_size, names))
        self._bytes, self._flushed = 0.0, perf_counter()
        self._bar: ProgressBar | None = None
        """The bar of all boards. Those that are left have bars of their own."""
        self._is_scrolling = request.has_bar and sys.stdout.isatty()

    @cached_property
    def asking(self) -> Asking:
        """The question as it is asked of many boards. Many modules are imported for it."""
        return self.view.many(self.request)

    def run(self) -> int:
        """Answer for all boards in order, and return the exit status."""
        try:
            return self._answer_all()
        except KeyboardInterrupt:
            if not self.boards and self.view.begins_alone:
                raise
            console.write_at_once()
            self.report_interrupt()
            return INTERRUPTED
        except RunLostError as error:
            complain(f"{error}; not all boards are answered")
            return FAILED
        finally:
            if self._bar:
                self._bar.close()

    def _answer_all(self) -> int:
        for result in self._results():
            self._bytes += result.text_bytes
            if result.left is None:
                if self._is_scrolling and self._bar:
                    self._bar.hide()
                self._write(result)
                self.show()
                continue
            if self._bar:
                self._bar.hide()
            outcome = self._answer_left(result, result.left)
            if outcome == INTERRUPTED or (outcome == FAILED and self.view.ends_on_failure):
                if outcome == INTERRUPTED and self.boards:
                    self.report_interrupt()
                return outcome
            self.boards += 1
            self.status = max(self.status, outcome)
        console.flush()
        return self.status

    def _results(self) -> Generator[Result, None, None]:
        return answer_many(
            lambda: self.asking,
            self.reader,
            self.request.plan,
            begins_alone=self.view.begins_alone,
            check=partial(check_board, engine=self.request.plan.engine),
            total_bytes=self.total_bytes,
            tick=self.show if self.request.has_bar else None,
        )

    @one_step
    def _write(self, result: Result) -> None:
        """Print some answers, and count their boards."""
        self.boards += result.boards
        if result.shown is not None:
            self.view.write_block(result.shown, self.request)
            if self.has_pipe or self._is_scrolling or perf_counter() > self._flushed + FLUSH_SECONDS:
                console.flush()
                self._flushed = perf_counter()

    def _answer_left(self, result: Result, named: NamedBoard) -> int:
        """Answer for a board, on all cores if it takes them. Show why another one has no answer."""
        if named.board is not None and not named.error:
            return self.view.answer_board(named.source, named.board, self.request._replace(start=result.start))
        is_only = named.board and not self.boards and self.reader.peek() is None  # a mistake in the options
        if not is_only:
            self.view.show_invalid(named, self.request)
        complain(named.error)
        return UNUSABLE

    def show(self) -> None:
        """Show the number of boards, the share of the files that they were read from, and work on a hard one."""
        question, is_known = self.asking.question, 0 < self._bytes <= self.total_bytes
        hard = (question.at_work if question else None) or Progress()
        share = self._bytes / self.total_bytes if is_known else None
        self._bar = self._bar or self.request.bar()
        self._bar.show(hard._replace(share=share, solutions=None, boards=self.boards))

    def report_interrupt(self) -> None:
        complain(f"interrupted after {plural(self.boards, 'board', '{:,}')}: the others are not answered")
