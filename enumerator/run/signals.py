"""Interrupts: deferred during steps that must complete, and blocked in worker processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN
from threading import current_thread, main_thread
from typing import Any

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end a run: Ctrl-C, a request to end, and a terminal that was closed."""


def handle_interrupts() -> None:
    """Raise KeyboardInterrupt at every interrupt. Signals that are ignored stay so, as after `nohup`."""
    for number in INTERRUPTS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Defer interrupts to the end of the block; yield the list of those received.

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
    """Block SIGINT and SIGHUP in processes that are started in this block. Defer them in this one.

    A terminal sends Ctrl-C to all processes of a command, and so it does SIGHUP when it is closed.
    Only this process handles them. It ends its workers, and the trackers remove their files.
    """
    with deferred_signals():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})  # inherited
        try:
            yield
        except RuntimeError as error:
            if is_thread_refused(error):  # loky and joblib need threads of their own
                raise OSError(EAGAIN, str(error)) from None
            raise
        except UnboundLocalError as error:  # a bug of loky, when it cleans up a process that did not start
            raise error.__context__ if isinstance(error.__context__, OSError) else error from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_thread_refused(error: RuntimeError) -> bool:
    """Return True if an error means that the system allows no more threads, or follows from that."""
    return str(error) in ("can't start new thread", "cannot join thread before it is started")


def ignore_signals() -> None:
    """Ignore interrupts from here on: the process is about to end."""
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
