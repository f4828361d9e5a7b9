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

from bench.simulation.forecast import simulate_count
from bench.simulation.world import Costs
from bench.study.options import add_output, add_results, cores_list, output_path
from bench.tables.analysis import crowding, least_times
from bench.tables.rows import Cost, Piece, Prediction, Run
from bench.tables.table import DataError, read, write

CORES = [2**exponent for exponent in range(13)]

SPEEDS = [0.9, 0.95, 1.0, 1.05, 1.1]
"""Relative speeds of the simulated machines. A schedule on many cores depends on chance; so the
mean over slightly slower and faster machines counts, converted to the time of the measured one."""


def configure(parser: argparse.ArgumentParser) -> None:
    default = ",".join(map(str, CORES))
    parser.add_argument("--cores", type=cores_list, default=CORES, metavar="N,N", help=f"default: {default}")
    add_results(parser)
    parser.add_argument("--board", help="one board alone")
    add_output(parser, "simulated.csv", measures=False)


def run(options: argparse.Namespace) -> int:
    try:
        _, pieces = read(options.results / "tasks.csv.gz", Piece)
        _, costs = read(options.results / "costs.csv", Cost)
        measured = options.results / "speedup-search.csv"
        runs = read(measured, Run)[1] if measured.exists() else []
    except DataError as error:
        raise SystemExit(f"bench: {error}; `bench tasks` and `bench speedup --engine search` make the data") from None
    command = f"simulate --cores {','.join(map(str, options.cores))}"
    if options.board:
        pieces = [piece for piece in pieces if piece.board == options.board]
        command += f" --board {options.board}"
    rows = list(predict(pieces, costs_from(costs), runs, options.cores))
    write(output_path(options, "simulated.csv"), Prediction, command, rows)
    print(*summary_lines(rows, least_times(runs)), sep="\n")
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
    """Yield the lines of a printed table: predictions and their errors, where measured."""
    yield f"{'board':<7}{'cores':>6}{'seconds':>11}{'speed-up':>10}{'efficiency':>12}{'tasks':>8}" + (
        f"{'measured s':>12}{'off by':>9}"
    )
    for row in rows:
        gain = row.sequential / row.seconds
        line = f"{row.board:<7}{row.cores:>6}{row.seconds:>11.5f}{gain:>10.2f}{gain / row.cores:>12.3f}{row.tasks:>8,}"
        if row.cores > 1 and (there := known.get(row.board, {}).get(row.cores)):
            line += f"{there:>12.5f}{row.seconds / there - 1:>9.1%}"
        yield line
