"""Requests: the JSON of a body to a board and arguments. A request that is not valid raises RequestError.

The text of a board goes to the reader of texts only. It is never taken for the name of a file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from math import isfinite
from typing import Any, NoReturn, TypeVar

from enumerator.board import Shape
from enumerator.questions.read import ReadAnswer, read_first

Choice = TypeVar("Choice", bound=str)

LONGEST_QUESTION_SECONDS = 60.0
"""The longest time limit of an answer, and the default."""

READ_SECONDS = 0.5
"""The longest time that is spent on reading a board. Most texts of 64 KB take a fifth of it."""

MOST_DIGITS = 1_000
"""The most digits of an integer in a request."""

FIELDS = frozenset(["board", "shape", "seconds", "n", "number", "seed", "site", "clues", "symmetry", "level"])
"""The names that a request may have."""


class RequestError(Exception):
    """A request that cannot be answered: its message is for the user."""


class Request:
    """A valid JSON object. Its arguments are checked when a question asks for them."""

    def __init__(self, body: bytes) -> None:
        """Read the JSON of a body; raise RequestError if it is not an object with known names."""
        self.fields = _load(body)
        if unknown := sorted(set(self.fields) - FIELDS):
            raise RequestError(f"{_shown(unknown[0])} is not an argument: they are {', '.join(sorted(FIELDS))}")

    def read(self, time_limit: float = READ_SECONDS) -> ReadAnswer:
        """Read the board. Raise RequestError without a text, and BoardError if the text is not a board."""
        text = self.fields.get("board")
        if not isinstance(text, str):
            raise RequestError("board must be a string: the text of a board")
        return read_first(text, self.shape(), time_limit=time_limit)

    def has(self, name: str) -> bool:
        """Return True if an argument is given, and not null."""
        return self.fields.get(name) is not None

    def shape(self) -> Shape | None:
        """Return the shape, None if it is not given."""
        shape = self.fields.get("shape")
        if shape is None:
            return None
        if not isinstance(shape, str):
            raise RequestError('shape must be a string, such as "3x3"')
        try:
            return Shape.parse(shape)
        except ValueError as error:
            raise RequestError(str(error)) from None

    def seconds(self, default: float = LONGEST_QUESTION_SECONDS) -> float:
        """Return the time limit in seconds."""
        seconds = self.fields.get("seconds", default)
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 < seconds <= LONGEST_QUESTION_SECONDS
        ):
            raise RequestError(f"seconds must be a number greater than 0, and {LONGEST_QUESTION_SECONDS:g} at most")
        return float(seconds)

    def choice(self, name: str, choices: Collection[Choice]) -> Choice:
        """Return that one of `choices`, which are strings, that is given."""
        value = self.fields.get(name)
        for choice in choices:
            if value == choice:
                return choice
        raise RequestError(f"{name} must be one of {', '.join(choices)}")

    def integer(self, name: str, least: int, most: int | None = None, default: int | None = None) -> int:
        """Return an integer, which may be a string of digits; raise RequestError if it is none in this range."""
        value: Any = self.fields.get(name, default)
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS:
            value = int(value)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):
            end = "" if most is None else f" and {most} at most"
            raise RequestError(f"{name} must be an integer of at least {least}{end}")
        return int(value)


def _load(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
    except UnicodeDecodeError:
        raise RequestError("the request is not UTF-8") from None
    except RecursionError:
        raise RequestError("the request is nested too deeply") from None
    except ValueError:  # also an integer of more digits than Python converts
        raise RequestError("the request is not valid JSON") from None
    if not isinstance(found, dict):
        raise RequestError("the request is not a JSON object")
    return found


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise RequestError(f"the name {_shown(name)} is given twice")
        found[name] = value
    return found


def _refuse(constant: str) -> NoReturn:
    raise RequestError(f"{constant} is not a number of JSON")


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise RequestError("a number is too large")
    return number


def _shown(name: str) -> str:
    return repr(name if len(name) < 40 else f"{name[:40]}…")
