"""The options of the published program's bench, as the table of bench/README.md says them here."""

import csv
import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from shlex import split

import pytest
from support.boards import PUZZLE, ROOT, board_file
from support.cases import needs_sources
from support.processes import Run as Ask
from support.runs import RESTLESS

from bench.study import speedup, trial
from bench.study.boards import line_of, table_of
from bench.study.trial import Trial, TrialResult
from bench.tables.rows import Run
from bench.tables.stats import Summary
from bench.tables.table import read

LINE = (
    r"sequential [\d.]+ \S+ ± [\d.]+ \(\d+\)  parallel [\d.]+ \S+ ± [\d.]+ \(\d+\)  speed-up [\d.]+ \([\d.]+–[\d.]+\)"
)

COUNTS = {"1a": 1, "1b": 12, "2c": 288}


@pytest.fixture
def boards(tmp_path: Path) -> list[str]:
    for name, board in {"1a": PUZZLE, "1b": "1234............", "2c": "." * 16}.items():
        (tmp_path / f"{name}.txt").write_text(f"{board}\n")
    return [str(path) for path in sorted(tmp_path.glob("*.txt"))]


@pytest.fixture(autouse=True)
def counted_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let counts of `speedup` be made in this process, on two cores whatever the machine has, and be short."""
    monkeypatch.setattr(speedup, "usable_cores", lambda: 2)
    monkeypatch.setattr(speedup, "run_trial", lambda one, _limit: trial.measure(one))
    monkeypatch.setattr(trial, "WALK_NODES", 1_000)
    monkeypatch.setattr(trial, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(trial, "pool_start_seconds", lambda _workers: 0.5)


Rows = list[Run]

Measure = Callable[..., tuple[Rows, str]]


@pytest.fixture
def measured(ask_bench: Ask, boards: list[str], tmp_path: Path) -> Measure:
    """Return a function that runs `speedup` with some options, and returns its rows and its output."""

    def run_it(*options: str) -> tuple[Rows, str]:
        done = ask_bench("speedup", *options, "--boards", *boards, "--results", str(tmp_path / "tables"))
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        (table,) = (tmp_path / "tables").glob("*.csv")
        return read(table, Run)[1], done.stdout

    return run_it


def keys(rows: Rows) -> set[tuple[str, int, int]]:
    return {(row.board, row.cores, row.iteration) for row in rows}


def every(boards: str, cores: tuple[int, ...], rounds: int) -> set[tuple[str, int, int]]:
    return {(board, count, round_) for board in boards.split() for count in cores for round_ in range(rounds)}


EFFECTS = {
    "speedup -i 2": every("1a 1b 2c", (1, 2), 2),
    "speedup -t 0.1": None,
    "speedup -m '^1[ab]$'": every("1a 1b", (1, 2), 1),
    "speedup -nm '^1[bc]'": every("1a 2c", (1, 2), 1),
    "speedup --sequential": every("1a 1b 2c", (1,), 1),
    "speedup --parallel": every("1a 1b 2c", (2,), 1),
    "speedup --cutoff 1e9 --engine search": every("1a 1b 2c", (1, 2), 1),
    "speedup --cores 1,2": every("1a 1b 2c", (1, 2), 1),
    "speedup --csv boards.csv": every("1a 1b 2c", (1, 2), 1),
}
"""Lines of the table, and what each of them measures; None: that depends on the machine's speed."""


@needs_sources
def test_the_table_says_what_is_tried_here() -> None:
    text = (ROOT / "bench" / "README.md").read_text()
    assert set(re.findall(r"\| `(speedup [^`]*)`", text)) == set(EFFECTS)


@pytest.mark.slow
@pytest.mark.parametrize("command", EFFECTS)
def test_each_option_of_the_published_bench(
    measured: Callable[..., tuple[Rows, str]], tmp_path: Path, command: str
) -> None:
    file, expected = tmp_path / "boards.csv", EFFECTS[command]
    once = [] if re.search(r" -[it] ", command) else ["-i", "1"]
    rows, output = measured(*split(command.replace("boards.csv", str(file)))[1:], *once)
    assert {row.solutions == COUNTS[row.board] for row in rows} == {True}
    if expected is None:
        assert keys(rows) >= every("1a 1b 2c", (1, 2), 1)
        for board in COUNTS:
            rounds = 1 + max(row.iteration for row in rows if row.board == board)
            assert keys(rows) >= every(board, (1, 2), rounds)
        assert [row.board for row in rows] == sorted(row.board for row in rows)  # board after board
    else:
        assert keys(rows) == expected
    is_whole = {row.cores for row in rows} == {1, 2}
    lines = [line for line in output.splitlines() if "±" in line]
    assert [line.split()[0] for line in lines] == sorted({row.board for row in rows})
    assert all(re.fullmatch(rf"\w+  {LINE}", line) for line in lines) == is_whole
    if file.exists():
        assert_rows(file, rows)


def assert_rows(file: Path, rows: Rows) -> None:
    """Compare a file with a row a board with the counts that it was made of."""
    text = file.read_text().splitlines()
    assert [line.split(":")[0] for line in text[:3]] == ["# os", "# cores", "# cpu"]
    table = list(csv.DictReader(text[3:]))
    assert [row["name"] for row in table] == [*COUNTS]
    for row in table:
        for label, cores in (("sequential", 1), ("parallel", 2)):
            times = Summary.of([run.seconds for run in rows if (run.board, run.cores) == (row["name"], cores)])
            found = [float(row[f"{label} {name}"]) for name in ("iterations", "mean", "deviation", "least", "most")]
            expected = [times.number, times.mean, times.deviation, times.least, times.most]
            assert found == pytest.approx(expected, rel=1e-4, abs=1e-9)
        gains = [float(row[name]) for name in ("least speed-up", "speed-up", "most speed-up")]
        assert gains == sorted(gains)
        ratio = float(row["sequential mean"]) / float(row["parallel mean"])
        assert gains[1] == pytest.approx(ratio, rel=1e-4)


def test_ctrl_c_leaves_the_board_at_hand_and_goes_on(
    ask_bench: Ask, boards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second count of the second board is interrupted: its later rounds are left out, those of others are not."""
    calls = iter(range(100))

    def interrupted(one: Trial, _limit: float) -> TrialResult:
        if next(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return trial.measure(one)

    monkeypatch.setattr(speedup, "run_trial", interrupted)
    asked = ["speedup", "--boards", *boards, "--results", str(tmp_path / "tables"), "-i", "2"]
    done = ask_bench(*asked)
    assert (done.returncode, done.stderr) == (0, "1b: left; Ctrl-C twice within a second ends the run\n")
    rows = read(tmp_path / "tables" / "speedup-auto.csv", Run)[1]
    assert keys(rows) == every("1a 2c", (1, 2), 2) | {("1b", 1, 0)}
    assert re.search(r"^1b  sequential [^)]*\(1\)$", done.stdout, re.MULTILINE)
    again = ask_bench(*asked)
    assert again.returncode == 0
    assert keys(read(tmp_path / "tables" / "speedup-auto.csv", Run)[1]) == every("1a 1b 2c", (1, 2), 2)


def test_ctrl_c_twice_within_a_second_ends_the_run(
    ask_bench: Ask, boards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speedup, "run_trial", lambda *_: signal.raise_signal(signal.SIGINT))
    done = ask_bench("speedup", "--boards", *boards, "--results", str(tmp_path / "tables"))
    assert done.returncode == 130
    assert done.stderr.splitlines() == [
        "1a: left; Ctrl-C twice within a second ends the run",
        "interrupted: all measurements are saved; the same command resumes the run",
    ]


@pytest.mark.slow
def test_more_workers_than_cores_count_right_and_are_marked(
    ask_bench: Ask, boards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "make_plan", lambda one, cleanup: real(one, cleanup)._replace(pacing=RESTLESS))
    asked = ["speedup", "--cores", "2,7", "-i", "1", "--engine", "search", "--results", str(tmp_path / "tables")]
    done = ask_bench(*asked, "--boards", board_file("1c"), "--oversubscribe")
    assert done.returncode == 0, done.stderr
    rows = read(tmp_path / "tables" / "oversubscribed-search.csv", Run)[1]
    assert {row.solutions for row in rows} == {134037}
    assert keys(rows) == every("1c", (1, 2, 7), 1)
    assert next(row.tasks for row in rows if row.cores == 7) > 20
    assert re.search(r"^1c +134,037 +search +7 on 2 +[\d.]", done.stdout, re.MULTILINE)
    assert re.search(
        r"^control: 2 walks at once, without the driver, take [\d.]+ times as long as one; above 1.00 is memory "
        r"bandwidth, clock, and cores that share units$",
        done.stdout,
        re.MULTILINE,
    )
    assert re.search(
        r"^1c  sequential .*  2 cores .*  7 on 2 cores [\d.]+ \S+ ± .*  speed-up", done.stdout, re.MULTILINE
    )
    assert done.stdout.endswith("times as long as one; oversubscribed: 2 cores\n")
    plain = ask_bench(*asked, "--boards", *boards[:1])
    assert plain.stdout.startswith("bench: this machine has 2 cores: left out are 7; see `bench simulate`\n")


real = trial.make_plan


def a_run(cores: int, iteration: int, seconds: float) -> Run:
    return Run("1f", 63, 0.2, 10**40, 9, "search", cores, iteration, seconds, 9, 9, seconds, 0.1, 20.0, 0.1)


def test_the_line_of_a_board() -> None:
    by_cores = {1: [a_run(1, 0, 4.04), a_run(1, 1, 4.06)], 2: [a_run(2, 0, 2.05), a_run(2, 1, 2.07)]}
    assert line_of("1f", by_cores) == (
        "1f  sequential 4.05 s ± 0.01 (2)  parallel 2.06 s ± 0.01 (2)  speed-up 1.97 (1.96–1.97)"
    )
    more = line_of("1f", {**by_cores, 4: [a_run(4, 1, 1.0)]})
    assert more.endswith("4 cores 1.00 s ± 0.00 (1)  speed-up 4.06 (4.06–4.06)")  # of the round that both have
    head, row = table_of(["1f", "none"], [a_run(2, 0, 1.5)], [1, 2])
    assert json.loads(json.dumps(row)) == ["1f", 0, "", "", "", "", 1, "1.5", "0", "1.5", "1.5", "", "", ""]
    assert len(head) == len(row)


def test_more_workers_than_cores_are_marked_in_the_line_and_in_the_file() -> None:
    by_cores = {1: [a_run(1, 0, 4.0)], 16: [a_run(16, 0, 2.0)]}
    assert line_of("1f", by_cores, 2) == (
        "1f  sequential 4.00 s ± 0.00 (1)  16 on 2 cores 2.00 s ± 0.00 (1)  speed-up 2.00 (2.00–2.00)"
    )
    assert "  parallel 2.00 s" in line_of("1f", by_cores, 16)
    head = next(table_of(["1f"], [], [1, 2, 16], 2))
    assert [name for name in head if str(name).endswith("mean")] == [
        "sequential mean",
        "2 cores mean",
        "16 on 2 cores mean",
    ]
    assert head[-3:] == ["16 on 2 cores speed-up", "16 on 2 cores least speed-up", "16 on 2 cores most speed-up"]


def test_a_slip_of_a_regular_expression_is_said(ask_bench: Ask) -> None:
    done = ask_bench("speedup", "-m", "[")
    assert done.returncode == 2
    assert "'[' is not a regular expression: " in done.stderr
    done = ask_bench("speedup", "--boards", "1a", "-nm", ".")
    assert (done.returncode, done.stderr) == (2, "bench: no board has a name that --match and --no-match let pass\n")
