"""The driver on machines that are not there: how long counts would take on up to 4,096 cores.

Nothing is measured in here. The work is that of tasks.csv.gz, what it costs to share it out stands in costs.csv, and
the driver is the one that counts, on a clock of its own (simulation.py says what is assumed). Where speedup-search.csv
has measurements, the work is scaled to the sequential times in it, so that one run is compared with itself, cores are
as crowded as they were then, and the times on several cores are compared with what is predicted for as many. The least
times count: nobody disturbs a machine that is not there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from statistics import fmean

from bench.data import RESULTS, DataError, read, write
from bench.rows import Cost, Piece, Prediction, Run
from bench.session import add_output, cores_list, output
from bench.simulation import Costs, simulated
from bench.speedup import rounds

CORES = [2**exponent for exponent in range(13)]

SPEEDS = [0.9, 0.95, 1.0, 1.05, 1.1]
"""A schedule on many cores is a matter of chance: it is made for machines that are a little slower or faster, and the
mean counts, in the time of the one that was measured."""


def configure(parser: argparse.ArgumentParser) -> None:
    default = ",".join(map(str, CORES))
    parser.add_argument("--cores", type=cores_list, default=CORES, metavar="N,N", help=f"default: {default}")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where the data are")
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
    known, command = times(runs), f"simulate --cores {','.join(map(str, options.cores))}"
    if options.board:
        pieces, command = (
            [piece for piece in pieces if piece.board == options.board],
            f"{command} --board {options.board}",
        )
    rows = list(predictions(pieces, as_costs(costs), runs, options.cores))
    write(output(options, "simulated.csv"), Prediction, command, rows)
    print(*summarised(rows, known), sep="\n")
    return 0


def as_costs(rows: list[Cost]) -> Costs:
    """Those that the simulation knows."""
    by_name = {row.step.replace(" ", "_"): row.seconds for row in rows}
    return Costs(**{name: by_name[name] for name in Costs.__slots__ if name in by_name})


def crowding(runs: list[Run], cores: int) -> float:
    """How much longer the same walk takes where so many cores are at work, or as many as were measured."""
    walks: dict[int, float] = {}
    for run in runs:
        walks[run.cores] = min(run.walk, walks.get(run.cores, inf))
    measured = max((number for number in walks if number <= cores), default=1)
    return max(1.0, walks[measured] / walks[1]) if 1 in walks else 1.0


def times(runs: list[Run]) -> dict[str, dict[int, float]]:
    """The least seconds that were measured, by board and cores."""
    return {
        board: {cores: min(run.seconds for run in row) for cores, row in by_cores.items()}
        for board, by_cores in rounds(runs).items()
    }


def predictions(pieces: list[Piece], costs: Costs, runs: list[Run], numbers: list[int]) -> Iterator[Prediction]:
    known = times(runs)
    for board in dict.fromkeys(piece.board for piece in pieces):
        tree = [piece for piece in pieces if piece.board == board]
        walked = sum(piece.seconds for piece in tree)
        sequential = known.get(board, {}).get(1, walked)
        for cores in numbers:
            here = replace(costs, crowded=crowding(runs, cores))
            forecasts = [simulated(tree, here, cores, speed=speed * walked / sequential) for speed in SPEEDS]
            if {forecast.solutions for forecast in forecasts} != {sum(piece.solutions for piece in tree)}:
                raise SystemExit(f"bench: on {cores} cores a part of {board} was lost, or counted twice")
            pairs = list(zip(SPEEDS, forecasts, strict=True))
            seconds, busy = (
                fmean(speed * one.seconds for speed, one in pairs),
                fmean(speed * one.busy for speed, one in pairs),
            )
            yield Prediction(board, cores, seconds, sequential, round(fmean(one.tasks for one in forecasts)), busy)


def summarised(rows: list[Prediction], known: dict[str, dict[int, float]]) -> Iterator[str]:
    """Lines of a table in print: what is predicted, and where it was measured, how far it is from that."""
    yield f"{'board':<7}{'cores':>6}{'seconds':>11}{'speed-up':>10}{'efficiency':>12}{'tasks':>8}" + (
        f"{'measured s':>12}{'off by':>9}"
    )
    for row in rows:
        gain = row.sequential / row.seconds
        line = f"{row.board:<7}{row.cores:>6}{row.seconds:>11.5f}{gain:>10.2f}{gain / row.cores:>12.3f}{row.tasks:>8,}"
        if row.cores > 1 and (there := known.get(row.board, {}).get(row.cores)):
            line += f"{there:>12.5f}{row.seconds / there - 1:>9.1%}"
        yield line
