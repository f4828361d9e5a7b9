"""Means, intervals and correlations, from the standard library alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean, stdev

RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Summary:
    """What is said of several measurements of the same thing."""

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
    """How many times as large one thing is as another, with bounds that hold with 95 % confidence."""

    value: float
    low: float
    high: float


def ratio(first: Sequence[float], second: Sequence[float], seed: int = 1) -> Ratio:
    """Of two means. Those measured in the same round stand at the same place: rounds are resampled, not values.

    So a machine that is slow for a while, which is slow for both, does not widen the bounds.
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
    """How far two variables lie on a line; None where one of them does not vary, or there are fewer than three."""
    if len(first) < 3:
        return None
    try:
        return correlation(first, second)
    except StatisticsError:
        return None


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """How far two variables grow together, on whatever curve."""
    return pearson(ranks(first), ranks(second))


def ranks(values: Sequence[float]) -> list[float]:
    """The places of values in their order, from 1; equal ones share the mean of theirs."""
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: place for place, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]
