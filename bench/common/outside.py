"""Other programs that a user has, by path: the option `--program NAME=PATH`.

A program by path follows one convention. Somebody who has another solver writes a wrapper of a few
lines around it:

    PATH LIMIT FILE

FILE holds 9×9 boards, one a line: 81 symbols, a point for an empty cell. The program prints a line
for each board, the number of its solutions, at most LIMIT; 0 stands for no limit. Its last line is
the seconds that it took for all boards. Reading the file and warming up may be left out of them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.common.commands import TimeLimitError, refuse
from enumerator.board import Board


class Outside(NamedTuple):
    """A program by path."""

    name: str
    path: Path

    @property
    def version(self) -> str:
        """The beginning of the hash of its file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]

    def run(self, boards: Sequence[Board], most: int = 0, timeout: float | None = None) -> tuple[list[int], float]:
        """Return the number of solutions of each board, at most `most`, and the seconds for all.

        Raise TimeLimitError after `timeout` seconds, and SystemExit if the program fails or prints
        something else.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "boards.txt")
            file.write_text("".join(f"{board}\n" for board in boards))
            try:
                done = subprocess.run(
                    [self.path, str(most), file], capture_output=True, text=True, timeout=timeout, check=False
                )
            except subprocess.TimeoutExpired:
                raise TimeLimitError from None
            except OSError as error:
                raise SystemExit(f"bench: {self.name}: {error.strerror}") from None
        if done.returncode:
            raise SystemExit(f"bench: {self.name} has failed with status {done.returncode}: {done.stderr[-1000:]}")
        try:
            *counts, seconds = done.stdout.split()
            found = [int(count) for count in counts], float(seconds)
        except ValueError:
            raise SystemExit(f"bench: {self.name} prints {done.stdout[:100]!r}, not numbers and seconds") from None
        if len(counts) != len(boards):
            raise SystemExit(f"bench: {self.name} prints {len(counts)} numbers for {len(boards)} boards")
        return found


def add_programs(parser: argparse.ArgumentParser) -> None:
    """Add the option --program, which may be given several times."""
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        type=_program,
        dest="outside",
        metavar="NAME=PATH",
        help="another program: `PATH LIMIT FILE` prints the number of solutions of each line of FILE, at most LIMIT"
        " (0: all), and the seconds; may be repeated",
    )


def check_names(programs: Sequence[Outside], taken: Sequence[str] = ()) -> None:
    """End the command if two programs have the same name."""
    names = sorted([*(program.name for program in programs), *taken])
    if same := [name for name, next_name in pairwise(names) if name == next_name]:
        refuse(f"two programs are called {same[0]}")


def _program(text: str) -> Outside:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        refuse(f"--program takes NAME=PATH, not {text!r}")
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        refuse(f"{path} is not a program")
    return Outside(name, Path(path).resolve())
