"""The solution of a board that has exactly one, or why it has none."""

from __future__ import annotations

from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.engines.board_blocks import StartedCount
from enumerator.questions.ask import carrying
from enumerator.questions.verdict import Decision, decide
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress
from enumerator.text.errors import EnumeratorError
from enumerator.text.phrases import plural


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


def solve(
    board: Board, plan: Plan, *, first: Decision | StartedCount | None = None, watch: Watch = no_progress
) -> Board:
    """Return the only solution; raise NoSolutionError or NotUniqueError if there is another number.

    `first` is what `first_look` has returned, if it was asked before. Errors that end the question have in
    `answer` a solution, if one was found.
    """
    code, solutions = decide(board, plan, first=first, watch=watch)
    if code == 1:
        return solutions[0]
    if not code:
        raise no_solution(board)
    raise not_unique(solutions if len(solutions) > 1 else _first_two(board, plan, watch))


def _first_two(board: Board, plan: Plan, watch: Watch) -> tuple[Board, ...]:
    """Return the first two solutions of the list."""
    from enumerator.questions.solutions import boards_of, list_cores, solution_list, watched_cells

    found, solutions = solution_list(board, plan), list[Board]()
    with carrying(lambda: next(iter(solutions), None)):
        cells = watched_cells(found, board.shape, list_cores(found, plan), 2, watch)
        solutions.extend(boards_of(board.shape, cells))
    return tuple(solutions)


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
