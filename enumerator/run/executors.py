"""Where tasks run. Alone in importing joblib and loky; all others know `concurrent.futures.Executor`.

    threads      of this process: there at once, since the kernel lets go of the interpreter's lock
    processes    loky's reusable pool: worth its start when there is work for seconds

A cluster, in cluster.py, is an executor too.
"""

from __future__ import annotations

import os
import re
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Thread, current_thread, main_thread
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from enumerator.engines import ready

if TYPE_CHECKING:
    from concurrent.futures import Executor  # which imports more than a short command has time for

Item = TypeVar("Item")
Result = TypeVar("Result")

Factory: TypeAlias = "Callable[[int], Executor]"
"""Makes an executor with so many workers."""

IDLE_SECONDS = 10
"""Processes without work end by themselves after so many seconds."""


def usable_cores() -> int:
    """The cores that this process may use, by affinity and by the limits of its container."""
    import loky

    try:
        return int(loky.cpu_count())
    except ValueError:  # of LOKY_MAX_CPU_COUNT
        return os.cpu_count() or 1


def cores_in_sight() -> int:
    """The cores that this process may use, as the system tells at once; a container may allow fewer."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(cores: int) -> Executor:
    """The pool of processes that loky keeps: the one there is, if it is whole and of that size. Raises OSError."""
    _check_room()
    import loky
    from loky.backend import resource_tracker

    _start_trackers(resource_tracker)
    executor: Executor = loky.get_reusable_executor(
        max_workers=cores, timeout=IDLE_SECONDS, initializer=die_with_parent, initargs=(os.getpid(),)
    )
    _kept["loky"] = executor
    return executor


ROOM = 512 * 2**20
"""With less memory to be addressed than this (`ulimit -v`), a thread of a pool may die for want of it, and nobody
would ever hear of its tasks again."""


def _check_room() -> None:
    import errno
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < ROOM:
        raise OSError(errno.ENOMEM, f"no more than {allowed >> 20} MB of memory may be addressed")


BACKENDS: dict[str, Factory | None] = {"loky": processes, "threads": None}

ANSWER_SECONDS = 20.0
"""After so long somebody of a mapping should have answered."""

_kept: dict[str, Executor] = {}
"""The pools that may be used again."""


@lru_cache
def die_with_parent(parent: int) -> None:
    """In a worker: see to it that it is gone a second after its parent, even if that was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    with suppress(RuntimeError):  # no thread to be had: then it ends when it has been idle for long enough
        Thread(target=watch, name="watching the parent", daemon=True).start()


def kill(executor: Executor) -> None:
    """End an executor and its processes, whatever they are doing."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(ProcessLookupError):  # loky would ask `pgrep` for the children of each, one after the other
            os.kill(process.pid, signal.SIGKILL)
    try:
        executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]
    except TypeError:  # not loky's
        executor.shutdown(wait=False, cancel_futures=True)


def is_gone(error: BaseException) -> bool:
    """Whether this is what becomes of tasks when their pool has died, or was shut down by somebody else."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "ShutdownExecutorError"


def cause(error: BaseException) -> str:
    """What a process died of, in brackets, if that is known: the signals that loky names."""
    signals = sorted(set(re.findall(r"\b(SIG[A-Z0-9]+)\(", str(error))))
    return f" ({', '.join(signals)})" if signals else ""


def dismiss() -> None:
    """End the pools that are kept for later: there will be no later."""
    for name, executor in list(_kept.items()):
        kill(executor)
        del _kept[name]


@contextmanager
def unheard() -> Iterator[None]:
    """Processes started in here do not hear Ctrl-C, which a terminal sends to all: their parent does, and ends them.

    Nor is this process interrupted in here, half-way through starting one. But nothing is lost: an interrupt comes as
    soon as this is left.
    """
    late: list[int] = []
    handlers: dict[int, Any] = {}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which the processes inherit
        if current_thread() is main_thread():  # other threads may still take it, and Python tells the main thread
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(signal.getsignal(number)):
                    handlers[number] = signal.signal(number, lambda number, _: late.append(number))
        yield
    except UnboundLocalError as error:  # loky's own, while it cleans up where it could not start a process
        raise error.__context__ if isinstance(error.__context__, OSError) else error from None
    finally:
        for heard, handler in handlers.items():
            signal.signal(heard, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if late:
            signal.raise_signal(late[0])


def _start_trackers(tracker: ModuleType) -> None:
    """Start the process that a library cleans up with now: it would make its starter hear Ctrl-C again."""
    from multiprocessing import resource_tracker

    for each in (resource_tracker, tracker):
        each.ensure_running()


class Maps(Protocol):
    """What maps a function over items, by others."""

    @property
    def up(self) -> bool: ...
    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]: ...
    def close(self) -> None: ...


class Mapping:
    """Processes of joblib's, that map a function over items."""

    def __init__(self, cores: int) -> None:
        """Start them; they come up a moment later. Raises OSError."""
        _check_room()
        self.cores = cores
        self._answered, self._asked = False, monotonic()
        self._greetings: Iterator[int] | None = self._map(ready, self._greet(), pre_dispatch=cores)

    def _greet(self) -> Iterator[float]:
        yield from [0.02] * self.cores
        self._answered = True  # one more is asked for: one has been answered

    @property
    def up(self) -> bool:
        """Whether one of them has answered, or should have: then `map` will find out what has become of it."""
        return self._answered or monotonic() - self._asked > ANSWER_SECONDS

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """The results of all items, in their order.

        Items are taken as processes become free, in a thread of joblib's. If a process dies, so does this:
        BrokenExecutor. The next call has new processes.
        """
        greetings, self._greetings = self._greetings, None
        for _ in greetings or ():
            pass
        results = self._map(function, items, pre_dispatch=2 * self.cores)
        try:
            for result in results:  # noqa: UP028 - `yield from` would end them in its own way
                yield result
        finally:
            _end(results)

    def close(self) -> None:
        """Have done with them. Those still to come up are waited for: ended before, they would not go quietly."""
        greetings, self._greetings = self._greetings, None
        with suppress(Exception):
            for _ in greetings or ():
                pass

    def _map(self, function: Callable[[Item], Result], items: Iterable[Item], pre_dispatch: int) -> Iterator[Result]:
        from multiprocessing import active_children

        import joblib
        from joblib.externals.loky import get_reusable_executor
        from joblib.externals.loky.backend import resource_tracker

        _start_trackers(resource_tracker)
        # how many items go in one message is the caller's matter: batch_size is 1
        parallel = joblib.Parallel(n_jobs=self.cores, return_as="generator", pre_dispatch=pre_dispatch, batch_size=1)
        parent, before = os.getpid(), active_children()
        calls = (joblib.delayed(_in_worker)(parent, function, item) for item in items)
        try:
            with unheard():
                results: Iterator[Result] = parallel(calls)
        except OSError:  # those that were started would say on standard output what they miss
            for process in active_children():
                if process not in before and process.pid:
                    os.kill(process.pid, signal.SIGKILL)
            raise
        _kept["joblib"] = get_reusable_executor(reuse=True)
        return results


def _end(results: Iterator[object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "tasks still being processed have been cancelled": so be it
        results.close()  # type: ignore[attr-defined]


def _in_worker(parent: int, function: Callable[[Item], Result], item: Item) -> Result:
    die_with_parent(parent)
    return function(item)
