"""Patterns of candidates: subsets of a unit, and fish. They are found here and put into words in rules.py.

naked subset    n cells of a unit that have n candidates together: no other cell of the unit holds them
hidden subset   n digits that have n places together in a unit: no other digit stands there
fish            a digit has its places in n rows in n columns only, or the reverse: it stands there, so
                nowhere else in these columns. Two lines are an X-wing, three a swordfish
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple


class Subset(NamedTuple):
    """Some cells and some digits of a unit, equally many, that belong to each other."""

    cells: tuple[int, ...]
    digits: tuple[int, ...]


class Fish(NamedTuple):
    """Lines in which a digit has its places in as many crossing lines, and the cells that lose it."""

    by_row: bool
    """True if `lines` are rows."""
    lines: tuple[int, ...]
    crossing: tuple[int, ...]
    cells: int
    """The places of the digit in `lines`, as a bit set."""
    losing: int
    """The other places in `crossing`, as a bit set."""


def bits(number: int) -> Iterator[int]:
    """Yield the indexes of the ones of a number, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def unions(sets: Iterable[tuple[int, int]], number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the keys of `number` sets whose union has as many members, and the union."""
    few = [one for one in sets if 2 <= one[1].bit_count() <= number]
    if len(few) < number:
        return
    for some in combinations(few, number):
        union = 0
        for _, members in some:
            union |= members
        if union.bit_count() == number:
            yield tuple(key for key, _ in some), union


def naked_subsets(masks: Sequence[int], members: Sequence[int], number: int) -> Iterator[Subset]:
    """Yield the naked subsets of a unit that remove candidates. `masks` are those of all cells."""
    for cells, union in unions(((cell, masks[cell]) for cell in members), number):
        if any(masks[cell] & union for cell in members if cell not in cells):
            yield Subset(cells, tuple(bit + 1 for bit in bits(union)))


def hidden_subsets(masks: Sequence[int], places: Sequence[int], unit: int, number: int) -> Iterator[Subset]:
    """Yield the hidden subsets of a unit that remove candidates. `places` are those of each digit, from 1 on."""
    for digits, union in unions(((digit, places[digit] & unit) for digit in range(1, len(places))), number):
        kept, cells = sum(1 << (digit - 1) for digit in digits), tuple(bits(union))
        if any(masks[cell] & ~kept for cell in cells):
            yield Subset(cells, digits)


def fish(places: int, size: int, number: int) -> Iterator[Fish]:
    """Yield the fish of `number` lines that remove places of a digit on a board of `size` rows."""
    row, column = (1 << size) - 1, sum(1 << size * each for each in range(size))
    rows, columns = [row << size * each for each in range(size)], [column << each for each in range(size)]
    for by_row, lines, crosswise in ((True, rows, columns), (False, columns, rows)):
        few = [each for each in range(size) if 2 <= (places & lines[each]).bit_count() <= number]
        if len(few) < number:
            continue
        crosses = [(each, _members(places & lines[each], crosswise)) for each in few]
        for chosen, union in unions(crosses, number):
            crossing, inside, across = tuple(bits(union)), 0, 0
            for line in chosen:
                inside |= places & lines[line]
            for line in crossing:
                across |= places & crosswise[line]
            if across != inside:
                yield Fish(by_row, chosen, crossing, inside, across & ~inside)


def _members(cells: int, lines: Sequence[int]) -> int:
    """Return the lines that some cells meet, as a bit set."""
    return sum(1 << number for number, line in enumerate(lines) if cells & line)
