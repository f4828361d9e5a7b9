"""A new engine is one module and one line: it counts, resumes, lists and is verified by the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.boards import ROOT
from support.ledgers import finished, is_sound, is_written
from support.processes import run, run_python, started, wait_for

EMPTY = "." * 16
SOLUTIONS = 288  # of the empty 4×4 board: a published figure, see tests/golden
PROGRAM = "import support.brute_force, sys; from enumerator.command.main import main; sys.exit(main())"
PATHS = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}


@pytest.fixture
def empty_board(tmp_path: Path) -> str:
    (tmp_path / "empty.txt").write_text(EMPTY)
    return str(tmp_path / "empty.txt")


def run_brute(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with the toy engine in its registry."""
    line = [sys.executable, "-c", PROGRAM, *arguments, "--engine", "brute"]
    return run(line, env=PATHS)


@pytest.mark.slow
def test_it_counts_and_another_engine_agrees(empty_board: str) -> None:
    done = run_brute(empty_board, "--cores", "2", "--verify", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (int(answer["solutions"]), answer["engine"], answer["complete"]) == (SOLUTIONS, "brute", True)
    assert (answer["verified"]["agrees"], answer["verified"]["way"]) == (True, "search")


@pytest.mark.slow
def test_a_killed_count_is_resumed_on_two_cores(empty_board: str, tmp_path: Path) -> None:
    ledger = tmp_path / "run.db"
    options = [empty_board, "--engine", "brute", "--cores", "2", "--checkpoint", str(ledger)]
    with started(*options, program=PROGRAM, env=PATHS) as process:
        assert wait_for(lambda: is_written(ledger) and len(finished(ledger)) > 3)
        assert process.poll() is None, "it was to be killed in the middle"
        process.kill()
    before = finished(ledger)
    done = run_brute(empty_board, "--cores", "2", "--checkpoint", str(ledger), "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (int(answer["solutions"]), answer["complete"]) == (SOLUTIONS, True)
    assert answer["before"]["tasks"] > 3
    assert is_sound(ledger)
    assert before.items() <= finished(ledger).items()
    audit = run_brute("--audit", str(ledger), "--share", "100%", "--json")
    assert json.loads(audit.stdout)["agree"]


def test_it_has_no_lists_and_the_next_engine_answers(empty_board: str) -> None:
    done = run_brute(empty_board, "--list")
    assert done.returncode == 0, done.stderr
    assert len(set(done.stdout.split())) == SOLUTIONS


def test_it_is_not_chosen_by_itself(empty_board: str) -> None:
    done = run_python(PROGRAM, empty_board, "--json", env=PATHS, status=0)
    assert json.loads(done.stdout)["engine"] == "search"


def test_other_shapes_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "nine.txt").write_text("." * 81)
    done = run_brute(str(tmp_path / "nine.txt"))
    assert done.returncode == 2
    assert "3x3 boxes are not supported by the engine brute" in done.stderr
