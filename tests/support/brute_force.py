"""A toy engine in a module that workers can import: it fills the cells of 4×4 boards in every way."""

from __future__ import annotations

from itertools import product
from time import perf_counter

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Engine, Job, PartResult, TaskResult, worker_id

FOUR = Shape(2, 2)
MOST_EMPTY = 4
"""Empty cells of a part that is filled in every way; one with more is split at its first empty cell."""


class BruteForce(Engine):
    """Fills the empty cells in every way, and checks the rules."""

    name = "brute"
    effort = "fillings"

    def supports(self, shape: Shape) -> bool:
        return shape == FOUR

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Job:
        return Job(self.name, board.shape, fill_parts)


def fill_parts(loads: list[bytes], _budget: int, _limit: int, max_seconds: float) -> TaskResult:
    started, results = perf_counter(), list[PartResult]()
    for cells in loads:
        begun, empty = perf_counter(), [cell for cell, digit in enumerate(cells) if not digit]
        if begun - started > max_seconds:
            break
        few = empty[: 1 if len(empty) > MOST_EMPTY else MOST_EMPTY]
        fillings = [fill(cells, few, digits) for digits in product(range(1, 5), repeat=len(few))]
        valid = [filling for filling in fillings if not any(Board.from_cells(FOUR, filling).conflicts())]
        found, rest = (0, valid) if few != empty else (len(valid), [])
        left = [(filling, (1, len(rest))) for filling in rest]
        results.append(PartResult(found, len(fillings), perf_counter() - begun, left))
    return TaskResult(results, worker_id())


def fill(cells: bytes, empty: list[int], digits: tuple[int, ...]) -> bytes:
    filled = bytearray(cells)
    for cell, digit in zip(empty, digits, strict=True):
        filled[cell] = digit
    return bytes(filled)


engines.register(BruteForce())
