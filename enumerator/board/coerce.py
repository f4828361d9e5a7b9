"""Anything that is a board, as a Board."""

from __future__ import annotations

from enumerator.board.board import Board
from enumerator.board.shape import Shape


def as_board(content: Board | str, shape: Shape | None = None) -> Board:
    """Return `content` as a board."""
    return content if isinstance(content, Board) else Board(content, shape)
