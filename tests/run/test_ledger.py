"""Ledgers: a count that was stopped at any moment is resumed, and its result is the same."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import CONTRADICTION, NINE, PUZZLE, SOLVED, UNSOLVABLE, board, board_file, random_board
from support.ledgers import (
    LONG_SUM,
    SIX,
    SIXTEEN,
    count_on,
    facts,
    fingerprint,
    finished,
    is_sound,
    ledger_of,
    rows,
    said_of,
    solutions_of,
    total,
)
from support.ledgers import restless_plan as plan
from support.processes import COMMAND, Run, run_with_small_files
from support.runs import RESTLESS

from enumerator.board import Board, Shape
from enumerator.engines import Part, PartResult, Tally, contraction, search
from enumerator.engines.shares import WHOLE
from enumerator.engines.walks import tree
from enumerator.run.ledger import ledger
from enumerator.run.ledger.contents import connect
from enumerator.run.ledger.ledger import Ledger
from enumerator.run.plan import Plan

PACING = RESTLESS


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


@pytest.mark.slow
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
    real = Ledger.close_part

    def noted(self: Ledger, part: Part, *more: Any) -> list[Part]:
        settled.append(part.row)
        return real(self, part, *more)

    monkeypatch.setattr(Ledger, "close_part", noted)
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
    shares = {row[0]: mpq(row[3], 16) for row in rows(path)}
    below: dict[int, mpq] = defaultdict(mpq)
    for number, parent, *_ in rows(path):
        below[parent] += shares[number]
    assert below.pop(0) == 1
    assert all(0 < share <= shares[parent] for parent, share in below.items())
    left = sum(shares[row[0]] for row in rows(path) if row[5] is None)
    assert said_of(path).totals.share + left == 1


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
    monkeypatch.setattr(search.ENGINE, "walk_cells", forbidden)
    monkeypatch.setattr(tree, "walk_parts", forbidden)
    second = json.loads(ask(*command).stdout)
    assert first["solutions"] == second["solutions"] == str(solutions_of(board(name)))
    assert (second["complete"], second["tasks"]) == (True, 0)
    assert "before" not in first
    assert second["before"]["tasks"] == said_of(tmp_path / "ledger").totals.finished
    assert fingerprint(tmp_path / "ledger") == before


def test_a_count_that_ends_before_it_is_divided_leaves_its_ledger(tmp_path: Path) -> None:
    assert not count_on(board("1d"), plan(), tmp_path / "ledger", 1).complete
    assert list(tmp_path.iterdir()) == [tmp_path / "ledger"]


SHORT = (board_file("1c"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger", "--quiet")
"""A command that takes a moment, here."""


@pytest.mark.slow
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


# ------------------------------------------------------------------------------------------- a full disk


def test_a_full_disk_ends_the_count_and_not_the_ledger(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "ledger", connect

    def cramped(name: str, synchronous: bool) -> sqlite3.Connection:
        file = real(name, synchronous)
        file.execute("PRAGMA max_page_count = 6")  # of at least 11; 3 are there at first
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


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_a_ledger_that_grows_too_large_is_said(tmp_path: Path) -> None:
    """The system limits the size of files; the command shows its error."""
    asked = (board_file("empty"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger")
    done = run_with_small_files(tmp_path, 48 << 10, COMMAND, *asked)
    assert done.returncode == 1
    assert re.fullmatch(r"enumerate: ledger: [a-zA-Z/ ]+; this count is not complete\n", done.stderr)
    (least,) = re.findall(r"^  solutions       at least (\d+) \(stopped\)$", done.stdout, re.MULTILINE)
    path = tmp_path / "ledger"
    assert path.stat().st_size <= 48 << 10
    assert is_sound(path)
    before, known = finished(path), total(path)
    assert int(least) >= known
    assert count_on(board("empty"), plan(), path, 5).solutions >= known
    assert before.items() < finished(path).items()


# -------------------------------------------------------------------------------------------- at a bad moment


def test_an_interrupt_during_a_commit_is_heard_and_nothing_is_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, one, job = tmp_path / "ledger", board("1c"), search.ENGINE.tree(board("1c").shape)
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
        written.close_part(root, PartResult(5, 10, 0.5, []), [job.part(one.cells, WHOLE)])
        with pytest.raises(KeyboardInterrupt):
            written.commit(last=True)
        assert not interrupts
        written.commit(last=True)  # as the driver does when it ends
    assert is_sound(path)
    assert total(path) == 5
