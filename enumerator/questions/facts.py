"""The figures of a board that every answer has, and large integers in print."""

from __future__ import annotations

from enumerator.board import Board


def board_facts(board: Board) -> dict[str, object]:
    """Return the figures of a board; the search space is a string."""
    return {
        "shape": str(board.shape),
        "cells": board.shape.cells,
        "empty_cells": board.empty_cells,
        "filling_factor": round(board.filling_factor, 6),
        "search_space": search_space_digits(board),
    }


def search_space_digits(board: Board) -> str:
    """Write the search space exactly. Python refuses to write more than 4,300 digits, gmpy2 does not."""
    space = board.combinations
    return str(space if space.bit_length() < 10_000 else board.search_space)
