"""The engine `learning`: a walk that learns clauses from dead ends, for large boards.

    kernel.pyx     the compiled walk; it names the files in C
    teams.py       what the tasks of a board have learnt
    __init__.py    the engine: rates, sizes of segments

A plain walk forgets why a branch was dead, and meets the same contradiction again and again. On
boards of 16×16 and more, where most of the work is in dead ends, this engine is faster. `auto`
finds out which of the two is, by a race. So it does for boards with pencil marks.

Counts, parts and lists are those of every engine that walks: see `enumerator/engines/walks`. The
unit of effort is a step: a decision, or a conflict that is turned into a clause. README.md explains
the method.

The tasks of a count on several cores are walked by a team (teams.py): a task has the clauses that
earlier tasks of the same board have learnt, and so its outcome depends on them. Segments of lists and
the tasks of a ledger must depend on the board alone. They begin without clauses, so they are longer
than the ones of the search.
"""

from __future__ import annotations

from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import MOST, MissingKernelError
from enumerator.engines.walks import WalkCounting, WalkEngine, pack_masks

if TYPE_CHECKING:
    from enumerator.engines.interfaces import ListSizes, ProbeTree
    from enumerator.engines.walks import Start
    from enumerator.engines.walks.tree import Tree
    from enumerator.engines.walks.walk import Walk

RACED_SIZE = 9
"""The size of boards beyond which `auto` lets this engine race with the search; smaller ones race if they have
pencil marks, which the contraction does not take."""

SEGMENT_EFFORT = 20_000_000
"""The most effort of a segment of a list, times the cells of the board: 0.2 to 0.5 s."""

PROBE_EFFORT = 2_000
"""The effort of a probe on a board of 81 cells."""


START_EFFORT = 5_000
"""The effort of a count on one core before it is divided into parts.

Until then, nothing is known about which cells cause conflicts. Parts that were divided after 200 steps
took twice the steps in all, after 1,000 up to 1.3 times, after 3,000 no more than one core.
"""


class LearningCounting(WalkCounting):
    """A count on one core."""

    __slots__ = ()

    start_effort = START_EFFORT


class Learning(WalkEngine):
    """The engine that learns from dead ends."""

    name = "learning"
    effort = "steps"
    predicts = False
    shares_predict = False
    nominal_rate = 460_000.0
    cautious_rate = 1e4
    probe_effort = PROBE_EFFORT
    counting = LearningCounting

    def __init__(self) -> None:
        """Make the engine. Its kernel is imported on first use: small boards do not need it."""

    @cached_property
    def walk_cells(self) -> Start:  # type: ignore[override]
        start: Start = load_kernel().start
        return start

    def rate_for(self, shape: Shape) -> float:
        return self.nominal_rate * min(1.0, 81 / shape.cells)

    def races(self, board: Board) -> bool:
        return board.shape.size > RACED_SIZE or board.allowed is not None

    def start_count(self, board: Board) -> Walk:
        from enumerator.engines.learning.teams import found_team

        load_kernel()
        shape = board.shape
        return found_team(board.cells, shape.height, shape.width, pack_masks(board.allowed)).start(board.cells)

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Tree:
        tree = super().job(board, cutoff, limited)
        if not recorded:
            from enumerator.engines.learning.teams import start_part

            tree.walk_with(partial(start_part, board.cells))
        return tree

    def portfolio(self, board: Board, limit: int | None, number: int) -> list[LearningCounting]:
        from enumerator.engines.learning.teams import start_part

        shape, most = board.shape, MOST if limit is None else limit
        walks = [
            start_part(board.cells, board.cells, shape.height, shape.width, pack_masks(board.allowed))
            for _ in range(number)
        ]
        return [LearningCounting(self, walk, most) for walk in walks]

    def start_check(self, board: Board) -> tuple[str, Walk]:
        return "rows for columns", self.start(board.transposed())

    def list_sizes(self) -> ListSizes:
        from enumerator.engines.interfaces import ListSizes

        return ListSizes(segment_nodes=SEGMENT_EFFORT)

    def probe_tree(self, board: Board) -> ProbeTree | None:
        if board.shape.size <= RACED_SIZE:
            return None
        from enumerator.engines.walks.partial_probes import PartialProbes

        return PartialProbes(self.walk_cells, board)


def load_kernel() -> ModuleType:
    """Import the compiled kernel; raise MissingKernelError if there is none."""
    try:
        from enumerator.engines.learning import kernel
    except ImportError as error:
        raise MissingKernelError(
            f"the compiled kernel of the engine learning is missing from {__path__[0]}: install enumerator again"
        ) from error
    return kernel


ENGINE = Learning()
