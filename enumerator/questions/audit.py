"""An audit of a ledger: some of its parts are recounted.

A chosen part that is a board is counted, together with all parts below it, by an engine that does
not visit solutions. This requires that no part below it is open. Any other chosen part is recounted
by its engine, by the most different method it has (`Job.recount`). All divided parts are divided
again, since that takes almost no time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from time import perf_counter
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Recount
from enumerator.questions.ask import carrying
from enumerator.questions.fields import Field, no_words, to_dict
from enumerator.run.ledger import LedgerContents, LedgerError, LedgerRow, check_engine_version, read_ledger
from enumerator.run.ledger.contents import corrupted
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.phrases import lasting, plural, printable

AUDIT_SHARE = 0.05
"""The default share of the tasks that are recounted."""


class Finding(NamedTuple):
    """A task that was recounted."""

    task: LedgerRow
    way: str
    """The method of the recount, for messages."""
    there: str
    """The outcome in the ledger."""
    here: str
    """The outcome of the recount."""

    def __str__(self) -> str:
        return f"{self.task.id}: {self.there} in the ledger, {self.here} by {self.way}"

    @property
    def agrees(self) -> bool:
        return self.there == self.here

    def to_dict(self) -> dict[str, object]:
        return {
            "task": self.task.id,
            "work": self.task.work,
            "way": self.way,
            "there": self.there,
            "here": self.here,
        }


@dataclass(frozen=True, slots=True, repr=False)
class AuditAnswer:
    """The findings of an audit.

    >>> number = en.count("1234 3412 .... ....", checkpoint="run.db")
    >>> en.audit("run.db", share=1).agrees
    True
    """

    ledger: str
    board: str
    tasks: int
    recounted: int
    divisions: int
    findings: list[Finding]
    seconds: float

    def __repr__(self) -> str:
        verdict = f"{len(self.wrong):,} wrong" if self.wrong else "all agree"
        return f"<AuditAnswer: {self.recounted:,} of {plural(self.tasks, 'task', '{:,}')} recounted, {verdict}>"

    @property
    def agrees(self) -> bool:
        """True if all recounts agree with the checkpoint."""
        return not self.wrong

    @property
    def wrong(self) -> list[Finding]:
        """The findings that do not agree."""
        return [finding for finding in self.findings if not finding.agrees]

    @property
    def ways(self) -> Counter[str]:
        return Counter(finding.way for finding in self.findings)

    def to_dict(self) -> dict[str, object]:
        return to_dict(FIELDS, self)


FIELDS = (
    Field("ledger", lambda answer: answer.ledger, no_words),
    Field("board", lambda answer: answer.board, no_words),
    Field("tasks", lambda answer: answer.tasks, no_words),
    Field(
        "recounted",
        lambda answer: answer.recounted,
        lambda answer, *_: f"{answer.recounted:,} of {plural(answer.tasks, 'task', '{:,}')}",
        place=1,
    ),
    Field("divisions", lambda answer: answer.divisions, no_words),
    Field(
        "ways",
        lambda answer: answer.ways,
        lambda answer, *_: [f"{way}: {number:,}" for way, number in answer.ways.items()],
        "by",
        2,
    ),
    Field(
        "agree",
        lambda answer: not answer.wrong,
        lambda answer, *_: f"{plural(len(answer.wrong), 'task', '{:,}')} WRONG" if answer.wrong else "all agree",
        "verdict",
        3,
    ),
    Field(
        "wrong",
        lambda answer: [finding.to_dict() for finding in answer.wrong],
        lambda answer, *_: [str(finding) for finding in answer.wrong],
        "task",
        4,
    ),
    Field("seconds", lambda answer: round(answer.seconds, 6), lambda answer, *_: lasting(answer.seconds), "time", 5),
)


def audit(name: str, share: float = AUDIT_SHARE, seed: int | None = None, watch: Watch = no_progress) -> AuditAnswer:
    """Recount a random `share` of the tasks of a ledger. Raise LedgerError if it cannot be audited."""
    started = perf_counter()
    contents, _ = read_ledger(name, lambda _: True)
    run = contents.run
    if run["question"] != "count":
        what = "a list: there is nothing to recount" if run["question"] == "list" else "another question than a count"
        raise LedgerError(f"{printable(name)}: is the ledger of {what}")
    check_engine_version(printable(name), contents)
    findings: list[Finding] = []

    def answer() -> AuditAnswer:
        tasks, recounted, divisions = len(known.tasks), len(known.chosen), len(known.divided)
        return AuditAnswer(name, run["board"], tasks, recounted, divisions, findings, perf_counter() - started)

    try:
        known = Audit(contents, share, seed)
        with carrying(answer):
            for finding in known.findings():
                findings.append(finding)
                watch(Progress(len(findings) / (len(known.divided) + len(known.chosen))))
    except ValueError as error:
        raise corrupted(printable(name), error) from None
    return answer()


class Audit:
    """The rows of a ledger, and those that are chosen for a recount."""

    def __init__(self, contents: LedgerContents, share: float, seed: int | None = None) -> None:
        self.board = Board.parse(contents.run["board"], Shape.parse(contents.run["shape"]))
        self.engine = engines.get(contents.engine)
        self.job = self.engine.job(self.board)
        self.children: dict[int, list[LedgerRow]] = {}
        for row in contents.rows:
            self.children.setdefault(row.parent, []).append(row)
        self.totals = {row.id: row.solutions for row in contents.rows}
        """The number of solutions of each part and all parts below it; None if one is open."""
        for row in reversed(contents.rows):
            below, own = self.totals[row.id], self.totals.get(row.parent)
            if row.parent:
                self.totals[row.parent] = None if below is None or own is None else own + below
        self.divided = [row for row in contents.rows if row.is_divided]
        self.tasks = [row for row in contents.rows if not (row.is_open or row.is_divided)]
        number = min(len(self.tasks), ceil(share * len(self.tasks)))
        self.chosen = sorted(random.Random(seed).sample(self.tasks, number))

    def findings(self) -> Iterator[Finding]:
        """Yield the finding for each divided part and each chosen task."""
        for row in self.divided:
            yield Finding(row, *self.job.redivide(row.work, self._left(row)))
        for row in self.chosen:
            yield Finding(row, *self._recount(row))

    def _left(self, row: LedgerRow) -> list[str]:
        return [child.work for child in self.children.get(row.id, [])]

    def _recount(self, row: LedgerRow) -> Recount:
        board, total = self.job.board(self.job.load(row.work)), self.totals[row.id]
        if board is not None and total is not None:
            for other in engines.supporting(self.board):
                if other is not self.engine and not other.visits:
                    return Recount(other.name, str(total), str(other.count(board)))
        return self.job.recount(row.work, row.solutions or 0, row.effort, self._left(row))
