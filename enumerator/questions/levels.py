"""How difficult a puzzle is, by the rules that its solution step by step needs.

    singles      naked and hidden singles suffice
    pairs        locked candidates, and naked or hidden pairs, are needed, too
    more         any rule beyond these, or a guess

The rules are those of rules.py, where the cheapest one that applies is always taken.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from enumerator.board import Board
from enumerator.questions.rules import RATINGS, Candidates

Level: TypeAlias = Literal["singles", "pairs", "more"]
"""The name of a level."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels, the easiest first."""


def find_level(board: Board) -> Level:
    """Return the level of a board with one solution."""
    known, level = Candidates(board), LEVELS[0]
    while known.empty:
        found = known.conclude()
        if found is None or (rating := RATINGS[found.rule]) not in ("easy", "medium"):
            return "more"
        if rating == "medium":
            level = "pairs"
        known.apply(found)
    return level
