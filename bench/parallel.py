"""What many cores cost, besides `speedup`: ratios of one run, least times of several rounds by turns.

short      whole commands, --cores 1 against --cores N, for boards that are not worth a second core
balance    the time from the first worker without work to the end, as a share of the run, for more and more workers
batch      100,000 puzzles; peak memory of the command and of its workers
overhead   the driver on one core against the bare kernel
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

from bench import ROOT, SHARED, enumerate_command
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Tally
from enumerator.engines.search import start
from enumerator.run import Begun, Plan, tallies
from enumerator.run.driver import Driver
from enumerator.run.executors import dismiss, usable_cores
from enumerator.run.splitting import Tree

LONG = ["shared/1f", "shared/2e", "boards/1f", "boards/2e"]
SHORT = ["shared/1a", "shared/1b", "shared/2a", "shared/2b", "boards/1a", "boards/1b", "boards/2a", "boards/2b"]
FIRST_NODES = 500_000
"""What one core visits before it asks for help: about what it does in the 50 ms that a count has for itself."""
BALANCED = ["shared/1f", "shared/2f", "boards/1f"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", default=[], help=f"some of: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--cores", type=int, default=usable_cores(), help="default: all, here %(default)s")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")
    parser.add_argument("--boards", help="names like shared/1f or boards/2e, separated by commas")
    parser.add_argument("--puzzles", type=int, default=100_000, help="the length of the batch (default: %(default)s)")
    parser.add_argument("--backend", default="loky", choices=("loky", "threads"))


def run(options: argparse.Namespace) -> int:
    if unknown := set(options.parts) - set(PARTS):
        raise SystemExit(f"bench: no such part: {', '.join(sorted(unknown))}")
    for name, part in PARTS.items():
        if not options.parts or name in options.parts:
            part(options)
            print()
    return 0


# ------------------------------------------------------------------------------------------------- commands


def seconds_of(*arguments: str) -> tuple[float, str]:
    started = perf_counter()
    done = subprocess.run(
        [enumerate_command(), *arguments], check=True, capture_output=True, text=True, cwd=ROOT / "boards"
    )
    return perf_counter() - started, done.stdout


def paths(options: argparse.Namespace, names: list[str]) -> Iterator[tuple[str, Path]]:
    """The boards that there are, of those asked for."""
    for name in options.boards.split(",") if options.boards else names:
        folder, _, short = name.partition("/")
        path = (SHARED if folder == "shared" else ROOT) / "boards" / f"{short}.txt"
        if path.exists():
            yield name, path


def compared(path: Path, options: argparse.Namespace, rounds: int) -> tuple[float, float]:
    """The least times of a command on one core and on several."""
    least = {1: float("inf"), options.cores: float("inf")}
    counts = set()
    for _ in range(rounds):
        for cores in least:
            seconds, output = seconds_of(
                str(path), "--quiet", "--engine", "search", "--cores", str(cores), "--backend", options.backend
            )
            least[cores] = min(least[cores], seconds)
            counts.add(output)
    if len(counts) > 1:
        raise SystemExit(f"bench: {path} has several counts: {counts}")
    return least[1], least[options.cores]


def short(options: argparse.Namespace) -> None:
    print(f"{'board':<12}{'1 core ms':>10}{f'{options.cores} cores ms':>12}{'ratio':>8}")
    for name, path in paths(options, SHORT):
        alone, together = compared(path, options, 10 * options.rounds)
        print(f"{name:<12}{alone * 1e3:>10.1f}{together * 1e3:>12.1f}{together / alone:>8.3f}", flush=True)


# ------------------------------------------------------------------------------------------------- the driver


class Watched(Driver):
    """A driver that notes since when somebody has had nothing to do."""

    idle_since: float | None = None
    seconds = 0.0

    @classmethod
    def count(cls, board: Board, cores: int) -> Watched:
        """A count by so many workers, also if there are fewer cores."""
        started = perf_counter()
        walk = start(board)
        found = walk.run(FIRST_NODES)
        tally = Tally(found, walk.nodes, walk.finished, walk.share)
        passed = perf_counter() - started
        begun = Begun(tally, found, walk.parts(), passed, walk.nodes / passed)
        driver = cls(Tree(board.shape), Plan(cores=cores, usable=lambda: cores, in_sight=lambda: cores), begun)
        for _ in driver.run():
            pass
        driver.seconds = perf_counter() - started
        dismiss()
        return driver

    @property
    def tail(self) -> float:
        """The share of the run in which there was a worker without work."""
        ended = self.started + self.seconds
        return (ended - self.idle_since) / self.seconds if self.idle_since else 0.0

    def _fill(self) -> bool:
        more = super()._fill()
        crews = [crew for crew in (self.threads, self.pool) if crew]
        if all(len(crew.flights) >= crew.seats for crew in crews):
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = perf_counter()
        return more


def balance(options: argparse.Namespace) -> None:
    workers = [2, 4, 8, 16]
    heads = "".join(f"{f'{count} workers':>14}" for count in workers)
    print(f"{'board':<12}{heads}   idle at the end, share of the run")
    for name, path in paths(options, BALANCED):
        tails = [min(Watched.count(read(path), count).tail for _ in range(options.rounds)) for count in workers]
        print(f"{name:<12}" + "".join(f"{tail:>14.2%}" for tail in tails), flush=True)


def overhead(options: argparse.Namespace) -> None:
    print(f"{'board':<12}{'kernel s':>10}{'driver s':>10}{'overhead':>10}   one core")
    for name, path in paths(options, LONG):
        board = read(path)
        bare = driven = float("inf")
        for _ in range(options.rounds):
            started = perf_counter()
            start(board).run()
            bare = min(bare, perf_counter() - started)
            started = perf_counter()
            for _ in tallies(board, Plan(cores=1, engine="search")):
                pass
            driven = min(driven, perf_counter() - started)
        print(f"{name:<12}{bare:>10.3f}{driven:>10.3f}{driven / bare - 1:>10.2%}", flush=True)


# --------------------------------------------------------------------------------------------------- batches


def batch(options: argparse.Namespace) -> None:
    print(f"{'puzzles':<22}{'boards':>9}{'1 core s':>10}{f'{options.cores} cores s':>12}{'speed-up':>10}{'peak MB':>9}")
    for name, rendering in (("hardest", "--quiet"), ("hardest", "--json"), ("17clue", "--quiet"), ("17clue", "--json")):
        source = SHARED / "puzzles" / f"{name}.txt"
        if not source.exists():
            continue
        lines = [line for line in source.read_text().splitlines(keepends=True) if line[:1] not in "#\n"]
        for length in (options.puzzles // 10, options.puzzles):
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                file.writelines((lines * (length // len(lines) + 1))[:length])
                file.flush()
                times = {1: float("inf"), options.cores: float("inf")}
                for _ in range(max(1, options.rounds // 2)):
                    for cores in times:
                        seconds, peak = watched(file.name, rendering, "--cores", str(cores))
                        times[cores] = min(times[cores], seconds)
            alone, together = times[1], times[options.cores]
            figures = f"{alone:>10.2f}{together:>12.2f}{alone / together:>10.2f}{peak:>9.0f}"
            print(f"{name + ' ' + rendering:<22}{length:>9}{figures}", flush=True)


def watched(*arguments: str) -> tuple[float, float]:
    """The time of a command, and the most memory that it and its workers had together."""
    started, peak = perf_counter(), 0.0
    process = subprocess.Popen([enumerate_command(), *arguments], stdout=subprocess.DEVNULL, cwd=ROOT / "boards")
    while process.poll() is None:
        peak = max(peak, memory(process.pid))
        sleep(0.05)
    return perf_counter() - started, peak


def memory(pid: int) -> float:
    """Megabytes of a process and of those below it."""
    try:
        own = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    return (int(own[1]) / 1024 if own else 0.0) + sum(memory(int(child)) for child in below)


PARTS = {"short": short, "balance": balance, "batch": batch, "overhead": overhead}
