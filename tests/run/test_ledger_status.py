"""The status of a ledger, and the progress bar of a count that is resumed."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from gmpy2 import mpq
from support.boards import board, board_file
from support.ledgers import FACT, count_on, fact, finished, forge, rows, solutions_of, total
from support.ledgers import restless_plan as plan
from support.processes import Run
from support.runs import RESTLESS

from enumerator.command import request
from enumerator.questions.progress_bar import ProgressBar
from enumerator.run.ledger.contents import APPLICATION, LedgerContents

PACING = RESTLESS


def test_the_bar_of_a_count_that_is_gone_on_with_knows_what_it_has_taken(
    ask: Run, tmp_path: Path, half_a_count: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bar counts earlier seconds; otherwise it would promise an end that is much too near."""
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
    assert status["share"] == float(1 - sum(mpq(row[3], 16) for row in rows(path) if row[5] is None))
    assert ask("ledger", "--status", "--quiet").stdout == f"{total(path)}+\n"
    text = ask("ledger", "--status").stdout
    assert re.search(r"^  state           stopped$", text, re.MULTILINE)
    assert re.search(rf"^  solutions       at least {total(path):,}$", text, re.MULTILINE)
    assert path.read_bytes() == half_a_count
    count_on(board("1b"), plan(), path)
    status = json.loads(ask("ledger", "--status", "--json").stdout)
    assert (status["state"], status["complete"], status["share"]) == ("finished", True, 1)
    assert status["solutions"] == ask("ledger", "--status", "--quiet").stdout.strip() == str(solutions_of(board("1b")))


def test_status_of_several_ledgers_answers_for_each(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(half_a_count)
    (tmp_path / "empty").touch()
    done = ask("a", "absent", "empty", "b", "--status", "--quiet")
    assert (done.returncode, done.stdout) == (2, f"{total(tmp_path / 'a')}+\n" * 2)
    nothing = "is empty: nothing is recorded in it yet; the command that made it starts anew"
    assert done.stderr == f"enumerate: absent: No such file or directory\nenumerate: empty: {nothing}\n"
    assert (tmp_path / "empty").read_bytes() == b""


def test_status_obeys_no_terminal_codes(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    for name in ("version", "created", "name", "question", "shape", "cutoff", "engine"):
        forge(path, FACT, *fact(name, "\x1b[2J"))
    shown = ask("ledger", "--status")
    assert "\x1b" not in shown.stdout
    assert shown.stdout.count(r"\x1b[2J") == 7


def test_a_ledger_without_a_commit_says_so(ask: Run, tmp_path: Path) -> None:
    """A run that is killed in its first transaction leaves a file without tables."""
    path = tmp_path / "ledger"
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA application_id = {APPLICATION}")
    done = ask("ledger", "--status")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "enumerate: ledger: nothing is recorded in it yet; the command that made it starts anew\n"
