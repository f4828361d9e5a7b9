"""The verdict on a board, and the solution of a unique one. This is the only way to either.

decide_at_once    one call of a kernel, which decides most boards; for the others, what it has spent on them
decide_slowly     the others: a count that ends at two solutions, on the cores that have nothing else to do
decide            both, one after the other
find_solution     the solution of a board that is known to be unique
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from enum import StrEnum
from math import inf
from threading import Event
from time import perf_counter
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Tally
from enumerator.engines.board_blocks import NOT_STARTED, BoardCounts, StartedCount
from enumerator.questions.ask import carrying
from enumerator.run.counting import tallies
from enumerator.run.endings import Stopped
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan
from enumerator.run.portfolio import portfolio_of, run_portfolio
from enumerator.run.progress import Meter, Watch, no_progress


class Verdict(StrEnum):
    """The verdict on a board. It is also a string: "none", "unique", "multiple" or "unknown".

    >>> verdict = en.classify("1234 3412 2143 4321")
    >>> verdict
    <Verdict.UNIQUE: 'unique'>
    >>> verdict == "unique", f"{verdict}"
    (True, 'unique')
    """

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"
    """The time limit has passed before the board was decided."""


UNDECIDED = 3
"""The code of a board that is not decided in time, before any solution is found; 4 if one is found."""

VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNKNOWN, Verdict.UNKNOWN)
"""The verdicts by code: the number of solutions, where 2 means several; or an undecided board."""

VERDICT_NODES = 100_000
"""The node budget of a verdict on a board of 81 cells: the kernel sets the board aside after 20 ms."""

LEAST_SECONDS = 0.05
"""The least time for finding the solution of a board that was counted."""


class Decision(NamedTuple):
    """The code of a board, and the solutions that were found on the way: one or two if they were kept."""

    code: int
    solutions: tuple[Board, ...] = ()

    @property
    def solution(self) -> Board | None:
        """The solution of a board that has exactly one, if it was found."""
        return self.solutions[0] if self.code == 1 and self.solutions else None


_DECISIONS = Decision(0), Decision(1), Decision(2)
"""The verdicts on boards by the number of solutions, 2 for several."""


def node_budget(shape: Shape, plan: Plan) -> int:
    """Return the nodes after which the kernel sets a board of a shape aside.

    A node of a larger board takes longer, about by the square of its cells: the budget is 18 ms on 25×25.
    """
    pacing = plan.batch_pacing
    nodes = VERDICT_NODES if pacing.classify_nodes is None else pacing.classify_nodes
    return nodes if shape.cells <= 81 else int(nodes * (81 / shape.cells) ** 2)


def decide(
    board: Board,
    plan: Plan,
    *,
    with_solution: bool = True,
    time_limit: float | None = None,
    first: Decision | StartedCount | None = None,
    watch: Watch = no_progress,
) -> Decision:
    """Return the verdict on a board, with the solution of a unique one. It is unknown after `time_limit` seconds.

    `first` is what `first_look` has returned, if it was asked before.
    """
    first = first or first_look(board, plan, with_solution=with_solution)
    if isinstance(first, Decision):
        return first
    return decide_slowly(
        board, plan, with_solution=with_solution, time_limit=time_limit, started_count=first, watch=watch
    )


def first_look(board: Board, plan: Plan, *, with_solution: bool = True) -> Decision | StartedCount:
    """Return what `decide_at_once` returns; the beginning of a count if the plan names an engine."""
    if plan.engine != engines.AUTO:
        return NOT_STARTED
    return decide_at_once(board, plan, with_solution=with_solution)


def decide_at_once(board: Board, plan: Plan, *, with_solution: bool = True) -> Decision | StartedCount:
    """Return the verdict on a board that one call of a kernel decides, in milliseconds.

    For others, return the time of the call. It counts towards their time limit.
    """
    started = perf_counter()
    found = bytearray(len(board.cells)) if with_solution else None
    code = ask_kernel(board, node_budget(board.shape, plan), found)
    if code is None:
        return StartedCount(perf_counter() - started)
    if found and code == 1:
        return Decision(1, (Board.from_valid(board.shape, bytes(found)),))
    return _DECISIONS[code]


def ask_kernel(board: Board, nodes: int, solution: bytearray | None = None) -> int | None:
    """Return the number of solutions of a board, 2 for several; None if `nodes` nodes do not tell.

    If there is exactly one, it is written to `solution`.
    """
    out = BoardCounts(1)
    out.unique = solution
    counted, _ = engines.count_boards(memoryview(board.cells), board.shape, nodes, 2, out, board.allowed)
    return out.counts[0] if counted else None


def decide_slowly(  # noqa: PLR0913 - six of them have defaults
    board: Board,
    plan: Plan,
    *,
    with_solution: bool = True,
    time_limit: float | None = None,
    started_count: StartedCount = NOT_STARTED,
    watch: Watch = no_progress,
    stop: Event | None = None,
    is_alone: Callable[[], bool] | None = None,
) -> Decision:
    """Return the verdict on a board that exceeds the budget of the kernel.

    `time_limit` includes the seconds of `started_count`. A solution that is not found in time
    is left out. The board may take all cores of the plan; among other boards it takes one, and the others
    may help while `is_alone` returns True. Raise Stopped soon after `stop` is set.
    """
    end = perf_counter() + (inf if time_limit is None else time_limit - started_count.seconds)
    plan = plan._replace(limit=1, cluster=None)  # a count looks for one solution more
    local = LocalCount(board, plan, started_count.counting if plan.engine == engines.AUTO else None)
    tally, meter = local.tally, Meter()
    walk = tallies(board, plan, local=local) if is_alone is None else _tallies(local, is_alone)
    with carrying(lambda: next(iter(local.kept), None)), closing(walk) as counting:
        is_late = False
        for tally in counting:
            if is_late:  # and there is more to count
                return Decision(UNDECIDED + tally.solutions)
            watch(meter.read_tally(tally))
            if stop and stop.is_set():
                raise Stopped
            is_late = perf_counter() > end
    code = tally.solutions if tally.complete else 2
    kept = tuple(local.kept)
    if code == 1 and with_solution and not kept:
        alone = plan if is_alone is None else plan._replace(cores=1)
        found = _first_solution(board, alone._replace(engine=tally.engine), end, watch, stop)
        kept = (found,) if found else ()
    return Decision(code, kept)


def _tallies(local: LocalCount, is_alone: Callable[[], bool]) -> Generator[Tally, None, None]:
    """Count on one core; with the others, if the count takes long and they have nothing else to do."""
    while not local.finished:
        local.step()
        yield local.tally
        if not local.finished and is_alone() and local.takes_long and (rivals := portfolio_of(local, local.plan)):
            yield from run_portfolio(local, rivals, local.plan.pacing.tick)


def find_solution(board: Board, plan: Plan, seconds: float) -> Board | None:
    """Return the solution of a board that has exactly one; None if finding it takes longer than `seconds`.

    Most boards are solved by one call of a kernel, in 3 µs. For the others the list of solutions is
    walked to its first line, on the cores of the plan.
    """
    first = decide_at_once(board, plan)
    if isinstance(first, Decision):
        return first.solution
    return _first_solution(board, plan, perf_counter() + max(seconds, LEAST_SECONDS))


def _first_solution(
    board: Board, plan: Plan, end: float, watch: Watch = no_progress, stop: Event | None = None
) -> Board | None:
    """Return the first solution of the list; None if it is not reached until `end`."""
    from enumerator.questions.solutions import Frontier, list_cores, pages, solution_list

    found = solution_list(board, plan)
    frontier = Frontier(found.engine)
    with closing(pages(found, board.shape, list_cores(found, plan), limit=1, as_cells=True)) as walked:
        for page in walked:
            if page.text:
                return Board.from_valid(board.shape, bytes(page.text))
            watch(frontier.progress(page, 0, 1))
            if stop and stop.is_set():
                raise Stopped
            if perf_counter() > end:
                return None
    raise RuntimeError("a solution was counted, but is not in the list")
