"""LZ-string: round trips, published texts, damage, and limits."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enumerator.board.links.lzstring import DamagedError, compress, decompress

EMPTY_GRID = '{"size":9,"grid":[' + ",".join(["[" + ",".join(["{}"] * 9) + "]"] * 9) + "]}"

PUBLISHED = {
    # the tests of github.com/SudokuPad/sudokutools, puzzletools_lib.js
    EMPTY_GRID: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssW0iQA=",
    '{"size":3,"grid":[[{},{},{}],[{},{},{}],[{},{},{}]]}': "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA==",
    # written by lz-string itself
    "": "Q===",
    "Hello, world": "BIUwNmD2A0AEDukBOYAmQ===",
}


@pytest.mark.parametrize("text", PUBLISHED)
def test_it_is_the_format_of_lz_string(text: str) -> None:
    assert compress(text) == PUBLISHED[text]
    assert decompress(PUBLISHED[text], 1000) == text


@given(st.text() | st.text("ab", max_size=400))
def test_every_text_is_read_as_it_was_written(text: str) -> None:
    assert decompress(compress(text), 10_000) == text


@given(st.text(st.characters(max_codepoint=200)) | st.binary().map(lambda data: data.hex()))
def test_any_text_is_decompressed_or_damaged(packed: str) -> None:
    with suppress(DamagedError):
        assert len(decompress(packed, 1000)) <= 1000


def test_a_text_that_is_cut_off_is_damaged_wherever_it_is_cut() -> None:
    packed = compress(EMPTY_GRID).rstrip("=")
    for end in range(len(packed) - 1):
        with pytest.raises(DamagedError, match=r"truncated|damaged"):
            decompress(packed[:end], 10_000)


def test_a_short_text_that_expands_without_bound_is_stopped() -> None:
    packed = compress("a" * 1_000_000)
    assert len(packed) < 4000
    assert decompress(packed, 1_000_000) == "a" * 1_000_000
    with pytest.raises(DamagedError, match="more than 999,999 characters"):
        decompress(packed, 999_999)
