"""The n-th solution of a board, counted from 0, in the order of its list.

The index of the list, which an engine provides (`SolutionIndex` in engines/lists.py), finds the place.
"""

from __future__ import annotations

from enumerator.board import Board
from enumerator.engines.lists import SolutionList
from enumerator.questions.solutions import NoSuchSolutionError, build_index, pick_lines, solution_list, to_boards
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress
from enumerator.text.phrases import whole


def nth(board: Board, n: int, plan: Plan, *, watch: Watch = no_progress) -> Board:
    """Return solution number `n`, counted from 0; raise NoSuchSolutionError if there is none.

    With boxes up to 3×3 the solutions before it are not visited.
    """
    found = solution_list(board, plan)
    return next(to_boards(board.shape, [nth_line(found, n, plan.effective_cores(), watch)]))


def nth_line(solutions: SolutionList, n: int, cores: int, watch: Watch = no_progress) -> bytes:
    """Return line number `n` of a list, counted from 0; raise NoSuchSolutionError if there is none."""
    index = build_index(solutions, cores, n, watch)
    if n >= index.total:
        numbers = {0: "no solution", 1: "1 solution, number 0"}
        others = f"{whole(index.total)} solutions, numbers 0 to {whole(index.total - 1)}"
        raise NoSuchSolutionError(f"no solution {whole(n)}: the board has {numbers.get(index.total, others)}")
    return pick_lines(index, [n], 1)[0]
