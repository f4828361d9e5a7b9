"""A run of many measurements: in rounds, by turns, and interrupted without loss.

    round     every board once with every setting; so a machine that is slow for a while is slow for all of them
    skipped   a board that was left at Ctrl-C: the run goes on with the next one, and does not come back to it

A second Ctrl-C, soon after the first, ends the run. What was measured is in its table by then.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench import ROOT, SHARED
from bench.data import RESULTS, DataError, Row, Table
from bench.trial import Finding, Trial
from enumerator.board import Board
from enumerator.board.files import read

SOON = 2.0
"""Seconds within which a second Ctrl-C ends the run."""

INTERRUPTED = 130


class TimeLimitError(Exception):
    """A measurement has taken too long."""


class Step(NamedTuple):
    """One measurement of a board."""

    board: str
    setting: str
    measure: Callable[[], None] | None
    """Makes it and writes it down; None: it is there already, or in vain."""


class Ear:
    """Hears Ctrl-C while something is measured. One that comes between two measurements is heard at the next."""

    def __init__(self) -> None:
        self.is_open = self.is_late = False

    def hear(self, *_: object) -> None:
        if self.is_open:
            raise KeyboardInterrupt
        self.is_late = True

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Of whoever else hears it."""
        before = signal.signal(signal.SIGINT, self.hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def during(self, measure: Callable[[], None]) -> None:
        self.is_open = True
        try:
            if self.is_late:
                self.is_late = False
                raise KeyboardInterrupt
            measure()
        finally:
            self.is_open = False


def conduct(steps: Iterable[Step], total: int, skipped: set[str]) -> int:
    """Make measurements, tell how far it is, and hear Ctrl-C; boards that were left are added to those to be skipped.

    Returns an exit status.
    """
    console, ear, interrupted = Console(stderr=True, highlight=False), Ear(), -inf
    with ear.instead(), bar_of(console) as progress:
        bar = progress.add_task("", total=total)
        for board, setting, measure in steps:
            progress.update(bar, description=f"{board} {setting}")
            try:
                if measure and board not in skipped:
                    ear.during(measure)
            except KeyboardInterrupt:
                if monotonic() - interrupted < SOON:
                    console.print("interrupted: what was measured is saved, and the same command goes on with it")
                    return INTERRUPTED
                interrupted = monotonic()
                skipped.add(board)
                console.print(f"{board} is left out from here on; Ctrl-C once more ends the run")
            progress.advance(bar)
    return 0


def bar_of(console: Console) -> Progress:
    """On a terminal, a bar."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def opened(path: Path, kind: type[Row], command: str, fresh: bool) -> Table[Row]:
    """The table to go on with. Ends the command if it is another's."""
    try:
        return Table(path, kind, command, fresh)
    except DataError as error:
        raise SystemExit(f"bench: {error}") from None


def in_a_process(module: str, *arguments: str, text: str = "", seconds: float | None = None) -> str:
    """What a module of ours writes, run by itself; it hears no Ctrl-C, and is gone with all its processes after one.

    Raises TimeLimitError, or SystemExit if it fails.
    """
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimeLimitError from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise SystemExit(f"bench: {module} has failed:\n{errors}")
    return output


def tried(trial: Trial, seconds: float | None = None) -> Finding:
    """A count, measured in a process of its own."""
    return Finding(**json.loads(in_a_process("bench.trial", text=json.dumps(asdict(trial)), seconds=seconds)))


# -------------------------------------------------------------------------------------------------- options


def add_common(parser: argparse.ArgumentParser, table: str) -> None:
    """What all commands that measure boards have in common."""
    default = SHARED / "boards" if (SHARED / "boards").exists() else ROOT / "boards"
    parser.add_argument("--folder", type=Path, default=default, metavar="FOLDER", help="where the boards are")
    parser.add_argument(
        "--boards", default="^[12][a-f]$", metavar="REGEX", help="by their names (default: %(default)s)"
    )
    parser.add_argument("--exclude", default="^$", metavar="REGEX", help="boards to leave out")
    add_output(parser, table)


def add_output(parser: argparse.ArgumentParser, table: str, measures: bool = True) -> None:
    parser.add_argument("--output", type=Path, metavar="FILE", help=f"the table (default: results/{table})")
    if measures:
        parser.add_argument(
            "--fresh", action="store_true", help="replace a table that is there, rather than go on with it"
        )


def output(options: argparse.Namespace, table: str) -> Path:
    return options.output or RESULTS / table


def chosen(options: argparse.Namespace) -> dict[str, Path]:
    """The boards asked for, by name. Ends the command where there are none."""
    try:
        wanted, unwanted = re.compile(options.boards), re.compile(options.exclude)
    except re.error as error:
        raise SystemExit(f"bench: no regular expression: {error}") from None
    paths = {path.stem: path for path in sorted(options.folder.glob("*.txt"))}
    found = {name: path for name, path in paths.items() if wanted.search(name) and not unwanted.search(name)}
    if not found:
        raise SystemExit(f"bench: no board in {options.folder} has a name like that")
    return found


def counts_in(folder: Path) -> dict[str, int]:
    """The numbers of solutions that are known from elsewhere: of the published boards, from their table."""
    table = folder / "table.tsv"
    lines = table.read_text().splitlines() if table.exists() else []
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name: int(solutions) for name, _, solutions, _ in rows}


class Known:
    """Counts that were seen. A board has one: whoever finds another is wrong, and that ends the run."""

    def __init__(self, folder: Path) -> None:
        self.counts = counts_in(folder)

    def check(self, board: str, solutions: int) -> int:
        if self.counts.setdefault(board, solutions) != solutions:
            raise SystemExit(f"bench: {board} has {self.counts[board]} solutions, and now {solutions} were counted")
        return solutions


def cores_list(text: str) -> list[int]:
    """For argparse: numbers of cores, in order."""
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers like 1,2,4")
    return numbers


def boards(paths: dict[str, Path]) -> dict[str, Board]:
    return {name: read(path) for name, path in paths.items()}
