"""Where tasks run. Alone in importing joblib and loky; all others know `concurrent.futures.Executor`.

    threads      of this process: there at once, since the kernel lets go of the interpreter's lock
    processes    loky's reusable pool: worth its start when there is work for seconds

A cluster's client has an executor too (`Client.get_executor()`): it fits where `processes` does.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor  # which imports more than a short command has time for

Item = TypeVar("Item")
Result = TypeVar("Result")

Factory: TypeAlias = "Callable[[int], Executor]"
"""Makes an executor with so many workers."""

IDLE_SECONDS = 10
"""Processes without work end by themselves after so many seconds, also when their parent has been killed."""


def usable_cores() -> int:
    """The cores that this process may use, by affinity and by the limits of its container."""
    import loky

    return int(loky.cpu_count())


def processes(cores: int) -> Executor:
    """The pool of processes that loky keeps: the one there is, if it is whole and of that size."""
    import loky

    executor: Executor = loky.get_reusable_executor(max_workers=cores, timeout=IDLE_SECONDS)
    return executor


BACKENDS: dict[str, Factory | None] = {"loky": processes, "threads": None}


def kill(executor: Executor) -> None:
    """End an executor and its processes, whatever they are doing."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(ProcessLookupError):  # loky would ask `pgrep` for the children of each, one after the other
            os.kill(process.pid, signal.SIGKILL)
    try:
        executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]
    except TypeError:  # not loky's
        executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def unheard() -> Iterator[None]:
    """Processes started in here do not hear Ctrl-C, which a terminal sends to all: their parent does, and ends them.

    It is not lost on the parent either: it comes as soon as this is left.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def mapped(function: Callable[[Item], Result], items: Iterable[Item], cores: int) -> Iterator[Result]:
    """The results of all items, in their order, worked out by so many processes of joblib's.

    Items are taken as processes become free, in a thread of joblib's. If a process dies, so does this: BrokenExecutor.
    """
    import joblib

    # a share of the items in each message is the caller's matter: batch_size is 1
    parallel = joblib.Parallel(n_jobs=cores, return_as="generator", pre_dispatch=2 * cores, batch_size=1)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # "tasks which were still being processed have been cancelled": yes
        with unheard():
            results: Iterator[Result] = parallel(joblib.delayed(function)(item) for item in items)
        yield from results
