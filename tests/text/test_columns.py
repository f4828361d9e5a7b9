"""Lines of text from columns: what Python writes for the same values, to the byte."""

from __future__ import annotations

import json
import math
import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator.text import columns
from enumerator.text.columns import write_lines

NUMBERS = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20)
TABLE = bytes(range(48, 48 + 65)).ljust(256, b"?")
EXAMPLES = settings(max_examples=200, deadline=None, derandomize=True)


@EXAMPLES
@given(NUMBERS, st.binary(max_size=5), st.integers(0, 10**15))
def test_numbers_and_texts(numbers: list[int], text: bytes, first: int) -> None:
    made = write_lines(
        len(numbers),
        [columns.counter(first), columns.text(text), columns.number(array("Q", numbers)), columns.text(b"\n")],
    )
    expected = (b"%d%s%d\n" % (number, text, value) for number, value in enumerate(numbers, first))
    assert bytes(made) == b"".join(expected)


@EXAMPLES
@given(NUMBERS)
def test_times_are_seconds_rounded_to_microseconds(numbers: list[int]) -> None:
    made = write_lines(len(numbers), [columns.seconds(array("Q", numbers)), columns.text(b"\n")])
    for line, number in zip(made.decode().split(), numbers, strict=True):
        micros = (number + 500) // 1000
        whole, _, places = line.partition(".")
        assert int(whole) * 10**6 + int(places.ljust(6, "0")) == micros
        assert 1 <= len(places) <= 6
        assert places == "0" or not places.endswith("0")
        assert isinstance(json.loads(line), float)


@EXAMPLES
@given(NUMBERS, st.lists(st.binary(max_size=4), min_size=1, max_size=6))
def test_choices_by_number_and_the_last_one_for_all_others(numbers: list[int], texts: list[bytes]) -> None:
    small = [number % 8 for number in numbers]
    for some in (small, numbers):
        made = write_lines(len(some), [columns.choice(array("Q", some), texts)])
        assert bytes(made) == b"".join(texts[min(number, len(texts) - 1)] for number in some)


@pytest.mark.parametrize("size", [4, 9, 16, 64])
def test_products_of_all_lengths(size: int) -> None:
    rng = random.Random(f"products {size}")
    rows = [
        [0] * (size + 1),
        [0] * size + [size * size],
        [1, *[2] * size],
        [0, *[rng.randrange(9) for _ in range(size)]],
    ]
    rows += [[0, *(rng.randrange(size) for _ in range(size))] for _ in range(20)]
    digits = math.ceil(size * size * math.log10(size)) + 1
    counts = array("H", [number for row in rows for number in row])
    made = write_lines(len(rows), [columns.product(counts, size, digits), columns.text(b"\n")])
    expected = [math.prod(factor**times for factor, times in enumerate(row) if times) for row in rows]
    assert [int_of(line) for line in made.decode().split()] == expected


def int_of(digits: str) -> int:
    """Return a number of any length, which `int` refuses beyond 4,300 digits."""
    value = 0
    for place in range(0, len(digits), 4000):
        piece = digits[place : place + 4000]
        value = value * 10 ** len(piece) + int(piece)
    return value


@pytest.mark.parametrize("size", [4, 6, 9, 10, 16])
@pytest.mark.parametrize("empty", [b".", b"0", b"?"])
def test_digits_up_to_9_are_written_as_by_any_table(size: int, empty: bytes) -> None:
    """Boards without a digit beyond 9 are written without a table."""
    rng = random.Random(f"{size} {empty!r}")
    table = (empty + b"123456789ABCDEFG").ljust(256, b"?")
    boards = bytes(rng.randint(0, size) for _ in range(3 * size * size))
    written = write_lines(3, [columns.symbols(boards, size * size, table), columns.text(b"\n")])
    assert bytes(written).replace(b"\n", b"") == boards.translate(table)


def test_boards_in_the_lines_that_show_them() -> None:
    boards = bytes(range(1, 33))
    shown = array("Q", [1, 0, 1, 2])
    cells = 8
    everything = write_lines(4, [columns.symbols(boards, cells, TABLE), columns.text(b"\n")])
    lines = everything.decode().split("\n")[:-1]
    assert lines == [boards[place : place + 8].translate(TABLE).decode() for place in range(0, 32, 8)]
    some = write_lines(4, [columns.symbols(boards, cells, TABLE, shown), columns.text(b"\n")])
    assert some.decode().split("\n")[:-1] == [lines[0], "", lines[2], ""]


def test_no_lines_and_no_columns() -> None:
    assert write_lines(0, [columns.number(array("Q"))]) == b""
    assert write_lines(3, []) == b""
    assert write_lines(3, [columns.text(b"")]) == b""


def test_a_column_that_is_too_short_is_refused() -> None:
    for column in (
        columns.number(array("Q", [1])),
        columns.seconds(array("Q", [1])),
        columns.choice(array("Q", [1]), [b"a"]),
        columns.symbols(bytes(16), 16, TABLE),
        columns.symbols(bytes(32), 16, TABLE, array("Q", [1])),
        columns.product(array("H", [0] * 5), 4, 10),
    ):
        assert write_lines(1, [column])
        with pytest.raises(ValueError, match="a column has 1 lines, not 2"):
            write_lines(2, [columns.text(b"-"), column])
    with pytest.raises(ValueError, match="65 symbols, not 256"):
        columns.symbols(bytes(16), 16, TABLE[:65])
    for size, digits in ((0, 10), (65, 10), (9, 0), (9, 10_000)):
        with pytest.raises(ValueError, match="no product"):
            columns.product(array("H", [0] * 70), size, digits)
