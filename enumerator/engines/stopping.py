"""Ending tasks early. Threads cannot be killed, so a task asks now and then whether it is still wanted.

    caller                                  thread
    stop = Event()
    submit(run_until, stop, task) ------->  task(): … is_stopped() … is_stopped()
    stop.set()                    ------->  is_stopped() is True: the task ends

The event belongs to the thread that runs the task, and is no argument of it. So the same function
runs in a process, which is killed instead, and on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, Protocol, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Stop(Protocol):
    """The event that is set when the result of a task is not wanted any more."""

    def is_set(self) -> bool: ...


_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)
"""The event of the task that this thread runs."""


class TaskStoppedError(Exception):
    """A task has ended early, because its caller does not want its result any more."""


def run_until(
    stop: Stop, task: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Run a task in this thread. It is to end soon after `stop` is set."""
    token = _stop.set(stop)
    try:
        return task(*arguments, **named)
    finally:
        _stop.reset(token)


def is_stopped() -> bool:
    """Return True if the caller of this thread's task does not want its result any more."""
    stop = _stop.get()
    return stop is not None and stop.is_set()
