"""The ledger: a file that remembers which tasks of a run are done, and what was found in them. Alone in using SQLite.

    run     what is asked, and how: names and values. A ledger is gone on with by the same question only.
    task    every part that there has been, as a tree:

        1 whole board, 812 solutions, 5,000 nodes, 3 left      open      solutions is NULL: still to be done
        ├── 2 board, 40 solutions, 300 nodes, 0 left           finished  what was found in the part itself, and how
        ├── 3 board, 0 solutions, 0 nodes, 2 left                        many parts were left of it, its children
        │   ├── 5 board, open                                  divided   finished, nothing found: too large for one task
        │   └── 6 board, open
        └── 4 board, open

So the solutions are the sum of all rows, whatever is left to do are the open ones, and no part is in two places. A task
is finished and its children are there in one transaction, or neither.

Nothing in here is trusted: every row has a digest, every part as many children as it says, and a ledger where anything
is amiss is refused. Rows hold text and numbers; nothing that is read is ever executed.

While a run is under way it holds a lock on the file (flock), which its end takes with it, however it ends. The journal
is SQLite's rollback journal, so that whenever nobody is writing the file alone is the whole ledger.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby
from math import inf
from time import monotonic, perf_counter, sleep, strftime
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from enumerator import __version__
from enumerator.board import Board
from enumerator.parallel import Plan, RunLostError
from enumerator.parallel.executors import unheard
from enumerator.parallel.splitting import Part
from enumerator.task import Done
from enumerator.wording import printable

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
COMMIT_SECONDS = 0.5
"""Between two commits of a count: each takes a millisecond of the processor, and more of the disk."""
GLIMPSE = 0.5
"""Seconds for which a lock is waited for: somebody who looks at a ledger has it for a moment."""
BUSY_SECONDS = 60.0
"""How long somebody who reads a ledger may keep us from writing."""

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The latter, where Python cannot read what SQLite says of a file."""
MOST_DIGITS = 4_000
"""A board of 64×64 has fewer solutions than a number with more digits than that; Python reads no more than 4,300."""

FORMS = {
    "at work": "search|contraction",
    "seconds": r"\d{1,12}(\.\d+)?(e-\d+)?",
    "limit": r"\d{0,1003}",
    "bytes": r"\d{1,18}",
    "tail": r"([0-9a-f]{2}){0,64}",
}
"""How the values of a run are written, where that matters."""

LABELS = {
    "version": "another version of enumerator",
    "question": "another question",
    "shape": "a board of another shape",
    "board": "another board",
    "engine": "another engine",
    "cutoff": "another cut-off",
    "limit": "another limit",
    "form": "solutions in another form",
    "output": "another file of solutions",
    "source": "a board of another name",
}
"""What a ledger is of, if it is not ours. Boards are too long to be shown."""


class LedgerError(ValueError):
    """A ledger that cannot be used. Says which, and why."""


class LedgerLostError(RunLostError):
    """A ledger that cannot be written to any more. What it had, it still has."""


def asked(question: str, board: Board, plan: Plan) -> dict[str, str]:
    """What a ledger is of."""
    return {
        "version": __version__,
        "question": question,
        "shape": str(board.shape),
        "board": str(board),
        "engine": plan.engine,
        "cutoff": "" if plan.cutoff is None else str(plan.cutoff),
        "limit": "" if plan.limit is None else str(plan.limit),
    }


class Kind(Protocol):
    """What kind of work there is in the tasks of a ledger: of a count, a `Job` says it."""

    @property
    def engine(self) -> str: ...
    def part(self, load: bytes, share: float, row: int = 0) -> Part: ...
    def text(self, load: bytes) -> str:
        """A load as a ledger has it."""
        ...

    def load(self, text: str) -> bytes:
        """A load that a ledger had; raises ValueError for anything else."""
        ...


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


class News(NamedTuple):
    """What is to be written: the outcome of a task, and the tasks that are left of it."""

    settled: tuple[object, ...] | None
    opened: list[tuple[object, ...]]


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
        """Whether there are no more solutions than these."""
        return bool(self.engine) and not self.account.open

    @property
    def finished(self) -> bool:
        """Whether there is nothing more to do."""
        limit = self.run.get("limit")
        return self.complete or bool(limit and self.account.solutions >= int(limit))


def digest(values: object) -> bytes:
    """A few bytes that will not fit if anything else was changed."""
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).digest()


class Ledger:
    """The ledger of one run, while that is under way. It has to be used by one thread."""

    def __init__(self, name: str, question: dict[str, str], about: dict[str, str] | None = None) -> None:
        """Make a ledger for a question, or open the one there is. `about` is written down and never compared.

        Raises LedgerError for a ledger of anything else, for one in use or damaged, and where there can be none.
        """
        self.name, self.path = printable(name), os.path.abspath(name)
        self._lock = lock(self.name, self.path)
        self.is_new = False
        """Nothing is written in it yet."""
        self._started, self._next = perf_counter(), 1
        self._news: list[News] = []
        self._committed = -inf
        self._job: Kind | None = None
        self._facts: dict[str, str] = {}
        try:
            check_kind(self._lock, self.path, self.name)
            self._file = connect(self.path)
            self.is_new = is_blank(self._file)
            if self.is_new:
                self.book = Book({**question, **(about or {}), "created": strftime("%Y-%m-%d %H:%M:%S%z")})
                self._facts = dict(self.book.run)
            else:
                self.book = load(self._file, self.name, lambda row: row.is_open)
                self._refuse_others(question)
                self._refuse_broken()
                (last,) = self._file.execute("SELECT ifnull(max(id), 0) FROM task").fetchone()
                self._next = last + 1
        except SQLITE_ERRORS as error:
            self.close()
            raise damaged(self.name, error) from None
        except BaseException:
            self.close()
            raise
        self._before = self.book.seconds

    def _refuse_others(self, question: dict[str, str]) -> None:
        for label, words in LABELS.items():
            there, here = self.book.run.get(label, ""), question.get(label, "")
            if there != here:
                values = f": {there or 'none'} there, {here or 'none'} here"
                raise LedgerError(
                    f"{self.name}: is the ledger of {words}{'' if label == 'board' else printable(values)}"
                )

    def _refuse_broken(self) -> None:
        """What SQLite itself finds wrong, in pages that nothing was read from for one: it would be written to them."""
        (found,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise damaged(self.name, found)

    # -------------------------------------------------------------------------------------------- what is known

    @property
    def engine(self) -> str:
        return self.book.engine

    def parts(self, job: Kind) -> list[Part]:
        """What is still to be done: what was left last comes first."""
        self._job = job
        families = [list(rows) for _, rows in groupby(self.book.rows, lambda row: row.parent)]
        try:
            return [job.part(job.load(row.work), row.share, row.id) for rows in reversed(families) for row in rows]
        except ValueError as error:
            raise damaged(self.name, error) from None

    # ------------------------------------------------------------------------------------------ what is new

    def begin(self, job: Kind, whole: bytes) -> Part:
        """Begin with the whole, as one task. What another engine has done is dropped."""
        self._job, self._next = job, 1
        (root,), row = self._open(0, [job.part(whole, 1.0)])
        self._facts["at work"] = job.engine
        self._news = [News(None, row)]
        return root

    def settle(self, part: Part, done: Done, left: list[Part]) -> list[Part]:
        """See `splitting.Record`."""
        outcome = (str(done.solutions), done.effort, done.seconds, len(left))
        opened, rows = self._open(part.row, left)
        # at one stroke: an interrupt comes before it or behind it
        self._news.append(News((*outcome, digest((part.row, *outcome)), part.row), rows))
        return opened

    def note(self, **facts: str) -> None:
        """Write something down about the run."""
        self._facts.update(facts)

    def _open(self, parent: int, parts: list[Part]) -> tuple[list[Part], list[tuple[object, ...]]]:
        """Parts with their places in the ledger, and the rows for them."""
        if self._job is None:
            raise RuntimeError("a ledger without a job has no tasks")
        opened = [part._replace(row=number) for number, part in enumerate(parts, self._next)]
        self._next += len(opened)
        tasks = [(part.row, parent, self._job.text(part.load), part.share) for part in opened]
        return opened, [(*task, digest(task)) for task in tasks]

    def commit(self, last: bool = False) -> None:
        """Have all that is new on the disk, if this is the last chance or some time has passed since the last time.

        An interrupt waits for it. Raises LedgerLostError.
        """
        if not (self._news or self._facts) or not (last or perf_counter() - self._committed > COMMIT_SECONDS):
            return
        facts = {**self._facts, "seconds": repr(self._before + perf_counter() - self._started)}
        try:
            with unheard():
                self._write(self._file, facts)
        except SQLITE_ERRORS as error:
            raise LedgerLostError(f"{self.name}: {error}") from None
        self.book.run |= facts
        self._news, self._facts, self._committed = [], {}, perf_counter()

    def _write(self, file: sqlite3.Connection, facts: dict[str, str]) -> None:
        file.execute("BEGIN IMMEDIATE")
        try:
            if self.is_new:
                file.execute(f"PRAGMA application_id = {APPLICATION}")
                file.execute(f"PRAGMA user_version = {LAYOUT}")
                for table in TABLES.values():
                    file.execute(table)
            if "at work" in facts:
                file.execute("DELETE FROM task")
            values = [(name, value, digest((name, value))) for name, value in facts.items()]
            file.executemany("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", values)
            opened = [row for news in self._news for row in news.opened]
            settled = [news.settled for news in self._news if news.settled]
            file.executemany("INSERT INTO task (id, parent, work, share, digest) VALUES (?, ?, ?, ?, ?)", opened)
            file.executemany(
                "UPDATE task SET solutions = ?, effort = ?, seconds = ?, rest = ?, outcome = ? WHERE id = ?", settled
            )
            file.execute("COMMIT")
            self.is_new = False
        except BaseException:
            with suppress(sqlite3.Error):
                file.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Let go of the file. One in which nothing was written is gone with it."""
        with suppress(sqlite3.Error, AttributeError):
            self._file.close()
        if self.is_new:
            with suppress(OSError):
                os.unlink(self.path)
        os.close(self._lock)  # only now: SQLite's own locks are gone with any descriptor of the file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# ----------------------------------------------------------------------------------------------------- files


def lock(name: str, path: str) -> int:
    """A descriptor of a ledger: nobody else can have one while it is open. The file is made if there is none."""
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise LedgerError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise LedgerError(f"{name}: is no file")
        deadline = monotonic() + GLIMPSE
        while not locked(number, fcntl.LOCK_EX):
            if monotonic() > deadline:
                raise LedgerError(f"{name}: another process is at work on this ledger")
            sleep(0.01)
        is_there = os.path.exists(path) and os.path.samestat(os.fstat(number), os.stat(path))
    except BaseException:
        os.close(number)
        raise
    if not is_there:  # who had it has written nothing, and has taken the file away
        os.close(number)
        return lock(name, path)
    return number


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
