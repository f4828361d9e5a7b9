"""A Dask cluster on this machine against processes: the same board, by turns, ratios of one run.

The board is published 2f without one clue, walked: some 30 s on two cores. A scheduler and a worker
for each core run as processes on the loopback interface, and are up before the clock starts.
Compared is the count itself, as the command reports it, pool start included.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path
from time import sleep

from bench.common.boards import clue_cells
from bench.common.cluster import LocalCluster
from bench.common.commands import enumerate_command, shared
from enumerator import Board, count
from enumerator.board.files import read
from enumerator.run.executors import usable_cores

WANTED_SOLUTIONS = 300_000_000
"""The solutions of a board that takes about 30 s on two cores."""

FIRST_KILL_SECONDS, KILL_SECONDS = 3.0, 1.5
"""The time before the first kill of a run, and that between two."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=usable_cores(), help="default: all, here %(default)s")
    parser.add_argument("--kills", type=int, default=20, help="workers killed in further runs (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    board, solutions = long_board(read(shared("boards", "2f.txt")))
    least = {"loky": float("inf"), "dask": float("inf")}
    with tempfile.TemporaryDirectory() as folder, LocalCluster(options.cores) as cluster:
        path = Path(folder, "board.txt")
        path.write_text(f"{board}\n")
        for _ in range(options.rounds):
            for backend, more in (("loky", []), ("dask", ["--scheduler", cluster.address])):
                seconds = measure_count(path, solutions, options.cores, "--backend", backend, *more)
                least[backend] = min(least[backend], seconds)
                print(f"{backend:<6}{seconds:>8.2f} s", flush=True)
        print(f"{solutions:,} solutions; least time of dask over that of loky: {least['dask'] / least['loky']:.3f}")
        if options.kills:
            count_under_kills(path, solutions, cluster, options.kills)
    return 0


def long_board(board: Board) -> tuple[Board, int]:
    """Return the board without the clue that leaves about WANTED_SOLUTIONS, and its solutions."""
    clues = clue_cells(board)
    counts = {cell: count(board.with_clue(cell, 0)) for cell in clues}
    best = min(clues, key=lambda cell: abs(counts[cell] - WANTED_SOLUTIONS))
    return board.with_clue(best, 0), counts[best]


def measure_count(path: Path, solutions: int, cores: int, *options: str) -> float:
    """Return the seconds of a count; end the command if it is wrong."""
    command = [enumerate_command(), str(path), "--json", "--engine", "search", "--cores", str(cores), *options]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if int(answer["solutions"]) != solutions:
        raise SystemExit(f"bench: {answer['solutions']} solutions instead of {solutions}: {command}")
    return float(answer["seconds"])


def count_under_kills(path: Path, solutions: int, cluster: LocalCluster, kills: int) -> None:
    """Count again and again while workers are killed one after the other, until `kills` were."""
    rng, done, runs = random.Random(1), 0, 0
    while done < kills:
        command = [enumerate_command(), str(path), "--quiet", "--engine", "search", "--backend", "dask"]
        process = subprocess.Popen([*command, "--scheduler", cluster.address], stdout=subprocess.PIPE, text=True)
        sleep(FIRST_KILL_SECONDS)
        while process.poll() is None:
            if done < kills:
                cluster.replace_worker(rng)
                done += 1
            sleep(KILL_SECONDS)
        output, _ = process.communicate()
        runs += 1
        if int(output) != solutions:
            raise SystemExit(f"bench: {output} solutions instead of {solutions}")
    print(f"{done} workers killed in {runs} runs: the same count every time")
