"""Integers of thousands of digits, such as search spaces.

Python converts integers of at most 4,300 digits to text; gmpy2 has no limit. Importing it takes
60 ms, longer than most counts, so that it is imported only for the longer ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gmpy2

_SEPARATORS = {separator + kind: separator for separator in ",_" for kind in ("", "d")}
"""The format specifications that group digits, which gmpy2 does not know."""


def exact(number: int) -> gmpy2.mpz:
    """Return an integer as a gmpy2.mpz."""
    import gmpy2

    return gmpy2.mpz(number)


class LongInteger(int):
    """An integer that prints in full, however long it is. Arithmetic returns plain integers."""

    __slots__ = ()

    def __repr__(self) -> str:
        try:
            return int.__repr__(self)
        except ValueError:  # more digits than Python converts
            return str(exact(self))

    __str__ = __repr__

    def __format__(self, spec: str, /) -> str:
        try:
            return int.__format__(self, spec)
        except (ValueError, OverflowError):  # more digits than Python converts, or than a float holds
            if (separator := _SEPARATORS.get(spec)) is None:
                return format(exact(self), spec)
        sign, digits = ("-" if self < 0 else ""), str(exact(abs(self)))
        first = len(digits) % 3 or 3
        return sign + separator.join([digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))])
