"""A walk in stretches: the same tree of short walks, whoever takes them.

A board is walked for so many nodes. Each board that is left then is a stretch of its own, and they come next, in order.
So the order in which solutions are found follows from the board alone, and a stretch can be walked without the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from enumerator.board import Board, Shape
from enumerator.engines.search import kernel

NODES = 4_000_000
"""Nodes of a stretch, times the cells of the board: 10 to 300 ms."""
FIRST_NODES, GROWTH = 500, 8
"""Nodes of the first stretch, so that the first solution is there at once, and how much longer those behind it are."""

BUFFER = 4_096
"""Solutions that are written at a time."""


class Stretch(NamedTuple):
    """A board to be walked for so many nodes."""

    cells: bytes
    nodes: int
    share: float = 1.0
    """Of the whole tree, as far as one can tell."""


def whole(board: Board) -> Stretch:
    """The first stretch of a board."""
    return Stretch(board.cells, min(FIRST_NODES, _most(board.shape)))


def walk(
    stretch: Stretch,
    shape: Shape,
    limit: int = kernel.MOST,
    take: Callable[[memoryview], object] | None = None,
) -> tuple[int, list[Stretch]]:
    """Walk a stretch, or until so many solutions are found. Returns their number, and the stretches behind it.

    Solutions are handed to `take`, if given, some at a time, one behind the other.
    """
    walk = kernel.start(stretch.cells, shape.height, shape.width)
    room = bytearray(min(BUFFER, stretch.nodes, limit) * shape.cells) if take else None
    found = 0
    while not walk.finished and walk.nodes < stretch.nodes and found < limit:
        some = walk.run(stretch.nodes - walk.nodes, limit - found, room)
        found += some
        if take and room:
            take(memoryview(room)[: some * shape.cells])
    nodes = min(GROWTH * stretch.nodes, _most(shape))
    return found, [Stretch(cells, nodes, stretch.share * share) for cells, share in walk.parts()]


def _most(shape: Shape) -> int:
    return max(1, NODES // shape.cells)
