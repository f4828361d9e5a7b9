"""Boards as arguments, standard input without a dash, and --link."""

from __future__ import annotations

import json
import os
import pty
from pathlib import Path

import pytest
from support.boards import PUZZLE, ROWS, SOLVED, board, board_file
from support.processes import COMMAND, Run, assert_mistake, run

from enumerator.board import Board
from enumerator.command.inputs import is_board_text

LINK = Board.parse(PUZZLE).link("fpuzzles")


@pytest.mark.parametrize(
    "text",
    [
        PUZZLE,
        PUZZLE.replace(".", "0"),
        f"{PUZZLE} 8.3 name",
        f"{PUZZLE}\n",
        "\n".join(ROWS),
        LINK,
        f"Mine: {LINK}",
        f"{PUZZLE} https://example.com",
    ],
)
def test_a_board_is_an_argument(ask: Run, text: str) -> None:
    done = ask(text, "--classify", "--json")
    found = json.loads(done.stdout)
    source = "<argument>:1" if "\n" in text.strip() else "<argument>"
    assert (found["source"], found["verdict"], found["solution"]) == (source, "unique", SOLVED)
    assert (done.returncode, done.stderr) == (0, "")
    assert ask(text, "--quiet").stdout == "1\n"


def test_numbers_in_rows_are_an_argument(ask: Run) -> None:
    rows = "\n".join(" ".join(row) for row in ("1234", "3412", "2143", "4321"))
    assert ask(rows, "--quiet").stdout == "1\n"


def test_arguments_are_told_apart_by_their_numbers(command: Run, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text(PUZZLE)
    done = command("file.txt", PUZZLE, f"{PUZZLE}\n{PUZZLE}", "--list", "--json")
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == [
        "file.txt:1",
        "<argument 2>",
        "<argument 3>:1",
        "<argument 3>:2",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ROWS,
        [row.replace(".", "0") for row in ROWS],
        [row[start : start + 3] for row in ROWS for start in (0, 3, 6)],
        [*PUZZLE],
        ["1234", "3412", "2143", "4321"],
        ["12....", "......", "......", "......", "......", "3....4"],
    ],
    ids=["rows", "zeros", "boxes", "cells", "4x4", "6x6"],
)
def test_rows_without_quotes_are_named_as_such(ask: Run, arguments: list[str]) -> None:
    message = f"{len(arguments)} arguments make one board: write them as one argument, in quotes"
    for options in ([], ["--classify"], ["--quiet"]):
        assert_mistake(ask(*arguments, *options), message)
    assert ask(" ".join(arguments), "--limit", "9", "--quiet").returncode == 0  # as the message says


@pytest.mark.parametrize("arguments", [["absent"] * 6, ["1a.txt"] * 6, ROWS[:8], ["1" * 9] * 4])
def test_names_of_files_are_not_rows(ask: Run, arguments: list[str]) -> None:
    done = ask(*arguments)
    assert done.returncode == 2
    assert "in quotes" not in done.stderr
    assert done.stderr.count("No such file") == len(arguments)


def test_rows_that_are_files_are_read(ask: Run, tmp_path: Path) -> None:
    for row in ROWS:
        (tmp_path / row).write_text(PUZZLE)
    assert ask(*ROWS, "--quiet").stdout == "1\n" * 9


def test_a_file_of_that_name_is_read_instead(ask: Run, tmp_path: Path) -> None:
    (tmp_path / PUZZLE).write_text("." * 16)
    assert ask(PUZZLE, "--quiet").stdout == "288\n"
    assert not is_board_text("-")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("absent.txt", "absent.txt: No such file or directory"),
        ("absent/2024-01-02-03-04.txt", "absent/2024-01-02-03-04.txt: No such file or directory"),
        ("a" * 300, "File name too long"),
        ("2024-01-02-03-04.txt", "2024-01-02-03-04.txt: no such file, and not a board: "),
        (PUZZLE[1:], "<argument>: no such file, and not a board: 80 cells in a line: neither a row nor the whole"),
        (PUZZLE[1:] + "!", "<argument>: no such file, and not a board: '!' is no digit of a 9×9 board (character 81)"),
        ("\n".join([*ROWS[:8], "12"]), "<argument>:9: no such file, and not a board: 2 cells where a row"),
        ("https://sudokupad.app/abc", "https://sudokupad.app/abc: the link names a puzzle on a server; nothing is"),
        ("https://example.com/", "https://example.com/: a link to example.com without a puzzle"),
        ("\n" * 20, "No such file or directory"),
    ],
)
def test_an_argument_that_is_neither_says_so(ask: Run, argument: str, message: str) -> None:
    assert_mistake(ask(argument, "--candidates"), message)
    for question in ("--quiet", "--classify"):
        done = ask(argument, question)
        assert (done.returncode, done.stdout) == (2, "invalid\n")
        assert message in done.stderr


def test_other_boards_are_answered_beside_one_that_is_none(ask: Run) -> None:
    done = ask(PUZZLE, PUZZLE[1:], PUZZLE, "--quiet")
    assert (done.returncode, done.stdout) == (2, "1\ninvalid\n1\n")
    assert done.stderr.startswith("enumerate: <argument 2>: no such file, and not a board: 80 cells")


@pytest.mark.slow
def test_standard_input_is_read_without_a_dash(command: Run, tmp_path: Path) -> None:
    assert command("--quiet", stdin=PUZZLE).stdout == "1\n"
    assert command("--list", stdin=LINK).stdout == f"{SOLVED}\n"
    assert_mistake(command(stdin=""), "<stdin>: no board in it")
    (tmp_path / "file").write_text(PUZZLE)
    with open(tmp_path / "file") as file:
        assert run([COMMAND, "--quiet"], stdin=file, status=0).stdout == "1\n"


def test_on_a_terminal_the_usage_is_printed(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    try:
        done = run([COMMAND], stdin=follower, cwd=tmp_path)
    finally:
        os.close(leader)
        os.close(follower)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: enumerate ")
    assert done.stderr.endswith("enumerate: no board given (see enumerate --help)\n")


def test_a_ledger_is_not_read_from_standard_input(command: Run) -> None:
    for question in ("--status", "--audit"):
        assert_mistake(command(question, stdin=PUZZLE), "given")


@pytest.mark.parametrize("site", ["fpuzzles", "sudokupad", "sudokuwiki"])
def test_a_link_is_printed_for_each_board(ask: Run, site: str) -> None:
    done = ask(board_file("1a"), PUZZLE, "--link", site)
    links = done.stdout.splitlines()
    assert [Board.parse(link) for link in links] == [board("1a"), Board.parse(PUZZLE)]
    assert (done.returncode, done.stderr) == (0, "")
    assert ask(*links, "--link", site, "--quiet").stdout == done.stdout
    assert json.loads(ask(PUZZLE, "--link", site, "--json").stdout) == {
        "source": "<argument>",
        "board": PUZZLE,
        "site": site,
        "link": links[1],
    }


def test_a_board_that_a_site_does_not_have_is_said(ask: Run) -> None:
    done = ask("." * 36, PUZZLE, "--link", "sudokuwiki", "--shape", "2x3")
    assert done.returncode == 2
    done = ask("." * 625, PUZZLE, "--link", "fpuzzles")
    assert (done.returncode, done.stdout) == (2, f"{LINK}\n")
    assert done.stderr == (
        "enumerate: <argument 1>: a 25×25 board is too large for f-puzzles and SudokuPad: they have at most 16×16\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--link", "nowhere"], "invalid choice: 'nowhere'"),
        (["--link", "fpuzzles", "--list"], "not allowed with"),
        (["--link", "fpuzzles", "--limit", "1"], "--limit does not go with --link"),
        (["--shape", "9x9"], "9x9 is not a box: did you mean 3x3 (boxes of 3 rows and 3 columns)?"),
    ],
)
def test_options_that_cannot_be_used_are_refused(ask: Run, options: list[str], message: str) -> None:
    assert_mistake(ask(PUZZLE, *options), message)


def test_f_puzzles_may_be_written_as_its_site_is(ask: Run) -> None:
    done = ask(PUZZLE, "--link", "f-puzzles")
    assert (done.returncode, done.stdout) == (0, ask(PUZZLE, "--link", "fpuzzles").stdout)
    assert done.stdout == f"{Board.parse(PUZZLE).link('f-puzzles')}\n"
    assert ask(done.stdout.strip(), "--quiet").stdout == "1\n"
    assert Board.parse(done.stdout) == Board.parse(PUZZLE)


def test_the_sites_of_the_option_are_those_of_links() -> None:
    from enumerator.board.links import WRITABLE
    from enumerator.command.views.link import SITES

    assert SITES == WRITABLE


def test_an_argument_of_full_width_digits_is_a_board() -> None:
    text = "1...4..2..3....4".translate({code: code + 0xFEE0 for code in range(33, 127)})
    done = run([COMMAND, "--quiet", text])
    usual = run([COMMAND, "--quiet", "1...4..2..3....4"])
    assert (done.stdout, done.stderr, done.returncode) == (usual.stdout, "", 0)
