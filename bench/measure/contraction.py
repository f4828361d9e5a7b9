"""The speed of counting without walking: known boards, random ones and awkward ones.

    oracles      every count known from elsewhere, counted again: of tests/golden, and beside the repository
    boards       our boards and published ones: the sum on one core as a ratio to the yardstick; the command
    random       boards with 0 to 25 clues, from random grids: the command, on all cores
    awkward      boards that are regular in some way: the command, on all cores
    candidates   candidates of the hardest board and of random ones, as a multiple of their counts, on one core
    speedup      the slowest boards of `random` and `awkward`, on one core and on several
    memory       the peak memory of a count of the slowest one

Times of commands include the start of Python, 0.07 s. Without a C compiler the columns of the yardstick
are left out.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from collections.abc import Iterator
from math import inf
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from bench import ROOT, SHARED
from bench.common.boards import HARDEST, random_grid, with_only_cells
from bench.common.commands import check_parts, enumerate_command, has_compiler, refuse
from bench.common.memory import peak_of_command
from bench.common.options import NINE, add_boards, add_number, chosen_boards
from bench.measure.walk import Measure, compare, on_board, yardstick
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines.contraction import ENGINE
from enumerator.questions.candidates import candidates
from enumerator.run.plan import Plan

PARTS = ("oracles", "boards", "random", "awkward", "candidates", "speedup", "memory")
LONG_SECONDS = 2.0
"""Boards that take longer than this on one core are measured on several."""

MOST_OF_HARDEST, MOST_OF_RANDOM = 8.0, 6.0
"""The most time of candidates as a multiple of that of the count: of the hardest board, and of the worst random one."""

SYMMETRIC_CLUES = 5
"""Boards with as many clues or fewer are counted by symmetries of digits, some of which candidates cannot use."""

Place = tuple[int, int, int, int, int]
"""A cell, its row, column and box, and its digit."""

ROW, COLUMN, BOX, DIGIT = 1, 2, 3, 4
"""Positions in a `Place`."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    add_boards(parser, "1a to 2f")
    add_number(parser, "--random", 5, "random boards for each number of clues")
    add_number(parser, "--clues", 25, "random boards have up to this many", least=0)
    add_number(parser, "--candidates", 200, "random boards whose candidates are counted")
    add_number(parser, "--rounds", 2, "runs of each")
    add_number(parser, "--cores", 2, "cores of the command")
    parser.add_argument("--seed", type=int, default=1, help="for random boards (default: 1)")


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    wanted = options.parts or PARTS
    boards = chosen_boards(options.boards, "[12][a-f]", shape=NINE)
    times: dict[Board, float] = {}
    if "oracles" in wanted:
        check_oracles()
    if "boards" in wanted:
        measure_boards(options, boards)
    if {"random", "speedup", "memory"} & set(wanted):
        times |= measure_random(options)
    if {"awkward", "speedup", "memory"} & set(wanted):
        times |= measure_awkward(options)
    if "candidates" in wanted:
        measure_candidates(options)
    if "memory" in wanted:
        measure_memory(max(times, key=lambda board: times[board]))
    if "speedup" in wanted:
        measure_speedup(options, times)
    return 0


def measure_command(board: Board, cores: int, rounds: int) -> tuple[int, float]:
    """Return the number of solutions, and the least seconds of the command."""
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


def measure_sum(board: Board) -> tuple[int, float]:
    """Return the solutions, and the seconds of the sum on one core, network and plan included."""
    started = perf_counter()
    summation = ENGINE.begin(board)
    while not summation.finished:
        summation.run()
    return summation.solutions, perf_counter() - started


def rows_of(path: Path) -> Iterator[list[str]]:
    """Yield the fields of each line of a table that is not a comment."""
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def golden_counts() -> Iterator[tuple[Board, int]]:
    """Yield boards and their solutions as published, from tests/golden."""
    golden = ROOT / "tests" / "golden"
    for shape, text, solutions, *_ in rows_of(golden / "empty.tsv"):
        yield Board.parse(text, Shape.parse(shape)), int(solutions)
    for name in ("puzzles", "bands"):
        for text, solutions, *_ in rows_of(golden / f"{name}.tsv"):
            yield Board.parse(text), int(solutions)


def published_counts() -> Iterator[tuple[Board, int]]:
    """Yield boards and their solutions from the oracles beside the repository."""
    for text, solutions, _ in rows_of(SHARED / "oracles" / "9x9.tsv"):
        yield Board.parse(text), int(solutions)
    for shape, solutions in rows_of(SHARED / "oracles" / "empty.tsv"):
        if shape in ("2x2", "2x3", "3x3"):
            for turned in {Shape.parse(shape), Shape.parse(shape[::-1])}:
                yield Board.empty(turned), int(solutions)


def check_oracles() -> None:
    """Count every board of tests/golden again, and the published oracles where they are present."""
    sources = {"oracles": golden_counts()}
    if (SHARED / "oracles").is_dir():
        sources["published/oracles"] = published_counts()
    for name, counts in sources.items():
        checked, started = 0, perf_counter()
        for board, solutions in counts:
            found, _ = measure_sum(board)
            if found != solutions:
                raise SystemExit(f"bench: {found} solutions instead of {solutions}: {board}")
            checked += 1
        print(f"{name}: {checked} counts, all exact, {perf_counter() - started:.1f} s on one core", flush=True)
    print()


def measure_boards(options: argparse.Namespace, boards: dict[str, Path]) -> None:
    print(f"{'board':<14}{'solutions':>12}{'sum s':>9}{'command s':>11}", end="")
    print(f"{'yardstick s':>13}{'ratio':>9}" if has_compiler() else "")
    with tempfile.TemporaryDirectory() as folder:
        programs: list[Measure] = [on_board(measure_sum)]
        if has_compiler():
            programs.append(yardstick(folder))
        for name, path in boards.items():
            found, (ours, *others) = compare(path, programs, options.rounds)
            again, whole = measure_command(read(path), options.cores, 3 * options.rounds)
            if found != again:
                raise SystemExit(f"bench: {name}: {found} and {again} solutions")
            ratio = "".join(f"{theirs:>13.4f}{theirs / ours:>9.1f}" for theirs in others)
            print(f"{name:<14}{found:>12,}{ours:>9.4f}{whole:>11.3f}{ratio}", flush=True)
    print()


def measure_random(options: argparse.Namespace) -> dict[Board, float]:
    print(f"{'clues':<7}{'boards':>7}{'least s':>9}{'median s':>10}{'worst s':>9}   solutions of the worst")
    rng = random.Random(options.seed)
    times: dict[Board, float] = {}
    for clues in range(options.clues + 1):
        counts = {}
        for _ in range(options.random):
            kept = set(rng.sample(range(81), clues))
            board = with_only_cells(random_grid(NINE, rng), kept)
            counts[board], times[board] = measure_command(board, options.cores, options.rounds)
        seconds = [times[board] for board in counts]
        worst = max(counts, key=lambda board: times[board])
        figures = f"{min(seconds):>9.3f}{median(seconds):>10.3f}{max(seconds):>9.3f}"
        print(f"{clues:<7}{options.random:>7}{figures}   {counts[worst]:,}", flush=True)
    figures = f"{min(times.values()):>9.3f}{median(times.values()):>10.3f}{max(times.values()):>9.3f}"
    print(f"{'all':<7}{len(times):>7}{figures}\n", flush=True)
    return times


def measure_awkward(options: argparse.Namespace) -> dict[Board, float]:
    print(f"{'awkward board':<32}{'solutions':>32}{'seconds':>9}")
    times: dict[Board, float] = {}
    for name, board in awkward_boards(random.Random(options.seed)).items():
        solutions, times[board] = measure_command(board, options.cores, options.rounds)
        print(f"{name:<32}{solutions:>32,}{times[board]:>9.3f}", flush=True)
    print()
    return times


def measure_candidates(options: argparse.Namespace) -> None:
    """Print how many times as long as their counts the candidates of some boards take, and judge that."""
    rng = random.Random(options.seed)
    few: list[Board] = []
    many: list[Board] = []
    for number in range(options.candidates):
        clues = options.clues - number % (options.clues + 1)
        board = with_only_cells(random_grid(NINE, rng), rng.sample(range(81), clues))
        (few if clues <= SYMMETRIC_CLUES else many).append(board)
    groups = [
        ("the hardest known", [Board.parse(HARDEST)], MOST_OF_HARDEST),
        (f"random, 0 to {SYMMETRIC_CLUES} clues", few, MOST_OF_RANDOM),
        (f"random, {SYMMETRIC_CLUES + 1} to {options.clues} clues", many, MOST_OF_RANDOM),
    ]
    print(f"{'candidates of':<24}{'boards':>7}{'count s':>9}{'candidates s':>14}{'median ×':>10}{'worst ×':>9}")
    for name, boards, most in groups:
        if not boards:
            continue
        found = {board: times_of_candidates(board, options.rounds) for board in boards}
        ratios = {board: whole / alone for board, (alone, whole) in found.items()}
        worst = max(ratios, key=lambda board: ratios[board])
        sums = f"{sum(alone for alone, _ in found.values()):>9.3f}{sum(whole for _, whole in found.values()):>14.3f}"
        print(f"{name:<24}{len(found):>7}{sums}{median(ratios.values()):>10.2f}{ratios[worst]:>9.2f}")
        judgement = "meets " if ratios[worst] <= most else "misses"
        print(f"{judgement}  at most {ratios[worst]:.2f} times its count ({worst}); wanted: {most:g}", flush=True)
    print()


def times_of_candidates(board: Board, rounds: int) -> tuple[float, float]:
    """Return the least processor times of a count and of the candidates by the contraction, by turns."""
    alone, whole = inf, inf
    for _ in range(rounds):
        started = process_time()
        solutions, _ = measure_sum(board)
        counted = process_time()
        answer = candidates(board, Plan(cores=1, engine="contraction"))
        if any(sum(row) != solutions for row in answer):
            raise SystemExit(f"bench: {board}: the candidates of a cell do not add up to {solutions} solutions")
        alone, whole = min(alone, counted - started), min(whole, process_time() - counted)
    return alone, whole


def awkward_boards(rng: random.Random) -> dict[str, Board]:
    """Return parts of one random grid, and the hardest known board, by name."""
    grid = random_grid(NINE, rng)
    places = [
        (cell, cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3, digit) for cell, digit in enumerate(grid.cells)
    ]
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
    parts = {name: with_only_cells(grid, kept) for name, kept in patterns.items()}
    return {**parts, "the hardest known": Board.parse(HARDEST)}


def apart(places: list[Place], number: int, kinds: tuple[int, ...], rng: random.Random) -> set[int]:
    """Return `number` cells, no two of which agree in any of these positions of a `Place`."""
    while True:
        chosen: list[Place] = []
        for place in rng.sample(places, len(places)):
            if all(place[kind] != other[kind] for other in chosen for kind in kinds):
                chosen.append(place)
                if len(chosen) == number:
                    return {cell for cell, *_ in chosen}


def measure_speedup(options: argparse.Namespace, times: dict[Board, float]) -> None:
    """Compare one core and several on the slowest boards; end the command if all boards are fast."""
    slow = sorted(
        (board for board in times if times[board] * options.cores > LONG_SECONDS), key=lambda board: -times[board]
    )
    shown = 0
    for board in slow[:10]:
        _, alone = measure_command(board, 1, options.rounds)
        _, together = measure_command(board, options.cores, options.rounds)
        if alone > LONG_SECONDS:
            if not shown:
                print(f"{'board':<84}{'1 core s':>9}{f'{options.cores} cores s':>11}{'speed-up':>10}")
            print(f"{board!s:<84}{alone:>9.3f}{together:>11.3f}{alone / together:>10.2f}", flush=True)
            shown += 1
    if not shown:
        refuse(f"no board takes {LONG_SECONDS:.0f} s on one core, so there is no speed-up to show")


def measure_memory(board: Board) -> None:
    peak = peak_of_command("-", "--engine", "contraction", "--backend", "threads", text=str(board))
    print(f"peak memory: {peak:.0f} MB ({board})\n")
