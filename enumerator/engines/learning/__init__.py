"""The engine `learning`: a walk that learns clauses from dead ends, for large boards.

    kernel.pyx     the compiled walk; it names the files in C
    __init__.py    the engine: rates, sizes of segments

A plain walk forgets why a branch was dead, and meets the same contradiction again and again. On
boards of 16×16 and more, where most of the work is in dead ends, this engine is faster. `auto`
finds out which of the two is, by a race.

Counts, parts and lists are those of every engine that walks: see `enumerator/engines/walks`. The
unit of effort is a conflict or a decision. Clauses that were learnt are lost at the end of a task or
of a segment, so those are longer than the ones of the search.
"""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import MissingKernelError
from enumerator.engines.walks import WalkEngine

if TYPE_CHECKING:
    from enumerator.engines.lists import ListSizes, ProbeTree
    from enumerator.engines.walks import Start
    from enumerator.engines.walks.walk import Walk

RACED_SIZE = 9
"""The size of boards beyond which `auto` lets this engine race with the search."""

SEGMENT_EFFORT = 20_000_000
"""The most effort of a segment of a list, times the cells of the board: 0.2 to 0.5 s."""

PROBE_EFFORT = 2_000
"""The effort of a probe on a board of 81 cells."""


class Learning(WalkEngine):
    """The engine that learns from dead ends."""

    name = "learning"
    effort = "conflicts"
    predicts = False
    shares_predict = False
    nominal_rate = 460_000.0
    cautious_rate = 1e4
    probe_effort = PROBE_EFFORT

    def __init__(self) -> None:
        """Make the engine. Its kernel is imported on first use: small boards do not need it."""

    @cached_property
    def walk_cells(self) -> Start:  # type: ignore[override]
        start: Start = load_kernel().start
        return start

    def rate_for(self, shape: Shape) -> float:
        return self.nominal_rate * min(1.0, 81 / shape.cells)

    def races(self, board: Board) -> bool:
        return board.shape.size > RACED_SIZE

    def start_check(self, board: Board) -> tuple[str, Walk]:
        return "rows for columns", self.start(board.transposed())

    def list_sizes(self) -> ListSizes:
        from enumerator.engines.lists import ListSizes

        return ListSizes(segment_nodes=SEGMENT_EFFORT)

    def probe_tree(self, board: Board) -> ProbeTree | None:
        return None  # probes follow the rules of the search


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
