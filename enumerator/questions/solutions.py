"""Lists of solutions: their pages, their index, the n-th of them, and their lines as boards.

The order of a list depends only on the board and the engine, not on the number of cores. It is not
lexicographic.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import starmap
from math import inf
from struct import iter_unpack

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import MOST
from enumerator.engines.interfaces import Page, Place, SolutionIndex
from enumerator.engines.interfaces import SolutionList as SolutionList
from enumerator.run.chooser import steady_engine
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Progress, Watch, no_progress
from enumerator.text.errors import EnumeratorError
from enumerator.text.phrases import whole

INDEX_SECONDS = 60.0
"""The default time limit for a walk that numbers the solutions of a board."""


class NoSuchSolutionError(EnumeratorError, IndexError):
    """There is no solution with the requested number, or no solution at all.

    >>> try:
    ...     en.nth("1234 3412 .... ....", 4)
    ... except en.NoSuchSolutionError as error:
    ...     print(error)
    no solution 4: the board has 4 solutions, numbers 0 to 3
    """


def solution_list(board: Board, plan: Plan) -> SolutionList:
    """Return the list of a board, from the engine of the plan or the next one that has lists."""
    chosen = steady_engine(board, plan.engine)
    others = [engine for engine in engines.supporting(board) if engine is not chosen]
    lists = (engine.solutions(board, plan.pacing.sizes) for engine in (chosen, *others))
    return next(found for found in lists if found is not None)


def list_cores(solutions: SolutionList, plan: Plan) -> int:
    """Return the number of cores to use for a list: 1 if it is short."""
    return 1 if solutions.is_short else plan.effective_cores()


def pages(
    solutions: SolutionList,
    shape: Shape,
    cores: int,
    limit: int | None = None,
    places: Sequence[Place] | None = None,
    as_cells: bool = False,
) -> Generator[Page, None, None]:
    """Yield the pages of a list, at most `limit` solutions, from the beginning or from `places` on.

    A page may have no solutions. They are lines of text or, with `as_cells`, cells.
    """
    left, line = MOST if limit is None else limit, shape.cells + (not as_cells)
    work = solutions.pages([solutions.whole] if places is None else places, limit, as_cells)
    with closing(map_ordered(work, cores)) as results:
        for page in results:
            del page.text[left * line :]
            left -= len(page.text) // line
            yield page
            if not left:
                return


def to_boards(shape: Shape, texts: Iterable[bytes | bytearray]) -> Iterator[Board]:
    """Yield the lines of `texts` as boards."""
    end = b"\xff"  # not a digit, as the byte of a line's end is on large boards
    digits = bytes.maketrans(f"{shape.symbols}\n".encode(), bytes(range(1, shape.size + 1)) + end)
    make = partial(Board.from_valid, shape)
    for text in texts:
        yield from map(make, bytes(text).translate(digits).split(end)[:-1])


def boards_of(shape: Shape, cells: Iterable[bytes | bytearray]) -> Iterator[Board]:
    """Yield solutions, whose cells are concatenated in each item of `cells`, as boards."""
    for some in cells:
        yield from starmap(partial(Board.from_valid, shape), iter_unpack(f"{shape.cells}s", some))


class Frontier:
    """The place that a list of an engine has reached."""

    def __init__(self, engine: str, places: Sequence[Place] | None = None) -> None:
        """Begin at `places`; None: at the beginning of the list."""
        self._engine, self._meter, self._effort = engine, Meter(), 0
        self._done = 0.0 if places is None else max(0.0, 1 - sum(part / whole for _, (part, whole) in places))

    def progress(self, page: Page, found: int, limit: int | None) -> Progress:
        """Advance past the next page, and return the progress of a list of `limit` solutions.

        `found` solutions are before the frontier then.
        """
        self._effort += page.effort or 0
        effort = None if page.effort is None else self._effort
        self._done = min(self._done + page.share, 1.0)
        return self._meter.read(self._engine, effort, self._done, found, limit)


def watched_cells(
    solutions: SolutionList, shape: Shape, cores: int, limit: int | None, watch: Watch
) -> Generator[bytearray, None, None]:
    """Yield the cells of each page that is not empty. `watch` is called with the progress of each page."""
    frontier, found = Frontier(solutions.engine), 0
    with closing(pages(solutions, shape, cores, limit, as_cells=True)) as walked:
        for page in walked:
            found += len(page.text) // shape.cells
            watch(frontier.progress(page, found, limit))
            if page.text:
                yield page.text


def build_index(solutions: SolutionList, cores: int, enough: float = inf, watch: Watch = no_progress) -> SolutionIndex:
    """Number the solutions of a list, or stop when more than `enough` are numbered."""
    index, meter = solutions.index(), Meter()

    def tell() -> None:
        watch(meter.read(solutions.engine, index.effort, index.share, index.found))

    with closing(map_ordered(index.work, cores, tick=tell if cores > 1 else None)) as results:
        for result in results:
            index.add(result)
            tell()
            if index.found is not None and index.found > enough:
                break
    return index


def index_seconds(solutions: SolutionList, time_limit: float | None) -> float | None:
    """Return the time limit for numbering a list; None: no limit."""
    return INDEX_SECONDS if time_limit is None and solutions.visits else time_limit


def pick_lines(index: SolutionIndex, numbers: list[int], cores: int) -> list[bytes]:
    """Return the lines with these numbers, in the order of `numbers`."""
    order = ascending(numbers)
    work = index.lines([numbers[turn] for turn in order])
    found = (line for some in map_ordered(work, cores) for line in some)
    by_turn = dict(zip(order, found, strict=True))
    return [by_turn[turn] for turn in range(len(numbers))]


def ascending(numbers: list[int]) -> list[int]:
    """Return the indices of `numbers` in ascending order of the numbers."""
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def nth(board: Board, n: int, plan: Plan, *, watch: Watch = no_progress) -> Board:
    """Return solution number `n`, counted from 0; raise NoSuchSolutionError if there is none.

    With boxes up to 3×3 the solutions before it are not visited.
    """
    found = solution_list(board, plan)
    return next(to_boards(board.shape, [nth_line(found, n, plan.effective_cores(), watch)]))


def nth_line(solutions: SolutionList, n: int, cores: int, watch: Watch = no_progress) -> bytes:
    """Return line number `n` of a list, counted from 0; raise NoSuchSolutionError if there is none."""
    index = build_index(solutions, cores, n, watch)
    if n >= index.total:
        numbers = {0: "no solution", 1: "1 solution, number 0"}
        others = f"{whole(index.total)} solutions, numbers 0 to {whole(index.total - 1)}"
        raise NoSuchSolutionError(f"no solution {whole(n)}: the board has {numbers.get(index.total, others)}")
    return pick_lines(index, [n], 1)[0]
