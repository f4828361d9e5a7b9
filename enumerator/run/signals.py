"""Interrupts: deferred during steps that must complete, and blocked in worker processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Defer SIGINT and SIGTERM to the end of the block; yield the list of those received.

    Only the main thread receives signals. In another thread, and for signals that are ignored, this
    does nothing.
    """
    received: list[int] = []
    handlers: dict[int, Any] = {}
    if current_thread() is main_thread():
        for number in INTERRUPTS:
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda number, _: received.append(number))
    try:
        yield received
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
        if received:
            signal.raise_signal(received[0])


@contextmanager
def starting_processes() -> Iterator[None]:
    """Block SIGINT in processes that are started in this block. Defer it in this process meanwhile.

    A terminal sends Ctrl-C to all processes of a command. Only this process handles it, and it ends
    its workers.
    """
    with deferred_signals():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by the processes
        try:
            yield
        except UnboundLocalError as error:  # a bug of loky, when it cleans up a process that did not start
            raise error.__context__ if isinstance(error.__context__, OSError) else error from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_signals() -> None:
    """Ignore SIGINT and SIGTERM from here on: the process is about to end."""
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
