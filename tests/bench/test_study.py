"""The study: a folder with tables, figures and one page; stopped anywhere, it is resumed."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path
from resource import RLIM_INFINITY
from typing import Any

import pytest
from support.boards import PUZZLE, ROOT
from support.processes import run, run_with_small_files, started, wait_for

from bench.study import report, speedup
from bench.study.report import KINDS, SECTIONS
from bench.study.study import full_stages, quick_stages
from bench.tables.rows import Piece, Run
from bench.tables.table import DataError, read
from enumerator.run.workers.executors import usable_cores

PROGRAM = """
import sys
from pathlib import Path
from bench.study.study import Stage, run_study

folder, *boards = map(Path, sys.argv[1:])
few = ["--iterations", "1", "--cores", "1,2", "--limit", "20"]
sys.exit(run_study([
    Stage("speedup", ["--engine", "search", *few], 60.0, boards),
    Stage("tasks", ["--largest", "100", "--rounds", "1"], 60.0, boards),
    Stage("scaling", ["--grids", "1", "--clues", "40"], 60.0),
    Stage("simulate", ["--cores", "1,2,64"], 1.0),
    Stage("correlation", ["--simulated", "64"], 1.0),
    Stage("report", [], 5.0),
], folder))
"""
"""A study of a few seconds, by the stages of the real one."""

WITHOUT_REPORT = PROGRAM.replace('    Stage("report", [], 5.0),\n', "")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("boards") / "of a study"
    folder.mkdir()
    for name, board in {"1a": PUZZLE, "1b": "1234............", "1c": "." * 16}.items():
        (folder / f"{name}.txt").write_text(f"{board}\n")
    return [str(path) for path in sorted(folder.iterdir())]


def study(
    folder: Path, boards: list[str], status: int = 0, most_bytes: int = RLIM_INFINITY, program: str = PROGRAM
) -> subprocess.CompletedProcess[str]:
    """Run a study; no file may grow beyond `most_bytes`."""
    done = run_with_small_files(ROOT, most_bytes, sys.executable, "-c", program, str(folder), *boards)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, boards: list[str]) -> Path:
    """The folder of a study that was not disturbed: one for all workers of pytest."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "a study"
    with open(folder.with_suffix(".lock"), "w") as lock:
        flock(lock, LOCK_EX)
        if not (folder / "report.html").exists():
            done = study(folder, boards)
            assert done.stdout.splitlines()[0] == f"study: {folder}, 6 stages, about 3 min"
            assert done.stdout.splitlines()[-1].endswith(f"; open {folder / 'report.html'}")
    return folder


def measurements(folder: Path) -> set[tuple[object, ...]]:
    """What was measured, and with which result; not how long it took."""
    found: set[tuple[object, ...]] = set()
    for name, kind in {**KINDS, "tasks.csv.gz": Piece}.items():
        if (folder / name).exists():
            rows: list[Any] = read(folder / name, kind)[1]
            for row in rows:
                key = [getattr(row, part, None) for part in ("board", "grid", "clues", "engine", "number", "cores")]
                found.add((name, *key, getattr(row, "iteration", None), getattr(row, "solutions", None)))
    return found


def test_it_makes_one_page_of_tables_and_figures(finished: Path) -> None:
    page = (finished / "report.html").read_text()
    sections = re.findall(r'<section id="([\w-]+)"><h2>(.*?)</h2>', page)
    several = ["speedup"] if usable_cores() > 1 else []
    assert [name for name, _ in sections] == [*several, "correlation", "time", "scaling"]  # boards of no time
    titles = {section.name: section for section in SECTIONS}
    for name, title in sections:
        assert title == titles[name].title
        assert page.count(f">{titles[name].caption[:40]}") == 1
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert "@import" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:xlink:)?href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page))
    assert used <= set(ids)
    assert "prefers-color-scheme: dark" in page
    assert {path.stem for path in finished.glob("*.svg")} == {name for name, _ in sections}


def test_a_finished_study_is_not_measured_again(finished: Path, boards: list[str]) -> None:
    before = {path.name: path.read_bytes() for path in finished.iterdir()}
    done = study(finished, boards)
    assert "all done" in done.stdout
    assert {path.name: path.read_bytes() for path in finished.iterdir()} == before


def test_another_study_is_refused_in_its_folder(finished: Path, boards: list[str], tmp_path: Path) -> None:
    done = study(finished, boards[:2], status=2)
    assert done.stderr == f"bench: {finished} is another study, with other boards: name another folder\n"
    (tmp_path / "something").write_text("of somebody else's")
    assert "is no study: name another folder" in study(tmp_path, boards, status=2).stderr
    assert "results/ is tracked by git" in study(ROOT / "results", boards, status=2).stderr


@pytest.mark.long
def test_a_study_that_was_stopped_is_resumed(finished: Path, boards: list[str], tmp_path: Path) -> None:
    """Wherever it is stopped, and however often, what was measured stays, and the rest is measured once."""
    folder = tmp_path / "study"
    own = {**os.environ, "TMPDIR": str(tmp_path)}  # a study that is killed leaves a temporary folder
    stops: list[tuple[signal.Signals, Callable[[], object]]] = [
        (signal.SIGINT, lambda: run_times(folder)),
        (signal.SIGKILL, (folder / "tasks.csv.gz").exists),
    ]
    for number, is_there in stops:
        before = run_times(folder)
        with started(str(folder), *boards, program=WITHOUT_REPORT, cwd=ROOT, env=own) as process:
            assert wait_for(is_there)
            process.send_signal(number)
            assert process.wait() in (0, 130, -signal.SIGKILL)
        assert before <= run_times(folder)
    times = run_times(folder)
    study(folder, boards, program=WITHOUT_REPORT)
    assert measurements(folder) == measurements(finished)
    assert times == run_times(folder)
    assert not list(folder.glob("*.new"))


def test_two_studies_do_not_share_a_folder(boards: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "study"
    with started(str(folder), *boards, program=PROGRAM, cwd=ROOT) as process:
        assert process.stdout
        assert any(line.startswith("[1/6]") for line in process.stdout)
        process.send_signal(signal.SIGSTOP)
        assert study(folder, boards, status=2).stderr == f"bench: another study is at work in {folder}\n"


def run_times(folder: Path) -> set[tuple[str, int, int, float]]:
    try:
        rows = read(folder / "speedup-search.csv", Run)[1]
    except DataError:
        return set()
    return {(row.board, row.cores, row.iteration, row.seconds) for row in rows}


def test_a_full_disk_ends_a_study_and_loses_nothing(finished: Path, boards: list[str], tmp_path: Path) -> None:
    """The disk is full among the first measurements, then later, and then there is room."""
    folder = tmp_path / "study"
    times: set[tuple[str, int, int, float]] = set()
    for size in (900, 4_000):
        done = study(folder, boards, status=1, most_bytes=size, program=WITHOUT_REPORT)
        assert re.search(r"^bench: .*: File too large", done.stderr, re.MULTILINE)
        assert len(times - run_times(folder)) <= 1
        times = run_times(folder)
    study(folder, boards, program=WITHOUT_REPORT)
    assert len(times - run_times(folder)) <= 1
    assert measurements(folder) == measurements(finished)


def test_git_ignores_what_a_study_writes() -> None:
    done = run(["git", "check-ignore", "study-x-2026-01-01/", "measured/"], cwd=ROOT)
    assert done.returncode == 0 or not (ROOT / ".git").exists()


@pytest.mark.parametrize("is_quick", [True, False])
def test_every_stage_gets_the_cores_of_a_larger_machine(monkeypatch: pytest.MonkeyPatch, is_quick: bool) -> None:
    monkeypatch.setattr(speedup, "usable_cores", lambda: 8)
    options = argparse.Namespace(cores=[1, 2, 4, 8, 16], boards=None)
    stages = list((quick_stages if is_quick else full_stages)(options))
    found: dict[str, list[str]] = {}
    for stage in stages:
        found.setdefault(stage.module, []).extend(re.findall(r"--cores (\S+)", stage.name))
    assert {name: set(cores) for name, cores in found.items() if cores} == {
        **{name: {"1,2,4,8"} for name in ("speedup", "regret")},
        **{name: {"8"} for name in ("cutoff", "timeline", "lesson")},
    }


def test_the_report_links_the_walk_through_the_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lesson.html").write_text("a page")
    assert report.run(argparse.Namespace(results=tmp_path)) == 0
    assert 'href="lesson.html"' in (tmp_path / "report.html").read_text()
    assert "0 figures" in capsys.readouterr().out
