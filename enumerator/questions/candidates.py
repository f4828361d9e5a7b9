"""In how many solutions each digit stands in each cell: exactly, without a cap.

The contraction takes one sum for each box (see contraction/box.pyx). The search visits every solution and keeps count.
"""

from __future__ import annotations

from array import array
from contextlib import closing
from math import inf
from operator import add
from time import perf_counter

from enumerator.board import Board
from enumerator.engines.contraction.candidates import Candidates
from enumerator.engines.search import kernel
from enumerator.engines.search.segments import Stretch, walk, whole
from enumerator.questions.solutions import OutOfTimeError
from enumerator.run import checked, to_be_summed
from enumerator.run.ordered import Watch, in_turn, unwatched

PIECES = 16
"""In so many pieces for each core a box is worked out."""


def candidates(board: Board, cores: int | None = None, engine: str = "auto") -> list[list[int]]:
    """For each cell, row by row, the number of solutions with 1 there, with 2 there, and so on."""
    return counted(board, checked(board, cores, engine), engine)[0]


def counted(
    board: Board, cores: int, engine: str = "auto", seconds: float = inf, watch: Watch = unwatched
) -> tuple[list[list[int]], str]:
    """The candidates of a board, and the engine that has counted them. Raises OutOfTimeError."""
    if to_be_summed(board, engine):
        return summed(board, cores, seconds, watch), "contraction"
    return walked(board, cores, seconds, watch), "search"


def summed(board: Board, cores: int, seconds: float = inf, watch: Watch = unwatched) -> list[list[int]]:
    """The candidates of a board, by the contraction: box by box, so that tables of one are kept at a time."""
    found, deadline = Candidates(board), perf_counter() + seconds
    if not found.solvable:
        return [[0] * board.shape.size for _ in board.cells]
    sums: dict[tuple[int, int], list[int]] = {}
    for place in found.places:
        box = found.box(place)
        number = min(box.values, PIECES * cores)
        pieces = [(box.values * piece // number, box.values * (piece + 1) // number) for piece in range(number)]
        counts = [0] * board.shape.size**2
        with closing(in_turn(lambda piece: (box.run(*piece), []), pieces, cores)) as parts:  # noqa: B023
            for done, part in enumerate(parts, 1):
                counts = list(map(add, counts, part))
                watch((len(sums) + done / number) / len(found.places), None)
                if perf_counter() > deadline:
                    raise OutOfTimeError
        sums[place] = counts
    return found.cells(sums)


def walked(board: Board, cores: int, seconds: float = inf, watch: Watch = unwatched) -> list[list[int]]:
    """The candidates of a board, by the search."""
    shape = board.shape

    def work(stretch: Stretch) -> tuple[array[int], list[Stretch]]:
        counts = array("Q", bytes(8 * shape.cells * shape.size))
        _, behind = walk(stretch, shape, take=lambda some: kernel.tally(some, shape.cells, shape.size, counts))
        return counts, behind

    deadline, counts = perf_counter() + seconds, [0] * shape.cells * shape.size
    with closing(in_turn(work, [whole(board)], cores)) as parts:
        for part in parts:
            counts = list(map(add, counts, part))
            watch(None, sum(counts[: shape.size]))
            if perf_counter() > deadline:
                raise OutOfTimeError
    return [counts[first : first + shape.size] for first in range(0, len(counts), shape.size)]
