"""Symmetries: what may be done to any board of a shape without changing the number of its solutions.

    symmetry    a relabelling of digits; an exchange of rows in a band, of bands, of columns in a stack,
                of stacks; a transposition; or several of these
    group       all symmetries of a shape

Transposition turns boxes of height × width into boxes of width × height. So it is a symmetry of a shape
with square boxes alone. A shape has no other symmetries than these: `tests/board/test_symmetry.py` finds as
many automorphisms of the graph of cells that may not be equal, for 4×4 and 6×6.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from operator import index
from typing import TYPE_CHECKING

from enumerator.board.shape import Shape, ShapeLike, required_shape

if TYPE_CHECKING:
    from enumerator.board.board import Board
    from enumerator.board.coerce import BoardLike

Permutation = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the boards of a shape: a frozen value that can be composed, inverted and applied.

    The image has in row r and column c what the board has in row `rows[r]` and column `columns[c]`,
    counted from 0, or in column `rows[r]` and row `columns[c]` if `transposed`. Digit d becomes
    `digits[d - 1]`. Raise ValueError if that is not a symmetry of `shape`.

    >>> swap = en.Symmetry("2x2", rows=(1, 0, 2, 3), columns=(0, 1, 2, 3), digits=(2, 1, 3, 4))
    >>> board = en.Board("12.. .... .... ....")
    >>> str(board.transformed(swap))
    '....21..........'
    >>> swap @ swap == en.Symmetry.identity("2x2"), swap.inverse() == swap
    (True, True)

    `(second @ first).apply(board)` is `second.apply(first.apply(board))`, as with functions.
    """

    shape: Shape
    rows: Permutation
    columns: Permutation
    digits: Permutation
    transposed: bool = False

    def __init__(
        self,
        shape: ShapeLike,
        rows: Iterable[int],
        columns: Iterable[int],
        digits: Iterable[int],
        transposed: bool = False,
    ) -> None:
        own = required_shape(shape)
        object.__setattr__(self, "shape", own)
        object.__setattr__(self, "rows", _checked("rows", rows, own.size, own.height))
        object.__setattr__(self, "columns", _checked("columns", columns, own.size, own.width))
        moved = _checked("digits", (digit - 1 for digit in digits), own.size, own.size)
        object.__setattr__(self, "digits", tuple(digit + 1 for digit in moved))
        object.__setattr__(self, "transposed", bool(transposed))
        if transposed and own.height != own.width:
            raise ValueError(f"transposition is no symmetry of {own.suggestion}: its image has another shape")

    @classmethod
    def identity(cls, shape: ShapeLike) -> Symmetry:
        """Return the symmetry that changes nothing."""
        own = required_shape(shape)
        return cls(own, range(own.size), range(own.size), range(1, own.size + 1))

    def __matmul__(self, first: Symmetry) -> Symmetry:
        """Return the symmetry that does `first`, then this one."""
        if not isinstance(first, Symmetry):
            return NotImplemented
        if first.shape != self.shape:
            raise ValueError(f"a symmetry of {first.shape} cannot be followed by one of {self.shape}")
        rows, columns = (first.columns, first.rows) if self.transposed else (first.rows, first.columns)
        return Symmetry(
            self.shape,
            (rows[row] for row in self.rows),
            (columns[column] for column in self.columns),
            (self.digits[digit - 1] for digit in first.digits),
            self.transposed != first.transposed,
        )

    def inverse(self) -> Symmetry:
        """Return the symmetry that undoes this one."""
        rows, columns = _inverse(self.rows), _inverse(self.columns)
        if self.transposed:
            rows, columns = columns, rows
        digits = _inverse([digit - 1 for digit in self.digits])
        return Symmetry(self.shape, rows, columns, (digit + 1 for digit in digits), self.transposed)

    @property
    def is_identity(self) -> bool:
        """True if it changes nothing."""
        return self == Symmetry.identity(self.shape)

    def sources(self) -> Iterator[int]:
        """Yield, for each cell of an image, the cell of the board that it comes from."""
        size = self.shape.size
        step, turn = (1, size) if self.transposed else (size, 1)
        return (row * step + column * turn for row in self.rows for column in self.columns)

    def apply(self, board: BoardLike) -> Board:
        """Return the image of anything that is a board, or of a solution, with its pencil marks.

        Raise ValueError if the board has another shape.
        """
        from enumerator.board.board import Board
        from enumerator.board.coerce import as_board

        board = as_board(board, self.shape)
        sources, digits = list(self.sources()), bytes((0, *self.digits))
        cells = bytes(digits[board.cells[cell]] for cell in sources)
        if board.allowed is None:
            return Board.from_valid(self.shape, cells)
        return Board.from_cells(self.shape, cells, (self.apply_mask(board.allowed[cell]) for cell in sources))

    def apply_mask(self, mask: int) -> int:
        """Return the digits that a mask becomes: bit d - 1 stands for digit d."""
        return sum(1 << (digit - 1) for bit, digit in enumerate(self.digits) if mask >> bit & 1)

    def to_dict(self) -> dict[str, object]:
        """Return the fields for JSON. Rows and columns are counted from 0, digits from 1."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "digits": list(self.digits),
            "transposed": self.transposed,
        }


def _checked(name: str, numbers: Iterable[int], size: int, group: int) -> Permutation:
    """Return a permutation of 0 … size - 1 that keeps groups of `group` numbers together."""
    found = tuple(index(number) for number in numbers)
    if sorted(found) != list(range(size)):
        raise ValueError(f"the {name} of a symmetry are each of {size} {name} once")
    if any(len({number // group for number in found[first : first + group]}) > 1 for first in range(0, size, group)):
        raise ValueError(f"the {name} of a symmetry stay together in groups of {group}")
    return found


def _inverse(numbers: Sequence[int]) -> Permutation:
    places = [0] * len(numbers)
    for place, number in enumerate(numbers):
        places[number] = place
    return tuple(places)


@dataclass(frozen=True, slots=True)
class SymmetryGroup:
    """All symmetries of a shape.

    >>> group = SymmetryGroup(Shape(3, 3))
    >>> group.arrangements, group.order
    (3359232, 1218998108160)
    """

    shape: Shape

    @property
    def lines(self) -> tuple[int, int]:
        """The number of orders of rows, and of columns."""
        height, width = self.shape.height, self.shape.width
        return _lines(height, width), _lines(width, height)

    @property
    def arrangements(self) -> int:
        """The number of symmetries without relabelling."""
        rows, columns = self.lines
        return rows * columns * (2 if self.shape.height == self.shape.width else 1)

    @property
    def order(self) -> int:
        """The number of symmetries."""
        return self.arrangements * factorial(self.shape.size)

    def random(self, rng: random.Random) -> Symmetry:
        """Return a symmetry; all are equally likely."""
        height, width, size = self.shape.height, self.shape.width, self.shape.size
        return Symmetry(
            self.shape,
            _shuffled_lines(rng, height, width),
            _shuffled_lines(rng, width, height),
            rng.sample(range(1, size + 1), size),
            height == width and rng.random() < 0.5,
        )


def _lines(together: int, groups: int) -> int:
    """Return the number of orders of the rows or columns of a board."""
    inside: int = factorial(together) ** groups
    return inside * factorial(groups)


def _shuffled_lines(rng: random.Random, together: int, groups: int) -> list[int]:
    """Return a random order of the rows or columns of a board."""
    order = rng.sample(range(groups), groups)
    return [group * together + line for group in order for line in rng.sample(range(together), together)]
