"""Writing a ledger during its run. contents.py describes the contents of the file.

One transaction both finishes a part and adds the parts that were left of it.

A run holds a lock on its file (flock). The lock ends with the process, however the process ends.
The journal is SQLite's rollback journal: between two commits the file alone is the whole ledger.

Failures of a commit:

    the file was removed, moved or replaced   the run goes on without a ledger, and says so once
    anything else, such as a full disk        LedgerLostError ends the run; what was committed is kept
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from math import inf
from time import monotonic, perf_counter, sleep, strftime
from types import TracebackType
from typing import NamedTuple, Protocol, Self
from warnings import warn

from gmpy2 import mpq

from enumerator import __version__, engines
from enumerator.board import Board
from enumerator.engines import Part, PartResult
from enumerator.engines.shares import WHOLE, to_text, total
from enumerator.run.endings import RunLostError
from enumerator.run.ledger.contents import (
    APPLICATION,
    LAYOUT,
    SQLITE_ERRORS,
    TABLES,
    LedgerContents,
    LedgerError,
    absolute_path,
    check_kind,
    checksum,
    connect,
    corrupted,
    is_blank,
    load,
    try_lock,
)
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import Plan
from enumerator.run.signals import deferred_signals
from enumerator.text.phrases import printable

DIFFERENCES = {
    "question": "another question",
    "shape": "a board of another shape",
    "board": "another board",
    "engine": "another engine",
    "cutoff": "another cut-off",
    "limit": "another limit",
    "form": "solutions in another form",
    "output": "another file of solutions",
    "source": "a board of another name",
    "search": "another version of the search for fixed solutions",
}
"""The facts that are compared between a ledger and a run, and the message for a difference."""

ENGINE_VERSION = "engine version"
"""The fact with the version of the order and cut of the engine at work."""


class LedgerLostError(RunLostError):
    """A ledger can no longer be written. It keeps everything that was committed."""


def run_identity(question: str, board: Board, plan: Plan) -> dict[str, str]:
    """Return the facts that identify a run.

    A ledger is resumed only by a run with the same `DIFFERENCES`. Another version of this package
    may resume it: `check_engine_version` compares that of the engine.
    """
    return {
        "version": __version__,
        "question": question,
        "shape": str(board.shape),
        "board": str(board),
        "engine": plan.engine,
        "cutoff": "" if plan.cutoff is None else str(plan.cutoff),
        "limit": "" if plan.limit is None else str(plan.limit),
    }


class PartCodec(Protocol):
    """A conversion between parts and the text in a ledger: a `Job`, or a list."""

    @property
    def engine(self) -> str: ...
    def part(self, load: bytes, share: mpq, row: int = 0) -> Part: ...
    def text(self, load: bytes) -> str:
        """Return a load as text, for a ledger."""
        ...

    def load(self, text: str) -> bytes:
        """Return the load for a text from a ledger; raise ValueError if it is not one."""
        ...


class PendingRow(NamedTuple):
    """The rows to write for one part: its outcome, and the parts that are left of it."""

    settled: tuple[object, ...] | None
    opened: list[tuple[object, ...]]


class Ledger:
    """The ledger of a run in progress. Only one thread may use it."""

    is_kept = True

    def __init__(
        self,
        name: str,
        identity: dict[str, str],
        about: dict[str, str] | None = None,
        pacing: Pacing = DEFAULT_PACING,
        on_message: Callable[[str], None] = warn,
    ) -> None:
        """Create the ledger of a run, or open it if it exists.

        `identity` must match the facts of an existing ledger. `about` has more facts, which are
        stored and never compared. `on_message` is called with a message if the file is removed during the
        run. Raise LedgerError if the ledger belongs to another run, is in use, is corrupted, or
        cannot be created.
        """
        self.name, self.path, self._pacing, self._on_message = printable(name), absolute_path(name), pacing, on_message
        self._lock = lock_file(self.name, self.path, pacing.lock_seconds)
        self.is_new = False
        """True until something has been written to the ledger."""
        self.is_lost = False
        """True if the ledger can no longer be written. Results are no longer recorded then."""
        self._started, self._next = perf_counter(), 1
        self._pending: list[PendingRow] = []
        self._committed = -inf
        self._codec: PartCodec | None = None
        self._facts: dict[str, str] = {}
        try:
            check_kind(self._lock, self.path, self.name)
            self._file = connect(self.path, pacing.synchronous)
            self.is_new = is_blank(self._file)
            if self.is_new:
                created = strftime("%Y-%m-%d %H:%M:%S%z")
                self.contents = LedgerContents({**identity, **(about or {}), "created": created})
                self._facts = dict(self.contents.run)
            else:
                self.contents = load(self._file, self.name, lambda row: row.is_open)
                self._refuse_others(identity)
                check_engine_version(self.name, self.contents)
                self._refuse_broken()
                (last,) = self._file.execute("SELECT ifnull(max(id), 0) FROM task").fetchone()
                self._next = last + 1
        except SQLITE_ERRORS as error:
            self.close()
            raise corrupted(self.name, error) from None
        except BaseException:
            self.close()
            raise
        self._before = self.contents.seconds

    def _refuse_others(self, identity: dict[str, str]) -> None:
        for label, words in DIFFERENCES.items():
            there, here = self.contents.run.get(label, ""), identity.get(label, "")
            if there != here:
                values = f": {there or 'none'} there, {here or 'none'} here"
                raise LedgerError(
                    f"{self.name}: is the ledger of {words}{'' if label == 'board' else printable(values)}"
                )

    def _refuse_broken(self) -> None:
        """Raise LedgerError if SQLite finds a corrupted page, even one that `load` has not read."""
        (found,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise corrupted(self.name, found)

    # -------------------------------------------------------------------------------------------- reading

    @property
    def engine(self) -> str:
        """The name of the present engine; empty before any work was done."""
        return self.contents.engine

    @property
    def changes(self) -> int:
        """The number of times that the count has started anew with another engine which was faster."""
        return int(self._facts.get("changes") or self.contents.run.get("changes", "0"))

    def parts(self, codec: PartCodec) -> list[Part]:
        """Return the open parts. Those that were added last come first."""
        self._codec = codec
        families = [list(rows) for _, rows in groupby(self.contents.rows, lambda row: row.parent)]
        try:
            return [codec.part(codec.load(row.work), row.share, row.id) for rows in reversed(families) for row in rows]
        except ValueError as error:
            raise corrupted(self.name, error) from None

    # -------------------------------------------------------------------------------------------- writing

    def begin(self, codec: PartCodec, whole: bytes) -> Part:
        """Begin with the whole work as one part. The results of another engine are dropped."""
        self._codec, self._next = codec, 1
        (root,), row = self._open_parts(0, [codec.part(whole, WHOLE)])
        self._facts |= {"at work": codec.engine, ENGINE_VERSION: str(engines.get(codec.engine).version)}
        self._pending = [PendingRow(None, row)]
        return root

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Record the result of a part (see `engines.Record`)."""
        done = part.share - total(one.share for one in left)
        outcome = (str(result.solutions), result.effort, result.seconds, len(left), to_text(done))
        opened, rows = self._open_parts(part.row, left)
        if self.is_lost:
            return opened
        # a single append: an interrupt arrives before it or after it
        self._pending.append(PendingRow((*outcome, checksum((part.row, *outcome)), part.row), rows))
        return opened

    def note(self, **facts: str) -> None:
        """Add facts about the run, to be written with the next commit."""
        self._facts.update(facts)

    def _open_parts(self, parent: int, parts: list[Part]) -> tuple[list[Part], list[tuple[object, ...]]]:
        """Return the parts with the numbers of their rows, and the rows themselves."""
        if self._codec is None:
            raise RuntimeError("a ledger was not started")
        opened = [part._replace(row=number) for number, part in enumerate(parts, self._next)]
        self._next += len(opened)
        tasks = [(part.row, parent, self._codec.text(part.load), to_text(part.share)) for part in opened]
        return opened, [(*task, checksum(task)) for task in tasks]

    def commit(self, last: bool = False) -> None:
        """Write pending rows and facts to disk, if `last` is True or `commit_seconds` have passed.

        Interrupts are deferred meanwhile. Raise LedgerLostError on failure. If the file was removed
        or replaced, say so and record nothing from then on.
        """
        due = last or perf_counter() - self._committed > self._pacing.commit_seconds
        if self.is_lost or not (self._pending or self._facts) or not due:
            return
        if not is_same_file(self._lock, self.path):
            self._leave()
            return
        facts = {**self._facts, "seconds": repr(self._before + perf_counter() - self._started)}
        try:
            with deferred_signals():  # an interrupt before the lists are cleared would write them twice
                self._write(self._file, facts)
                self.contents.run |= facts
                self._pending, self._facts, self._committed = [], {}, perf_counter()
        except SQLITE_ERRORS as error:
            if not is_same_file(self._lock, self.path):
                self._leave()
                return
            self.is_lost = True
            raise LedgerLostError(f"{self.name}: {error}") from None

    def _leave(self) -> None:
        """Record nothing from here on, because the file is no longer that of this run."""
        self.is_lost, self._pending, self._facts = True, [], {}
        what = "replaced by another file" if os.path.exists(self.path) else "removed or moved"
        self._on_message(f"{self.name}: the ledger was {what}: the run goes on, but cannot be resumed")

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
            values = [(name, value, checksum((name, value))) for name, value in facts.items()]
            file.executemany("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", values)
            opened = [row for pending in self._pending for row in pending.opened]
            settled = [pending.settled for pending in self._pending if pending.settled]
            file.executemany("INSERT INTO task (id, parent, work, share, digest) VALUES (?, ?, ?, ?, ?)", opened)
            file.executemany(
                "UPDATE task SET solutions = ?, effort = ?, seconds = ?, rest = ?, done = ?, outcome = ? WHERE id = ?",
                settled,
            )
            file.execute("COMMIT")
            self.is_new = False
        except BaseException:
            with suppress(sqlite3.Error):
                file.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Release the file, and remove it if nothing was written to it."""
        with suppress(sqlite3.Error, AttributeError):
            self._file.close()
        if self.is_new and is_same_file(self._lock, self.path):
            with suppress(OSError):
                os.unlink(self.path)
        os.close(self._lock)  # last, because closing any descriptor of a file releases SQLite's locks

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_engine_version(name: str, contents: LedgerContents) -> None:
    """Raise LedgerError if the engine of a ledger divides or orders its work in another way now."""
    if not contents.engine:
        return
    there, here = contents.run.get(ENGINE_VERSION, "none"), engines.get(contents.engine).version
    if there != str(here):
        raise LedgerError(
            f"{name}: is the ledger of another version of the engine {contents.engine}: "
            f"{printable(there)} there, {here} here; written by enumerator {printable(contents.run['version'])}"
        )


def is_same_file(number: int, path: str) -> bool:
    """Return True if a descriptor is that of the file at `path`."""
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except OSError:
        return False


def lock_file(name: str, path: str, seconds: float) -> int:
    """Lock a ledger and return its descriptor. The file is created if it does not exist."""
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise LedgerError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise LedgerError(f"{name}: is not a regular file")
        deadline = monotonic() + seconds
        while not try_lock(number, fcntl.LOCK_EX):
            if monotonic() > deadline:
                raise LedgerError(f"{name}: another process is at work on this ledger")
            sleep(0.01)
        is_there = is_same_file(number, path)
    except BaseException:
        os.close(number)
        raise
    if not is_there:  # its owner has written nothing and has removed the file
        os.close(number)
        return lock_file(name, path, seconds)
    return number
