"""The command on a terminal: the drawing of a board, its figures, and the progress bar."""

import re

import pytest
from conftest import Run
from helpers import BOARDS, on_a_terminal, slow_after

import enumerator
from enumerator.board import Board
from enumerator.board.files import read


def test_a_terminal_shows_the_board_with_its_figures_beside_it() -> None:
    shown = on_a_terminal(str(BOARDS / "1c.txt"))
    lines = shown.splitlines()
    assert lines[1].startswith("┌───────┬───────┬───────┐   shape")
    rows = [line for line in lines if line.startswith("│")]
    drawn = "".join("".join(re.findall(r"[\d·]", row[:25])) for row in rows)
    assert Board.parse(drawn.replace("·", ".")) == read(str(BOARDS / "1c.txt"))
    assert f"{enumerator.count(read(str(BOARDS / '1c.txt'))):,}" in shown


def test_a_narrow_terminal_shows_the_figures_below_or_alone() -> None:
    assert max(map(len, on_a_terminal(str(BOARDS / "1c.txt"), columns=50).splitlines())) <= 50
    narrow = on_a_terminal(str(BOARDS / "25x25-unique.txt"), columns=50)
    assert "│" not in narrow
    assert "25x25-unique.txt" in narrow


def test_a_terminal_that_cannot_draw_gets_plain_text() -> None:
    for shown in (
        on_a_terminal(str(BOARDS / "1c.txt"), columns=0),
        on_a_terminal(str(BOARDS / "1c.txt"), columns=8),
        on_a_terminal(str(BOARDS / "1c.txt"), PYTHONIOENCODING="ascii"),
    ):
        assert re.search(r"^  solutions       134037$", shown, re.MULTILINE)


def test_what_a_terminal_shows_can_be_read_again() -> None:
    shown = on_a_terminal(str(BOARDS / "6x6-unique.txt"), columns=45).splitlines()
    drawing = [line for line in shown if line[:1] in "┌│├└"]
    assert Board.parse("\n".join(drawing).replace("·", ".")) == read(str(BOARDS / "6x6-unique.txt"))


@pytest.mark.parametrize("columns", slow_after(1, [60, 30, 100]))
def test_a_bar_shows_how_far_a_count_is(columns: int) -> None:
    shown = on_a_terminal(str(BOARDS / "2e.txt"), "--engine", "search", columns=columns)
    frames = re.findall(r"(\d+\.\d) % .*?([\d.]+ s), about ([\d.]+ s) left", shown)
    assert frames, shown
    shares = [float(share) for share, _, _ in frames]
    assert shares == sorted(shares)
    assert 1 < shares[0] < 100
    assert ("solutions, " in shown) == (columns >= 80)
    assert ("━" in shown) == (columns >= 40)
    bars = re.findall(r"[^\r\n]*left", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown))
    assert max(map(len, bars)) <= columns


@pytest.mark.slow
def test_there_is_no_bar_where_none_is_wanted() -> None:
    for option in ("--no-progress", "--quiet"):
        assert "left" not in on_a_terminal(str(BOARDS / "2e.txt"), "--engine", "search", option)


@pytest.mark.slow
def test_there_is_no_bar_in_a_pipe(command: Run) -> None:
    done = command(str(BOARDS / "2e.txt"), "--engine", "search")
    assert "left" not in done.stdout
    assert done.stderr == ""
