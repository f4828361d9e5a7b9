"""Files that the command writes solutions to: their contents, their compression, and errors."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import pytest
import zstandard
from support.boards import PUZZLE, SOLVED, board_file
from support.processes import COMMAND, Run, run, run_with_small_files

import enumerator

LIMIT = 100 << 10
"""Bytes that a file may have, where that is limited."""


@pytest.mark.slow
def test_a_file_holds_what_would_be_printed(ask: Run, tmp_path: Path) -> None:
    printed = ask(board_file("1b"), "--list").stdout.encode()
    openers: dict[str, Callable[[bytes], bytes]] = {
        "list.txt": bytes,
        "list.gz": gzip.decompress,
        "list.xz": lzma.decompress,
        "list.BZ2": bz2.decompress,
        "list.zst": lambda data: zstandard.ZstdDecompressor().stream_reader(data).read(),
    }
    for name, opened in openers.items():
        written = []
        for _ in range(1 if name == "list.txt" else 2):
            done = ask(board_file("1b"), "--list", "--output", name)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            written.append((tmp_path / name).read_bytes())
        assert opened(written[0]) == printed
        assert written[0] == written[-1]
    assert len(written[0]) < len(printed) / 5


def test_solutions_of_all_boards_go_to_one_file(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "old.gz").write_bytes(b"something older" * 1000)
    done = ask("-", "absent.txt", "-", "--sample", "2", "--json", "--output", "old.gz", stdin=f"{PUZZLE}\n" * 2)
    found = [json.loads(line) for line in gzip.decompress((tmp_path / "old.gz").read_bytes()).splitlines()]
    assert [one["source"] for one in found] == [*["<stdin>:1"] * 2, *["<stdin>:2"] * 2, "absent.txt", "<stdin>"]
    assert [one.get("solution") for one in found] == [*[SOLVED] * 4, None, None]
    assert (done.returncode, done.stdout) == (2, "")
    assert "enumerate: absent.txt: No such file or directory\n" in done.stderr


@pytest.mark.parametrize("name", ["./puzzle.txt", "hard.gz", "soft.zst"])
def test_a_board_is_not_overwritten_with_its_solutions(ask: Run, tmp_path: Path, name: str) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_text(PUZZLE)
    (tmp_path / "hard.gz").hardlink_to(puzzle)
    (tmp_path / "soft.zst").symlink_to(puzzle)
    done = ask(board_file("1a"), "puzzle.txt", "--list", "--output", name)
    assert done.stderr == "enumerate: puzzle.txt: cannot be read and written to at the same time\n"
    assert (done.returncode, puzzle.read_text()) == (2, PUZZLE)


def test_a_list_is_not_read_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text(PUZZLE)
    for line, name in (
        ("puzzle.txt --list >>puzzle.txt", "puzzle.txt"),
        ("- --sample 1 <puzzle.txt >>puzzle.txt", "-"),
    ):
        done = run(f"{quote(COMMAND)} {line}", cwd=tmp_path)
        assert done.stderr == f"enumerate: {name}: cannot be read and written to at the same time\n"
        assert (done.returncode, (tmp_path / "puzzle.txt").read_text()) == (2, PUZZLE)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("absent/list.gz", "No such file or directory"),
        ("absent/list.zst", "No such file or directory"),
        (".", "Is a directory"),
        ("a" * 300, "File name too long"),
        ("absent/\n.txt", "No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_written_to_is_said_before_any_work(ask: Run, name: str, reason: str) -> None:
    done = ask(board_file("empty"), "--list", "--output", name)
    shown = name.replace("\n", r"\n")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"enumerate: {shown}: {reason}\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["full.txt", "full.gz", "full.zst", "full.xz", "full.bz2"])
def test_a_file_that_grows_too_large_is_said_and_not_passed_over(tmp_path: Path, name: str) -> None:
    done = run_with_small_files(tmp_path, LIMIT, COMMAND, board_file("1c"), "--list", "--output", name)
    assert (done.returncode, done.stdout) == (1, "")
    message = re.fullmatch(
        rf"enumerate: {name}: File too large; (no more than )?([\d,]+) solutions written\n", done.stderr
    )
    assert message, done.stderr
    if name == "full.txt":
        assert message[1] is None
        assert int(message[2].replace(",", "")) == (tmp_path / name).read_bytes().count(b"\n") == LIMIT // 82


@pytest.mark.parametrize("name", ["all.zip", "all.7z", "all.br", "all.lz4", "all.Z", "ALL.ZIP", "all.txt.lzma"])
def test_a_file_that_would_only_look_compressed_is_refused(ask: Run, tmp_path: Path, name: str) -> None:
    done = ask(board_file("1a"), "--list", "--output", name)
    ending = name[name.rindex(".") :].lower()
    message = f"{name}: {ending} is not written: use .gz, .zst, .xz or .bz2"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"enumerate: {message}\n")
    assert not (tmp_path / name).exists()
    with pytest.raises(ValueError, match=re.escape(message)):
        enumerator.write_solutions(enumerator.read(board_file("1a")), name)


@pytest.mark.parametrize("ending", ["gz", "zst", "xz", "bz2"])
def test_a_list_that_was_written_can_be_read(ask: Run, ending: str) -> None:
    for name in ("list", f"list.{ending}"):
        assert ask(board_file("1b"), "--list", "--limit", "300", "--output", name).returncode == 0
    written = ask("list", "--quiet")
    assert written.stdout == "1\n" * 300
    assert ask(f"list.{ending}", "--quiet").stdout == written.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("options", [["--list", "--json"], ["--sample", "3"], ["--candidates"]])
def test_a_full_disk_is_said(options: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = run([COMMAND, board_file("4x4-many"), *options], stdout=full)
    written = "" if "--candidates" in options else "; 0 solutions written"
    assert done.stderr == f"enumerate: standard output: No space left on device{written}\n"
    assert done.returncode == 1


def test_the_board_on_standard_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(PUZZLE)
    with path.open() as file:
        done = run([COMMAND, "-", "--list", "--output", str(path)], stdin=file)
    assert (done.returncode, path.read_text()) == (2, PUZZLE)


def test_the_same_bytes_are_compressed_the_same_on_any_number_of_cores(ask: Run, tmp_path: Path) -> None:
    for cores in ("1", "2", "3"):
        assert ask(board_file("1b"), "--list", "--output", f"{cores}.zst", "--cores", cores).returncode == 0
    assert len({(tmp_path / f"{cores}.zst").read_bytes() for cores in "123"}) == 1


def test_dash_is_standard_output(command: Run, tmp_path: Path) -> None:
    assert command(board_file("1a"), "--list", "--output", "-").stdout
    assert not (tmp_path / "-").exists()
    assert command(board_file("1a"), "--list", "--output", "").returncode == 2
