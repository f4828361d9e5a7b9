"""Correlations between the variables of saved runs.

For all runs together and for each number of cores: empty cells, filling factor, search space,
solutions, nodes, tasks, sequential and parallel time, speed-up. Numbers that range over many
magnitudes are taken by their logarithms. A row of the data is a board on some number of cores, with
the means of its times. Numbers of cores that this machine does not have can be taken from
simulated.csv; they are marked as simulated, and are not among all runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench.study.options import add_output, add_results, cores_list, output_path
from bench.tables.analysis import VARIABLES, correlate
from bench.tables.rows import Correlation, Prediction, Run
from bench.tables.table import DataError, read, write


def configure(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("--data", default="speedup-search.csv", metavar="FILE", help="default: %(default)s")
    parser.add_argument(
        "--simulated",
        type=cores_list,
        default=[],
        metavar="N,N",
        help="add these numbers of cores, from the predictions of `simulate` for the same boards",
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
    rows = list(correlate(runs, [row for row in forecast if row.cores in options.simulated]))
    command = f"correlation --data {options.data}"
    if options.simulated:
        command += f" --simulated {','.join(map(str, options.simulated))}"
    write(output_path(options, "correlation.csv"), Correlation, command, rows)
    print(*summary_lines(rows), sep="\n")
    return 0


def summary_lines(rows: list[Correlation]) -> Iterator[str]:
    """Yield the matrices as lines of text."""
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
