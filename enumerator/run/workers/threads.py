"""Threads of this process: as many as the system allows, or else the caller does the work.

A system may limit the number of processes and threads of a user (`ulimit -u`) or of a container. A
run then goes on with the threads that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import ParamSpec, TypeVar

from enumerator.run.signals import interruptible, is_thread_refused

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Threads(ThreadPoolExecutor):
    """An executor that takes fewer threads if no more can be started. Without any, `submit` does the work."""

    is_alone = False
    """True if no thread could be started."""

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Hand a call to a thread; if there is none, return its future when it is done."""
        if not self.is_alone:
            try:
                return super().submit(fn, *args, **kwargs)
            except RuntimeError as error:
                if not is_thread_refused(error):
                    raise
                self.is_alone = True  # the call is in the queue, but no thread will ever take it
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)
        return future

    def _adjust_thread_count(self) -> None:
        """Start another thread for the call that was put into the queue, if needed and possible."""
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise


def start_threads(threads: Iterable[Thread]) -> list[Thread]:
    """Start threads in their order, and return those that could be started."""
    started: list[Thread] = []
    with interruptible():
        for thread in threads:
            try:
                thread.start()
            except RuntimeError as error:
                if not is_thread_refused(error):
                    raise
                break
            started.append(thread)
    return started
