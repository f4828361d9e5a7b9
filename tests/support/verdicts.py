"""Verdicts on hard boards, as plain values."""

from __future__ import annotations

from threading import Event
from typing import Any

from enumerator.board import Board
from enumerator.questions.verdict import decide_slowly
from enumerator.run.plan import Plan


def classify_slowly(
    board: Board, with_solution: bool, plan: Plan, stop: Event, time_limit: float | None = None, **more: Any
) -> tuple[int, bytes]:
    """Return the code of a board by a count, and the solution of a unique one."""
    decision = decide_slowly(board, plan, with_solution=with_solution, stop=stop, time_limit=time_limit, **more)
    return decision.code, decision.solution.cells if decision.solution else b""
