"""The study's commands on short settings: measured, interrupted, resumed, reported."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest
from helpers import PUZZLE, ROOT, started, wait_for

from bench.simulation.world import Costs
from bench.study.options import KnownCounts
from bench.study.programs import PROGRAMS, installed_version
from bench.study.report import SECTIONS
from bench.study.session import SECOND_INTERRUPT_SECONDS
from bench.study.simulate import costs_from
from bench.tables.rows import Correlation, Cost, Cut, Match, Piece, Prediction, Run, Scale
from bench.tables.table import read

COUNTS = {"1a": 1, "1b": 12, "1c": 288}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of boards with known numbers of solutions, and of tables."""
    folder = tmp_path_factory.mktemp("suite")
    (folder / "boards").mkdir()
    for name, board in {"1a": PUZZLE, "1b": "1234............", "1c": "." * 16}.items():
        (folder / "boards" / f"{name}.txt").write_text(f"{board}\n")
    return folder


def bench(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert "\r" not in done.stderr  # no bar in a pipe
    return done


def common(folder: Path, table: str, boards: str = ".") -> list[str]:
    return ["--folder", str(folder / "boards"), "--boards", boards, "--output", str(folder / table)]


@pytest.mark.slow
def test_every_command_has_help() -> None:
    listed = bench("--help").stdout
    for name in ("speedup", "cutoff", "correlation", "scaling", "simulate", "tasks", "peers", "report"):
        assert re.search(rf"^    {name} ", listed, re.MULTILINE)
        assert f"bench {name}" in bench(name, "--help").stdout


@pytest.mark.slow
def test_speedup_measures_every_board_on_every_number_of_cores(folder: Path) -> None:
    output = bench(
        "speedup", "--cores", "1,2", "--iterations", "2", *common(folder, "speedup-search.csv"), "--engine", "search"
    )
    said, rows = read(folder / "speedup-search.csv", Run)
    assert said["command"] == "speedup --cores 1,2 --engine search --backend loky"
    assert {(row.board, row.cores, row.iteration) for row in rows} == {
        (board, cores, iteration) for board in COUNTS for cores in (1, 2) for iteration in (0, 1)
    }
    for row in rows:
        assert row.solutions == COUNTS[row.board]
        assert row.engine == "search"
        assert 0 < row.seconds < 5
        assert row.memory > 5
        assert 0 < row.walk < 10
        assert (row.pool_seconds > 0) == (row.cores > 1)
    order = [row.cores for row in rows]
    assert order[:6] == [1, 2] * 3  # by turns, and in the next round the other way round
    assert order[6:] == [2, 1] * 3
    assert re.search(r"^1b +12 +search +2( +[\d.]+){8} +\S+–\S+ +[\d.]+ +[\d.]+$", output.stdout, re.MULTILINE)
    again = bench(
        "speedup", "--cores", "1,2", "--iterations", "2", *common(folder, "speedup-search.csv"), "--engine", "search"
    )
    assert again.stdout == output.stdout  # nothing was left to do
    assert read(folder / "speedup-search.csv", Run)[1] == rows


def test_cores_that_are_not_there_are_left_out_by_number(folder: Path) -> None:
    done = bench("speedup", "--cores", "1,4096", "--iterations", "1", *common(folder, "many.csv", "1b"))
    assert re.match(r"bench: this machine has \d+ cores: left out are 4096; see `bench simulate`", done.stdout)
    assert {row.cores for row in read(folder / "many.csv", Run)[1]} == {1}


@pytest.mark.slow
def test_speedup_for_some_time(folder: Path) -> None:
    bench("speedup", "--cores", "1", "--time", "0.0001", *common(folder, "timed.csv", "1b"))
    assert len(read(folder / "timed.csv", Run)[1]) >= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["speedup", "--boards", "nothing like it"], "no board in "),
        (["speedup", "--boards", "("], "not a regular expression"),
        (["speedup", "--cores", "0"], "'0' is not a list of numbers like 1,2,4"),
        (["speedup", "--cores", "two"], "'two' is not a list of numbers"),
        (["speedup", "--time", "1", "--iterations", "2"], "not allowed with"),
        (["simulate", "--results", "boards"], "tasks.csv.gz: No such file"),
        (["correlation", "--results", "boards"], "speedup-search.csv: No such file"),
        (["peers", "--programs", "abacus"], "not here: abacus"),
    ],
)
def test_mistakes_are_said_in_a_line(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_table_of_another_run_is_refused(folder: Path) -> None:
    once = ["speedup", "--cores", "1", "--iterations", "1", *common(folder, "other.csv", "1b")]
    bench(*once)
    before = (folder / "other.csv").read_bytes()
    assert "is of another run" in bench(*once, "--engine", "search", status=1).stderr
    assert (folder / "other.csv").read_bytes() == before
    bench(*once, "--engine", "search", "--fresh")


def test_a_wrong_count_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text("# name, empty cells, solutions, search space\nx\t12\t13\t7\n")
    known = KnownCounts(tmp_path)
    assert known.check("x", 13) == 13
    assert known.check("y", 5) == 5
    for board, solutions in (("x", 12), ("y", 6)):
        with pytest.raises(SystemExit, match=f"{board} has"):
            known.check(board, solutions)


@contextmanager
def under_way(folder: Path, table: str, boards: str) -> Iterator[tuple[subprocess.Popen[str], Callable[[], list[Run]]]]:
    """Start a run of many measurements.

    Yield it after the first few, and a function that reads its rows.
    """
    program = "import runpy, sys; sys.argv[0] = 'bench'; runpy.run_module('bench', run_name='__main__')"
    arguments = ["speedup", "--cores", "1", "--iterations", "1000", *common(folder, table, boards)]

    def rows() -> list[Run]:
        return read(folder / table, Run)[1] if (folder / table).exists() else []

    with started(*arguments, program=program, cwd=ROOT) as process:
        assert wait_for(lambda: len(rows()) >= 3, 60)
        yield process, rows


def interrupt(process: subprocess.Popen[str]) -> str:
    """Send Ctrl-C; return the message."""
    process.send_signal(signal.SIGINT)
    assert process.stderr
    return process.stderr.readline()


@pytest.mark.slow
def test_ctrl_c_goes_on_with_the_next_board(folder: Path) -> None:
    with under_way(folder, "interrupted.csv", "1[bc]") as (process, rows):
        assert "is left out from here on; Ctrl-C once more ends the run" in interrupt(process)
        seen = len(rows())
        sleep(SECOND_INTERRUPT_SECONDS)  # or the next one would be a second one
        assert wait_for(lambda: len(rows()) >= seen + 3, 60)
        assert len({row.board for row in rows()[seen + 1 :]}) == 1  # the other is not come back to
        assert "is left out" in interrupt(process)
        assert process.wait(timeout=30) == 0  # there is no other
    seen = len(rows())
    bench("speedup", "--cores", "1", "--iterations", str(seen), *common(folder, "interrupted.csv", "1[bc]"))
    found = [(row.board, row.iteration) for row in rows()]
    assert sorted(found) == [(board, iteration) for board in ("1b", "1c") for iteration in range(seen)]


@pytest.mark.slow
def test_ctrl_c_twice_ends_the_run(folder: Path) -> None:
    with under_way(folder, "ended.csv", ".") as (process, rows):
        assert "is left out" in interrupt(process)
        assert interrupt(process) == "interrupted: all measurements are saved; the same command resumes the run\n"
        assert process.wait(timeout=30) == 130
        assert process.stderr
        assert process.stderr.read() == ""
    assert len(rows()) >= 3


@pytest.mark.slow
def test_a_killed_run_is_resumed(folder: Path) -> None:
    with under_way(folder, "killed.csv", "1[bc]") as (process, rows):
        process.kill()
    bench("speedup", "--cores", "1", "--iterations", "4", *common(folder, "killed.csv", "1[bc]"))
    found = [(row.board, row.iteration) for row in rows()]
    assert len(found) == len(set(found)) >= 8


@pytest.mark.slow
def test_the_data_of_a_simulation_and_what_is_made_of_them(folder: Path) -> None:
    (folder / "boards" / "2z.txt").write_text((ROOT / "boards" / "1d.txt").read_text())
    try:
        bench("tasks", "--largest", "3000", *common(folder, "tasks.csv.gz", "1a|2z"))
    finally:
        (folder / "boards" / "2z.txt").unlink()
    _, pieces = read(folder / "tasks.csv.gz", Piece)
    assert sum(piece.solutions for piece in pieces if piece.board == "1a") == 1
    measured = read(folder / "costs.csv", Cost)[1]
    assert set(Costs.__slots__) - {row.step.replace(" ", "_") for row in measured} == {"crowded"}
    known = costs_from(measured)
    assert 0 < known.hand_out < 0.01
    assert 0 < known.branch < 0.01
    output = bench("simulate", "--results", str(folder), "--cores", "1,2,64", "--output", str(folder / "simulated.csv"))
    said, rows = read(folder / "simulated.csv", Prediction)
    assert said["command"] == "simulate --cores 1,2,64"
    assert [(row.board, row.cores) for row in rows] == [
        (board, cores) for board in ("1a", "2z") for cores in (1, 2, 64)
    ]
    by_cores = {row.cores: row.seconds for row in rows if row.board == "2z"}
    assert by_cores[64] < by_cores[2] < by_cores[1] * 3  # cores of a busy machine are crowded
    assert re.search(r"^2z +64( +[\d.]+){3} +\d+$", output.stdout, re.MULTILINE)


@pytest.mark.slow
def test_correlation_reads_and_does_not_run(folder: Path) -> None:
    bench("speedup", "--cores", "1,2", "--iterations", "1", *common(folder, "speedup-three.csv"))
    output = bench(
        "correlation",
        "--results",
        str(folder),
        "--data",
        "speedup-three.csv",
        "--output",
        str(folder / "correlation.csv"),
    )
    rows = read(folder / "correlation.csv", Correlation)[1]
    assert {row.cores for row in rows} == {"all", "2"}
    assert {row.runs for row in rows} == {3, 6}
    assert "cores: 2 (n = 3), Pearson below the diagonal, Spearman above it" in output.stdout


@pytest.mark.slow
def test_cutoffs_by_both_measures(folder: Path) -> None:
    bench("cutoff", "--iterations", "1", "--parts", "1", "20", "--cores", "2", *common(folder, "cutoff.csv", "1a|1c"))
    rows = read(folder / "cutoff.csv", Cut)[1]
    assert {(row.measure, row.budget) for row in rows if not row.default} == {
        (measure, budget) for measure in ("search space", "empty cells") for budget in (True, False)
    }
    assert {row.board for row in rows if row.default} == {"1a", "1c"}
    assert any(row.tasks > 1 for row in rows if row.board == "1c")


@pytest.mark.slow
def test_scaling_finds_the_same_counts_by_both_engines(folder: Path) -> None:
    output = bench(
        "scaling", "--grids", "2", "--clues", "40", "0", "--limit", "3", "--output", str(folder / "scaling.csv")
    )
    rows = read(folder / "scaling.csv", Scale)[1]
    assert {(row.clues, row.engine, row.seconds is None) for row in rows} == {
        (40, "search", False),
        (40, "contraction", False),
        (0, "search", True),  # for ever
        (0, "contraction", False),
    }
    assert {row.solutions for row in rows if row.clues == 0 and row.solutions} == {6_670_903_752_021_072_936_960}
    assert re.search(r"^ +0 +6.67e\+21 +too long +[\d.]+ +\d+$", output.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", PROGRAMS)
def test_other_programs_count_right(name: str) -> None:
    if installed_version(PROGRAMS[name]) is None:
        pytest.skip(f"{name} is not installed")
    for board, solutions in ((PUZZLE, 1), ("." * 3 + PUZZLE[3:68] + "." * 13, 23)):
        done = subprocess.run(
            [sys.executable, "-m", "bench.study.programs", name],
            cwd=ROOT,
            input=f"{board}\n",
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        found = json.loads(done.stdout)
        assert int(found["solutions"]) == solutions
        assert found["seconds"] > 0


@pytest.mark.slow
def test_peers_are_measured_by_turns(folder: Path) -> None:
    programs = ["--programs", "enumerator", "plain Python"]
    output = bench("peers", "--iterations", "2", "--limit", "20", *programs, *common(folder, "peers.csv", "1a"))
    rows = read(folder / "peers.csv", Match)[1]
    assert [(row.program, row.iteration) for row in rows] == [
        ("enumerator", 0),
        ("plain Python", 0),
        ("enumerator", 1),
        ("plain Python", 1),
    ]
    assert {row.solutions for row in rows} == {1}
    assert re.search(r"^1a +1 ", output.stdout, re.MULTILINE)


@pytest.mark.slow
def test_the_report_is_one_page_that_needs_nothing_else(tmp_path: Path) -> None:
    done = bench("report", "--results", str(ROOT / "results"), "--output", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text()
    assert [section.title for section in SECTIONS] == re.findall(r'<section id="\w+"><h2>(.*?)</h2>', page)
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert "@import" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:xlink:)?href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page))
    assert {name for name in used if not name.startswith("candidates-line")} <= set(ids)  # rich names one line too many
    assert "prefers-color-scheme: dark" in page
    drawn = {section.name for section in SECTIONS if section.draw}
    assert {path.stem for path in tmp_path.glob("*.svg")} == drawn
    assert "left out" not in done.stdout


def test_what_is_missing_is_left_out_of_the_report_by_name(tmp_path: Path) -> None:
    done = bench("report", "--results", str(tmp_path), status=1)
    assert "there is nothing to report" in done.stderr
    assert "no speedup-search.csv in " in done.stdout
    assert list(tmp_path.iterdir()) == []
