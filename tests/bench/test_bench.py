"""The commands under bench/, on small settings."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT, assert_count, board_file

from bench.common.commands import compile_yardstick, run_yardstick
from enumerator import read


def run_bench(*arguments: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def bench(*arguments: str, root: Path = ROOT) -> str:
    done = run_bench(*arguments, root=root)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's files that the commands need, with nothing beside it."""
    copy = tmp_path_factory.mktemp("alone") / "copy"
    for folder in ("bench", "boards", "tests/golden"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "corpora"))
    return copy


needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@needs_compiler
def test_walk_states_a_ratio(alone: Path) -> None:
    output = bench("walk", "--boards", "1b,2b", "--rounds", "2", root=alone)
    assert re.search(r"^1b +7,685 +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^2b +184 ", output, re.MULTILINE)
    assert "published" not in output


@needs_compiler
@pytest.mark.usefixtures("shared")
def test_walk_shows_the_published_yardstick_in_a_column_of_its_own() -> None:
    output = bench("walk", "--boards", "1b", "published/1b", "--rounds", "1")
    assert "published/yardstick s" in output
    assert re.search(r"^1b +7,685( +[\d.]+){4}$", output, re.MULTILINE)
    assert re.search(r"^published/1b +4,715( +[\d.]+){4}$", output, re.MULTILINE)


def test_without_a_compiler_walk_says_so(alone: Path, tmp_path: Path) -> None:
    done = run_bench("walk", "--boards", "1b", root=alone, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bench: this needs a C compiler, as the command cc\n"


@needs_compiler
@pytest.mark.parametrize("name", ["1a", "1c", "2c"])
def test_the_yardstick_visits_every_solution(tmp_path: Path, name: str) -> None:
    solutions, seconds = run_yardstick(compile_yardstick(tmp_path), Path(board_file(name)))
    assert_count(read(board_file(name)), solutions)
    assert seconds >= 0


@needs_compiler
@pytest.mark.parametrize("text", ["." * 80, "11" + "." * 79])
def test_the_yardstick_refuses_what_is_no_board(tmp_path: Path, text: str) -> None:
    (tmp_path / "board.txt").write_text(text)
    program = compile_yardstick(tmp_path)
    done = subprocess.run([program, tmp_path / "board.txt"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{tmp_path / 'board.txt'}: not a 9x9 board\n"


@pytest.mark.slow
def test_contraction_counts_known_and_random_boards(alone: Path) -> None:
    small = ["--boards", "1b,2b", "--clues", "2", "--random", "1", "--rounds", "1"]
    output = bench("contraction", "oracles", "boards", "random", *small, root=alone)
    assert re.search(r"^oracles: 62 counts, all exact, [\d.]+ s on one core$", output, re.MULTILINE)
    assert re.search(r"^1b +7,685( +[\d.]+){2,4}$", output, re.MULTILINE)
    assert re.search(r"^0 +1( +[\d.]+){3}   6,670,903,752,021,072,936,960$", output, re.MULTILINE)
    assert re.search(r"^all +3( +[\d.]+){3}$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_contraction_counts_published_oracles() -> None:
    output = bench("contraction", "oracles")
    assert re.search(r"^published/oracles: 119 counts, all exact, [\d.]+ s on one core$", output, re.MULTILINE)


@pytest.mark.slow
def test_puzzles_states_a_rate(tmp_path: Path) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    (tmp_path / "some.txt").write_text(f"{puzzle}\n{puzzle}\n{'.' * 81}\n")
    output = bench("puzzles", str(tmp_path / "some.txt"), "--boards", "6", "--rounds", "1")
    assert re.search(r"^some +6 +4 +2 +[\d,]+ +[\d,]+ +[\d.]+ +[\d,]+$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_solutions_are_listed_drawn_and_counted_cell_by_cell() -> None:
    output = bench("solutions", "--board", "1c", "--samples", "10", "--rounds", "1")
    assert re.search(r"^1c --list > /dev/null: 132,271 solutions$", output, re.MULTILINE)
    assert re.search(r"^    --cores 2 +[\d.]+ s +[\d.]+ million a second, [\d,]+ MB/s$", output, re.MULTILINE)
    assert re.search(r"^    peak memory \d+ MB$", output, re.MULTILINE)
    assert re.search(
        r"^1c, sorted, both engines, 1, 2 and 3 cores: all the same: SHA-256 \w{64}$", output, re.MULTILINE
    )
    assert re.search(r"^the 10\^21-th solution of the empty board: [\d.]+ s$", output, re.MULTILINE)
    assert re.search(r"^10 samples of the empty board, --cores 1: [\d.]+ s$", output, re.MULTILINE)
    ratio = r"[\d.]+ s, [\d.]+ times its count of [\d.]+ s$"
    assert re.search(rf"^candidates of 1c, --cores 2: {ratio}", output, re.MULTILINE)
    assert re.search(rf"^candidates of the empty board, --cores 1: {ratio}", output, re.MULTILINE)


@pytest.mark.slow
def test_startup_states_milliseconds_and_memory() -> None:
    output = bench("startup", "--rounds", "1")
    assert re.search(r"^enumerate boards/1a.txt +[\d.]+ +-?[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^peak memory of a count \(boards/1d.txt\): [\d.]+ MB$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4-unique", "4x4-many", "6x6-unique", "6x6-many", "16x16-unique"])
def test_the_same_seed_makes_the_same_boards(tmp_path: Path, name: str) -> None:
    bench("boards", "--only", name, "--folder", str(tmp_path))
    assert (tmp_path / f"{name}.txt").read_text() == (ROOT / "boards" / f"{name}.txt").read_text()


@pytest.mark.slow
def test_parallel_states_ratios_balance_and_overhead() -> None:
    output = bench("parallel", "short", "balance", "overhead", "--boards", "boards/1d", "--rounds", "1")
    assert re.search(r"^boards/1d +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^boards/1d( +[\d.]+%){4}$", output, re.MULTILINE)
    assert re.search(r"^boards/1d +[\d.]+ +[\d.]+ +-?[\d.]+%$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_parallel_measures_batches() -> None:
    output = bench("parallel", "batch", "--puzzles", "200", "--rounds", "1")
    assert re.search(r"^hardest --quiet +200 +[\d.]+ +[\d.]+ +[\d.]+ +\d+$", output, re.MULTILINE)
