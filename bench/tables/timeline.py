"""Timelines: the stretches of a traced count, and how much of its cores' time was lost, and when.

The loss has three parts. At the start: before all workers have been at work at once. At the end: after the
last time that they were. Between: the rest, the short gaps in a stretch included. Where they never all work
at once, the first and the last time count at which the most of them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from bench.tables.rows import Stretch
from enumerator.run.trace import Tracer

FINEST = 1 / 1000
"""The share of a count below which a gap between two tasks is not seen: they are one stretch."""

Key = tuple[str, str, int, bool]


def stretches(tracer: Tracer, board: str, setting: str, cores: int, is_simulated: bool) -> Iterator[Stretch]:
    """Yield the stretches of a finished trace."""
    total, zero = tracer.ended - tracer.began, tracer.began
    key = (board, setting, cores, is_simulated, total)
    for alone in tracer.alone:
        yield Stretch(*key, 0, alone.began - zero, alone.ended - zero, alone.ended - alone.began, alone.tasks)
    for number, spans in enumerate(tracer.placed().values(), 1):
        here: Stretch | None = None
        for span in spans:
            began, ended = span.began - zero, span.ended - zero
            if here and began - here.ended < FINEST * total:
                busy, tasks = here.busy + ended - began, here.tasks + span.tasks
                here = Stretch(*key, number, here.began, ended, busy, tasks)
                continue
            if here:
                yield here
            here = Stretch(*key, number, began, ended, ended - began, span.tasks)
        if here:
            yield here


def by_setting(rows: Iterable[Stretch]) -> dict[Key, list[Stretch]]:
    """Return stretches by their boards, settings and cores, in the order of the rows."""
    found: dict[Key, list[Stretch]] = {}
    for row in rows:
        found.setdefault((row.board, row.setting, row.cores, row.is_simulated), []).append(row)
    return found


class Usage(NamedTuple):
    """The use of the cores in a time: the number of workers that were at work, short gaps taken off."""

    began: float
    ended: float
    workers: int
    busy: float


def usage(rows: list[Stretch]) -> list[Usage]:
    """Return how many workers were at work over the time of a count, without a gap from 0 to its end."""
    changes = sorted(
        change
        for row in rows
        if row.ended > row.began
        for share in [row.busy / (row.ended - row.began)]
        for change in [(row.began, 1, share), (row.ended, -1, -share)]
    )
    total, cores = rows[0].total, rows[0].cores
    points, workers, busy = [(0.0, 0, 0.0)], 0, 0.0
    for at, group in groupby(changes, key=lambda change: change[0]):
        for _, number, share in group:
            workers, busy = workers + number, busy + share
        points.append((min(at, total), workers, busy))
    points.append((total, 0, 0.0))
    return [
        Usage(began, ended, min(number, cores), min(float(cores), max(0.0, share)))
        for (began, number, share), (ended, *_) in pairwise(points)
        if ended > began
    ]


class Loss(NamedTuple):
    """Shares of the cores' time that were lost, and the times between which all workers were at work."""

    start: float
    between: float
    end: float
    full_from: float
    full_until: float

    @property
    def busy(self) -> float:
        """The share of the cores' time that was used."""
        return 1 - self.start - self.between - self.end


def loss(rows: list[Stretch]) -> Loss:
    """Return what was lost of the cores' time, and when."""
    parts, whole = usage(rows), rows[0].cores * rows[0].total
    most = max(part.workers for part in parts)
    full = [part for part in parts if part.workers == most]
    first, last = full[0].began, full[-1].ended

    def lost(began: float, ended: float) -> float:
        inside = (part for part in parts if part.began >= began and part.ended <= ended)
        return sum((rows[0].cores - part.busy) * (part.ended - part.began) for part in inside) / whole

    total = rows[0].total
    return Loss(lost(0.0, first), lost(first, last), lost(last, total), first, last)
