"""What a ledger costs: commands with --checkpoint and without, by turns, least times; and what is measured from within.

The first is at the mercy of the machine's other work. For the second, a count on threads: the processor's time spent in
the ledger, as a share of that of the whole run; how long a commit takes, waiting for the disk included, while others
work on; and how many there are in a second.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter, process_time, thread_time

from bench import ROOT, enumerate_command
from bench.soak import FEW_CLUES
from enumerator import __version__
from enumerator.board.files import read
from enumerator.engines import Done
from enumerator.run import Plan, tallies
from enumerator.run.ledger.ledger import Ledger
from enumerator.run.splitting import Part

QUESTIONS = [("2f", "search", []), ("7 clues", "contraction", []), ("2f", "contraction", ["--list"])]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    heads = f"{'without s':>10}{'with s':>10}{'ratio':>8}{'MB':>7}{'in it':>9}{'ms a commit':>13}{'commits/s':>11}"
    print(f"{'board':<9}{'engine':<13}{'question':<9}{heads}")
    for name, engine, more in QUESTIONS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "board.txt")
            path.write_text(FEW_CLUES.get(name) or str(read(ROOT / "boards" / f"{name}.txt")))
            least = [float("inf"), float("inf")]
            size = 0.0
            for _ in range(options.rounds):
                for which, ledger in enumerate([[], ["--checkpoint", "run.db"]]):
                    output = [*more, "--output", "solutions.txt"] if more else ["--quiet"]
                    command = [enumerate_command(), str(path), "--engine", engine, *output, *ledger]
                    started = perf_counter()
                    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
                    least[which] = min(least[which], perf_counter() - started)
                size = Path(folder, "run.db").stat().st_size / 1e6
                Path(folder, "run.db").unlink()
            figures = f"{least[0]:>10.2f}{least[1]:>10.2f}{least[1] / least[0]:>8.3f}{size:>7.2f}"
            within = "" if more else measured(path, engine)
            print(f"{name:<9}{engine:<13}{'list' if more else 'count':<9}{figures}{within}", flush=True)
    return 0


class Timed(Ledger):
    """A ledger that knows what it costs."""

    def __init__(self, name: str, question: dict[str, str]) -> None:
        super().__init__(name, question)
        self.processor = self.clock = 0.0
        self.commits = 0

    def settle(self, part: Part, done: Done, left: list[Part]) -> list[Part]:
        started = perf_counter()  # which costs less to ask for than what is measured
        opened = super().settle(part, done, left)
        self.processor += perf_counter() - started
        return opened

    def commit(self, last: bool = False) -> None:
        started, began, before = thread_time(), perf_counter(), self._committed
        super().commit(last)
        self.processor += thread_time() - started
        if self._committed > before:
            self.clock += perf_counter() - began
            self.commits += 1


def measured(path: Path, engine: str) -> str:
    """What a ledger costs in a count."""
    board, ledger = read(path), path.with_suffix(".db")
    asked = {"version": __version__, "question": "count", "shape": "", "board": "", "engine": engine}
    started, began = process_time(), perf_counter()
    with Timed(str(ledger), asked) as timed:
        for _ in tallies(board, Plan(engine=engine, pool=None), ledger=timed):
            pass
    ledger.unlink()
    share, seconds = timed.processor / (process_time() - started), perf_counter() - began
    return f"{share:>9.2%}{1e3 * timed.clock / timed.commits:>13.1f}{timed.commits / seconds:>11.1f}"
