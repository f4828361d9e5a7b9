"""Counts without each clue: as a multiple of one count, and in milliseconds for puzzles.

    boards     the time of `en.clues`, of one count, and their ratio, by turns; on the clock and of the processor
    puzzles    the milliseconds of `en.clues` for puzzles of each list: median, least and most of the puzzles

Each board is taken `--rounds` times, and the fastest counts. The time of the processor is that of all cores
together. A line says whether published 1f meets its bound, and another whether published 17-clue puzzles do,
where they are present.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from bench.common.commands import check_parts
from bench.common.options import NINE, add_number, chosen_boards, chosen_lists, read_boards
from enumerator import clues, count
from enumerator.board import Board

COUNTS_OF_1F = 6
"""The bound on the time of `en.clues` for published 1f, in counts."""

MILLISECONDS_OF_17_CLUES = 1.0
"""The bound on the time of `en.clues` for a puzzle with 17 clues."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    add_number(parser, "--rounds", 10, "runs of each board, of which the fastest counts")
    add_number(parser, "--puzzles", 40, "puzzles of each list")
    add_number(parser, "--cores", 2, "cores of counts and of clues")


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    for part in options.parts or PARTS:
        PARTS[part](options)
    return 0


def measure_boards(options: argparse.Namespace) -> None:
    """Print the times of a count and of the counts without each clue, and their ratio."""
    print(f"{'board':<16}{'clues':>7}{'count':>12}{'all clues':>12}{'ratio':>8}{'processor':>12}")
    paths: dict[str, Path] = chosen_boards(None, "1[cdef]", shape=NINE)
    for name, board in read_boards(paths).items():
        one = every = (float("inf"), float("inf"))
        for _ in range(options.rounds):
            one = least(one, seconds_of(lambda: count(board, cores=options.cores)))  # noqa: B023
            every = least(every, seconds_of(lambda: clues(board, cores=options.cores)))  # noqa: B023
        ratio, busy = (all_clues / single for all_clues, single in zip(every, one, strict=True))
        times = f"{1e3 * one[0]:>9.2f} ms{1e3 * every[0]:>9.2f} ms{ratio:>8.1f}{busy:>12.1f}"
        print(f"{name:<16}{81 - board.empty_cells:>7}{times}", flush=True)
        if name == "published/1f":
            print(f"{verdict(ratio <= COUNTS_OF_1F)}  published 1f: {ratio:.1f} counts, at most {COUNTS_OF_1F}")


def measure_puzzles(options: argparse.Namespace) -> None:
    """Print the milliseconds that the counts without each clue of puzzles take."""
    print(f"{'puzzles':<20}{'median':>12}{'least':>12}{'most':>12}{'processor':>12}")
    for name, puzzles in chosen_lists(None).items():
        found = [fastest(board, options) for board in puzzles[: options.puzzles] if board.shape == NINE]
        times = [1e3 * clock for clock, _ in found]
        middle, busy = median(times), 1e3 * median(worked for _, worked in found)
        columns = "".join(f"{number:>9.2f} ms" for number in (middle, min(times), max(times), busy))
        print(f"{name:<20}{columns}", flush=True)
        if name == "published/17clue":
            is_met = middle <= MILLISECONDS_OF_17_CLUES
            print(f"{verdict(is_met)}  17 clues: {middle:.2f} ms, at most {MILLISECONDS_OF_17_CLUES:.0f}")


def fastest(board: Board, options: argparse.Namespace) -> tuple[float, float]:
    """Return the least seconds of a board's clues, on the clock and of the processor."""
    found = (float("inf"), float("inf"))
    for _ in range(options.rounds):
        found = least(found, seconds_of(lambda: clues(board, cores=options.cores)))
    return found


def seconds_of(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that `work` takes, on the clock and of the processor."""
    started, worked = perf_counter(), process_time()
    work()
    return perf_counter() - started, process_time() - worked


def least(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), min(one[1], other[1])


def verdict(is_met: bool) -> str:
    return "meets " if is_met else "misses"


PARTS = {"boards": measure_boards, "puzzles": measure_puzzles}
"""What to measure, by name."""
