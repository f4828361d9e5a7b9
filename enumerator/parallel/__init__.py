"""Counting on many cores, where that is worth it.

Most boards take a moment, and this module alone: it walks, and looks at the clock. Only where the moment passes is
the driver called, and what it needs imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.parallel.executors import processes, usable_cores
from enumerator.search import Tally, start
from enumerator.search import tallies as walk_tallies
from enumerator.shape import Shape

if TYPE_CHECKING:
    from enumerator.parallel.executors import Factory

ALONE_SECONDS = 0.05
"""So long a board is walked without help."""

SECONDS_A_BYTE = 1e-6
"""And so much longer for each byte of the boards that would be handed out: that must not cost more than it brings.
It is nothing for a 9×9 board, half a second for one of 25×25, and 15 seconds for one of 64×64."""

WORTH_SECONDS = 2.5
"""So much work of a batch must be waiting for processes to be started: on two cores, 1.7 s take as long with them."""

DEATHS = 3
"""Work over which workers have died so often is not handed out again."""


class WorkerLostError(RuntimeError):
    """Work has ended its worker again and again."""


def keep_quiet(message: str) -> None:
    """For callers with no use for messages."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to count."""

    cores: int | None = None
    """How many to use; None: all there are."""
    limit: int | None = None
    cutoff: int | None = None
    """The search space at or below which a part is one task; None: as suits the board and the cores."""
    pool: Factory | None = processes
    """Makes the executor for long runs; None: the threads of this process do it all."""
    tell: Callable[[str], None] = keep_quiet
    """Hears what a user should know."""
    usable: Callable[[], int] = usable_cores

    def effective_cores(self) -> int:
        """How many cores that comes to on this machine."""
        if self.cores == 1:
            return 1
        usable = self.usable()
        return min(self.cores or usable, usable)


def tallies(board: Board, plan: Plan | None = None) -> Iterator[Tally]:
    """Count, and say again and again how far it is. The last tally is the answer."""
    plan = plan or Plan()
    started = perf_counter()
    walk = start(board)
    for tally in walk_tallies(walk, plan.limit):
        yield tally
        seconds = perf_counter() - started
        if plan.cores == 1 or tally.complete or tally.solutions == plan.limit or seconds < ALONE_SECONDS:
            continue
        if seconds > ALONE_SECONDS + walk.left * walk.cells * SECONDS_A_BYTE:
            yield from resumed(board.shape, plan, tally, walk.parts(), seconds)
            return


def resumed(
    shape: Shape, plan: Plan, tally: Tally, parts: list[tuple[bytes, float]], seconds: float
) -> Iterator[Tally]:
    """Go on with a count: what is known of it, the parts not visited with their shares, and what it has taken."""
    from enumerator.parallel.driver import Driver

    return Driver(shape, plan, tally, perf_counter() - seconds).run(parts)


def count(board: Board, limit: int | None = None, cores: int | None = None) -> int:
    """The number of solutions, exact; with a limit, no more than that.

    A board that takes longer than a moment is counted on several cores: on so many, or on all there are.
    """
    if cores is not None and index(cores) < 1:
        raise ValueError(f"{cores} cores: at least 1 is needed")
    *_, last = tallies(board, Plan(cores=cores, limit=limit))
    return last.solutions
