"""Puzzles proven unique or not, a second, on one core: each is walked until its second solution, or the end."""

from __future__ import annotations

import argparse
from time import perf_counter

from bench import shared
from enumerator.formats import read_all
from enumerator.search import start

LISTS = ["17clue", "hardest", "magictour", "multiple"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", help="default: the lists of puzzles beside the repository")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    print(f"{'puzzles':<16}{'boards':>8}{'unique':>8}{'multiple':>10}{'boards a second':>17}")
    for name in options.files or [str(shared("puzzles", f"{name}.txt")) for name in LISTS]:
        boards = list(read_all(name))
        least = float("inf")
        for _ in range(options.rounds):
            started = perf_counter()
            verdicts = [start(board).run(limit=2) for board in boards]
            least = min(least, perf_counter() - started)
        rate = len(boards) / least
        short = name.rpartition("/")[2]
        print(f"{short:<16}{len(boards):>8}{verdicts.count(1):>8}{verdicts.count(2):>10}{rate:>17,.0f}", flush=True)
    return 0
