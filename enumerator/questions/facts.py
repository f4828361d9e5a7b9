"""The facts about a board that every answer includes."""

from __future__ import annotations

from enumerator import engines
from enumerator.board import Board


def board_facts(board: Board) -> dict[str, object]:
    """Return the facts about a board: its text on one line first. The search space is a string."""
    facts: dict[str, object] = {
        "board": str(board),
        "shape": str(board.shape),
        "cells": board.shape.cells,
        "empty_cells": board.empty_cells,
        "filling_factor": round(board.filling_factor, 6),
        "search_space": search_space_digits(board),
    }
    if board.allowed is not None:
        facts["restricted_cells"] = board.restricted_cells
    return facts


def search_space_digits(board: Board) -> str:
    """Return the exact search space as text."""
    from enumerator.text.numbers import LongInteger

    return str(LongInteger(engines.search_space(board)))
