"""The boxes that a frame shows around the rows of a grid."""

from __future__ import annotations

import re

from enumerator.board.reading.rows import BARS, TextRow
from enumerator.board.shape import LARGEST, SMALLEST, Shape

_BAR = re.compile(f"[{re.escape(BARS)}]")


def drawn_shape(grid: list[TextRow], usual: Shape) -> Shape:
    """Return the shape whose boxes have bars beside them in each row and lines below; `usual` if there is none."""
    gaps = [_inner_gaps(row.text) for row in grid]
    if len(set(map(tuple, gaps))) != 1 or len(set(gaps[0])) != 1:
        return usual
    width = gaps[0][0]
    height = usual.size // width if width else 0
    if height * width != usual.size or not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        return usual
    ruled = [index for index, row in enumerate(grid) if index and any(line.text.strip() for line in row.above)]
    return Shape(height, width) if ruled == list(range(height, usual.size, height)) else usual


def _inner_gaps(text: str) -> list[int]:
    """Return the number of symbols between the bars of a row."""
    parts = ["".join(part.split()) for part in _BAR.split(text.strip())]
    return [len(part) for part in parts[not parts[0] : len(parts) - (not parts[-1])]]
