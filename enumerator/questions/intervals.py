"""Estimated numbers with 95 % intervals. They may be beyond the range of a float.

The logarithms of the estimates of independent populations are close to normally distributed, even
if they differ by large factors. So the interval is that of the mean of a log-normal distribution
(Cox's method: Olsson 2005, Confidence intervals for the mean of a log-normal distribution). If the
populations differ too much, or if one of them has met nothing, there is no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, fsum, hypot, inf, log, log10, sqrt
from typing import NamedTuple

from enumerator.text.phrases import rough, rough_power

TOO_FEW = "too few probes to say"
"""The sentence for an estimate without an interval."""

FEWEST_POPULATIONS = 8
"""The fewest populations of which an interval is made."""

LARGEST_DEVIATION = 4.0
"""The largest standard deviation of the natural logarithms of which an interval is made.

Above it, an interval would span ten powers of ten. A smaller limit would be less honest: where
most estimates exceed it, those that happen not to are too low. With 1.5, only 37 % of the intervals
held the truth on the empty 25×25 board, from 16 populations of 16 probes; all of those above, 99 %.
"""

SKEW = 6
"""The upper half of an interval is longer than the lower half by the factor 1 + SKEW / populations.

Probes that miss a rare, huge subtree are more likely than probes that meet it too often. Shares of
2,000 intervals (empty 25×25: 110) that held the truth:

    factor                                           1        1.25     1.75
    16 populations of 128    published 2f            0.961    0.973
    16 populations of  16    empty 9×9               0.949    0.968
    16 populations of  16    empty 16×16             0.948    0.974
    16 populations of  64    16×16 puzzles, worst    0.924    0.952
     8 populations of  32    empty 25×25             0.88     0.92     0.95
"""

T95 = (2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)
"""The half-width of a 95 % interval, in standard errors, for 8 to 16 populations (Student's t)."""

LARGEST_POWER = 308.25
"""The largest power of ten that is also given as a float."""

FIGURES = 9
"""The figures of an estimate, which then is the same on every machine: the last ones of `exp` are not."""


LAST_FIGURE = 10.0**-FIGURES
"""The last figure of an estimate: rounded bounds that are apart by less would not hold the truth."""


class Powers(NamedTuple):
    """The base-10 logarithms of an estimate and of its bounds; -inf for 0."""

    mean: float
    low: float | None
    """The lower bound; None if there were too few probes to say."""
    high: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """An estimate, and the bounds of its 95 % interval.

    >>> solutions = en.estimate("." * 144, probes=64).solutions
    >>> solutions.low < solutions.mean < solutions.high
    True
    """

    log10: Powers
    exact: int | float | None = None
    """The number itself, if it is not an estimate."""
    least: int = 0
    """A number that is known to be exceeded or equalled."""

    @property
    def mean(self) -> int | float:
        """The estimate: infinite beyond 10^308."""
        return self._number(self.log10.mean)

    @property
    def low(self) -> int | float | None:
        """The lower bound of the interval; None if there were too few probes to say."""
        return None if self.log10.low is None else self._number(self.log10.low)

    @property
    def high(self) -> int | float | None:
        """The upper bound of the interval; None if there were too few probes to say."""
        return None if self.log10.high is None else self._number(self.log10.high)

    @property
    def caveat(self) -> str:
        """A sentence about an estimate without an interval; empty for others."""
        return TOO_FEW if self.log10.low is None else ""

    def __str__(self) -> str:
        """Return the number as text: 42, or about 1.21e7 (95 %: 1.15e7 to 1.28e7)."""
        if self.exact is not None:
            return f"{self.exact:,}" if isinstance(self.exact, int) else rough(self.exact)
        return self.describe(rough_power)

    def __repr__(self) -> str:
        return f"<Interval: {self}>"

    def describe(self, write: Callable[[float], str], noun: str = "") -> str:
        """Return the estimate and its bounds as text. `write` formats a power of ten.

        `noun` stands after the estimate.
        """
        mean, low, high = self.log10
        if low is None or high is None:
            return self.caveat
        return f"about {write(mean)}{noun and ' '}{noun} (95 %: {write(low)} to {write(high)})"

    def at_least(self, known: int) -> Interval:
        """Return the interval of a number that is at least `known`."""
        least = round(log10(known), FIGURES) if known else -inf
        mean, low, high = self.log10
        if low is None or high is None:
            return Interval(Powers(max(mean, least), None, None), None, known)
        return Interval(Powers(max(mean, least), max(low, least), max(high, least)), None, known)

    def times(self, factor: float, spread: float = 0.0) -> Interval:
        """Return the interval of the number times `factor`.

        `spread` is the half-width of the factor's own 95 % interval, as a natural logarithm.
        """
        mean, low, high = self.log10
        middle = mean + log10(factor)
        if low is None or high is None:
            return Interval(Powers(middle, None, None))
        below, above = (hypot(each - mean, spread / log(10)) if mean > -inf else 0.0 for each in (low, high))
        return Interval(Powers(middle, middle - below, middle + above))

    def without_bounds(self) -> Interval:
        """Return the same estimate, of which nothing is known but that it is rough."""
        return Interval(Powers(self.log10.mean, None, None))

    def to_dict(self) -> dict[str, object]:
        """Return the numbers and their logarithms; None beyond 10^308, and for the logarithm of 0."""
        numbers = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: _finite(value) for name, value in numbers.items()} | {
            "log10": {name: _finite(value) for name, value in self.log10._asdict().items()}
        }

    def _number(self, power: float) -> int | float:
        if self.exact is not None:
            return self.exact
        return max(self.least, float(f"{10.0**power:.{FIGURES}g}")) if power < LARGEST_POWER else inf


def _finite(number: float | None) -> float | None:
    return None if number is None or number in (inf, -inf) else number


def certain(value: float) -> Interval:
    """Return the interval of a number that is not an estimate."""
    power = round(log10(value), FIGURES) if value else -inf
    return Interval(Powers(power, power, power), value)


def interval(logarithms: Sequence[float]) -> Interval:
    """Return the interval of the mean of estimates, given by their natural logarithms.

    The estimates are independent of each other, and right on average.
    """
    most = max(logarithms, default=-inf)
    if most == -inf:
        return Interval(Powers(-inf, None, None))
    count = len(logarithms)
    mean = most + log(fsum(exp(each - most) for each in logarithms) / count)
    if count < FEWEST_POPULATIONS or min(logarithms) == -inf or (away := deviation(logarithms)) > LARGEST_DEVIATION:
        return Interval(Powers(_power(mean), None, None))
    typical = fsum(logarithms) / count + away**2 / 2
    error = sqrt(away**2 / count + away**4 / (2 * (count - 1)))
    half = T95[min(count, FEWEST_POPULATIONS + len(T95) - 1) - FEWEST_POPULATIONS] * error
    low, high = min(mean, typical) - half, max(mean, typical) + (1 + SKEW / count) * half
    return Interval(Powers(_power(mean), _power(low) - LAST_FIGURE, _power(high) + LAST_FIGURE))


def _power(logarithm: float) -> float:
    """Return the power of ten of a natural logarithm, without the figures in which C libraries differ."""
    return round(logarithm / log(10), FIGURES)


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample."""
    middle = fsum(values) / len(values)
    return sqrt(fsum((value - middle) ** 2 for value in values) / (len(values) - 1))
