"""Costs of many cores, besides `speedup`: ratios of one run, least times of rounds by turns.

short      whole commands, --cores 1 against --cores N, for boards that are not worth a second core
balance    the share of a run from the first worker without work to the end, for 2 to 16 workers
batch      100,000 puzzles; peak memory of the command and of its workers
overhead   the driver on one core against the bare kernel
trace      commands with --trace against those without, and the time that the driver's thread spends on it

`--boards` replaces the boards of all parts but `batch`, which takes the list minimal of bench/puzzles/,
and published lists where they are present.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import Any

from bench import ROOT
from bench.common.commands import check_parts, enumerate_command
from bench.common.memory import resident_in_tree
from bench.common.options import add_boards, add_number, chosen_boards, chosen_lists
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import Tally
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.search import start
from enumerator.run.counting import tallies
from enumerator.run.driver import Driver
from enumerator.run.local import PartialCount
from enumerator.run.observer import Observer
from enumerator.run.plan import Plan
from enumerator.run.trace import Tracer
from enumerator.run.trace_events import trace_text
from enumerator.run.workers.executors import shut_down_pools, usable_cores

LONG, SHORT, BALANCED, TRACED = ("1f", "2e"), ("[12][ab]",), ("[12]f",), ("1f",)
"""Patterns of the names of boards, ours and published ones, for overhead, short, balance and trace."""

FIRST_NODES = 500_000
"""Nodes of the single-core start: about those of the 50 ms that a count has for itself."""

BATCHES = ("minimal", "hardest", "17clue")
"""The lists of puzzles, ours and published ones, of the part batch."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", default=[], help=f"some of: {', '.join(PARTS)} (default: all)")
    add_boards(parser, "short 1a, 1b, 2a, 2b; balance 1f, 2f; overhead 1f, 2e; trace 1f")
    add_number(parser, "--cores", usable_cores(), "cores of the command")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--puzzles", 100_000, "the length of the longer batch; the other has a tenth", least=10)
    parser.add_argument("--backend", default="loky", choices=("loky", "threads"))


def run(options: argparse.Namespace) -> int:
    check_parts(options.parts, PARTS)
    chosen_boards(options.boards, *SHORT)  # an unknown name ends the command before the first part
    for name, part in PARTS.items():
        if not options.parts or name in options.parts:
            part(options)
            print()
    return 0


# ---------------------------------------------------------------------------------------------------- short


def measure_short(options: argparse.Namespace) -> None:
    print(f"{'board':<14}{'1 core ms':>10}{f'{options.cores} cores ms':>12}{'ratio':>8}")
    for name, path in chosen_boards(options.boards, *SHORT).items():
        variants = [["--cores", "1"], ["--cores", str(options.cores)]]
        alone, together = compare_commands(path, options.backend, 10 * options.rounds, variants)
        print(f"{name:<14}{alone * 1e3:>10.1f}{together * 1e3:>12.1f}{together / alone:>8.3f}", flush=True)


def compare_commands(path: Path, backend: str, rounds: int, variants: list[list[str]]) -> list[float]:
    """Return the least seconds of a command with some options, and with others, by turns; end it if counts differ."""
    least, counts = [float("inf")] * len(variants), set()
    for _ in range(rounds):
        for at, options in enumerate(variants):
            command = [enumerate_command(), str(path), "--quiet", "--engine", "search", "--backend", backend, *options]
            started = perf_counter()
            done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT / "boards")
            least[at] = min(least[at], perf_counter() - started)
            counts.add(done.stdout)
    if len(counts) > 1:
        raise SystemExit(f"bench: {path} has several counts: {counts}")
    return least


# ---------------------------------------------------------------------------------------------------- trace


class TimedTracer(Tracer):
    """A tracer that adds up the processor time of the driver's thread in it."""

    spent = 0.0

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self.add_up(found) if name.startswith("on_") else found

    def add_up(self, call: Callable[..., None]) -> Callable[..., None]:
        """Return a call whose time is added."""

        def timed_call(*arguments: Any, **named: Any) -> None:
            started = thread_time()
            call(*arguments, **named)
            self.spent += thread_time() - started

        return timed_call


def measure_trace(options: argparse.Namespace) -> None:
    heads = f"{'without s':>10}{'with s':>9}{'cost':>8}{'tracer ms':>11}{'share':>8}{'written ms':>12}{'MB':>7}"
    print(f"{'board':<14}{heads}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        for name, board in chosen_boards(options.boards, *TRACED).items():
            plain = ["--cores", str(options.cores)]
            variants = [plain, [*plain, "--trace", str(path)]]
            without, traced = compare_commands(board, options.backend, options.rounds, variants)
            tracer = TimedTracer()
            plan = Plan(options.cores, engine="search", pool=None, observer=tracer)
            *_, last = tallies(read(board), plan)
            tracer.finish(last.tasks, last.nodes, last.effort, last.solutions)
            started = thread_time()
            path.write_text(trace_text(tracer, {}))
            written, share = thread_time() - started, tracer.spent / (tracer.ended - tracer.began)
            figures = f"{traced / without - 1:>8.2%}{tracer.spent * 1e3:>11.2f}{share:>8.3%}{written * 1e3:>12.2f}"
            size = path.stat().st_size / 1e6
            print(f"{name:<14}{without:>10.3f}{traced:>9.3f}{figures}{size:>7.2f}", flush=True)


# -------------------------------------------------------------------------------------------------- balance


class IdleWatch(Observer):
    """Remembers since when there has been a worker without work."""

    idle_since: float | None = None

    def on_filled(self, idle_seats: int) -> None:
        if not idle_seats:
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = perf_counter()


def idle_tail(board: Board, workers: int) -> float:
    """Count with `workers` workers, whatever the cores; return the share with an idle worker."""
    started, watch = perf_counter(), IdleWatch()
    walk = start(board)
    found = walk.run(FIRST_NODES)
    passed = perf_counter() - started
    tally = Tally(found, walk.nodes, walk.finished, walk.share)
    begun = PartialCount(tally, found, walk.parts(), passed, walk.nodes / passed)
    plan = Plan(cores=workers, usable=lambda: workers, visible=lambda: workers)
    for _ in Driver(SEARCH.tree(board.shape), plan, begun, observer=watch).run():
        pass
    ended = perf_counter()
    shut_down_pools()
    return (ended - watch.idle_since) / (ended - started) if watch.idle_since else 0.0


def measure_balance(options: argparse.Namespace) -> None:
    workers = [2, 4, 8, 16]
    heads = "".join(f"{f'{count} workers':>14}" for count in workers)
    print(f"{'board':<14}{heads}   idle at the end, share of the run")
    for name, path in chosen_boards(options.boards, *BALANCED).items():
        tails = [min(idle_tail(read(path), count) for _ in range(options.rounds)) for count in workers]
        print(f"{name:<14}" + "".join(f"{tail:>14.2%}" for tail in tails), flush=True)


# ------------------------------------------------------------------------------------------------- overhead


def measure_overhead(options: argparse.Namespace) -> None:
    print(f"{'board':<14}{'kernel s':>10}{'driver s':>10}{'overhead':>10}   one core")
    for name, path in chosen_boards(options.boards, *LONG).items():
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
        print(f"{name:<14}{bare:>10.3f}{driven:>10.3f}{driven / bare - 1:>10.2%}", flush=True)


# --------------------------------------------------------------------------------------------------- batches


def measure_batches(options: argparse.Namespace) -> None:
    print(f"{'puzzles':<28}{'boards':>9}{'1 core s':>10}{f'{options.cores} cores s':>12}{'speed-up':>10}{'peak MB':>9}")
    for name, puzzles in chosen_lists(None, *BATCHES).items():
        lines = [f"{puzzle}\n" for puzzle in puzzles]
        for rendering in ("--quiet", "--json"):
            for length in (options.puzzles // 10, options.puzzles):
                batch = (lines * (length // len(lines) + 1))[:length]
                alone, together, peak = measure_batch(batch, rendering, options)
                figures = f"{alone:>10.2f}{together:>12.2f}{alone / together:>10.2f}{peak:>9.0f}"
                print(f"{name + ' ' + rendering:<28}{length:>9}{figures}", flush=True)


def measure_batch(lines: list[str], rendering: str, options: argparse.Namespace) -> tuple[float, float, float]:
    """Return the least seconds of a batch on one core and on several, and its peak memory on several, in MB."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(lines)
        file.flush()
        times = {1: float("inf"), options.cores: float("inf")}
        for _ in range(max(1, options.rounds // 2)):
            for cores in times:
                seconds, peak = watch_command(file.name, rendering, "--cores", str(cores))
                times[cores] = min(times[cores], seconds)
    return times[1], times[options.cores], peak


def watch_command(*arguments: str) -> tuple[float, float]:
    """Return the seconds of a command, and its peak memory with its workers, in MB."""
    started, peak = perf_counter(), 0.0
    process = subprocess.Popen([enumerate_command(), *arguments], stdout=subprocess.DEVNULL, cwd=ROOT / "boards")
    while process.poll() is None:
        peak = max(peak, resident_in_tree(process.pid))
        sleep(0.05)
    return perf_counter() - started, peak


PARTS = {
    "short": measure_short,
    "balance": measure_balance,
    "batch": measure_batches,
    "overhead": measure_overhead,
    "trace": measure_trace,
}
