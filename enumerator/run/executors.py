"""Threads and processes. Alone in importing joblib and loky; all others know `concurrent.futures.Executor`.

    threads      of this process: there at once, since the kernels release the interpreter's lock
    processes    loky's reusable pool: worth its start when there is work for seconds
    joblib       maps a function over many items, for batches

A cluster, in cluster.py, is an executor too.
"""

from __future__ import annotations

import os
import re
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from threading import Thread
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from enumerator.run.signals import starting_processes

if TYPE_CHECKING:
    from concurrent.futures import Executor  # which imports more than a short command has time for

Item = TypeVar("Item")
Result = TypeVar("Result")

ProcessFactory: TypeAlias = "Callable[[int], Executor]"
"""Makes an executor with a number of workers."""

IDLE_SECONDS = 10
"""Processes without work end by themselves after this time."""

MIN_ADDRESS_SPACE = 512 * 2**20
"""With less memory to be addressed (`ulimit -v`), a thread of a pool may die, and its tasks are never heard of."""

ANSWER_SECONDS = 20.0
"""After this time a process of a mapper should have answered."""

_kept_pools: dict[str, Executor] = {}
"""The pools that may be used again."""


def usable_cores() -> int:
    """Return the number of cores that this process may use, by affinity and by the limits of its container."""
    import loky

    try:
        return int(loky.cpu_count())
    except ValueError:  # of LOKY_MAX_CPU_COUNT
        return os.cpu_count() or 1


def visible_cores() -> int:
    """Return the number of cores as the system tells at once; a container may allow fewer."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_processes(cores: int) -> Executor:
    """Return loky's reusable pool: the one there is, if it is whole and of that size. Raise OSError."""
    _check_address_space()
    import loky
    from loky.backend import resource_tracker

    _start_trackers(resource_tracker)
    executor: Executor = loky.get_reusable_executor(
        max_workers=cores, timeout=IDLE_SECONDS, initializer=die_with_parent, initargs=(os.getpid(),)
    )
    keep_pool("loky", executor)
    return executor


BACKENDS: dict[str, ProcessFactory | None] = {"loky": start_processes, "threads": None}


def say_ready(pause: float) -> int:
    """Return the number of the process that answers, after a pause in which it answers nothing else."""
    sleep(pause)
    return os.getpid()


@lru_cache
def die_with_parent(parent: int) -> None:
    """End this worker within a second of its parent, even if that was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    with suppress(RuntimeError):  # no thread to be had: then it ends when it has been idle for long enough
        Thread(target=watch, name="watching the parent", daemon=True).start()


def kill_executor(executor: Executor) -> None:
    """End an executor and its processes, whatever they are doing."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(ProcessLookupError):  # loky would ask `pgrep` for the children of each, one after the other
            os.kill(process.pid, signal.SIGKILL)
    try:
        executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]
    except TypeError:  # not loky's
        executor.shutdown(wait=False, cancel_futures=True)


def is_pool_gone(error: BaseException) -> bool:
    """Tell if an error is that of a task whose pool has died, or was shut down by another caller."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "ShutdownExecutorError"


def cause_of_death(error: BaseException) -> str:
    """Return the signals that a process died of, in brackets, if loky names them."""
    signals = sorted(set(re.findall(r"\b(SIG[A-Z0-9]+)\(", str(error))))
    return f" ({', '.join(signals)})" if signals else ""


def keep_pool(name: str, executor: Executor) -> None:
    """Remember a pool that may be used again, until `shut_down_pools`."""
    _kept_pools[name] = executor


def kept_pool(name: str) -> Executor | None:
    """Return the pool that is kept under a name."""
    return _kept_pools.get(name)


def shut_down_pools() -> None:
    """End the pools that are kept for later."""
    for name, executor in list(_kept_pools.items()):
        kill_executor(executor)
        del _kept_pools[name]


def _check_address_space() -> None:
    import errno
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < MIN_ADDRESS_SPACE:
        raise OSError(errno.ENOMEM, f"no more than {allowed >> 20} MB of memory may be addressed")


def _start_trackers(tracker: ModuleType) -> None:
    """Start the process that a library cleans up with now: later, it would make its starter hear Ctrl-C again."""
    from multiprocessing import resource_tracker

    for each in (resource_tracker, tracker):
        each.ensure_running()


# ------------------------------------------------------------------------------------------------ mappers


class Mapper(Protocol):
    """Maps a function over items in other processes, and returns the results in order."""

    @property
    def up(self) -> bool:
        """Tell if a worker has answered."""
        ...

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]: ...
    def close(self) -> None: ...


class JoblibMapper:
    """Processes of joblib's, that map a function over items."""

    def __init__(self, cores: int) -> None:
        """Start the processes; they come up a moment later. Raise OSError."""
        _check_address_space()
        self.cores = cores
        self._answered, self._asked = False, monotonic()
        self._greetings: Iterator[int] | None = self._map(say_ready, self._greet(), pre_dispatch=cores)

    def _greet(self) -> Iterator[float]:
        yield from [0.02] * self.cores
        self._answered = True  # one more is asked for: one has been answered

    @property
    def up(self) -> bool:
        """Tell if a process has answered, or should have: then `map` finds out what has become of it."""
        return self._answered or monotonic() - self._asked > ANSWER_SECONDS

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """Yield the results of all items, in their order.

        Items are taken as processes become free, in a thread of joblib's. If a process dies, this raises
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
            _close_results(results)

    def close(self) -> None:
        """Let go of the processes. Those still to come up are waited for: ended before, they would complain."""
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
        # the caller decides how many items go into one message: batch_size is 1
        parallel = joblib.Parallel(n_jobs=self.cores, return_as="generator", pre_dispatch=pre_dispatch, batch_size=1)
        parent, before = os.getpid(), active_children()
        calls = (joblib.delayed(_call_in_worker)(parent, function, item) for item in items)
        try:
            with starting_processes():
                results: Iterator[Result] = parallel(calls)
        except OSError:  # those that were started would say on standard output what they miss
            for process in active_children():
                if process not in before and process.pid:
                    os.kill(process.pid, signal.SIGKILL)
            raise
        keep_pool("joblib", get_reusable_executor(reuse=True))
        return results


def _close_results(results: Iterator[object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "tasks still being processed have been cancelled"
        results.close()  # type: ignore[attr-defined]


def _call_in_worker(parent: int, function: Callable[[Item], Result], item: Item) -> Result:
    die_with_parent(parent)
    return function(item)
