"""The speed of the walk on one core, as a ratio to the yardstick, a plain counter in C.

The yardstick is bench/yardstick/counter.c, compiled with `cc -O2`. All programs are run by turns,
several times, in this one run; the least time of each counts. Where the folder beside the repository
has another such counter, its seconds are in the last column.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.common.commands import PUBLISHED_YARDSTICK, compile_yardstick, run_yardstick
from bench.common.options import NINE, add_boards, add_number, chosen_boards
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines.search import start

Measure = Callable[[Path], tuple[int, float]]
"""Returns the solutions of a file's board, and the seconds of the count."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_boards(parser, "1e, 1f, 2e")
    add_number(parser, "--rounds", 3, "runs of each")


def run(options: argparse.Namespace) -> int:
    boards = chosen_boards(options.boards, "1[ef]", "2e", shape=NINE)
    with tempfile.TemporaryDirectory() as folder:
        programs = [yardstick(folder), on_board(measure_walk)]
        columns = f"{'board':<14}{'solutions':>12}{'yardstick s':>13}{'kernel s':>10}{'ratio':>8}"
        if PUBLISHED_YARDSTICK.exists():
            programs.append(yardstick(folder, PUBLISHED_YARDSTICK))
            columns += f"{'published/yardstick s':>23}"
        print(columns)
        for name, path in boards.items():
            found, (theirs, ours, *others) = compare(path, programs, options.rounds)
            figures = f"{theirs:>13.3f}{ours:>10.3f}{theirs / ours:>8.2f}"
            print(f"{name:<14}{found:>12,}{figures}" + "".join(f"{other:>23.3f}" for other in others), flush=True)
    return 0


def yardstick(folder: str, *source: Path) -> Measure:
    """Return a measurement by the yardstick, or by another counter in C of the same form."""
    program = compile_yardstick(Path(folder), *source)
    return lambda path: run_yardstick(program, path)


def on_board(measure: Callable[[Board], tuple[int, float]]) -> Measure:
    """Return a measurement of the board of a file; reading it takes no part of the time."""
    return lambda path: measure(read(path))


def compare(path: Path, programs: list[Measure], rounds: int) -> tuple[int, list[float]]:
    """Return the solutions of a board, and the least seconds of each program, run by turns.

    Counts must agree.
    """
    least, counts = [float("inf")] * len(programs), set()
    for _ in range(rounds):
        for number, measure in enumerate(programs):
            found, seconds = measure(path)
            least[number] = min(least[number], seconds)
            counts.add(found)
    if len(counts) > 1:
        raise SystemExit(f"bench: {path} has several counts: {sorted(counts)}")
    return found, least


def measure_walk(board: Board) -> tuple[int, float]:
    """Return the solutions and the seconds of a walk on one core."""
    started = perf_counter()
    found = start(board).run()
    return found, perf_counter() - started
