"""A trace as JSON of the trace-event format, which Perfetto and the browsers' viewers open.

    process   the driver's process: a track of the driver, one for each of its threads that works
    process   each other process, of this machine or of others, with a track for each thread
    tracks    "without a result": tasks that were lost, and those that were at work when the run ended

A task is an event with what it was given, what it found and what it handed back. The gaps between the
tasks of a worker are events that say what it waited for. Times are in microseconds since the beginning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from enumerator.run.trace import Loop, Span, Tracer

Event = dict[str, Any]

LEAST_GAP = 2e-5
"""The shortest wait that is an event of its own, in seconds."""

DRIVER, HERE = 1, 1
"""The numbers of the driver's track, and of its process. Those of workers follow."""

CONTEST, LOST = 1_000_000, 2_000_000
"""The numbers of the first tracks of counts in a contest, and of tasks without a result."""


def trace_text(tracer: Tracer, facts: dict[str, object]) -> str:
    """Return a finished trace as JSON; `facts` are those of the answer."""
    events = sorted(_events(tracer), key=lambda event: (event["ph"] != "M", event.get("ts", 0.0)))
    other = {"answer": facts, "totals": totals(tracer), "events_not_kept": tracer.more_instants}
    lines = ",\n".join(json.dumps(event) for event in events)
    return f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(other)}, "traceEvents": [\n{lines}\n]}}\n'


def totals(tracer: Tracer) -> dict[str, object]:
    """Return the sums over all events of a finished trace."""
    spans = [span for each in tracer.spans.values() for span in each]
    return {
        "seconds": round(tracer.ended - tracer.began, 6),
        "tasks": sum(each.tasks for each in tracer.alone) + sum(span.tasks for span in spans) + len(tracer.lost),
        "lost_tasks": len(tracer.lost),
        "nodes": sum(each.nodes for each in tracer.alone) + sum(span.nodes for span in spans),
        "effort": str(sum(each.effort for each in tracer.alone) + sum(span.effort for span in spans)),
        "solutions": str(sum(each.solutions for each in tracer.alone) + sum(span.solutions for span in spans)),
        "worked_seconds": round(sum(span.seconds for span in spans), 6),
        "workers": len(tracer.spans),
    }


def _events(tracer: Tracer) -> Iterator[Event]:
    """Yield all events: names of tracks, the driver, the workers, and what happened."""
    processes: dict[tuple[str, int], int] = {}
    yield _name("process_name", HERE, 0, "enumerate")
    yield _name("thread_name", HERE, DRIVER, "driver")
    yield from _driver_events(tracer)
    yield from _lost_events(tracer)
    for number, (worker, spans) in enumerate(tracer.placed().items(), DRIVER + 1):
        is_here = tracer.is_own(worker)
        key = worker.machine, worker.process
        process = HERE if is_here else processes.setdefault(key, HERE + 1 + len(processes))
        kind = "thread" if is_here else "process"
        if not is_here:
            yield _name("process_name", process, 0, f"worker {worker.process} on {worker.machine.split(' ')[0]}")
        yield _name("thread_name", process, number, f"{kind} {number - DRIVER}")
        yield from _worker_events(tracer, spans, (process, number))


def _driver_events(tracer: Tracer) -> Iterator[Event]:
    for number, each in enumerate(tracer.alone):
        at = (HERE, CONTEST + number) if each.name == "contest" else (HERE, DRIVER)
        if each.name == "contest":
            yield _name("thread_name", at[0], at[1], f"contest {number + 1}")
        facts = {"tasks": each.tasks, "nodes": each.nodes, "effort": each.effort, "solutions": str(each.solutions)}
        yield _span(tracer, each.name, at, each.began, each.ended, facts)
    for turn in tracer.loops:
        yield from _turn_events(tracer, turn)
    for instant in tracer.instants:
        if instant.seconds:
            yield _span(tracer, instant.name, (HERE, DRIVER), instant.at, instant.at + instant.seconds, instant.facts)
        else:
            when = {"ts": _micros(tracer, instant.at), "pid": HERE, "tid": DRIVER}
            yield {"name": instant.name, "ph": "i", "s": "p", **when, "args": instant.facts}


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


def _lost_events(tracer: Tracer) -> Iterator[Event]:
    """Yield tasks without a result, on as many tracks as are needed for those at the same time."""
    free: list[float] = []
    for task in sorted(tracer.lost):
        track = next((at for at, ended in enumerate(free) if ended <= task.handed_out), len(free))
        free[track : track + 1] = [task.ended]
        place, facts = (HERE, LOST + track), {"parts": task.parts, "tasks": 1}
        yield _name("thread_name", *place, f"without a result {track + 1}")
        yield _span(tracer, f"task: {task.reason}", place, task.handed_out, task.ended, facts)


def _worker_events(tracer: Tracer, spans: list[Span], place: tuple[int, int]) -> Iterator[Event]:
    """Yield the tasks of a worker, and what it waited for."""
    yield from _first_wait(tracer, spans[0], place)
    for span in spans:
        yield _span(tracer, "task" if span.tasks == 1 else f"{span.tasks} tasks", place, *_facts_of(tracer, span))
    for before, after in pairwise(spans):
        asked = min(max(before.ended, after.handed_out), after.began)
        yield from _wait(tracer, "waits for the driver", place, before.ended, asked)
        yield from _wait(tracer, "waits to begin", place, asked, after.began)
    yield from _wait(tracer, "no more tasks", place, spans[-1].ended, tracer.ended)


def _first_wait(tracer: Tracer, first: Span, place: tuple[int, int]) -> Iterator[Event]:
    """Yield what a worker waited for before its first task."""
    shared = max((each.ended for each in tracer.alone), default=tracer.began)
    asked = min(max(shared, first.handed_out), first.began)
    yield from _wait(tracer, "one core is at work", place, tracer.began, min(shared, asked))
    yield from _wait(tracer, "no task for it yet", place, shared, asked)
    yield from _wait(tracer, "starts", place, asked, first.began)


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


def _micros(tracer: Tracer, at: float) -> float:
    return round((at - tracer.began) * 1e6, 3)


def _name(kind: str, process: int, thread: int, name: str) -> Event:
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}
