"""In how many solutions each digit stands in each cell: exactly, without a cap.

The contraction takes one sum for each box (see contraction/box.pyx). The search visits every solution and keeps count.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Sequence
from contextlib import closing
from math import inf
from operator import add
from time import perf_counter

from enumerator.board import Board
from enumerator.contraction.candidates import Candidates
from enumerator.parallel import checked, to_be_summed
from enumerator.parallel.lists import OutOfTimeError
from enumerator.parallel.turns import in_turn
from enumerator.search import kernel
from enumerator.search.stretches import Stretch, walk, whole

PIECES = 16
"""In so many pieces for each core a box is worked out."""


def candidates(board: Board, cores: int | None = None, engine: str = "auto") -> list[list[int]]:
    """For each cell, row by row, the number of solutions with 1 there, with 2 there, and so on."""
    return counted(board, checked(board, cores, engine), engine)[0]


def counted(board: Board, cores: int, engine: str = "auto", seconds: float = inf) -> tuple[list[list[int]], str]:
    """The candidates of a board, and the engine that has counted them. Raises OutOfTimeError."""
    if to_be_summed(board, engine):
        return summed(board, cores, seconds), "contraction"
    return walked(board, cores, seconds), "search"


def summed(board: Board, cores: int, seconds: float = inf) -> list[list[int]]:
    """The candidates of a board, by the contraction: box by box, so that tables of one are kept at a time."""
    found, deadline = Candidates(board), perf_counter() + seconds
    if not found.solvable:
        return [[0] * board.shape.size for _ in board.cells]
    sums: dict[tuple[int, int], list[int]] = {}
    for place in found.places:
        box = found.box(place)
        number = min(box.values, PIECES * cores)
        pieces = [(box.values * piece // number, box.values * (piece + 1) // number) for piece in range(number)]
        sums[place] = added(in_turn(lambda piece: (box.run(*piece), []), pieces, cores), deadline)  # noqa: B023
    return found.cells(sums)


def walked(board: Board, cores: int, seconds: float = inf) -> list[list[int]]:
    """The candidates of a board, by the search."""
    shape = board.shape

    def work(stretch: Stretch) -> tuple[array[int], list[Stretch]]:
        counts = array("Q", bytes(8 * shape.cells * shape.size))
        _, behind = walk(stretch, shape, take=lambda some: kernel.tally(some, shape.cells, shape.size, counts))
        return counts, behind

    totals = added(in_turn(work, [whole(board)], cores), perf_counter() + seconds)
    return [totals[first : first + shape.size] for first in range(0, len(totals), shape.size)]


def added(parts: Generator[Sequence[int], None, None], deadline: float) -> list[int]:
    """Counts, added up."""
    total: list[int] = []
    with closing(parts) as some:
        for part in some:
            total = list(map(add, total, part)) if total else list(part)
            if perf_counter() > deadline:
                raise OutOfTimeError
    return total
