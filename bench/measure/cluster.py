"""A Dask cluster on this machine against processes: the same board, by turns, ratios of one run.

The board is 2g, walked: some 40 s on two cores; published 2f in addition where it is present. A
scheduler and a worker for each core run as processes on the loopback interface, and are up before the
clock starts. Compared is the count itself, as the command reports it, pool start included. In further
runs of the first board workers are killed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from importlib.util import find_spec
from pathlib import Path
from time import sleep

from bench.common.boards import published_boards
from bench.common.cluster import LocalCluster
from bench.common.commands import enumerate_command, refuse
from bench.common.options import NINE, add_boards, add_number, chosen_boards
from enumerator import count
from enumerator.board.files import read
from enumerator.run.workers.executors import usable_cores

FIRST_KILL_SECONDS, KILL_SECONDS = 3.0, 1.5
"""The time before the first kill of a run, and that between two."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_boards(parser, "2g")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--cores", usable_cores(), "workers of the cluster, and processes")
    add_number(parser, "--kills", 20, "workers killed in further runs", least=0)


def run(options: argparse.Namespace) -> int:
    if find_spec("distributed") is None:
        refuse("this needs Dask: pip install -e '.[dask]'")
    boards = chosen_boards(options.boards, "2g", shape=NINE)
    if options.boards is None:
        boards |= published_boards("2f")
    known = {name: count(read(path)) for name, path in boards.items()}
    with LocalCluster(options.cores) as cluster:
        for name, path in boards.items():
            compare_backends(name, path, known[name], cluster, options.rounds)
        if options.kills:
            first = next(iter(boards))
            count_under_kills(boards[first], known[first], cluster, options.kills)
    return 0


def compare_backends(name: str, path: Path, solutions: int, cluster: LocalCluster, rounds: int) -> None:
    """Count a board by turns on processes and on the cluster, and print all times and the ratio of the least."""
    least = {"loky": float("inf"), "dask": float("inf")}
    for _ in range(rounds):
        for backend, more in (("loky", []), ("dask", ["--scheduler", cluster.address])):
            seconds = measure_count(path, solutions, cluster.size, "--backend", backend, *more)
            least[backend] = min(least[backend], seconds)
            print(f"{name:<14}{backend:<6}{seconds:>8.2f} s", flush=True)
    ratio = f"least time of dask over that of loky: {least['dask'] / least['loky']:.3f}"
    print(f"{name:<14}{solutions:,} solutions; {ratio}", flush=True)


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
        before = done
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
        if done == before:
            refuse(f"{path.name} is counted within {FIRST_KILL_SECONDS:.0f} s: too short for --kills")
    print(f"{done} workers killed in {runs} runs: the same count every time")
