"""A walk in segments: a fixed tree of short walks.

A board is walked for a fixed number of nodes. Each board that remains becomes a segment, and the
segments follow in order. So the order of solutions depends only on the board, and each segment can
be walked independently of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board, Shape
from enumerator.engines import MOST, Share
from enumerator.engines.interfaces import DEFAULT_SIZES, ListSizes
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.engines.walks import Slices, Start

if TYPE_CHECKING:
    from array import array

    from enumerator.engines.walks.walk import Walk

BUFFER_SOLUTIONS = 4_096
"""The number of solutions that the kernel writes at a time."""


class WalkedSegment(NamedTuple):
    """The result of walking a segment."""

    solutions: int
    rest: list[Segment]
    """The segments that remain, in order."""
    nodes: int
    """The nodes that were visited."""
    share: float
    """The share of the whole tree that was visited."""


class Segment(NamedTuple):
    """A board to be walked for `nodes` nodes."""

    cells: bytes
    nodes: int
    share: Share = (1, 1)
    """The estimated share of the whole tree."""


def first_segment(board: Board, sizes: ListSizes | None = None) -> Segment:
    """Return the first segment of a board."""
    sizes = sizes or DEFAULT_SIZES
    return Segment(board.cells, min(sizes.first_segment_nodes, _most_nodes(board.shape, sizes)))


def walk_segment(
    start: Start,
    segment: Segment,
    shape: Shape,
    limit: int = MOST,
    take: Callable[[memoryview], object] | None = None,
    sizes: ListSizes = DEFAULT_SIZES,
    allowed: array[int] | None = None,
) -> WalkedSegment:
    """Walk a segment up to `limit` solutions.

    `start` starts the walk. If `take` is given, it is called with groups of solutions, concatenated.
    `allowed` are the pencil marks of the board. Raise TaskStoppedError soon after the caller stops the
    task. The order of a list must not depend on time, so there is no result then.
    """
    walk = start(segment.cells, shape.height, shape.width, allowed)
    buffer = bytearray(min(BUFFER_SOLUTIONS, segment.nodes, limit) * shape.cells) if take else None
    slices, found = Slices(walk), 0  # signals are handled between slices
    while not walk.finished and walk.nodes < segment.nodes and found < limit:
        if is_stopped():
            raise TaskStoppedError
        some = slices.run(limit - found, buffer, segment.nodes - walk.nodes)
        found += some
        if take and buffer:
            take(memoryview(buffer)[: some * shape.cells])
    nodes = min(sizes.segment_growth * segment.nodes, _most_nodes(shape, sizes))
    part, whole = segment.share
    return WalkedSegment(found, _segments_left(walk, nodes, segment.share), walk.nodes, part / whole * walk.share)


def _segments_left(walk: Walk, nodes: int, share: Share) -> list[Segment]:
    """Return the parts of a walk as segments. Those of one level have one share, which is made once."""
    left: list[Segment] = []
    for inner, parts in groupby(walk.parts(), itemgetter(1)):
        own = share[0] * inner[0], share[1] * inner[1]
        left += [Segment(cells, nodes, own) for cells, _ in parts]
    return left


def _most_nodes(shape: Shape, sizes: ListSizes) -> int:
    return max(1, sizes.segment_nodes // shape.cells)
