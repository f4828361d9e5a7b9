"""Boards for tests: ours by name, random ones, rearranged ones; a checker that shares nothing with the engines."""

from __future__ import annotations

import random
from pathlib import Path

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines.search import start

ROOT = Path(__file__).parent.parent.parent
BOARDS = ROOT / "boards"

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
EMPTY = "." * 81
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

CONTRADICTION = "5...5" + "." * 76
UNSOLVABLE = "12345678" + "." * 9 + "9" + "." * 63  # nothing is left for r1c9

SHAPES = [Shape(height, width) for height in range(2, 9) for width in range(2, 9)]

MANY_SHAPES = [shape for shape in SHAPES if shape.size <= 25 or shape in (Shape(4, 8), Shape(6, 6), Shape(8, 8))]
"""Shapes for tests that take long on large boards: all up to 25×25, and a few of the larger ones."""

NINE = Shape(3, 3)
COMMON_SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE]
"""Shapes that every engine supports."""

ALL_9X9 = 6_670_903_752_021_072_936_960
"""Solutions of the empty 9×9 board: Felgenhauer and Jarvis, 2005."""


def board_file(name: str) -> str:
    """Return the path of one of our boards."""
    return str(BOARDS / f"{name}.txt")


def board(name: str) -> Board:
    """Read one of our boards."""
    return enumerator.read(board_file(name))


def full_board(shape: Shape, rng: random.Random) -> Board:
    """Return a full board: a regular one, shuffled."""
    return shuffle(regular(shape), rng)


def regular(shape: Shape) -> Board:
    """Return the full board whose rows are shifts of each other."""
    size, height, width = shape.size, shape.height, shape.width
    return Board.from_cells(
        shape,
        bytes(
            (row % height * width + row // height + column) % size + 1 for row in range(size) for column in range(size)
        ),
    )


def shuffle(board: Board, rng: random.Random) -> Board:
    """Relabel the digits and exchange rows, columns, bands and stacks: the count stays the same."""
    height, width, size = board.shape.height, board.shape.width, board.shape.size
    digits = [0, *rng.sample(range(1, size + 1), size)]
    rows = [
        band * height + row for band in rng.sample(range(width), width) for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + col for stack in rng.sample(range(height), height) for col in rng.sample(range(width), width)
    ]
    return Board.from_cells(
        board.shape, bytes(digits[board.cells[row * size + column]] for row in rows for column in columns)
    )


def transpose(board: Board) -> Board:
    """Exchange rows and columns: the count stays the same."""
    size = board.shape.size
    turned = Shape(board.shape.width, board.shape.height)
    return Board.from_cells(
        turned, bytes(board.cells[row * size + column] for column in range(size) for row in range(size))
    )


def with_holes(board: Board, holes: int, rng: random.Random) -> Board:
    """Empty `holes` random cells."""
    cells = bytearray(board.cells)
    for cell in rng.sample(range(board.shape.cells), holes):
        cells[cell] = 0
    return Board.from_cells(board.shape, bytes(cells))


def with_clues(shape: Shape, clues: int, rng: random.Random) -> Board:
    """Return a full board of which `clues` cells are left."""
    return with_holes(full_board(shape, rng), shape.cells - clues, rng)


def random_board(shape: Shape, rng: random.Random, most: int = 300) -> Board:
    """Return a board with at least one solution and about `most`."""
    board = full_board(shape, rng)
    for cell in rng.sample(range(shape.cells), shape.cells):
        emptier = board.with_cell(cell, 0)
        walk = start(emptier)
        walk.run(20 * most, most + 1)
        if not walk.finished:
            break
        board = emptier
    return board


def breaks_no_rule(solution: Board, board: Board) -> bool:
    """Return whether `solution` solves `board`. The units are cut out here: no engine takes part."""
    size, height, width = board.shape.size, board.shape.height, board.shape.width
    rows = [solution.cells[size * row : size * row + size] for row in range(size)]
    columns = [bytes(row[column] for row in rows) for column in range(size)]
    boxes = [
        b"".join(row[left : left + width] for row in rows[top : top + height])
        for top in range(0, size, height)
        for left in range(0, size, width)
    ]
    keeps_clues = all(clue in (0, digit) for clue, digit in zip(board.cells, solution.cells, strict=True))
    return keeps_clues and all(set(unit) == set(range(1, size + 1)) for unit in [*rows, *columns, *boxes])
