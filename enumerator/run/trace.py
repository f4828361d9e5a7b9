"""A record of a run over time: who worked on what, when, and what the driver did meanwhile.

    Tracer       sees what the driver does, and keeps it
    timed        calls the work of a task, and notes when and by whom it was done: on the worker
    Span         a task of a worker; Loop   a turn of the driver; Instant   something that happened
    Placed       what trace_events.py writes: `Trace.placed` sorts all spans by their workers

Its size is bounded. When there are MOST_SPANS tasks, each two that follow each other on a worker become
one span, which has the sums of both: so the sums of a trace are those of the run, however long it was.

Clocks: `perf_counter` is the same for all processes of a machine. That of another machine is placed so
that no task begins before it was handed out, and none ends after its result was there.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache, partial
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from enumerator import engines
from enumerator.engines import Part, PartResult, Record, TaskResult, Worker
from enumerator.run.local import PartialCount
from enumerator.run.observer import Observer

MOST_SPANS = 20_000
"""The number of tasks at which pairs of them become one span. A trace has up to some 10 MB."""

MOST_INSTANTS = 1_000
"""The number of other events that are kept; more are only counted."""

COMMIT_SECONDS = 1e-4
"""The time from which a commit of a ledger has written something: one that is not due takes microseconds."""


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


class Alone(NamedTuple):
    """The work before the driver began: on one core, in a contest, or in earlier runs of a ledger."""

    name: str
    began: float
    ended: float
    tasks: int
    nodes: int
    effort: int
    solutions: int


class Tracer(Observer):
    """Keeps what a driver does."""

    def __init__(self, clock: Callable[[], float] = perf_counter, most_spans: int = MOST_SPANS) -> None:
        self.clock, self._most = clock, most_spans
        self.began = clock()
        self.spans: dict[WorkerName, list[Span]] = {}
        self.loops: list[Loop] = []
        self.instants: list[Instant] = []
        self.lost: list[LostTask] = []
        self.alone: list[Alone] = []
        self._counts_nodes = True
        self.is_shared = False
        """True if a driver was at work."""
        self.more_instants = 0
        self._flights: dict[int, tuple[float, int, int, int]] = {}
        self._number = 0
        self._waits = self._woke = self._took = 0.0

    # ---------------------------------------------------------------------------------- before the driver

    def wrap(self, work: Worker) -> Worker:
        return partial(timed, work)

    def watch(self, record: Record) -> Record:
        return TracedRecord(record, self) if record.is_kept else record

    def on_start(self, start: PartialCount, engine: str) -> None:
        now, tally = self.clock(), start.tally
        if self.is_shared:
            self._leave_flights("another engine took over", now)  # its tasks may get the same ids
            self.on_event("another engine takes over", engine=engine)
        else:
            known = sum(each.tasks for each in self.alone)
            is_resumed = start.seconds > now - self.began + 1e-3
            name = "earlier runs" if is_resumed else "on one core"
            ended = self.began if is_resumed else self.began + start.seconds
            work = (tally.tasks - known, tally.nodes, start.effort, start.solutions)
            self.alone.append(Alone(name, self.began, min(ended, now), *work))
            self.add_instant(Instant("the driver starts", ended, {}, max(0.0, now - ended)))
        self._counts_nodes, self.is_shared = engines.get(engine).effort == "nodes", True
        self._waits = self._woke = self._took = now

    def on_contest(self, counts: int, began: float) -> None:
        now = self.clock()
        self.alone += [Alone("contest", began, now, 1, 0, 0, 0)] * counts

    # -------------------------------------------------------------------------------------- of the driver

    def on_handed_out(self, parts: list[Part], budget: int, deaths: int) -> None:
        self._flights[id(parts)] = self.clock(), len(parts), budget, deaths

    def on_wait(self) -> None:
        now = self.clock()
        self._end_turn(now)
        self._waits = self._woke = self._took = now

    def on_woken(self) -> None:
        self._woke = self.clock()

    def on_taken_in(self) -> None:
        self._took = self.clock()
        if self._woke <= self._waits:  # nothing came within a tick
            self._woke = self._took

    def _end_turn(self, now: float) -> None:
        """Keep the turn that ends now."""
        if now > self._waits:
            took_in, handed_out = max(0.0, self._took - self._woke), now - max(self._took, self._woke)
            self.loops.append(Loop(self._waits, now, self._woke - self._waits, took_in, handed_out))
        if len(self.loops) >= self._most:
            self.loops = merge_pairs(self.loops)

    def on_result(self, parts: list[Part], result: TaskResult) -> None:
        handed_out, number, budget, deaths = self._flights.pop(id(parts))
        began, ended, worker = result.timing if isinstance(result, TimedResult) else self._guess(handed_out, result)
        left = sum(len(done.rest) for done in result.parts) + len(parts) - len(result.parts)
        if worker.machine == machine_name():
            handed_out = min(handed_out, began)  # a thread may begin before `submit` returns
        nodes = result.effort if self._counts_nodes else 0
        numbers = (result.seconds, 1, result.effort, nodes, result.solutions, number, left, deaths, budget)
        self.spans.setdefault(worker, []).append(Span(handed_out, began, ended, self.clock(), *numbers))
        self._number += 1
        if self._number >= self._most:
            self.spans = {each: merge_pairs(spans) for each, spans in self.spans.items()}
            self._number = sum(map(len, self.spans.values()))

    def _guess(self, handed_out: float, result: TaskResult) -> Timing:
        """Return the timing of a task whose worker has not noted it."""
        now = self.clock()
        return Timing(max(handed_out, now - result.seconds), now, WorkerName("", result.worker, 0))

    def on_lost(self, tasks: Iterable[list[Part]], reason: str) -> None:
        for parts in tasks:
            if known := self._flights.pop(id(parts), None):
                self.lost.append(LostTask(known[0], self.clock(), known[1], reason))

    def on_event(self, name: str, **facts: object) -> None:
        self.add_instant(Instant(name, self.clock(), facts))

    def add_instant(self, instant: Instant) -> None:
        """Keep an event, if there are not too many."""
        if len(self.instants) < MOST_INSTANTS:
            self.instants.append(instant)
        else:
            self.more_instants += 1

    def on_message(self, message: str) -> None:
        """Keep a message for the user."""
        self.on_event(message)

    # ---------------------------------------------------------------------------------------- at the end

    def finish(self, tasks: int, nodes: int, effort: int, solutions: int) -> None:
        """End the record. A count that no driver has seen was made on one core, or in a contest."""
        now = self.clock()
        if self.is_shared:
            self._end_turn(now)
        else:
            known = sum(each.tasks for each in self.alone)
            self.alone.append(Alone("on one core", self.began, now, tasks - known, nodes, effort, solutions))
        self._leave_flights("not finished", now)
        self.ended = now

    def _leave_flights(self, reason: str, now: float) -> None:
        """Keep the tasks in flight as lost: nobody waits for their results any more."""
        self.lost += [LostTask(handed_out, now, number, reason) for handed_out, number, *_ in self._flights.values()]
        self._flights = {}

    ended = 0.0
    """The time of the end; 0.0 until then."""

    def placed(self) -> dict[WorkerName, list[Span]]:
        """Return the spans of each worker in their order, by the driver's clock."""
        found: dict[WorkerName, list[Span]] = {}
        offsets = self._offsets()
        for worker, spans in self.spans.items():
            moved = offsets[worker.machine]
            placed = (span._replace(began=span.began + moved, ended=span.ended + moved) for span in spans)
            found[worker] = sorted(placed, key=lambda span: span.began)
        return dict(sorted(found.items(), key=lambda item: (not self.is_own(item[0]), item[1][0].began)))

    def is_own(self, worker: WorkerName) -> bool:
        """Return True for a thread of this process."""
        return (worker.machine, worker.process) == (machine_name(), os.getpid())

    def _offsets(self) -> dict[str, float]:
        """Return what to add to the clock of each machine. It is 0 on this one."""
        offsets = {machine_name(): 0.0, "": 0.0}
        for machine in {worker.machine for worker in self.spans} - offsets.keys():
            spans = [span for worker, each in self.spans.items() if worker.machine == machine for span in each]
            least = max(span.handed_out - span.began for span in spans)
            most = min(span.returned - span.ended for span in spans)
            offsets[machine] = (least + most) / 2
        return offsets


class TracedRecord:
    """A record, such as a ledger, whose commits are kept in a trace."""

    def __init__(self, record: Record, tracer: Tracer) -> None:
        self._record, self._tracer = record, tracer

    @property
    def is_kept(self) -> bool:
        """True if the record is written to a file."""
        return self._record.is_kept

    def settle(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Record that a part is done except for `left`."""
        return self._record.settle(part, result, left)

    def commit(self, last: bool = False) -> None:
        """Write pending changes to disk, and note when that took place."""
        before = self._tracer.clock()
        self._record.commit(last)
        seconds = self._tracer.clock() - before
        if seconds > COMMIT_SECONDS:
            self._tracer.add_instant(Instant("ledger written", before, {}, seconds))


Merged = TypeVar("Merged", Span, Loop)


def merge_pairs(items: list[Merged]) -> list[Merged]:
    """Return a list in which each two neighbours are one."""
    merged = [first.merge(second) for first, second in zip(items[::2], items[1::2], strict=False)]
    return merged + items[len(items) // 2 * 2 :]
