"""A record of a run over time: who worked on what, when, and what the driver did meanwhile.

A `Tracer` sees what the driver does, and keeps it as the records of trace_records.py. `placed` sorts all
tasks by their workers, for trace_events.py.

Its size is bounded. When there are MOST_SPANS tasks, each two that follow each other on a worker become
one span, which has the sums of both: so the sums of a trace are those of the run, however long it was.

The sums are those of the answer, also after an interrupt, which may come between a result and the next
tally. So the results of the last two tallies are kept apart. At the end the tally of the answer is found,
and what came after it is left out.

Clocks: `perf_counter` is the same for all processes of a machine. That of another machine is placed so
that no task begins before it was handed out, and none ends after its result was there.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from time import perf_counter

from enumerator import engines
from enumerator.engines import Part, PartResult, Record, Tally, TaskResult, Worker
from enumerator.run.local import PartialCount
from enumerator.run.observer import Observer
from enumerator.run.trace_records import (
    Alone,
    Flight,
    Instant,
    Life,
    Loop,
    LostTask,
    Mark,
    Returned,
    Span,
    TimedResult,
    Timing,
    WorkerName,
    machine_name,
    merge_pairs,
    timed,
)

MOST_SPANS = 10_000
"""The number of tasks at which pairs of them become one span. A trace has up to some 10 MB."""

MOST_INSTANTS = 1_000
"""The number of other events that are kept; more are only counted."""

COMMIT_SECONDS = 1e-4
"""The time from which a commit of a ledger has written something: one that is not due takes microseconds."""


class Tracer(Observer):
    """Keeps what a driver does."""

    def __init__(self, clock: Callable[[], float] = perf_counter, most_spans: int = MOST_SPANS) -> None:
        self.clock, self._most = clock, most_spans
        self.began = clock()
        self.spans: dict[WorkerName, list[Span]] = {}
        self.loops: list[Loop] = []
        self.instants: list[Instant] = []
        self.lost: list[LostTask] = []
        self.lives: dict[int, Life] = {}
        """The processes of pools, by their ids."""
        self.processes: list[tuple[float, int]] = []
        """When processes were requested, and how many."""
        self.departed = -inf
        """When a worker left the cluster last."""
        self.alone: list[Alone] = []
        self._counts_nodes = True
        self.is_shared = False
        """True if a driver was at work."""
        self.more_instants = 0
        self._flights: dict[int, Flight] = {}
        self._returned: deque[Returned] = deque()
        self._marks: list[Mark] = []
        self._tallies = self._number = 0
        self._stages = inf
        self._waits = self._woke = self._took = 0.0

    # ---------------------------------------------------------------------------------- before the driver

    def wrap(self, work: Worker) -> Worker:
        return partial(timed, work)

    def watch(self, record: Record) -> Record:
        return TracedRecord(record, self) if record.is_kept else record

    def on_begin(self, began: float) -> None:
        self.began = began

    def on_stage(self, name: str, began: float) -> None:
        self._stages = min(self._stages, began)
        self.add_instant(Instant(name, began, {}, self.clock() - began))

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
        self.on_tally(tally)

    def on_portfolio(self, counts: int, began: float) -> None:
        now = self.clock()
        self.alone += [Alone("portfolio", began, now, 1, 0, 0, 0)] * counts

    # -------------------------------------------------------------------------------------- of the driver

    def on_handed_out(self, parts: list[Part], budget: int, deaths: int) -> None:
        self._flights[id(parts)] = Flight(self.clock(), len(parts), budget, deaths, self._tallies)

    def on_tally(self, tally: Tally) -> None:
        self._tallies += 1
        self._marks = [*self._marks[-1:], Mark(self._tallies, tally.tasks, tally.effort or tally.nodes)]
        while self._returned and self._returned[0].returned_after < self._marks[0].number:
            self._keep(self._returned.popleft())

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
        flight = self._flights.pop(id(parts))
        handed_out = flight.handed_out
        began, ended, worker = result.timing if isinstance(result, TimedResult) else self._guess(handed_out, result)
        left = sum(len(done.rest) for done in result.parts) + len(parts) - len(result.parts)
        if worker.machine == machine_name():
            handed_out = min(handed_out, began)  # a thread may begin before `submit` returns
        nodes = result.effort if self._counts_nodes else 0
        work = (result.seconds, 1, result.effort, nodes, result.solutions)
        span = Span(handed_out, began, ended, self.clock(), *work, flight.parts, left, flight.deaths, flight.budget)
        self._returned.append(Returned(worker, span, flight.tallies, self._tallies))

    def _keep(self, task: Returned) -> None:
        """Keep a task that is in the answer."""
        self.spans.setdefault(task.worker, []).append(task.span)
        self._number += 1
        if self._number >= self._most:
            self.spans = {each: merge_pairs(spans) for each, spans in self.spans.items()}
            self._number = sum(map(len, self.spans.values()))

    def _guess(self, handed_out: float, result: TaskResult) -> Timing:
        """Return the timing of a task whose worker has not noted it."""
        now = self.clock()
        return Timing(max(handed_out, now - result.seconds), now, WorkerName("", result.worker, 0))

    def on_lost(self, tasks: Iterable[list[Part]], reason: str, workers: Iterable[int] = ()) -> None:
        now, processes = self.clock(), tuple(workers)
        for process in self.lives.keys() & {*processes}:
            self.lives[process] = self.lives[process]._replace(died=now)
        for parts in tasks:
            if known := self._flights.pop(id(parts), None):
                self.lost.append(LostTask(known.handed_out, now, known.parts, reason, processes, known.tallies))

    def on_request(self, number: int) -> None:
        self.processes.append((self.clock(), number))
        self.on_event("processes requested", number=number)

    def on_answer(self, process: int) -> None:
        requested = self.processes[-1][0] if self.processes else self.began
        self.lives.setdefault(process, Life(requested, self.clock()))

    def on_departure(self, address: str) -> None:
        self.departed = self.clock()
        self.on_event("a worker left the cluster", address=address)

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

    def finish(self, tasks: int, nodes: int, effort: int, solutions: int, seconds: float | None = None) -> None:
        """End the record with the figures of the answer, whose time is that until now if it is not given.

        A count that no driver has seen was made on one core, or in a portfolio.
        """
        self.ended = self.clock() if seconds is None else self.began + seconds
        self.counted = min(self.ended, self._stages)
        if self.is_shared:
            self._end_turn(self.counted)
        else:
            known = sum(each.tasks for each in self.alone)
            if known > tasks:  # a portfolio that was interrupted before its first tally
                self.alone, known = [each._replace(tasks=0) for each in self.alone], 0
            self.alone.append(Alone("on one core", self.began, self.counted, tasks - known, nodes, effort, solutions))
        self._leave_out(tasks, effort)
        self._leave_flights("not finished", self.counted)

    def _leave_out(self, tasks: int, effort: int) -> None:
        """Leave out what came after the tally of the answer, which is one of the last two."""
        marks = (mark.number for mark in reversed(self._marks) if mark[1:] == (tasks, effort))
        number = next(marks, self._tallies + 1)
        for task in self._returned:
            span = task.span
            if task.returned_after < number:
                self._keep(task)
            elif task.handed_out_after < number:
                self.lost.append(LostTask(span.handed_out, span.returned, span.parts, "not in the answer"))
        self._returned.clear()
        self.lost = [task for task in self.lost if task.tallies < number]
        self._flights = {key: flight for key, flight in self._flights.items() if flight.tallies < number}

    def _leave_flights(self, reason: str, now: float) -> None:
        """Keep the tasks in flight as lost: nobody waits for their results any more."""
        for flight in self._flights.values():
            self.lost.append(LostTask(flight.handed_out, now, flight.parts, reason, (), flight.tallies))
        self._flights = {}

    ended = 0.0
    """The time of the end; 0.0 until then."""

    counted = 0.0
    """The time at which workers had nothing more to do: an estimate or a verification may follow."""

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

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Record that a part is done except for `left`."""
        return self._record.close_part(part, result, left)

    def commit(self, last: bool = False) -> None:
        """Write pending changes to disk, and note when that took place."""
        before = self._tracer.clock()
        self._record.commit(last)
        seconds = self._tracer.clock() - before
        if seconds > COMMIT_SECONDS:
            self._tracer.add_instant(Instant("ledger written", before, {}, seconds))
