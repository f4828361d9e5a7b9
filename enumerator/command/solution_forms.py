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
from enumerator.board.writing import draw_symbols
from enumerator.command.console import OutputError
from enumerator.questions.listing import LineSink
from enumerator.run.solution_file import Output, OutputLostError, ReaderGoneError
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.command.terminal import SolutionDrawing


class UnusableOutputError(Exception):
    """Solutions cannot be written to a file. The message says why."""


@contextmanager
def open_output(options: argparse.Namespace, noun: str) -> Iterator[Output]:
    """Open the file that the options name. `noun` is what is written to it: a solution or a puzzle.

    Raise UnusableOutputError if it cannot be opened, and OutputError if writing fails.
    """
    _check_paths(options)
    try:
        output = Output(options.output, options.cores, deferred=options.checkpoint is not None, noun=noun)
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
        before, _, after = json.dumps({**facts, "solution": "|"}).rpartition("|")
        self._before, self._after = before.encode(), f"{after}\n".encode()

    def write(self, lines: bytes | bytearray) -> int:
        between = self._after + self._before
        text = b"".join([self._before, lines[:-1].replace(b"\n", between), self._after])
        return self.output.write(text, len(lines) // (self.shape.cells + 1))


class GridSink(LineSink):
    """A sink that writes solutions as grids, each below its number, with an empty line between two.

    A number is a line that begins with `#`, which is a comment where boards are read.
    """

    grids_a_write = 1_000
    """The most grids that are written at a time: about 0.7 MB of a 9×9 board, so that they stay in the cache."""

    def __init__(self, output: Output, board: Board, first: int = 0, prefix: str = "#", ascii: bool = False) -> None:  # noqa: A002
        """Prepare to write grids with the numbers from `first` on. `prefix` stands before a number."""
        super().__init__(output, board.shape)
        self.form = "numbered grids in ASCII" if ascii else "numbered grids"
        self._prefix, self._ascii = prefix, ascii
        self.suffix = ""
        """What stands after the numbers of the next grids."""
        self._offset = first - output.solutions  # `resume` adds the solutions of earlier runs of this board

    def write(self, lines: bytes | bytearray) -> int:
        written, place, line = 0, 0, self.shape.cells + 1
        while place < len(lines):
            number, gap = self.output.solutions + self._offset, b"\n" if self.output.solutions else b""
            same_length = 10 ** len(str(number)) - number  # as `Output.write` needs it
            some = lines[place : place + line * (min(same_length, self.grids_a_write) if gap else 1)]
            place += len(some)
            written += self.output.write(self.draw(number, some, gap), len(some) // line)
        return written

    def draw(self, first: int, lines: bytes | bytearray, gap: bytes) -> bytes | bytearray:
        """Return the grids of some lines, each after `gap`. Their numbers, from `first` on, have equal length.

        One grid is repeated, and each of its cells filled in all copies at once: 0.4 µs a grid. Drawn
        and written one by one, they took 37 µs each.
        """
        line, grids = self.shape.cells + 1, len(lines) // (self.shape.cells + 1)
        numbers = "".join(map(str, range(first, first + grids))).encode()
        heading = gap + self._prefix.encode()
        digits = len(numbers) // grids
        grid = draw_symbols(self.shape, "\0" * self.shape.cells, self._ascii).encode()
        one = b"%b%b%b\n%b\n" % (heading, bytes(digits), self.suffix.encode(), grid)
        text, size = bytearray(one * grids), len(one)
        places = [place for place, byte in enumerate(one) if not byte]  # of digits, then of cells
        for digit, place in enumerate(places[:digits]):
            text[place::size] = numbers[digit::digits]
        for cell, place in enumerate(places[digits:]):
            text[place::size] = lines[cell::line]
        return text


class TerminalSink(GridSink):
    """A sink that draws solutions on a terminal, as boards are drawn. It cannot be resumed."""

    grids_a_write = 1

    def __init__(
        self, output: Output, source: str, drawing: SolutionDrawing, first: int = 0, prefix: str = "#"
    ) -> None:
        super().__init__(output, drawing.board, first, prefix)
        self._source, self._drawing = source, drawing

    def draw(self, first: int, lines: bytes | bytearray, gap: bytes) -> bytes:
        text = self._drawing.draw(f"{self._prefix}{first}", self._source, lines.decode().rstrip())
        return b"%b%b\n" % (gap, text.encode())
