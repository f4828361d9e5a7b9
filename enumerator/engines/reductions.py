"""The interface of clues that are removed: tests of clues, and puzzles with fewer of them.

    needed       a clue without which the board has other solutions
    superfluous  a clue that is not needed
    orbit        cells whose clues are removed together, or not at all

Boards are cells, one board after the other, 0 for an empty cell. All have exactly one solution and no
pencil marks. No function holds the interpreter's lock while it works.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol, TypeAlias

Orbits: TypeAlias = Sequence[Sequence[int]]
"""Cells whose clues are removed together; each cell is in at most one orbit."""


class ClueVerdict(IntEnum):
    """What a test of a clue shows."""

    SUPERFLUOUS = 0
    NEEDED = 1
    UNDECIDED = 2
    """The budget of the test was spent before."""


class MinimalSearch(Protocol):
    """All minimal puzzles inside a board, found one after the other."""

    superfluous: list[int]
    """The cells of the superfluous clues of the board."""

    @property
    def finished(self) -> bool:
        """True if all puzzles have been found."""
        ...

    @property
    def share(self) -> float:
        """The share of the tree that was visited, if all branches were equally large."""
        ...

    def run(self, tests: int, out: bytearray) -> int:
        """Write the next puzzles to `out`, and return their number. End after `tests` tests, or when it is full."""
        ...


class Reduction(Protocol):
    """The tests of an engine that remove clues of boards of one shape."""

    def reduce(self, boards: bytearray, seeds: array[int], orbits: Orbits, fewest: int, nodes: int) -> bytearray:
        """Remove orbits in random order, as long as one solution and `fewest` clues are left.

        `boards` are changed, each by its seed. A clue that is not judged within `nodes` nodes is kept.
        Return 1 for each such cell, 0 for all others.
        """
        ...

    def judge(self, boards: bytes | bytearray, nodes: int) -> bytearray:
        """Return the ClueVerdict on each clue, SUPERFLUOUS for empty cells."""
        ...

    def weigh(self, grids: bytearray, seeds: array[int], first: int, paths: int, floor: float) -> array[float]:
        """Make a minimal puzzle of each solved grid, or give it up; return the logarithms of their weights.

        Those of a grid that is given up is -inf. engines/search/reduce.pyx describes the other arguments.
        """
        ...

    def minimal(self, cells: bytes) -> MinimalSearch:
        """Return all minimal puzzles inside a board."""
        ...
