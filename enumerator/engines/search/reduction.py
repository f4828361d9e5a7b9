"""Clues removed by the search: `Reduction` on the functions of reduce.pyx."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain

from enumerator.board import Shape
from enumerator.engines.reductions import MinimalSearch, Orbits
from enumerator.engines.search import reduce as kernel


class SearchReduction:
    """The tests of the search for boards of one shape."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape.height, shape.width

    def reduce(self, boards: bytearray, seeds: array[int], orbits: Orbits, fewest: int, nodes: int) -> bytearray:
        undecided = bytearray(len(boards))
        cells, ends = array("H", chain.from_iterable(orbits)), array("H", accumulate(map(len, orbits)))
        kernel.reduce_boards(boards, *self._shape, seeds, cells, ends, fewest, nodes, undecided)
        return undecided

    def judge(self, boards: bytes | bytearray, nodes: int) -> bytearray:
        verdicts = bytearray(len(boards))
        kernel.judge_clues(boards, *self._shape, nodes, verdicts)
        return verdicts

    def weigh(self, grids: bytearray, seeds: array[int], first: int, paths: int, floor: float) -> array[float]:
        weights = array("d", bytes(8 * len(seeds)))
        kernel.weigh_boards(grids, *self._shape, seeds, first, paths, floor, weights)
        return weights

    def minimal(self, cells: bytes) -> MinimalSearch:
        return kernel.MinimalTree(cells, *self._shape)
