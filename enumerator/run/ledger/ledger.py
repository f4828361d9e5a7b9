"""The ledger: a file that remembers which tasks of a run are done, and what was found in them.

What is in it is the matter of book.py; here it is written. A task is finished and what is left of it is there in one
transaction, or neither.

While a run is under way it holds a lock on the file (flock), which its end takes with it, however it ends. The journal
is SQLite's rollback journal, so that whenever nobody is writing the file alone is the whole ledger.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from contextlib import suppress
from itertools import groupby
from math import inf
from time import monotonic, perf_counter, sleep, strftime
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from enumerator import __version__
from enumerator.board import Board
from enumerator.board.wording import printable
from enumerator.engines import Done
from enumerator.run import Plan, RunLostError
from enumerator.run.executors import unheard
from enumerator.run.ledger.contents import (
    APPLICATION,
    LAYOUT,
    SQLITE_ERRORS,
    TABLES,
    Book,
    LedgerError,
    check_kind,
    connect,
    damaged,
    digest,
    is_blank,
    load,
    locked,
)
from enumerator.run.splitting import Part

COMMIT_SECONDS = 0.5
"""Between two commits of a count: each takes a millisecond of the processor, and more of the disk."""

GLIMPSE = 0.5
"""Seconds for which a lock is waited for: somebody who looks at a ledger has it for a moment."""

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


class News(NamedTuple):
    """What is to be written: the outcome of a task, and the tasks that are left of it."""

    settled: tuple[object, ...] | None
    opened: list[tuple[object, ...]]


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
            with unheard():  # until it is forgotten, too: it would be written twice
                self._write(self._file, facts)
                self.book.run |= facts
                self._news, self._facts, self._committed = [], {}, perf_counter()
        except SQLITE_ERRORS as error:
            raise LedgerLostError(f"{self.name}: {error}") from None

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
