"""Text without boards: prose and blank lines take little work each, and change nothing around them.

Work is counted in calls of Python functions, so that no clock is needed.
"""

import random
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import PUZZLE, ROWS

from enumerator.board import Board
from enumerator.board.files import open_boards
from enumerator.board.reading import formats, parse
from enumerator.board.reading.grids import GridReader, is_too_short
from enumerator.board.reading.rows import WORDS, Rows

LINES = 400
"""The number of lines of a text of which the work is counted."""

WORDS_LIKE = st.text("AZ19 xu", min_size=0, max_size=6)


def calls_of(task: Callable[[], object]) -> int:
    """Return how many functions of Python a task calls."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(before)
    return calls


def prose() -> Iterator[str]:
    rng = random.Random("prose")
    words = "the rows of a board are read from the top and each of them has as many cells as columns"
    for _ in range(LINES):
        yield " ".join(rng.choices(words.split(), k=rng.randint(9, 14)))


@pytest.mark.parametrize(
    "lines",
    [["A B C D"] * LINES, ["ABCD"] * LINES, list(prose()), [f"{line}, or so." for line in prose()]],
    ids=["letters", "word", "prose", "sentences"],
)
def test_a_line_of_prose_takes_little_work(lines: list[str]) -> None:
    list(parse(lines, "x"))  # imports what it needs
    assert calls_of(lambda: list(parse(lines, "x"))) < 100 * len(lines)


def test_paragraphs_take_as_little_work_as_one_text() -> None:
    lines = [line[:50] for line in prose()]
    lines[::30] = [""] * len(lines[::30])
    assert calls_of(lambda: list(parse(lines, "x"))) < 200 * len(lines)


@given(st.lists(WORDS_LIKE | st.sampled_from(["", "a.b", "+---+", "# 1"]), max_size=12), st.integers(0, 12))
@settings(deadline=None, max_examples=200)
def test_the_lines_of_words_below_a_row_are_counted(lines: list[str], most: int) -> None:
    rows = Rows(enumerate(lines, 1), "x", None)
    while (first := rows.peek(0)) is not None:
        below = lines[first.line - 1 :]
        alike = next((number for number, line in enumerate(below) if not WORDS.fullmatch(line)), len(below))
        found = rows.words_below(most)
        assert found == alike or alike >= found > most
        rows.take()


@given(st.lists(WORDS_LIKE, min_size=1, max_size=40))
@settings(deadline=None, max_examples=200)
def test_no_format_reads_a_line_that_is_too_short(lines: list[str]) -> None:
    rows = Rows(enumerate(lines, 1), "x", None)
    while (first := rows.peek(0)) is not None:
        if is_too_short(rows, first):
            assert formats.read_with(formats.BEFORE_GRIDS, rows) is None
            assert GridReader(rows).read() is None
            assert formats.read_with(formats.BEHIND_GRIDS, rows) is None
        rows.take()


def test_a_board_with_blanks_is_read_below_and_above_prose() -> None:
    grid = "\n".join(row.replace(".", " ").rstrip() for row in ROWS)
    for text in (f"A B C D\n\n{grid}\n\nA B C D\n", f"A B C D.\n{grid}\nThe end.\n"):
        found = [entry.content for entry in parse(text.splitlines(keepends=True), "x")]
        assert found == [Board(PUZZLE)]


def test_blank_lines_above_a_line_of_as_many_characters_are_no_board() -> None:
    lines = [*[" " * 9] * 9, "| |1|1|1|", "A title"]
    contents = [entry.content for entry in islice(parse(lines, "x"), 3)]  # there was one again and again
    assert not any(isinstance(content, Board) for content in contents)
    assert len(contents) < 3


# --------------------------------------------------------------------------------------------- blank lines


@pytest.mark.parametrize("blank", ["\n", "\r\n", "  \n"], ids=["empty", "windows", "blanks"])
@pytest.mark.parametrize("count", [1, 81, 161, 180_000])
def test_a_gap_of_any_length_changes_line_numbers_only(tmp_path: Path, blank: str, count: int) -> None:
    end = blank.lstrip(" ")
    grid = "".join(row + end for row in ROWS)
    path = tmp_path / "gaps.txt"
    path.write_bytes((f"title{end}" + blank * count + grid + blank * count + grid).encode())
    found = [(entry.line, entry.content) for entry in open_boards(str(path))]
    assert [line for line, _ in found] == [count + 2, 2 * count + 11]
    assert [content for _, content in found] == [Board(PUZZLE)] * 2


def test_a_long_gap_takes_little_work(tmp_path: Path) -> None:
    path = tmp_path / "gap.txt"
    path.write_bytes(b"\n" * 1_000_000 + f"{PUZZLE}\n".encode())
    list(open_boards(str(path)))
    assert calls_of(lambda: list(open_boards(str(path)))) < 300_000
