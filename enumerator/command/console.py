"""The exit status of the command, and how it speaks on standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    if sys.stderr is not None:
        try:
            print(f"enumerate: {message}", file=sys.stderr, flush=True)
        except OSError:  # nobody to tell; the exit status still does
            abandon(sys.stderr)


@contextmanager
def undisturbed() -> Iterator[list[int]]:
    """In here an interrupt is only noted, in what is given; it comes when this is left."""
    noted: list[int] = []
    before = {
        number: signal.signal(number, lambda heard, _: noted.append(heard))
        for number in (signal.SIGINT, signal.SIGTERM)
        if callable(signal.getsignal(number))
    }
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if noted:
            signal.raise_signal(noted[0])


def abandon(stream: TextIO) -> None:
    """Give up what a stream has not taken, so that the interpreter does not try again at its end."""
    with suppress(OSError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
