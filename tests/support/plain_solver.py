"""A solver in plain Python that shares nothing with the package: it proves puzzles that the package makes."""

from __future__ import annotations

from functools import cache


@cache
def peers(height: int, width: int) -> tuple[frozenset[int], ...]:
    """Return for each cell the others of its row, column and box."""
    size = height * width
    places = [(cell // size, cell % size) for cell in range(size * size)]
    boxes = [(row // height, column // width) for row, column in places]
    return tuple(
        frozenset(
            other
            for other in range(size * size)
            if other != cell and (places[other][0] == row or places[other][1] == column or boxes[other] == boxes[cell])
        )
        for cell, (row, column) in enumerate(places)
    )


def count_solutions(cells: bytes, height: int, width: int, limit: int) -> int:
    """Return the number of solutions, at most `limit`, by backtracking on the cell with the fewest digits."""
    size, near = height * width, peers(height, width)
    free = {
        cell: {*range(1, size + 1)} - {cells[other] for other in near[cell]}
        for cell, digit in enumerate(cells)
        if not digit
    }
    clash = any(digit and any(cells[other] == digit for other in near[cell]) for cell, digit in enumerate(cells))
    return 0 if clash else _count(free, near, limit)


def _count(free: dict[int, set[int]], near: tuple[frozenset[int], ...], limit: int) -> int:
    if not free:
        return 1
    cell = min(free, key=lambda each: len(free[each]))
    found = 0
    for digit in free[cell]:
        left = {
            other: digits - {digit} if other in near[cell] else digits
            for other, digits in free.items()
            if other != cell
        }
        found += _count(left, near, limit - found)
        if found >= limit:
            break
    return found


def is_unique(cells: bytes, height: int, width: int) -> bool:
    """Return True if a board has exactly one solution."""
    return count_solutions(cells, height, width, 2) == 1


def is_minimal(cells: bytes, height: int, width: int) -> bool:
    """Return True if a board has exactly one solution, and several without any of its clues."""
    return is_unique(cells, height, width) and not superfluous(cells, height, width)


def superfluous(cells: bytes, height: int, width: int) -> list[int]:
    """Return the clues without which a board has one solution, too."""
    fewer = {cell: cells[:cell] + b"\0" + cells[cell + 1 :] for cell, digit in enumerate(cells) if digit}
    return [cell for cell, board in fewer.items() if is_unique(board, height, width)]
