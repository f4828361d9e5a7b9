"""The walk in plain Python, without rules.

It is the specification of the compiled walks and the oracle of their tests.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.common.position import Position
from enumerator.board import Board


def walk(board: Board) -> Iterator[Board]:
    """Yield every solution of a board, found with an explicit stack of guesses.

    A level of the stack holds a cell and the candidates not yet tried there. The top level tries
    its next candidate. Unless that fills the board, the empty cell with the fewest candidates
    becomes a new level. A level without untried candidates is removed, and the guess that led to it
    is undone.
    """
    if any(board.conflicts()):
        return
    position = Position(board)
    if position.full:
        yield board
        return
    cell = position.best[1]
    stack = [(cell, position.candidates(cell))]
    while stack:
        cell, untried = stack.pop()
        if not untried:
            if stack:
                position.unset()
            continue
        lowest = untried & -untried
        stack.append((cell, untried ^ lowest))
        position.set(cell, lowest.bit_length())
        if position.full:
            yield position.board
            position.unset()
        else:
            cell = position.best[1]
            stack.append((cell, position.candidates(cell)))


def count(board: Board) -> int:
    """Return the number of solutions of a board."""
    return sum(1 for _ in walk(board))
