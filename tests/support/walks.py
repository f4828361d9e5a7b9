"""Helpers for tests of the compiled walks: every walk that takes a shape, and its solutions."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from support.boards import NINE
from support.counts import Count, general, walk_generally

from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.search import kernel

SMALL = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), Shape(4, 2), Shape(3, 3)]

Start = Callable[[Board], kernel.Walk]


def walks(shape: Shape) -> list[Start]:
    """Return a start function for every compiled walk that takes boards of a shape."""
    return [general, search.start] if shape == NINE else [general]


def walk_counts(shape: Shape) -> list[Count]:
    """Return a function that counts for every compiled walk that takes boards of a shape."""
    return [walk_generally, search.count] if shape == NINE else [walk_generally]


def listing(walk: kernel.Walk, nodes: int = kernel.MOST, at_a_time: int = 1000) -> list[bytes]:
    """Return all solutions, fetched in slices of at most `nodes` nodes and `at_a_time` solutions."""
    found = []
    chunk = bytearray(walk.cells * at_a_time)
    while not walk.finished:
        count = walk.run(nodes, out=chunk)
        found += [bytes(chunk[start : start + walk.cells]) for start in range(0, count * walk.cells, walk.cells)]
    return found


def classified(
    boards: bytes,
    shape: Shape,
    nodes: int,
    solutions: bytearray | None = None,
    allowed: array[int] | None = None,
) -> bytes:
    """Return a byte for each board that the kernel decides: its number of solutions, where 2 means several."""
    counts = array("Q", bytes(8 * (len(boards) // shape.cells)))
    found, *_ = kernel.count_boards(
        boards, shape.height, shape.width, nodes, 2, counts, unique=solutions, allowed=allowed
    )
    return bytes(counts[:found].tolist())
