"""Interrupts: postponed while a lock is held or in the middle of a step, deferred, blocked in workers.

Python raises KeyboardInterrupt between any two steps of the main thread, also inside `threading`, between
the moment in which a lock is taken and the one from which it will be released. Another thread then waits
for that lock forever, and so does a thread that joins it. `raise_interrupt` sees where it would raise, and
tries again a moment later if that is in a module that holds locks, or in a function that is `one_step`.
"""

from __future__ import annotations

import _thread
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN
from functools import wraps
from threading import current_thread, main_thread
from time import sleep
from types import CodeType, FrameType
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Item = TypeVar("Item")
Result = TypeVar("Result")

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end a run: Ctrl-C, a request to end, and a terminal that was closed."""

LOCKING_MODULES = frozenset({"threading", "queue", "concurrent.futures._base", "concurrent.futures.thread"})
"""Modules in which an interrupt may leave a lock that is held."""

TAKING_A_LOCK = frozenset({"__enter__", "acquire", "submit"})
"""Functions of these modules that return with a lock that is held, or with work that has started."""

MOST_CALLS = 6
"""The calls between a function that is `one_step` and the one that runs."""

POSTPONED_SECONDS = 0.001
"""The time after which a postponed interrupt is tried again."""

_one_step: set[CodeType] = set()
"""The code of the functions that are `one_step`."""

_postponed_at: list[tuple[FrameType, int]] = []
"""The frame in which an interrupt was postponed last, and the position in its code; empty if none is postponed."""


def handle_interrupts() -> None:
    """Raise KeyboardInterrupt at every interrupt. Signals that are ignored stay so, as after `nohup`."""
    for number in INTERRUPTS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, raise_interrupt)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in this block where no lock is left held: for callers from Python.

    A handler of the caller's own is left alone.
    """
    is_ours = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_ours:
        signal.signal(signal.SIGINT, raise_interrupt)
    try:
        yield
    finally:
        if is_ours and signal.getsignal(signal.SIGINT) is raise_interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def interruptibly(
    generate: Callable[Arguments, Generator[Item, None, Result]],
) -> Callable[Arguments, Generator[Item, None, Result]]:
    """Let all steps of a generator be `interruptible`, and what its caller does between two of them."""

    @wraps(generate)
    def wrapped(*arguments: Arguments.args, **named: Arguments.kwargs) -> Generator[Item, None, Result]:
        with interruptible():
            return (yield from generate(*arguments, **named))

    return wrapped


def one_step(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let a function be interrupted where it waits for something, and otherwise only before or after it."""
    _one_step.add(function.__code__)
    return function


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; or send the signal again a moment later, if something would be left half done."""
    if frame is None or not _is_too_early(frame) or not _send_later(number):
        _postponed_at.clear()
        raise KeyboardInterrupt


def _is_too_early(frame: FrameType) -> bool:
    """Return True if an interrupt in this frame may leave a lock held, or a step half done.

    A frame that has not moved since the last try waits for something, which may take forever. That is no
    lock that it takes for itself, unless its function is one of TAKING_A_LOCK.
    """
    if frame.f_globals.get("__name__") not in LOCKING_MODULES and not _is_in_a_step(frame):
        return False
    place = (frame, frame.f_lasti)
    is_waiting = place in _postponed_at and frame.f_code.co_name not in TAKING_A_LOCK
    _postponed_at[:] = [] if is_waiting else [place]
    return not is_waiting


def _is_in_a_step(frame: FrameType | None) -> bool:
    """Return True if a frame is of a function that is `one_step`, or was called by one."""
    for _ in range(MOST_CALLS):
        if frame is None:
            return False
        if frame.f_code in _one_step:
            return True
        frame = frame.f_back
    return False


def _send_later(number: int) -> bool:
    """Send a signal to the main thread a moment later; return False if no thread can be started for that.

    The thread is started without `threading`, in whose locks this thread may be.
    """

    def send() -> None:
        sleep(POSTPONED_SECONDS)
        with suppress(OSError, AttributeError):  # the process is about to end
            signal.pthread_kill(main_thread().ident or 0, number)

    try:
        _thread.start_new_thread(send, ())
    except RuntimeError:
        return False
    return True


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
