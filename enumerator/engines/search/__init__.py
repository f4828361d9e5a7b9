"""The engine `search`: walks the tree of guesses.

    kernel.pyx     the compiled walks over 9×9 boards and over every shape; nine.h is the first one
    general.pyx    the second one
    reduce.pyx     clues removed as long as a board has one solution
    reduction.py   the same as an interface

Counts, parts and lists are those of every engine that walks: see `enumerator/engines/walks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import MOST, KernelBuild, MissingKernelError
from enumerator.engines.walks import WalkCounting, WalkEngine, pack_masks, tallies

if TYPE_CHECKING:
    from enumerator.engines.board_blocks import BoardCounts
    from enumerator.engines.reductions import Reduction
    from enumerator.engines.walks.walk import Walk

try:
    from enumerator.engines.search import kernel
except ImportError as error:
    raise MissingKernelError(
        f"the compiled kernel of enumerator is missing from {__path__[0]}: in its source tree, install with"
        " `pip install -e .`, or run Python in another folder after `pip install .`"
    ) from error


class Search(WalkEngine):
    """The engine that walks the tree of guesses."""

    name = "search"
    build = KernelBuild(kernel.COMPILER, kernel.CYTHON, kernel.FLAGS, kernel.CHECKED, kernel.INSTRUCTIONS)

    def start_check(self, board: Board) -> tuple[str, Walk]:
        turned = board.transposed()
        height, width, masks = turned.shape.height, turned.shape.width, pack_masks(turned.allowed)
        return "rows for columns", kernel.General(turned.cells, height, width, allowed=masks)

    def count_boards(
        self,
        boards: memoryview,
        shape: Shape,
        budget: int,
        limit: int,
        out: BoardCounts,
        allowed: Sequence[int] | None = None,
    ) -> tuple[int, WalkCounting | None]:
        height, width, facts, masks = shape.height, shape.width, out.facts, pack_masks(allowed)
        counted, walk, found = kernel.count_boards(
            boards,
            height,
            width,
            budget,
            limit,
            out.counts,
            facts.nodes if facts else None,
            facts.nanoseconds if facts else None,
            out.unique,
            out.listed,
            masks,
        )
        if facts:
            from enumerator.engines.walks.boards import candidate_counts

            some = boards[: counted * shape.cells]
            candidate_counts(some, height, width, facts.candidates, facts.empty_cells, masks)
        return counted, None if walk is None else WalkCounting(self, walk, min(limit, MOST), found=found)

    def reduction(self, shape: Shape) -> Reduction:
        from enumerator.engines.search.reduction import SearchReduction

        return SearchReduction(shape)


ENGINE = Search(kernel.start)

start = ENGINE.start


def count(board: Board, limit: int | None = None) -> int:
    """Return the number of solutions, at most `limit`, counted on one core."""
    *_, last = tallies(start(board), limit)
    return last.solutions
