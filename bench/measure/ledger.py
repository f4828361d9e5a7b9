"""Costs of a ledger: least times of commands with and without --checkpoint; costs from within.

The first depend on other load of the machine. The second are measured in a count on threads:
processor time in the ledger as a share of that of the run; the time of a commit, waiting for the
disk included, while threads work on; and the commits in a second.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter, process_time, thread_time

from bench.common.boards import FEW_CLUES
from bench.common.commands import enumerate_command
from bench.common.options import add_boards, add_number, chosen_boards
from enumerator import __version__
from enumerator.board.files import read
from enumerator.engines import Part, PartResult
from enumerator.run.counting import tallies
from enumerator.run.ledger.ledger import Ledger
from enumerator.run.plan import Plan

LONG_SUM = "7 clues"
"""The board whose count by the contraction is measured by default: it takes longest."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_boards(parser, "2f")
    add_number(parser, "--rounds", 3, "runs of each")


def run(options: argparse.Namespace) -> int:
    boards = {name: str(read(path)) for name, path in chosen_boards(options.boards, "2f").items()}
    questions: list[tuple[str, str, list[str]]] = []
    if options.boards is None:
        questions.append((LONG_SUM, "contraction", []))
    for name in boards:
        questions += [(name, "search", []), (name, "contraction", ["--list"])]
    heads = f"{'without s':>10}{'with s':>10}{'ratio':>8}{'MB':>7}{'in it':>9}{'ms a commit':>13}{'commits/s':>11}"
    print(f"{'board':<14}{'engine':<13}{'question':<9}{heads}")
    for name, engine, more in questions:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "board.txt")
            path.write_text(boards.get(name) or FEW_CLUES[name])
            figures = measure_commands(path, engine, more, options.rounds)
            within = "" if more else measure_within(path, engine)
            print(f"{name:<14}{engine:<13}{'list' if more else 'count':<9}{figures}{within}", flush=True)
    return 0


def measure_commands(path: Path, engine: str, more: list[str], rounds: int) -> str:
    """Return the least times without and with a ledger, their ratio, and its size, as columns."""
    ledger, least, size = path.with_name("run.db"), [float("inf"), float("inf")], 0.0
    for _ in range(rounds):
        for which, checkpoint in enumerate([[], ["--checkpoint", ledger.name]]):
            output = [*more, "--output", "solutions.txt"] if more else ["--quiet"]
            command = [enumerate_command(), str(path), "--engine", engine, *output, *checkpoint]
            started = perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=path.parent)
            least[which] = min(least[which], perf_counter() - started)
        size = ledger.stat().st_size / 1e6
        ledger.unlink()
    return f"{least[0]:>10.2f}{least[1]:>10.2f}{least[1] / least[0]:>8.3f}{size:>7.2f}"


class TimedLedger(Ledger):
    """A ledger that measures its own cost."""

    def __init__(self, name: str, question: dict[str, str]) -> None:
        super().__init__(name, question)
        self.processor_seconds = self.commit_seconds = 0.0
        self.commits = 0

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        started = perf_counter()  # reading it costs less than what is measured
        opened = super().close_part(part, result, left)
        self.processor_seconds += perf_counter() - started
        return opened

    def commit(self, last: bool = False) -> None:
        started, began, before = thread_time(), perf_counter(), self.contents.run.get("seconds")
        super().commit(last)
        self.processor_seconds += thread_time() - started
        if self.contents.run.get("seconds") != before:  # which every commit to the disk renews
            self.commit_seconds += perf_counter() - began
            self.commits += 1


def measure_within(path: Path, engine: str) -> str:
    """Return the ledger's share of processor time, milliseconds a commit, and commits a second."""
    board, ledger = read(path), path.with_suffix(".db")
    question = {"version": __version__, "question": "count", "shape": "", "board": "", "engine": engine}
    started, began = process_time(), perf_counter()
    with TimedLedger(str(ledger), question) as timed:
        for _ in tallies(board, Plan(engine=engine, pool=None), ledger=timed):
            pass
    ledger.unlink()
    share, seconds = timed.processor_seconds / (process_time() - started), perf_counter() - began
    milliseconds = 1e3 * timed.commit_seconds / max(1, timed.commits)
    return f"{share:>9.2%}{milliseconds:>13.1f}{timed.commits / seconds:>11.1f}"
