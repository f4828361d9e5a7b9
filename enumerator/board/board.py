"""Boards: a shape, its clues and its pencil marks, as a frozen value.

    clue           a digit that is given
    mask           of a cell: the digits that may stand there; bit d - 1 for digit d
    restricted     an empty cell whose mask lacks a digit; a board with such a cell

An engine works on a copy of the cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from enumerator.board.shape import Shape, units

if TYPE_CHECKING:
    import gmpy2


def exact(size: int) -> gmpy2.mpz:
    """Return an integer as a gmpy2.mpz, the type of search-space sizes in the public API."""
    import gmpy2

    return gmpy2.mpz(size)


@lru_cache
def _places(shape: Shape) -> tuple[tuple[int, int, int], ...]:
    """Return the row, the column and the box of every cell."""
    return tuple(map(shape.place, range(shape.cells)))


@lru_cache
def _symbol_table(shape: Shape) -> bytes:
    """Return the table that translates the cells of a board to their symbols: 0.6 µs instead of 3.5 µs."""
    return ("." + shape.symbols).encode().ljust(256, b"?")


@dataclass(frozen=True, slots=True)
class Conflict:
    """A digit that occurs more than once in a unit, or an empty cell that allows no digit."""

    unit: str
    """The name of the unit, or of the cell."""
    symbol: str
    """The symbol of the digit; "" for a cell that allows no digit."""
    cells: tuple[int, ...]
    size: int

    def __str__(self) -> str:
        if not self.symbol:
            return f"{self.unit} has no allowed digit"
        places = " and ".join(f"r{cell // self.size + 1}c{cell % self.size + 1}" for cell in self.cells)
        times = {2: "twice"}.get(len(self.cells), f"{len(self.cells)} times")
        return f"{self.unit} holds {self.symbol} {times}, at {places}"


@dataclass(init=False, frozen=True, slots=True)
class Board:
    """A shape and its size × size cells, row by row.

    A cell is empty (0) or holds a clue (1 … size). `allowed` are the pencil marks: one mask per
    cell, or None if every empty cell allows every digit. Equal boards have equal fields, because
    every board is normalised:

        a cell that allows exactly one digit     is a clue
        a clue                                   allows its own digit only
        a clue that its mask does not allow      is an empty cell that allows no digit
        no empty cell is restricted              `allowed` is None

    `empty_cells` and `filling_factor` depend on clues only.
    """

    shape: Shape
    cells: bytes
    allowed: tuple[int, ...] | None = None

    def __init__(self, text: str, shape: Shape | None = None) -> None:
        """Read a board from a text, in any format that `enumerator.board.reading` knows."""
        board = Board.parse(text, shape)
        _set_shape(self, board.shape)
        _set_cells(self, board.cells)
        _set_allowed(self, board.allowed)

    @classmethod
    def from_cells(cls, shape: Shape, cells: bytes, allowed: Iterable[int] | None = None) -> Board:
        """Return the board with these cells and pencil marks; raise ValueError if they do not fit `shape`."""
        size = shape.height * shape.width  # faster than `shape.size`
        if not isinstance(cells, bytes):
            raise TypeError(f"the cells of a board are bytes, not {type(cells).__name__}")
        if len(cells) != size * size:
            raise ValueError(f"{shape.title} has {shape.cells} cells, not {len(cells)}")
        if max(cells) > size:
            raise ValueError(f"{max(cells)} is no digit of {shape.title}")
        masks = None
        if allowed is not None:
            cells, masks = _normalised(shape, cells, tuple(allowed))
        board = _new_board(cls)
        _set_shape(board, shape)
        _set_cells(board, cells)
        _set_allowed(board, masks)
        return board

    @classmethod
    def from_valid(cls, shape: Shape, cells: bytes) -> Board:
        """Return a board without checking that `cells` fit `shape`: 0.26 µs instead of 1.2 µs."""
        board = _new_board(cls)
        _set_shape(board, shape)
        _set_cells(board, cells)
        _set_allowed(board, None)
        return board

    @classmethod
    def from_allowed(cls, shape: Shape, masks: Iterable[int]) -> Board:
        """Return the board with one mask per cell; a cell that allows one digit becomes a clue."""
        return cls.from_cells(shape, bytes(shape.cells), masks)

    @classmethod
    def empty(cls, shape: Shape) -> Board:
        return cls.from_valid(shape, bytes(shape.cells))

    @classmethod
    def parse(cls, text: str, shape: Shape | None = None) -> Board:
        """Return the one board of a text, in any format that `enumerator.board.reading` knows."""
        from enumerator.board.reading import parse, single_board

        return single_board(parse(text.splitlines(keepends=True), "<text>", shape), "<text>")

    def __str__(self) -> str:
        """Return the board on one line; `.` is empty.

        A restricted board has `size` symbols per cell: each digit that the cell allows, `.` for
        each of the others.
        """
        if self.allowed is None:
            return self.clues
        symbols = tuple(enumerate(self.shape.symbols))
        return "".join(symbol if mask >> bit & 1 else "." for mask in self.allowed for bit, symbol in symbols)

    def link(self, site: str) -> str:
        """Return a link to the board on a site: "fpuzzles", "sudokupad" or "sudokuwiki".

        Raise ValueError if the site does not have such boards.
        """
        from enumerator.board.links import write_link

        return write_link(self, site)

    @property
    def clues(self) -> str:
        """The clues on one line, without pencil marks; `.` is empty."""
        return self.cells.translate(_symbol_table(self.shape)).decode()

    @property
    def empty_cells(self) -> int:
        return self.cells.count(0)

    @property
    def restricted_cells(self) -> int:
        """The number of empty cells that do not allow every digit."""
        full = (1 << self.shape.size) - 1
        return sum(not digit and mask != full for digit, mask in zip(self.cells, self.allowed or (), strict=False))

    @property
    def filling_factor(self) -> float:
        """The fraction of the cells that hold a clue."""
        return 1 - self.empty_cells / self.shape.cells

    def conflicts(self) -> Iterator[Conflict]:
        """Yield every digit that occurs more than once in a unit, and every cell without a digit.

        A board with a conflict has no solution.
        """
        size = self.shape.size
        for unit, members in units(self.shape):
            held: dict[int, list[int]] = {}
            for cell in members:
                if digit := self.cells[cell]:
                    held.setdefault(digit, []).append(cell)
            for digit, cells in held.items():
                if len(cells) > 1:
                    yield Conflict(unit, self.shape.symbols[digit - 1], tuple(cells), size)
        for cell, mask in enumerate(self.allowed or ()):
            if not mask:
                yield Conflict(f"r{cell // size + 1}c{cell % size + 1}", "", (cell,), size)

    def candidate_counts(self) -> list[int]:
        """Return, for each empty cell, the number of digits that it allows and no unit of it holds."""
        (rows, columns, boxes), places = ([0] * self.shape.size for _ in range(3)), _places(self.shape)
        for digit, (row, column, box) in zip(self.cells, places, strict=True):
            if digit:
                bit = 1 << (digit - 1)
                rows[row] |= bit
                columns[column] |= bit
                boxes[box] |= bit
        size = self.shape.size
        if self.allowed is not None:
            return [
                (mask & ~(rows[row] | columns[column] | boxes[box])).bit_count()
                for digit, mask, (row, column, box) in zip(self.cells, self.allowed, places, strict=True)
                if not digit
            ]
        return [
            size - (rows[row] | columns[column] | boxes[box]).bit_count()
            for digit, (row, column, box) in zip(self.cells, places, strict=True)
            if not digit
        ]

    @property
    def search_space(self) -> gmpy2.mpz:
        """The product of the numbers of candidates of all empty cells."""
        return exact(self.combinations)

    @property
    def combinations(self) -> int:
        """The search space as a plain integer.

        Importing gmpy2 takes 60 ms, longer than most counts.
        """
        return math.prod(self.candidate_counts())

    def with_clue(self, cell: int, digit: int) -> Board:
        """Return the board with `digit` in `cell`; digit 0 empties it.

        A digit that an empty cell does not allow leaves a cell that allows no digit. A cell whose
        clue is removed or replaced is not restricted.
        """
        if not 0 <= cell < self.shape.cells:
            raise IndexError(f"{self.shape.title} has no cell {cell}")
        cells = self.cells[:cell] + bytes([digit]) + self.cells[cell + 1 :]
        allowed = self.allowed
        if allowed is not None and self.cells[cell]:
            allowed = (*allowed[:cell], (1 << self.shape.size) - 1, *allowed[cell + 1 :])
        return Board.from_cells(self.shape, cells, allowed)

    def transposed(self) -> Board:
        """Return the board with rows and columns exchanged. It has the same number of solutions."""
        size = self.shape.size
        order = [row * size + column for column in range(size) for row in range(size)]
        cells = bytes(self.cells[cell] for cell in order)
        allowed = None if self.allowed is None else tuple(self.allowed[cell] for cell in order)
        return Board.from_cells(Shape(self.shape.width, self.shape.height), cells, allowed)


_new_board, _set_shape, _set_cells, _set_allowed = (
    object.__new__,
    *(vars(Board)[name].__set__ for name in ("shape", "cells", "allowed")),
)
"""The setters of the slots: twice as fast as object.__setattr__, which looks them up by name."""


def _normalised(shape: Shape, cells: bytes, allowed: tuple[int, ...]) -> tuple[bytes, tuple[int, ...] | None]:
    """Return cells and masks in the form that `Board` describes; raise ValueError for wrong masks."""
    full = (1 << shape.size) - 1
    if len(allowed) != shape.cells:
        raise ValueError(f"{shape.title} has {shape.cells} masks, not {len(allowed)}")
    digits, masks, is_restricted = bytearray(cells), list(allowed), False
    for cell, mask in enumerate(masks):
        if not 0 <= mask <= full:
            raise ValueError(f"{mask} is no mask of digits of {shape.title}")
        if digits[cell]:
            mask &= 1 << (digits[cell] - 1)
        masks[cell] = mask
        digits[cell] = mask.bit_length() if mask.bit_count() == 1 else 0
        is_restricted |= not digits[cell] and mask != full
    return bytes(digits), tuple(masks) if is_restricted else None
