"""A board as an exact cover, for other programs.

An option is a digit in a cell. An item must be covered by exactly one option: a cell, or a digit in a
row, column or box. Items that the clues cover are left out, and so are the options that they rule out.
A reduced cover also lacks what naked and hidden singles settle, one after the other.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from enumerator.board import Board, Shape


class Cover(NamedTuple):
    """The options that are left, each by its items, and the number of items that are left.

    Items without options count as well: such a board has no solution.
    """

    options: list[tuple[int, ...]]
    items: int


IMPOSSIBLE = Cover([], 1)
"""The cover of a board whose clues contradict each other."""


@cache
def items_of(shape: Shape) -> list[tuple[int, ...]]:
    """Return the items of each option, by cell × size + digit. Each of the four kinds has numbers of its own."""
    size, cells = shape.size, shape.cells
    found = []
    for cell in range(cells):
        row, column = divmod(cell, size)
        box = row // shape.height * shape.height + column // shape.width
        firsts = (cells + row * size, 2 * cells + column * size, 3 * cells + box * size)
        found += [(cell, *(first + digit for first in firsts)) for digit in range(size)]
    return found


@cache
def options_of(shape: Shape) -> list[list[int]]:
    """Return the options of each item."""
    found: list[list[int]] = [[] for _ in range(4 * shape.cells)]
    for option, items in enumerate(items_of(shape)):
        for item in items:
            found[item].append(option)
    return found


def cover(board: Board) -> Cover:
    """Return the options that no clue rules out.

    Contradicting clues leave more items of rows than of cells: no cover.
    """
    items, size = items_of(board.shape), board.shape.size
    done = {item for cell, clue in enumerate(board.cells) if clue for item in items[cell * size + clue - 1]}
    return numbered([option for option in items if done.isdisjoint(option)], done, board.shape)


def reduced_cover(board: Board) -> Cover:
    """Return the options that are left when every naked and hidden single is settled."""
    items, options, size = items_of(board.shape), options_of(board.shape), board.shape.size
    alive = bytearray([1]) * len(items)
    left = [size] * len(options)
    """The number of options of each item."""
    settled = bytearray(len(items))
    waiting = [cell * size + clue - 1 for cell, clue in enumerate(board.cells) if clue]
    while waiting:
        option = waiting.pop()
        if settled[option]:
            continue
        if not alive[option]:
            return IMPOSSIBLE
        settled[option] = 1
        for other in {other for item in items[option] for other in options[item] if alive[other]} - {option}:
            alive[other] = 0
            for item in items[other]:
                left[item] -= 1
                if left[item] == 1:
                    waiting += [last for last in options[item] if alive[last]]
    done = {item for option, is_settled in enumerate(settled) if is_settled for item in items[option]}
    return numbered(
        [items[option] for option in range(len(items)) if alive[option] > settled[option]], done, board.shape
    )


def numbered(options: list[tuple[int, ...]], done: set[int], shape: Shape) -> Cover:
    """Return options with the items that are not `done` numbered from 0."""
    number = {item: place for place, item in enumerate(sorted(set(range(4 * shape.cells)) - done))}
    return Cover([tuple(number[item] for item in option) for option in options], len(number))


def options_by_item(given: Cover) -> list[list[int]]:
    """Return the numbers of the options of each item."""
    found: list[list[int]] = [[] for _ in range(given.items)]
    for number, option in enumerate(given.options):
        for item in option:
            found[item].append(number)
    return found
