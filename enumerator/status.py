"""The exit status of the command, and how it speaks on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    if sys.stderr is not None:
        try:
            print(f"enumerate: {message}", file=sys.stderr, flush=True)
        except OSError:  # nobody to tell; the exit status still does
            abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Give up what a stream has not taken, so that the interpreter does not try again at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
