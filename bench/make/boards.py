"""Make boards like those of boards/, and the table in its README.

Boards that are there stay as they are, unless --fresh is given. The two series 1a … 1f and 2a … 2f are
nested: the first board of each has one solution, and each following one lacks some of its clues. Their
numbers of empty cells are those of the boards in the published study, and their numbers of solutions
are within a factor of 2.5. 2g lacks one clue more than 2f, so that it has about ten times its solutions.

The same seed and the same kernel make the same boards: random grids are refilled with the first
solution that the walk finds. The series in boards/ and its boards beyond 6×6 were made by earlier
kernels; that of today makes others of the same kind.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from bench import ROOT
from bench.common.boards import clue_cells, random_grid, without_cells
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.board.writing import as_drawing
from enumerator.engines import contraction
from enumerator.engines.search import kernel, start

SERIES = {  # (empty cells, solutions) of the boards of the published study
    "1": [(53, 1), (59, 4_715), (61, 132_271), (62, 587_264), (63, 3_151_964), (64, 16_269_895)],
    "2": [(58, 1), (60, 276), (62, 32_128), (64, 1_014_785), (65, 7_388_360), (66, 48_794_239)],
}
LONG_NAME, LONG_SOLUTIONS = "2g", 480_000_000
"""The board that follows 2f, and its approximate solutions: ten times those of 2f's model."""

LONG_FACTOR = 1.25
"""The number of solutions of 2g is within this factor of LONG_SOLUTIONS; four clues of 2f allow that."""

NEAR_FACTOR = 2.5
"""A board's number of solutions is within this factor of the published one's."""

CHOICES = 40
"""Random choices of clues to drop that are tried before a series is begun again."""

MOST_PROOF_NODES = 100_000
"""Nodes within which the first board of a series is proved unique."""

OTHERS = [  # name, shape, most nodes of the proof that it is unique; least solutions, most nodes to count them in
    ("4x4-unique", Shape(2, 2), 100, 1, 0),
    ("4x4-many", Shape(2, 2), 100, 20, 1_000),
    ("6x6-unique", Shape(2, 3), 100, 1, 0),
    ("6x6-many", Shape(2, 3), 100, 5_000, 100_000),
    ("16x16-unique", Shape(4, 4), 20_000, 1, 0),
    ("16x16-many", Shape(4, 4), 1_000, 10_000, 100_000),
    ("25x25-unique", Shape(5, 5), 2_000, 1, 0),
    ("25x25-many", Shape(5, 5), 0, 20, 3_000),
]

KNOWN = {"empty": 6_670_903_752_021_072_936_960}
"""Boards with too many solutions to be walked: Felgenhauer and Jarvis 2005."""

HEAD = """\
# Boards

`python -m bench boards` makes such boards, and this page. The twelve boards 1a to 2f are
modelled on those of a published study of a parallel Java program. Each has as many empty cells as
its model, and as many solutions within a factor of {near}. Within a series, each board is the previous
one with some clues removed. 2g, for long runs, is 2f with one clue removed. The search space is the
product of the numbers of candidates of all empty cells.

| board | shape | empty cells | filling factor | solutions | search space |
|---|---|---:|---:|---:|---:|
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--fresh", action="store_true", help="replace boards that are there")
    parser.add_argument("--folder", type=Path, default=ROOT / "boards", help="where to write them")
    parser.add_argument("--only", default="", metavar="NAME", help="make one board (or series: 1, 2), and no README")


def run(options: argparse.Namespace) -> int:
    options.folder.mkdir(exist_ok=True)
    for name, board in make_boards(options.seed, options.only):
        path = options.folder / f"{name}.txt"
        if path.exists() and not options.fresh:
            print(f"{name:<14}is there: kept")
            continue
        path.write_text(file_text(board))
        print(f"{name:<14}{board.empty_cells:>5} empty cells", flush=True)
    if not options.only:
        write_table(options.folder)
    return 0


def make_boards(seed: int, only: str = "") -> Iterator[tuple[str, Board]]:
    """Yield names and boards; each series and each other board has its own random numbers."""
    for name, targets in SERIES.items():
        if only in ("", name):
            series = make_series(targets, random.Random(f"{seed}/{name}"))
            yield from zip((name + letter for letter in "abcdef"), series, strict=True)
            if LONG_NAME.startswith(name):
                yield LONG_NAME, make_long(series[-1], random.Random(f"{seed}/{LONG_NAME}"))
    if only in ("", "empty"):
        yield "empty", Board.empty(Shape(3, 3))
    for name, shape, proof, solutions, nodes in OTHERS:
        if only in ("", name):
            rng = random.Random(f"{seed}/{name}")
            board = make_unique(random_grid(shape, rng), rng, proof)
            yield name, board if solutions == 1 else make_multiple(board, solutions, nodes, rng)


def make_series(targets: list[tuple[int, int]], rng: random.Random) -> list[Board]:
    """Return nested boards, one for each pair of empty cells and approximate solutions."""
    empty, _ = targets[0]
    while True:
        first = make_unique(random_grid(Shape(3, 3), rng), rng, MOST_PROOF_NODES, empty)
        boards = [first] if first.empty_cells == empty else []
        for empty_cells, solutions in targets[1:] if boards else []:
            drop = empty_cells - boards[-1].empty_cells
            choices = (without_cells(boards[-1], rng.sample(clue_cells(boards[-1]), drop)) for _ in range(CHOICES))
            found = next((board for board in choices if is_near(board, solutions)), None)
            if found is None:
                break
            boards.append(found)
        if len(boards) == len(targets):
            return boards


def make_long(board: Board, rng: random.Random) -> Board:
    """Return `board` without a random clue, such that there are about LONG_SOLUTIONS."""
    for cell in rng.sample(clue_cells(board), len(clue_cells(board))):
        fewer = without_cells(board, [cell])
        if LONG_SOLUTIONS / LONG_FACTOR <= contraction.count(fewer) <= LONG_SOLUTIONS * LONG_FACTOR:
            return fewer
    raise ValueError("no such board: try another seed")


def is_near(board: Board, solutions: int) -> bool:
    most = int(solutions * NEAR_FACTOR)
    return solutions / NEAR_FACTOR <= start(board).run(limit=most + 1) <= most


def make_unique(board: Board, rng: random.Random, nodes: int, empty: int | None = None) -> Board:
    """Take clues away at random while one solution is left, proved within `nodes` nodes.

    Stop at `empty` empty cells.
    """
    for cell in rng.sample(clue_cells(board), board.shape.cells):
        if board.empty_cells == empty:
            break
        fewer = without_cells(board, [cell])
        walk = start(fewer)
        if walk.run(nodes, 2) == 1 and walk.finished:
            board = fewer
    return board


def make_multiple(board: Board, solutions: int, nodes: int, rng: random.Random) -> Board:
    """Take clues away until there are at least `solutions`, countable within `nodes` nodes."""
    for cell in rng.sample(clue_cells(board), len(clue_cells(board))):
        fewer = without_cells(board, [cell])
        walk = start(fewer)
        found = walk.run(nodes)
        if walk.finished:
            board = fewer
            if found >= solutions:
                return board
    raise ValueError("no such board: try another seed")


def file_text(board: Board) -> str:
    """Return a board as plain rows; if it is larger than 9×9, with its boxes set apart."""
    if board.shape.size <= 9:
        size, line = board.shape.size, str(board)
        return "".join(line[first : first + size] + "\n" for first in range(0, len(line), size))
    return as_drawing(board, ascii=True) + "\n"


def write_table(folder: Path) -> None:
    paths = sorted(folder.glob("*.txt"), key=lambda path: (len(read(path).cells), path.name))
    (folder / "README.md").write_text(table({path: KNOWN.get(path.stem) or count_twice(read(path)) for path in paths}))


def table(solutions: dict[Path, int]) -> str:
    """Return the text of boards/README.md for files of boards and their numbers of solutions."""
    return HEAD.format(near=NEAR_FACTOR) + "".join(table_row(path, number) for path, number in solutions.items())


def table_row(path: Path, solutions: int) -> str:
    board = read(path)
    return (
        f"| [{path.stem}]({path.name}) | {board.shape} | {board.empty_cells} | {board.filling_factor:.3f} "
        f"| {solutions:,} | {board.search_space:.3e} |\n"
    )


def count_twice(board: Board) -> int:
    """Return the number of solutions by the walk and by the contraction, or by two kernels of the walk.

    The counts must agree. The second kernel is for shapes that are too large for the contraction.
    """
    if contraction.supports(board.shape):
        again = contraction.count(board)
    else:
        again = kernel.General(board.cells, board.shape.height, board.shape.width).run()
    (count,) = {start(board).run(), again}
    return count
