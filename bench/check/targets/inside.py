"""Run the command inside this process, as a fuzzer needs it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from time import monotonic, sleep
from typing import IO

from enumerator.command.main import main
from enumerator.run.signals import INTERRUPTS

THREAD_SECONDS = 2
"""The time after a command within which its threads must end."""


def run_command(argv: list[str], typed: bytes) -> tuple[int, str, str]:
    """Run the command with `typed` on standard input; return its status and both outputs.

    Both outputs are files, since the command uses their descriptors. Signal handlers are restored.
    Threads and open files that the command leaves behind raise AssertionError.
    """
    open_files, threads = os.listdir("/proc/self/fd"), set(threading.enumerate())
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        TextIOWrapper(output, "utf-8", write_through=False) as out,
        TextIOWrapper(errors, "utf-8", errors="backslashreplace") as err,
    ):
        given.write(typed)
        given.seek(0)
        copies = os.dup(out.fileno()), os.dup(err.fileno())  # the command may close its own
        with handlers_restored(), standard_input(given), standard_streams(out, err):
            status = main(argv)
        with suppress(OSError, ValueError):
            out.flush()
        texts = [read_descriptor(descriptor) for descriptor in copies]
    deadline = monotonic() + THREAD_SECONDS
    while set(threading.enumerate()) - threads and monotonic() < deadline:
        sleep(0.01)
    assert set(threading.enumerate()) <= threads, "threads left behind"
    assert len(os.listdir("/proc/self/fd")) <= len(open_files), "files left open"
    return status, texts[0], texts[1]


@contextmanager
def handlers_restored() -> Iterator[None]:
    """Restore the handlers of interrupts after the block."""
    handlers = {number: signal.getsignal(number) for number in INTERRUPTS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def standard_input(file: IO[bytes]) -> Iterator[None]:
    """Have a file as descriptor 0 within the block."""
    is_open = True
    try:
        before = os.dup(0)
    except OSError:
        is_open = False
    os.dup2(file.fileno(), 0)
    try:
        yield
    finally:
        if is_open:
            os.dup2(before, 0)
            os.close(before)


@contextmanager
def standard_streams(out: TextIOWrapper, err: TextIOWrapper) -> Iterator[None]:
    """Have these as sys.stdout and sys.stderr within the block."""
    real = sys.stdout, sys.stderr
    try:
        sys.stdout, sys.stderr = out, err
        yield
    finally:
        sys.stdout, sys.stderr = real


def read_descriptor(descriptor: int) -> str:
    with open(descriptor, "rb") as file:
        file.seek(0)
        return file.read().decode()
