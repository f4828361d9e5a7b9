"""Parts of messages: unprintable characters, plurals, rounded numbers, durations."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10

_UNITS_SECONDS = (("year", 365.25 * 86400), ("day", 86400), ("h", 3600), ("min", 60))
"""The units of a duration above one second, the longest first."""

_MEASURED_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
"""The units of a measured time, the longest first."""

_LARGEST_POWER = 300
"""The largest power of ten that is formatted as a float. A product of it does not overflow."""

_SMALLEST_SHARE = 1e-200
"""The smallest share of work by which a time is divided as a float."""


def printable(text: str) -> str:
    """Return a text with escapes for unprintable characters, including terminal control codes."""
    return "".join(symbol if symbol.isprintable() else ascii(symbol)[1:-1] for symbol in text)


def plural(count: int, noun: str, integer: str = "{}") -> str:
    """Return a number with its noun: 1 cell, 2 cells. `integer` is the format of the number."""
    return f"{integer.format(count)} {noun}" + ("s" if count != 1 else "")


def listed(names: Iterable[str]) -> str:
    """Return names in a row: 3, 5 and 7."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def lasting(seconds: float) -> str:
    """Return a duration to about two figures: 0.4 s, 12 s, 3 min, 5.5 h, 40 days, 6.10e9 years."""
    for unit, length in _UNITS_SECONDS:
        if seconds >= 1.5 * length:
            amount = rough(seconds / length) if seconds < 10 * length else rough(round(seconds / length))
            return f"{amount} {unit}{'s' if unit in ('year', 'day') else ''}"
    if 0 < seconds < 0.1:
        return f"{seconds:.1g} s"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def measured(mean: float, deviation: float | None = None) -> str:
    """Return a measured time to three figures, with its deviation in the same unit: 4.05 s ± 0.02, 12.3 ms."""
    size, unit = next((each for each in _MEASURED_UNITS if mean >= each[0]), _MEASURED_UNITS[-1])
    digits = 2 if mean < 10 * size else 1 if mean < 100 * size else 0
    spread = "" if deviation is None else f" ± {deviation / size:.{digits}f}"
    return f"{mean / size:.{digits}f} {unit}{spread}"


def rough(number: float) -> str:
    """Return a number to three figures: 0.25, 7.5, 164, 16,300, 1.63e7."""
    if number < 100:
        return f"{number:.3g}"
    if number < 1e6:
        return f"{float(f'{number:.3g}'):,.0f}"
    mantissa, _, exponent = f"{number:.2e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def percent(share: float) -> str:
    """Return a share of work, rounded down: 12.3 %, 4e-07 %. Only all of it is 100 %."""
    if 0 < share < 1e-3:
        return f"{100 * share:.0e} %"
    return "100 %" if share >= 1 else f"{floor(1000 * share) / 10:.1f} %"


def time_left(seconds: float, share: float) -> str:
    """Return the time to the end, for work of which a share was done in some seconds: about 3 min left."""
    if 0 < share < _SMALLEST_SHARE and seconds > 0:
        return f"about {lasting_power(log10(seconds) - log10(share))} left"
    return f"about {lasting(seconds * (1 - share) / share)} left"


LONGEST_DIGITS = 30
"""The largest number of digits of an integer that is shown in full. JSON has all digits of longer ones."""


def magnitude(digits: str) -> str:
    """Return a large integer, truncated to three digits: 1.39e40."""
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def short(digits: str) -> str:
    """Return the digits of an integer, or its magnitude if they are more than LONGEST_DIGITS."""
    return magnitude(digits) if len(digits) > LONGEST_DIGITS else digits


def whole(number: int, integer: str = "{}") -> str:
    """Return an integer in the format `integer`, or its magnitude if it is longer than LONGEST_DIGITS."""
    return magnitude(str(number)) if number >= 10**LONGEST_DIGITS else integer.format(number)


def rough_power(power: float) -> str:
    """Return the number 10^`power` as `rough` does, however large it is: 164, 4.36e308, 1.00e1500."""
    if power < _LARGEST_POWER:
        return rough(10.0**power)
    mantissa, exponent = 10 ** (power - floor(power)), floor(power)
    return f"1.00e{exponent + 1}" if mantissa >= 9.995 else f"{mantissa:.2f}e{exponent}"


def lasting_power(power: float) -> str:
    """Return a duration of 10^`power` seconds as `lasting` does, however long it is."""
    if power < _LARGEST_POWER:
        return lasting(10.0**power)
    return f"{rough_power(power - log10(_UNITS_SECONDS[0][1]))} years"
