"""Ledgers: a count that was stopped at any moment is resumed, and its result is the same."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ledgers
import pytest
from conftest import Run
from helpers import (
    CONTRADICTION,
    PUZZLE,
    RESTLESS,
    SOLVED,
    UNSOLVABLE,
    assert_mistake,
    board,
    board_file,
    children,
    random_board,
    run_with_small_files,
    started,
    wait_for,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import (
    FACT,
    LONG_SUM,
    NINE,
    SIX,
    SIXTEEN,
    count_on,
    fact,
    facts,
    fingerprint,
    finished,
    forge,
    is_sound,
    is_written,
    ledger_of,
    rows,
    said_of,
    solutions_of,
    total,
)
from odd_workers import die, die_once, poisoned

from enumerator.board import Board, Shape
from enumerator.command import request
from enumerator.command.progress import ProgressBar
from enumerator.engines import Part, PartResult, Tally, contraction, search
from enumerator.engines.search import kernel, tree
from enumerator.run.ledger import ledger
from enumerator.run.ledger.contents import LedgerContents, LedgerError, connect, try_lock
from enumerator.run.ledger.ledger import Ledger
from enumerator.run.plan import Plan, WorkerLostError

pytestmark = pytest.mark.timeout(60)

plan = partial(ledgers.plan, pacing=RESTLESS)


@pytest.fixture
def ask(ask: Run) -> Run:
    """Run `enumerate` in this process, with short tasks."""
    return partial(ask, pacing=RESTLESS)


# ---------------------------------------------------------------------------------------- counts that go on

BOARDS = st.builds(
    lambda shape, seed: random_board(shape, random.Random(seed), 1_500),
    st.sampled_from([SIX, Shape(3, 2), NINE, Shape(2, 4), Shape(3, 4), SIXTEEN]),
    st.integers(0, 999),
)

STOPS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 2)), min_size=1, max_size=6)
"""Stops: the number of tallies before each, and the number of cores."""


def stopped_and_resumed(one: Board, how: Plan, stops: Sequence[tuple[int, int]], path: Path) -> Tally:
    """Count a board, and stop again and again. What is in the ledger once stays in it."""
    before: dict[int, tuple[Any, ...]] = {}
    engine = ""
    for steps, cores in [*stops, (None, 2)]:
        tally = count_on(one, how._replace(cores=cores), path, steps)
        after = finished(path)
        if path.exists():
            assert is_sound(path)
            if engine in ("", facts(path)["at work"]):  # what another engine has done is dropped
                assert before.items() <= after.items()
            engine = facts(path)["at work"]
        before = after
    return tally


@settings(max_examples=20, deadline=None, derandomize=True)
@given(one=BOARDS, stops=STOPS, cutoff=st.sampled_from([None, None, 10, 10**6, 10**30]))
def test_a_walk_that_is_stopped_at_any_moment_comes_to_the_same(
    one: Board, stops: list[tuple[int, int]], cutoff: int | None
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "ledger")
        tally = stopped_and_resumed(one, plan(cutoff=cutoff), stops, path)
        expected = solutions_of(one)
        assert (tally.solutions, tally.complete) == (expected, True)
        assert (total(path), said_of(path).finished) == (expected, True)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), shape=st.sampled_from([SIX, NINE, NINE]), stops=STOPS)
def test_a_sum_that_is_stopped_at_any_moment_comes_to_the_same(
    seed: int, shape: Shape, stops: list[tuple[int, int]]
) -> None:
    one = random_board(shape, random.Random(seed), 1_500)
    with TemporaryDirectory() as folder:
        path = Path(folder, "ledger")
        tally = stopped_and_resumed(one, plan("contraction"), stops, path)
        expected = search.count(one)
        assert (tally.solutions, tally.complete, tally.engine) == (expected, True, "contraction")
        assert (total(path), said_of(path).complete) == (expected, True)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("1c", plan()),
        ("1c", plan(cutoff=10**25)),
        ("1c", plan("contraction")),
        ("6x6-many", plan(cutoff=10**9)),
        ("6x6-many", plan("contraction")),
        ("16x16-unique", plan("auto")),
        ("25x25-many", plan()),
        ("4x4-many", plan()),
        ("1a", plan("auto")),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.engine} {value.cutoff or ''}",
)
def test_no_task_is_done_twice(name: str, how: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[int] = []
    real = Ledger.settle

    def noted(self: Ledger, part: Part, *more: Any) -> list[Part]:
        settled.append(part.row)
        return real(self, part, *more)

    monkeypatch.setattr(Ledger, "settle", noted)
    path, stops = tmp_path / "ledger", [(steps, 1 + steps % 2) for steps in (1, 2, 3, 5, 8)]
    tally = stopped_and_resumed(board(name), how, stops, path)
    assert (tally.solutions, tally.complete) == (solutions_of(board(name)), True)
    done_before = len(settled) - len(rows(path))
    assert sorted(set(settled)) == [row[0] for row in rows(path)]
    assert done_before <= 4 * len(stops)  # only what was found and not yet written when it was stopped


@pytest.mark.parametrize(("engine", "cutoff"), [("search", None), ("search", 10**20), ("contraction", None)])
def test_parts_have_the_shares_of_the_whole(engine: str, cutoff: int | None, tmp_path: Path) -> None:
    path, one = tmp_path / "ledger", board("1d") if engine == "search" else Board.parse(LONG_SUM)
    count_on(one, plan(engine, cutoff=cutoff), path, 6)
    before = said_of(path).totals
    assert 0 < before.share < 1
    assert before.open > 0
    count_on(one, plan(engine, cutoff=cutoff), path, 6)
    assert before.share < said_of(path).totals.share <= 1
    shares: dict[int, float] = {row[0]: row[3] for row in rows(path)}
    below: dict[int, float] = defaultdict(float)
    for _, parent, _, share, *_ in rows(path):
        below[parent] += share
    assert below.pop(0) == 1
    assert all(0 < share <= shares[parent] * (1 + 1e-9) for parent, share in below.items())


def test_where_the_walk_gives_way_to_the_sum_its_tasks_are_dropped(tmp_path: Path) -> None:
    one, path, engines = board("1f"), tmp_path / "ledger", []
    for _ in range(40):
        tally = count_on(one, plan("auto"), path, 3)
        if path.exists():
            assert is_sound(path)
            engines.append(facts(path)["at work"])
            boards = [row[2] for row in rows(path)]
            assert all((len(work) == 81) == (engines[-1] == "search") for work in boards)
        if engines and engines[-1] == "contraction":
            break
    assert engines[0] == "search"
    assert engines[-1] == "contraction"
    tally = count_on(one, plan("auto"), path)
    assert (tally.solutions, tally.complete, tally.engine) == (contraction.count(one), True, "contraction")
    assert total(path) == tally.solutions


@pytest.mark.parametrize("engine", ["search", "contraction", "auto"])
def test_a_limit_is_kept_over_all_runs(engine: str, tmp_path: Path) -> None:
    one = board("6x6-many")
    expected = solutions_of(one)
    for limit in (expected - 1, expected, expected + 1):
        path, how = tmp_path / str(limit), plan(engine, limit=limit)
        tally = stopped_and_resumed(one, how, [(1, 1), (2, 2), (1, 2)], path)
        assert (tally.solutions, tally.complete) == (min(limit, expected), limit >= expected)
        assert total(path) >= min(limit, expected)
        assert said_of(path).finished
        assert count_on(one, how, path).solutions == min(limit, expected)


@pytest.mark.parametrize("engine", ["search", "contraction", "auto"])
@pytest.mark.parametrize("cells", [PUZZLE, SOLVED, UNSOLVABLE, CONTRADICTION, SOLVED.replace("5", "6", 1)])
def test_short_boards_have_a_ledger_too(ask: Run, tmp_path: Path, cells: str, engine: str) -> None:
    (tmp_path / "board.txt").write_text(cells)
    expected = f"{solutions_of(Board.parse(cells))}\n"
    for _ in range(2):
        done = ask("board.txt", "--engine", engine, "--checkpoint", "ledger", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    assert ask("ledger", "--status", "--quiet").stdout == expected


@pytest.mark.parametrize("name", ["1c", "25x25-many", "1a"])
def test_a_finished_ledger_answers_without_work(
    ask: Run, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("nothing was to be done")

    command = (board_file(name), "--checkpoint", "ledger", "--json", "--cores", "2")
    first, before = json.loads(ask(*command).stdout), fingerprint(tmp_path / "ledger")
    monkeypatch.setattr(kernel, "start", forbidden)
    monkeypatch.setattr(tree, "walk_parts", forbidden)
    second = json.loads(ask(*command).stdout)
    assert first["solutions"] == second["solutions"] == str(solutions_of(board(name)))
    assert (second["complete"], second["tasks"]) == (True, 0)
    assert "before" not in first
    assert second["before"]["tasks"] == said_of(tmp_path / "ledger").totals.finished
    assert fingerprint(tmp_path / "ledger") == before


def test_a_count_that_ends_before_anything_is_written_leaves_no_file(tmp_path: Path) -> None:
    assert not count_on(board("1d"), plan(), tmp_path / "ledger", 1).complete
    assert list(tmp_path.iterdir()) == []


SHORT = (board_file("1c"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger", "--quiet")
"""A command that takes a moment, here."""


def test_the_time_for_a_count_may_be_up_again_and_again(ask: Run) -> None:
    answers = []
    for _ in range(60):
        done = ask(*SHORT, "--time-limit", "0.05")
        answers.append(done.stdout.strip())
        assert (done.returncode, done.stderr) == (0, "")
        if not answers[-1].endswith("+"):
            break
    assert answers[-1] == str(solutions_of(board("1c")))
    least = [int(answer.rstrip("+")) for answer in answers]
    assert all(before <= after for before, after in pairwise(least))


# ------------------------------------------------------------------------------------------------- deaths


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_killed_worker_costs_time_and_nothing_else(tmp_path: Path) -> None:
    pacing = RESTLESS._replace(shortest=0.01, pool_seconds=0.0)
    (tmp_path / "once").touch()
    said: list[str] = []
    how = plan(pacing=pacing)._replace(pool=poisoned(die_once, tmp_path / "once"), tell=said.append)
    tally = count_on(board("1e"), how, tmp_path / "ledger")
    assert (tally.solutions, tally.complete) == (contraction.count(board("1e")), True)
    assert (total(tmp_path / "ledger"), is_sound(tmp_path / "ledger")) == (tally.solutions, True)
    assert len(said) == 1
    assert said[0].startswith("a worker has died (SIGKILL); ")


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_run_that_is_lost_can_be_gone_on_with(tmp_path: Path) -> None:
    pacing = RESTLESS._replace(pool_seconds=0.0)
    path, one = tmp_path / "ledger", Board.empty(NINE)
    with pytest.raises(WorkerLostError):
        count_on(one, plan(pacing=pacing)._replace(pool=poisoned(die, tmp_path / "deaths")), path)
    assert is_sound(path)
    before, known = finished(path), total(path)
    assert before
    assert count_on(one, plan(), path, 5).solutions >= known > 0
    assert before.items() <= finished(path).items()


WALK = (board_file("2f"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger", "--quiet")
"""A command that takes some seconds."""


@contextmanager
def at_work(folder: Path, *arguments: str, tasks: int = 1) -> Iterator[subprocess.Popen[str]]:
    """Run the command until `tasks` more tasks are finished in its ledger than before."""
    path = folder / "ledger"
    known = said_of(path).totals.finished if path.exists() else 0
    with started(*arguments, cwd=folder) as process:
        assert wait_for(lambda: is_written(path) and said_of(path).totals.finished >= known + tasks)
        assert process.poll() is None
        yield process


def everyone(process: subprocess.Popen[str]) -> list[int]:
    return [process.pid, *children(process.pid)]


def assert_gone(pids: list[int]) -> None:
    assert wait_for(lambda: not any(Path(f"/proc/{pid}/task").exists() and not is_dead(pid) for pid in pids), 10)


def is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_killed_count_goes_on_and_comes_to_the_same(command: Run, tmp_path: Path) -> None:
    """Killed at several moments: alone, so that its workers are orphans, and with all of them."""
    path = tmp_path / "ledger"
    before: dict[int, tuple[Any, ...]] = {}
    for tasks, kill in ((1, os.kill), (2, os.killpg)):
        with at_work(tmp_path, board_file("2e"), *WALK[1:], tasks=tasks) as process:
            pids = everyone(process)
            kill(process.pid, signal.SIGKILL)
            process.communicate(timeout=10)
            assert_gone(pids)
        assert process.returncode == -signal.SIGKILL
        assert said_of(path).totals.open > 0
        assert is_sound(path)
        assert before.items() <= finished(path).items()
        before = finished(path)
    done = command(board_file("2e"), *WALK[1:])
    assert (done.returncode, done.stdout) == (0, f"{contraction.count(board('2e'))}\n")
    assert before.items() <= finished(path).items()


@pytest.mark.slow
@pytest.mark.usefixtures("census")
@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_count_says_so_and_can_be_gone_on_with(tmp_path: Path, asked: signal.Signals) -> None:
    path = tmp_path / "ledger"
    with at_work(tmp_path, *WALK) as process:
        pids = everyone(process)
        os.killpg(process.pid, asked)
        answer, errors = process.communicate(timeout=10)
        assert_gone(pids)
    assert (process.returncode, errors) == (130, "enumerate: interrupted: this count is not complete\n")
    assert answer == f"{total(path)}+\n"
    assert is_sound(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger"]
    before = finished(path)
    assert count_on(board("2f"), plan(), path, 3).solutions >= total(path)
    assert before.items() <= finished(path).items()


@pytest.mark.usefixtures("census")
def test_one_ledger_is_for_one_process_and_anyone_may_ask_how_far_it_is(ask: Run, tmp_path: Path) -> None:
    path, pacing = tmp_path / "ledger", RESTLESS._replace(lock_seconds=0.05)
    with at_work(tmp_path, *WALK) as process:
        assert_mistake(ask(*WALK, pacing=pacing), "ledger: another process is at work on this ledger")
        shares = []
        for _ in range(3):
            status = json.loads(ask("ledger", "--status", "--json").stdout)
            assert (status["state"], status["complete"]) == ("running", False)
            shares.append(status["share"])
        assert shares == sorted(shares)
        done = said_of(path).totals.finished
        assert wait_for(lambda: said_of(path).totals.finished > done)  # it goes on
        assert process.poll() is None
        process.kill()
        process.wait(timeout=10)
        assert json.loads(ask("ledger", "--status", "--json").stdout)["state"] == "stopped"
        process.communicate(timeout=10)  # its workers have gone
    assert count_on(board("2f"), plan(), path, 2).solutions > 0


def test_who_waited_for_a_ledger_that_is_gone_makes_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two begin at once. The first writes nothing and removes its file while the second waits for the lock."""
    path, real = tmp_path / "ledger", try_lock

    def late(number: int, kind: int) -> bool:
        if path.exists() and not late_ones:
            late_ones.append(number)
            path.unlink()
        return real(number, kind)

    late_ones: list[int] = []
    how = plan(pacing=RESTLESS._replace(lock_seconds=0.05))
    monkeypatch.setattr(ledger, "try_lock", late)
    with ledger_of(board("1a"), how, path) as made:
        assert late_ones
        with pytest.raises(LedgerError, match="another process is at work"):
            ledger_of(board("1a"), how, path)
        assert made.is_new


# ------------------------------------------------------------------------------------------- a full disk


def test_a_full_disk_ends_the_count_and_not_the_ledger(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "ledger", connect

    def cramped(name: str, synchronous: bool) -> sqlite3.Connection:
        file = real(name, synchronous)
        file.execute("PRAGMA max_page_count = 12")
        return file

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "connect", cramped)
        full = ask(*SHORT)
    assert full.returncode == 1
    assert full.stderr == "enumerate: ledger: database or disk is full; this count is not complete\n"
    assert re.fullmatch(r"\d+\+\n", full.stdout)
    assert is_sound(path)
    before = finished(path)
    assert int(full.stdout.rstrip("+\n")) >= total(path) > 0
    assert ask(*SHORT).stdout == f"{solutions_of(board('1c'))}\n"
    assert before.items() <= finished(path).items()


@pytest.mark.usefixtures("census")
def test_a_ledger_that_grows_too_large_is_said(tmp_path: Path) -> None:
    """As the system says it: a file may have no more bytes than that."""
    asked = (board_file("empty"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger")
    done = run_with_small_files(tmp_path, 48 << 10, *asked)
    assert done.returncode == 1
    assert re.fullmatch(r"enumerate: ledger: [a-zA-Z/ ]+; this count is not complete\n", done.stderr)
    (least,) = re.findall(r"^  solutions       at least (\d+) \(not complete\)$", done.stdout, re.MULTILINE)
    path = tmp_path / "ledger"
    assert path.stat().st_size <= 48 << 10
    assert is_sound(path)
    before, known = finished(path), total(path)
    assert int(least) >= known
    assert count_on(board("empty"), plan(), path, 5).solutions >= known
    assert before.items() < finished(path).items()


# ------------------------------------------------------------------------------------------------- status


def test_the_bar_of_a_count_that_is_gone_on_with_knows_what_it_has_taken(
    ask: Run, tmp_path: Path, half_a_count: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, the bar would promise an end that is much too near."""
    (tmp_path / "ledger").write_bytes(half_a_count)
    monkeypatch.setattr(LedgerContents, "seconds", property(lambda _: 1000.0))
    begun: list[float] = []

    class Noted(ProgressBar):
        def __init__(self, is_wanted: bool, earlier_seconds: float) -> None:
            begun.append(earlier_seconds)
            super().__init__(is_wanted, earlier_seconds)

    monkeypatch.setattr(request, "ProgressBar", Noted)
    done = ask(board_file("1b"), "--engine", "search", "--checkpoint", "ledger")
    assert (done.returncode, done.stderr) == (0, "")
    assert begun == [pytest.approx(1000, abs=5)]


def test_status_says_how_far_a_count_is(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    status = json.loads(ask("ledger", "--status", "--json").stdout)
    assert list(status) == [
        *("ledger", "state", "source", "question", "shape", "board", "engine", "at_work", "cutoff", "limit", "output"),
        *("version", "created", "solutions", "complete", "share", "tasks", "effort", "seconds", "worked_seconds"),
    ]
    assert (status["ledger"], status["state"], status["question"]) == ("ledger", "stopped", "count")
    assert (status["shape"], status["board"], status["source"]) == ("3x3", str(board("1b")), "a board")
    assert (status["engine"], status["at_work"]) == ("search", "search")
    assert (status["cutoff"], status["limit"], status["output"], status["complete"]) == (None, None, None, False)
    assert status["solutions"] == str(total(path))
    worked = [row for row in finished(path).values() if row[6]]
    assert status["tasks"] == {"finished": len(worked), "open": len(rows(path)) - len(finished(path))}
    assert status["effort"] == str(sum(row[6] for row in worked))
    assert status["share"] == pytest.approx(1 - sum(row[3] for row in rows(path) if row[5] is None), abs=1e-6)
    assert ask("ledger", "--status", "--quiet").stdout == f"{total(path)}+\n"
    text = ask("ledger", "--status").stdout
    assert re.search(r"^  state           stopped$", text, re.MULTILINE)
    assert re.search(rf"^  solutions       at least {total(path):,}$", text, re.MULTILINE)
    assert path.read_bytes() == half_a_count
    count_on(board("1b"), plan(), path)
    status = json.loads(ask("ledger", "--status", "--json").stdout)
    assert (status["state"], status["complete"], status["share"]) == ("finished", True, pytest.approx(1))
    assert status["solutions"] == ask("ledger", "--status", "--quiet").stdout.strip() == str(solutions_of(board("1b")))


def test_status_of_several_ledgers_answers_for_each(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(half_a_count)
    (tmp_path / "empty").touch()
    done = ask("a", "absent", "empty", "b", "--status", "--quiet")
    assert (done.returncode, done.stdout) == (2, f"{total(tmp_path / 'a')}+\n" * 2)
    assert done.stderr == "enumerate: absent: No such file or directory\nenumerate: empty: is empty\n"
    assert (tmp_path / "empty").read_bytes() == b""


def test_status_obeys_no_terminal_codes(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    for name in ("version", "created", "name", "question", "shape", "cutoff", "engine"):
        forge(path, FACT, *fact(name, "\x1b[2J"))
    shown = ask("ledger", "--status")
    assert "\x1b" not in shown.stdout
    assert shown.stdout.count(r"\x1b[2J") == 7


# -------------------------------------------------------------------------------------------- at a bad moment


def test_an_interrupt_during_a_commit_is_heard_and_nothing_is_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, one, job = tmp_path / "ledger", board("1c"), tree.Tree(board("1c").shape)
    interrupts = [signal.SIGINT]

    class Interrupted(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            done = super().execute(*arguments)
            if arguments == ("COMMIT",) and interrupts:
                signal.raise_signal(interrupts.pop())
            return done

    monkeypatch.setattr(
        ledger, "connect", lambda name, _: sqlite3.connect(name, isolation_level=None, factory=Interrupted)
    )
    with ledger_of(one, plan(engine="search"), path) as written:
        root = written.begin(job, one.cells)
        written.settle(root, PartResult(5, 10, 0.5, []), [job.part(one.cells, 1.0)])
        with pytest.raises(KeyboardInterrupt):
            written.commit(last=True)
        assert not interrupts
        written.commit(last=True)  # as the driver does when it ends
    assert is_sound(path)
    assert total(path) == 5
