"""Counts again, in another way: the other engine, or rows for columns and one cell filled in each way.

    by search                     up to 9×9, for a count by the contraction, if it is not too long
    by contraction                for a count by the search
    by contraction, split         where the search would take too long: the sum over the boards with one clue more
    by search, split              where there is no contraction

For the last two, the board is transposed and one of its cells filled in each way. A walk branches on other cells then,
and a sum has other tables, weights and symmetries: what is shared is the code, not a number that it has worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter

from enumerator.board import Board
from enumerator.board.shape import Shape, units
from enumerator.engines.contraction import supports
from enumerator.run import Plan, tallies
from enumerator.run.ordered import Watch, unwatched

WALKABLE, MOST_NODES = 30_000_000, 200_000_000
"""So many solutions are walked over again, if there are no more nodes than that on the way: some seconds."""


@dataclass(slots=True)
class Again:
    """A count in another way."""

    way: str
    solutions: int = 0
    seconds: float = 0.0
    parts: list[tuple[str, int]] = field(default_factory=list)
    """The boards that were counted, and how many solutions each has."""


def again(board: Board, engine: str, solutions: int, plan: Plan, watch: Watch = unwatched) -> Again:
    """Count a board once more, given which engine has counted it and what it has found."""
    started = perf_counter()
    plan = replace(plan, limit=None, cutoff=None)
    found = None
    if not supports(board.shape):
        found = counted("search", SPLIT, list(split(transposed(board))), plan, watch)
    elif engine == "search":
        found = counted("contraction", "", [board], plan, watch)
    elif solutions <= WALKABLE:
        found = counted("search", "", [board], plan, watch, MOST_NODES)
    found = found or counted("contraction", SPLIT, list(split(transposed(board))), plan, watch)
    if found is None:
        raise RuntimeError("there was no other way")
    found.seconds = perf_counter() - started
    return found


SPLIT = ", rows for columns and one cell split"


def counted(
    engine: str, how: str, boards: list[Board], plan: Plan, watch: Watch, most_nodes: float = inf
) -> Again | None:
    """The sum over some boards, by an engine; None, if that takes more nodes than it may."""
    found = Again(f"{engine}{how}")
    for number, part in enumerate(boards):
        with closing(tallies(part, replace(plan, engine=engine))) as counting:
            for tally in counting:
                watch((number + tally.share) / len(boards), None)
                if tally.nodes > most_nodes:
                    return None
        found.parts.append((str(part), tally.solutions))
        found.solutions += tally.solutions
    return found


def transposed(board: Board) -> Board:
    """Rows for columns."""
    size = board.shape.size
    cells = bytes(board.cells[row * size + column] for column in range(size) for row in range(size))
    return Board(Shape(board.shape.width, board.shape.height), cells)


def split(board: Board) -> Iterator[Board]:
    """The boards that a board consists of: one for each digit that may stand in the cell with the fewest of them."""
    empty = [cell for cell, digit in enumerate(board.cells) if not digit]
    if not empty:
        yield board
        return
    seen = {
        cell: {board.cells[other] for _, unit in units(board.shape) if cell in unit for other in unit} for cell in empty
    }
    cell = max(empty, key=lambda cell: len(seen[cell]))
    for digit in range(1, board.shape.size + 1):
        if digit not in seen[cell]:
            yield board.with_clue(cell, digit)
