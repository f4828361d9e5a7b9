"""Every board of some files, in order.

Boards are answered in three ways:

one at a time     on all cores: the first boards, and answers that are drawn
in chunks         on threads, as text that the kernels make: many short boards
as a batch        in processes, one core each: many boards that take longer, and clusters
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.command import console
from enumerator.command.chunks import BoardReader, Chunk, NamedBoard, split_files
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.inputs import is_board_text
from enumerator.command.request import Request
from enumerator.command.views import View
from enumerator.engines.blocks import BoardBlock
from enumerator.run.errors import RunLostError
from enumerator.run.plan import Plan
from enumerator.run.signals import deferred_signals
from enumerator.text.phrases import plural, printable

if TYPE_CHECKING:
    from enumerator.command.chunks import ChunkQuestion
    from enumerator.run.local import PartialCount
    from enumerator.run.workers.executors import Mapper


PackedBoard: TypeAlias = tuple[str, int, int, bytes, "tuple[int, ...] | None", str]
"""A named board as plain values: sending it to a process takes 0.2 µs, and that of a `NamedBoard` 4 µs."""

BatchResult: TypeAlias = "tuple[str, PackedBoard | None, PartialCount | None]"
"""The result of a board of a batch: an answer in print, or the board, with the count that was left."""

ONE_BOARD_OPTIONS = ("checkpoint", "svg", "html", "trace")
"""The options that name a file for one board."""

BatchWork: TypeAlias = "Callable[[list[PackedBoard]], list[BatchResult]]"
"""The function by which a worker answers for many boards."""

_make_shape = lru_cache(Shape)


def pack(named: NamedBoard) -> PackedBoard:
    """Return a named board as it is sent to a worker."""
    if named.board is None:
        return named.source, 0, 0, b"", None, named.error
    shape = named.board.shape
    return named.source, shape.height, shape.width, named.board.cells, named.board.allowed, named.error


def unpack(packed: PackedBoard) -> NamedBoard:
    """Return the named board that was packed."""
    source, height, width, cells, allowed, error = packed
    return NamedBoard(source, Board.from_cells(_make_shape(height, width), cells, allowed) if height else None, error)


def answer_boards(view: View[Any], request: Request) -> int:
    """Answer for every board of the files that the options name, and return the exit status."""
    options = request.options
    with closing_reader(split_files(request)) as chunks:
        boards = BoardReader(chunks)
        single = next((name for name in ONE_BOARD_OPTIONS if getattr(options, name, None) is not None), "")
        first = list(islice(boards, 2)) if single else []
        if len(first) > 1:
            complain(f"--{single} is for one board: {printable(first[1].source)} is another")
            return UNUSABLE
        engine = request.plan.engine
        if view.takes("engine"):
            load_engines(engine)
        named = (check_board(one, engine) for one in chain(first, boards))
        return answer_in_order(view, named, boards, request)


@contextmanager
def closing_reader(chunks: Generator[Chunk]) -> Iterator[Generator[Chunk]]:
    """Close a reader after the block, with its file. One that a thread is just reading ends with the process."""
    try:
        yield chunks
    finally:
        with suppress(ValueError):
            chunks.close()


def load_engines(chosen: str) -> None:
    """Import the engines that may be used, so that the time of the first board is its own.

    Compiled modules ignore an interrupt while they are imported, so it is deferred.
    """
    with deferred_signals():
        for name in list(engines.MODULES) if chosen == engines.AUTO else [chosen]:
            engines.get(name)


def file_size(name: str) -> int:
    """Return the size of a file, or of a board that is an argument; 0 for anything else."""
    try:
        if is_board_text(name):
            return len(name)
        return os.path.getsize(name) if os.path.isfile(name) else 0
    except (OSError, ValueError):
        return 0


def check_board(named: NamedBoard, engine: str) -> NamedBoard:
    """Return a board, with an error if the engine that was chosen does not take it."""
    if named.board is None or engine == engines.AUTO:
        return named
    try:
        engines.get(engine).check(named.board)
    except ValueError as reason:
        return named._replace(error=f"{printable(named.source)}: {reason} (--engine search)")
    return named


class Answered:
    """The number of boards that are answered, and the exit status so far."""

    def __init__(self) -> None:
        self.boards, self.status = 0, ANSWERED

    def add(self, outcome: int) -> None:
        """Add a board whose answer has the exit status `outcome`."""
        self.boards += 1
        self.status = max(self.status, outcome)

    def end(self, outcome: int) -> int:
        """Return the exit status of a run that ends early, and say after how many boards it is interrupted."""
        if outcome == INTERRUPTED and self.boards:
            self.report_interrupt()
        return outcome

    def report_interrupt(self) -> None:
        complain(f"interrupted after {plural(self.boards, 'board', '{:,}')}: the others are not answered")


def answer_in_order(view: View[Any], boards: Iterator[NamedBoard], reader: BoardReader, request: Request) -> int:
    """Answer for boards in order, and return the exit status. `reader` has the rest of them in chunks."""
    answered = Answered()
    try:
        return answer_each(view, boards, reader, request, answered)
    except KeyboardInterrupt:
        if not answered.boards:
            raise
        return answered.end(INTERRUPTED)


def answer_each(
    view: View[Any], boards: Iterator[NamedBoard], reader: BoardReader, request: Request, answered: Answered
) -> int:
    """Answer for boards one at a time, until it is known that they are many.

    If they are short, threads answer for the rest in chunks; if they take longer, processes do. A board
    that cannot be read does not keep the others from their answers.
    """
    pacing, text_bytes = request.plan.batch_pacing, sum(map(file_size, request.options.boards))
    if (question := find_question_for(reader.peek(), view, request)) is not None:
        return answer_chunks(view, question, reader, request, answered)
    work = view.batch_work(request) if can_start_processes(request.plan) else None
    started = warm = perf_counter()
    for number, named in enumerate(boards, 1):
        if number == 1 and named.board and named.error and reader.peek() is None:  # a mistake in the options
            complain(named.error)
            return UNUSABLE
        outcome = answer_one(view, named, request)
        if outcome == INTERRUPTED or (outcome == FAILED and view.ends_on_failure):
            return answered.end(outcome)
        answered.add(outcome)
        if number == pacing.first_boards:
            warm = perf_counter()
        if not named.board or number < pacing.first_boards + pacing.probe_boards:
            continue
        now = perf_counter()
        pace = (now - warm) / (number - pacing.first_boards)
        if pace < pacing.process_seconds and (question := find_question(view, request)):
            return answer_chunks(view, question, reader, request, answered)
        expected = text_bytes // (named.board.shape.cells + 1) - number
        is_worth = expected * pace > pacing.worth_seconds if text_bytes else now - started > pacing.pipe_seconds
        if work and is_worth and pace < pacing.long_seconds:
            if (cores := request.plan.effective_cores()) > 1 or request.plan.cluster:
                return answer_batch(view, work, boards, request, max(1, cores), expected, answered)
            work = None
    return answered.status


def answer_chunks(
    view: View[Any], question: ChunkQuestion, reader: BoardReader, request: Request, answered: Answered
) -> int:
    """Answer for the rest of the boards in chunks, and return the exit status."""
    from enumerator.command import batches

    return batches.answer_chunks(view, question, reader.rest(), request, answered)


def find_question_for(chunk: Chunk | None, view: View[Any], request: Request) -> ChunkQuestion | None:
    """Return the question if it can be asked of many boards, and if the first boards of a chunk are short.

    They are asked for a trial, which takes microseconds.
    """
    probe = request.plan.batch_pacing.probe_boards
    if chunk is None or not isinstance(chunk.content, BoardBlock) or chunk.boards < probe:
        return None
    question = find_question(view, request)
    if question is None:
        return None
    from threading import Event

    _, boards, begun = question.ask(chunk.names, chunk.content.take(probe), Event())
    return question if boards == probe and begun is None else None


def find_question(view: View[Any], request: Request) -> ChunkQuestion | None:
    """Return the question as it is asked of many boards at a time; None if the engine answers one at a time."""
    plan = request.plan
    with deferred_signals():  # see `load_engines`
        if plan.cluster or not engines.counts_boards(plan.engine, Shape(3, 3)):
            return None
        return view.chunk_question(request)


def can_start_processes(plan: Plan) -> bool:
    """Tell if boards may be shared among processes."""
    return (plan.pool is not None or plan.cluster is not None) and plan.cores != 1


def answer_one(view: View[Any], named: NamedBoard, request: Request, start: PartialCount | None = None) -> int:
    """Answer for a board, on all cores if it takes them. Show why another one has no answer."""
    if named.board is None or named.error:
        view.show_invalid(named, request)
        complain(named.error)
        return UNUSABLE
    return view.answer_board(named.source, named.board, request, start)


def answer_batch(
    view: View[Any],
    work: BatchWork,
    boards: Iterable[NamedBoard],
    request: Request,
    cores: int,
    expected: int,
    answered: Answered,
) -> int:
    """Answer for many boards at once, in order. One that takes long gets all cores when its turn comes.

    `expected` is the probable number of boards, and `answered` those that were answered before.
    """
    from enumerator.run.maps.batches import map_batches
    from enumerator.run.workers.executors import JoblibMapper

    plan = request.plan
    start: Callable[[int], Mapper] = plan.cluster.mapping if plan.cluster else JoblibMapper
    results = map_batches(
        work,
        map(pack, boards),
        cores,
        expected=expected,
        name=itemgetter(0),
        tell=complain,
        start=start,
        pacing=plan.batch_pacing,
    )
    lines: list[str] = []
    try:
        for some in results:
            for text, left, begun in some:
                if left is None:
                    answered.add(ANSWERED)
                    lines.append(text)
                    continue
                write_all(lines)
                outcome = answer_one(view, unpack(left), request, begun)
                if outcome in (FAILED, INTERRUPTED):
                    return answered.end(outcome)
                answered.add(outcome)
            write_all(lines)
    except KeyboardInterrupt:
        console.write_at_once("".join(f"{line}\n" for line in lines))
        raise
    except RunLostError as error:
        complain(f"{error}; not all boards are answered")
        return FAILED
    return answered.status


def write_all(lines: list[str]) -> None:
    """Write lines, and remove them from the list."""
    written, lines[:] = list(lines), []
    console.write_lines(written)
