"""The minimal puzzles inside a board that has one solution: some at random, or all.

A puzzle is minimal if it has one solution, and more without any of its clues. Random ones are made by
removing clues in random order, so some are more likely than others, and some may come twice.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from itertools import count
from random import Random
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.engines.interfaces import Work
from enumerator.engines.reductions import MinimalSearch
from enumerator.questions.generate import Puzzle, tries_in
from enumerator.questions.orbits import orbits
from enumerator.questions.reducing import KERNEL_CELLS, Reducer
from enumerator.questions.solutions import boards_of
from enumerator.questions.solve import solve
from enumerator.run.endings import OutOfTimeError, Stopped
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import PUZZLES, Progress, Watch, no_progress

TESTS_A_SLICE, PUZZLES_A_SLICE = 20_000, 1_024
"""The tests of clues, and the puzzles, between two looks at the clock: some 20 ms."""


NUMBER_SECONDS = 1.0
"""The time within which all puzzles are held back, so that their number comes first."""


class UnsuitableBoardError(ValueError):
    """A board has pencil marks, or is too large for all of its puzzles."""


def check(board: Board, plan: Plan, watch: Watch) -> None:
    """Raise NoSolutionError or NotUniqueError unless a board has one solution; ValueError for pencil marks."""
    if board.allowed:
        raise UnsuitableBoardError("clues cannot be removed from a board with pencil marks")
    solve(board, plan, watch=watch)


def random_minimal(
    board: Board, number: int, seed: int, plan: Plan, watch: Watch = no_progress
) -> Generator[list[Puzzle], None, None]:
    """Yield `number` random minimal puzzles inside a board, some at a time. Two may be equal."""
    check(board, plan, watch)
    shape, found = board.shape, 0
    reducer = Reducer(shape, orbits(shape, "none"), engine=plan.engine)

    def make(block: int) -> tuple[bytearray, list[int]]:
        boards = bytearray(board.cells * tries_in(shape, block))
        reducer.reduce(boards, Random(f"{seed}/{block}"))
        return boards, []

    def report() -> None:
        tested = reducer.tested if shape.cells > KERNEL_CELLS else None
        watch(Progress(found / number, found, PUZZLES, number, effort=tested, unit="clues tested"))

    with closing(map_ordered(Work(make, count()), plan.effective_cores(), tick=report)) as blocks:
        while found < number:
            puzzles = split(board, next(blocks))[: number - found]
            found += len(puzzles)
            yield puzzles  # before a deadline ends the question: what was found is not lost
            if found < number:
                report()


def all_minimal(board: Board, plan: Plan, watch: Watch = no_progress) -> Generator[list[Puzzle], None, None]:
    """Yield every minimal puzzle inside a board once, some at a time."""
    if board.shape.cells > KERNEL_CELLS:
        raise UnsuitableBoardError("all minimal puzzles are found on boards up to 9×9 only")
    check(board, plan, watch)
    found = 0
    for puzzles, share in _slices(board, engines.reduction(board.shape).minimal(board.cells)):
        found += len(puzzles)
        yield puzzles
        if share < 1:
            watch(Progress(share, found, PUZZLES))


def number_first(
    puzzles: Generator[list[Puzzle], None, None], announce: Callable[[int], None]
) -> Generator[list[Puzzle], None, None]:
    """Yield puzzles; if all come within NUMBER_SECONDS, call `announce` with their number before."""
    held, deadline, end = list[list[Puzzle]](), perf_counter() + NUMBER_SECONDS, None
    with closing(puzzles):
        try:
            for some in puzzles:
                held.append(some)
                if perf_counter() > deadline:
                    break
            else:
                announce(sum(map(len, held)))
        except (OutOfTimeError, Stopped, KeyboardInterrupt) as early:
            end = early
        yield from held
        if end:
            raise end
        yield from puzzles


def _slices(board: Board, tree: MinimalSearch) -> Generator[tuple[list[Puzzle], float], None, None]:
    """Yield the puzzles of each slice of a search, and the share that is done."""
    out, size = bytearray(PUZZLES_A_SLICE * board.shape.cells), board.shape.cells
    while not tree.finished:
        found = tree.run(TESTS_A_SLICE, out)
        yield split(board, out[: found * size]), tree.share


def split(board: Board, cells: bytes | bytearray) -> list[Puzzle]:
    """Return concatenated puzzles of the shape of `board`."""
    return list(map(Puzzle, boards_of(board.shape, [cells])))
