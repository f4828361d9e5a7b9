"""What a board is: its shape, its clues, text in and out, files. Nothing in here knows about solving."""

from enumerator.board.board import Board, Conflict
from enumerator.board.shape import Shape

__all__ = ["Board", "Conflict", "Shape"]
