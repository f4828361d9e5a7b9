"""Means, intervals and correlations, against known values and properties."""

from math import isclose, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.tables.stats import Summary, pearson, ranks, ratio, spearman

some_times = st.lists(st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)), min_size=2, max_size=12)
numbers = st.lists(st.integers(-1000, 1000), min_size=3, max_size=20)


def test_a_summary() -> None:
    assert Summary.of([2.0, 4.0, 9.0]) == Summary(5.0, sqrt(13), 2.0, 9.0, 3)
    assert Summary.of([3.0]) == Summary(3.0, 0.0, 3.0, 3.0, 1)


@settings(deadline=None)
@given(some_times)
@pytest.mark.slow
def test_a_ratio_is_that_of_the_means_and_lies_between_its_bounds(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = ratio(first, second)
    each = [one / other for one, other in pairs]
    assert isclose(found.value, sum(first) / sum(second))
    assert min(each) * 0.999 <= found.low <= found.high <= max(each) * 1.001
    assert found == ratio(first, second)  # the same every time


def test_a_machine_that_is_slow_for_a_while_does_not_widen_a_ratio() -> None:
    drift = [1.0, 1.5, 3.0, 2.0]
    found = ratio([2 * slow for slow in drift], drift)
    assert (found.low, found.value, found.high) == pytest.approx((2, 2, 2))


def test_one_round_has_no_bounds() -> None:
    found = ratio([3.0], [2.0])
    assert (found.low, found.value, found.high) == (1.5, 1.5, 1.5)


def test_ranks_of_equal_values_are_shared() -> None:
    assert ranks([10, 30, 20, 30]) == [1, 3.5, 2, 3.5]
    assert ranks([5, 5, 5]) == [2, 2, 2]


@settings(deadline=None)
@given(numbers)
def test_what_grows_with_another_has_rank_correlation_one(values: list[int]) -> None:
    if len(set(values)) > 1:
        assert spearman(values, [value**3 for value in values]) == pytest.approx(1)
        assert spearman(values, [-value for value in values]) == pytest.approx(-1)
        assert pearson(values, [3 - 2 * value for value in values]) == pytest.approx(-1)


def test_pearson_of_a_known_pair() -> None:
    # by hand: deviations from the means 3 and 2.2, products 5, squares 10 and 2.8
    assert pearson([1, 2, 3, 4, 5], [1, 2, 2, 3, 3]) == pytest.approx(5 / sqrt(10 * 2.8))


def test_what_does_not_vary_has_no_correlation() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert spearman([1, 2, 3], [4, 4, 4]) is None
    assert pearson([1, 2], [1, 2]) is None
