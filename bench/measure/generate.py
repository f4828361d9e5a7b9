"""The speed of making puzzles, and the bias of their statistics.

    minimal     minimal 9×9 puzzles a second, on one core and on several; their clues
    symmetric   9×9 puzzles with 26 clues and a pattern that half a turn does not change
    large       minimal 16×16 puzzles, and 25×25 puzzles
    shares      the shares of minimal 9×9 puzzles by clues with --weights, beside those that are known

Rates are by the time on the clock and, on one core, by that of the processor, which other load does not
change. The grids are numbered before, in a quarter of a second that is stated. `shares` makes some 270 puzzles a
second of the processor, and takes 6 minutes for 100,000.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev
from time import perf_counter, process_time

from bench.common.commands import check_parts
from bench.common.options import add_number
from enumerator import generate
from enumerator.board import Board

KNOWN_SHARES = {24: 2.28, 25: 13.42, 26: 31.94, 27: 32.74, 28: 15.48, 29: 3.56, 30: 0.41}
"""The shares of minimal 9×9 puzzles by clues in per cent, by controlled bias (Berthier)."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    add_number(parser, "--puzzles", 20_000, "puzzles of `minimal`")
    add_number(parser, "--weighed", 100_000, "puzzles of `shares`")
    add_number(parser, "--rounds", 3, "runs of `minimal` on each number of cores, of which the fastest counts")
    add_number(parser, "--cores", 2, "cores of every second run")
    add_number(parser, "--seed", 1, "of the random numbers", least=0)


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    started = perf_counter()
    list(generate(1))
    print(f"the first puzzle, with the numbers of all grids: {perf_counter() - started:.2f} s", flush=True)
    for part in options.parts or PARTS:
        PARTS[part](options)
    return 0


def clues(board: Board) -> int:
    return board.shape.cells - board.empty_cells


def measure_minimal(options: argparse.Namespace) -> None:
    """Let runs on one core and on several alternate, and print the fastest of each."""
    numbers, least = list[int](), dict[int, tuple[float, float]]()
    for _ in range(options.rounds):
        for cores in (1, options.cores):
            started, worked = perf_counter(), process_time()
            numbers = [clues(board) for board in generate(options.puzzles, seed=options.seed, cores=cores)]
            took = perf_counter() - started, process_time() - worked
            least[cores] = tuple(map(min, took, least.get(cores, took)))  # type: ignore[assignment]
    for cores, (seconds, processor) in least.items():
        rate, busy = options.puzzles / seconds, options.puzzles / processor
        print(f"minimal 9×9, --cores {cores}: {rate:,.0f} a second; {busy:,.0f} a second of the processor", flush=True)
    ratio = least[1][0] / least[options.cores][0]
    print(f"    {options.cores} cores are {ratio:.2f} times as fast as one", flush=True)
    print(f"    clues: mean {mean(numbers):.2f}, standard deviation {stdev(numbers):.2f}", flush=True)


def measure_symmetric(options: argparse.Namespace) -> None:
    started = perf_counter()
    made = list(generate(1_000, clues=26, symmetry="180", seed=options.seed, cores=1))
    seconds = perf_counter() - started
    print(f"26 clues, half a turn, --cores 1: {len(made) / seconds:,.0f} a second", flush=True)


def measure_large(options: argparse.Namespace) -> None:
    for shape, number, wanted in (("4x4", 10, None), ("5x5", 3, 300), ("5x5", 1, None)):
        started = perf_counter()
        made = list(generate(number, shape=shape, clues=wanted, seed=options.seed, cores=1))
        seconds = (perf_counter() - started) / number
        found = ", ".join(str(clues(board)) for board in made)
        kind = "minimal" if wanted is None else f"{wanted} clues"
        print(f"{shape}, {kind}: {seconds:.2f} s each on one core; clues {found}", flush=True)


def measure_shares(options: argparse.Namespace) -> None:
    """Print the shares with their 95 % intervals, and how many of the known ones are within them."""
    started = perf_counter()
    pairs = [
        (clues(board), weight)
        for board, weight in generate(options.weighed, weights=True, seed=options.seed, cores=options.cores)
    ]
    total, squares = sum(weight for _, weight in pairs), sum(weight**2 for _, weight in pairs)
    seconds = perf_counter() - started
    print(f"{len(pairs):,} weighed puzzles in {seconds:.0f} s on {options.cores} cores,", end=" ")
    print(f"worth {total**2 / squares:,.0f} of equal weight", flush=True)
    print("    clues   share %    ± (95 %)   known %   without weights %")
    for number, known in KNOWN_SHARES.items():
        share = sum(weight for found, weight in pairs if found == number) / total
        error = sqrt(sum((weight * ((found == number) - share)) ** 2 for found, weight in pairs)) / total
        plain = sum(found == number for found, _ in pairs) / len(pairs)
        print(f"    {number:5}  {100 * share:8.2f}  {196 * error:10.2f}  {known:8.2f}  {100 * plain:18.2f}", flush=True)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "minimal": measure_minimal,
    "symmetric": measure_symmetric,
    "large": measure_large,
    "shares": measure_shares,
}
"""What can be measured, by name."""
