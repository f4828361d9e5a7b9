"""Correlations between the variables of saved runs.

For all numbers of cores together and for each: empty cells, filling factor, search space,
solutions, nodes, tasks, sequential and parallel time, speed-up. Numbers that range over many
magnitudes are taken by their logarithms. A row of the data is a board on some number of cores above
1, with the means of its times. Numbers of cores that this machine does not have can be taken from
simulated.csv; they are marked as simulated, and are not among all runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench.common.commands import refuse
from bench.study.options import add_results, cores_list, is_published, load_table, print_table
from bench.tables.analysis import LEAST_BOARDS, VARIABLES, correlate
from bench.tables.rows import Correlation, Prediction, Run
from bench.tables.table import origin_text, write
from bench.tables.text import Column, text_table

SHORT = ("empty", "filling", "space", "solut.", "nodes", "tasks", "seq. t", "par. t", "speed-up")
"""Heads of columns for `VARIABLES`, in the same order."""


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


def run(options: argparse.Namespace) -> int:
    makers = "`bench speedup --engine search` and `bench simulate`"
    facts, runs = load_table(options.results / options.data, Run, makers)
    forecast = load_table(options.results / "simulated.csv", Prediction, makers)[1] if options.simulated else []
    rows = list(correlate(runs, [row for row in forecast if row.cores in options.simulated]))
    if not rows:
        refuse(f"{options.data} has fewer than {LEAST_BOARDS} boards on more than one core: nothing to correlate")
    command = f"correlation --data {options.data}"
    if options.simulated:
        command += f" --simulated {','.join(map(str, options.simulated))}"
    if not is_published(options.results):
        write(options.results / "correlation.csv", Correlation, command, rows)
    print_table(options, summary_lines(rows), rows, origin_text(options.data, facts))
    return 0


def summary_lines(rows: list[Correlation]) -> Iterator[str]:
    """Yield the matrices as lines of text, each with the intervals of what goes with the speed-up."""
    for boards, cores in dict.fromkeys((row.boards, row.cores) for row in rows):
        here = {(row.first, row.second): row for row in rows if (row.boards, row.cores) == (boards, cores)}
        number = next(iter(here.values())).runs
        yield f"boards: {boards}; cores: {cores}; n = {number}; Pearson below the diagonal, Spearman above it"
        yield from text_table(matrix_columns(here), VARIABLES)
        yield ""
        yield from text_table(INTERVAL_COLUMNS, [here["speed-up", variable] for variable in VARIABLES[:-1]])
        yield ""


def matrix_columns(here: dict[tuple[str, str], Correlation]) -> list[Column[str]]:
    """Return the columns of a matrix, a line of which is a variable."""

    def column(second: str, head: str) -> Column[str]:
        def cell(first: str) -> str:
            row = here[first, second]
            return value_text(row.spearman if VARIABLES.index(second) > VARIABLES.index(first) else row.pearson)

        return Column(head, cell)

    return [Column("", str, is_left=True), *map(column, VARIABLES, SHORT)]


def value_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def interval_text(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.2f} to {high:.2f}"


INTERVAL_COLUMNS: list[Column[Correlation]] = [
    Column("speed-up with", lambda row: row.second, is_left=True),
    Column("Pearson", lambda row: value_text(row.pearson)),
    Column("95 % interval", lambda row: interval_text(row.pearson_low, row.pearson_high)),
    Column("Spearman", lambda row: value_text(row.spearman)),
    Column("95 % interval", lambda row: interval_text(row.spearman_low, row.spearman_high)),
]
