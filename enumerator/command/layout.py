"""Facts as lines of text, the format in which every answer can be printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from enumerator.board import Board
from enumerator.questions.facts import search_space_digits

if TYPE_CHECKING:
    from enumerator.questions.estimate import Interval

Facts: TypeAlias = list[tuple[str, str]]
"""Names and values, in the order of display."""

LONG_DIGITS = 10
"""The number of digits from which an integer is also shown in scientific notation."""


def tabulate(title: str, facts: Facts) -> str:
    """Return a title and the facts, one per line, readable for people and for grep."""
    return "\n".join([title, *(f"  {name:<16}{value}" for name, value in facts)])


def board_figures(board: Board, integer: str, search_space: str) -> Facts:
    """Return the facts about a board. `integer` is the format of integers."""
    return [
        ("shape", str(board.shape)),
        ("cells", integer.format(board.shape.cells)),
        ("empty cells", integer.format(board.empty_cells)),
        ("filling factor", f"{board.filling_factor:.3f}"),
        ("search space", search_space),
    ]


def exact_figures(board: Board) -> Facts:
    """Return the facts about a board.

    All integers are exact; long ones also have their magnitude.
    """
    digits = search_space_digits(board)
    return board_figures(board, "{}", f"{digits} ({magnitude(digits)})" if len(digits) >= LONG_DIGITS else digits)


def short_figures(board: Board) -> Facts:
    """Return the facts about a board, for a terminal. Long integers are in scientific notation."""
    digits = search_space_digits(board)
    return board_figures(board, "{:,}", magnitude(digits) if len(digits) >= LONG_DIGITS else f"{int(digits):,}")


def magnitude(digits: str) -> str:
    """Return a large integer, truncated to three digits: 1.39e40."""
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def describe_interval(interval: Interval, write: Callable[[float], str], divisor: int = 1) -> str:
    """Return an estimate and its bounds as text, divided by `divisor` and formatted by `write`."""
    if not interval.mean:
        return "no probe has met one"
    mean, low, high = (write(bound / divisor) for bound in (interval.mean, interval.low, interval.high))
    return f"about {mean} (95 %: {low} to {high})"
