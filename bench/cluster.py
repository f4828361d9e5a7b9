"""A Dask cluster on this machine against processes: the same board, by turns, ratios of one run.

The board is published 2f without one clue, walked: some 30 s on two cores. A scheduler and as many workers as there are
cores run as processes of their own on the loopback interface, and are there already: what is compared is the count
itself, as the command reports it, pool start included.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from time import sleep

from bench import enumerate_command, shared
from enumerator import Board, count
from enumerator.board.files import read
from enumerator.run.executors import usable_cores

WANTED = 300_000_000
"""Solutions that take about 30 s on two cores."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=usable_cores(), help="default: all, here %(default)s")
    parser.add_argument("--kills", type=int, default=20, help="workers killed in one more run (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    board, solutions = long_board(read(shared("boards", "2f.txt")))
    least = {"loky": float("inf"), "dask": float("inf")}
    with tempfile.TemporaryDirectory() as folder, Cluster(options.cores) as cluster:
        path = Path(folder, "board.txt")
        path.write_text(f"{board}\n")
        for _ in range(options.rounds):
            for backend, more in (("loky", []), ("dask", ["--scheduler", cluster.address])):
                seconds = counted(path, solutions, options.cores, "--backend", backend, *more)
                least[backend] = min(least[backend], seconds)
                print(f"{backend:<6}{seconds:>8.2f} s", flush=True)
        print(f"{solutions:,} solutions; least time of dask over that of loky: {least['dask'] / least['loky']:.3f}")
        if options.kills:
            struck(path, solutions, cluster, options.kills)
    return 0


def long_board(board: Board) -> tuple[Board, int]:
    """A board without the clue whose absence leaves about as many solutions as are wanted."""
    clues = [cell for cell, digit in enumerate(board.cells) if digit]
    counts = {cell: count(board.with_clue(cell, 0)) for cell in clues}
    best = min(clues, key=lambda cell: abs(counts[cell] - WANTED))
    return board.with_clue(best, 0), counts[best]


def counted(path: Path, solutions: int, cores: int, *options: str) -> float:
    """The seconds of a count, which must be right."""
    command = [enumerate_command(), str(path), "--json", "--engine", "search", "--cores", str(cores), *options]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if int(answer["solutions"]) != solutions:
        raise SystemExit(f"bench: {answer['solutions']} solutions instead of {solutions}: {command}")
    return float(answer["seconds"])


def struck(path: Path, solutions: int, cluster: Cluster, kills: int) -> None:
    """The same while workers are killed, one after the other, again and again until there were so many."""
    rng, done, runs = random.Random(1), 0, 0
    while done < kills:
        command = [enumerate_command(), str(path), "--quiet", "--engine", "search", "--backend", "dask"]
        process = subprocess.Popen([*command, "--scheduler", cluster.address], stdout=subprocess.PIPE, text=True)
        sleep(3)
        while process.poll() is None:
            if done < kills:
                cluster.kill_worker(rng)
                done += 1
            sleep(1.5)
        output, _ = process.communicate()
        runs += 1
        if int(output) != solutions:
            raise SystemExit(f"bench: {output} solutions instead of {solutions}")
    print(f"{done} workers killed in {runs} runs: the same count every time")


class Cluster:
    """A scheduler and some workers on this machine, as processes."""

    def __init__(self, workers: int = 2) -> None:
        self.size = workers
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder = tempfile.TemporaryDirectory(prefix="dask-")

    def __enter__(self) -> Cluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self.folder.cleanup()

    def start(self) -> None:
        host, port = self.address.removeprefix("tcp://").split(":")
        self.scheduler = self.launch("scheduler", "--host", host, "--port", port, "--no-dashboard")
        self.workers = [self.launch_worker() for _ in range(self.size)]
        sleep(4)

    def launch_worker(self) -> subprocess.Popen[bytes]:
        return self.launch("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def launch(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [Path(sys.executable).with_name("dask"), *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "DASK_TEMPORARY_DIRECTORY": self.folder.name},
            cwd=self.folder.name,
            start_new_session=True,
        )

    def kill_worker(self, rng: random.Random) -> None:
        """Kill one, and start another."""
        number = rng.randrange(len(self.workers))
        self.workers[number].kill()
        self.workers[number].wait()
        self.workers[number] = self.launch_worker()

    def restart(self) -> None:
        self.end()
        self.start()

    def end(self) -> None:
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()
