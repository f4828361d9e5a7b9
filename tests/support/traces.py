"""Traces of runs for tests: read as a viewer reads them, and compared with the answer."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

from enumerator.engines import Tally
from enumerator.run.trace import Tracer
from enumerator.run.trace_events import trace_text

Event = dict[str, Any]

SLACK = 0.002
"""What rounding to a thousandth of a microsecond may add to a time."""


def ended(tracer: Tracer, tally: Tally) -> list[Event]:
    """End a trace with the last tally of its count, and return its events, which are checked."""
    tracer.finish(tally.tasks, tally.nodes, tally.effort, tally.solutions)
    return checked(json.loads(trace_text(tracer, {"tasks": tally.tasks, "nodes": tally.nodes, "effort": tally.effort})))


def checked(trace: dict[str, Any]) -> list[Event]:
    """Return the events of a trace. It must be of the trace-event format, and its sums those of the answer."""
    events: list[Event] = trace["traceEvents"]
    answer, totals = trace["otherData"]["answer"], trace["otherData"]["totals"]
    work = [event["args"] for event in events if event["ph"] == "X" and "tasks" in event["args"]]
    assert sum(each["tasks"] for each in work) == totals["tasks"] == answer["tasks"]
    assert sum(each.get("nodes", 0) for each in work) == totals["nodes"] == answer["nodes"]
    effort = sum(int(each.get("effort", 0)) for each in work)
    assert effort == int(totals["effort"])
    if "effort" in answer and not named(events, "another engine takes over"):
        assert effort == answer["effort"]
    stages = [event for event in events if event["name"] in ("estimate", "verification")]
    ends = [event["ts"] + event["dur"] for event in stages]
    assert_drawable(events, max([1e6 * totals["seconds"], *ends]) + 1)
    return events


def assert_drawable(events: list[Event], most: float) -> None:
    """Check what a viewer needs: kinds, places and times; no two events of a track overlap, unless nested."""
    tracks = defaultdict(list)
    tracks_named = {(event["pid"], event["tid"]) for event in events if event["ph"] == "M"}
    for event in events:
        assert event["ph"] in "XMi"
        if event["ph"] == "X":
            assert 0 <= event["ts"] <= event["ts"] + event["dur"] <= most, event
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["name"]))
    assert set(tracks) <= tracks_named
    for spans in tracks.values():
        for before, after in pairwise(sorted(spans, key=lambda span: (span[0], -span[1]))):
            is_nested = after[1] <= before[1] + SLACK
            assert is_nested or after[0] >= before[1] - SLACK, (before, after)


def named(events: list[Event], name: str) -> list[Event]:
    """Return the events of a name."""
    return [event for event in events if event["name"] == name]
