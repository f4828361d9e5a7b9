"""Make hard boards of 16×16, 25×25 and 36×36 cells, as those of boards/large/, and the table in its README.

A puzzle is a random grid whose clues are taken away in a random order, except those that are needed for
one solution: up to a number of clues, or until none can be spared (a minimal puzzle). Where several
are tried, the one is kept that has the most candidates left when every naked and hidden single
is settled; the table states that number. A series is a puzzle with 2, 4, 6 … clues fewer: the last
ones in the order of its puzzle.

The same seed makes the same boards, whatever engine decides: a grid depends on random numbers alone, and
a clue is taken away or kept by an exact verdict. Boards that are there stay as they are, unless --fresh
is given. 25×25 and 36×36 puzzles take the engine `learning`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import enumerator
from bench import ROOT
from bench.common.boards import clue_cells, shuffled_lines, without_cells
from bench.common.commands import check_parts
from bench.common.covers import reduced_cover
from bench.make.boards import file_text, table_row
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines.search import start

FOLDER = ROOT / "boards" / "large"

MOVES = 200
"""Moves that mix a grid: each finds new places for three digits. Of 120 moves on 16×16 to 36×36, 75 to 96
did more than exchange whole digits. How uniform the grids are was not measured."""

MOVED_DIGITS = 3
"""Digits of a move. For four, a search for new places often ends in vain on 25×25."""

MOST_TRIED = 1_000
"""Digits that a move tries before it is given up."""


class Recipe(NamedTuple):
    """A puzzle to make, and the series that begins with it."""

    shape: Shape
    clues: int
    """The clues to leave; 0: as few as possible."""
    tries: int = 1
    """Puzzles that are made; the one with the most candidates is kept."""
    fewer: tuple[int, ...] = ()
    """The numbers of clues that are taken away from the puzzle, for a series."""
    seed: int = 1


RECIPES = {
    "16x16-a": Recipe(Shape(4, 4), 0, tries=20),
    "16x16-b": Recipe(Shape(4, 4), 106, fewer=(2, 4, 6, 8), seed=5),
    "25x25-a": Recipe(Shape(5, 5), 300, fewer=(4, 6, 8, 10)),
    "25x25-b": Recipe(Shape(5, 5), 0),
    "36x36-a": Recipe(Shape(6, 6), 676),
}
"""The puzzles by name.

Numbers of clues were chosen by CaDiCaL 1.9.5's time: 36x36-a takes it 1.5 s, 25x25-b 0.9 s. Of the seeds 1 to
8 of 16x16-b, 5 was chosen since its series can be counted; this is no choice by hardness.
"""

MOST_WALKED = 500_000
"""Nodes within which the walk counts a board that does not need another engine: a few seconds."""

HEAD = """\
# Large boards

`python -m bench large-boards` makes these boards, and this page. A puzzle is a random grid without
some clues that it does not need; its name ends in a letter. Minimal puzzles need each of their clues:
{minimal}. A board whose name ends in a number is the puzzle with as many clues fewer. The candidates
are those that naked and hidden singles leave. Of several puzzles, the one with the most
candidates was kept: {tried}. The walk counts the boards of the engine `search` within {nodes:,}
nodes; those of `learning` have too many dead ends for it.

| board | shape | empty cells | filling factor | solutions | search space | candidates | seed | engine |
|---|---|---:|---:|---:|---:|---:|---:|---|
"""

Oracle = Callable[[Board], bool]
"""Tells if a board has exactly one solution."""


def is_unique(board: Board) -> bool:
    """Return True if a board has exactly one solution."""
    return enumerator.classify(board) is enumerator.Verdict.UNIQUE


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"puzzles: {', '.join(RECIPES)} (default: all)")
    parser.add_argument("--seed", type=int, help="for all of them (default: as in the table)")
    parser.add_argument("--fresh", action="store_true", help="replace boards that are there")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write them (default: boards/large)")


def run(options: argparse.Namespace) -> int:
    check_parts(options.names, RECIPES)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or RECIPES:
        paths = {each: options.folder / f"{each}.txt" for each in names_of(name, RECIPES[name])}
        if not options.fresh and all(path.exists() for path in paths.values()):
            print(f"{name:<12}is there: kept")
            continue
        recipe = RECIPES[name] if options.seed is None else RECIPES[name]._replace(seed=options.seed)
        for each, board in make(name, recipe).items():
            paths[each].write_text(file_text(board))
            print(f"{each:<12}{len(clue_cells(board)):>5} clues, {candidates(board):>5} candidates", flush=True)
    write_table(options.folder, options.seed, options.fresh)
    return 0


class Entry(NamedTuple):
    """The columns of the table that do not follow from the board."""

    solutions: int
    seed: int
    engine: str


def write_table(folder: Path, seed: int | None, fresh: bool) -> None:
    """Write the page of a folder. Boards that stand in it already are not counted again, unless `fresh` is set."""
    page = folder / "README.md"
    known = {} if fresh or not page.exists() else entries(page.read_text())
    found = {}
    for name, recipe in RECIPES.items():
        paths = (folder / f"{each}.txt" for each in names_of(name, recipe))
        for path in filter(Path.exists, paths):
            found[path] = known.get(path.stem) or entry(read(path), recipe.seed if seed is None else seed)
    page.write_text(table(found))


def entry(board: Board, seed: int) -> Entry:
    walk = start(board)
    solutions = walk.run(MOST_WALKED)
    if walk.finished:
        return Entry(solutions, seed, "search")
    return Entry(enumerator.count(board), seed, "learning")


def entries(page: str) -> dict[str, Entry]:
    """Return the entries of a page by the names of its boards."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines()]
    return {
        row[0][1:].partition("]")[0]: Entry(int(row[4].replace(",", "")), int(row[7]), row[8])
        for row in rows
        if row[0].startswith("[")
    }


def table(found: dict[Path, Entry]) -> str:
    """Return the text of boards/large/README.md for files of boards and their entries."""
    lines = [
        f"{table_row(path, each.solutions).rstrip()} {candidates(read(path)):,} | {each.seed} | {each.engine} |\n"
        for path, each in found.items()
    ]
    minimal = " and ".join(name for name, recipe in RECIPES.items() if not recipe.clues)
    tried = ", ".join(f"{name} of {recipe.tries}" for name, recipe in RECIPES.items() if recipe.tries > 1)
    return HEAD.format(nodes=MOST_WALKED, minimal=minimal, tried=tried) + "".join(lines)


def names_of(name: str, recipe: Recipe) -> list[str]:
    """Return the names of a puzzle and of its series."""
    return [name, *(f"{name}-{number}" for number in recipe.fewer)]


def make(name: str, recipe: Recipe, is_unique: Oracle = is_unique) -> dict[str, Board]:
    """Return a puzzle and its series by name. Each puzzle that is tried has random numbers of its own."""
    tried = []
    for number in range(recipe.tries):
        rng = random.Random(f"{recipe.seed}/{name}/{number}")
        grid = mixed_grid(recipe.shape, rng)
        order = rng.sample(range(recipe.shape.cells), recipe.shape.cells)
        tried.append((take_away(grid, order, recipe.clues, is_unique), order))
    puzzle, order = max(tried, key=lambda each: candidates(each[0]))
    kept = [cell for cell in order if puzzle.cells[cell]]
    series = [without_cells(puzzle, kept[len(kept) - number :]) for number in (0, *recipe.fewer)]
    return dict(zip(names_of(name, recipe), series, strict=True))


def take_away(board: Board, order: list[int], clues: int, is_unique: Oracle) -> Board:
    """Take clues away in this order while one solution is left, until `clues` are left."""
    for cell in order:
        if len(clue_cells(board)) == clues:
            break
        fewer = without_cells(board, [cell])
        if is_unique(fewer):
            board = fewer
    return board


def candidates(board: Board) -> int:
    """Return the number of candidates that naked and hidden singles leave."""
    return len(reduced_cover(board).options)


# -------------------------------------------------------------------------------------------------- random grids


def mixed_grid(shape: Shape, rng: random.Random) -> Board:
    """Return a full board: a regular one, shuffled, then mixed by moves. No engine has a part in it."""
    size, height, width = shape.size, shape.height, shape.width
    rows, columns = shuffled_lines(width, height, rng), shuffled_lines(height, width, rng)
    cells = bytearray((row % height * width + row // height + column) % size + 1 for row in rows for column in columns)
    for _ in range(MOVES):
        move(shape, cells, rng.sample(range(1, size + 1), MOVED_DIGITS), rng)
    return Board.from_cells(shape, bytes(cells))


def move(shape: Shape, cells: bytearray, digits: list[int], rng: random.Random) -> None:
    """Exchange these digits among their cells at random so that no rule is broken."""
    places = [cell for cell, digit in enumerate(cells) if digit in digits]
    rng.shuffle(places)
    seen = {cell: [other for other in places if other in peers(shape)[cell]] for cell in places}
    found: dict[int, int] = {}
    tried = 0

    def fill(left: dict[int, list[int]]) -> bool:
        """Fill the cells that are left, those with the fewest digits first; False if there is no way."""
        nonlocal tried
        if not left:
            return True
        cell = min(left, key=lambda cell: len(left[cell]))
        for digit in left[cell]:
            tried += 1
            if tried > MOST_TRIED:
                return False
            found[cell] = digit
            rest = {other: digits for other, digits in left.items() if other != cell}
            for other in seen[cell]:
                if other in rest and digit in rest[other]:
                    rest[other] = [each for each in rest[other] if each != digit]
            if all(rest.values()) and fill(rest):
                return True
        return False

    if fill({cell: rng.sample(digits, len(digits)) for cell in places}):
        for cell in places:
            cells[cell] = found[cell]


@cache
def peers(shape: Shape) -> list[frozenset[int]]:
    """Return the cells that share a row, a column or a box with each cell."""
    size, height, width = shape.size, shape.height, shape.width
    units: dict[tuple[str, int, int], set[int]] = {}
    keys = []
    for cell in range(shape.cells):
        row, column = divmod(cell, size)
        keys.append([("row", row, 0), ("column", column, 0), ("box", row // height, column // width)])
        for key in keys[-1]:
            units.setdefault(key, set()).add(cell)
    return [frozenset().union(*(units[key] for key in own)) - {cell} for cell, own in enumerate(keys)]
