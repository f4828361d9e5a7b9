"""Facts as lines of text, the format in which every answer can be printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from enumerator.board import Board
from enumerator.questions.facts import search_space_digits
from enumerator.text.phrases import magnitude, plural, short

if TYPE_CHECKING:
    from enumerator.questions.intervals import Interval

Facts: TypeAlias = list[tuple[str, str]]
"""Names and values, in the order of display."""

LONG_DIGITS = 10
"""The number of digits from which a drawing shows a search space in scientific notation."""


def tabulate(title: str, facts: Facts) -> str:
    """Return a title and the facts, one per line, readable for people and for grep."""
    return "\n".join([title, *(f"  {name:<16}{value}" for name, value in facts)])


def describe_clues(board: Board) -> str:
    """Return the number of clues and the filling factor: 20 of 81 cells (25 % filled)."""
    cells = board.shape.cells
    return f"{cells - board.empty_cells:,} of {cells:,} cells ({100 * board.filling_factor:.0f} % filled)"


def pencil_marks(board: Board) -> Facts:
    """Return the fact that pencil marks restrict a board; nothing for any other board."""
    return [] if board.allowed is None else [("pencil marks", f"restrict {plural(board.restricted_cells, 'cell')}")]


def exact_figures(board: Board) -> Facts:
    """Return the facts about a board, for a pipe."""
    digits = search_space_digits(board)
    return [
        ("shape", str(board.shape)),
        ("cells", str(board.shape.cells)),
        ("clues", describe_clues(board)),
        ("empty cells", str(board.empty_cells)),
        *pencil_marks(board),
        ("filling factor", f"{board.filling_factor:.3f}"),
        ("search space", short(digits)),
    ]


def short_figures(board: Board) -> Facts:
    """Return the facts about a board, for a terminal."""
    digits = search_space_digits(board)
    return [
        ("clues", describe_clues(board)),
        ("empty cells", f"{board.empty_cells:,}"),
        *pencil_marks(board),
        ("search space", magnitude(digits) if len(digits) >= LONG_DIGITS else f"{int(digits):,}"),
    ]


def describe_interval(interval: Interval, write: Callable[[float], str], noun: str = "") -> str:
    """Return an estimate and its bounds as text. `write` formats a power of ten.

    `noun` stands after the estimate.
    """
    return interval.describe(write, noun)
