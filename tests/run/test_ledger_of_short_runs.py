"""A count that ends on one core, before its work is divided, leaves a ledger that can be resumed."""

from pathlib import Path

import pytest
from gmpy2 import mpq

from enumerator import engines
from enumerator.board import Board
from enumerator.questions.count import count
from enumerator.run import local as local_counts
from enumerator.run.endings import Interrupted, Stopped
from enumerator.run.ledger import Ledger, read_ledger, run_identity
from enumerator.run.local import LocalCount
from enumerator.run.pacing import DEFAULT_PACING
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

PATIENT = DEFAULT_PACING._replace(alone_seconds=1e9, early_product=1e18)
"""A count on one core is never divided."""

LARGE = ["5x5", "6x6"]


def ledger_of(path: Path, board: Board, plan: Plan) -> Ledger:
    return Ledger(str(path), run_identity("count", board, plan))


def nothing(_: object) -> bool:
    return False


def stopping_after(reports: int, error: type[BaseException]):  # type: ignore[no-untyped-def]
    left = [reports]

    def watch(_: Progress) -> None:
        left[0] -= 1
        if left[0] <= 0:
            raise error

    return watch


@pytest.mark.parametrize(("shape", "cores"), list(zip(LARGE, [1, 2], strict=True)))
@pytest.mark.parametrize(("error", "raised"), [(KeyboardInterrupt, Interrupted), (Stopped, Stopped)])
def test_every_end_leaves_what_was_counted(
    shape: str, cores: int, error: type[BaseException], raised: type[BaseException], tmp_path: Path
) -> None:
    board, path, plan = Board.empty(shape), tmp_path / "x.db", Plan(cores, engine="search", pacing=PATIENT)
    with ledger_of(path, board, plan) as ledger, pytest.raises(raised) as caught:
        count(board, plan, ledger=ledger, watch=stopping_after(2, error))
    totals = read_ledger(str(path), nothing)[0].totals
    assert totals.solutions >= caught.value.answer.solutions  # type: ignore[attr-defined]
    assert 0 <= totals.share < 1
    assert totals.effort > 0
    assert isinstance(totals.share, mpq)


@pytest.mark.parametrize("shape", LARGE)
def test_a_time_limit_leaves_what_was_counted(shape: str, tmp_path: Path) -> None:
    board, path, plan = Board.empty(shape), tmp_path / "x.db", Plan(1, engine="search", pacing=PATIENT)
    with ledger_of(path, board, plan) as ledger:
        answer = count(board, plan, ledger=ledger, time_limit=0.05)
    assert answer.ended != "complete"
    assert read_ledger(str(path), nothing)[0].totals.solutions >= answer.solutions


@pytest.mark.parametrize("engine", ["search", "learning", "auto"])
def test_a_count_that_was_stopped_again_and_again_is_right(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, path = Board("12........34" + "." * 24), tmp_path / "x.db"
    plan = Plan(1, engine=engine, pacing=PATIENT._replace(slice_seconds=1e-5))
    expected, steps = count(board, Plan(1)).solutions, LocalCount.step

    def interrupted(local: LocalCount) -> engines.Tally:
        tally = steps(local)
        if not local.finished:
            raise KeyboardInterrupt
        return tally

    monkeypatch.setattr(local_counts.LocalCount, "step", interrupted)
    with ledger_of(path, board, plan) as ledger:
        try:
            answer = count(board, plan, ledger=ledger)
        except Interrupted:
            answer = None
    monkeypatch.undo()
    if answer is None:
        with ledger_of(path, board, plan) as ledger:
            answer = count(board, plan, ledger=ledger)
    assert (answer.solutions, answer.complete) == (expected, True)
