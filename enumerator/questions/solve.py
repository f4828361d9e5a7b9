"""The solution of a board that has exactly one.

Most boards are decided by one call of a kernel. For the others the list of solutions is walked to its
second line, or to its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator import engines
from enumerator.board import Board
from enumerator.board.errors import EnumeratorError
from enumerator.board.phrases import plural
from enumerator.board.shape import cell_name
from enumerator.questions.ask import carrying
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Watch, no_progress

QUICK_NODES = 1_000
"""The nodes after which a board is not decided at once, on 9×9: less than 0.2 ms.

All of 9,832 17-clue puzzles need fewer than 300.
"""


class NoSolutionError(EnumeratorError, ValueError):
    """A board to solve has no solution.

    `conflicts` are sentences about clues that contradict each other. It is empty if none do so
    directly.

    >>> try:
    ...     en.solve("11.. .... .... ....")
    ... except en.NoSolutionError as error:
    ...     print(error.conflicts[0])
    row 1 holds 1 twice, at r1c1 and r1c2
    """

    conflicts: tuple[str, ...] = ()


class NotUniqueError(EnumeratorError, ValueError):
    """A board to solve has several solutions. `solutions` are the first two.

    >>> try:
    ...     en.solve("1234 3412 .... ....")
    ... except en.NotUniqueError as error:
    ...     print([str(solution) for solution in error.solutions])
    ['1234341221434321', '1234341223414123']
    """

    solutions: tuple[Board, ...] = ()


def quick_nodes(board: Board) -> int:
    """Return the nodes after which a board is not decided at once. A node costs more on a large board."""
    return QUICK_NODES if len(board.cells) < 100 else QUICK_NODES * 81 // len(board.cells)


def solve_at_once(board: Board) -> Board | None:
    """Return the only solution; None if `quick_nodes` do not tell, or if there is another number."""
    found = bytearray(len(board.cells))
    if engines.decide(board, quick_nodes(board), found) == 1:
        return Board.from_valid(board.shape, bytes(found))
    return None


def decide(board: Board, plan: Plan, watch: Watch = no_progress) -> int:
    """Return the number of solutions, 2 for several. Not at once, but on all cores of the plan."""
    from contextlib import closing

    from enumerator.run.counting import tallies

    meter = Meter()
    with closing(tallies(board, plan._replace(limit=1))) as counting:  # it looks for one solution more
        for tally in counting:
            watch(meter.read_tally(tally))
    return tally.solutions if tally.complete else 2


def solve(board: Board, plan: Plan, *, watch: Watch = no_progress) -> Board:
    """Return the only solution; raise NoSolutionError or NotUniqueError if there is another number.

    OutOfTimeError, Stopped and Interrupted have in `answer` a solution, if one was found.
    """
    solutions = first_two(board, plan, watch)
    if len(solutions) == 1:
        return solutions[0]
    raise not_unique(solutions) if solutions else no_solution(board)


def first_two(board: Board, plan: Plan, watch: Watch) -> tuple[Board, ...]:
    """Return two solutions, the first ones of the list, or all if there are fewer.

    On boards on which engines race, they are the first ones that a count finds.
    """
    solutions: list[Board] = []
    with carrying(lambda: next(iter(solutions), None)):
        number = _count_two(board, plan, watch, solutions) if engines.racer(board) else 2
        if len(solutions) < number:
            known = set(solutions)
            solutions.extend(solution for solution in _listed(board, plan, watch) if solution not in known)
    return tuple(solutions[:2])


def _listed(board: Board, plan: Plan, watch: Watch) -> Iterator[Board]:
    """Yield the first two solutions of the list."""
    from enumerator.questions.solutions import list_cores, solution_list, to_boards, watched_lines

    found = solution_list(board, plan)
    return to_boards(board.shape, watched_lines(found, board.shape, list_cores(found, plan), 2, watch))


def _count_two(board: Board, plan: Plan, watch: Watch, solutions: list[Board]) -> int:
    """Return the number of solutions, 2 for several, and add those that the count keeps: none if it was divided."""
    from contextlib import closing

    from enumerator.run.counting import tallies
    from enumerator.run.local import LocalCount

    plan = plan._replace(limit=1, cluster=None)  # a count looks for one solution more
    local, meter = LocalCount(board, plan), Meter()
    try:
        with closing(tallies(board, plan, local=local)) as counting:
            for tally in counting:
                watch(meter.read_tally(tally))
    finally:
        solutions.extend(local.kept)
    return tally.solutions if tally.complete else 2


def no_solution(board: Board) -> NoSolutionError:
    """Return the error for a board without a solution."""
    conflicts = tuple(map(str, board.conflicts()))
    error = NoSolutionError(": ".join(["the board has no solution", *conflicts[:1]]))
    error.conflicts = conflicts
    return error


def not_unique(solutions: tuple[Board, ...]) -> NotUniqueError:
    """Return the error for a board with several solutions, of which two are known."""
    one, other = solutions
    symbols = one.shape.symbols
    cells = [cell for cell in range(one.shape.cells) if one.cells[cell] != other.cells[cell]]
    first, second = (symbols[each.cells[cells[0]] - 1] for each in solutions)
    place = cell_name(cells[0], one.shape.size)
    error = NotUniqueError(
        f"the board has several solutions: two of them differ in {plural(len(cells), 'cell')},"
        f" the first of which is {place}, {first} or {second}"
    )
    error.solutions = solutions
    return error
