"""The exit status of the command, standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


class OutputError(Exception):
    """An answer cannot be written. Says why; without a message if the reader of a pipe has closed it."""


def complain(message: str) -> None:
    """Print a message on standard error. If that fails, the exit status must do."""
    if sys.stderr is not None:
        try:
            print(f"enumerate: {message}", file=sys.stderr, flush=True)
        except OSError:
            abandon(sys.stderr)


def ensure_standard_error() -> None:
    """Replace a closed standard error: libraries, and processes that they start, write to it without asking."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), 2)
        os.set_inheritable(2, True)


@contextmanager
def writing() -> Iterator[None]:
    """Write to standard output in this block. Raise OutputError if that fails."""
    try:
        yield
    except OSError as error:
        raise _output_error(error) from None


def _output_error(error: OSError) -> OutputError:
    is_closed = isinstance(error, BrokenPipeError)
    return OutputError("" if is_closed else f"standard output: {error.strerror or error}")


def write(text: str) -> None:
    """Write text to standard output; it may stay in a buffer. Raise OutputError."""
    with writing():
        sys.stdout.write(text)


def write_line(line: str) -> None:
    """Write a line to standard output, at once. Raise OutputError."""
    try:  # a context takes 1 µs, and there may be a million of boards
        print(line, flush=True)
    except OSError as error:
        raise _output_error(error) from None


def write_lines(lines: list[str]) -> None:
    """Write lines to standard output, at once. Raise OutputError."""
    if lines:
        write("\n".join([*lines, ""]))
    flush()


def flush() -> None:
    """Write to standard output what is still to be written. Raise OutputError."""
    with writing():
        sys.stdout.flush()


def abandon(stream: TextIO) -> None:
    """Drop what a stream has not written, so that the interpreter does not try again at its end."""
    with suppress(OSError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
