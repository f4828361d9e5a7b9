"""The exit status of the command, standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN
from typing import TextIO

from enumerator.text.phrases import printable

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


class OutputError(Exception):
    """An answer cannot be written. The message says why; it is empty if the reader has closed a pipe."""


def complain(message: str) -> None:
    """Print a message to standard error. If that fails, only the exit status reports the problem."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"enumerate: {message}\n")  # one write, as several threads may complain
            sys.stderr.flush()
        except OSError:
            abandon(sys.stderr)


class RemarkPrinter:
    """A printer of remarks on boards. It prints each remark once, with the first board it is about."""

    def __init__(self) -> None:
        self._printed: set[str] = set()

    def print(self, name: str, remarks: tuple[str, ...]) -> None:
        for remark in remarks:
            if remark not in self._printed:
                self._printed.add(remark)
                complain(f"{printable(name)}: {remark}")


def ensure_standard_error() -> None:
    """Replace a closed standard error by /dev/null. Libraries and their processes write to it unchecked."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), 2)
        os.set_inheritable(2, True)


@contextmanager
def writing() -> Iterator[None]:
    """Turn an OSError in this block, which writes to standard output, into an OutputError."""
    try:
        yield
    except OSError as error:
        raise _output_error(error) from None


def _output_error(error: OSError) -> OutputError:
    is_closed = isinstance(error, BrokenPipeError)
    return OutputError("" if is_closed else f"standard output: {error.strerror or error}")


def write(text: str) -> None:
    """Write text to standard output without flushing it. Raise OutputError on failure."""
    with writing():
        sys.stdout.write(text)


def write_bytes(text: bytes | bytearray) -> None:
    """Write text that is encoded to standard output without flushing it. Raise OutputError on failure."""
    with writing():
        sys.stdout.flush()  # what was written before comes first
        rest = memoryview(text)
        while rest:  # with PYTHONUNBUFFERED, one call may write a part, as at the end of a full disk
            written = sys.stdout.buffer.write(rest)
            if not written:
                raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))
            rest = rest[written:]


def write_line(line: str) -> None:
    """Write a line to standard output and flush it. Raise OutputError on failure."""
    try:  # `writing` would take 1 µs, and there may be a million boards
        print(line, flush=True)
    except OSError as error:
        raise _output_error(error) from None


def write_lines(lines: list[str]) -> None:
    """Write lines to standard output and flush them. Raise OutputError on failure."""
    if lines:
        write("\n".join([*lines, ""]))
    flush()


def flush() -> None:
    """Flush standard output. Raise OutputError on failure."""
    with writing():
        sys.stdout.flush()


def write_at_once(text: str = "") -> None:
    """Write text, and what was not flushed, as far as that is possible without waiting for a reader."""
    with suppress(OSError, ValueError):
        number = sys.stdout.fileno()
        is_blocking = os.get_blocking(number)
        os.set_blocking(number, False)
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        finally:
            os.set_blocking(number, is_blocking)


def abandon(stream: TextIO) -> None:
    """Discard the buffer of a stream, so that the interpreter does not write it at exit."""
    with suppress(OSError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
