"""A trace as JSON of the trace-event format, which Perfetto and the browsers' viewers open.

    process   the driver's process: a track of the driver, one for each of its threads that works
    process   each other process, of this machine or of others, with a track for each thread
    tracks    "without a result": tasks that were lost, and those that were at work when the run ended

A task is an event with what it was given, what it found and what it handed back. The gaps between the
tasks of a worker are events that say what it waited for. A process waits from its answer to its death; its
start is an event of its own. While processes are there, fewer threads work than there are: one that has no
seat does not wait for the driver. Times are in microseconds since the beginning.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from math import inf
from typing import Any

from enumerator.run.trace import Tracer
from enumerator.run.trace_records import Loop, LostTask, Span, WorkerName, machine_name

Event = dict[str, Any]

LEAST_GAP = 2e-5
"""The shortest wait that is an event of its own, in seconds."""

DRIVER, HERE = 1, 1
"""The numbers of the driver's track, and of its process. Those of workers follow."""

PORTFOLIO, LOST = 1_000_000, 2_000_000
"""The numbers of the first tracks of counts in a portfolio, and of tasks without a result."""


def trace_text(tracer: Tracer, facts: dict[str, object]) -> str:
    """Return a finished trace as JSON; `facts` are those of the answer."""
    events = sorted(_events(tracer), key=lambda event: (event["ph"] != "M", event.get("ts", 0.0)))
    other = {"answer": facts, "totals": totals(tracer), "events_not_kept": tracer.more_instants}
    lines = ",\n".join(json.dumps(event) for event in events)
    return f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(other)}, "traceEvents": [\n{lines}\n]}}\n'


def totals(tracer: Tracer) -> dict[str, object]:
    """Return the sums over all events of a finished trace."""
    spans = [span for each in tracer.spans.values() for span in each]
    processes = {(machine_name(), process) for process in tracer.lives}
    return {
        "seconds": round(tracer.ended - tracer.began, 6),
        "tasks": sum(each.tasks for each in tracer.alone) + sum(span.tasks for span in spans) + len(tracer.lost),
        "lost_tasks": len(tracer.lost),
        "nodes": sum(each.nodes for each in tracer.alone) + sum(span.nodes for span in spans),
        "effort": str(sum(each.effort for each in tracer.alone) + sum(span.effort for span in spans)),
        "solutions": str(sum(each.solutions for each in tracer.alone) + sum(span.solutions for span in spans)),
        "worked_seconds": round(sum(span.seconds for span in spans), 6),
        "threads": sum(map(tracer.is_own, tracer.spans)),
        "processes": len({worker[:2] for worker in tracer.spans if not tracer.is_own(worker)} | processes),
    }


def _events(tracer: Tracer) -> Iterator[Event]:
    """Yield all events: names of tracks, the driver, the workers, and what happened."""
    processes: dict[tuple[str, int], int] = {}
    yield _name("process_name", HERE, 0, "enumerate")
    yield _name("thread_name", HERE, DRIVER, "driver")
    yield from _driver_events(tracer)
    workers, seats = workers_of(tracer), Seats(tracer)
    last_tasks = {worker.process: task for worker in workers if (task := _last_task(tracer, worker)) is not None}
    yield from _lost_events(tracer, [task for task in tracer.lost if task not in last_tasks.values()])
    for number, (worker, spans) in enumerate(workers.items(), DRIVER + 1):
        is_here = tracer.is_own(worker)
        key = worker.machine, worker.process
        process = HERE if is_here else processes.setdefault(key, HERE + 1 + len(processes))
        kind = "thread" if is_here else "process"
        if not is_here:
            yield _name("process_name", process, 0, f"worker {worker.process} on {worker.machine.split(' ')[0]}")
        yield _name("thread_name", process, number, f"{kind} {number - DRIVER}")
        if is_of_pool(tracer, worker):
            last_task = last_tasks.get(worker.process)
            yield from _process_events(tracer, spans, (process, number), worker.process, last_task)
        else:
            yield from _worker_events(tracer, spans, (process, number), seats if is_here else None)


def workers_of(tracer: Tracer) -> dict[WorkerName, list[Span]]:
    """Return the spans of each worker, and none for processes that had no task with a result."""
    workers = tracer.placed()
    known = {worker.process for worker in workers if worker.machine == machine_name()}
    idle = sorted((life.answered, process) for process, life in tracer.lives.items() if process not in known)
    return {**workers, **{WorkerName(machine_name(), process, 0): [] for _, process in idle}}


def is_of_pool(tracer: Tracer, worker: WorkerName) -> bool:
    """Return True for a process of a pool."""
    return worker.machine == machine_name() and worker.process in tracer.lives


def _last_task(tracer: Tracer, worker: WorkerName) -> LostTask | None:
    """Return the task over which a process died; None if it was not its pool's only one."""
    if not is_of_pool(tracer, worker):
        return None
    return min((task for task in tracer.lost if task.workers == (worker.process,)), default=None)


class Seats:
    """The threads of the driver's process that are without a seat, because a process has their core."""

    def __init__(self, tracer: Tracer) -> None:
        own = [span for worker, spans in tracer.spans.items() if tracer.is_own(worker) for span in spans]
        changes = sorted([*((span.began, 1) for span in own), *((span.ended, -1) for span in own)])
        self._times = [at for at, _ in changes]
        self._at_work = list(accumulate(change for _, change in changes))
        steps = (
            number * (after - at) for number, (at, after) in zip(self._at_work, pairwise(self._times), strict=False)
        )
        self._sums = list(accumulate(steps, initial=0.0))
        lives = tracer.lives.values()
        answers = sorted([*((life.answered, 1) for life in lives), *((life.died, -1) for life in lives)])
        self._changes = [at for at, _ in answers]
        self._processes = list(accumulate(change for _, change in answers))
        self._cores = max((number + 1 for _, number in tracer.processes), default=0)

    def _work(self, until: float) -> float:
        """Return the seconds of work of all threads until a time."""
        at = bisect_right(self._times, until) - 1
        return self._sums[at] + self._at_work[at] * (until - self._times[at]) if at >= 0 else 0.0

    def split(self, began: float, ended: float) -> Iterator[tuple[float, float, bool]]:
        """Yield the parts of a time in which a thread did not work; True if others had all seats of threads."""
        first, last = bisect_right(self._changes, began), bisect_right(self._changes, ended)
        for after, until in pairwise([began, *self._changes[first:last], ended]):
            at = bisect_right(self._changes, after) - 1
            processes = self._processes[at] if at >= 0 else 0
            if until > after:
                others = (self._work(until) - self._work(after)) / (until - after)
                yield after, until, processes > 0 and others > self._cores - processes - 0.5


def _driver_events(tracer: Tracer) -> Iterator[Event]:
    for number, each in enumerate(tracer.alone):
        at = (HERE, PORTFOLIO + number) if each.name == "portfolio" else (HERE, DRIVER)
        if each.name == "portfolio":
            yield _name("thread_name", at[0], at[1], f"portfolio {number + 1}")
        facts = {"tasks": each.tasks, "nodes": each.nodes, "effort": each.effort, "solutions": str(each.solutions)}
        yield _span(tracer, each.name, at, each.began, each.ended, facts)
    for turn in tracer.loops:
        yield from _turn_events(tracer, turn)
    for instant in tracer.instants:
        if instant.seconds:
            yield _span(tracer, instant.name, (HERE, DRIVER), instant.at, instant.at + instant.seconds, instant.facts)
        else:
            yield _instant(tracer, instant.name, (HERE, DRIVER), instant.at, instant.facts)


def _turn_events(tracer: Tracer, turn: Loop) -> Iterator[Event]:
    """Yield a turn of the driver as up to three events; one for several turns, with their sums."""
    seconds = {"waits": turn.waited, "takes in": turn.took_in, "hands out": turn.handed_out}
    if turn.turns > 1:
        facts = {"turns": turn.turns, **{name: round(each, 6) for name, each in seconds.items()}}
        yield _span(tracer, "several turns", (HERE, DRIVER), turn.began, turn.ended, facts)
        return
    began = turn.began
    for name, each in seconds.items():
        if each > 0:
            yield _span(tracer, name, (HERE, DRIVER), began, began + each, {})
        began += each


def _lost_events(tracer: Tracer, lost: list[LostTask]) -> Iterator[Event]:
    """Yield tasks without a result, on as many tracks as are needed for those at the same time."""
    free: list[float] = []
    for task in sorted(lost):
        track = next((at for at, ended in enumerate(free) if ended <= task.handed_out), len(free))
        free[track : track + 1] = [task.ended]
        place = HERE, LOST + track
        yield _name("thread_name", *place, f"without a result {track + 1}")
        yield _lost_event(tracer, task, place, task.handed_out)


def _lost_event(tracer: Tracer, task: LostTask, place: tuple[int, int], began: float) -> Event:
    facts: dict[str, object] = {"parts": task.parts, "tasks": 1}
    if task.workers:
        facts["pids"] = list(task.workers)
    return _span(tracer, f"task: {task.reason}", place, began, task.ended, facts)


def _worker_events(tracer: Tracer, spans: list[Span], place: tuple[int, int], seats: Seats | None) -> Iterator[Event]:
    """Yield the tasks of a thread, or of a worker of a cluster, and what it waited for."""
    shared = max((each.ended for each in tracer.alone), default=tracer.began)
    asked = min(max(shared, spans[0].handed_out), spans[0].began)
    yield from _wait(tracer, "one core is at work", place, tracer.began, min(shared, asked))
    yield from _wait(tracer, "no task for it yet", place, shared, asked)
    yield from _wait(tracer, "starts", place, asked, spans[0].began)
    yield from _task_events(tracer, spans, place, seats)
    if seats or spans[-1].ended > tracer.departed:  # else it may be the worker that has left the cluster
        yield from _wait_with_seats(tracer, seats, "no more tasks", place, spans[-1].ended, tracer.counted)


def _process_events(
    tracer: Tracer, spans: list[Span], place: tuple[int, int], process: int, last: LostTask | None
) -> Iterator[Event]:
    """Yield the start of a process of a pool, its tasks, what it waited for, and its death."""
    life = tracer.lives[process]
    yield _span(tracer, "process starts", place, life.requested, life.answered, {}, "start")
    ended = life.answered
    if spans:
        asked = min(max(ended, spans[0].handed_out), spans[0].began)
        yield from _wait(tracer, "no task for it yet", place, ended, asked)
        yield from _wait(tracer, "waits to begin", place, asked, spans[0].began)
        yield from _task_events(tracer, spans, place, None)
        ended = spans[-1].ended
    if last:
        began = max(last.handed_out, ended)
        yield from _wait(tracer, "waits for the driver", place, ended, began)
        yield _lost_event(tracer, last, place, began)
    if life.died < inf:
        yield _instant(tracer, "process died", place, life.died, {"pid": process})
    else:
        yield from _wait(tracer, "no more tasks", place, ended, tracer.counted)


def _task_events(tracer: Tracer, spans: list[Span], place: tuple[int, int], seats: Seats | None) -> Iterator[Event]:
    """Yield the tasks of a worker, and the gaps between them."""
    for span in spans:
        yield _span(tracer, "task" if span.tasks == 1 else f"{span.tasks} tasks", place, *_facts_of(tracer, span))
    for before, after in pairwise(spans):
        asked = min(max(before.ended, after.handed_out), after.began)
        yield from _wait_with_seats(tracer, seats, "waits for the driver", place, before.ended, asked)
        yield from _wait(tracer, "waits to begin", place, asked, after.began)


def _wait_with_seats(
    tracer: Tracer, seats: Seats | None, name: str, place: tuple[int, int], began: float, ended: float
) -> Iterator[Event]:
    """Yield the wait of a thread; for the time in which a process has its core, say so."""
    if seats is None or ended - began < LEAST_GAP:
        yield from _wait(tracer, name, place, began, ended)
        return
    for after, until, is_without in seats.split(began, ended):
        yield from _wait(tracer, "its core has a process" if is_without else name, place, after, until)


def _facts_of(tracer: Tracer, span: Span) -> tuple[float, float, dict[str, object]]:
    """Return the beginning, the end and the facts of a task."""
    facts: dict[str, object] = dict(span._asdict())
    for name in ("began", "ended", "handed_out", "returned"):
        del facts[name]
    facts |= {"handed_out_at": _micros(tracer, span.handed_out), "returned_at": _micros(tracer, span.returned)}
    facts |= {"solutions": str(span.solutions), "seconds": round(span.seconds, 9)}
    return span.began, span.ended, facts


def _wait(tracer: Tracer, name: str, place: tuple[int, int], began: float, ended: float) -> Iterator[Event]:
    if ended - began >= LEAST_GAP:
        yield _span(tracer, name, place, began, ended, {}, "wait")


def _span(
    tracer: Tracer,
    name: str,
    place: tuple[int, int],
    began: float,
    ended: float,
    facts: Mapping[str, object],
    category: str = "work",
) -> Event:
    times = {"ts": _micros(tracer, began), "dur": round(max(0.0, ended - began) * 1e6, 3)}
    return {"name": name, "cat": category, "ph": "X", **times, "pid": place[0], "tid": place[1], "args": facts}


def _instant(tracer: Tracer, name: str, place: tuple[int, int], at: float, facts: Mapping[str, object]) -> Event:
    when = {"ts": _micros(tracer, at), "pid": place[0], "tid": place[1]}
    return {"name": name, "ph": "i", "s": "p", **when, "args": facts}


def _micros(tracer: Tracer, at: float) -> float:
    return round((at - tracer.began) * 1e6, 3)


def _name(kind: str, process: int, thread: int, name: str) -> Event:
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}
