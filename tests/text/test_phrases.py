"""Parts of messages: plurals, rounded numbers, durations, what a terminal cannot show."""

import math

import pytest

from enumerator.text.phrases import (
    lasting,
    lasting_power,
    magnitude,
    measured,
    plural,
    printable,
    rough,
    rough_power,
    short,
    whole,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (0.004, "0.004 s"),
        (0.4, "0.4 s"),
        (12, "12 s"),
        (89, "89 s"),
        (180, "3 min"),
        (5.5 * 3600, "5.5 h"),
        (40 * 86400, "40 days"),
        (1200 * 365.25 * 86400, "1,200 years"),
        (6.1e9 * 365.25 * 86400, "6.10e9 years"),
    ],
)
def test_a_duration_is_said_in_the_unit_that_fits(seconds: float, text: str) -> None:
    assert lasting(seconds) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0.25, "0.25"), (7.5, "7.5"), (164.2, "164"), (16_312, "16,300"), (16_312_345, "1.63e7")]
)
def test_a_rough_number_has_three_figures(number: float, text: str) -> None:
    assert rough(number) == text


def test_one_cell_two_cells() -> None:
    assert [plural(count, "cell") for count in (0, 1, 2)] == ["0 cells", "1 cell", "2 cells"]
    assert plural(12_345, "cell", "{:,}") == "12,345 cells"


def test_what_a_terminal_would_obey_is_escaped() -> None:
    assert printable("a\x1b[1mb\n×\udcff") == r"a\x1b[1mb\n×\udcff"


@pytest.mark.parametrize(
    ("power", "text"),
    [(2, "100"), (7.2125, "1.63e7"), (308.6395, "4.36e308"), (1500, "1.00e1500"), (1499.9999, "1.00e1500")],
)
def test_a_power_of_ten_may_be_beyond_floats(power: float, text: str) -> None:
    assert rough_power(power) == text


def test_a_duration_may_be_beyond_floats() -> None:
    assert lasting_power(1) == "10 s"
    assert lasting_power(400) == "3.17e392 years"
    assert rough_power(-math.inf) == "0"


def test_integers_beyond_30_digits_are_shortened() -> None:
    longest = 10**30 - 1
    assert (whole(longest), whole(longest + 1)) == (str(longest), "1.00e30")
    assert whole(6_670_903, "{:,}") == "6,670,903"
    assert (short(str(longest)), short(str(10 * longest))) == (str(longest), "9.99e30")
    assert magnitude(str(int(1.7976931348623157e308))) == "1.79e308"


@pytest.mark.parametrize(
    ("mean", "deviation", "text"),
    [
        (4.05, 0.02, "4.05 s ± 0.02"),
        (0.01234, 0.0, "12.3 ms ± 0.0"),
        (0.123, 0.0045, "123 ms ± 4"),
        (6.1e-6, None, "6.10 µs"),
        (4e-8, None, "0.04 µs"),
        (250.0, None, "250 s"),
    ],
)
def test_a_measured_time_has_three_figures(mean: float, deviation: float | None, text: str) -> None:
    assert measured(mean, deviation) == text
