"""A toy engine for races, in a module that workers can import: the walk for every shape, in other units."""

from __future__ import annotations

from array import array

from enumerator.board import Board
from enumerator.engines.search import kernel
from enumerator.engines.walks import WalkEngine, pack_masks
from enumerator.engines.walks.walk import Walk


class Racing(WalkEngine):
    """An engine of which nothing is known before it has begun, as of one that learns."""

    name = "racing"
    effort = "steps"
    predicts = False
    shares_predict = False

    def races(self, board: Board) -> bool:
        return board.shape.size > 9

    def start_check(self, board: Board) -> tuple[str, Walk]:
        masks = pack_masks(board.allowed)
        return "the same walk", start(board.cells, board.shape.height, board.shape.width, masks)


def start(cells: bytes, height: int, width: int, allowed: array[int] | None = None) -> Walk:
    return kernel.General(cells, height, width, allowed=allowed)


ENGINE = Racing(start)
