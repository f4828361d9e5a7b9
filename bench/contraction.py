"""How fast boards are counted without walking: known ones, random ones with any number of clues, and awkward ones.

    oracles      every figure known from elsewhere, counted again
    published    the boards of the published study: the sum alone on one core as a ratio to the yardstick; the command
    random       boards with 0 to 25 clues, taken at random from random grids: the command, on all cores
    awkward      boards that are regular in some way: the command, on all cores
    speedup      the boards of the last two kinds that take longest, on one core and on several
    memory       the most memory that any process has needed for the one that takes longest

Times of commands include the start of Python, 0.07 s.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from bench import ROOT, compiled_yardstick, enumerate_command, peak_memory, shared
from bench.boards import grid
from bench.walk import compared
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines.contraction import Summation

NINE = Shape(3, 3)
PARTS = ("oracles", "published", "random", "awkward", "speedup", "memory")
HARDEST = ".5..................6.7............2............1...........8...................3"
"""Found by hill-climbing on the predicted cost, over boards with 4 to 11 clues."""

NAMES = "1a,1b,1c,1d,1e,1f,2a,2b,2c,2d,2e,2f"
LONG = 2.0
"""Boards that take longer than this, on one core, are measured on several."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--names", default=NAMES, help="of published boards (default: all 12)")
    parser.add_argument("--boards", type=int, default=5, help="random boards for each number of clues (default: 5)")
    parser.add_argument("--clues", type=int, default=25, help="the most clues of random boards (default: 25)")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is run (default: 2)")
    parser.add_argument("--cores", type=int, default=2, help="how many cores to use (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="for random boards (default: 1)")


def run(options: argparse.Namespace) -> int:
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        raise SystemExit(f"bench: no such part: {', '.join(sorted(unknown))}")
    wanted = options.parts or PARTS
    times: dict[Board, float] = {}
    if "oracles" in wanted:
        oracles()
    if "published" in wanted:
        published(options)
    if {"random", "speedup", "memory"} & set(wanted):
        times |= randoms(options)
    if {"awkward", "speedup", "memory"} & set(wanted):
        times |= awkward(options)
    if "speedup" in wanted:
        speedup(options, times)
    if "memory" in wanted:
        memory(max(times, key=lambda board: times[board]))
    return 0


def command(board: Board, cores: int, rounds: int) -> tuple[int, float]:
    """The number of solutions, and the least time of the command."""
    least, counts = float("inf"), set()
    for _ in range(rounds):
        started = perf_counter()
        done = subprocess.run(
            [enumerate_command(), "-", "--quiet", "--cores", str(cores)],
            input=str(board),
            cwd=ROOT / "boards",
            capture_output=True,
            text=True,
            check=True,
        )
        least = min(least, perf_counter() - started)
        counts.add(int(done.stdout))
    (count,) = counts
    return count, least


def summed(board: Board) -> tuple[int, float]:
    """The number of solutions, and the time of the sum on one core, network and plan included."""
    started = perf_counter()
    summation = Summation(board)
    while not summation.finished:
        summation.run()
    return summation.solutions, perf_counter() - started


def oracles() -> None:
    checked, started = 0, perf_counter()
    for line in shared("oracles", "9x9.tsv").read_text().splitlines():
        if not line.startswith("#"):
            text, solutions, why = line.split("\t")
            found, _ = summed(Board.parse(text))
            if found != int(solutions):
                raise SystemExit(f"bench: {found} solutions instead of {solutions} ({why}): {text}")
            checked += 1
    for line in shared("oracles", "empty.tsv").read_text().splitlines()[1:]:
        shape, solutions = line.split("\t")
        if shape in ("2x2", "2x3", "3x3"):
            for turned in {Shape.parse(shape), Shape.parse(shape[::-1])}:
                found, _ = summed(Board.empty(turned))
                if found != int(solutions):
                    raise SystemExit(f"bench: {found} solutions of the empty {turned} board instead of {solutions}")
                checked += 1
    print(f"oracles: {checked} counts, all exact, {perf_counter() - started:.1f} s on one core\n", flush=True)


def published(options: argparse.Namespace) -> None:
    print(f"{'board':<7}{'solutions':>12}{'yardstick s':>13}{'sum s':>9}{'ratio':>9}{'command s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        yardstick = compiled_yardstick(Path(folder))
        for name in options.names.split(","):
            path = shared("boards", f"{name}.txt")
            found, theirs, ours = compared(yardstick, path, summed, options.rounds)
            again, whole = command(read(str(path)), options.cores, 3 * options.rounds)
            if found != again:
                raise SystemExit(f"bench: {name}: {found} and {again} solutions")
            print(f"{name:<7}{found:>12,}{theirs:>13.4f}{ours:>9.4f}{theirs / ours:>9.1f}{whole:>11.3f}", flush=True)
    print()


def randoms(options: argparse.Namespace) -> dict[Board, float]:
    print(f"{'clues':<7}{'boards':>7}{'least s':>9}{'median s':>10}{'worst s':>9}   solutions of the worst")
    rng = random.Random(options.seed)
    times: dict[Board, float] = {}
    for clues in range(options.clues + 1):
        counts = {}
        for _ in range(options.boards):
            kept = set(rng.sample(range(81), clues))
            full = grid(NINE, rng)
            board = Board(NINE, bytes(digit if cell in kept else 0 for cell, digit in enumerate(full.cells)))
            counts[board], times[board] = command(board, options.cores, options.rounds)
        seconds = [times[board] for board in counts]
        worst = max(counts, key=lambda board: times[board])
        figures = f"{min(seconds):>9.3f}{median(seconds):>10.3f}{max(seconds):>9.3f}"
        print(f"{clues:<7}{options.boards:>7}{figures}   {counts[worst]:,}", flush=True)
    figures = f"{min(times.values()):>9.3f}{median(times.values()):>10.3f}{max(times.values()):>9.3f}"
    print(f"{'all':<7}{len(times):>7}{figures}\n", flush=True)
    return times


def awkward(options: argparse.Namespace) -> dict[Board, float]:
    print(f"{'awkward board':<32}{'solutions':>32}{'seconds':>9}")
    times: dict[Board, float] = {}
    for name, board in awkward_boards(random.Random(options.seed)).items():
        solutions, times[board] = command(board, options.cores, options.rounds)
        print(f"{name:<32}{solutions:>32,}{times[board]:>9.3f}", flush=True)
    print()
    return times


def awkward_boards(rng: random.Random) -> dict[str, Board]:
    """Parts of one random grid, and the hardest board that is known."""
    cells = grid(NINE, rng).cells
    places = [(cell, cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3, digit) for cell, digit in enumerate(cells)]
    stack = rng.sample([cell for cell, _, column, *_ in places if column < 3], 9)
    patterns = {
        "empty": set[int](),
        "one box filled": {cell for cell, *_, box, _ in places if box == 0},
        "two boxes of a band": {cell for cell, *_, box, _ in places if box in (0, 1)},
        "two boxes apart": {cell for cell, *_, box, _ in places if box in (0, 4)},
        "a row": {cell for cell, row, *_ in places if row == 0},
        "a column": {cell for cell, _, column, *_ in places if column == 0},
        "a row and a column": {cell for cell, row, column, *_ in places if row == 4 or column == 4},
        "a diagonal of boxes": {cell for cell, *_, box, _ in places if box in (0, 4, 8)},
        "all nine 1s": {cell for cell, *_, digit in places if digit == 1},
        "all 1s and 2s": {cell for cell, *_, digit in places if digit <= 2},
        "all 1s, 2s and 3s": {cell for cell, *_, digit in places if digit <= 3},
        "five digits complete": {cell for cell, *_, digit in places if digit <= 5},
        "one clue in each box": apart(places, 9, (BOX,), rng),
        "one digit in each box": apart(places, 9, (BOX, DIGIT), rng),
        "one digit in each row": apart(places, 9, (ROW, DIGIT), rng),
        "nine clues in one stack": set(stack),
        "the middle cells of all boxes": {cell for cell, row, column, *_ in places if row % 3 == column % 3 == 1},
        "the long diagonal": {cell for cell, row, column, *_ in places if row == column},
        "the top band": {cell for cell, row, *_ in places if row < 3},
        **{
            f"{number} digits far apart": apart(places, number, (ROW, COLUMN, BOX, DIGIT), rng)
            for number in (5, 6, 7, 8, 9)
        },
    }
    parts = {
        name: Board(NINE, bytes(digit if cell in kept else 0 for cell, digit in enumerate(cells)))
        for name, kept in patterns.items()
    }
    return {**parts, "the hardest known": Board.parse(HARDEST)}


Place = tuple[int, int, int, int, int]
"""A cell, its row, column and box, and its digit."""


ROW, COLUMN, BOX, DIGIT = 1, 2, 3, 4


def apart(places: list[Place], number: int, kinds: tuple[int, ...], rng: random.Random) -> set[int]:
    """So many cells, no two of them alike in any of these."""
    while True:
        chosen: list[Place] = []
        for place in rng.sample(places, len(places)):
            if all(place[kind] != other[kind] for other in chosen for kind in kinds):
                chosen.append(place)
                if len(chosen) == number:
                    return {cell for cell, *_ in chosen}


def speedup(options: argparse.Namespace, times: dict[Board, float]) -> None:
    print(f"{'board':<84}{'1 core s':>9}{f'{options.cores} cores s':>11}{'speed-up':>10}")
    slow = sorted((board for board in times if times[board] * options.cores > LONG), key=lambda board: -times[board])
    for board in slow[:10]:
        _, alone = command(board, 1, options.rounds)
        _, together = command(board, options.cores, options.rounds)
        if alone > LONG:
            print(f"{board!s:<84}{alone:>9.3f}{together:>11.3f}{alone / together:>10.2f}", flush=True)
    print()


def memory(board: Board) -> None:
    peak = peak_memory("-", "--engine", "contraction", "--backend", "threads", text=str(board))
    print(f"peak memory: {peak:.0f} MB ({board})")
