"""What is in the file of a ledger, and whether it is whole.

    run     what is asked, and how: names and values. A ledger is gone on with by the same question only.
    task    every part that there has been, as a tree:

        1 whole board, 812 solutions, 5,000 nodes, 3 left      open      solutions is NULL: still to be done
        ├── 2 board, 40 solutions, 300 nodes, 0 left           finished  what was found in the part itself, and how
        ├── 3 board, 0 solutions, 0 nodes, 2 left                        many parts were left of it, its children
        │   ├── 5 board, open                                  divided   finished, nothing found: too large for one task
        │   └── 6 board, open
        └── 4 board, open

So the solutions are the sum of all rows, whatever is left to do are the open ones, and no part is in two places.

Nothing in here is trusted: every row has a digest, every part as many children as it says, and a ledger where anything
is amiss is refused. Rows hold text and numbers; nothing that is read is ever executed.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from enumerator.board.wording import printable

APPLICATION = 0x53646B4C
"""SQLite's application_id of our files, so that others are known by it; `file` shows it, too."""

LAYOUT = 1
"""SQLite's user_version: that of the tables below."""

TABLES = {
    "run": "CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID",
    "task": """CREATE TABLE task (
        id INTEGER PRIMARY KEY,
        parent INTEGER NOT NULL, -- 0: this is the whole
        work TEXT NOT NULL,      -- a board, or a range of the items of a sum
        share REAL NOT NULL,     -- of the whole
        digest BLOB NOT NULL,    -- of the columns so far
        solutions TEXT,          -- they may be too many for an integer of SQLite's
        effort INTEGER,          -- nodes, or units of the contraction
        seconds REAL,
        rest INTEGER,            -- how many children it has
        outcome BLOB             -- the digest of these four, and of the id
    )""",
}

HEADER, APPLICATION_AT = b"SQLite format 3\0", 68

BUSY_SECONDS = 60.0
"""How long somebody who reads a ledger may keep us from writing."""

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The latter, where Python cannot read what SQLite says of a file."""

MOST_DIGITS = 4_000
"""A board of 64×64 has fewer solutions than a number with more digits than that; Python reads no more than 4,300."""

FORMS = {
    "at work": "search|contraction",
    "seconds": r"\d{1,12}(\.\d+)?(e-\d+)?",
    "limit": r"\d{0,2000}",
    "bytes": r"\d{1,18}",
    "tail": r"([0-9a-f]{2}){0,64}",
}
"""How the values of a run are written, where that matters."""


class LedgerError(ValueError):
    """A ledger that cannot be used. Says which, and why."""


class Row(NamedTuple):
    """A task, as it stands in a ledger."""

    id: int
    parent: int
    work: str
    share: float
    solutions: int | None = None
    """None: still to be done."""
    effort: int = 0
    seconds: float = 0.0
    rest: int = 0

    @property
    def is_open(self) -> bool:
        return self.solutions is None

    @property
    def is_divided(self) -> bool:
        """Whether it was never worked on: it was too large for one task, and its children are the tasks."""
        return self.solutions is not None and not self.effort


@dataclass(slots=True)
class Account:
    """What rows come to."""

    solutions: int = 0
    effort: int = 0
    worked: float = 0.0
    """Seconds of workers."""
    finished: int = 0
    open: int = 0
    share: float = 1.0
    """Of the whole, that is done."""

    def add(self, row: Row) -> None:
        if row.solutions is None:
            self.open += 1
            self.share -= row.share
        else:
            self.solutions += row.solutions
            self.effort += row.effort
            self.worked += row.seconds
            self.finished += not row.is_divided


@dataclass(slots=True)
class Book:
    """A ledger that was read: its run, what its rows come to, and all of them that were asked for."""

    run: dict[str, str]
    account: Account = field(default_factory=Account)
    rows: list[Row] = field(default_factory=list)

    @property
    def engine(self) -> str:
        """The engine at work; none, before anything was done."""
        return self.run.get("at work", "")

    @property
    def seconds(self) -> float:
        """What the run has taken so far."""
        return float(self.run.get("seconds", "0"))

    @property
    def complete(self) -> bool:
        """Whether there are known to be no more solutions than these: not of a list that was cut off at a limit."""
        is_cut = self.run.get("question") == "list" and self._is_limited
        return bool(self.engine) and not self.account.open and not is_cut

    @property
    def finished(self) -> bool:
        """Whether there is nothing more to do."""
        return self.complete or self._is_limited

    @property
    def _is_limited(self) -> bool:
        limit = self.run.get("limit")
        return bool(limit and self.account.solutions >= int(limit))


def digest(values: object) -> bytes:
    """A few bytes that will not fit if anything else was changed."""
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def locked(number: int, kind: int) -> bool:
    """Lock a file, if nobody else has."""
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_kind(number: int, path: str, name: str) -> None:
    """Raise LedgerError for a file that is something else: it is not to be touched."""
    head = os.pread(number, 100, 0)
    is_begun = not head.strip(b"\0") and os.path.exists(f"{path}-journal")  # somebody was killed when it was made
    if head and not is_begun:
        application = int.from_bytes(head[APPLICATION_AT : APPLICATION_AT + 4], "big")
        if not head.startswith(HEADER) or application != APPLICATION:
            raise LedgerError(f"{name}: is no ledger")


def connect(path: str) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    file.execute("PRAGMA synchronous = FULL")
    file.execute("PRAGMA trusted_schema = OFF")
    return file


def is_blank(file: sqlite3.Connection) -> bool:
    """Whether there is nothing in a file, or nothing is left when SQLite has taken back what was begun."""
    return file.execute("SELECT * FROM sqlite_master LIMIT 1").fetchone() is None


def is_running(path: str) -> bool:
    """Whether a process is at work on a ledger."""
    number = os.open(path, os.O_RDONLY)
    try:
        return not locked(number, fcntl.LOCK_SH)
    finally:
        os.close(number)


def read(name: str, wanted: Callable[[Row], bool]) -> tuple[Book, bool]:
    """A ledger, with some of its rows, and whether a process is at work on it. Raises LedgerError."""
    title, path = printable(name), os.path.abspath(name)
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe would wait for somebody to write
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) or stat.S_ISCHR(os.fstat(number).st_mode):
                raise LedgerError(f"{title}: is no file")
            if not os.fstat(number).st_size:
                raise LedgerError(f"{title}: is empty")
            check_kind(number, path, title)
        finally:
            os.close(number)
        running = is_running(path)  # before SQLite has it: closing any descriptor of a file lets go of all locks
        with closing(connect(path)) as file:
            return load(file, title, wanted), running
    except SQLITE_ERRORS as error:
        raise damaged(title, error) from None
    except (OSError, ValueError) as error:
        if isinstance(error, LedgerError):
            raise
        raise LedgerError(f"{title}: {getattr(error, 'strerror', None) or error}") from None


def load(file: sqlite3.Connection, name: str, wanted: Callable[[Row], bool]) -> Book:
    """All that is in a ledger, looked through: its run, what its rows come to, and some of them."""
    file.execute("BEGIN")  # all of it at one moment
    try:
        (layout,) = file.execute("PRAGMA user_version").fetchone()
        if layout != LAYOUT:
            raise LedgerError(f"{name}: is the ledger of another version of enumerator")
        if dict(file.execute("SELECT name, sql FROM sqlite_master")) != TABLES:  # nothing else, a trigger for one
            raise Damage("its tables are not ours")
        run = dict(checked_facts(file.execute("SELECT * FROM run")))
        book = Book(run)
        if absent := needed(run) - set(run):
            raise Damage(f"nothing says its {min(absent)}")
        children: dict[int, int] = {}
        for row in checked_rows(file.execute("SELECT * FROM task ORDER BY id")):
            if row.parent:
                if row.parent not in children:
                    raise Damage(f"task {row.id} has no parent")
                children[row.parent] -= 1
            if row.rest:
                children[row.id] = row.rest
            book.account.add(row)
            if wanted(row):
                book.rows.append(row)
        if any(children.values()):
            raise Damage("tasks are missing")
        if bool(book.engine) != bool(book.account.open or book.account.finished):
            raise Damage("its engine and its tasks do not go together")
        return book
    except Damage as damage:
        raise damaged(name, damage) from None
    finally:
        file.execute("ROLLBACK")


def needed(run: dict[str, str]) -> set[str]:
    """What a ledger has to say of its run. Without its mark, a list would begin anew in the middle."""
    always = {"version", "question", "shape", "board", "engine", "cutoff", "limit", "seconds"}
    return always | ({"output", "form", "at work", "bytes", "tail"} if run.get("question") == "list" else set())


class Damage(Exception):  # noqa: N818
    """What is wrong with a ledger."""


def damaged(name: str, reason: object) -> LedgerError:
    """What to say of it, in one line: SQLite quotes what it cannot read."""
    return LedgerError(f"{name}: is damaged ({printable(' '.join(str(reason).split()))})")


def checked_facts(facts: Iterable[tuple[str, str, bytes]]) -> Iterator[tuple[str, str]]:
    for name, value, proof in facts:
        is_ours = isinstance(name, str) and isinstance(value, str) and proof == digest((name, value))
        if not is_ours or not re.fullmatch(FORMS.get(name, ".*"), value, re.ASCII | re.DOTALL):
            raise Damage("what it says of its run was changed")
        yield name, value


def checked_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    """Rows whose digests fit, in the order of a tree: the first is the root, and no other is."""
    for number, (*task, proof, solutions, effort, seconds, rest, outcome) in enumerate(rows):
        found = (solutions, effort, seconds, rest)
        if not (
            tuple(map(type, task)) == (int, int, str, float)
            and proof == digest(tuple(task))
            and (task[1] == 0) == (number == 0)
            and 0 <= task[1] < task[0]
            and 0 <= task[3] <= 1.001
        ):
            raise Damage(f"task {task[0]} was changed")
        if outcome is None and found == (None, None, None, None):
            yield Row(*task)
        elif (
            tuple(map(type, found)) == (str, int, float, int)
            and outcome == digest((task[0], *found))
            and solutions.isdecimal()
            and len(solutions) < MOST_DIGITS
            and min(effort, seconds, rest) >= 0
        ):
            yield Row(task[0], task[1], task[2], task[3], int(solutions), effort, seconds, rest)
        else:
            raise Damage(f"the outcome of task {task[0]} was changed")
