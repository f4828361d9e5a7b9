"""What the tests of ledgers share: boards and plans, ledgers as they stand in their files, commands at work."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from helpers import (
    ROOT,
)

from enumerator.board import Board, Shape
from enumerator.board.formats import read as read_board
from enumerator.engines import Tally, contraction
from enumerator.engines.search import kernel
from enumerator.run.counting import tallies
from enumerator.run.ledger.contents import LedgerContents as Book
from enumerator.run.ledger.contents import checksum as digest
from enumerator.run.ledger.contents import read_ledger
from enumerator.run.ledger.ledger import Ledger, run_identity
from enumerator.run.plan import Plan

NINE = Shape(3, 3)

SIX = Shape(2, 3)

SIXTEEN = Shape(4, 4)

UNSOLVABLE = "12345678" + "." * 9 + "9" + "." * 63  # nothing is left for r1c9

CONTRADICTION = "5...5" + "." * 76


LONG_SUM = ".4.............1.......9.....6..................8.....5............2............3"
"""A board whose contraction takes seconds: however fast the machine is, a few tallies are not all."""


def two() -> int:
    return 2


def plan(engine: str = "search", cores: int = 2, limit: int | None = None, cutoff: int | None = None) -> Plan:
    """How to count, in this process alone."""
    return Plan(cores=cores, limit=limit, cutoff=cutoff, pool=None, engine=engine, usable=two)


def board(name: str) -> Board:
    return read_board(ROOT / "boards" / f"{name}.txt")


def board_file(name: str) -> str:
    return str(ROOT / "boards" / f"{name}.txt")


def solutions_of(one: Board) -> int:
    """How many solutions a board has, without any ledger: by the contraction or, where there is none, by one walk."""
    if contraction.supports(one.shape):
        return contraction.count(one)
    return kernel.General(one.cells, one.shape.height, one.shape.width).run()


def ledger_of(one: Board, how: Plan, path: Path) -> Ledger:
    return Ledger(str(path), run_identity("count", one, how), {"name": "a board"}, how.pacing)


def count_on(one: Board, how: Plan, path: Path, steps: int | None = None) -> Tally:
    """Go on with a count, until its end or so many tallies further."""
    tally = Tally()
    with ledger_of(one, how, path) as book, closing(tallies(one, how, ledger=book)) as counting:
        for tally in islice(counting, steps):  # noqa: B007
            pass
    return tally


def rows(path: Path) -> list[tuple[Any, ...]]:
    """All tasks of a ledger, as they stand in the file; none, if there is no file yet."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM task ORDER BY id").fetchall()


def facts(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as file:
        return dict(file.execute("SELECT name, value FROM run"))


def finished(path: Path) -> dict[int, tuple[Any, ...]]:
    """Those that are finished, by their numbers."""
    return {row[0]: row for row in rows(path) if row[5] is not None}


def is_sound(path: Path) -> bool:
    """Whether each part has as many children as it says, and each but the first has a parent that came before it."""
    tasks = rows(path)
    born = Counter(parent for _, parent, *_ in tasks)
    assert [row[0] for row in tasks] == list(range(1, len(tasks) + 1))
    assert born.pop(0, 0) == min(1, len(tasks))
    assert all(parent < number for number, parent, *_ in tasks)
    return born == Counter({row[0]: row[8] for row in tasks if row[8]})


def total(path: Path) -> int:
    return sum(int(row[5]) for row in rows(path) if row[5] is not None)


def said_of(path: Path) -> Book:
    """A ledger as `--status` sees it."""
    book, _ = read_ledger(str(path), lambda _: True)
    return book


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_written(path: Path) -> bool:
    """Whether there is anything in a ledger, so that it can be read."""
    return path.exists() and path.stat().st_size > 0


def forge(path: Path, statement: str, *values: object) -> None:
    """Change a ledger behind its back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute(statement, values)


TASK = "INSERT INTO task (id, parent, work, share, digest) VALUES (?, ?, ?, ?, ?)"


def task(number: object, parent: object, work: object, share: object) -> tuple[object, ...]:
    values = (number, parent, work, share)
    return (*values, digest(values))


def fact(name: str, value: object) -> tuple[str, object, bytes]:
    return name, value, digest((name, value))


FACT = "INSERT OR REPLACE INTO run VALUES (?, ?, ?)"
