"""Puzzles classified a second: unique, multiple or none.

By the library (`classify_all`, from boards to verdicts) on one core and on several, and by the
command on one core, from a file to a line for each, its start included; all by turns. Each list is
repeated until it has at least `--puzzles` boards. Our lists are in bench/puzzles/; published ones are
taken in addition where they are present.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.common.commands import enumerate_command
from bench.common.options import add_lists, add_number, chosen_lists
from enumerator import Board, classify_all


def configure(parser: argparse.ArgumentParser) -> None:
    add_lists(parser, "all of them")
    add_number(parser, "--puzzles", 40_000, "how many of each list at least")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--cores", 2, "cores of the second rate")


def run(options: argparse.Namespace) -> int:
    lists = chosen_lists(options.boards)
    print(f"{'':<20}{'':>9}{'':>9}{'':>10}   boards a second, in the library     by the")
    columns = f"{'puzzles':<20}{'boards':>9}{'unique':>9}{'multiple':>10}{'1 core':>12}"
    print(f"{columns}{f'{options.cores} cores':>12}{'ratio':>8}{'command':>12}")
    for name, puzzles in lists.items():
        boards = puzzles * -(-options.puzzles // len(puzzles))
        alone = together = whole = float("inf")
        for _ in range(options.rounds):
            alone = min(alone, seconds_of(lambda: list(classify_all(boards, cores=1))))  # noqa: B023
            together = min(together, seconds_of(lambda: list(classify_all(boards, cores=options.cores))))  # noqa: B023
            whole = min(whole, seconds_of_command(boards))
        verdicts = Counter(map(str, classify_all(boards)))
        found = f"{len(boards):>9,}{verdicts['unique']:>9,}{verdicts['multiple']:>10,}"
        rates = f"{len(boards) / alone:>12,.0f}{len(boards) / together:>12,.0f}{alone / together:>8.2f}"
        print(f"{name:<20}{found}{rates}{len(boards) / whole:>12,.0f}", flush=True)
    return 0


def seconds_of(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def seconds_of_command(boards: list[Board]) -> float:
    """Return the seconds of `enumerate --classify` on one core for a file of these boards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "puzzles.txt")
        path.write_text("".join(f"{board}\n" for board in boards))
        arguments = [enumerate_command(), str(path), "--classify", "--cores", "1"]
        return seconds_of(lambda: subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL))
