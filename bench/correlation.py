"""What goes together with what: correlations between the variables of runs that were saved, and of nothing else.

For all runs together and for each number of cores: empty cells, filling factor, search space, solutions, nodes, tasks,
sequential and parallel time, speed-up. Numbers that range over many magnitudes are taken by their logarithms. A row of
the data is a board on so many cores, with the means of its times. Numbers of cores that this machine does not have may
be taken from what was simulated; then they are called so, and are not among all runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from math import log10
from pathlib import Path
from statistics import fmean

from bench.data import RESULTS, DataError, read, write
from bench.rows import Correlation, Prediction, Run
from bench.session import add_output, cores_list, output
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
    parser.add_argument("--data", default="speedup-search.csv", metavar="FILE", help="default: %(default)s")
    parser.add_argument(
        "--simulated",
        type=cores_list,
        default=[],
        metavar="N,N",
        help="these numbers of cores, too, from what `simulate` has predicted for the same boards",
    )
    add_output(parser, "correlation.csv", measures=False)


def run(options: argparse.Namespace) -> int:
    try:
        _, runs = read(options.results / options.data, Run)
        forecast = read(options.results / "simulated.csv", Prediction)[1] if options.simulated else []
    except DataError as error:
        raise SystemExit(
            f"bench: {error}; `bench speedup --engine search` and `bench simulate` make the data"
        ) from None
    rows = list(correlated(runs, [row for row in forecast if row.cores in options.simulated]))
    command = f"correlation --data {options.data}"
    if options.simulated:
        command += f" --simulated {','.join(map(str, options.simulated))}"
    write(output(options, "correlation.csv"), Correlation, command, rows)
    print(*printed(rows), sep="\n")
    return 0


def correlated(runs: list[Run], forecast: list[Prediction]) -> Iterator[Correlation]:
    """Every pair of variables, for all runs, for each number of cores, and for each that was simulated."""
    boards = rounds(runs)
    groups: dict[str, list[dict[str, float]]] = {"all": []}
    for by_cores in boards.values():
        for cores, there in by_cores.items():
            sequential, seconds = (fmean(run.seconds for run in runs) for runs in (by_cores[1], there))
            values = point(there[0], sequential, fmean(run.tasks or 1 for run in there), seconds)
            groups["all"].append(values)
            if cores > 1:
                groups.setdefault(str(cores), []).append(values)
    for row in forecast:
        if row.board in boards:
            values = point(boards[row.board][1][0], row.sequential, row.tasks or 1, row.seconds)
            groups.setdefault(f"{row.cores} simulated", []).append(values)
    for name, here in groups.items():
        columns = {variable: [values[variable] for values in here] for variable in VARIABLES}
        for first, second in product(VARIABLES, repeat=2):
            pair = columns[first], columns[second]
            yield Correlation(name, first, second, pearson(*pair), spearman(*pair), len(here))


def point(one: Run, sequential: float, tasks: float, seconds: float) -> dict[str, float]:
    """What is known of a board, from one of its runs, and of all its runs on some number of cores.

    Where nothing was handed out, that is one task.
    """
    values = (
        one.empty_cells,
        one.filling_factor,
        log10(max(1, one.search_space)),
        log10(max(1, one.solutions)),
        log10(max(1, one.nodes)),
        log10(tasks),
        log10(sequential),
        log10(seconds),
        sequential / seconds,
    )
    return dict(zip(VARIABLES, values, strict=True))


def printed(rows: list[Correlation]) -> Iterator[str]:
    """The matrices, as text."""
    for chosen in dict.fromkeys(row.cores for row in rows):
        here = {(row.first, row.second): row for row in rows if row.cores == chosen}
        number = next(iter(here.values())).runs
        yield f"cores: {chosen} (n = {number}), Pearson below the diagonal, Spearman above it"
        for at, first in enumerate(VARIABLES):
            line = f"{first:<21}"
            for column, second in enumerate(VARIABLES):
                row = here[first, second]
                value = row.spearman if column > at else row.pearson
                line += f"{'':>7}" if value is None else f"{value:>7.2f}"
            yield line
        yield ""
