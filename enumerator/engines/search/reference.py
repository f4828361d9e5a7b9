"""The bare walk in plain Python: it says what the compiled kernels must find, and is the oracle of their tests."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.board import Board
from enumerator.engines.search.position import Position


def walk(board: Board) -> Iterator[Board]:
    """Every solution of a board, by an explicit stack of guesses.

    Each level of the stack holds the candidates not yet tried of one cell. The topmost level tries
    its next one and, unless that fills the board, the best empty cell becomes a new level; a level
    without candidates is left, and the guess that led to it is taken back.
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
    return sum(1 for _ in walk(board))
