"""What goes together with what: correlations between the variables of runs that were saved, and of nothing else.

For all runs together and for each number of cores: empty cells, filling factor, search space, solutions, nodes, tasks,
sequential and parallel time, speed-up. Numbers that range over many magnitudes are taken by their logarithms. A row of
the data is a board on so many cores, with the means of its times.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from math import log10
from pathlib import Path
from statistics import fmean

from bench.data import RESULTS, DataError, read, write
from bench.rows import Correlation, Run
from bench.session import add_output, output
from bench.speedup import rounds
from bench.stats import pearson, spearman

VARIABLES = (
    "empty cells",
    "filling factor",
    "log search space",
    "log solutions",
    "log nodes",
    "log tasks",
    "log sequential time",
    "log parallel time",
    "speed-up",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where the data are")
    parser.add_argument(
        "--data", nargs="+", default=["speedup-search.csv"], metavar="FILE", help="default: %(default)s"
    )
    add_output(parser, "correlation.csv")


def run(options: argparse.Namespace) -> int:
    try:
        runs = [row for name in options.data for row in read(options.results / name, Run)[1]]
    except DataError as error:
        raise SystemExit(f"bench: {error}; `bench speedup --engine search` makes the data") from None
    rows = list(correlated(runs))
    write(output(options, "correlation.csv"), Correlation, f"correlation --data {' '.join(options.data)}", rows)
    print(*printed(rows), sep="\n")
    return 0


def correlated(runs: list[Run]) -> Iterator[Correlation]:
    """Every pair of variables, for all numbers of cores and for each."""
    points = [
        (cores, point(by_cores, cores))
        for by_cores in rounds(runs).values()
        for cores in by_cores
        if cores > 1 or len(by_cores) == 1
    ]
    for chosen in ("all", *map(str, sorted({cores for cores, _ in points}))):
        here = [values for cores, values in points if chosen in ("all", str(cores))]
        columns = {name: [values[name] for values in here] for name in VARIABLES}
        for first, second in product(VARIABLES, repeat=2):
            pair = columns[first], columns[second]
            yield Correlation(chosen, first, second, pearson(*pair), spearman(*pair), len(here))


def point(by_cores: dict[int, list[Run]], cores: int) -> dict[str, float]:
    """What is known of a board on so many cores. Where nothing was handed out, that is one task."""
    runs, one = by_cores[cores], by_cores[cores][0]
    sequential = fmean(run.seconds for run in by_cores[1])
    parallel = fmean(run.seconds for run in runs)
    values = (
        one.empty_cells,
        one.filling_factor,
        log10(one.search_space),
        log10(max(1, one.solutions)),
        log10(max(1, one.nodes)),
        log10(fmean(max(1, run.tasks) for run in runs)),
        log10(sequential),
        log10(parallel),
        sequential / parallel,
    )
    return dict(zip(VARIABLES, values, strict=True))


def printed(rows: list[Correlation]) -> Iterator[str]:
    """The matrices, as text."""
    for chosen in dict.fromkeys(row.cores for row in rows):
        here = {(row.first, row.second): row for row in rows if row.cores == chosen}
        number = next(iter(here.values())).runs
        yield f"cores: {chosen} ({number} boards), Pearson below the diagonal, Spearman above it"
        for at, first in enumerate(VARIABLES):
            line = f"{first:<21}"
            for column, second in enumerate(VARIABLES):
                row = here[first, second]
                value = row.spearman if column > at else row.pearson
                line += f"{'':>7}" if value is None else f"{value:>7.2f}"
            yield line
        yield ""
