"""The study's commands on short settings: measured, interrupted, resumed, reported."""

import hashlib
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import pytest
from support.boards import PUZZLE, ROOT
from support.cases import needs_sources
from support.processes import Run as Ask
from support.processes import children, run, started, wait_for

from bench.simulation.world import Costs
from bench.study import speedup
from bench.study.options import KnownCounts
from bench.study.peer_programs import PROGRAMS, installed_version
from bench.study.simulate import costs_from
from bench.study.trial import measure
from bench.tables.rows import Correlation, Cost, Cut, Match, Piece, Prediction, Run, Scale
from bench.tables.table import Table, read

COUNTS = {"1a": 1, "1b": 12, "1c": 288}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of boards with known numbers of solutions, and of tables."""
    folder = tmp_path_factory.mktemp("suite")
    (folder / "boards").mkdir()
    for name, board in {"1a": PUZZLE, "1b": "1234............", "1c": "." * 16}.items():
        (folder / "boards" / f"{name}.txt").write_text(f"{board}\n")
    return folder


@pytest.fixture
def bench(ask_bench: Ask) -> Ask:
    """Run a command of the study in this process; it must end with `status`."""

    def run_it(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = ask_bench(*arguments)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        assert "\r" not in done.stderr  # no bar in a pipe
        return done

    return run_it


def common(folder: Path, results: str = "measured", boards: str = "*") -> list[str]:
    """The options that choose boards of the folder, and the folder of the tables."""
    files = map(str, sorted((folder / "boards").glob(f"{boards}.txt")))
    return ["--boards", *files, "--results", str(folder / results)]


def test_every_command_has_help(ask_bench: Ask, bench: Ask) -> None:
    listed = bench("--help").stdout
    for name in ("study", "speedup", "cutoff", "correlation", "scaling", "simulate", "tasks", "peers", "report"):
        assert re.search(rf"^    {name} ", listed, re.MULTILINE)
        done = ask_bench(name, "--help")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"bench {name}" in done.stdout


@pytest.mark.slow
def test_speedup_measures_every_board_on_every_number_of_cores(
    folder: Path, bench: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts are made in this process, which saves its start eight times; tests of interrupts start others."""
    monkeypatch.setattr(speedup, "run_trial", lambda trial, _limit: measure(trial))
    asked = ["speedup", "--cores", "1,2", "--iterations", "2", *common(folder, boards="1[bc]"), "--engine", "search"]
    output, table = bench(*asked), folder / "measured" / "speedup-search.csv"
    said, rows = read(table, Run)
    assert said["command"] == "speedup --cores 1,2 --engine search --backend loky"
    assert {(row.board, row.cores, row.iteration) for row in rows} == {
        (board, cores, iteration) for board in ("1b", "1c") for cores in (1, 2) for iteration in (0, 1)
    }
    for row in rows:
        assert row.solutions == COUNTS[row.board]
        assert row.engine == "search"
        assert 0 < row.seconds < 60
        assert row.memory > 5
        assert 0 < row.walk < 10
        assert (row.pool_seconds > 0) == (row.cores > 1)
    order = [row.cores for row in rows]
    assert order[:4] == [1, 2] * 2  # by turns, and in the next round the other way round
    assert order[4:] == [2, 1] * 2
    assert re.search(r"^1b +12 +search +2( +[\d.]+){4} +\S+–\S+ +[\d.]+$", output.stdout, re.MULTILINE)
    assert bench(*asked).stdout == output.stdout  # nothing was left to do
    assert read(table, Run)[1] == rows
    wide = bench(*asked, "--wide").stdout
    assert re.search(r"^1b +12 +search +2 +2( +[\d.]+){8} +\S+–\S+ +[\d.]+ +[\d.]+$", wide, re.MULTILINE)
    assert bench(*asked, "--csv").stdout.splitlines()[1:] == table.read_text().splitlines()[-len(rows) :]


def test_cores_that_are_not_there_are_left_out_by_number(folder: Path, bench: Ask) -> None:
    done = bench("speedup", "--cores", "1,4096", "--iterations", "1", *common(folder, "many", "1b"))
    assert re.match(r"bench: this machine has \d+ cores?: left out are 4096; see `bench simulate`", done.stdout)
    assert {row.cores for row in read(folder / "many" / "speedup-auto.csv", Run)[1]} == {1}


@pytest.mark.slow
def test_speedup_for_some_time(folder: Path, bench: Ask) -> None:
    bench("speedup", "--cores", "1", "--iterations", "9", "--seconds", "0.01", *common(folder, "timed", "1b"))
    assert [row.iteration for row in read(folder / "timed" / "speedup-auto.csv", Run)[1]] == [0]


@pytest.mark.slow
def test_a_board_that_takes_too_long_is_left_out_by_name(folder: Path, bench: Ask) -> None:
    boards = ["--boards", str(ROOT / "boards" / "empty.txt"), str(folder / "boards" / "1b.txt")]
    boards += ["--results", str(folder / "late")]
    done = bench("speedup", "--cores", "1", "--iterations", "2", "--engine", "search", "--limit", "1.5", *boards)
    assert done.stderr == "bench: empty takes longer than 1.5 s: left out\n"
    assert [row.board for row in read(folder / "late" / "speedup-search.csv", Run)[1]] == ["1b", "1b"]
    done = bench("tasks", "--limit", "1.5", "--rounds", "1", *boards)
    assert done.stderr == "bench: empty takes longer than 1.5 s: left out\n"
    assert {row.board for row in read(folder / "late" / "tasks.csv.gz", Piece)[1]} == {"1b"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["speedup", "--boards", "nothing-like-it"], "nothing-like-it is neither a name nor a file"),
        (["speedup", "--boards", "README.md"], "README.md is not a board"),
        (["speedup", "--iterations", "0"], "--iterations must be at least 1, not 0"),
        (["speedup", "--seconds", "-1"], "'-1' is not a number above 0"),
        (["cutoff", "--parts", "0"], "--parts must be at least 1, not 0"),
        (["scaling", "--grids", "0"], "--grids must be at least 1, not 0"),
        (["scaling", "--clues", "82"], "invalid choice: 82"),
        (["speedup", "--cores", "0"], "'0' is not a list of numbers like 1,2,4"),
        (["speedup", "--cores", "two"], "'two' is not a list of numbers"),
        (["speedup", "--csv", "--wide"], "not allowed with"),
        pytest.param(["simulate", "--results", "results", "--board", "9z"], "has no board 9z", marks=pytest.mark.slow),
        (["report", "--results", "boards"], "there is nothing to report"),
        (["report", "--results", "results"], "results/ is tracked by git"),
        (["speedup", "--results", "results"], "results/ is tracked by git"),
        (["peers", "--boards", "boards/4x4-many.txt"], "this takes 3x3 boards only"),
        (["simulate", "--results", "boards"], "tasks.csv.gz: No such file"),
        (["correlation", "--results", "boards"], "speedup-search.csv: No such file"),
        (["peers", "--programs", "abacus"], "not here: abacus"),
    ],
)
def test_mistakes_are_said_in_a_line(ask_bench: Ask, arguments: list[str], message: str) -> None:
    done = ask_bench(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert (done.stdout, "Traceback" in done.stderr) == ("", False)


@pytest.mark.slow
def test_a_table_of_another_run_is_refused(folder: Path, bench: Ask) -> None:
    once = ["speedup", "--cores", "1", "--iterations", "1", *common(folder, "other", "1b")]
    bench(*once)
    table = folder / "other" / "speedup-auto.csv"
    before = table.read_bytes()
    assert "is of another run" in bench(*once, "--cutoff", "1e9", status=2).stderr
    assert table.read_bytes() == before
    bench(*once, "--cutoff", "1e9", "--fresh")
    assert "--cutoff" in read(table, Run)[0]["command"]


def test_a_wrong_count_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text("# name, empty cells, solutions, search space\nx\t12\t13\t7\n")
    known = KnownCounts({"x": tmp_path / "x.txt", "y": tmp_path / "y.txt"})
    assert known.check("x", 13) == 13
    assert known.check("y", 5) == 5
    for board, solutions in (("x", 12), ("y", 6)):
        with pytest.raises(SystemExit, match=f"{board} has"):
            known.check(board, solutions)


@contextmanager
def under_way(folder: Path, results: str) -> Iterator[tuple[subprocess.Popen[str], Callable[[], list[Run]]]]:
    """Start a run of many measurements.

    Yield it after the first few, and a function that reads its rows.
    """
    program = "import runpy, sys; sys.argv[0] = 'bench'; runpy.run_module('bench', run_name='__main__')"
    arguments = ["speedup", "--cores", "1", "--iterations", "1000", *common(folder, results, "1[bc]")]
    table = folder / results / "speedup-auto.csv"

    def rows() -> list[Run]:
        return read(table, Run)[1] if table.exists() else []

    with started(*arguments, program=program, cwd=ROOT) as process:
        assert wait_for(lambda: len(rows()) >= 3)
        yield process, rows


@pytest.mark.slow
def test_ctrl_c_twice_ends_the_run_and_the_same_command_resumes_it(folder: Path, bench: Ask) -> None:
    with under_way(folder, "interrupted") as (process, rows):
        assert process.stderr
        said = [""]
        while not said[-1].startswith("interrupted"):
            assert wait_for(lambda: children(process.pid))  # a measurement
            process.send_signal(signal.SIGINT)
            said.append(process.stderr.readline())
            assert said[-1], said
        _, *left, last = said
        assert last == "interrupted: all measurements are saved; the same command resumes the run\n"
        assert all(re.fullmatch("1[bc]: left; Ctrl-C twice within a second ends the run\n", line) for line in left)
        assert process.stderr.read() == ""
        assert process.wait() == 130
    before = rows()
    rounds = len(before)
    bench("speedup", "--cores", "1", "--iterations", str(rounds), *common(folder, "interrupted", "1[bc]"))
    assert rows()[: len(before)] == before
    found = [(row.board, row.iteration) for row in rows()]
    assert sorted(found) == [(board, iteration) for board in ("1b", "1c") for iteration in range(rounds)]


@pytest.mark.slow
def test_a_killed_run_is_resumed(folder: Path, bench: Ask) -> None:
    with under_way(folder, "killed") as (process, rows):
        process.kill()
    bench("speedup", "--cores", "1", "--iterations", "4", *common(folder, "killed", "1[bc]"))
    found = [(row.board, row.iteration) for row in rows()]
    assert len(found) == len(set(found)) >= 8


@pytest.mark.slow
def test_the_data_of_a_simulation_and_what_is_made_of_them(folder: Path, bench: Ask) -> None:
    (folder / "2z.txt").write_text((ROOT / "boards" / "1d.txt").read_text())
    own, boards = folder / "simulation", [str(folder / "boards" / "1a.txt"), str(folder / "2z.txt")]
    bench("tasks", "--largest", "3000", "--rounds", "3", "--results", str(own), "--boards", *boards)
    _, pieces = read(own / "tasks.csv.gz", Piece)
    assert sum(piece.solutions for piece in pieces if piece.board == "1a") == 1
    measured = read(own / "costs.csv", Cost)[1]
    assert set(Costs.__slots__) - {row.step.replace(" ", "_") for row in measured} == {"crowded"}
    known = costs_from(measured)
    assert 0 < known.hand_out < 0.01
    assert 0 < known.branch < 0.01
    output = bench("simulate", "--results", str(own), "--cores", "1,2,64")
    assert re.match(r"data of tasks.csv.gz: .*, 20\d\d-.* UTC, commit ", output.stdout)
    said, rows = read(own / "simulated.csv", Prediction)
    assert said["command"] == "simulate --cores 1,2,64"
    assert [(row.board, row.cores) for row in rows] == [
        (board, cores) for board in ("1a", "2z") for cores in (1, 2, 64)
    ]
    by_cores = {row.cores: row.seconds for row in rows if row.board == "2z"}
    assert by_cores[64] < by_cores[2] < by_cores[1] * 3  # cores of a busy machine are crowded
    assert re.search(r"^2z +64( +[\d.]+){3} +\d+$", output.stdout, re.MULTILINE)


@pytest.mark.slow
def test_a_part_of_a_board_that_a_killed_writer_left_is_measured_again(folder: Path, bench: Ask) -> None:
    asked = ["tasks", "--largest", "20", "--rounds", "1", *common(folder, "torn", "1[bc]")]
    bench(*asked)
    table = Table(folder / "torn" / "tasks.csv.gz", Piece, "tasks --largest 20")
    pieces = [(row.board, row.number, row.solutions) for row in table.rows]
    assert {board for board, _, _ in pieces} == {"1b", "1c"}
    table.replace(table.rows[:-1])
    bench(*asked)
    assert [(row.board, row.number, row.solutions) for row in read(table.path, Piece)[1]] == pieces


def save_runs(path: Path, *boards: str) -> None:
    """Write a table of one round on one and on two cores."""
    table = Table(path, Run, "speedup --cores 1,2 --engine auto --backend loky")
    for number, board in enumerate(boards, 1):
        for cores in (1, 2):
            seconds = number / cores + 0.1 * cores
            size = (10 * number, 0.5 / number, 10**number, COUNTS[board])
            table.add(Run(board, *size, "search", cores, 0, seconds, 100 * number, 9, seconds, 0.1, 20.0, 0.1))


def test_correlation_reads_and_does_not_run(folder: Path, bench: Ask) -> None:
    save_runs(folder / "correlated" / "speedup-auto.csv", "1a", "1b", "1c")
    asked = ["correlation", "--results", str(folder / "correlated"), "--data", "speedup-auto.csv"]
    output = bench(*asked)
    rows = read(folder / "correlated" / "correlation.csv", Correlation)[1]
    assert {(row.boards, row.cores, row.runs) for row in rows} == {("ours", "2", 3)}  # a speed-up of 1 is no data
    assert "boards: ours; cores: 2; n = 3; Pearson below the diagonal, Spearman above it" in output.stdout
    assert max(map(len, output.stdout.splitlines())) <= 100
    save_runs(folder / "few" / "speedup-auto.csv", "1a", "1b")
    done = bench("correlation", "--results", str(folder / "few"), "--data", "speedup-auto.csv", status=2)
    assert "fewer than 3 boards" in done.stderr


@needs_sources
def test_published_tables_are_shown_and_not_written(bench: Ask) -> None:
    path = ROOT / "results" / "correlation.csv"
    before = path.read_bytes()
    shown = bench("correlation", "--results", "results", "--simulated", "64").stdout
    assert re.match(r"data of speedup-search.csv: .*, 20\d\d-.* UTC, commit ", shown)
    assert path.read_bytes() == before


@needs_sources
def test_a_reader_that_has_enough_ends_a_command() -> None:
    command = f"{quote(sys.executable)} -m bench correlation --results results | head -1"
    done = run(command, cwd=ROOT, status=0)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, "")


@pytest.mark.slow
def test_cutoffs_by_both_measures(folder: Path, bench: Ask) -> None:
    bench("cutoff", "--iterations", "1", "--parts", "1", "20", "--cores", "2", *common(folder, "cut", "1c"))
    rows = read(folder / "cut" / "cutoff.csv", Cut)[1]
    assert {(row.measure, row.budget) for row in rows if not row.default} == {
        (measure, budget) for measure in ("search space", "empty cells") for budget in (True, False)
    }
    assert {row.board for row in rows if row.default} == {"1c"}
    assert any(row.tasks > 1 for row in rows)


@pytest.mark.slow
def test_scaling_finds_the_same_counts_by_both_engines(folder: Path, bench: Ask) -> None:
    output = bench("scaling", "--grids", "1", "--clues", "40", "0", "--limit", "2", "--results", str(folder / "scaled"))
    rows = read(folder / "scaled" / "scaling.csv", Scale)[1]
    assert {(row.clues, row.engine, row.seconds is None) for row in rows} == {
        (40, "search", False),
        (40, "contraction", False),
        (0, "search", True),  # for ever
        (0, "contraction", False),
    }
    assert {row.solutions for row in rows if row.clues == 0 and row.solutions} == {6_670_903_752_021_072_936_960}
    assert re.search(r"^ +0 +6.67e\+21 +too long +[\d.]+ +\d+$", output.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.slow
def test_other_programs_count_right(name: str) -> None:
    if installed_version(PROGRAMS[name]) is None:
        pytest.skip(f"{name} is not installed")
    for board, solutions in ((PUZZLE, 1), ("." * 3 + PUZZLE[3:68] + "." * 13, 23)):
        done = run([sys.executable, "-m", "bench.study.peer_programs", name], cwd=ROOT, stdin=f"{board}\n", status=0)
        found = json.loads(done.stdout)
        assert int(found["solutions"]) == solutions
        assert found["seconds"] > 0


@pytest.mark.slow
def test_peers_are_measured_by_turns(folder: Path, bench: Ask, ask_bench: Ask) -> None:
    programs = ["--programs", "enumerator", "plain Python"]
    solver = folder / "solver"
    solver.write_text("#!/bin/sh\n[ $1 = 0 ] && [ $(wc -c < $2) = 82 ] && echo 1 0.125\n")
    solver.chmod(0o755)
    programs += ["--program", f"abacus={solver}"]
    output = bench("peers", "--iterations", "2", "--limit", "20", *programs, *common(folder, "compared", "1a"))
    rows = read(folder / "compared" / "peers.csv", Match)[1]
    names = ["enumerator", "plain Python", "abacus"]
    assert [(row.program, row.iteration) for row in rows] == [(name, number) for number in (0, 1) for name in names]
    assert {(row.version, row.seconds) for row in rows if row.program == "abacus"} == {
        (hashlib.sha256(solver.read_bytes()).hexdigest()[:12], 0.125)
    }
    assert {row.solutions for row in rows} == {1}
    assert re.search(r"^1a +1 ", output.stdout, re.MULTILINE)
    solver.write_text(f"{solver.read_text()}# another one\n")
    again = ask_bench("peers", "--limit", "20", *programs, *common(folder, "compared", "1a"))
    assert again.returncode == 2
    assert "abacus has changed since it was measured: give another name, or --fresh" in again.stderr
