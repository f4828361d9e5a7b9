"""A ledger that is removed, moved, replaced or broken while its run goes on."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.boards import board, board_file
from support.ledgers import count_on, is_sound, is_written, ledger_of, restless_plan, solutions_of
from support.processes import Run, started, wait_for
from support.runs import RESTLESS

import enumerator
from enumerator.engines import PartResult, search
from enumerator.engines.shares import WHOLE
from enumerator.run.counting import tallies
from enumerator.run.ledger import Ledger, LedgerLostError, ledger, run_identity

PACING = RESTLESS
REMOVED = "the ledger was removed or moved: the run goes on, but cannot be resumed"
REPLACED = "the ledger was replaced by another file: the run goes on, but cannot be resumed"


def remove(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def replace(path: Path) -> None:
    path.unlink()
    path.write_text("another file")


ACTS = [(remove, REMOVED), (move, REMOVED), (remove_folder, REMOVED), (replace, REPLACED)]


@pytest.mark.parametrize(("act", "message"), ACTS)
@pytest.mark.parametrize("steps", [1, 3])
def test_a_count_goes_on_without_its_ledger_and_says_so_once(
    tmp_path: Path, act: Callable[[Path], None], message: str, steps: int
) -> None:
    one, how, told = board("1b"), restless_plan(), list[str]()
    path = tmp_path / "folder" / "ledger"
    path.parent.mkdir()
    with (
        Ledger(str(path), run_identity("count", one, how), None, how.pacing, told.append) as written,
        closing(tallies(one, how, ledger=written)) as counting,
    ):
        assert all(not tally.complete for tally in islice(counting, steps))
        written.commit(last=True)
        act(path)
        *_, tally = counting
    assert (tally.solutions, tally.complete) == (solutions_of(one), True)
    assert told == [f"{path}: {message}"]
    if act is replace:
        assert path.read_text() == "another file"
    else:
        assert not path.exists()


def test_a_ledger_that_was_moved_can_be_resumed_at_its_new_place(tmp_path: Path) -> None:
    one, how, path = board("1b"), restless_plan(), tmp_path / "ledger"

    def count_a_little() -> None:
        with ledger_of(one, how, path) as written, closing(tallies(one, how, ledger=written)) as counting:
            next(counting)
            written.commit(last=True)
            path.rename(tmp_path / "moved")
            next(counting)

    with pytest.warns(UserWarning, match="cannot be resumed"):
        count_a_little()
    assert is_sound(tmp_path / "moved")
    assert count_on(one, how, tmp_path / "moved").solutions == solutions_of(one)


def test_a_file_that_took_the_place_of_an_unwritten_ledger_stays(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with ledger_of(board("1b"), restless_plan(), path):
        replace(path)
    assert path.read_text() == "another file"


def test_python_warns_of_a_removed_checkpoint(tmp_path: Path) -> None:
    one, path = board("2d"), tmp_path / "ledger"

    def watch(_: object) -> None:
        if is_written(path):
            path.unlink()

    with pytest.warns(UserWarning, match="cannot be resumed"):
        assert (
            enumerator.count(one, checkpoint=path, progress=watch, engine="search") == 1_255_242
        )  # see boards/README.md


@pytest.mark.slow
def test_the_command_says_that_a_ledger_was_removed(tmp_path: Path) -> None:
    with started(board_file("2d"), "--engine", "search", "--quiet", "--checkpoint", "x.db", cwd=tmp_path) as process:
        assert wait_for(lambda: is_written(tmp_path / "x.db"))
        (tmp_path / "x.db").unlink()
        output, errors = process.communicate()
    assert (process.returncode, output) == (0, "1255242\n")  # see boards/README.md
    assert errors in ("", f"enumerate: x.db: {REMOVED}\n")  # nothing, if it had just been finished
    assert list(tmp_path.iterdir()) == []


def test_a_list_goes_on_without_its_ledger(ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ledger.Ledger.commit

    def commit(self: Ledger, last: bool = False) -> None:
        real(self, last)
        (tmp_path / "x.db").unlink(missing_ok=True)

    monkeypatch.setattr(ledger.Ledger, "commit", commit)
    arguments = (board_file("1b"), "--list", "--output", "all.txt", "--checkpoint", "x.db", "--engine", "search")
    done = ask(*arguments, pacing=RESTLESS._replace(first_mark_seconds=0, mark_seconds=0))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"enumerate: x.db: {REMOVED}\n")
    lines = (tmp_path / "all.txt").read_text().splitlines()
    assert (len(lines), len(set(lines))) == (7_685, 7_685)  # see boards/README.md


def test_a_removed_journal_ends_the_run_with_a_ledger_that_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, how, path = board("1b"), restless_plan(), tmp_path / "ledger"
    journal, count = tmp_path / "ledger-journal", count_on(one, how, path, 3).solutions
    assert count > 0

    class Robbed(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            if arguments == ("COMMIT",):
                journal.unlink(missing_ok=True)
            return super().execute(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "connect", lambda name, _: sqlite3.connect(name, isolation_level=None, factory=Robbed))
        with pytest.raises(LedgerLostError, match="disk I/O error"):
            count_on(one, how, path)
    assert is_sound(path)
    tally = count_on(one, how, path)
    assert (tally.solutions, tally.complete) == (solutions_of(one), True)


def test_nothing_is_recorded_after_a_failure(tmp_path: Path) -> None:
    one, path, job = board("1b"), tmp_path / "ledger", search.ENGINE.tree(board("1b").shape)
    with ledger_of(one, restless_plan(), path) as written:
        root = written.begin(job, one.cells)
        written.commit(last=True)
        os.truncate(path, 0)
        (part,) = written.close_part(root, PartResult(5, 10, 0.5, []), [job.part(one.cells, WHOLE)])
        with pytest.raises(LedgerLostError, match="no such table"):
            written.commit(last=True)
        written.close_part(part, PartResult(5, 10, 0.5, []), [])
        written.commit(last=True)  # as the driver does when it ends
    assert path.stat().st_size == 0
