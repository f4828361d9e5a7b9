"""The speed of lists, of the n-th solution, of samples and of candidates.

    listing      every solution of a board to /dev/null: rate and peak memory
    hashes       the SHA-256 of the sorted list of 1c, the same for each engine and number of cores
    nth          the 10^21-th solution of the empty board
    samples      uniform samples of the empty board
    candidates   the candidates of a board and of the empty one, as ratios to a count

Times are those of whole commands, the least of `--rounds`.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
from pathlib import Path
from time import perf_counter

from bench import ROOT
from bench.common.commands import check_parts, enumerate_command
from bench.common.memory import peak_of_command
from bench.common.options import add_boards, add_number, chosen_boards
from enumerator import count, read

EMPTY = ROOT / "boards" / "empty.txt"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
    add_boards(parser, "2f")
    add_number(parser, "--samples", 10_000, "how many to draw")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--cores", 2, "cores of every second run")


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    boards = chosen_boards(options.boards, "2f")
    for part in options.parts or PARTS:
        PARTS[part](options, boards)
    return 0


def least_seconds(*arguments: object, rounds: int) -> float:
    """Return the least seconds of `enumerate` with these arguments."""
    least = float("inf")
    for _ in range(rounds):
        started = perf_counter()
        subprocess.run([enumerate_command(), *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
        least = min(least, perf_counter() - started)
    return least


def measure_listing(options: argparse.Namespace, boards: dict[str, Path]) -> None:
    for name, path in boards.items():
        board = read(path)
        lines = count(board)
        print(f"{name} --list > /dev/null: {lines:,} solutions")
        for cores in (1, options.cores):
            least = least_seconds(path, "--list", "--cores", cores, rounds=options.rounds)
            rate, written = lines / least / 1e6, lines * (board.shape.cells + 1) / least / 1e6
            print(f"    --cores {cores}  {least:8.3f} s  {rate:6.2f} million a second, {written:,.0f} MB/s", flush=True)
        print(f"    peak memory {peak_of_command(str(path), '--list'):.0f} MB")


def check_hashes(options: argparse.Namespace, _: dict[str, Path]) -> None:
    for name, path in chosen_boards(None, "1c").items():
        found = set()
        for engine in ("search", "contraction"):
            for cores in (1, options.cores, 3):
                arguments = [enumerate_command(), str(path), "--list", "--engine", engine, "--cores", str(cores)]
                lines = subprocess.run(arguments, check=True, capture_output=True).stdout.splitlines(keepends=True)
                found.add(hashlib.sha256(b"".join(sorted(lines))).hexdigest())
        verdict = "all the same" if len(found) == 1 else "DIFFERENT"
        runs = f"{name}, sorted, both engines, 1, {options.cores} and 3 cores"
        print(f"{runs}: {verdict}: SHA-256 {' '.join(found)}", flush=True)
        if len(found) > 1:
            raise SystemExit(1)


def measure_nth(options: argparse.Namespace, _: dict[str, Path]) -> None:
    least = least_seconds(EMPTY, "--nth", "1e21", "--cores", options.cores, rounds=options.rounds)
    print(f"the 10^21-th solution of the empty board: {least:.3f} s", flush=True)


def measure_samples(options: argparse.Namespace, _: dict[str, Path]) -> None:
    for cores in (1, options.cores):
        arguments = [EMPTY, "--sample", options.samples, "--seed", 1, "--cores", cores]
        least = least_seconds(*arguments, rounds=options.rounds)
        print(f"{options.samples:,} samples of the empty board, --cores {cores}: {least:.2f} s", flush=True)


def measure_candidates(options: argparse.Namespace, boards: dict[str, Path]) -> None:
    for name, board in {**boards, "the empty board": EMPTY}.items():
        for cores in (1, options.cores):
            counting = least_seconds(board, "--cores", cores, rounds=options.rounds)
            least = least_seconds(board, "--candidates", "--cores", cores, rounds=options.rounds)
            ratio = f"{least / counting:.2f} times its count of {counting:.3f} s"
            print(f"candidates of {name}, --cores {cores}: {least:.3f} s, {ratio}", flush=True)


PARTS = {
    "listing": measure_listing,
    "hashes": check_hashes,
    "nth": measure_nth,
    "samples": measure_samples,
    "candidates": measure_candidates,
}
