"""Threads and processes. Only this module imports joblib and loky; others use `Executor`.

    threads      threads of this process. They start at once, and the kernels release the GIL
    processes    loky's reusable pool. Its start pays off if there are seconds of work
    joblib       a map of a function over many items, for batches

A cluster, in cluster.py, is also an `Executor` of `concurrent.futures`.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN, ENOMEM
from functools import lru_cache
from math import ceil, inf
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from enumerator.run.signals import is_thread_refused, starting_processes

if TYPE_CHECKING:
    from concurrent.futures import Executor  # not at run time: its imports would slow down short commands

Item = TypeVar("Item")
Result = TypeVar("Result")

ProcessFactory: TypeAlias = "Callable[[int], Executor]"
"""A function that makes an executor with a given number of workers."""

IDLE_SECONDS = 10
"""The time after which an idle process ends by itself."""

MIN_ADDRESS_SPACE = 512 * 2**20
"""The least address space (`ulimit -v`) for a pool, in bytes.

With less, a thread of a pool may die, and its tasks then never end.
"""

POOL_THREADS, WORKER_THREADS = 8, 6
"""The processes and threads that a pool and each of its workers need.

With less, a thread of a pool may not start, and its tasks then never end. A pool has two trackers and
up to four threads. A worker is a process with a thread that watches its parent, and those of numpy.
"""

PLENTY_OF_THREADS = 4_096
"""The limit of processes and threads from which those that exist are not counted, as that takes long."""

ANSWER_SECONDS = 20.0
"""The time after which a mapper stops waiting for its first process to answer."""

TRACKER_FILTER = "ignore:resource_tracker:UserWarning"
"""The filter for "resource_tracker: There appear to be 7 leaked semlock objects" and the like."""

_kept_pools: dict[str, Executor] = {}
"""The pools that may be reused, by name."""


def usable_cores() -> int:
    """Return the number of cores that this process may use: as `loky.cpu_count`, without importing loky.

    That takes 45 ms, as long as 20,000 puzzles. The limits are the affinity of the process, the
    processor time of its container, and LOKY_MAX_CPU_COUNT.
    """
    limits = [visible_cores(), container_cores() or inf]
    with suppress(KeyError, ValueError):
        limits.append(int(os.environ["LOKY_MAX_CPU_COUNT"]))
    return max(1, int(min(limits)))


def container_cores(root: str = "/sys/fs/cgroup") -> int | None:
    """Return the number of cores whose time a container may use, rounded up; None if it has no limit.

    Version 2 of control groups has the quota and the period in one file, version 1 in two.
    """
    for names in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):
        with suppress(OSError, ValueError):
            words: list[str] = []
            for name in names:
                with open(os.path.join(root, name)) as file:
                    words += file.read().split()
            quota, period = map(int, words)
            return ceil(quota / period) if quota > 0 and period > 0 else None
    return None


def visible_cores() -> int:
    """Return the number of cores that the system reports. Fast; a container may allow fewer."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_processes(cores: int) -> Executor:
    """Return loky's reusable pool, with `cores` workers. An intact pool of that size is reused.

    Raise OSError if processes cannot be started.
    """
    check_limits(cores)
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
    """Return the id of this process after a pause, in which it can answer nothing else."""
    sleep(pause)
    return os.getpid()


@lru_cache
def die_with_parent(parent: int) -> None:
    """End this worker within a second of its parent's end, even if the parent was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    with suppress(RuntimeError):  # no thread can be started: then it ends after IDLE_SECONDS
        threading.Thread(target=watch, name="watching the parent", daemon=True).start()


def kill_executor(executor: Executor) -> None:
    """Shut down an executor and kill its processes, even if they are busy."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(ProcessLookupError):  # loky would call `pgrep` for the children of each, one by one
            os.kill(process.pid, signal.SIGKILL)
    try:
        executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]
    except TypeError:  # not loky's
        executor.shutdown(wait=False, cancel_futures=True)
    except RuntimeError as error:
        if not is_thread_refused(error):  # otherwise its threads were never started
            raise


def is_pool_gone(error: BaseException) -> bool:
    """Return True if `error` means that a pool has died or was shut down by another caller."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "ShutdownExecutorError"


def cause_of_death(error: BaseException) -> str:
    """Return the signals that killed a process, in brackets; empty if loky names none."""
    signals = sorted(set(re.findall(r"\b(SIG[A-Z0-9]+)\(", str(error))))
    return f" ({', '.join(signals)})" if signals else ""


def keep_pool(name: str, executor: Executor) -> None:
    """Keep a pool for reuse under a name, until `shut_down_pools`."""
    _kept_pools[name] = executor


def shut_down_pools() -> None:
    """Shut down the pools that are kept for reuse."""
    for name, executor in list(_kept_pools.items()):
        kill_executor(executor)
        del _kept_pools[name]


def check_limits(cores: int) -> None:
    """Raise OSError if this process has no room for a pool of `cores` workers."""
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < MIN_ADDRESS_SPACE:
        raise OSError(ENOMEM, f"no more than {allowed >> 20} MB of memory may be addressed")
    if (room := room_for_threads()) < POOL_THREADS + WORKER_THREADS * cores:
        raise OSError(EAGAIN, f"no more than {room:.0f} further processes and threads are allowed")


def room_for_threads() -> float:
    """Return the number of processes and threads that may still be started; inf if that is plenty.

    The limits are that of the user (`ulimit -u`), from which root is exempt, and that of a container.
    """
    import resource

    room, (allowed, _) = inf, resource.getrlimit(resource.RLIMIT_NPROC)
    if os.getuid() and allowed != resource.RLIM_INFINITY and allowed < PLENTY_OF_THREADS:
        room = max(0, allowed - count_own_threads())
    with suppress(OSError, ValueError):  # no container, or no limit
        limits = []
        for name in ("max", "current"):
            with open(f"/sys/fs/cgroup/pids.{name}") as file:
                limits.append(int(file.read()))
        room = min(room, max(0, limits[0] - limits[1]))
    return room


def count_own_threads() -> int:
    """Return the number of threads of all processes of this user; 0 if the system does not tell."""
    threads, user = 0, os.getuid()
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            with suppress(OSError):  # it is gone by now
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    threads += os.stat(f"{entry.path}/task").st_nlink - 2  # as a folder has . and ..
    return threads


def _start_trackers(tracker: ModuleType) -> None:
    """Start the resource trackers of loky and multiprocessing now.

    Started later, a tracker would unblock SIGINT in the process that starts it.
    """
    from multiprocessing import resource_tracker

    ignore_errors_of_killed_pools()
    with starting_processes(), quiet_trackers():
        for each in (resource_tracker, tracker):
            each.ensure_running()


@lru_cache
def ignore_errors_of_killed_pools() -> None:
    """Let the thread of a pool that is killed end without a traceback.

    loky drops the tasks that wait, and may then look for one of them: a KeyError that nobody can mend.
    """
    usual = threading.excepthook

    def hear(raised: threading.ExceptHookArgs) -> None:
        flags = getattr(raised.thread, "executor_flags", None)
        if not (raised.exc_type is KeyError and getattr(flags, "kill_workers", False)):
            usual(raised)

    threading.excepthook = hear


@contextmanager
def quiet_trackers() -> Iterator[None]:
    """Let a tracker that is started in this block remove the semaphores of a killed process without a warning.

    A tracker is a Python process, and reads the filters of its warnings from the environment.
    """
    name, filters = "PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS")
    os.environ[name] = f"{filters},{TRACKER_FILTER}" if filters else TRACKER_FILTER
    try:
        yield
    finally:
        if filters is None:
            del os.environ[name]
        else:
            os.environ[name] = filters


# ------------------------------------------------------------------------------------------------ mappers


class Mapper(Protocol):
    """A map of a function over items in other processes, with its results in order."""

    @property
    def up(self) -> bool:
        """True if a worker has answered."""
        ...

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]: ...
    def close(self) -> None: ...


class JoblibMapper:
    """A mapper that uses the processes of joblib."""

    def __init__(self, cores: int) -> None:
        """Start the processes without waiting for them. Raise OSError if they cannot be started."""
        check_limits(cores)
        self.cores = cores
        self._answered, self._asked = False, monotonic()
        self._greetings: Iterator[int] | None = self._map(say_ready, self._greet(), pre_dispatch=cores)

    def _greet(self) -> Iterator[float]:
        yield from [0.02] * self.cores
        self._answered = True  # joblib requests another item only after a process has answered

    @property
    def up(self) -> bool:
        """True if a process has answered, or ANSWER_SECONDS have passed.

        In the second case `map` reports why none has answered.
        """
        return self._answered or monotonic() - self._asked > ANSWER_SECONDS

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """Yield the results of all items, in their order.

        A thread of joblib takes items as processes become free. Raise BrokenExecutor if a process
        dies. The next call has new processes.
        """
        greetings, self._greetings = self._greetings, None
        for _ in greetings or ():
            pass
        results = self._map(function, items, pre_dispatch=2 * self.cores)
        try:
            for result in results:  # noqa: UP028 - `yield from` would close them before `_close_results`
                yield result
        finally:
            _close_results(results)

    def close(self) -> None:
        """Release the processes.

        Wait for those that still start: killed earlier, they print errors.
        """
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
        # batch_size is 1 because the caller decides how many items go into one message
        parallel = joblib.Parallel(n_jobs=self.cores, return_as="generator", pre_dispatch=pre_dispatch, batch_size=1)
        parent, before = os.getpid(), active_children()
        calls = (joblib.delayed(_call_in_worker)(parent, function, item) for item in items)
        results: Iterator[Result] | None = None
        try:
            with starting_processes():
                results = parallel(calls)
        except KeyboardInterrupt:  # deferred to the end of the block
            if results is not None:
                keep_pool("joblib", get_reusable_executor(reuse=True))
                _close_results(results)
            raise
        except OSError:  # kill the processes that did start: they would print errors to standard output
            for process in active_children():
                if process not in before and process.pid:
                    os.kill(process.pid, signal.SIGKILL)
            raise
        keep_pool("joblib", get_reusable_executor(reuse=True))
        return iter(results)


def _close_results(results: Iterator[object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "tasks still being processed have been cancelled"
        results.close()  # type: ignore[attr-defined]


def _call_in_worker(parent: int, function: Callable[[Item], Result], item: Item) -> Result:
    die_with_parent(parent)
    return function(item)
