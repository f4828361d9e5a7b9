"""Solutions as lines, JSON or grids, and the file that they are written to."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.board.phrases import printable
from enumerator.board.writing import draw_symbols
from enumerator.command.console import OutputError
from enumerator.questions.listing import LineSink
from enumerator.run.solution_file import Output, OutputLostError, ReaderGoneError

if TYPE_CHECKING:
    from enumerator.command.terminal import SolutionDrawing


class UnusableOutputError(Exception):
    """Solutions cannot be written to a file. The message says why."""


@contextmanager
def open_output(options: argparse.Namespace) -> Iterator[Output]:
    """Open the file that the options name.

    Raise UnusableOutputError if it cannot be opened, and OutputError if writing fails.
    """
    _check_paths(options)
    try:
        output = Output(options.output, options.cores, deferred=options.checkpoint is not None)
    except ValueError as error:
        raise UnusableOutputError(str(error)) from None
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
        if _is_same_file(name, options.output):  # reading its own output, the command might never end
            raise UnusableOutputError(f"{printable(name)}: cannot be read and written to at the same time")
    ledger, output = options.checkpoint, options.output
    if ledger is None or output is None:
        return
    if _is_same_path(ledger, output) or _is_same_file(ledger, output):
        raise UnusableOutputError(f"{printable(output)}: cannot be the ledger and the solutions at the same time")


def _is_same_path(one: str, other: str) -> bool:
    """Return True if two names mean the same file, which need not exist."""
    with suppress(OSError):  # the current folder was removed
        return os.path.realpath(one) == os.path.realpath(other)
    return False


def _is_same_file(name: str, output: str | None) -> bool:
    """Return True if a file to be read is the one to be written. A terminal may be both."""
    with suppress(OSError, ValueError):
        read, written = os.stat(0 if name == "-" else name), os.stat(output or sys.stdout.fileno())
        return os.path.samestat(read, written) and (output is not None or stat.S_ISREG(written.st_mode))
    return False


class JsonSink(LineSink):
    """A sink that writes solutions as JSON objects, one per line."""

    form = "json"

    def __init__(self, output: Output, shape: Shape, facts: dict[str, object]) -> None:
        """Prepare to write objects that begin with `facts` and end with a solution."""
        import json

        super().__init__(output, shape)
        before, _, behind = json.dumps({**facts, "solution": "|"}).rpartition("|")
        self._before, self._behind = before.encode(), f"{behind}\n".encode()

    def write(self, lines: bytes | bytearray) -> int:
        solutions = bytes(lines).split()
        text = b"".join(self._before + solution + self._behind for solution in solutions)
        return self.output.write(text, len(solutions))


class GridSink(LineSink):
    """A sink that writes solutions as grids, each below its number, with an empty line between two.

    A number is a line that begins with `#`, which is a comment where boards are read.
    """

    def __init__(self, output: Output, board: Board, first: int = 0, prefix: str = "#", ascii: bool = False) -> None:  # noqa: A002
        """Prepare to write grids with the numbers from `first` on. `prefix` stands before a number."""
        super().__init__(output, board.shape)
        self.form = "numbered grids in ASCII" if ascii else "numbered grids"
        self._prefix, self._ascii = prefix, ascii
        self._offset = first - output.solutions  # `resume` adds the solutions of earlier runs of this board

    def write(self, lines: bytes | bytearray) -> int:
        written, text, cells = 0, lines.decode(), self.shape.cells
        for place in range(0, len(text), cells + 1):
            number = self.output.solutions + self._offset
            grid = self.draw(f"{self._prefix}{number}", text[place : place + cells])
            gap = "\n" if self.output.solutions else ""
            written += self.output.write(f"{gap}{grid}\n".encode(), 1)
        return written

    def draw(self, heading: str, symbols: str) -> str:
        """Return the grid of a solution, with its heading."""
        return f"{heading}\n{draw_symbols(self.shape, symbols, self._ascii)}"


class TerminalSink(GridSink):
    """A sink that draws solutions on a terminal, as boards are drawn. It cannot be resumed."""

    def __init__(
        self, output: Output, source: str, drawing: SolutionDrawing, first: int = 0, prefix: str = "#"
    ) -> None:
        super().__init__(output, drawing.board, first, prefix)
        self._source, self._drawing = source, drawing

    def draw(self, heading: str, symbols: str) -> str:
        return self._drawing.draw(heading, self._source, symbols)
