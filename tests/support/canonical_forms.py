"""Canonical forms by brute force: every symmetry without relabelling is tried, in plain Python."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product

from enumerator.board import Board, Shape


@lru_cache
def arrangements(shape: Shape) -> list[tuple[int, ...]]:
    """Return, for each symmetry without relabelling, the cell that comes to each cell."""

    def orders(together: int, groups: int) -> list[tuple[int, ...]]:
        inside = list(permutations(range(together)))
        return [
            tuple(group * together + line for group, lines in zip(order, some, strict=True) for line in lines)
            for order in permutations(range(groups))
            for some in product(inside, repeat=groups)
        ]

    size = shape.size
    rows, columns = orders(shape.height, shape.width), orders(shape.width, shape.height)
    plain = [tuple(row * size + column for row in one for column in other) for one in rows for other in columns]
    if shape.height == shape.width:
        plain += [tuple(cell % size * size + cell // size for cell in one) for one in plain]
    return plain


def least_image(board: Board) -> tuple[bytes, int]:
    """Return the cells of the canonical form of a board without pencil marks, and its number of automorphisms.

    Digits that do not occur can be relabelled freely.
    """
    least, ways = None, 0
    for cells in arrangements(board.shape):
        labels = {0: 0}
        image = [labels.setdefault(board.cells[cell], len(labels)) for cell in cells]
        if least is None or image < least:
            least, ways = image, 0
        ways += image == least
    assert least is not None
    for number in range(1, board.shape.size - max(least) + 1):
        ways *= number
    return bytes(least), ways


def least_marked_image(board: Board) -> tuple[list[tuple[list[int], list[int]]], int]:
    """Return the rows of the canonical form of a board with pencil marks, and its number of automorphisms.

    A row is its digits and the masks of its empty cells. All relabellings are tried as well.
    """
    size, masks = board.shape.size, board.allowed
    assert masks is not None
    relabelled = [
        [sum(1 << to for at, to in enumerate(order) if mask >> at & 1) for mask in range(1 << size)]
        for order in permutations(range(size))
    ]
    least, ways = None, 0
    for cells in arrangements(board.shape):
        for order, table in zip(permutations(range(1, size + 1)), relabelled, strict=True):
            labels = (0, *order)
            image = []
            for first in range(0, size * size, size):
                row = cells[first : first + size]
                digits = [labels[board.cells[cell]] for cell in row]
                image.append((digits, [0 if board.cells[cell] else table[masks[cell]] for cell in row]))
                if least is not None and image[-1] != least[len(image) - 1]:
                    if image[-1] > least[len(image) - 1]:
                        break
                    least, ways = None, 0
            else:
                if least is None:
                    least, ways = image, 0
                ways += 1
    assert least is not None
    return least, ways
