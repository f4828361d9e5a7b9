"""Every board of some files, in order: one at a time on all cores, or many at a time on one core each."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.phrases import plural, printable
from enumerator.board.reading import BoardError, Entry
from enumerator.command import console
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.inputs import is_board_text, open_arguments
from enumerator.command.request import Request
from enumerator.command.views import View
from enumerator.run.plan import Plan, RunLostError

if TYPE_CHECKING:
    from enumerator.run.executors import Mapper
    from enumerator.run.local import PartialCount


class NamedBoard(NamedTuple):
    """A board and the name of its source; or no board, and what is wrong with its text."""

    source: str
    board: Board | None
    error: str = ""


PackedBoard: TypeAlias = tuple[str, int, int, bytes, "tuple[int, ...] | None", str]
"""A named board as plain values: sending it to a process takes 0.2 µs, and that of a `NamedBoard` 4 µs."""

BatchResult: TypeAlias = "tuple[str, PackedBoard | None, PartialCount | None]"
"""The result of a board of a batch: an answer in print, or the board, with the count that was left."""

ONE_BOARD_OPTIONS = ("checkpoint", "svg", "html")
"""The options that name a file for one board."""

BatchWork: TypeAlias = "Callable[[list[PackedBoard]], list[BatchResult]]"
"""The function by which a worker answers for many boards."""

_make_shape = lru_cache(Shape)


def pack(named: NamedBoard) -> PackedBoard:
    """Return a named board as it is sent to a worker."""
    if named.board is None:
        return named.source, 0, 0, b"", None, named.error
    shape = named.board.shape
    return named.source, shape.height, shape.width, named.board.cells, named.board.allowed, ""


def unpack(packed: PackedBoard) -> NamedBoard:
    """Return the named board that was packed."""
    source, height, width, cells, allowed, error = packed
    return NamedBoard(source, None if error else Board.from_cells(_make_shape(height, width), cells, allowed), error)


def answer_boards(view: View[Any], request: Request) -> int:
    """Answer for every board of the files that the options name, and return the exit status."""
    options = request.options
    with closing_reader(read_entries(options.boards, options.shape)) as entries:
        single = next((name for name in ONE_BOARD_OPTIONS if getattr(options, name, None) is not None), "")
        first = list(islice(entries, 2)) if single else []
        if len(first) > 1:
            complain(f"--{single} is for one board: {printable(first[1].name)} is another")
            return UNUSABLE
        if view.takes("engine"):
            load_engines(options.engine)
        boards = (check_entry(entry, options.engine) for entry in chain(first, entries))
        return answer_in_order(view, boards, request, sum(map(file_size, options.boards)))


@contextmanager
def closing_reader(entries: Generator[Entry]) -> Iterator[Generator[Entry]]:
    """Close a reader after the block, with its file. One that a thread is just reading ends with the process."""
    try:
        yield entries
    finally:
        with suppress(ValueError):
            entries.close()


def read_entries(names: Sequence[str], shape: Shape | None) -> Generator[Entry]:
    """Yield every board of some arguments. Closing it closes the file that is read."""
    for argument in open_arguments(names, shape):
        for part in argument.parts:
            if isinstance(part, Entry):
                yield part
            else:
                yield from part.entries()


def load_engines(chosen: str) -> None:
    """Import the engines that may be used, so that the time of the first board is its own."""
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


def check_entry(entry: Entry, engine: str) -> NamedBoard:
    """Return the board of an entry, or what is wrong with it. It may be too large for the engine."""
    board = entry.content
    if isinstance(board, BoardError):
        return NamedBoard(entry.name, None, str(board))
    if engine != engines.AUTO:
        try:
            engines.get(engine).check(board)
        except ValueError as reason:
            return NamedBoard(entry.name, None, f"{printable(entry.name)}: {reason} (--engine search)")
    return NamedBoard(entry.name, board)


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
            complain(f"interrupted after {plural(self.boards, 'board', '{:,}')}: the others are not answered")
        return outcome


def answer_in_order(view: View[Any], boards: Iterator[NamedBoard], request: Request, text_bytes: int) -> int:
    """Answer for boards in order, and return the exit status. `text_bytes` is the size of the files."""
    answered = Answered()
    try:
        return answer_each(view, boards, request, text_bytes, answered)
    except KeyboardInterrupt:
        if not answered.boards:
            raise
        return answered.end(INTERRUPTED)


def answer_each(
    view: View[Any], boards: Iterator[NamedBoard], request: Request, text_bytes: int, answered: Answered
) -> int:
    """Answer for boards, one at a time; as a batch, once it is known that they are many and short.

    A board that cannot be read does not keep the others from their answers. `text_bytes` is the size of
    the files, from which the number of boards is guessed; 0 for pipes.
    """
    pacing = request.plan.batch_pacing
    work = view.batch_work(request) if can_start_processes(request.plan) else None
    started = warm = perf_counter()
    for number, named in enumerate(boards, 1):
        outcome = answer_one(view, named, request)
        if outcome == INTERRUPTED or (outcome == FAILED and view.ends_on_failure):
            return answered.end(outcome)
        answered.add(outcome)
        if number == pacing.first_boards:
            warm = perf_counter()
        if work and named.board and number >= pacing.first_boards + pacing.probe_boards:
            now = perf_counter()
            pace = (now - warm) / (number - pacing.first_boards)
            expected = text_bytes // (named.board.shape.cells + 1) - number
            is_worth = expected * pace > pacing.worth_seconds if text_bytes else now - started > pacing.pipe_seconds
            if is_worth and pace < pacing.long_seconds:
                if (cores := request.plan.effective_cores()) > 1 or request.plan.cluster:
                    return answer_batch(view, work, boards, request, max(1, cores), expected, answered)
                work = None
    return answered.status


def can_start_processes(plan: Plan) -> bool:
    """Tell if boards may be shared among processes."""
    return (plan.pool is not None or plan.cluster is not None) and plan.cores != 1


def answer_one(view: View[Any], named: NamedBoard, request: Request, start: PartialCount | None = None) -> int:
    """Answer for a board, on all cores if it takes them. Show one that cannot be read as invalid."""
    if named.board is None:
        view.show_invalid(named.source, named.error, request)
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
    from enumerator.run.batches import map_batches
    from enumerator.run.executors import JoblibMapper

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
