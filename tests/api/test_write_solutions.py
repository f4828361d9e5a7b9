"""Lists written from Python: the same bytes as those of the command, also if they are stopped and resumed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from support.boards import board, board_file
from support.ledgers import facts, is_written, said_of
from support.processes import Run, started, wait_for

import enumerator
from enumerator import Progress, Stopped
from enumerator.questions.checks import EngineName


@pytest.mark.parametrize("name", ["list.txt", "list.gz", "list.zst", "list.xz", "list.bz2"])
def test_a_file_holds_what_the_command_writes(ask: Run, tmp_path: Path, name: str) -> None:
    assert ask(board_file("1b"), "--list", "--output", "expected" + name).returncode == 0
    answer = enumerator.write_solutions(board("1b"), tmp_path / name)
    assert (tmp_path / name).read_bytes() == (tmp_path / ("expected" + name)).read_bytes()
    assert (answer.written, answer.complete, answer.before) == (enumerator.count(board("1b")), True, 0)


def test_a_limit_is_kept_and_said(tmp_path: Path) -> None:
    path, one = tmp_path / "list", board("4x4-many")
    answer = enumerator.write_solutions(one, path, limit=23)
    assert (answer.written, answer.complete, answer.cut_off) == (23, False, True)
    assert path.read_text().split() == [str(solution) for solution in enumerator.solutions(one, limit=23)]
    answer = enumerator.write_solutions(one, path, limit=24)
    assert (answer.written, answer.complete, answer.cut_off) == (24, True, False)


KILLED = """
import sys
import enumerator
enumerator.write_solutions(enumerator.read(sys.argv[1]), "list", checkpoint="ledger", limit=2_000_000, engine="search")
"""


@pytest.mark.slow
def test_a_killed_list_is_resumed_and_holds_the_same_bytes(command: Run, tmp_path: Path) -> None:
    path, ledger = tmp_path / "list", tmp_path / "ledger"
    arguments = (board_file("2e"), "--list", "--engine", "search", "--limit", "2e6", "--output")
    with started(board_file("2e"), program=KILLED, cwd=tmp_path) as process:
        assert wait_for(lambda: is_written(ledger) and said_of(ledger).totals.solutions)
        process.kill()
        process.communicate()
    written = said_of(ledger).totals.solutions
    assert 0 < written < 2_000_000
    assert command(*arguments, "expected").returncode == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        answer = enumerator.write_solutions(board("2e"), "list", checkpoint="ledger", limit=2_000_000, engine="search")
    assert (answer.before, answer.before + answer.written) == (written, 2_000_000)
    assert path.read_bytes() == (tmp_path / "expected").read_bytes()
    done = command(*arguments, "list", "--checkpoint", "ledger")
    assert done.stderr == "enumerate: list: 2,000,000 solutions written before, there is nothing to do\n"


def test_a_watch_stops_a_list_and_the_same_call_resumes_it(tmp_path: Path) -> None:
    path, ledger, one = tmp_path / "list", tmp_path / "ledger", board("1c")
    seen: list[int | None] = []

    def stop(progress: Progress) -> None:
        seen.append(progress.solutions)
        if progress.solutions and progress.solutions > 20_000:
            raise Stopped

    with pytest.raises(Stopped):
        enumerator.write_solutions(one, path, checkpoint=ledger, progress=stop)
    assert int(facts(ledger)["bytes"]) == path.stat().st_size
    answer = enumerator.write_solutions(one, path, checkpoint=ledger)
    assert answer.before == seen[-1]
    assert answer.complete
    assert path.read_text().split() == [str(solution) for solution in enumerator.solutions(one)]
    assert enumerator.write_solutions(one, path, checkpoint=ledger).was_finished


def test_a_list_is_resumed_in_its_own_file_only(tmp_path: Path) -> None:
    path, ledger, one = tmp_path / "list", tmp_path / "ledger", board("4x4-many")
    enumerator.write_solutions(one, path, checkpoint=ledger)
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(enumerator.ResumeError, match="is not what was written"):
        enumerator.write_solutions(one, path, checkpoint=ledger)
    with pytest.raises(enumerator.LedgerError, match="is the ledger of another file of solutions"):
        enumerator.write_solutions(one, tmp_path / "other", checkpoint=ledger)
    with pytest.raises(ValueError, match="cannot be the ledger and the solutions"):
        enumerator.write_solutions(one, ledger, checkpoint=ledger)
    with pytest.raises(FileNotFoundError):
        enumerator.write_solutions(one, tmp_path / "absent" / "list")


@pytest.mark.parametrize(
    ("name", "engine", "limit"),
    [
        ("1b", "search", None),
        ("1b", "contraction", None),
        ("16x16-many", "search", None),
        ("empty", "contraction", 5000),
    ],
)
def test_the_progress_of_a_list_is_always_known(
    tmp_path: Path, name: str, engine: EngineName, limit: int | None
) -> None:
    seen: list[Progress] = []
    answer = enumerator.write_solutions(
        board(name), tmp_path / "list", engine=engine, limit=limit, progress=seen.append
    )
    shares = [progress.share for progress in seen if progress.share is not None]
    assert len(shares) == len(seen) > 1
    assert shares == pytest.approx(sorted(shares), abs=1e-9)
    assert 0 <= shares[0] <= 1
    assert shares[-1] == pytest.approx(1)
    assert seen[-1].solutions == answer.written


def test_the_progress_of_an_index_and_of_candidates_is_always_known() -> None:
    for ask in (partial(enumerator.sample, n=3, seed=1), enumerator.candidates):
        seen: list[Progress] = []
        ask(board("16x16-many"), engine="search", progress=seen.append)
        shares = [progress.share for progress in seen if progress.share is not None]
        assert len(shares) == len(seen) > 1
        assert shares == pytest.approx(sorted(shares), abs=1e-9)
        assert shares[-1] == pytest.approx(1)
