"""Ledgers of processes that are killed, interrupted or concurrent: no finished task is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.boards import NINE, board, board_file
from support.ledgers import count_on, finished, is_sound, is_written, ledger_of, said_of, total
from support.ledgers import restless_plan as plan
from support.odd_workers import die, die_once, poisoned
from support.processes import Run, assert_mistake, children, started, wait_for
from support.runs import RESTLESS

from enumerator.board import Board
from enumerator.engines import contraction
from enumerator.run.endings import WorkerLostError
from enumerator.run.ledger import ledger
from enumerator.run.ledger.contents import LedgerError, try_lock

PACING = RESTLESS


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_killed_worker_costs_time_and_nothing_else(tmp_path: Path) -> None:
    pacing = RESTLESS._replace(shortest=0.01, pool_seconds=0.0)
    (tmp_path / "once").touch()
    said: list[str] = []
    how = plan(pacing=pacing)._replace(pool=poisoned(die_once, tmp_path / "once"), on_message=said.append)
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
    assert wait_for(lambda: not any(Path(f"/proc/{pid}/task").exists() and not is_dead(pid) for pid in pids))


def is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_killed_count_goes_on_and_comes_to_the_same(command: Run, tmp_path: Path) -> None:
    """The command is killed alone, so that its workers are orphans, and later together with its workers."""
    path = tmp_path / "ledger"
    before: dict[int, tuple[Any, ...]] = {}
    for tasks, kill in ((1, os.kill), (2, os.killpg)):
        with at_work(tmp_path, board_file("2e"), *WALK[1:], tasks=tasks) as process:
            pids = everyone(process)
            kill(process.pid, signal.SIGKILL)
            process.communicate()
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
        answer, errors = process.communicate()
        assert_gone(pids)
    assert (process.returncode, errors) == (130, "enumerate: interrupted: this count is not complete\n")
    assert answer == f"{total(path)}+\n"
    assert is_sound(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger"]
    before = finished(path)
    assert count_on(board("2f"), plan(), path, 3).solutions >= total(path)
    assert before.items() <= finished(path).items()


@pytest.mark.slow
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
        process.wait()
        assert json.loads(ask("ledger", "--status", "--json").stdout)["state"] == "stopped"
        process.communicate()  # its workers have gone
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
