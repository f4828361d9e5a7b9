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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench import ROOT, SHARED
from bench.data import RESULTS
from bench.trial import Finding, Trial
from enumerator.board import Board
from enumerator.formats import read

SOON = 2.0
"""Seconds within which a second Ctrl-C ends the run."""

INTERRUPTED = 130


class SkippedError(Exception):
    """The board at hand is to be left."""


class TimeLimitError(Exception):
    """A measurement has taken too long."""


class Session:
    """Measures what is asked for, tells how far it is, and hears Ctrl-C."""

    def __init__(self, total: int) -> None:
        self.console = Console(stderr=True)
        self.skipped: set[str] = set()
        self._total, self._interrupted = total, -SOON
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            disable=not self.console.is_terminal,
            transient=True,
        )

    def __enter__(self) -> Session:
        self._progress.start()
        self._bar = self._progress.add_task("", total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self) -> None:
        """One measurement more is there, or not to be made."""
        self._progress.advance(self._bar)

    @contextmanager
    def at(self, board: str, setting: str) -> Iterator[None]:
        """In here a board is measured: Ctrl-C leaves it, and all that comes of it later."""
        self._progress.update(self._bar, description=f"{board} {setting}")
        try:
            yield
        except KeyboardInterrupt:
            if monotonic() - self._interrupted < SOON:
                raise
            self._interrupted = monotonic()
            self.skipped.add(board)
            self.console.print(f"{board} is left out from here on; Ctrl-C once more ends the run", highlight=False)
        finally:
            self.advance()


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


def add_output(parser: argparse.ArgumentParser, table: str) -> None:
    parser.add_argument("--output", type=Path, metavar="FILE", help=f"the table (default: results/{table})")
    parser.add_argument("--fresh", action="store_true", help="replace a table that is there, rather than go on with it")


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
