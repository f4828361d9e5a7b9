"""Exact shares of work, as fractions of gmpy2.

A share is a product of 1 / branches over the levels of a tree, or the length of a range over that of
a sum. On large boards it is far below the least positive float. Engines state shares as a numerator
and a denominator (`Share`), so that short counts do not import gmpy2. This module is imported where
work is divided or recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gmpy2 import mpq

from enumerator.engines.results import Share

WHOLE = mpq(1)
"""The share of all work."""

BASE = 16
"""The base of shares as text. Reading and writing then take a time in proportion to the length."""


def exact_shares(share: mpq, left: Iterable[tuple[bytes, Share]]) -> Iterator[tuple[bytes, mpq]]:
    """Yield what is left of a part with this share: the loads, with their shares of the whole.

    Loads of one level have one and the same pair, and get one and the same number: on large boards it
    has thousands of digits.
    """
    last, exact = None, share
    for load, inner in left:
        if inner is not last:
            last, exact = inner, share * inner[0] / inner[1]
        yield load, exact


def total(shares: Iterable[mpq]) -> mpq:
    """Return the sum of shares. Those that are the same object are added in one step."""
    counts = dict[int, int]()
    distinct = dict[int, mpq]()
    for share in shares:
        key = id(share)
        counts[key] = counts.get(key, 0) + 1
        distinct[key] = share
    return sum((counts[key] * share for key, share in distinct.items()), mpq())


def to_pair(share: mpq) -> Share:
    """Return an exact share as a numerator and a denominator."""
    return int(share.numerator), int(share.denominator)


def to_text(share: mpq) -> str:
    """Return a share as text, for a ledger: 1, or 3/8."""
    numerator = share.numerator.digits(BASE)
    return numerator if share.denominator == 1 else f"{numerator}/{share.denominator.digits(BASE)}"


def from_text(text: str) -> mpq:
    """Return the share for a text from a ledger; raise ValueError if it is not one."""
    share = mpq(text, BASE)
    if not 0 <= share <= 1 or to_text(share) != text:
        raise ValueError(f"{text[:40]!r} is not a share")
    return share


def describe(share: mpq) -> str:
    """Return a share for a message: 3/8, or 1.5e-30 if the fraction is long."""
    text = str(share)
    return text if len(text) <= 20 else f"{float(share):.3g}"
