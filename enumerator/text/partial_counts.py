"""The wording of numbers that may be lower bounds: 3 solutions, at least 3 solutions (limit), 3+."""

from __future__ import annotations

from enumerator.text.phrases import plural, whole


def at_least(number: str, is_complete: bool, ended: str = "") -> str:
    """Return a number as it is, or as a lower bound: at least 3. `ended` is why the count ended, for brackets."""
    if is_complete:
        return number
    return f"at least {number} ({ended})" if ended else f"at least {number}"


def with_plus(number: int | str, is_complete: bool) -> str:
    """Return a number alone; a trailing + means "at least"."""
    return f"{number}{'' if is_complete else '+'}"


def number_of_solutions(number: int, is_complete: bool, ended: str = "") -> str:
    """Return a number of solutions: 1 solution, at least 1,234 solutions (time limit)."""
    return at_least(f"{whole(number, '{:,}')} solution{'' if number == 1 else 's'}", is_complete, ended)


def what_is_missing(is_complete: bool, counts: int | None = None) -> str:
    """Return what a count that ended early is lacking. `counts` is the number that finished, if several were wanted."""
    if counts is not None:
        return f"only {plural(counts, 'count')} finished"
    return f"this count is not {'verified' if is_complete else 'complete'}"
