"""Counts for tests: every engine that takes a shape, and `assert_count`, which shows a wrong count by branch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import enumerator
from bench.common import reference
from bench.common.position import Position
from enumerator.board import Board, Shape
from enumerator.engines import contraction, supporting
from enumerator.engines.contraction.network import Network
from enumerator.engines.search import kernel, start
from enumerator.engines.walks import pack_masks
from enumerator.questions.checks import EngineName

Count = Callable[[Board], int]


def general(board: Board) -> kernel.Walk:
    """Start the walk that takes boards of every shape, even where there is a faster one."""
    masks = pack_masks(board.allowed)
    return kernel.General(board.cells, board.shape.height, board.shape.width, allowed=masks)


def network(board: Board) -> Network:
    """Return the network by which the contraction counts a board."""
    return Network(board.cells, board.shape.height, board.shape.width)


def walk_generally(board: Board) -> int:
    """Count the solutions of a board by the walk that takes boards of every shape."""
    return general(board).run()


def counts(shape: Shape) -> dict[str, Count]:
    """Return every way to count a board of this shape: by each engine, and by the walk for every shape."""
    by_engine = {
        engine.name: partial(enumerator.count, engine=cast("EngineName", engine.name))
        for engine in supporting(Board.empty(shape))
    }
    return {**by_engine, "general walk": walk_generally}


QUICK_NODES = 100_000
"""Nodes that a walk may visit to explain a failure: 0.1 s a branch on 16×16, less on 9×9."""

QUICK_REFERENCE = (2_000, 45)
"""Nodes of the search and empty cells up to which the reference is run too: less than a second in plain Python."""


def assert_count(board: Board, expected: int, count: Count = enumerator.count) -> None:
    """Assert that `count` finds `expected` solutions of a board; a failure shows the sub-counts by branch."""
    __tracebackhide__ = True
    found = count(board)
    if found != expected:
        raise AssertionError(f"{found} solutions and not {expected} of {board}\n{divide(board, count)}")


def divide(board: Board, count: Count) -> str:
    """Return a table of sub-counts: a line for each candidate of the cell with the fewest.

    The columns are `count` and every engine that is quick; `-` stands for one that is not. The name and the
    idea are those of `perft divide` in chess: where two columns differ, the mistake is in that branch.
    """
    if conflict := next(board.conflicts(), None):
        return f"no branches: {conflict}"
    position = Position(board)
    if position.full:
        return "no branches: the board is full"
    cell, size = position.best[1], board.shape.size
    rows: list[tuple[str, ...]] = [("branch", "count", "search", "contraction", "reference")]
    for digit in range(1, size + 1):
        if position.candidates(cell) >> (digit - 1) & 1:
            branch = board.with_cell(cell, digit)
            found = [count(branch), *quick_counts(branch)]
            where = f"r{cell // size + 1}c{cell % size + 1}={board.shape.symbols[digit - 1]}"
            rows.append((where, *("-" if number is None else str(number) for number in found)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in rows)


def quick_counts(board: Board) -> list[int | None]:
    """Count by search, contraction and reference; None stands for one that would take long or cannot count it."""
    walk = start(board)
    found = walk.run(QUICK_NODES)
    nodes, empty_cells = QUICK_REFERENCE
    is_easy = walk.finished and walk.nodes <= nodes and board.empty_cells <= empty_cells
    return [
        found if walk.finished else None,
        contraction.count(board) if contraction.ENGINE.takes(board) else None,
        reference.count(board) if is_easy else None,
    ]
