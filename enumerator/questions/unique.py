"""The solution of a board that is known to have exactly one."""

from __future__ import annotations

from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.run.plan import Plan

LEAST_SECONDS = 0.05
"""The least time for the search of the solution."""


def unique_solution(board: Board, plan: Plan, seconds: float) -> Board | None:
    """Return the solution of a board that has exactly one; None if finding it takes longer than `seconds`.

    Most boards are solved by one call of a kernel, in 3 µs. For the others the list of solutions is
    walked to its first line, on the cores of the plan.
    """
    return _solve_at_once(board, plan) or _walk_to_first(board, plan, seconds)


def _solve_at_once(board: Board, plan: Plan) -> Board | None:
    found = bytearray(board.shape.cells)
    if engines.decide(board, plan.batch_pacing.nodes_for(board.shape), found) == 1:
        return Board.from_valid(board.shape, bytes(found))
    return None


def _walk_to_first(board: Board, plan: Plan, seconds: float) -> Board | None:
    from contextlib import closing

    from enumerator.questions.solutions import list_cores, pages, solution_list, to_boards

    deadline = perf_counter() + max(seconds, LEAST_SECONDS)
    found = solution_list(board, plan)
    with closing(pages(found, board.shape, list_cores(found, plan), limit=1)) as walked:
        for page in walked:
            if page.text:
                return next(to_boards(board.shape, [page.text]))
            if perf_counter() > deadline:
                break
    return None
