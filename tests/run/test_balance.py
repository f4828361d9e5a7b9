"""Finished shares + open shares = 1, exactly: a part that is lost or counted twice is noticed, by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import MANY_SHAPES, board, random_board
from support.cases import slow_after
from support.counts import assert_count
from support.ledgers import TASK, count_on, finished, forge, ledger_of, plan, rows, said_of
from support.ledgers import task as signed_task
from support.runs import EAGER, last, total_share

from enumerator.board import Board, Shape
from enumerator.engines import Part, contraction, search
from enumerator.engines.learning import ENGINE as LEARNING
from enumerator.engines.shares import WHOLE, exact_shares, from_text, to_pair, to_text, total
from enumerator.run.balance import Balance
from enumerator.run.counting import tallies
from enumerator.run.endings import BalanceError
from enumerator.run.ledger import LedgerError
from enumerator.run.ledger.contents import checksum
from enumerator.run.plan import Plan
from enumerator.run.stock import Stock

SHARES = st.fractions(0, 1).map(lambda share: mpq(share.numerator, share.denominator))


def eagerly(cores: int = 2, **more: object) -> Plan:
    return Plan(cores=cores, pool=None, usable=lambda: cores, pacing=EAGER, engine="search", **more)  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------- shares are exact


@given(SHARES, SHARES)
def test_shares_are_fractions_that_can_be_written_down(share: mpq, other: mpq) -> None:
    assert from_text(to_text(share)) == share
    assert list(exact_shares(share, [(b"", to_pair(other))] * 2)) == [(b"", share * other)] * 2
    assert total([share, share, other]) == 2 * share + other


@pytest.mark.parametrize("text", ["", "0x1", "2/4", "-1/2", "3/2", "1/0", "1/-3", " 1", "1.5", "0/7", "A/b", "1/A"])
def test_other_texts_are_not_shares(text: str) -> None:
    with pytest.raises((ValueError, ZeroDivisionError)):
        from_text(text)


@pytest.mark.parametrize(
    ("start", "shape"),
    [(search.start, shape) for shape in MANY_SHAPES]
    + [(LEARNING.start, shape) for shape in MANY_SHAPES if shape.size <= 36],
)
def test_the_parts_of_a_walk_are_what_it_has_not_visited(start: Callable[[Board], object], shape: Shape) -> None:
    """Also on empty boards so large that a float cannot tell their shares from 0, or the rest from 1."""
    walk = start(Board.empty(shape))
    for nodes in (1, 100, 1_000):
        walk.run(nodes, limit=1_000)  # type: ignore[attr-defined]
        parts = walk.parts()  # type: ignore[attr-defined]
        visited = 1 - total_share(parts)
        assert 0 <= visited <= 1
        assert (visited == 1) == (not parts)
        share = walk.share  # type: ignore[attr-defined]
        assert share == pytest.approx(float(visited), rel=1e-9, abs=0)
        assert (share == 1) == (not parts), "only a finished walk has visited all"


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_the_children_of_a_part_have_its_share(shape: Shape) -> None:
    tree = search.ENGINE.tree(shape)
    for number in range(5 if shape.size <= 25 else 1):
        one = random_board(shape, random.Random(f"children {shape} {number}"), 300)
        below = tree.branch(tree.part(one.cells, mpq(3, 7)))
        assert sum((part.share for part in below), mpq()) == (mpq(3, 7) if below else 0)


def test_a_sum_has_shares_by_its_items() -> None:
    job = contraction.ENGINE.job(board("1d"))
    whole = job.part(job.whole(board("1d")), WHOLE)
    below = job.divide(whole) or []
    assert len(below) > 1
    assert sum(part.share for part in below) == 1


# --------------------------------------------------------------------------------------------- the balance


def part(number: int, share: mpq) -> Part:
    return Part(1, number.to_bytes(4), share)


def named(one: Part) -> str:
    return f"part {int.from_bytes(one.load)}"


@settings(deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 5)), max_size=60), st.data())
def test_whatever_is_done_the_shares_add_up(steps: list[tuple[int, int]], data: st.DataObject) -> None:
    waiting, number = [part(0, WHOLE)], 1
    balance = Balance(waiting, named)
    for chosen, branches in steps:
        if not waiting:
            break
        done = waiting.pop(chosen % len(waiting))
        left = [part(number + each, done.share / (branches + chosen % 2)) for each in range(branches)]
        number += branches
        balance.close(done, left)
        waiting += left
        with pytest.raises(BalanceError, match=f"counted twice: {named(done)};"):
            balance.close(done, [])
    balance.check(waiting)
    assert balance.finished + sum((one.share for one in waiting), mpq()) == 1
    if waiting:
        lost = waiting.pop(data.draw(st.integers(0, len(waiting) - 1)))
        with pytest.raises(BalanceError, match=f"1 part of the work, a share of .*, got lost: {named(lost)};"):
            balance.check(waiting)
        balance.check(waiting, is_all=False)
        with pytest.raises(BalanceError, match=f"waits twice, or was finished before: {named(lost)};"):
            balance.check([*waiting, lost, lost])


def test_parts_of_more_than_the_whole_are_refused() -> None:
    with pytest.raises(BalanceError, match="the shares of all parts add up to 4/3; the count is not valid"):
        Balance([part(1, mpq(2, 3)), part(2, mpq(2, 3))], named)
    with pytest.raises(BalanceError, match="a part is there twice: part 1"):
        Balance([part(1, mpq(1, 3)), part(1, mpq(1, 3))], named)


def test_more_left_of_a_part_than_it_was_is_refused() -> None:
    balance = Balance([part(1, WHOLE)], named)
    left = [part(2, mpq(1, 2)), part(3, mpq(10**30 + 1, 2 * 10**30))]
    with pytest.raises(BalanceError, match="more is left of a part than it was: part 1;"):
        balance.close(part(1, WHOLE), left)


def test_a_share_that_is_added_to_progress_twice_is_noticed() -> None:
    balance = Balance([part(1, mpq(1, 2)), part(2, mpq(1, 2))], named)
    balance.close(part(1, mpq(1, 2)), [])
    balance.check([part(2, mpq(1, 2))])
    balance.progress += 0.25
    with pytest.raises(BalanceError, match=r"the finished share is 1/2, and its sum is 0\.75"):
        balance.check([part(2, mpq(1, 2))])


@pytest.mark.parametrize("exponent", [3, 40, 4_000])
def test_progress_is_the_finished_share_however_small_it_is(exponent: int) -> None:
    """Almost all is left of each part: floats alone would add up the errors of their differences."""
    tiny = mpq(1, 10**exponent)
    balance = Balance([part(0, 1 - tiny)], named)
    assert balance.progress == float(tiny)
    for number in range(50):
        share = 1 - (number + 1) * tiny
        balance.close(part(number, share), [part(number + 1, share - tiny)])
    assert balance.progress == pytest.approx(float(51 * tiny), rel=1e-9)
    assert balance.finished == 51 * tiny
    balance.check([part(50, 1 - 51 * tiny)])


# ---------------------------------------------------------------------------------------------- the driver


@pytest.mark.parametrize("cutoff", [None, 10**30])
def test_a_part_that_is_dropped_is_noticed_and_named(cutoff: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    real, dropped = Stock.take, list[Part]()

    def take(self: Stock, workers: int, deep: bool = False, share: float = 0.0) -> list[Part]:
        parts = real(self, workers, deep, share)
        if dropped or len(parts) < 2:
            return parts
        dropped.append(parts[0])
        return parts[1:]

    monkeypatch.setattr(Stock, "take", take)
    message = r"internal error: 1 part of the work.* got lost: .*the count is not valid"
    with pytest.raises(BalanceError, match=message) as error:
        last(board("1d"), eagerly(cutoff=cutoff))
    assert str(Board.from_cells(Shape(3, 3), dropped[0].load)) in str(error.value)


def test_a_part_that_is_counted_twice_is_noticed_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real, doubled = Stock.take, list[Part]()

    def take(self: Stock, workers: int, deep: bool = False, share: float = 0.0) -> list[Part]:
        parts = real(self, workers, deep, share)
        if parts and not doubled:
            doubled.append(parts[0])
            return [parts[0], *parts]
        return parts

    monkeypatch.setattr(Stock, "take", take)
    with pytest.raises(BalanceError, match=r"internal error: a part was counted twice") as error:
        last(board("1d"), eagerly())
    assert str(Board.from_cells(Shape(3, 3), doubled[0].load)) in str(error.value)


def test_a_loss_is_noticed_when_the_count_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a time limit the ledger would have lost the part as well."""
    real = Stock.add
    seen = list[Part]()
    monkeypatch.setattr(Stock, "add", lambda self, one: seen.append(one) if not seen else real(self, one))
    counting = tallies(Board.empty(Shape(3, 3)), eagerly())
    while not seen:
        next(counting)
    with pytest.raises(BalanceError, match="got lost"):
        counting.close()


@pytest.mark.parametrize(
    ("name", "cutoff"),
    slow_after(
        3, [("1c", None), ("6x6-many", None), ("6x6-many", 10**9), ("1c", 10**12), ("1d", None), ("16x16-many", None)]
    ),
)
def test_a_count_in_which_nothing_is_lost_is_right(name: str, cutoff: int | None) -> None:
    tally = last(board(name), eagerly(3, cutoff=cutoff))
    assert_count(board(name), tally.solutions, search.count)
    assert (tally.complete, tally.share) == (True, 1.0)


@pytest.mark.slow
def test_a_share_is_never_all_before_the_end(tmp_path: Path) -> None:
    """On empty boards of 36×36 and more the share of a part is far below the least float."""
    path, one, how = tmp_path / "ledger", Board.empty(Shape(6, 6)), plan(pacing=EAGER)
    with ledger_of(one, how, path) as ledger, closing(tallies(one, how, ledger=ledger)) as counting:
        for tally in counting:
            assert 0 <= tally.share < 1e-9
            if tally.effort > 1_000:
                break
    known = said_of(path).totals
    assert 0 < known.share < mpq(1, 10**9)
    assert known.share + sum(row.share for row in said_of(path).rows if row.is_open) == 1


# ---------------------------------------------------------------------------------------------- the ledger


def close_part(path: Path, number: int, rest: int) -> None:
    """Change the number of children of a task, with a valid checksum."""
    solutions, effort, seconds, _, done, _ = finished(path)[number][5:]
    values = (solutions, effort, seconds, rest, done)
    forge(path, "UPDATE task SET rest = ?, outcome = ? WHERE id = ?", rest, checksum((number, *values)), number)


def test_a_row_that_is_removed_with_all_traces_is_noticed(tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    number, parent, *_ = next(row for row in rows(path) if row[5] is None)
    forge(path, "DELETE FROM task WHERE id = ?", number)
    close_part(path, parent, finished(path)[parent][8] - 1)
    with pytest.raises(LedgerError, match=rf"is damaged \(the shares of task {parent} and of what it has left do not"):
        said_of(path)
    with pytest.raises(LedgerError, match="do not add up"):
        count_on(board("1b"), plan(), path)


def test_a_row_that_is_there_twice_is_noticed(tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    _, parent, work, share, *_ = next(row for row in rows(path) if row[5] is None)
    forge(path, TASK, *signed_task(10**6, parent, work, share))
    close_part(path, parent, finished(path)[parent][8] + 1)
    with pytest.raises(LedgerError, match="do not add up"):
        count_on(board("1b"), plan(), path)


def test_a_share_that_is_changed_is_noticed(tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    number, parent, work, share, *_ = next(row for row in rows(path) if row[5] is None)
    forge(path, "DELETE FROM task WHERE id = ?", number)
    other = to_text(from_text(share) * mpq(2**70 - 1, 2**70))
    forge(path, TASK, *signed_task(number, parent, work, other))
    with pytest.raises(LedgerError, match="do not add up"):
        said_of(path)
