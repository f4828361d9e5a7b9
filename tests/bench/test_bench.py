"""The commands under bench/, on small settings."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT


def bench_output(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("shared")
def test_walk_states_a_ratio() -> None:
    output = bench_output("walk", "--boards", "1b,2b", "--rounds", "2")
    assert re.search(r"^1b +4,715 +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^2b +276 ", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_contraction_counts_known_and_random_boards() -> None:
    small = ["--names", "1b,2b", "--clues", "2", "--boards", "1", "--rounds", "1"]
    output = bench_output("contraction", "oracles", "published", "random", *small)
    assert re.search(r"^oracles: 119 counts, all exact, [\d.]+ s on one core$", output, re.MULTILINE)
    assert re.search(r"^1b +4,715( +[\d.]+){4}$", output, re.MULTILINE)
    assert re.search(r"^0 +1( +[\d.]+){3}   6,670,903,752,021,072,936,960$", output, re.MULTILINE)
    assert re.search(r"^all +3( +[\d.]+){3}$", output, re.MULTILINE)


@pytest.mark.slow
def test_puzzles_states_a_rate(tmp_path: Path) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    (tmp_path / "some.txt").write_text(f"{puzzle}\n{puzzle}\n{'.' * 81}\n")
    output = bench_output("puzzles", str(tmp_path / "some.txt"), "--boards", "6", "--rounds", "1")
    assert re.search(r"^some +6 +4 +2 +[\d,]+ +[\d,]+ +[\d.]+ +[\d,]+$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_solutions_are_listed_drawn_and_counted_cell_by_cell() -> None:
    output = bench_output("solutions", "--board", "1c", "--samples", "10", "--rounds", "1")
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
    output = bench_output("startup", "--rounds", "1")
    assert re.search(r"^enumerate boards/1a.txt +[\d.]+ +-?[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^peak memory of a count \(boards/1d.txt\): [\d.]+ MB$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4-unique", "4x4-many", "6x6-unique", "6x6-many", "16x16-unique"])
def test_the_same_seed_makes_the_same_boards(tmp_path: Path, name: str) -> None:
    bench_output("boards", "--only", name, "--folder", str(tmp_path))
    assert (tmp_path / f"{name}.txt").read_text() == (ROOT / "boards" / f"{name}.txt").read_text()


@pytest.mark.slow
def test_parallel_states_ratios_balance_and_overhead() -> None:
    output = bench_output("parallel", "short", "balance", "overhead", "--boards", "boards/1d", "--rounds", "1")
    assert re.search(r"^boards/1d +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)
    assert re.search(r"^boards/1d( +[\d.]+%){4}$", output, re.MULTILINE)
    assert re.search(r"^boards/1d +[\d.]+ +[\d.]+ +-?[\d.]+%$", output, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_parallel_measures_batches() -> None:
    output = bench_output("parallel", "batch", "--puzzles", "200", "--rounds", "1")
    assert re.search(r"^hardest --quiet +200 +[\d.]+ +[\d.]+ +[\d.]+ +\d+$", output, re.MULTILINE)
