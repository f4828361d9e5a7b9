"""Times on many simulated cores with a driver for each group of workers, and with one for all.

One driver hands out a task in some 36 µs, which is too slow for several hundred workers. Here each group has
a driver and a stock of its own, and groups give each other parts (bench/simulation/groups.py). Nothing is
measured: work and costs are those of tasks.csv.gz and costs.csv. Each time is the mean over slightly slower
and faster machines, as in `simulate`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import fmean

from bench.common.commands import refuse
from bench.common.options import whole_number
from bench.simulation.forecast import Forecast, simulate_count
from bench.simulation.groups import simulate_groups
from bench.simulation.world import Costs
from bench.study.options import add_results, cores_list, is_published, load_table, print_table
from bench.study.simulate import SPEEDS, costs_from
from bench.tables.analysis import crowding, least_times
from bench.tables.rows import Cost, Grouped, Piece, Run
from bench.tables.table import origin_text, write
from bench.tables.text import Column, text_table

CORES = [64, 256, 1024, 4096]

SIZES = [32, 16]

LEAST_SECONDS = 5.0
"""Boards that take less on one core have no work for so many, and are left out unless they are named."""


def configure(parser: argparse.ArgumentParser) -> None:
    default = ",".join(map(str, CORES))
    parser.add_argument("--cores", type=cores_list, default=CORES, metavar="N,N", help=f"default: {default}")
    text = "the workers of a group (default: 32 16)"
    parser.add_argument("--sizes", type=whole_number("--sizes"), nargs="+", default=SIZES, metavar="N", help=text)
    add_results(parser)
    parser.add_argument("--board", metavar="NAME", help="one board alone")


def run(options: argparse.Namespace) -> int:
    makers, measured = "`bench tasks`", options.results / "speedup-search.csv"
    facts, pieces = load_table(options.results / "tasks.csv.gz", Piece, makers)
    costs = costs_from(load_table(options.results / "costs.csv", Cost, makers)[1])
    runs = load_table(measured, Run, "`bench speedup --engine search`")[1] if measured.exists() else []
    trees: dict[str, list[Piece]] = {}
    for piece in pieces:
        trees.setdefault(piece.board, []).append(piece)
    if options.board:
        chosen = {options.board: trees.get(options.board) or refuse(f"tasks.csv.gz has no board {options.board}")}
    else:
        chosen = {name: tree for name, tree in trees.items() if seconds_of(tree) >= LEAST_SECONDS}
    rows = [row for name, tree in chosen.items() for row in predict(name, tree, costs, runs, options)]
    command = f"groups --cores {','.join(map(str, options.cores))} --sizes {' '.join(map(str, options.sizes))}"
    if options.board:
        command += f" --board {options.board}"
    if not is_published(options.results):
        write(options.results / "groups.csv", Grouped, command, rows)
    print_table(options, summary_lines(rows), rows, origin_text("tasks.csv.gz", facts))
    return 0


def seconds_of(tree: list[Piece]) -> float:
    """Return the time of the walk of a board in one go."""
    return sum(piece.seconds for piece in tree)


def predict(
    board: str, tree: list[Piece], costs: Costs, runs: list[Run], options: argparse.Namespace
) -> Iterator[Grouped]:
    """Yield the predictions for a board: by one driver, and by those of groups that are smaller than all cores."""
    walked = seconds_of(tree)
    sequential = least_times(runs).get(board, {}).get(1, walked)
    for cores in options.cores:
        here = replace(costs, crowded=crowding(runs, cores))
        for size in [0, *(size for size in options.sizes if size < cores)]:
            seconds, tasks = mean_of(forecaster(tree, here, cores, size), walked / sequential)
            yield Grouped(board, cores, size, seconds, sequential, tasks)


def forecaster(tree: list[Piece], costs: Costs, cores: int, size: int) -> Callable[[float], Forecast]:
    """Return a function that simulates a count at a speed, by groups of `size` or by one driver."""
    if size:
        return lambda speed: simulate_groups(tree, costs, cores, size, speed)
    return lambda speed: simulate_count(tree, costs, cores, speed)


def mean_of(forecast: Callable[[float], Forecast], speed: float) -> tuple[float, int]:
    """Return the mean seconds and tasks over slightly slower and faster machines."""
    pairs = [(relative, forecast(relative * speed)) for relative in SPEEDS]
    return fmean(relative * one.seconds for relative, one in pairs), round(fmean(one.tasks for _, one in pairs))


COLUMNS: list[Column[Grouped]] = [
    Column("board", lambda row: row.board, is_left=True),
    Column("cores", lambda row: f"{row.cores:,}"),
    Column("drivers", lambda row: f"{-(-row.cores // row.size)} of {row.size}" if row.size else "one"),
    Column("seconds", lambda row: f"{row.seconds:.4f}"),
    Column("speed-up", lambda row: f"{row.sequential / row.seconds:.1f}"),
    Column("efficiency", lambda row: f"{row.sequential / row.seconds / row.cores:.3f}"),
    Column("tasks", lambda row: f"{row.tasks:,}"),
]


def summary_lines(rows: list[Grouped]) -> Iterator[str]:
    """Yield the lines of a printed table: times and efficiencies, with and without groups."""
    return text_table(COLUMNS, rows)
