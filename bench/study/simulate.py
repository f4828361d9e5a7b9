"""Times of counts on up to 4,096 simulated cores.

Nothing is measured in here. The work is that of tasks.csv.gz, the costs of sharing it out are those
of costs.csv, and the driver is the real one, on a simulated clock (bench/simulation lists the
assumptions). Where speedup-search.csv has measurements, the work is scaled to its sequential times,
so that one run is compared with itself, and cores are as crowded as in that run. The times on
several cores are compared with the predictions. Least times count: a simulated machine has no other
load.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

from bench.common.commands import refuse
from bench.simulation.forecast import simulate_count
from bench.simulation.world import Costs
from bench.study.options import add_results, cores_list, is_published, load_table, print_table
from bench.tables.analysis import crowding, least_times
from bench.tables.rows import Cost, Piece, Prediction, Run
from bench.tables.table import origin_text, write
from bench.tables.text import Column, text_table

CORES = [2**exponent for exponent in range(13)]

SPEEDS = [0.9, 0.95, 1.0, 1.05, 1.1]
"""Relative speeds of the simulated machines. A schedule on many cores depends on chance; so the
mean over slightly slower and faster machines counts, converted to the time of the measured one."""


def configure(parser: argparse.ArgumentParser) -> None:
    default = ",".join(map(str, CORES))
    text = f"default: {default}, and those that were measured"
    parser.add_argument("--cores", type=cores_list, metavar="N,N", help=text)
    add_results(parser)
    parser.add_argument("--board", metavar="NAME", help="one board alone")


def run(options: argparse.Namespace) -> int:
    makers, measured = "`bench tasks` and `bench speedup --engine search`", options.results / "speedup-search.csv"
    facts, pieces = load_table(options.results / "tasks.csv.gz", Piece, makers)
    _, costs = load_table(options.results / "costs.csv", Cost, makers)
    runs = load_table(measured, Run, makers)[1] if measured.exists() else []
    cores = options.cores or sorted({*CORES, *(row.cores for row in runs)})
    command = f"simulate --cores {','.join(map(str, cores))}"
    if options.board:
        pieces = [piece for piece in pieces if piece.board == options.board]
        command += f" --board {options.board}"
    if not pieces:
        refuse(f"tasks.csv.gz has no board {options.board}")
    rows = list(predict(pieces, costs_from(costs), runs, cores))
    if not is_published(options.results):
        write(options.results / "simulated.csv", Prediction, command, rows)
    print_table(options, summary_lines(rows, least_times(runs)), rows, origin_text("tasks.csv.gz", facts))
    return 0


def costs_from(rows: list[Cost]) -> Costs:
    """Return the costs that the simulation knows, from the rows of a table."""
    by_name = {row.step.replace(" ", "_"): row.seconds for row in rows}
    return Costs(**{name: by_name[name] for name in Costs.__slots__ if name in by_name})


def predict(pieces: list[Piece], costs: Costs, runs: list[Run], numbers: list[int]) -> Iterator[Prediction]:
    """Yield a prediction for each board of the pieces and each number of cores.

    End the command if a count is wrong.
    """
    known = least_times(runs)
    for board in dict.fromkeys(piece.board for piece in pieces):
        tree = [piece for piece in pieces if piece.board == board]
        walked = sum(piece.seconds for piece in tree)
        sequential = known.get(board, {}).get(1, walked)
        for cores in numbers:
            here = replace(costs, crowded=crowding(runs, cores))
            forecasts = [simulate_count(tree, here, cores, speed=speed * walked / sequential) for speed in SPEEDS]
            if {forecast.solutions for forecast in forecasts} != {sum(piece.solutions for piece in tree)}:
                raise SystemExit(f"bench: on {cores} cores a part of {board} was lost, or counted twice")
            pairs = list(zip(SPEEDS, forecasts, strict=True))
            seconds, busy = (
                fmean(speed * one.seconds for speed, one in pairs),
                fmean(speed * one.busy for speed, one in pairs),
            )
            yield Prediction(board, cores, seconds, sequential, round(fmean(one.tasks for one in forecasts)), busy)


def summary_lines(rows: list[Prediction], known: dict[str, dict[int, float]]) -> Iterator[str]:
    """Yield the lines of a printed table: predictions, and their errors where `known` has a measured time."""

    def measured(row: Prediction) -> float | None:
        return known.get(row.board, {}).get(row.cores) if row.cores > 1 else None

    def gain(row: Prediction) -> float:
        return row.sequential / row.seconds

    columns: list[Column[Prediction]] = [
        Column("board", lambda row: row.board, is_left=True),
        Column("cores", lambda row: f"{row.cores:,}"),
        Column("seconds", lambda row: f"{row.seconds:.5f}"),
        Column("speed-up", lambda row: f"{gain(row):.2f}"),
        Column("efficiency", lambda row: f"{gain(row) / row.cores:.3f}"),
        Column("tasks", lambda row: f"{row.tasks:,}"),
        Column("measured s", lambda row: f"{there:.5f}" if (there := measured(row)) else ""),
        Column("off by", lambda row: f"{row.seconds / there - 1:.1%}" if (there := measured(row)) else ""),
    ]
    return text_table(columns, rows)
