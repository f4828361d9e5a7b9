"""Small matters of language that several modules share."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text with what a terminal could not show, or would obey, written as escapes."""
    return "".join(symbol if symbol.isprintable() else ascii(symbol)[1:-1] for symbol in text)


def plural(count: int, noun: str, integer: str = "{}") -> str:
    """So many of something: 1 cell, 2 cells."""
    return f"{integer.format(count)} {noun}" + ("s" if count != 1 else "")


UNITS = (("year", 365.25 * 86400), ("day", 86400), ("h", 3600), ("min", 60))


def lasting(seconds: float) -> str:
    """A time as people say it, to two figures or so: 0.4 s, 12 s, 3 min, 5.5 h, 40 days, 1,200 years, 6.1e9 years."""
    for unit, length in UNITS:
        if seconds >= 1.5 * length:
            amount = rough(seconds / length) if seconds < 10 * length else rough(round(seconds / length))
            return f"{amount} {unit}{'s' if unit in ('year', 'day') else ''}"
    if 0 < seconds < 0.1:
        return f"{seconds:.1g} s"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def rough(number: float) -> str:
    """A number to three figures: 0.25, 7.5, 164, 16,300, 1.63e7."""
    if number < 100:
        return f"{number:.3g}"
    if number < 1e6:
        return f"{float(f'{number:.3g}'):,.0f}"
    mantissa, _, exponent = f"{number:.2e}".partition("e")
    return f"{mantissa}e{int(exponent)}"
