"""Puzzles classified a second: unique, multiple or none.

By the library (`classify_all`, from lines to verdicts, as other programs) on one core and on several, and by the
command on one core, from a file to a line for each, its start included; all by turns. Each list is
repeated until it has at least `--puzzles` boards. Our lists are in bench/puzzles/; published ones are
taken in addition where they are present. Other programs are taken by path (bench/common/outside.py):
they run by turns with ours, and their verdicts must be the same.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.common.commands import enumerate_command, refuse
from bench.common.options import add_lists, add_number, chosen_lists
from bench.common.outside import Outside, add_programs, check_names
from enumerator import Board, classify_all


def configure(parser: argparse.ArgumentParser) -> None:
    add_lists(parser, "all of them")
    add_number(parser, "--puzzles", 40_000, "how many of each list at least")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--cores", 2, "cores of the second rate")
    add_programs(parser)


def run(options: argparse.Namespace) -> int:
    lists = chosen_lists(options.boards)
    check_names(options.outside)
    print(f"{'':<20}{'':>9}{'':>9}{'':>10}   boards a second, in the library     by the")
    columns = f"{'puzzles':<20}{'boards':>9}{'unique':>9}{'multiple':>10}{'1 core':>12}"
    columns += f"{f'{options.cores} cores':>12}{'ratio':>8}{'command':>12}"
    print(columns + "".join(f"{program.name:>14}{'ours/it':>9}" for program in options.outside))
    for name, puzzles in lists.items():
        boards = puzzles * -(-options.puzzles // len(puzzles))
        lines = [str(board) for board in boards]
        alone = together = whole = float("inf")
        theirs = dict.fromkeys(options.outside, float("inf"))
        for _ in range(options.rounds):
            alone = min(alone, seconds_of(lambda: list(classify_all(lines, cores=1))))  # noqa: B023
            together = min(together, seconds_of(lambda: list(classify_all(lines, cores=options.cores))))  # noqa: B023
            whole = min(whole, seconds_of_command(boards))
            for program in theirs:
                theirs[program] = min(theirs[program], seconds_of_program(program, boards))
        verdicts = Counter(map(str, classify_all(lines)))
        found = f"{len(boards):>9,}{verdicts['unique']:>9,}{verdicts['multiple']:>10,}"
        rates = f"{len(boards) / alone:>12,.0f}{len(boards) / together:>12,.0f}{alone / together:>8.2f}"
        rates += f"{len(boards) / whole:>12,.0f}"
        others = (f"{len(boards) / seconds:>14,.0f}{seconds / alone:>9.2f}" for seconds in theirs.values())
        print(f"{name:<20}{found}{rates}" + "".join(others), flush=True)
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


def seconds_of_program(program: Outside, boards: list[Board]) -> float:
    """Return the seconds that another program states; end the command if its verdicts are not ours."""
    counts, seconds = program.run(boards, most=2)
    verdicts = ["none", "unique", "multiple"]
    for board, count, verdict in zip(boards, counts, classify_all(boards, cores=1), strict=True):
        if verdicts[min(count, 2)] != str(verdict):
            refuse(f"{program.name} finds {count} solutions of {board}, which is {verdict}")
    return seconds
