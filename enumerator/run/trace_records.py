"""What a trace consists of: tasks of workers, turns of a driver, and what happened."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress
from functools import lru_cache
from math import inf
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from enumerator.engines import TaskResult, Worker


class WorkerName(NamedTuple):
    """A worker: a thread of a process of a machine."""

    machine: str
    process: int
    thread: int


class Timing(NamedTuple):
    """When a task was worked on, by the clock of its worker, and by whom."""

    began: float
    ended: float
    worker: WorkerName


class TimedResult(TaskResult):
    """The result of a task, with its timing."""

    timing: Timing


def timed(work: Worker, loads: list[bytes], budget: int, limit: int, seconds: float) -> TimedResult:
    """Call the work of a task, and return its result with its timing."""
    began = perf_counter()
    result = TimedResult(*work(loads, budget, limit, seconds))
    result.timing = Timing(began, perf_counter(), WorkerName(machine_name(), os.getpid(), threading.get_ident()))
    return result


@lru_cache
def machine_name() -> str:
    """Return a name that is the same for all processes with the same clock."""
    with suppress(OSError), open("/proc/sys/kernel/random/boot_id") as file:
        return f"{socket.gethostname()} {file.read().strip()}"
    return socket.gethostname()


class Span(NamedTuple):
    """A task of a worker, or several that followed each other. Times are in seconds of the driver's clock."""

    handed_out: float
    began: float
    ended: float
    returned: float
    seconds: float
    """The time of its parts, as the engine has measured it."""
    tasks: int = 1
    effort: int = 0
    nodes: int = 0
    """The effort of an engine whose effort is nodes."""
    solutions: int = 0
    parts: int = 0
    """The number of parts that were handed out."""
    left: int = 0
    """The number of parts that were handed back."""
    deaths: int = 0
    """The number of workers that had died over its parts."""
    budget: int = 0

    def merge(self, later: Span) -> Span:
        """Return this span and a later one of the same worker as one."""
        sums: Any = (mine + other for mine, other in zip(self[4:], later[4:], strict=True))
        return Span(self.handed_out, self.began, later.ended, later.returned, *sums)


class Loop(NamedTuple):
    """A turn of the driver, or several: it waits, takes in results, and hands out tasks."""

    began: float
    ended: float
    waited: float
    took_in: float
    handed_out: float
    turns: int = 1

    def merge(self, later: Loop) -> Loop:
        """Return this turn and a later one as one."""
        sums: Any = (mine + other for mine, other in zip(self[2:], later[2:], strict=True))
        return Loop(self.began, later.ended, *sums)


class Instant(NamedTuple):
    """Something that happened, and how long it took if that is known."""

    name: str
    at: float
    facts: dict[str, object]
    seconds: float = 0.0


class LostTask(NamedTuple):
    """A task without a result, from when it was handed out."""

    handed_out: float
    ended: float
    parts: int
    reason: str
    workers: tuple[int, ...] = ()
    """The processes that died over it, or over another one; empty if none did."""
    tallies: int = 0
    """The number of tallies before it was handed out."""


class Flight(NamedTuple):
    """A task in flight."""

    handed_out: float
    parts: int
    budget: int
    deaths: int
    tallies: int
    """The number of tallies before it was handed out."""


class Returned(NamedTuple):
    """A task with its result, and the number of tallies before each of the two."""

    worker: WorkerName
    span: Span
    handed_out_after: int
    returned_after: int


class Mark(NamedTuple):
    """A tally: its number, from 1 on, and the work it has counted."""

    number: int
    tasks: int
    effort: int


class Life(NamedTuple):
    """A process of a pool."""

    requested: float
    answered: float
    died: float = inf


class Alone(NamedTuple):
    """The work before the driver began: on one core, in a portfolio, or in earlier runs of a ledger."""

    name: str
    began: float
    ended: float
    tasks: int
    nodes: int
    effort: int
    solutions: int


Merged = TypeVar("Merged", Span, Loop)


def merge_pairs(items: list[Merged]) -> list[Merged]:
    """Return a list in which each two neighbours are one."""
    merged = [first.merge(second) for first, second in zip(items[::2], items[1::2], strict=False)]
    return merged + items[len(items) // 2 * 2 :]
