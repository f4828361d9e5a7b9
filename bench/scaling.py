"""How cost grows as clues are taken away: both engines on one core, and where they cross.

Each grid is a solved one, drawn at random, from which clues are taken away in a random order; so every board has the
solutions of the one before it, and more. The search is given up for a grid when it has taken longer than the time
limit, since it will not take less with fewer clues.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median

from bench.data import Table
from bench.rows import Scale
from bench.session import Known, Step, TimeLimitError, add_output, conduct, opened, output, tried
from bench.trial import Trial
from enumerator import Board, Shape, sample

CLUES = [40, 36, 32, 30, 28, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 12, 10, 8, 6, 4, 2, 0]
ENGINES = ("search", "contraction")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--grids", type=int, default=5, help="how many (default: %(default)s)")
    parser.add_argument("--clues", type=int, nargs="+", default=CLUES, metavar="N", help="default: 40 to 0")
    parser.add_argument(
        "--limit", type=float, default=20.0, metavar="S", help="seconds for a count (default: %(default)s)"
    )
    add_output(parser, "scaling.csv")


def run(options: argparse.Namespace) -> int:
    clues = sorted(options.clues, reverse=True)
    table = opened(output(options, "scaling.csv"), Scale, f"scaling --limit {options.limit:g}", options.fresh)
    skipped: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        steps = planned(table, options.grids, clues, options.limit, Path(folder, "board.txt"))
        status = conduct(steps, options.grids * len(clues) * len(ENGINES), skipped)
    print(*summarised(table.rows), sep="\n")
    return status


def planned(table: Table[Scale], grids: int, clues: list[int], limit: float, file: Path) -> Iterator[Step]:
    """Grids, clues and engines; nothing is to be done where there is a result, or where it took too long before."""
    known = Known(Path())
    for wanted, number, engine in product(clues, range(grids), ENGINES):
        late = any((row.grid, row.engine, row.seconds) == (number, engine, None) for row in table.rows)
        there = any((row.grid, row.clues, row.engine) == (number, wanted, engine) for row in table.rows)

        def measure(wanted: int = wanted, number: int = number, engine: str = engine) -> None:
            file.write_text(f"{emptied(number, wanted)}\n")
            table.add(measured(file, number, wanted, engine, limit, known))

        yield Step(f"grid {number}", f"{wanted} clues, {engine}", None if late or there else measure)


def emptied(number: int, clues: int) -> Board:
    """A solved grid with so many of its cells left."""
    (grid,) = sample(Board.empty(Shape(3, 3)), 1, seed=number)
    order = random.Random(number).sample(range(81), 81)
    cells = bytearray(grid.cells)
    for cell in order[clues:]:
        cells[cell] = 0
    return Board(grid.shape, bytes(cells))


def measured(file: Path, number: int, clues: int, engine: str, limit: float, known: Known) -> Scale:
    try:
        found = tried(Trial(str(file), 1, engine), limit)
    except TimeLimitError:
        return Scale(number, clues, engine, None, None, None)
    solutions = known.check(f"grid {number} with {clues} clues", int(found.solutions))
    return Scale(number, clues, engine, found.seconds, solutions, found.memory)


def summarised(rows: list[Scale]) -> Iterator[str]:
    yield f"{'clues':>5}{'solutions':>12}{'search s':>12}{'MB':>6}{'contraction s':>15}{'MB':>6}   medians"
    for clues in sorted({row.clues for row in rows}, reverse=True):
        line = f"{clues:>5}"
        here = [row for row in rows if row.clues == clues]
        counts = [row.solutions for row in here if row.solutions is not None]
        line += f"{float(median(counts)):>12.3g}" if counts else f"{'':>12}"
        for engine, width in zip(ENGINES, (12, 15), strict=True):
            times = [(row.seconds, row.memory) for row in here if row.engine == engine and row.seconds is not None]
            late = any(row.seconds is None for row in here if row.engine == engine)
            if times and not late:
                line += (
                    f"{median(each for each, _ in times):>{width}.5f}{median(size or 0.0 for _, size in times):>6.0f}"
                )
            else:
                line += f"{'too long' if late else '':>{width}}{'':>6}"
        yield line.rstrip()
