"""Small matters of language that several modules share."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text with what a terminal could not show, or would obey, written as escapes."""
    return "".join(symbol if symbol.isprintable() else ascii(symbol)[1:-1] for symbol in text)


def plural(count: int, noun: str, integer: str = "{}") -> str:
    """So many of something: 1 cell, 2 cells."""
    return f"{integer.format(count)} {noun}" + ("s" if count != 1 else "")
