"""Boards: a shape, its clues and its pencil marks, as a frozen value.

    clue           a digit that is given
    mask           of a cell: the digits that may stand there; bit d - 1 for digit d
    restricted     an empty cell whose mask lacks a digit; a board with such a cell

An engine works on a copy of the cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast, overload

from enumerator.board.masks import count_candidates, normalise
from enumerator.board.plain_lines import plain_cells
from enumerator.board.shape import Frozen, Shape, ShapeLike, as_shape, required_shape
from enumerator.board.symbols import digit_of, symbol_table

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from enumerator.board.coerce import BoardLike
    from enumerator.board.conflicts import Conflict
    from enumerator.board.symmetry import Symmetry
    from enumerator.text.numbers import LongInteger

Row = tuple[int, ...]
"""The digits of a row, 0 for an empty cell."""


class Board(Frozen):
    """A shape and its size × size cells, row by row: a frozen value that can be compared and hashed.

    `content` is a text in any format, rows of numbers, an array or a board: see
    `enumerator.board.coerce`. `shape` is a Shape, "2x3" or (2, 3). Raise BoardError, ValueError or
    TypeError if `content` is not a board.

    >>> board = en.Board("1234 3412 .... ....")
    >>> board
    Board("12343412........")
    >>> board[0, 1], board[0], board[-1, -1]
    (2, (1, 2, 3, 4), 0)
    >>> en.Board([[1, 2, 3, 4], [3, 4, 1, 2], [0] * 4, [None] * 4]) == board
    True
    >>> en.Board("." * 36, "3x2").shape
    Shape(height=3, width=2)

    A cell is empty (0) or holds a clue (1 … size). `allowed` are the pencil marks: one mask per
    cell, or None if every empty cell allows every digit. Equal boards have equal fields, because
    every board is normalised:

        a cell that allows exactly one digit     is a clue
        a clue                                   allows its own digit only
        a clue that its mask does not allow      is an empty cell that allows no digit
        no empty cell is restricted              `allowed` is None

    `empty_cells` and `filling_factor` depend on clues only.

    >>> board = en.Board("1234 3412 .... ....")
    >>> board.empty_cells, board.filling_factor
    (8, 0.5)
    """

    __slots__ = __match_args__ = ("shape", "cells", "allowed")

    shape: Shape
    cells: bytes
    allowed: tuple[int, ...] | None

    def __init__(self, content: BoardLike, shape: ShapeLike | None = None) -> None:
        own = as_shape(shape)
        allowed = None
        if type(content) is str and (plain := plain_cells(content, own)) is not None:
            own, cells = plain
        else:
            from enumerator.board.coerce import as_board

            board = as_board(content, own)
            own, cells, allowed = board.shape, board.cells, board.allowed
        _set_shape(self, own)
        _set_cells(self, cells)
        _set_allowed(self, allowed)

    @classmethod
    def from_cells(cls, shape: ShapeLike, cells: bytes, allowed: Iterable[int] | None = None) -> Board:
        """Return the board with these cells and pencil marks; raise ValueError if they do not fit `shape`.

        >>> en.Board.from_cells("2x2", bytes([1, 2, 3, 4]) + bytes(12))
        Board("1234............")
        """
        own = shape if isinstance(shape, Shape) else required_shape(shape)
        size = own.height * own.width  # faster than `shape.size`
        if not isinstance(cells, bytes):
            raise TypeError(f"the cells of a board are bytes, not {type(cells).__name__}")
        if len(cells) != size * size:
            raise ValueError(f"{own.title} has {own.cells} cells, not {len(cells)}")
        if max(cells) > size:
            raise ValueError(f"{max(cells)} is no digit of {own.title}")
        masks = None
        if allowed is not None:
            cells, masks = normalise(own, cells, tuple(allowed))
        board = _new_board(cls)
        _set_shape(board, own)
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
    def from_allowed(cls, shape: ShapeLike, masks: Iterable[int]) -> Board:
        """Return the board with one mask per cell; a cell that allows one digit becomes a clue.

        >>> en.Board.from_allowed("2x2", [0b0001, 0b0110] + [0b1111] * 14).restricted_cells
        1
        """
        own = required_shape(shape)
        return cls.from_cells(own, bytes(own.cells), masks)

    @classmethod
    def from_rows(cls, rows: Iterable[Any], shape: ShapeLike | None = None) -> Board:
        """Return the board with these rows of digits; 0 and None are empty cells.

        >>> en.Board.from_rows([[1, 2, 3, 4], [3, 4, 1, 2], [0, 0, 0, 0], [None, None, None, None]])
        Board("12343412........")
        """
        from enumerator.board.coerce import as_board

        return as_board(rows, shape)

    @classmethod
    def empty(cls, shape: ShapeLike) -> Board:
        """Return the board without clues.

        >>> en.Board.empty("2x2")
        Board("................")
        """
        own = required_shape(shape)
        return cls.from_valid(own, bytes(own.cells))

    @classmethod
    def parse(cls, text: str, shape: ShapeLike | None = None) -> Board:
        r"""Return the one board of a text, in any format that `enumerator.board.reading` knows.

        >>> en.Board.parse("1 2 | 3 4 \n 3 4 | 1 2 \n ----+---- \n . . | . . \n . . | . .")
        Board("12343412........")
        """
        from enumerator.board.reading import parse, single_board

        if not isinstance(text, str):
            raise TypeError(f"Board.parse reads a text, not {type(text).__name__}: Board(…) takes anything")
        hint = ": enumerator.read_all(io.StringIO(text)) reads them all"
        return single_board(parse(text.splitlines(keepends=True), "<text>", as_shape(shape)), "<text>", hint)

    # ------------------------------------------------------------------------------------- as a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.cells == other.cells and self.shape == other.shape and self.allowed == other.allowed

    def __hash__(self) -> int:
        return hash((self.shape, self.cells, self.allowed))

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[object, ...]]:
        return _restore, (self.shape, self.cells, self.allowed)

    def __str__(self) -> str:
        """Return the board on one line; `.` is empty.

        A restricted board has `size` symbols per cell: each digit that the cell allows, `.` for
        each of the others.
        """
        if self.allowed is None:
            return self.clues
        symbols = tuple(enumerate(self.shape.symbols))
        return "".join(symbol if mask >> bit & 1 else "." for mask in self.allowed for bit, symbol in symbols)

    def __repr__(self) -> str:
        """Return an expression that evaluates to the board. It names the shape where it must."""
        from enumerator.board.plain_lines import may_be_cube

        text = str(self)
        try:
            is_certain = not may_be_cube(text) and Board(text) == self
        except ValueError:
            is_certain = False
        return f'Board("{text}")' if is_certain else f'Board("{text}", "{self.shape}")'

    def _repr_html_(self) -> str:
        """Return a picture of the board for notebooks."""
        from enumerator.board.pictures import board_html

        return board_html(self)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the digits as a numpy array, size × size, of uint8 unless `dtype` is given."""
        import numpy as np

        digits: NDArray[Any] = np.frombuffer(self.cells, np.uint8).reshape(len(self), -1)
        if copy is False and dtype is not None and np.dtype(dtype) != np.uint8:
            raise ValueError(f"an array of {np.dtype(dtype)} is a copy of a board, which copy=False forbids")
        return digits if copy is False else digits.astype(np.uint8 if dtype is None else dtype)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.shape.size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows, each a tuple of digits, 0 for an empty cell."""
        size, cells = self.shape.size, self.cells
        return (tuple(cells[first : first + size]) for first in range(0, len(cells), size))

    def __contains__(self, item: object) -> bool:
        """Return True if a cell holds the digit `item`, or if `item` is a row of the board."""
        return item in (tuple(self) if isinstance(item, tuple) else tuple(self.cells))

    @overload
    def __getitem__(self, key: tuple[SupportsIndex, SupportsIndex]) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex | tuple[SupportsIndex, slice] | tuple[slice, SupportsIndex]) -> Row: ...
    @overload
    def __getitem__(self, key: slice | tuple[slice, slice]) -> tuple[Row, ...]: ...
    def __getitem__(self, key: object) -> int | Row | tuple[Row, ...]:
        """Return the digit of a cell, 0 if it is empty; or a row, a column, or a part of the board.

        Rows and columns are counted from 0; negative ones from the end.
        """
        row, column = key if isinstance(key, tuple) and len(key) == 2 else (key, slice(None))
        if isinstance(row, slice):
            if isinstance(column, slice):
                return tuple(line[column] for line in tuple(self)[row])
            place = self._index(column, "column")
            return tuple(line[place] for line in tuple(self)[row])
        size, first = self.shape.size, self._index(row, "row") * self.shape.size
        if isinstance(column, slice):
            return tuple(self.cells[first : first + size][column])
        return self.cells[first + self._index(column, "column")]

    def _index(self, number: object, kind: str) -> int:
        """Return the index of a row or column, counted from 0; raise IndexError if there is none."""
        if not hasattr(number, "__index__"):
            raise TypeError(f"a {kind} of a board is an integer or a slice, not {type(number).__name__}")
        place, size = index(cast(SupportsIndex, number)), self.shape.size
        if not -size <= place < size:
            raise IndexError(f"{self.shape.title} has no {kind} {place}: they are counted from 0")
        return place % size

    def rows(self) -> list[list[int]]:
        """Return the rows as lists of digits, 0 for an empty cell.

        >>> en.Board("1234 3412 .... ....").rows()
        [[1, 2, 3, 4], [3, 4, 1, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
        """
        return [list(row) for row in self]

    # ------------------------------------------------------------------------------------------ facts

    @property
    def clues(self) -> str:
        """The clues on one line, without pencil marks; `.` is empty."""
        return self.cells.translate(symbol_table(self.shape)).decode()

    @property
    def empty_cells(self) -> int:
        """The number of cells without a clue."""
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

        >>> [str(conflict) for conflict in en.Board("1..1 .... .... ....").conflicts()]
        ['row 1 holds 1 twice, at r1c1 and r1c4']
        """
        from enumerator.board.conflicts import find_conflicts

        return find_conflicts(self.shape, self.cells, self.allowed)

    def candidate_counts(self) -> list[int]:
        """Return, for each empty cell, the number of digits that it allows and no unit of it holds.

        >>> en.Board("1234 3412 2143 ....").candidate_counts()
        [1, 1, 1, 1]
        """
        return count_candidates(self.shape, self.cells, self.allowed)

    @property
    def search_space(self) -> LongInteger:
        """The product of the numbers of candidates of all empty cells: an integer that prints in full.

        >>> en.Board("1234 .... .... ....").search_space
        104976
        """
        from enumerator.text.numbers import LongInteger

        return LongInteger(self.combinations)

    @property
    def combinations(self) -> int:
        """The search space as a plain integer."""
        return math.prod(self.candidate_counts())

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def grid(self, ascii: bool = False) -> str:  # noqa: A002
        """Return a drawing of the clues, for `print`. With `ascii`, it has no other characters.

        >>> print(en.Board("1234 3412 .... ....").grid())
        ┌─────┬─────┐
        │ 1 2 │ 3 4 │
        │ 3 4 │ 1 2 │
        ├─────┼─────┤
        │ · · │ · · │
        │ · · │ · · │
        └─────┴─────┘
        """
        from enumerator.board.writing import as_drawing

        return as_drawing(self, ascii)

    def link(self, site: str) -> str:
        """Return a link to the board on a site: "fpuzzles", "sudokupad" or "sudokuwiki".

        Raise ValueError if the site does not have such boards.

        >>> en.Board("1" + 80 * ".").link("sudokuwiki")[:40]
        'https://www.sudokuwiki.org/sudoku.htm?bd'
        """
        from enumerator.board.links import write_link

        return write_link(self, site)

    # ---------------------------------------------------------------------------------- other boards

    def with_clue(self, row: SupportsIndex, column: SupportsIndex, digit: int | str) -> Board:
        """Return the board with `digit`, a number or a symbol, in a cell. Rows and columns count from 0.

        A digit that an empty cell does not allow leaves a cell that allows no digit. A cell whose
        clue is replaced is not restricted. Raise ValueError if the board has no such digit, and
        IndexError if it has no such cell.

        >>> en.Board("1... .... .... ....").with_clue(0, 1, 2)
        Board("12..............")
        """
        cell = self._index(row, "row") * self.shape.size + self._index(column, "column")
        return self.with_cell(cell, self._digit(digit))

    def without_clue(self, row: SupportsIndex, column: SupportsIndex) -> Board:
        """Return the board with an empty cell, which is not restricted if it held a clue.

        >>> en.Board("12.. .... .... ....").without_clue(0, 1)
        Board("1...............")
        """
        return self.with_cell(self._index(row, "row") * self.shape.size + self._index(column, "column"), 0)

    def with_cell(self, cell: int, digit: int) -> Board:
        """Return the board with `digit` in cell 0 … size² - 1; digit 0 empties it. See `with_clue`."""
        if not 0 <= cell < self.shape.cells:
            raise IndexError(f"{self.shape.title} has no cell {cell}")
        cells = self.cells[:cell] + bytes([digit]) + self.cells[cell + 1 :]
        allowed = self.allowed
        if allowed is not None and self.cells[cell]:
            allowed = (*allowed[:cell], (1 << self.shape.size) - 1, *allowed[cell + 1 :])
        return Board.from_cells(self.shape, cells, allowed)

    def _digit(self, digit: object) -> int:
        """Return the digit of a clue, a number or a symbol; raise ValueError if it is not a digit."""
        if isinstance(digit, str):
            found = digit_of(digit, self.shape.size) if len(digit) == 1 or digit.isdecimal() else None
        elif isinstance(digit, bool) or not hasattr(digit, "__index__"):
            raise TypeError(f"a clue is a number or a symbol, not {type(digit).__name__}")
        else:
            found = index(cast(SupportsIndex, digit))
        if not found or not 0 < found <= self.shape.size:
            hint = ": without_clue empties a cell" if found == 0 else ""
            raise ValueError(f"{digit!r} is not a digit of {self.shape.title}{hint}")
        return found

    def transposed(self) -> Board:
        """Return the board with rows and columns exchanged. It has the same number of solutions.

        >>> en.Board("1234 .... .... ....").transposed()
        Board("1...2...3...4...")
        """
        size = self.shape.size
        order = [row * size + column for column in range(size) for row in range(size)]
        cells = bytes(self.cells[cell] for cell in order)
        allowed = None if self.allowed is None else tuple(self.allowed[cell] for cell in order)
        return Board.from_cells(Shape(self.shape.width, self.shape.height), cells, allowed)

    def transformed(self, symmetry: Symmetry) -> Board:
        """Return the image of the board under a symmetry; raise ValueError for one of another shape.

        >>> board = en.Board("1234 .... .... ....")
        >>> board.transformed(en.Symmetry.identity("2x2")) == board
        True
        """
        return symmetry.apply(self)

    def shuffled(self, seed: int | None = None) -> Board:
        """Return the board under a random symmetry of its shape; all are equally likely.

        The same seed gives the same symmetry.

        >>> board = en.Board("1234 34.. .... ....")
        >>> board.shuffled(seed=1) == board.shuffled(seed=1)
        True
        """
        import random

        from enumerator.board.symmetry import SymmetryGroup

        return SymmetryGroup(self.shape).random(random.Random(seed)).apply(self)


_new_board, _set_shape, _set_cells, _set_allowed = (
    object.__new__,
    *(vars(Board)[name].__set__ for name in ("shape", "cells", "allowed")),
)
"""The setters of the slots: twice as fast as object.__setattr__, which looks them up by name."""


def _restore(shape: Shape, cells: bytes, allowed: tuple[int, ...] | None) -> Board:
    """Return a board that was pickled."""
    board = _new_board(Board)
    _set_shape(board, shape)
    _set_cells(board, cells)
    _set_allowed(board, allowed)
    return board
