"""Runs for tests: pacings that divide everything at once, and what a run has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from gmpy2 import mpq

from enumerator.board import Board
from enumerator.engines import Share, Tally, TaskResult
from enumerator.run.counting import tallies
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan

EAGER = Pacing(
    slice_seconds=0.001,
    alone_seconds=0.0,
    seconds_a_byte=0.0,
    start_factor=0.0,
    pool_seconds=0.0,
    pool_worth=-1.0,
    shortest=0.001,
    longest=0.02,
    shortest_recorded=0.0,
    recount_cores_seconds=0.0,
)
"""Everything at once: no time on one core, processes from the start, small slices and tasks."""

RESTLESS = EAGER._replace(
    slice_seconds=1e-5,
    pool_seconds=60.0,
    shortest=2e-4,
    longest=4e-4,
    commit_seconds=0.0,
    synchronous=False,
)
"""Tasks so short that any board takes many of them, in this process.

Ledgers do not wait for the disk: that takes 20 ms a commit, and matters only if the machine goes down.
"""


def last(board: Board, plan: Plan, *begun: Any) -> Tally:
    """Count to the end, after what was `begun` if anything, and return the last tally."""
    *_, tally = tallies(board, plan, *begun)
    return tally


def left_of(loads: list[bytes], outcome: TaskResult) -> list[bytes]:
    """Return the parts that a task has not finished."""
    begun = len(outcome.parts)
    return [load for done in outcome.parts for load, _ in done.rest] + loads[begun:]


def total_share(parts: Iterable[tuple[bytes, Share] | tuple[bytes, Share, int]]) -> mpq:
    """Return the share of some parts together."""
    counts = Counter(share for _, share, *_ in parts)
    return sum((number * mpq(*share) for share, number in counts.items()), mpq())
