"""Target: ledgers that were tampered with."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bench.check.targets.inputs import Input
from enumerator.board import Board
from enumerator.board.shape import Shape
from enumerator.command.views.status import VIEW as STATUS_VIEW
from enumerator.engines import Job, search
from enumerator.engines.contraction.ranges import Ranges
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.shares import exact_shares
from enumerator.questions.status import status
from enumerator.run.counting import tallies
from enumerator.run.endings import RunLostError
from enumerator.run.ledger import Ledger, run_identity
from enumerator.run.ledger.contents import LedgerError, checksum
from enumerator.run.plan import Plan


class Case(NamedTuple):
    """A ledger of an unfinished run: its bytes, its board and plan, and the right answer."""

    content: bytes
    board: Board
    plan: Plan
    solutions: int


@lru_cache
def all_cases() -> list[Case]:
    """Return ledgers of both engines, and one in which nothing is left to do."""
    few, many = Board.parse("1234............"), Board.empty(Shape(2, 2))
    cases = [(few, "search", 3), (many, "search", 40), (many, "contraction", 1), (few, "search", 1000)]
    return [unfinished_run(board, Plan(cores=1, engine=engine), budget) for board, engine, budget in cases]


def unfinished_run(board: Board, plan: Plan, budget: int) -> Case:
    """Return a ledger after three tasks of `budget` each."""
    job: Job = SEARCH.tree(board.shape) if plan.engine == "search" else Ranges(board)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.db")
        with Ledger(path, run_identity("count", board, plan)) as ledger:
            open_parts = [ledger.begin(job, job.whole(board))]
            for _ in range(3):
                if open_parts:
                    part = open_parts.pop()
                    (done,) = job.work([part.load], budget, 1_000_000, 1.0).parts
                    left = [job.part(load, share) for load, share in exact_shares(part.share, done.rest)]
                    open_parts += ledger.close_part(part, done._replace(seconds=0.5), left)
            ledger.note(created="then")
            ledger.commit(last=True)
        return Case(Path(path).read_bytes(), board, plan, search.count(board))


def check(data: bytes) -> None:
    """A damaged ledger is refused and left unchanged, or the count is right all the same."""
    given = Input(data)
    case, kind = all_cases()[given.number() % len(all_cases())], given.number() % 6
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.db")
        corrupt(path, case.content, kind, given)
        before = path.read_bytes()
        with suppress(LedgerError):
            answer = status(str(path))
            assert not answer.running
            STATUS_VIEW.as_text("run.db", answer)
            STATUS_VIEW.as_json("run.db", answer)
        try:
            with Ledger(str(path), run_identity("count", case.board, case.plan)) as ledger:
                *_, last = tallies(case.board, case.plan, ledger=ledger)
        except LedgerError:
            assert not before or kind == 2 or path.read_bytes() == before, "a ledger was refused, and changed"
        except RunLostError:
            assert kind in (2, 3), "a ledger was read, and cannot be written to"
        else:
            assert kind == 5 or (last.solutions, last.complete) == (case.solutions, True), "a wrong count"


def corrupt(path: Path, content: bytes, kind: int, given: Input) -> None:
    """Damage a ledger.

    Kinds: 0 replace it, 1 cut and append, 2 add a journal, 3 flip bytes, 4 change rows, 5 forge.
    """
    path.write_bytes(content)
    if kind == 0:
        path.write_bytes(given.data)
    elif kind == 1:
        path.write_bytes(content[: int.from_bytes(given.take(2), "big") % len(content)] + given.data)
    elif kind == 2:
        path.with_name(f"{path.name}-journal").write_bytes(given.data)
    elif kind == 3:
        changed = bytearray(content)
        while given.data:
            changed[int.from_bytes(given.take(2), "big") % len(changed)] ^= given.number()
        path.write_bytes(changed)
    else:
        tamper(path, given, forge=kind == 5)


def tamper(path: Path, given: Input, forge: bool) -> None:
    """Change something in the tables; if `forge`, with the checksums that belong to it."""
    columns = ["parent", "work", "share", "solutions", "effort", "seconds", "rest", "id", "done"]
    with closing(sqlite3.connect(path, isolation_level=None)) as file, suppress(sqlite3.Error):
        (rows,) = file.execute("SELECT count(*) FROM task").fetchone()
        row, column = 1 + given.number() % rows, columns[given.number() % len(columns)]
        what = given.number() % 8
        text = given.data.decode("latin-1")
        values = [None, text, given.data, 0, -1, 2**40, 0.25, f"{len(text)}"]
        if what == 7 and not forge:
            file.execute(given.data.decode("latin-1"))
        file.execute(f"UPDATE task SET {column} = ? WHERE id = ?", (values[what], row))
        if forge:
            for number, *task in file.execute("SELECT rowid, id, parent, work, share FROM task").fetchall():
                file.execute("UPDATE task SET digest = ? WHERE rowid = ?", (checksum(tuple(task)), number))
            query = "SELECT id, solutions, effort, seconds, rest, done FROM task WHERE outcome IS NOT NULL"
            for outcome in file.execute(query).fetchall():
                file.execute("UPDATE task SET outcome = ? WHERE id = ?", (checksum(outcome), outcome[0]))


def seeds() -> Iterator[bytes]:
    for case in range(len(all_cases())):
        head = bytes([case])
        yield head + b"\0"
        yield head + b"\0" + all_cases()[case].content[:2000]
        yield head + b"\x01\x20\x00"
        yield head + b"\x02" + all_cases()[case].content[:600]
        yield head + b"\x03" + b"\x10\x30\x01" + b"\x1f\xf0\x04"
        yield head + b"\x04\x01\x03\x017"
        yield head + b"\x04\x00\x00\x07DELETE FROM task WHERE id = 3"
        yield head + b"\x04\x00\x00\x07CREATE TRIGGER t AFTER UPDATE ON task BEGIN DELETE FROM task; END"
        yield from (head + b"\x05" + bytes([1, column, what]) + b"12" for column in range(9) for what in range(8))
