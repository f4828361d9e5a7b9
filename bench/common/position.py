"""A position: a board on which digits are set, and unset in the reverse order.

    used     the digits present in a row, a column, a box: bit d - 1 for digit d
    allowed  the digits that the pencil marks of a cell allow
    rank     of an empty cell: (number of candidates, cell)
    best     of a row: the least rank of its empty cells; of the position: the least of all rows

`set` affects only the cells that share a unit with the cell it fills. None of them gains a
candidate. So each is compared with the best of its row, and only the row of the move is searched
again. A move takes O(size). `unset` restores the bests that the last `set` changed. Finding the
best cell, and testing if the board is full, takes O(1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from enumerator.board import Board
from enumerator.board.shape import Shape, units

MOST_TABLE_BITS = 16
"""The widest masks that have a table of popcounts, of 64 KiB. Wider masks use int.bit_count."""


class Move(NamedTuple):
    """A cell that was set, and the previous (row, best) of each row whose best changed."""

    cell: int
    bests: list[tuple[int, tuple[int, int]]]


@lru_cache
def popcounts(size: int) -> bytes:
    """Return a table of the number of ones of every mask of `size` bits."""
    table = b"\0"
    one_more = bytes([*range(1, 256), 0])
    for _ in range(size):
        table += table.translate(one_more)
    return table


@lru_cache
def column_and_box_peers(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells of other rows that share its column or its box."""
    members = dict(units(shape))
    return tuple(
        tuple(sorted({*members[f"column {column + 1}"], *members[f"box {box + 1}"]} - {*members[f"row {row + 1}"]}))
        for row, column, box in map(shape.place, range(shape.cells))
    )


class Position:
    """A board and the moves on it. Its clues must not contradict each other."""

    __slots__ = ("_moves", "allowed", "best", "bests", "cells", "empty", "shape", "used")

    def __init__(self, board: Board) -> None:
        if conflict := next(board.conflicts(), None):
            raise ValueError(str(conflict))
        self.shape = board.shape
        self.cells = bytearray(board.cells)
        self.allowed = board.allowed or ((1 << board.shape.size) - 1,) * board.shape.cells
        self.empty = board.empty_cells
        self.used = tuple([0] * board.shape.size for _ in ("row", "column", "box"))
        for cell, digit in enumerate(board.cells):
            if digit:
                self._mark(cell, digit)
        self.bests = [self._best_of_row(row) for row in range(self.shape.size)]
        self.best = min(self.bests)
        self._moves: list[Move] = []

    @property
    def full(self) -> bool:
        return not self.empty

    @property
    def board(self) -> Board:
        return Board.from_cells(self.shape, bytes(self.cells), self.allowed)

    def clone(self) -> Position:
        """Return a copy without the list of moves, which cannot be unset in the copy."""
        twin = object.__new__(Position)
        twin.shape, twin.allowed, twin.empty, twin.best = self.shape, self.allowed, self.empty, self.best
        twin.cells = self.cells[:]
        twin.used = tuple(masks[:] for masks in self.used)
        twin.bests = self.bests[:]
        twin._moves = []
        return twin

    def candidates(self, cell: int) -> int:
        """Return the candidates of an empty cell, as a mask."""
        (rows, columns, boxes), (row, column, box) = self.used, self.shape.place(cell)
        return self.allowed[cell] & ~(rows[row] | columns[column] | boxes[box])

    def set(self, cell: int, digit: int) -> None:
        """Put `digit` into the empty `cell`, which must have it as a candidate."""
        row = cell // self.shape.size
        changed = [(row, self.bests[row])]
        self.cells[cell] = digit
        self.empty -= 1
        self._mark(cell, digit)
        for other in column_and_box_peers(self.shape)[cell]:
            if not self.cells[other]:
                row_of_other = other // self.shape.size
                if (now := self._rank(other)) < self.bests[row_of_other]:
                    changed.append((row_of_other, self.bests[row_of_other]))
                    self.bests[row_of_other] = now
        self.bests[row] = self._best_of_row(row)
        self.best = min(self.bests)
        self._moves.append(Move(cell, changed))

    def unset(self) -> None:
        """Undo the last move."""
        cell, changed = self._moves.pop()
        self._mark(cell, self.cells[cell])
        self.cells[cell] = 0
        self.empty += 1
        for row, best in reversed(changed):
            self.bests[row] = best
        self.best = min(self.bests)

    def _mark(self, cell: int, digit: int) -> None:
        """Toggle the bit of `digit` in the units of `cell`."""
        for masks, index in zip(self.used, self.shape.place(cell), strict=True):
            masks[index] ^= 1 << (digit - 1)

    def _rank(self, cell: int) -> tuple[int, int]:
        mask = self.candidates(cell)
        size = self.shape.size
        return (popcounts(size)[mask] if size <= MOST_TABLE_BITS else mask.bit_count()), cell

    def _best_of_row(self, row: int) -> tuple[int, int]:
        """Return the least rank in a row; for a full row, a value larger than every rank."""
        size = self.shape.size
        empty = (cell for cell in range(row * size, (row + 1) * size) if not self.cells[cell])
        return min(map(self._rank, empty), default=(size + 1, self.shape.cells))
