"""Boards that several commands use: of files, with few clues, full at random, without some clues.

Our boards are those of boards/, which every clone has; hard ones beyond 9×9 are in boards/large/, and
their names begin with `large/`. The published boards, of a study of a parallel Java program, are in a
folder beside the repository and may be absent; their names begin with `published/`.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from pathlib import Path

from bench import ROOT, SHARED
from enumerator.board import Board, Shape
from enumerator.engines.search import start

FEW_CLUES = {  # the first is the hardest board known to the contraction; the clues of the others lie elsewhere
    "7 clues": ".5..................6.7............2............1...........8...................3",
    "8 clues": "1.......2...3..............4.......5.........6..............7..........8.........",
    "9 clues": ".2...............7......4....3.......8...........1.....6.........5..........9....",
}

HARDEST = FEW_CLUES["7 clues"]
"""The slowest known board of the contraction, found by hill-climbing on the predicted cost."""

REFILLS = 20
"""Rounds of emptying and refilling a grid, so that it is not a shuffled regular one."""


PUBLISHED = "published/"
"""The beginning of the names of published boards."""


def our_boards(names: str = "[12][a-f]") -> dict[str, Path]:
    """Return the files of our boards whose names match a pattern, by name. Hard ones begin with `large/`."""
    folder = ROOT / "boards"
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.glob(f"{names}.txt"))}


def published_boards(names: str = "[12][a-f]") -> dict[str, Path]:
    """Return the files of published boards whose names match a pattern, by name; {} where they are absent."""
    return {f"{PUBLISHED}{path.stem}": path for path in sorted((SHARED / "boards").glob(f"{names}.txt"))}


def clue_cells(board: Board) -> list[int]:
    return [cell for cell, digit in enumerate(board.cells) if digit]


def without_cells(board: Board, cells: Collection[int]) -> Board:
    """Return the board with these cells empty."""
    emptied = bytearray(board.cells)
    for cell in cells:
        emptied[cell] = 0
    return Board.from_cells(board.shape, bytes(emptied))


def with_only_cells(board: Board, cells: Collection[int]) -> Board:
    """Return the board with all other cells empty."""
    return Board.from_cells(board.shape, bytes(digit if cell in cells else 0 for cell, digit in enumerate(board.cells)))


def random_grid(shape: Shape, rng: random.Random) -> Board:
    """Return a full board: a regular one, shuffled, then emptied in part and refilled."""
    size, height, width = shape.size, shape.height, shape.width
    rows = shuffled_lines(width, height, rng)
    columns = shuffled_lines(height, width, rng)
    full = Board.from_cells(
        shape, bytes((row % height * width + row // height + column) % size + 1 for row in rows for column in columns)
    )
    for _ in range(REFILLS):
        digits = [0, *rng.sample(range(1, size + 1), size)]
        full = Board.from_cells(shape, bytes(digits[digit] for digit in full.cells))
        holes = without_cells(full, rng.sample(range(shape.cells), shape.cells * 6 // 10))
        refilled = bytearray(shape.cells)
        if start(holes).run(20_000, out=refilled):
            full = Board.from_cells(shape, bytes(refilled))
    return full


def rearranged(board: Board, rng: random.Random) -> Board:
    """Return a board with its rows, columns and digits exchanged so that its count stays the same."""
    shape, size = board.shape, board.shape.size
    digits = [0, *rng.sample(range(1, size + 1), size)]
    rows = shuffled_lines(shape.width, shape.height, rng)
    columns = shuffled_lines(shape.height, shape.width, rng)
    return Board.from_cells(
        shape, bytes(digits[board.cells[row * size + column]] for row in rows for column in columns)
    )


def shuffled_lines(groups: int, lines: int, rng: random.Random) -> list[int]:
    """Return lines in a random order that keeps the lines of a band, or of a stack, together."""
    return [
        group * lines + line for group in rng.sample(range(groups), groups) for line in rng.sample(range(lines), lines)
    ]


def as_numbers(board: Board) -> str:
    """Return the clues as rows of numbers; 0 is an empty cell."""
    size = board.shape.size
    rows = (board.cells[start : start + size] for start in range(0, board.shape.cells, size))
    return "\n".join(" ".join(map(str, row)) for row in rows)
