"""The contents of a ledger file, and their validation. The file has two tables:

    run     facts about the run, as names and values: see facts.py
    task    every part of the run so far, as a tree:

        1 whole board, 812 solutions, 5,000 nodes, 3 left
        ├── 2 board, 40 solutions, 300 nodes, 0 left
        ├── 3 board, 0 solutions, 0 nodes, 2 left
        │   ├── 5 board, open
        │   └── 6 board, open
        └── 4 board, open

A part is in one of three states:

    open        not done yet: `solutions` is NULL
    finished    `solutions` were found in the part itself; `rest` parts were left, its children
    divided     finished without any work, because the part was too large for one task

So the number of solutions is the sum over all rows, and the open parts are the remaining work. (If the fact
`solutions` says their number, the parts are those of another count, of solutions that symmetries fix.) No
part is counted twice: the share of a part is exactly what was done of it and the shares of its
children. So the finished and the open shares add up to 1.

The file is not trusted. Every row has a checksum, and the number of children of every part and their
shares are checked. A ledger with any fault is refused. Rows hold text and numbers; nothing that is read is
executed.
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

from gmpy2 import mpq

from enumerator import engines
from enumerator.engines.shares import from_text
from enumerator.run.ledger.facts import AT_WORK, PATTERNS, required_facts
from enumerator.text.errors import EnumeratorError
from enumerator.text.phrases import plural, printable

APPLICATION = 0x53646B4C
"""SQLite's application_id of a ledger. The command `file` shows it."""

LAYOUT = 2
"""SQLite's user_version: the version of the tables below."""

TABLES = {
    "run": "CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID",
    "task": """CREATE TABLE task (
        id INTEGER PRIMARY KEY,
        parent INTEGER NOT NULL, -- 0: this is the whole
        work TEXT NOT NULL,      -- a board, or a range of the items of a sum
        share TEXT NOT NULL,     -- of the whole: a fraction of hexadecimal numbers
        digest BLOB NOT NULL,    -- of the columns so far
        solutions TEXT,          -- they may be too many for an integer of SQLite's
        effort INTEGER,          -- nodes, or units of the contraction
        seconds REAL,
        rest INTEGER,            -- how many children it has
        done TEXT,               -- its share without those of its children
        outcome BLOB             -- the digest of these five, and of the id
    )""",
}

HEADER, APPLICATION_AT = b"SQLite format 3\0", 68

BUSY_SECONDS = 60.0
"""The timeout of a run that waits for a reader of its ledger."""

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The errors of a corrupted file. UnicodeDecodeError means that Python cannot decode SQLite's message."""

NONE = mpq()
"""The share of nothing."""

MOST_DIGITS = 4_000
"""The largest number of digits of a count in a ledger.

The number of solutions of a 64×64 board has fewer, and Python parses at most 4,300.
"""


class LedgerError(EnumeratorError, ValueError):
    """A checkpoint cannot be used. The message says which, and why.

    >>> en.count("1234 3412 .... ....", checkpoint="run.db")
    4
    >>> try:
    ...     en.count("1234 .... .... ....", checkpoint="run.db")
    ... except en.LedgerError as error:
    ...     print("run.db" in str(error))
    True
    """


class LedgerRow(NamedTuple):
    """A row of a ledger: one part."""

    id: int
    parent: int
    work: str
    share: mpq
    solutions: int | None = None
    """The number of solutions found; None if the part is open."""
    effort: int = 0
    seconds: float = 0.0
    rest: int = 0
    done: mpq = NONE
    """The share of the part without those of its children; 0 if the part is open."""

    @property
    def is_open(self) -> bool:
        return self.solutions is None

    @property
    def is_divided(self) -> bool:
        """True if the part was too large for one task and was divided without any work."""
        return self.solutions is not None and not self.effort


@dataclass(slots=True)
class Totals:
    """The sums over all rows."""

    solutions: int = 0
    effort: int = 0
    worked: float = 0.0
    """The total seconds of all workers."""
    finished: int = 0
    open: int = 0
    share: mpq = NONE
    """The share of the whole that is done."""

    def add(self, row: LedgerRow) -> None:
        if row.solutions is None:
            self.open += 1
        else:
            self.solutions += row.solutions
            self.effort += row.effort
            self.worked += row.seconds
            self.share += row.done
            self.finished += not row.is_divided


@dataclass(slots=True)
class LedgerContents:
    """The contents of a ledger: the facts about its run, the totals, and the requested rows."""

    run: dict[str, str]
    totals: Totals = field(default_factory=Totals)
    rows: list[LedgerRow] = field(default_factory=list)

    @property
    def engine(self) -> str:
        """The name of the present engine; empty before any work was done."""
        return self.run.get(AT_WORK, "")

    @property
    def seconds(self) -> float:
        """The time of the run so far, in seconds."""
        return float(self.run.get("seconds", "0"))

    @property
    def solutions(self) -> int:
        """The number of solutions that were found. After their count, the parts may be about other numbers."""
        return int(self.run.get("solutions", self.totals.solutions))

    @property
    def has_all(self) -> bool:
        """True if `solutions` is the number of all solutions."""
        return "solutions" in self.run or self.complete

    @property
    def complete(self) -> bool:
        """True if all is done. A list that ended at its limit is not complete."""
        is_cut = self.run.get("question") == "list" and self._is_limited
        is_first = self.run.get("question") == "different" and "solutions" not in self.run
        return bool(self.engine) and not (self.totals.open or is_cut or is_first)

    @property
    def finished(self) -> bool:
        """True if nothing is left to do."""
        return self.complete or self._is_limited

    @property
    def _is_limited(self) -> bool:
        """True if there is enough: a list ends at its limit, and a count at one solution more."""
        limit = self.run.get("limit")
        return bool(limit and self.totals.solutions >= int(limit) + (self.run.get("question") != "list"))


def checksum(values: object) -> bytes:
    """Return the checksum of a row, or of its outcome."""
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def try_lock(number: int, kind: int) -> bool:
    """Lock a file; return False if another process holds the lock."""
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_kind(number: int, path: str, name: str) -> None:
    """Raise LedgerError if a file is not a ledger, so that no other file is modified."""
    head = os.pread(number, 100, 0)
    is_started = not head.strip(b"\0") and os.path.exists(f"{path}-journal")  # its creator was killed
    if head and not is_started:
        application = int.from_bytes(head[APPLICATION_AT : APPLICATION_AT + 4], "big")
        if not head.startswith(HEADER) or application != APPLICATION:
            raise LedgerError(f"{name}: is not a ledger")


def connect(path: str, synchronous: bool = True) -> sqlite3.Connection:
    """Open a ledger. Unless `synchronous`, commits do not wait for the disk."""
    file = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        file.execute(f"PRAGMA synchronous = {'FULL' if synchronous else 'OFF'}")
        file.execute("PRAGMA trusted_schema = OFF")
    except BaseException:  # a damaged file; Python 3.13 warns of a connection that is never closed
        file.close()
        raise
    return file


def is_blank(file: sqlite3.Connection) -> bool:
    """Return True if a file has no tables, possibly after SQLite has rolled back a transaction."""
    return file.execute("SELECT * FROM sqlite_master LIMIT 1").fetchone() is None


def is_running(path: str) -> bool:
    """Return True if a process is using a ledger."""
    number = os.open(path, os.O_RDONLY)
    try:
        return not try_lock(number, fcntl.LOCK_SH)
    finally:
        os.close(number)


def absolute_path(name: str) -> str:
    """Return the absolute path of a ledger. Raise LedgerError if the current folder was removed."""
    try:
        return os.path.abspath(name)
    except OSError as error:
        raise LedgerError(f"{printable(name)}: {error.strerror or error}") from None


def read_ledger(name: str, wanted: Callable[[LedgerRow], bool]) -> tuple[LedgerContents, bool]:
    """Return the contents of a ledger with the `wanted` rows, and True if a process is using it.

    Raise LedgerError if the file is not a valid ledger.
    """
    title, path = printable(name), absolute_path(name)
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe would wait for a writer
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) or stat.S_ISCHR(os.fstat(number).st_mode):
                raise LedgerError(f"{title}: is not a regular file")
            if not os.fstat(number).st_size:
                raise LedgerError(f"{title}: is empty: {NOTHING_RECORDED}")
            check_kind(number, path, title)
        finally:
            os.close(number)
        running = is_running(path)  # before SQLite opens it: closing any descriptor releases all its locks
        with closing(connect(path)) as file:
            if is_blank(file):
                raise LedgerError(f"{title}: {NOTHING_RECORDED}")
            return load(file, title, wanted), running
    except SQLITE_ERRORS as error:
        raise corrupted(title, error) from None
    except (OSError, ValueError) as error:
        if isinstance(error, LedgerError):
            raise
        raise LedgerError(f"{title}: {getattr(error, 'strerror', None) or error}") from None


def load(file: sqlite3.Connection, name: str, wanted: Callable[[LedgerRow], bool]) -> LedgerContents:
    """Validate a whole ledger, and return its contents with the `wanted` rows."""
    file.execute("BEGIN")  # a snapshot
    try:
        (layout,) = file.execute("PRAGMA user_version").fetchone()
        if layout != LAYOUT:
            raise LedgerError(f"{name}: is the ledger of another version of enumerator")
        if dict(file.execute("SELECT name, sql FROM sqlite_master")) != TABLES:  # and no trigger or view
            raise Damage("its tables are not ours")
        run = dict(check_facts(file.execute("SELECT * FROM run")))
        contents = LedgerContents(run)
        if absent := required_facts(run.get("question", "")) - set(run):
            raise Damage(f"nothing says its {min(absent)}")
        families: dict[int, Family] = {}
        for row in check_rows(file.execute("SELECT * FROM task ORDER BY id")):
            if row.parent:
                if row.parent not in families:
                    raise Damage(f"task {row.id} has no parent")
                families[row.parent].add(row)
            if not row.is_open:
                families[row.id] = Family(row.rest, row.share - row.done)
            contents.totals.add(row)
            if wanted(row):
                contents.rows.append(row)
        check_families(families)
        if bool(contents.engine) != bool(contents.totals.open or contents.totals.finished):
            raise Damage("its engine and its tasks do not go together")
        return contents
    except Damage as damage:
        raise corrupted(name, damage) from None
    finally:
        file.execute("ROLLBACK")


@dataclass(slots=True)
class Family:
    """The children of a part that are still to be read: their number, and their shares together."""

    missing: int
    share: mpq

    def add(self, child: LedgerRow) -> None:
        self.missing -= 1
        self.share -= child.share


def check_families(families: dict[int, Family]) -> None:
    """Raise Damage unless every part has its children, and its share is that of all of them and its own."""
    for number, family in families.items():
        if family.missing:
            raise Damage(f"tasks are missing: {plural(abs(family.missing), 'part')} that task {number} has left")
        if family.share:
            raise Damage(f"the shares of task {number} and of what it has left do not add up")


NOTHING_RECORDED = "nothing is recorded in it yet; the command that made it starts anew"
"""What is said of a ledger whose run has ended, or was killed, before its first commit."""


class Damage(Exception):  # noqa: N818
    """A fault in a ledger."""


def corrupted(name: str, reason: object) -> LedgerError:
    """Return the error for a corrupted ledger, on one line. Messages of SQLite may quote raw bytes."""
    return LedgerError(f"{name}: is damaged ({printable(' '.join(str(reason).split()))})")


def check_facts(facts: Iterable[tuple[str, str, bytes]]) -> Iterator[tuple[str, str]]:
    for name, value, proof in facts:
        is_ours = isinstance(name, str) and isinstance(value, str) and proof == checksum((name, value))
        is_known = name != AT_WORK or value in engines.MODULES
        if not (is_ours and is_known and re.fullmatch(PATTERNS.get(name, ".*"), value, re.ASCII | re.DOTALL)):
            raise Damage("what it says of its run was changed")
        yield name, value


def check_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[LedgerRow]:
    """Yield the rows, parents before children; raise Damage at the first invalid one.

    Checksums must match, and only the first row is the root.
    """
    for number, (*task, proof, solutions, effort, seconds, rest, done, outcome) in enumerate(rows):
        found = (solutions, effort, seconds, rest, done)
        if not (
            tuple(map(type, task)) == (int, int, str, str)
            and proof == checksum(tuple(task))
            and (task[1] == 0) == (number == 0)
            and 0 <= task[1] < task[0]
            and (number or task[3] == "1")
        ):
            raise Damage(f"task {task[0]} was changed")
        share = check_share(task[0], task[3])
        if outcome is None and not any(value is not None for value in found):
            yield LedgerRow(task[0], task[1], task[2], share)
        elif (
            tuple(map(type, found)) == (str, int, float, int, str)
            and outcome == checksum((task[0], *found))
            and solutions.isdecimal()
            and len(solutions) < MOST_DIGITS
            and min(effort, seconds, rest) >= 0
        ):
            done = check_share(task[0], done)
            yield LedgerRow(task[0], task[1], task[2], share, int(solutions), effort, seconds, rest, done)
        else:
            raise Damage(f"the outcome of task {task[0]} was changed")


def check_share(number: int, text: str) -> mpq:
    """Return a share of a task; raise Damage if it is not one."""
    try:
        return from_text(text)
    except ValueError:
        raise Damage(f"the share of task {number} was changed") from None
