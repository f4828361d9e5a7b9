"""Makes the boards of boards/ and the table in its README, from a seed: the same seed, the same boards.

The two series 1a … 1f and 2a … 2f are nested: the first board of each has one solution, and each following
one lacks some of its clues. Their numbers of empty cells are those of the boards in the published study,
their numbers of solutions are near to them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from bench import ROOT
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.board.writing import as_grid
from enumerator.engines.search import kernel, start

SERIES = {  # (empty cells, solutions) of the boards of the published study
    "1": [(53, 1), (59, 4_715), (61, 132_271), (62, 587_264), (63, 3_151_964), (64, 16_269_895)],
    "2": [(58, 1), (60, 276), (62, 32_128), (64, 1_014_785), (65, 7_388_360), (66, 48_794_239)],
}
NEAR = 2.5
"""A board's number of solutions is within this factor of the published one's."""

OTHERS = [  # name, shape, nodes that proving the puzzle unique may take; then solutions, nodes to count them in
    ("4x4-unique", Shape(2, 2), 100, 1, 0),
    ("4x4-many", Shape(2, 2), 100, 20, 1_000),
    ("6x6-unique", Shape(2, 3), 100, 1, 0),
    ("6x6-many", Shape(2, 3), 100, 5_000, 100_000),
    ("16x16-unique", Shape(4, 4), 20_000, 1, 0),
    ("16x16-many", Shape(4, 4), 1_000, 10_000, 100_000),
    ("25x25-unique", Shape(5, 5), 2_000, 1, 0),
    ("25x25-many", Shape(5, 5), 0, 20, 3_000),
]

HEAD = """\
# Boards

Made by `python -m bench boards`, which writes this page too. Series 1 and 2 follow the boards of the published
study: as many empty cells, and as many solutions within a factor of {near}. In a series each board is the one before
it with some clues taken away. The search space is the product of the numbers of candidates of the empty cells.

| board | shape | empty cells | filling factor | solutions | search space |
|---|---|---:|---:|---:|---:|
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--folder", type=Path, default=ROOT / "boards", help="where to write them")
    parser.add_argument("--only", default="", metavar="NAME", help="make one board (or series: 1, 2), and no README")


def run(options: argparse.Namespace) -> int:
    options.folder.mkdir(exist_ok=True)
    for name, board in make(options.seed, options.only):
        (options.folder / f"{name}.txt").write_text(as_file(board))
        print(f"{name:<14}{board.empty_cells:>5} empty cells", flush=True)
    if not options.only:
        write_table(options.folder)
    return 0


def make(seed: int, only: str = "") -> Iterator[tuple[str, Board]]:
    """The boards and their names; each series and each other board has its own random numbers."""
    for name, targets in SERIES.items():
        if only in ("", name):
            for letter, board in zip("abcdef", series(targets, random.Random(f"{seed}/{name}")), strict=True):
                yield name + letter, board
    if only in ("", "empty"):
        yield "empty", Board.empty(Shape(3, 3))
    for name, shape, proof, solutions, nodes in OTHERS:
        if only in ("", name):
            rng = random.Random(f"{seed}/{name}")
            board = puzzle(grid(shape, rng), rng, proof)
            yield name, board if solutions == 1 else loosen(board, solutions, nodes, rng)


def series(targets: list[tuple[int, int]], rng: random.Random) -> list[Board]:
    """Boards with the given numbers of empty cells, each with about the given number of solutions."""
    empty, _ = targets[0]
    while True:
        first = puzzle(grid(Shape(3, 3), rng), rng, nodes=100_000, empty=empty)
        boards = [first] if first.empty_cells == empty else []
        for empty_cells, solutions in targets[1:] if boards else []:
            drop = empty_cells - boards[-1].empty_cells
            choices = (without(boards[-1], rng.sample(clues(boards[-1]), drop)) for _ in range(40))
            found = next((board for board in choices if is_near(board, solutions)), None)
            if found is None:
                break
            boards.append(found)
        if len(boards) == len(targets):
            return boards


def is_near(board: Board, solutions: int) -> bool:
    most = int(solutions * NEAR)
    return solutions / NEAR <= start(board).run(limit=most + 1) <= most


def puzzle(board: Board, rng: random.Random, nodes: int, empty: int | None = None) -> Board:
    """Take clues away, in random order, as long as one solution is left and the proof takes so few nodes."""
    for cell in rng.sample(clues(board), board.shape.cells):
        if board.empty_cells == empty:
            break
        fewer = without(board, [cell])
        walk = start(fewer)
        if walk.run(nodes, 2) == 1 and walk.finished:
            board = fewer
    return board


def loosen(board: Board, solutions: int, nodes: int, rng: random.Random) -> Board:
    """Take clues away until there are so many solutions, and they can be counted in so many nodes."""
    for cell in rng.sample(clues(board), len(clues(board))):
        fewer = without(board, [cell])
        walk = start(fewer)
        found = walk.run(nodes)
        if walk.finished:
            board = fewer
            if found >= solutions:
                return board
    raise ValueError("no such board: try another seed")


def grid(shape: Shape, rng: random.Random) -> Board:
    """A full board: a regular one, its lines and digits shuffled, then some rounds of emptying and refilling."""
    size, height, width = shape.size, shape.height, shape.width
    rows = shuffled_lines(width, height, rng)
    columns = shuffled_lines(height, width, rng)
    full = Board(
        shape, bytes((row % height * width + row // height + column) % size + 1 for row in rows for column in columns)
    )
    for _ in range(20):
        digits = [0, *rng.sample(range(1, size + 1), size)]
        full = Board(shape, bytes(digits[digit] for digit in full.cells))
        holes = without(full, rng.sample(range(shape.cells), shape.cells * 6 // 10))
        refilled = bytearray(shape.cells)
        if start(holes).run(20_000, out=refilled):
            full = Board(shape, bytes(refilled))
    return full


def shuffled_lines(groups: int, lines: int, rng: random.Random) -> list[int]:
    """Lines in a new order that keeps the lines of a band, or a stack, together."""
    return [
        group * lines + line for group in rng.sample(range(groups), groups) for line in rng.sample(range(lines), lines)
    ]


def clues(board: Board) -> list[int]:
    return [cell for cell, digit in enumerate(board.cells) if digit]


def without(board: Board, cells: list[int]) -> Board:
    emptied = bytearray(board.cells)
    for cell in cells:
        emptied[cell] = 0
    return Board(board.shape, bytes(emptied))


def as_file(board: Board) -> str:
    """Small boards as plain rows, larger ones with their boxes set apart."""
    if board.shape.size <= 9:
        size, line = board.shape.size, str(board)
        return "".join(line[first : first + size] + "\n" for first in range(0, len(line), size))
    return as_grid(board) + "\n"


def write_table(folder: Path) -> None:
    rows = [
        row(path) for path in sorted(folder.glob("*.txt"), key=lambda path: (len(read(str(path)).cells), path.name))
    ]
    (folder / "README.md").write_text(HEAD.format(near=NEAR) + "".join(rows))


def row(path: Path) -> str:
    board = read(str(path))
    known = {"empty": 6_670_903_752_021_072_936_960}.get(path.stem)  # Felgenhauer and Jarvis 2005
    walked = count_twice(board) if known is None else known
    return (
        f"| [{path.stem}]({path.name}) | {board.shape} | {board.empty_cells} | {board.filling_factor:.3f} "
        f"| {walked:,} | {board.search_space:.3e} |\n"
    )


def count_twice(board: Board) -> int:
    """The number of solutions by both kernels, which must agree."""
    counts = {
        start(board).run(),
        kernel.General(board.cells, board.shape.height, board.shape.width).run(),
    }
    (count,) = counts
    return count
