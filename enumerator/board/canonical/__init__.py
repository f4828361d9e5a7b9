"""The canonical form of a board: one board chosen from all that are symmetric to it.

    canonical form    the first of all symmetric boards in reading order, with 0 for an empty cell; with pencil
                      marks, the symmetric board that refinement leads to (README.md)
    automorphism      a symmetry that does not change a board

The form of a solved 9×9 board is its minimal lexicographic form in rows, as others publish it. Two boards
of a shape are symmetric if and only if their forms are equal. README.md describes the search.

Modules:

    state.h           what is decided about the image of a board: rows, classes of columns, labels
    rows.h            the least next row of an image, and all ways to it
    search.h          the search for the least image; automorphisms
    marks.h           the form of a board with pencil marks, by refinement
    nine.h            the form of a solved 9×9 board, faster
    form_search.pyx   its interface
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import factorial, prod
from typing import NamedTuple

from enumerator.board.board import Board
from enumerator.board.canonical import form_search
from enumerator.board.shape import Shape
from enumerator.board.symmetry import Symmetry


class CanonicalForm(NamedTuple):
    """The canonical form of a board, a symmetry that leads there, and the board's automorphisms."""

    form: Board
    symmetry: Symmetry
    automorphisms: int
    generators: tuple[Symmetry, ...]
    """Automorphisms of the board from which all others can be composed."""


class Found(NamedTuple):
    """What the kernel knows of a board."""

    cells: bytes
    masks: list[int] | None
    """The form is these cells and masks; None if the board has no pencil marks."""
    rows: list[int]
    columns: list[int]
    digits: list[int]
    transposed: bool
    orbits: list[int]
    """Factors of the number of automorphisms: the others are the orders that the cuts leave open."""
    cuts: int
    tied: int
    """Bits where a class of columns begins whose order follows that of another one."""
    stack_cuts: int
    label_cuts: int
    """Bits where classes of columns, of stacks and of digits begin, which may be exchanged."""
    generators: list[bytes]
    """Of each, the image of every row, every column (counted from `size`) and every digit (from 0)."""
    nodes: int
    """The rows that the search has filled, in whole or from a choice on; with pencil marks, the refinements."""


def search(board: Board, look: Callable[[], object] | None = None) -> Found:
    """Return what the kernel finds for a board. `look` is called often, and may raise an error to end the search."""
    shape = board.shape
    if board.allowed is None:
        return Found(*form_search.search(board.cells, shape.height, shape.width, look))
    return Found(*form_search.search_marks(board.cells, array("Q", board.allowed), shape.height, shape.width, look))


def find_form(board: Board, look: Callable[[], object] | None = None) -> CanonicalForm:
    """Return the canonical form of a board, with its automorphisms. `look` is as in `search`."""
    shape = board.shape
    found = search(board, look)
    symmetry = Symmetry(shape, found.rows, found.columns, found.digits, found.transposed)
    generators = dict.fromkeys(_automorphism(shape, image) for image in found.generators)
    generators.pop(Symmetry.identity(shape), None)
    return CanonicalForm(symmetry.apply(board), symmetry, order_of(shape, found), tuple(generators))


def forms_of(
    shape: Shape,
    cells: bytes | memoryview,
    allowed: tuple[int, ...] | None = None,
    look: Callable[[], object] | None = None,
) -> list[Board]:
    """Return the forms of boards, whose cells are concatenated, with the same pencil marks.

    `look` is as in `search`.
    """
    size = shape.cells
    if allowed is not None:
        boards = (bytes(cells[first : first + size]) for first in range(0, len(cells), size))
        return [find_form(Board.from_cells(shape, board, allowed), look).form for board in boards]
    forms = bytearray(len(cells))
    form_search.write_forms(cells, shape.height, shape.width, forms, look)
    return [Board.from_valid(shape, bytes(forms[first : first + size])) for first in range(0, len(forms), size)]


def order_of(shape: Shape, found: Found) -> int:
    """Return the number of automorphisms: of orbits of choices, and of what is left open."""
    order = prod(found.orbits) * prod(map(factorial, _classes(found.label_cuts, shape.size)))
    first = 0
    for stacks in _classes(found.stack_cuts, shape.height):
        start = first * shape.width
        columns = _classes(found.cuts >> start, shape.width, found.tied >> start)
        order *= factorial(stacks) * prod(map(factorial, columns)) ** stacks
        first += stacks
    return order


def _classes(cuts: int, places: int, tied: int = 0) -> list[int]:
    """Return the sizes of the classes of places that begin at bits of `cuts`, but not at bits of `tied`."""
    firsts = [place for place in range(places) if cuts >> place & 1]
    ends = zip(firsts, [*firsts[1:], places], strict=True)
    return [end - first for first, end in ends if not tied >> first & 1]


def _automorphism(shape: Shape, image: Sequence[int]) -> Symmetry:
    """Return the symmetry that moves each row and column, and changes each digit, as `image` says.

    `image` has the rows first, then the columns, which are counted from `size`, then the digits from 0.
    """
    size = shape.size
    source = [0] * (2 * size)
    for line, moved in enumerate(image[: 2 * size]):
        source[moved] = line % size
    digits = (digit + 1 for digit in image[2 * size :])
    return Symmetry(shape, source[:size], source[size:], digits, image[0] >= size)
