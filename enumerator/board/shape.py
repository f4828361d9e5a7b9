"""Shapes: the size of a board, its rows, columns and boxes, and the symbols of its digits.

Terms:

    height × width   the cells of a box; a 6×6 board of 2×3 boxes has height 2 and width 3
    size             the number of digits, rows, columns and boxes: height · width
    cell             an index 0 … size² - 1, row by row
    unit             a row, a column or a box: `size` cells that hold every digit once
    band             `height` rows that share boxes
    stack            `width` columns that share boxes
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from operator import index
from typing import NoReturn

SMALLEST, LARGEST = 2, 8
"""The smallest and the largest height or width of a box."""

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$&"
"""The symbol of digit d is SYMBOLS[d - 1]."""


class Frozen:
    """A value whose slots are set once, by `object.__setattr__`.

    `dataclasses` imports `inspect`, which takes as long as a tenth of a short command.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a frozen value: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a frozen value: {name!r} cannot be deleted")


class Shape(Frozen):
    """The shape of a board: box height × box width, each from 2 to 8.

    Raise TypeError if they are not integers, and ValueError if they are out of range.

    >>> shape = en.Shape(2, 3)
    >>> shape.size, shape.cells, shape.symbols
    (6, 36, '123456')
    >>> shape
    Shape(height=2, width=3)
    >>> str(shape)
    '2x3'
    """

    __slots__ = __match_args__ = ("height", "width")

    height: int
    width: int

    def __init__(self, height: int, width: int) -> None:
        for name, side in (("height", height), ("width", width)):
            if isinstance(side, bool) or not hasattr(side, "__index__"):
                raise TypeError(f"the {name} of a box is an integer, not {type(side).__name__}")
            object.__setattr__(self, name, index(side))  # of an integer of numpy, too
        if not (SMALLEST <= self.height <= LARGEST and SMALLEST <= self.width <= LARGEST):
            raise ValueError(f"a box of {self} is not between 2x2 and 8x8")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return self.height == other.height and self.width == other.width

    def __hash__(self) -> int:
        return hash((self.height, self.width))

    def __repr__(self) -> str:
        return f"Shape(height={self.height}, width={self.width})"

    def __reduce__(self) -> tuple[type[Shape], tuple[int, int]]:
        return Shape, (self.height, self.width)

    def __str__(self) -> str:
        return f"{self.height}x{self.width}"

    @property
    def size(self) -> int:
        """The number of digits, rows, columns and boxes."""
        return self.height * self.width

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.size**2

    @property
    def symbols(self) -> str:
        """The symbols of the digits from 1 on: "123456789", followed by letters on larger boards."""
        return SYMBOLS[: self.size]

    @property
    def title(self) -> str:
        """The size of the board with an article: "a 9×9 board"."""
        article = "an" if self.size in (8, 18) else "a"
        return f"{article} {self.size}×{self.size} board"

    @property
    def suggestion(self) -> str:
        """The shape with an explanation: "2x3 (boxes of 2 rows and 3 columns)"."""
        return f"{self} (boxes of {self.height} rows and {self.width} columns)"

    def hint_for(self, cells: int) -> str:
        """Return a question for someone who may have given the size of a board as its box; or "".

        `cells` is the number of cells of a row. 6x6 is a box of a 36×36 board.
        """
        meant = Shape.of_size(self.height) if self.height == self.width else None
        return f"did you mean {meant.suggestion}?" if meant and cells in (meant.size, meant.cells) else ""

    def place(self, cell: int) -> tuple[int, int, int]:
        """Return the row, the column and the box of a cell."""
        row, column = divmod(cell, self.size)
        return row, column, row // self.height * self.height + column // self.width

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Return the shape for a text such as "3x3" or "3×3"; raise ValueError for another text.

        >>> en.Shape.parse("2x3")
        Shape(height=2, width=3)
        """
        height, cross, width = text.strip().lower().replace("×", "x").partition("x")
        numbers = [int(side) if side.isdecimal() and len(side) < 4 else 0 for side in (height, width or height)]
        meant = cls.of_size(numbers[0]) if numbers[0] == numbers[1] and not (cross and numbers[0] <= LARGEST) else None
        if meant and (width or not cross):  # the size of a board
            raise ValueError(f"{text.strip()} is not a box: did you mean {meant.suggestion}?")
        if not (cross and height.isdecimal() and width.isdecimal()):
            raise ValueError(f"{text!r} is not a shape: say box height x box width, as in 2x3")
        return cls(int(height), int(width))

    @classmethod
    @lru_cache
    def of_size(cls, size: int) -> Shape | None:
        """Return the usual shape of a board with `size` digits; None if there is none.

        The usual box is the one closest to a square that is not taller than wide.

        >>> en.Shape.of_size(12)
        Shape(height=3, width=4)
        """
        for height in range(LARGEST, SMALLEST - 1, -1):
            width = size // height
            if height * width == size and height <= width <= LARGEST:
                return cls(height, width)
        return None

    @classmethod
    @lru_cache
    def of_cells(cls, cells: int) -> Shape | None:
        """Return the usual shape of a board with `cells` cells in total; None if there is none."""
        size = isqrt(cells)
        return cls.of_size(size) if size * size == cells else None


ShapeLike = Shape | str | tuple[int, int] | list[int]
"""What a function accepts as a shape: a Shape, a text such as "2x3", or a pair such as (2, 3)."""


def as_shape(shape: ShapeLike | None) -> Shape | None:
    """Return anything that is a shape as a Shape; None remains None.

    Raise TypeError or ValueError if `shape` is not a shape.
    """
    if shape is None or isinstance(shape, Shape):
        return shape
    if isinstance(shape, str):
        return _parse(shape)
    if not isinstance(shape, tuple | list):
        raise TypeError(f'a shape is a Shape, "2x3" or (2, 3), not {type(shape).__name__}')
    if len(shape) != 2:
        raise ValueError(f"a shape is a pair of box height and box width, as (2, 3), not {len(shape)} numbers")
    return Shape(*shape)


_parse = lru_cache(Shape.parse)
"""Shape.parse, in 0.1 µs for a text that was seen before."""


def required_shape(shape: ShapeLike) -> Shape:
    """Return anything that is a shape as a Shape; raise TypeError for None."""
    if (own := as_shape(shape)) is None:
        raise TypeError('a shape is a Shape, "2x3" or (2, 3), not None')
    return own


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell by its row and column, from 1: r1c2."""
    return f"r{cell // size + 1}c{cell % size + 1}"


@lru_cache
def units(shape: Shape) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the name and the cells of every unit: "row 1", …, "column 1", …, "box 1", …"""
    members: dict[str, list[int]] = {}
    for kind in ("row", "column", "box"):
        members.update((f"{kind} {number}", []) for number in range(1, shape.size + 1))
    for cell in range(shape.cells):
        for kind, place in zip(("row", "column", "box"), shape.place(cell), strict=True):
            members[f"{kind} {place + 1}"].append(cell)
    return tuple((name, tuple(cells)) for name, cells in members.items())
