"""Solutions as lines, JSON or grids, and the file that they are written to."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from enumerator.board import Shape
from enumerator.board.wording import printable
from enumerator.board.writing import as_grid
from enumerator.command.console import OutputError
from enumerator.questions.listing import LineSink
from enumerator.questions.solutions import to_boards
from enumerator.run.output import Output, OutputLostError, ReaderGoneError


class UnusableOutputError(Exception):
    """A file that solutions cannot be written to. Says why."""


@contextmanager
def open_output(options: argparse.Namespace) -> Iterator[Output]:
    """Open the file that the options name. Raise UnusableOutputError, or OutputError if writing fails."""
    _check_paths(options)
    try:
        output = Output(options.output, options.cores, deferred=options.checkpoint is not None)
    except OSError as error:
        name = printable(options.output or "standard output")
        raise UnusableOutputError(f"{name}: {error.strerror or error}") from None
    try:
        with output:
            yield output
    except ReaderGoneError:
        raise OutputError from None
    except OutputLostError as error:
        raise OutputError(str(error)) from None


def _check_paths(options: argparse.Namespace) -> None:
    """Raise UnusableOutputError if the output is one of the files that are read."""
    for name in options.boards:
        if _is_same_file(name, options.output):  # that might never end
            raise UnusableOutputError(f"{printable(name)}: cannot be read and written to at the same time")
    ledger, output = options.checkpoint, options.output
    if ledger is None or output is None:
        return
    if _is_same_path(ledger, output) or _is_same_file(ledger, output):
        raise UnusableOutputError(f"{printable(output)}: cannot be the ledger and the solutions at the same time")


def _is_same_path(one: str, other: str) -> bool:
    """Tell if two names are those of one file, which may not exist yet."""
    with suppress(OSError):  # the current folder was removed
        return os.path.realpath(one) == os.path.realpath(other)
    return False


def _is_same_file(name: str, output: str | None) -> bool:
    """Tell if a file that is read is the one that is written to. A terminal may be both."""
    with suppress(OSError, ValueError):
        read, written = os.stat(0 if name == "-" else name), os.stat(output or sys.stdout.fileno())
        return os.path.samestat(read, written) and (output is not None or stat.S_ISREG(written.st_mode))
    return False


class JsonSink(LineSink):
    """Writes solutions as JSON objects, one a line."""

    form = "json"

    def __init__(self, output: Output, shape: Shape, facts: dict[str, object]) -> None:
        """Every object has these facts before its solution."""
        import json

        super().__init__(output, shape)
        before, _, behind = json.dumps({**facts, "solution": "|"}).rpartition("|")
        self._before, self._behind = before.encode(), f"{behind}\n".encode()

    def write(self, lines: bytes | bytearray) -> int:
        solutions = bytes(lines).split()
        text = b"".join(self._before + solution + self._behind for solution in solutions)
        return self.output.write(text, len(solutions))


class GridSink(LineSink):
    """Writes solutions as grids, with an empty line between two of them."""

    form = "grids"

    def write(self, lines: bytes | bytearray) -> int:
        written = 0
        for board in to_boards(self.shape, [lines]):
            gap = "\n" if self.output.solutions else ""
            written += self.output.write(f"{gap}{as_grid(board)}\n".encode(), 1)
        return written
