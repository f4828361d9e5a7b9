"""Parsers of the arguments of options. Each returns a value or raises ArgumentTypeError."""

from __future__ import annotations

import argparse
import re
from math import inf

from enumerator.board import Shape
from enumerator.text.phrases import LONGEST_DIGITS

LONGEST_TIMER_SECONDS = 1e9
"""The longest time limit: 31 years."""

NUMBER = r"(?:\d{1,99}(?:\.\d{0,99})?|\.\d{1,99})(?:[eE][+-]?\d{1,3})?"
"""A decimal number greater than or equal to 0, as a regular expression."""

UNITS = {"ms": 0.001, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "d": 86400}
"""The units of a time, in seconds."""


MOST_CORES = 1_000_000
"""The largest number of cores that may be requested: more than any cluster has."""


MOST_CELLS = 64
"""The largest number of cells of a set that may be requested."""


MOST_CLUES = 8
"""The largest number of further clues that may be requested."""


def number_of_cores(text: str) -> int:
    """Parse the number of cores to use at most."""
    cores = _integer(1, text)
    if cores > MOST_CORES:
        raise argparse.ArgumentTypeError(f"{_shown(text)} is not a number of cores between 1 and {MOST_CORES:,}")
    return cores


def positive_integer(text: str) -> int:
    """Parse an integer of at least 1, written as 1000, 1_000 or 1e3."""
    return _integer(1, text)


def number_of_cells(text: str) -> int:
    """Parse a number of cells, 1 to 64."""
    return _small(text, "cells", MOST_CELLS)


def number_of_clues(text: str) -> int:
    """Parse a number of further clues, 1 to 8."""
    return _small(text, "clues", MOST_CLUES)


def _small(text: str, noun: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,2}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(
            f"{_shown(text)} is not a number of {noun} from 1 to {most} (a board stands before the option)"
        )
    return int(text)


def natural_number(text: str) -> int:
    """Parse an integer of at least 0, for example a line number or a seed."""
    return _integer(0, text)


def _integer(least: int, text: str) -> int:
    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,3}))?", text, re.ASCII)
    number = int(match[1].replace("_", "")) * 10 ** int(match[2] or 0) if match else -1
    if number < least:
        raise argparse.ArgumentTypeError(f"{_shown(text)} is not a whole number of at least {least}")
    return number


def _shown(text: str) -> str:
    """Return an argument in quotes, shortened if it is long."""
    return repr(text if len(text) <= LONGEST_DIGITS else f"{text[:LONGEST_DIGITS]}…")


def port_number(text: str) -> int:
    """Parse the number of a port; 0 is any that is free."""
    if not re.fullmatch(r"\d{1,5}", text, re.ASCII) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port, a number from 0 to 65535 (a board stands before --serve)"
        )
    return int(text)


def search_space_size(text: str) -> int:
    """Parse the size of a search space exactly, up to about 1e9999."""
    from enumerator.text.numbers import exact

    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,4}))?", text, re.ASCII)
    number: int = exact(int(match[1].replace("_", ""))) * 10 ** int(match[2] or 0) if match else exact(0)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{_shown(text)} is not a size between 1 and 1e9999")
    return number


def box_shape(text: str) -> Shape:
    """Parse the shape of a box, such as 2x3."""
    try:
        return Shape.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def output_path(text: str) -> str | None:
    """Parse the name of a file to write to; None is standard output."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a file name")
    return None if text == "-" else text


def ledger_path(text: str) -> str:
    """Parse the name of a ledger, which cannot be standard input."""
    if not text or text == "-":
        raise argparse.ArgumentTypeError(f"{text!r} is not a file name")
    return text


def picture_path(text: str) -> str:
    """Parse the name of a file for a picture, which cannot be standard output."""
    if not text or text == "-" or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a file name")
    return text


def fraction(text: str) -> float:
    """Parse a share, such as 5%, 5 % or 0.05."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{0,9})?|\.\d{1,9}) ?(%?)", text, re.ASCII)
    share = float(match[1]) / (100 if match[2] else 1) if match else 0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 100 %")
    return share


def seconds(text: str) -> float:
    """Parse a time: in seconds, such as 90, 0.5 or 1e3, or with units, such as 10s, 2m or 1h30m.

    Anything longer than LONGEST_TIMER_SECONDS is that: timers refuse larger numbers.
    """
    is_time = re.fullmatch(rf"{NUMBER}|(?:{NUMBER} ?(?:{'|'.join(UNITS)}) ?){{1,5}}", text, re.ASCII)
    found = re.findall(rf"({NUMBER}) ?([a-z]*)", text, re.ASCII) if is_time else []
    time = sum(float(number) * UNITS[unit or "s"] for number, unit in found)
    if not 0 < time < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time greater than 0, such as 90, 0.5, 10s, 2m or 1h30m")
    return min(time, LONGEST_TIMER_SECONDS)


def site_name(text: str) -> str:
    """Parse the name of a site on the web: f-puzzles is fpuzzles."""
    return text.lower().replace("-", "")
