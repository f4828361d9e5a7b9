"""Pictures of the command: --candidates on a terminal, and the files of --svg and --html."""

import os
import re
import stat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.boards import BOARDS, PUZZLE, board_file
from support.processes import COMMAND, Run, assert_mistake, on_a_terminal, run_with_small_files

import enumerator
from enumerator.board import Board
from enumerator.board.files import read

LEVELS = {"a": (0, 0.2), "b": (0.2, 0.4), "c": (0.4, 0.6), "d": (0.6, 0.8), "e": (0.8, 1)}


def test_pictures_are_written_beside_the_answer(ask: Run, tmp_path: Path) -> None:
    done = ask(board_file("4x4-many"), "--candidates", "--svg", "it.svg", "--html", "it.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{board_file('4x4-many')}:1\n  solutions       24\n")
    assert (tmp_path / "it.svg").read_text().startswith("<svg ")
    assert (tmp_path / "it.svg").read_text() in (tmp_path / "it.html").read_text()
    assert sorted(os.listdir(tmp_path)) == ["it.html", "it.svg"]


@pytest.mark.parametrize("form", [[], ["--quiet"], ["--json"]])
def test_a_count_draws_the_board_and_its_solution(ask: Run, form: list[str]) -> None:
    for text in (PUZZLE, PUZZLE.replace("5", ".")):
        board, solutions = Board.parse(text), list(enumerator.solutions(text))
        fact = "unique" if len(solutions) == 1 else f"{len(solutions)} solutions"
        done = ask(text, *form, "--svg", "it.svg", "--html", "it.html")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == ask(text, *form).stdout or "--quiet" not in form
        picture = Path("it.svg").read_text()
        assert f">{fact}</text>" in picture
        given, found = (re.findall(rf'class="{kind}" font-size="[^"]*">(.)<', picture) for kind in ("given", "found"))
        assert given == [symbol for symbol in text if symbol != "."]
        filled = str(solutions[0]) if fact == "unique" else text
        assert found == [symbol for symbol, clue in zip(filled, str(board), strict=True) if symbol != clue]
        assert picture in Path("it.html").read_text()
        ElementTree.fromstring(picture)


def test_a_count_that_was_stopped_draws_what_is_known(ask: Run) -> None:
    assert ask("." * 81, "--limit", "5", "--svg", "it.svg").returncode == 0
    assert ">at least 5 solutions (limit)</text>" in Path("it.svg").read_text()


def test_a_picture_replaces_an_older_one_and_keeps_its_permissions(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "old.svg").write_text("old")
    (tmp_path / "old.svg").chmod(0o640)
    (tmp_path / "link.svg").symlink_to("old.svg")
    assert ask(board_file("4x4-many"), "--candidates", "--svg", "link.svg").returncode == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "old.svg").read_text().startswith("<svg ")
    assert stat.S_IMODE((tmp_path / "old.svg").stat().st_mode) == 0o640


def test_a_full_disk_leaves_the_older_picture(tmp_path: Path) -> None:
    (tmp_path / "old.svg").write_text("old")
    done = run_with_small_files(tmp_path, 1000, COMMAND, board_file("4x4-many"), "--candidates", "--svg", "old.svg")
    assert (done.returncode, done.stderr) == (1, "enumerate: old.svg: File too large; it is not written\n")
    assert os.listdir(tmp_path) == ["old.svg"]
    assert (tmp_path / "old.svg").read_text() == "old"
    full = run_with_small_files(tmp_path, 10**6, COMMAND, board_file("4x4-many"), "--candidates", "--svg", "/dev/full")
    assert (full.returncode, full.stderr) == (1, "enumerate: /dev/full: No space left on device; it is not written\n")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_picture_is_of_one_board(ask: Run, tmp_path: Path) -> None:
    for option in ("--svg", "--html"):
        done = ask("-", "--candidates", option, "it", stdin=f"{PUZZLE}\n{PUZZLE}\n")
        assert_mistake(done, f"{option} is for one board: <stdin>:2 is another")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--svg", "it.png"], "--svg writes .svg files, and it.png ends in .png"),
        (["--estimate", "--svg", "it"], "--svg does not go with --estimate"),
        (["--list", "--html", "it"], "--html does not go with --list"),
        (["--candidates", "--svg", "."], "--svg: . is a folder"),
        (["--candidates", "--svg", "no/such"], "--svg: there is no folder no"),
        (["--candidates", "--svg", "/proc/it.svg"], "--svg: /proc/it.svg: No such file or directory"),
        (["--trace", "."], "--trace: . is a folder"),
        (["--trace", "no/such"], "--trace: there is no folder no"),
        (["--trace", "/proc/it.json"], "--trace: /proc/it.json: No such file or directory"),
        (["--candidates", "--svg", "it.png"], "--svg writes .svg files, and it.png ends in .png"),
        (["--candidates", "--svg", "it.svg.gz"], "--svg writes .svg files, and it.svg.gz ends in .gz"),
        (["--candidates", "--html", "it.svg"], "--html writes .html files, and it.svg ends in .svg"),
        (["--candidates", "--svg", "-"], "--svg: '-' is not a file name"),
        (["--candidates", "--svg", "a", "--html", "./a"], "--svg and --html cannot be the same file"),
        (["--candidates", "--svg", "board"], "--svg: board is the file of the board"),
    ],
)
def test_mistakes_are_found_before_any_work(ask: Run, tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "board").write_text(PUZZLE)
    assert_mistake(ask("board", *options), message)
    assert (tmp_path / "board").read_text() == PUZZLE
    assert os.listdir(tmp_path) == ["board"]


@pytest.mark.parametrize(("variable", "columns"), [({"NO_COLOR": "1"}, 80), ({"TERM": "dumb"}, 120)])
def test_without_colours_letters_tell_the_shares(variable: dict[str, Any], columns: int) -> None:
    shown = on_a_terminal(board_file("2b"), "--candidates", columns=columns, **variable)
    board = read(BOARDS / "2b.txt")
    counts = enumerator.candidates(board).counts
    total = sum(counts[0])
    expected = sorted(
        f"{digit}{letter}"
        for row in counts
        for digit, count in enumerate(row, 1)
        for letter, (low, high) in LEVELS.items()
        if 0 < count < total and low <= count / total < high
    )
    drawing = "".join(line for line in shown.splitlines() if line.startswith("│"))
    assert sorted(re.findall(r"\d[a-e]", drawing)) == expected
    clues = sorted(str(clue) for clue in board.cells if clue)
    assert sorted(re.findall(r"\[(\d)\]", drawing)) == clues
    assert "a below 20 %, b from 20 %" in shown
    assert max(map(len, shown.splitlines())) <= columns
    assert shown.startswith(f"{board_file('2b')}:1: 184 solutions\n")


@pytest.mark.parametrize(
    ("variable", "backgrounds"),
    [
        ({"TERM": "xterm"}, r"4[0-7]"),
        ({"TERM": "xterm-256color"}, r"48;5;\d+"),
        ({"COLORTERM": "truecolor"}, r"48;2;\d+;\d+;\d+"),
    ],
)
def test_shades_suit_the_colours_of_the_terminal(variable: dict[str, Any], backgrounds: str) -> None:
    clean = {"COLORTERM": "", "NO_COLOR": "", **variable}
    shown = on_a_terminal(board_file("2b"), "--candidates", columns=80, plain=False, **clean)
    found = set(re.findall(rf"\x1b\[(?:[0-9;]*;)?({backgrounds})m", shown))
    assert len(found) >= 4
    assert ("48;" in shown) == (backgrounds != r"4[0-7]")
    assert "The shade of a digit tells how many of the solutions have it there:" in shown


def test_clues_to_add_and_unavoidable_sets_are_drawn(ask: Run, tmp_path: Path) -> None:
    assert ask("12343412........", "--complete", "--svg", "add.svg", "--html", "add.html").returncode == 0
    assert (tmp_path / "add.svg").read_text().count('class="found"') == 2, "two clues are to be added"
    assert "unique with 2 more clues" in (tmp_path / "add.html").read_text()
    assert ask("1234341221434321", "--unavoidable", "--svg", "sets.svg", "--html", "sets.html").returncode == 0
    drawn = (tmp_path / "sets.svg").read_text()
    assert drawn.count("<rect") == 1 + 16, "each cell is in a set"
    assert "the more sets it is in" in drawn
    assert "14 sets" in (tmp_path / "sets.html").read_text()
