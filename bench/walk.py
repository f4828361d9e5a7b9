"""The speed of the walk on one core, as a ratio to the yardstick, a plain C counter compiled with cc -O2.

Both are run by turns, several times, in this one run; the least time of each counts.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from bench import compiled_yardstick, shared
from enumerator.board import Board
from enumerator.formats import read
from enumerator.search import start


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", default="1e,1f,2e", help="names of published boards (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    names = options.boards.split(",")
    print(f"{'board':<6}{'solutions':>12}{'yardstick s':>13}{'kernel s':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        yardstick = compiled_yardstick(Path(folder))
        for name in names:
            path = shared("boards", f"{name}.txt")
            board = read(str(path))
            theirs = ours = float("inf")
            for _ in range(options.rounds):
                expected, seconds = measure_yardstick(yardstick, path)
                theirs = min(theirs, seconds)
                found, seconds = measure_kernel(board)
                ours = min(ours, seconds)
                if found != expected:
                    print(f"{name}: the kernel counts {found}, the yardstick {expected}")
                    return 1
            print(f"{name:<6}{found:>12,}{theirs:>13.3f}{ours:>10.3f}{theirs / ours:>8.2f}", flush=True)
    return 0


def measure_yardstick(yardstick: Path, board: Path) -> tuple[int, float]:
    done = subprocess.run([yardstick, board], check=True, capture_output=True, text=True)
    _, solutions, _, seconds = done.stdout.rsplit(maxsplit=3)
    return int(solutions), float(seconds)


def measure_kernel(board: Board) -> tuple[int, float]:
    started = perf_counter()
    found = start(board).run()
    return found, perf_counter() - started
