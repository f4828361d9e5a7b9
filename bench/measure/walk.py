"""The speed of the walk on one core, as a ratio to the yardstick, a plain counter in C.

Both are run by turns, several times, in this one run; the least time of each counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.common.commands import compile_yardstick, run_yardstick, shared
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines.search import start


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", default="1e,1f,2e", help="names of published boards (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    names = options.boards.split(",")
    print(f"{'board':<6}{'solutions':>12}{'yardstick s':>13}{'kernel s':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        yardstick = compile_yardstick(Path(folder))
        for name in names:
            path = shared("boards", f"{name}.txt")
            found, theirs, ours = compare_with_yardstick(yardstick, path, measure_walk, options.rounds)
            print(f"{name:<6}{found:>12,}{theirs:>13.3f}{ours:>10.3f}{theirs / ours:>8.2f}", flush=True)
    return 0


def compare_with_yardstick(
    yardstick: Path, path: Path, measure: Callable[[Board], tuple[int, float]], rounds: int
) -> tuple[int, float, float]:
    """Return the solutions of a board, and the least seconds of the yardstick and of `measure`.

    Counts must agree.
    """
    theirs = ours = float("inf")
    for _ in range(rounds):
        expected, seconds = run_yardstick(yardstick, path)
        theirs = min(theirs, seconds)
        found, seconds = measure(read(str(path)))
        ours = min(ours, seconds)
        if found != expected:
            raise SystemExit(f"bench: {path}: we count {found}, the yardstick {expected}")
    return found, theirs, ours


def measure_walk(board: Board) -> tuple[int, float]:
    """Return the solutions and the seconds of a walk on one core."""
    started = perf_counter()
    found = start(board).run()
    return found, perf_counter() - started
