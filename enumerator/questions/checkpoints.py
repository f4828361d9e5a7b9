"""The ledger of a question that can be resumed, as a face opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.run.ledger import Ledger, LedgerError, run_identity
from enumerator.run.solution_file import ResumeError

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.run.plan import Plan

__all__ = ["Ledger", "LedgerError", "ResumeError", "named_ledger", "open_count", "open_different"]


def open_count(path: str, board: Board, plan: Plan, source: str | None = None) -> Ledger:
    """Create or resume the ledger of a count. Raise LedgerError if it cannot be used."""
    return _open(path, run_identity("count", board, plan), plan, source)


def open_different(path: str, board: Board, plan: Plan, source: str | None = None) -> Ledger:
    """Create or resume the ledger of a count of different solutions. Raise LedgerError if it cannot be used."""
    from enumerator.questions.fixed.work import VERSION

    return _open(path, {**run_identity("different", board, plan), "search": str(VERSION)}, plan, source)


def _open(path: str, identity: dict[str, str], plan: Plan, source: str | None) -> Ledger:
    if source is None:
        return Ledger(path, identity, pacing=plan.pacing)
    return named_ledger(path, identity, plan, source)


def named_ledger(path: str, identity: dict[str, str], plan: Plan, source: str) -> Ledger:
    """Create or resume the ledger of a run, which names the source of its board and reports to the plan."""
    name = source.encode(errors="backslashreplace").decode()  # a file name need not be valid UTF-8
    return Ledger(path, identity, {"name": name}, plan.pacing, plan.on_message)
