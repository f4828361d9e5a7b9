"""The view of --classify: the verdict on each board, which is unique, multiple or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from enumerator.command import console
from enumerator.command.console import ANSWERED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import View, option, render_invalid

if TYPE_CHECKING:
    from threading import Event

    from enumerator.board import Shape
    from enumerator.board.files import Block
    from enumerator.board.reading import Entry
    from enumerator.command.request import Request
    from enumerator.run.plan import Plan

ENTRIES_A_CHUNK = 64
"""The number of boards in a chunk, in files that do not have one board per line."""

CHUNKS_AHEAD = 64
"""The number of chunks that are read ahead from a pipe."""

ALONE_BYTES = 100_000
"""The total size of files below which no threads are started."""


class ChunkResult(NamedTuple):
    """The printed verdicts on a chunk of boards, and the errors of those that cannot be read."""

    text: str
    complaints: list[str]


class ClassifyView(View[Any]):
    """One verdict per line; in JSON, with the solution of a board that has exactly one."""

    arguments = option(action="store_true", help="for every board: unique, multiple or none")
    special_options = frozenset(["quiet"])

    def answer(self, request: Request) -> int:
        from threading import Event

        from enumerator.board.files import STANDARD_INPUT
        from enumerator.command.boards import file_size
        from enumerator.engines.lists import Work
        from enumerator.run.ordered import map_ordered
        from enumerator.run.readahead import ReadAhead

        names = request.options.boards
        size, status, stop = sum(map(file_size, names)), ANSWERED, Event()
        is_pipe = STANDARD_INPUT in names or not size
        cores = 1 if size < ALONE_BYTES and not is_pipe else request.plan.effective_cores()
        chunks = split_files(names, request.options.shape, request.plan.batch_pacing.chunk)
        ahead = ReadAhead(chunks, CHUNKS_AHEAD) if is_pipe and cores > 1 else None
        classifier = Classifier(request.plan, request.form == "json", stop)

        def work(chunk: Block | list[Entry]) -> tuple[ChunkResult, list[Block | list[Entry]]]:
            return classifier.classify(chunk), []

        try:
            for result in map_ordered(Work(work, chunks if ahead is None else ahead), cores, stop):
                console.write(result.text)
                if result.complaints:
                    console.flush()
                    status = UNUSABLE
                    for complaint in result.complaints:
                        complain(complaint)
                if is_pipe:
                    console.flush()
            console.flush()
        except KeyboardInterrupt:
            status = INTERRUPTED
            console.flush()
            complain("interrupted: not all boards are classified")
        finally:
            stop.set()
            if ahead is not None:
                ahead.close()
        return status


def split_files(names: list[str], shape: Shape | None, boards_a_chunk: int) -> Iterator[Block | list[Entry]]:
    """Yield the boards of files in chunks: blocks of lines, or lists of entries."""
    from enumerator.board.files import STANDARD_INPUT, Block, open_blocks
    from enumerator.board.reading import Entry

    for name in names:
        parts = open_blocks(name, shape)
        for part in parts:
            if isinstance(part, Block):
                size = boards_a_chunk * part.shape.cells
                for number, first in enumerate(range(0, len(part.cells), size)):
                    cells = part.cells[first : first + size]
                    yield part._replace(line=part.line + number * boards_a_chunk, cells=cells)
            else:  # from here on, `open_blocks` yields boards one by one
                most = 1 if name == STANDARD_INPUT else ENTRIES_A_CHUNK
                yield [part, *(entry for entry in islice(parts, most - 1) if isinstance(entry, Entry))]


class Classifier:
    """A classifier of chunks of boards. Several threads may use it at the same time."""

    def __init__(self, plan: Plan, as_json: bool, stop: Event) -> None:
        from enumerator.questions.classify import VERDICTS

        self.plan, self.as_json, self.stop = plan, as_json, stop
        self.lines = [f"{verdict}\n" for verdict in VERDICTS]

    def classify(self, chunk: Block | list[Entry]) -> ChunkResult:
        """Return the verdicts on a chunk of boards."""
        if not isinstance(chunk, list):
            names = (f"{chunk.source}:{line}" for line in count(chunk.line))
            return ChunkResult("".join(self._verdicts(names, chunk.shape, chunk.cells)), [])
        results = [self._classify_entry(entry) for entry in chunk]
        complaints = [complaint for result in results for complaint in result.complaints]
        return ChunkResult("".join(result.text for result in results), complaints)

    def _classify_entry(self, entry: Entry) -> ChunkResult:
        from enumerator.board.reading import BoardError

        board = entry.content
        if isinstance(board, BoardError):
            form = "json" if self.as_json else "number"
            return ChunkResult(f"{render_invalid(entry.name, str(board), form)}\n", [str(board)])
        return ChunkResult("".join(self._verdicts([entry.name], board.shape, board.cells, board.allowed)), [])

    def _verdicts(
        self, names: Iterable[str], shape: Shape, cells: bytes, allowed: tuple[int, ...] | None = None
    ) -> Iterable[str]:
        """Return a line for each board; no lines once `stop` is set.

        `cells` are the boards, concatenated; all have the pencil marks `allowed`.
        """
        from enumerator.questions.classify import classify_cells
        from enumerator.run.progress import Stopped

        try:
            counts, solutions = classify_cells(cells, shape, self.as_json, self.plan, self.stop, allowed)
        except Stopped:
            return []
        if not self.as_json:
            return map(self.lines.__getitem__, counts)
        parts = (solutions[first : first + shape.cells] for first in range(0, len(solutions), shape.cells))
        return (
            self._json_line(name, shape, number, part) for name, number, part in zip(names, counts, parts, strict=False)
        )

    def _json_line(self, source: str, shape: Shape, solutions: int, solution: bytes) -> str:
        import json

        from enumerator.board import Board
        from enumerator.questions.classify import VERDICTS, ClassifyAnswer

        unique = Board(shape, solution) if solutions == 1 else None
        answer = ClassifyAnswer(shape, VERDICTS[solutions], unique)
        return json.dumps({"source": source, **answer.to_dict()}) + "\n"


VIEW = ClassifyView()
