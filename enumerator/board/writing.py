"""Boards to multi-line text. The one-line text is `str(board)`.

To add an output format, write a function from a Board to text. `enumerator.board.reading` must
be able to read it back. Add the format to the round trips in tests/board/test_reading.py and to the
fuzzed formats of `python -m bench fuzz lines`.
"""

from __future__ import annotations

from enumerator.board.board import Board


def as_grid(board: Board) -> str:
    """Return the clues as rows of symbols with rulers between the boxes; `.` is an empty cell."""
    shape, symbols = board.shape, board.clues
    ruler = "+".join("-" * (2 * shape.width + (0 < stack < shape.height - 1)) for stack in range(shape.height))
    lines = []
    for row in range(shape.size):
        if row and row % shape.height == 0:
            lines.append(ruler)
        start = row * shape.size
        boxes = (symbols[cell : cell + shape.width] for cell in range(start, start + shape.size, shape.width))
        lines.append(" | ".join(map(" ".join, boxes)))
    return "\n".join(lines)


def as_numbers(board: Board) -> str:
    """Return the clues as rows of numbers; 0 is an empty cell."""
    size = board.shape.size
    rows = (board.cells[start : start + size] for start in range(0, board.shape.cells, size))
    return "\n".join(" ".join(map(str, row)) for row in rows)
