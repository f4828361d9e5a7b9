"""Helpers of all targets: reading an input, shapes, and a slow but certain count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bench.common import reference
from enumerator.board import Board
from enumerator.board.shape import LARGEST, SMALLEST, Shape

SHAPES = [Shape(height, width) for height in range(SMALLEST, LARGEST + 1) for width in range(SMALLEST, LARGEST + 1)]

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@dataclass(slots=True)
class Input:
    """An input that is read from the front; beyond its end there are zeros."""

    data: bytes

    def number(self) -> int:
        """Take a byte."""
        first, self.data = self.data[:1], self.data[1:]
        return first[0] if first else 0

    def take(self, length: int) -> bytes:
        """Take up to `length` bytes."""
        first, self.data = self.data[:length], self.data[length:]
        return first


@lru_cache(maxsize=4096)
def reference_count(board: Board) -> int:
    return reference.count(board)
