"""The targets of `python -m bench fuzz`, over the inputs of the corpora."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.boards import ROOT
from support.cases import slow_after
from support.processes import run

CORPORA = ROOT / "bench" / "corpora"
TARGETS = sorted(path.name for path in CORPORA.iterdir())


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, *arguments], cwd=ROOT)


@pytest.mark.long
@pytest.mark.slow
def test_every_target_has_seeds_that_it_stands_and_a_corpus() -> None:
    program = "from bench.check.targets import TARGETS; print(*sorted(TARGETS))\n"
    program += "for target in TARGETS.values(): print(*map(target.check, target.seeds()))"
    done = run_python("-c", program)
    assert (done.stderr, done.stdout.split("\n")[0].split()) == ("", TARGETS)


@pytest.mark.parametrize("target", slow_after(1, TARGETS))
def test_inputs_that_were_kept_find_nothing(target: str) -> None:
    files = sorted((CORPORA / target).iterdir())
    assert 10 < len(files) < 100
    assert sum(path.stat().st_size for path in files) < 100_000
    done = run_python("-m", "bench", "fuzz", target, *map(str, files))
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_finding_is_found(tmp_path: Path) -> None:
    """A writer that exchanges 3 and 4 is found out."""
    (tmp_path / "finding").write_bytes(b"\0\x201234............\n")
    program = "import sys; from pathlib import Path; from unittest.mock import patch\n"
    program += "from bench.check.fuzz import run_files\n"
    program += "wrong = lambda board, ascii=False: str(board).translate({51: 52, 52: 51})\n"
    program += "with patch('bench.check.targets.boards.as_drawing', wrong):\n"
    program += "    run_files('boards', [Path(sys.argv[1])])"
    done = run_python("-c", program, str(tmp_path / "finding"))
    assert done.returncode == 1
    assert "AssertionError: not read as it was written" in done.stderr


def test_a_walk_that_loses_a_solution_is_found(tmp_path: Path) -> None:
    """The empty board of 4×4, walked as if its first cell held a 1."""
    (tmp_path / "finding").write_bytes(bytes([0, 0, 255, 0]))
    program = "import sys; from pathlib import Path; from unittest.mock import patch\n"
    program += "from bench.check.fuzz import run_files\n"
    program += "from bench.check.targets.learning import start\n"
    program += "wrong = lambda cells, *shape: start(b'\\1' + cells[1:], *shape)\n"
    program += "run_files('learning', [Path(sys.argv[1])])\n"
    program += "with patch('bench.check.targets.learning.start', wrong):\n"
    program += "    run_files('learning', [Path(sys.argv[1])])"
    done = run_python("-c", program, str(tmp_path / "finding"))
    assert done.returncode == 1
    assert "AssertionError: too few solutions" in done.stderr
    assert done.stdout.count("finding") == 2


def test_random_boards_are_read_in_every_form() -> None:
    from bench.check.targets import forms

    outcomes = forms.check_many(300, seed=1, with_all_shapes=False)
    assert outcomes["same"] > outcomes["refused"]
    assert forms.summary(300, outcomes).endswith("0 silent differences")
