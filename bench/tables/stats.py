"""Means, intervals and correlations, from the standard library alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from statistics import NormalDist, StatisticsError, correlation, fmean, stdev

Bounds = tuple[float, float] | tuple[None, None]
"""The bounds of an interval, if there is one."""

RESAMPLES = 2_000
"""Bootstrap resamples for the bounds of a ratio."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean, standard deviation and extremes of repeated measurements."""

    mean: float
    deviation: float
    least: float
    most: float
    number: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Summary:
        spread = stdev(values) if len(values) > 1 else 0.0
        return cls(fmean(values), spread, min(values), max(values), len(values))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two means, with the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


def ratio(first: Sequence[float], second: Sequence[float], seed: int = 1) -> Ratio:
    """Return the ratio of two means; equal places hold values of the same round.

    Rounds are resampled, not values. So a machine that is slow for a while, and thus for both, does
    not widen the bounds.
    """
    rounds = list(zip(first, second, strict=True))
    rng, ratios = random.Random(seed), []
    for _ in range(RESAMPLES if len(rounds) > 1 else 0):
        ones, others = zip(*rng.choices(rounds, k=len(rounds)), strict=True)
        ratios.append(sum(ones) / sum(others))
    value = sum(first) / sum(second)
    ratios = sorted(ratios) or [value]
    return Ratio(value, ratios[int(0.025 * len(ratios))], ratios[int(0.975 * len(ratios))])


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the linear correlation.

    None if a variable is constant or has fewer than three values.
    """
    if len(first) < 3:
        return None
    try:
        return correlation(first, second)
    except StatisticsError:
        return None


def correlation_bounds(value: float | None, number: int, is_rank: bool = False) -> Bounds:
    """Return the bounds of the 95 % interval of a correlation of `number` pairs.

    Fisher's z for Pearson's; for ranks its variance is larger (Bonett and Wright 2000). There are
    none for fewer than four pairs, and where there is no correlation.
    """
    if value is None or number < 4:
        return None, None
    if abs(value) > 1 - 1e-12:
        return value, value
    variance = (1 + value**2 / 2 if is_rank else 1.0) / (number - 3)
    half = NormalDist().inv_cdf(0.975) * sqrt(variance)
    return tanh(atanh(value) - half), tanh(atanh(value) + half)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the rank correlation: 1 if the variables grow together, on any curve."""
    return pearson(ranks(first), ranks(second))


def ranks(values: Sequence[float]) -> list[float]:
    """Return the places of values in their order, from 1.

    Equal values share the mean of their places.
    """
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: place for place, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]
