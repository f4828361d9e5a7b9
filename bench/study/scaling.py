"""Growth of cost as clues are taken away: both engines on one core, and where they cross.

Each grid is a solved one, drawn at random, from which clues are taken away in a random order; so
every board has the solutions of the one before it, and more. An engine that exceeds the time limit
on a grid is not measured on it with fewer clues.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median

from bench.common.boards import with_only_cells
from bench.common.commands import TimeLimitError
from bench.common.options import add_number
from bench.study.options import KnownCounts, add_measuring, positive, print_table
from bench.study.session import Step, open_table, run_steps, run_trial
from bench.study.trial import Trial
from bench.tables.rows import Scale
from bench.tables.table import Table
from enumerator import Board, Shape, sample

CLUES = [40, 36, 32, 30, 28, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 12, 10, 8, 6, 4, 2, 0]
ENGINES = ("search", "contraction")


def configure(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--grids", 5, "number of grids")
    parser.add_argument(
        "--clues", type=int, nargs="+", choices=range(82), default=CLUES, metavar="N", help="default: 40 to 0"
    )
    parser.add_argument(
        "--limit", type=positive, default=20.0, metavar="S", help="seconds for a count (default: %(default)s)"
    )
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    clues = sorted(options.clues, reverse=True)
    path = options.results / "scaling.csv"
    table = open_table(path, Scale, f"scaling --limit {options.limit:g}", options.fresh)
    with tempfile.TemporaryDirectory() as folder:
        steps = all_steps(table, options.grids, clues, options.limit, Path(folder, "board.txt"))
        status = run_steps(steps, options.grids * len(clues) * len(ENGINES), options)
    print_table(options, summary_lines(table.rows), table.rows)
    return status


def all_steps(table: Table[Scale], grids: int, clues: list[int], limit: float, file: Path) -> Iterator[Step]:
    """Yield a step for each grid, number of clues and engine.

    A step that is done, or whose engine was too slow with more clues, measures nothing.
    """
    known = KnownCounts({})
    for number, wanted, engine in product(range(grids), clues, ENGINES):
        is_late = any((row.grid, row.engine, row.seconds) == (number, engine, None) for row in table.rows)
        is_done = any((row.grid, row.clues, row.engine) == (number, wanted, engine) for row in table.rows)

        def measure_one(wanted: int = wanted, number: int = number, engine: str = engine) -> None:
            file.write_text(f"{grid_with_clues(number, wanted)}\n")
            table.add(measure(file, number, wanted, engine, limit, known))

        work = None if is_late or is_done else measure_one
        yield Step(f"grid {number}", f"{wanted} clues, {engine}", work, is_extra=number > 0)


def grid_with_clues(number: int, clues: int) -> Board:
    """Return a solved grid with `clues` of its cells left; `number` is the seed."""
    (grid,) = sample(Board.empty(Shape(3, 3)), 1, seed=number)
    return with_only_cells(grid, random.Random(number).sample(range(81), 81)[:clues])


def measure(file: Path, number: int, clues: int, engine: str, limit: float, known: KnownCounts) -> Scale:
    try:
        found = run_trial(Trial(str(file), 1, engine), limit)
    except TimeLimitError:
        return Scale(number, clues, engine, None, None, None)
    solutions = known.check(f"grid {number} with {clues} clues", int(found.solutions))
    return Scale(number, clues, engine, found.seconds, solutions, found.memory)


def summary_lines(rows: list[Scale]) -> Iterator[str]:
    """Yield the lines of a printed table: medians over grids."""
    yield f"{'clues':>5}{'solutions':>12}{'search s':>12}{'MB':>6}{'contraction s':>15}{'MB':>6}   medians"
    for clues in sorted({row.clues for row in rows}, reverse=True):
        line = f"{clues:>5}"
        here = [row for row in rows if row.clues == clues]
        counts = [row.solutions for row in here if row.solutions is not None]
        line += f"{float(median(counts)):>12.3g}" if counts else f"{'':>12}"
        for engine, width in zip(ENGINES, (12, 15), strict=True):
            times = [(row.seconds, row.memory) for row in here if row.engine == engine and row.seconds is not None]
            is_late = any(row.seconds is None for row in here if row.engine == engine)
            if times and not is_late:
                seconds, memory = median(each for each, _ in times), median(size or 0.0 for _, size in times)
                line += f"{seconds:>{width}.5f}{memory:>6.0f}"
            else:
                line += f"{'too long' if is_late else '':>{width}}{'':>6}"
        yield line.rstrip()
