"""Programs that a user has, by path: the convention, and what breaks it."""

import argparse
import re
from pathlib import Path

import pytest
from support.boards import NINE, PUZZLE

from bench.common.commands import TimeLimitError
from bench.common.outside import Outside
from bench.measure import puzzles
from enumerator.board import Board

BOARDS = [Board.parse(PUZZLE), Board.empty(NINE)]


def program(folder: Path, output: str, status: int = 0) -> Path:
    """Write a program that keeps its arguments and its boards, and prints `output`."""
    path = folder / "solver"
    path.write_text(f"#!/bin/sh\necho $1 > {folder}/limit\ncp $2 {folder}/given\necho {output}\nexit {status}\n")
    path.chmod(0o755)
    return path


def test_puzzles_states_the_rate_of_a_program_by_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "some.txt").write_text(f"{PUZZLE}\n{'.' * 81}\n")
    parser = argparse.ArgumentParser()
    puzzles.configure(parser)
    few = ["--boards", str(tmp_path / "some.txt"), "--puzzles", "2", "--rounds", "1"]
    assert puzzles.run(parser.parse_args([*few, "--program", f"abacus={program(tmp_path, '1 2 0.002')}"])) == 0
    output = capsys.readouterr().out
    assert re.search(r" command +abacus +ours/it$", output, re.MULTILINE)
    assert re.search(r"^some +2 +1 +1 .* 1,000 +[\d.]+$", output, re.MULTILINE)
    assert (tmp_path / "limit").read_text() == "2\n"
    assert (tmp_path / "given").read_text() == (tmp_path / "some.txt").read_text()


@pytest.mark.parametrize(
    ("output", "status", "message"),
    [
        ("1 1 0.1", 0, f"abacus finds 1 solutions of {'.' * 81}, which is multiple"),
        ("2 2 0.1", 0, f"abacus finds 2 solutions of {PUZZLE}, which is unique"),
        ("1 0.1", 0, "abacus prints 1 numbers for 2 boards"),
        ("ready", 0, "abacus prints 'ready\\n', not numbers and seconds"),
        ("", 0, "abacus prints '\\n', not numbers and seconds"),
        ("1 2 0.1", 3, "abacus has failed with status 3"),
    ],
)
def test_a_program_by_path_must_be_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], output: str, status: int, message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        puzzles.seconds_of_program(Outside("abacus", program(tmp_path, output, status)), BOARDS)
    assert message in f"{ended.value} {capsys.readouterr().err}"


def test_a_program_by_path_has_a_time_limit(tmp_path: Path) -> None:
    path = tmp_path / "solver"
    path.write_text("#!/bin/sh\nexec sleep 60\n")
    path.chmod(0o755)
    with pytest.raises(TimeLimitError):
        Outside("sleeper", path).run(BOARDS, timeout=0.05)
