"""Helpers for tests of ledgers: boards, plans, and ledgers as they stand in their files."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from support.counts import walk_generally
from support.runs import RESTLESS

from enumerator.board import Board, Shape
from enumerator.engines import Tally, contraction
from enumerator.run.counting import tallies
from enumerator.run.ledger import Ledger, read_ledger, run_identity
from enumerator.run.ledger.contents import LedgerContents, checksum
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import Plan

SIX = Shape(2, 3)

SIXTEEN = Shape(4, 4)

LONG_SUM = ".4.............1.......9.....6..................8.....5............2............3"
"""A board whose contraction takes seconds: it is not done after a few tallies, however fast the machine."""


def two() -> int:
    return 2


def plan(
    engine: str = "search",
    cores: int = 2,
    limit: int | None = None,
    cutoff: int | None = None,
    pacing: Pacing = DEFAULT_PACING,
) -> Plan:
    """Return a plan for this process alone."""
    return Plan(cores=cores, limit=limit, cutoff=cutoff, pool=None, engine=engine, usable=two, pacing=pacing)


restless_plan = partial(plan, pacing=RESTLESS)
"""Return a plan with tasks so short that any board takes many of them."""


def solutions_of(one: Board) -> int:
    """Return the number of solutions without a ledger: by the contraction, or by one walk beyond 9×9."""
    if contraction.supports(one.shape):
        return contraction.count(one)
    return walk_generally(one)


def ledger_of(one: Board, how: Plan, path: Path) -> Ledger:
    return Ledger(str(path), run_identity("count", one, how), {"name": "a board"}, how.pacing)


def count_on(one: Board, how: Plan, path: Path, steps: int | None = None) -> Tally:
    """Begin or resume a count, up to its end or for at most `steps` tallies. Return the last one."""
    tally = Tally()
    with ledger_of(one, how, path) as ledger, closing(tallies(one, how, ledger=ledger)) as counting:
        for tally in islice(counting, steps):  # noqa: B007
            pass
    return tally


def rows(path: Path) -> list[tuple[Any, ...]]:
    """Return all tasks of a ledger, as they stand in the file; none, if there is no file yet."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM task ORDER BY id").fetchall()


def facts(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as file:
        return dict(file.execute("SELECT name, value FROM run"))


def finished(path: Path) -> dict[int, tuple[Any, ...]]:
    """Return the finished tasks by their numbers."""
    return {row[0]: row for row in rows(path) if row[5] is not None}


def is_sound(path: Path) -> bool:
    """Tell if each task has as many children as it says. Each but the first must have an earlier parent."""
    tasks = rows(path)
    born = Counter(parent for _, parent, *_ in tasks)
    assert [row[0] for row in tasks] == list(range(1, len(tasks) + 1))
    assert born.pop(0, 0) == min(1, len(tasks))
    assert all(parent < number for number, parent, *_ in tasks)
    return born == Counter({row[0]: row[8] for row in tasks if row[8]})


def total(path: Path) -> int:
    return sum(int(row[5]) for row in rows(path) if row[5] is not None)


def said_of(path: Path) -> LedgerContents:
    """Return a ledger as `--status` sees it."""
    contents, _ = read_ledger(str(path), lambda _: True)
    return contents


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_written(path: Path) -> bool:
    """Tell if there is anything in a ledger, so that it can be read."""
    return path.exists() and path.stat().st_size > 0


def forge(path: Path, statement: str, *values: object) -> None:
    """Change a ledger behind its back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute(statement, values)


TASK = "INSERT INTO task (id, parent, work, share, digest) VALUES (?, ?, ?, ?, ?)"


def task(number: object, parent: object, work: object, share: object) -> tuple[object, ...]:
    values = (number, parent, work, share)
    return (*values, checksum(values))


def fact(name: str, value: object) -> tuple[str, object, bytes]:
    return name, value, checksum((name, value))


FACT = "INSERT OR REPLACE INTO run VALUES (?, ?, ?)"
