"""Ledgers: a count or a list that was stopped at any moment goes on and comes to the same; what is amiss is refused."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import zstandard
from conftest import Run
from helpers import (
    COMMAND,
    PUZZLE,
    ROOT,
    SOLVED,
    assert_mistake,
    children,
    random_board,
    wait_for,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_workers import die, die_once, poisoned

from enumerator import checkpoint, contraction, output, search
from enumerator.board import Board
from enumerator.checkpoint import opened
from enumerator.formats import read as read_board
from enumerator.parallel import Plan, WorkerLostError, driver, ledger, splitting, tallies
from enumerator.parallel.book import Book, LedgerError, connect, digest, locked
from enumerator.parallel.book import read as read_ledger
from enumerator.parallel.ledger import Ledger, LedgerLostError
from enumerator.questions import Question, Request
from enumerator.search import kernel, stretches
from enumerator.search.task import work as walk
from enumerator.shape import Shape
from enumerator.task import Done, Tally

pytestmark = [pytest.mark.usefixtures("restless"), pytest.mark.timeout(60)]

NINE, SIX, SIXTEEN = Shape(3, 3), Shape(2, 3), Shape(4, 4)
UNSOLVABLE = "12345678" + "." * 9 + "9" + "." * 63  # nothing is left for r1c9
CONTRADICTION = "5...5" + "." * 76


def two() -> int:
    return 2


def plan(engine: str = "search", cores: int = 2, limit: int | None = None, cutoff: int | None = None) -> Plan:
    """How to count, in this process alone."""
    return Plan(cores=cores, limit=limit, cutoff=cutoff, pool=None, engine=engine, usable=two)


def board(name: str) -> Board:
    return read_board(ROOT / "boards" / f"{name}.txt")


def board_file(name: str) -> str:
    return str(ROOT / "boards" / f"{name}.txt")


def solutions_of(one: Board) -> int:
    """How many solutions a board has, without any ledger: by the contraction or, where there is none, by one walk."""
    if contraction.supports(one.shape):
        return contraction.count(one)
    return kernel.General(one.cells, one.shape.height, one.shape.width).run()


def ledger_of(one: Board, how: Plan, path: Path) -> Ledger:
    question = Question("a board", one.shape.height, one.shape.width, one.cells)
    return opened(question, Request("number", how, checkpoint=str(path)))


def count_on(one: Board, how: Plan, path: Path, steps: int | None = None) -> Tally:
    """Go on with a count, until its end or so many tallies further."""
    tally = Tally()
    with ledger_of(one, how, path) as book, closing(tallies(one, how, ledger=book)) as counting:
        for tally in islice(counting, steps):  # noqa: B007
            pass
    return tally


def rows(path: Path) -> list[tuple[Any, ...]]:
    """All tasks of a ledger, as they stand in the file; none, if there is no file yet."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM task ORDER BY id").fetchall()


def facts(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as file:
        return dict(file.execute("SELECT name, value FROM run"))


def finished(path: Path) -> dict[int, tuple[Any, ...]]:
    """Those that are finished, by their numbers."""
    return {row[0]: row for row in rows(path) if row[5] is not None}


def is_sound(path: Path) -> bool:
    """Whether each part has as many children as it says, and each but the first has a parent that came before it."""
    tasks = rows(path)
    born = Counter(parent for _, parent, *_ in tasks)
    assert [row[0] for row in tasks] == list(range(1, len(tasks) + 1))
    assert born.pop(0, 0) == min(1, len(tasks))
    assert all(parent < number for number, parent, *_ in tasks)
    return born == Counter({row[0]: row[8] for row in tasks if row[8]})


def total(path: Path) -> int:
    return sum(int(row[5]) for row in rows(path) if row[5] is not None)


def said_of(path: Path) -> Book:
    """A ledger as `--status` sees it."""
    book, _ = read_ledger(str(path), lambda _: True)
    return book


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---------------------------------------------------------------------------------------- counts that go on


BOARDS = st.builds(
    lambda shape, seed: random_board(shape, random.Random(seed), 1_500),
    st.sampled_from([SIX, Shape(3, 2), NINE, Shape(2, 4), Shape(3, 4), SIXTEEN]),
    st.integers(0, 999),
)
STOPS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 2)), min_size=1, max_size=6)
"""After so many tallies, on so many cores."""


def stopped_and_resumed(one: Board, how: Plan, stops: Sequence[tuple[int, int]], path: Path) -> Tally:
    """Count a board, and be stopped again and again. What is in the ledger once stays in it."""
    before: dict[int, tuple[Any, ...]] = {}
    engine = ""
    for steps, cores in [*stops, (None, 2)]:
        tally = count_on(one, replace(how, cores=cores), path, steps)
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

    def noted(self: Ledger, part: splitting.Part, *more: Any) -> list[splitting.Part]:
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
    path = tmp_path / "ledger"
    count_on(board("1d"), plan(engine, cutoff=cutoff), path, 6)
    before = said_of(path).account
    assert 0 < before.share < 1
    assert before.open > 0
    count_on(board("1d"), plan(engine, cutoff=cutoff), path, 6)
    assert before.share < said_of(path).account.share <= 1
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
    monkeypatch.setattr(splitting, "walk", forbidden)
    second = json.loads(ask(*command).stdout)
    assert first["solutions"] == second["solutions"] == str(solutions_of(board(name)))
    assert (second["complete"], second["tasks"]) == (True, 0)
    assert "before" not in first
    assert second["before"]["tasks"] == said_of(tmp_path / "ledger").account.finished
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


@pytest.mark.usefixtures("census")
def test_a_killed_worker_costs_time_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SHORTEST": 0.01, "POOL_SECONDS": 0.0}.items():
        monkeypatch.setattr(driver, name, value)
    (tmp_path / "once").touch()
    said: list[str] = []
    how = replace(plan(), pool=poisoned(die_once, tmp_path / "once"), tell=said.append)
    tally = count_on(board("1e"), how, tmp_path / "ledger")
    assert (tally.solutions, tally.complete) == (contraction.count(board("1e")), True)
    assert (total(tmp_path / "ledger"), is_sound(tmp_path / "ledger")) == (tally.solutions, True)
    assert len(said) == 1
    assert said[0].startswith("a worker has died (SIGKILL); ")


@pytest.mark.usefixtures("census")
def test_a_run_that_is_lost_can_be_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"POOL_SECONDS": 0.0, "DEATHS": 1}.items():
        monkeypatch.setattr(driver, name, value)
    path, one = tmp_path / "ledger", Board.empty(NINE)
    with pytest.raises(WorkerLostError):
        count_on(one, replace(plan(), pool=poisoned(die, tmp_path / "deaths")), path)
    assert is_sound(path)
    before, known = finished(path), total(path)
    assert before
    assert count_on(one, plan(), path, 5).solutions >= known > 0
    assert before.items() <= finished(path).items()


WALK = (board_file("2f"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger", "--quiet")
"""A command that takes some seconds."""


@contextmanager
def at_work(folder: Path, *arguments: str, tasks: int = 1) -> Iterator[subprocess.Popen[str]]:
    """The command, when so many more tasks are finished in its ledger than before."""
    path = folder / "ledger"
    known = said_of(path).account.finished if path.exists() else 0
    with subprocess.Popen(
        [COMMAND, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert wait_for(lambda: is_written(path) and said_of(path).account.finished >= known + tasks)
            assert process.poll() is None
            yield process
        finally:
            process.kill()
            process.communicate(timeout=10)


def is_written(path: Path) -> bool:
    """Whether there is anything in a ledger, so that it can be read."""
    return path.exists() and path.stat().st_size > 0


def everyone(process: subprocess.Popen[str]) -> list[int]:
    return [process.pid, *children(process.pid)]


def assert_gone(pids: list[int]) -> None:
    assert wait_for(lambda: not any(Path(f"/proc/{pid}/task").exists() and not is_dead(pid) for pid in pids), 10)


def is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.usefixtures("census")
def test_a_killed_count_goes_on_and_comes_to_the_same(command: Run, tmp_path: Path) -> None:
    """Killed at several moments: alone, so that its workers are orphans, and with all of them."""
    path = tmp_path / "ledger"
    before: dict[int, tuple[Any, ...]] = {}
    for tasks, kill in ((1, os.kill), (2, os.killpg)):
        with at_work(tmp_path, board_file("2e"), *WALK[1:], tasks=tasks) as process:
            pids = everyone(process)
            kill(process.pid, signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert_gone(pids)
        assert said_of(path).account.open > 0
        assert is_sound(path)
        assert before.items() <= finished(path).items()
        before = finished(path)
    done = command(board_file("2e"), *WALK[1:])
    assert (done.returncode, done.stdout) == (0, f"{contraction.count(board('2e'))}\n")
    assert before.items() <= finished(path).items()


@pytest.mark.usefixtures("census")
@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_count_says_so_and_can_be_gone_on_with(tmp_path: Path, asked: signal.Signals) -> None:
    path = tmp_path / "ledger"
    with at_work(tmp_path, *WALK) as process:
        pids = everyone(process)
        os.killpg(process.pid, asked)
        answer, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (130, "enumerate: interrupted: this count is not complete\n")
    assert_gone(pids)
    assert answer == f"{total(path)}+\n"
    assert is_sound(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger"]
    before = finished(path)
    assert count_on(board("2f"), plan(), path, 3).solutions >= total(path)
    assert before.items() <= finished(path).items()


@pytest.mark.usefixtures("census")
def test_one_ledger_is_for_one_process_and_anyone_may_ask_how_far_it_is(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "GLIMPSE", 0.05)
    path = tmp_path / "ledger"
    with at_work(tmp_path, *WALK) as process:
        assert_mistake(ask(*WALK), "ledger: another process is at work on this ledger")
        shares = []
        for _ in range(3):
            status = json.loads(ask("ledger", "--status", "--json").stdout)
            assert (status["state"], status["complete"]) == ("running", False)
            shares.append(status["share"])
        assert shares == sorted(shares)
        done = said_of(path).account.finished
        assert wait_for(lambda: said_of(path).account.finished > done)  # it goes on
        assert process.poll() is None
        process.kill()
        process.wait(timeout=10)
        assert json.loads(ask("ledger", "--status", "--json").stdout)["state"] == "stopped"
    assert count_on(board("2f"), plan(), path, 2).solutions > 0


def test_who_waited_for_a_ledger_that_is_gone_makes_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two begin at once. The first writes nothing and takes its file away, while the second waits for the lock."""
    path, real = tmp_path / "ledger", locked

    def late(number: int, kind: int) -> bool:
        if path.exists() and not late_ones:
            late_ones.append(number)
            path.unlink()
        return real(number, kind)

    late_ones: list[int] = []
    monkeypatch.setattr(ledger, "GLIMPSE", 0.05)
    monkeypatch.setattr(ledger, "locked", late)
    with ledger_of(board("1a"), plan(), path) as book:
        assert late_ones
        with pytest.raises(LedgerError, match="another process is at work"):
            ledger_of(board("1a"), plan(), path)
        assert book.is_new


# ----------------------------------------------------------------------------------------------- refusals


@pytest.fixture(scope="module")
def half_a_count(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger of a walk, as it was left: always the same bytes."""
    one, path = board("1b"), tmp_path_factory.mktemp("half") / "ledger"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "perf_counter", lambda: 0.0)
        patch.setattr(ledger, "strftime", lambda _: "once upon a time")
        with ledger_of(one, plan(), path) as book:
            tree = splitting.Tree(NINE)
            stock = [book.begin(tree, one.cells)]
            for turn in range(60):
                part = stock.pop(0)
                (done,) = walk(3, 3, [part.load], 100).parts
                left = [tree.part(load, part.share * share) for load, share in done.rest]
                if turn in (2, 5, 8):
                    done, left = splitting.DIVIDED, splitting.branch(part, NINE)
                stock += book.settle(part, done._replace(seconds=0.25), left)
            book.commit()
    assert said_of(path).account.open == len(stock) > 10
    return path.read_bytes()


HALF = (board_file("1b"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger", "--quiet")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([board_file("1d")], "is the ledger of another board"),
        ([board_file("6x6-many")], "is the ledger of a board of another shape: 3x3 there, 2x3 here"),
        (["--engine", "auto"], "is the ledger of another engine: search there, auto here"),
        (["--engine", "contraction"], "is the ledger of another engine: search there, contraction here"),
        (["--cutoff", "1e20"], f"is the ledger of another cut-off: none there, {10**20} here"),
        (["--limit", "1000"], "is the ledger of another limit: none there, 1000 here"),
        (["--list", "--output", "solutions"], "is the ledger of another question: count there, list here"),
        ([board_file("1d"), board_file("1b")], f"--checkpoint is for one board: {board_file('1b')} is another"),
    ],
    ids=lambda value: " ".join(value[-2:]).rpartition("/")[2] if isinstance(value, list) else "",
)
def test_a_ledger_is_for_one_question(
    ask: Run, tmp_path: Path, half_a_count: bytes, arguments: list[str], reason: str
) -> None:
    (tmp_path / "ledger").write_bytes(half_a_count)
    given = arguments if arguments[0].endswith(".txt") else [board_file("1b"), *arguments]
    engine = [] if "--engine" in given else ["--engine", "search"]
    assert_mistake(ask(*given, *engine, "--checkpoint", "ledger"), reason)
    assert (tmp_path / "ledger").read_bytes() == half_a_count
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger"]


def test_a_ledger_is_for_one_version(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    forge(path, "UPDATE run SET value = ?, digest = ? WHERE name = 'version'", "0.0.9", digest(("version", "0.0.9")))
    before = fingerprint(path)
    done = ask(*HALF)
    assert_mistake(done, "ledger: is the ledger of another version of enumerator: 0.0.9 there, ")
    assert fingerprint(path) == before
    forge(path, "PRAGMA user_version = 9")
    assert_mistake(ask(*HALF), "ledger: is the ledger of another version of enumerator")


def forge(path: Path, statement: str, *values: object) -> None:
    """Change a ledger behind its back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute(statement, values)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("text", "is no ledger"),
        ("zeros", "is no ledger"),
        ("foreign", "is no ledger"),
        ("folder", "Is a directory"),
        ("pipe", "is no file"),
        ("/dev/null", "is no file"),
        ("absent/ledger", "No such file or directory"),
        ("text/ledger", "Not a directory"),
        ("a" * 300, "File name too long"),
        ("absent/\n", "No such file or directory"),
    ],
)
def test_what_is_no_ledger_is_left_alone(ask: Run, tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "text").write_text("what I did in my holidays\n" * 10)
    (tmp_path / "zeros").write_bytes(bytes(4096))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    forge(tmp_path / "foreign", "CREATE TABLE run (name, value, digest)")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    shown = name.replace("\n", r"\n")
    assert_mistake(ask(board_file("1b"), "--checkpoint", name), f"{shown}: {reason}")
    assert_mistake(ask(name, "--status"), f"{shown}: {reason}")
    assert_mistake(ask(name, "--audit"), f"{shown}: {reason}")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_ledger_that_may_not_be_read_is_said(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    (tmp_path / "ledger").write_bytes(half_a_count)
    (tmp_path / "ledger").chmod(0)
    assert_mistake(ask(*HALF), "ledger: Permission denied")


def test_the_command_says_which_name_is_missing(ask: Run) -> None:
    for name in ("", "-"):
        assert_mistake(ask(board_file("1a"), "--checkpoint", name), f"{name!r} is no file")
    for other in ("--nth", "--sample", "--candidates", "--classify", "--estimate", "--status", "--audit"):
        number = ["1"] if other in ("--nth", "--sample") else []
        assert_mistake(ask(board_file("1a"), other, *number, "--checkpoint", "x"), f"does not go with {other}")


def test_any_name_of_a_board_can_be_written_down(command: Run, tmp_path: Path) -> None:
    odd = os.fsdecode(b"\xff\x1b\n.txt")
    (tmp_path / odd).write_text(PUZZLE)
    for _ in range(2):
        done = command(odd, "--checkpoint", "ledger", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
    shown = command("ledger", "--status").stdout
    assert r"\udcff\x1b\n.txt" in shown
    assert "\x1b" not in shown


# ------------------------------------------------------------------------------------------------- damage


def assert_refused_or_right(path: Path, data: bytes, expected: int) -> bool:
    """A ledger with these bytes is refused, or gone on with to the right end. Returns whether it was refused."""
    path.write_bytes(data)
    refusal = ""
    try:
        tally = count_on(board("1b"), plan(), path)
    except (LedgerError, LedgerLostError) as error:
        refusal = str(error)
    for extra in ("-journal", "-wal", "-shm"):
        Path(f"{path}{extra}").unlink(missing_ok=True)
    if refusal:
        reasons = r"is damaged \(.+\)|is no ledger|is the ledger of another .+|attempt to write a readonly database"
        assert re.fullmatch(rf"{path}: ({reasons})", refusal)
        return True
    assert (tally.solutions, tally.complete) == (expected, True)
    return False


def test_a_ledger_that_was_cut_off_is_refused(half_a_count: bytes, tmp_path: Path) -> None:
    expected, size = solutions_of(board("1b")), len(half_a_count)
    rng = random.Random("cut off")
    lengths = [*range(1, 101, 9), *range(512, size, 4096), *(rng.randrange(size) for _ in range(25)), size - 1]
    for length in lengths:
        assert assert_refused_or_right(tmp_path / "ledger", half_a_count[:length], expected)
    assert not assert_refused_or_right(tmp_path / "ledger", b"", expected)  # nothing is in it: a new one


@pytest.mark.parametrize("seed", range(2))
def test_a_ledger_with_a_wrong_byte_never_gives_a_wrong_count(seed: int, half_a_count: bytes, tmp_path: Path) -> None:
    expected, rng = solutions_of(board("1b")), random.Random(f"bytes {seed}")
    refused = 0
    for turn in range(45):
        data = bytearray(half_a_count)
        where = rng.randrange(100) if turn % 6 == 0 else rng.randrange(len(data))
        for place in range(where, min(len(data), where + rng.choice([1, 1, 1, 8]))):
            data[place] ^= rng.choice([1 << rng.randrange(8), rng.randrange(1, 256)])
        refused += assert_refused_or_right(tmp_path / "ledger", bytes(data), expected)
    assert refused > 12


def outcome(number: int, solutions: object, effort: object, seconds: object, rest: object) -> tuple[object, ...]:
    """How a task has ended, with the digest that fits it."""
    found = (solutions, effort, seconds, rest)
    return (*found, digest((number, *found)), number)


OUTCOME = "UPDATE task SET solutions = ?, effort = ?, seconds = ?, rest = ?, outcome = ? WHERE id = ?"
TASK = "INSERT INTO task (id, parent, work, share, digest) VALUES (?, ?, ?, ?, ?)"


def task(number: object, parent: object, work: object, share: object) -> tuple[object, ...]:
    values = (number, parent, work, share)
    return (*values, digest(values))


def fact(name: str, value: object) -> tuple[str, object, bytes]:
    return name, value, digest((name, value))


FACT = "INSERT OR REPLACE INTO run VALUES (?, ?, ?)"


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("DELETE FROM task WHERE id = (SELECT max(id) FROM task)", ()),
        ("DELETE FROM task WHERE id = 1", ()),
        ("DELETE FROM task WHERE solutions IS NULL", ()),
        ("DELETE FROM task", ()),
        ("DELETE FROM run", ()),
        *(("DELETE FROM run WHERE name = ?", (name,)) for name in ("board", "limit", "cutoff", "seconds", "at work")),
        ("UPDATE task SET solutions = solutions + 1 WHERE id = 1", ()),
        ("UPDATE task SET solutions = '0', effort = 1, seconds = 0.1, rest = 0 WHERE solutions IS NULL", ()),
        ("UPDATE task SET solutions = NULL WHERE id = 1", ()),
        ("UPDATE task SET outcome = NULL WHERE id = 1", ()),
        ("UPDATE task SET outcome = (SELECT digest FROM task WHERE id = 1) WHERE id = 1", ()),
        ("UPDATE task SET work = replace(work, '.', '1') WHERE id = 2", ()),
        ("UPDATE task SET share = share / 2 WHERE id = 2", ()),
        ("UPDATE task SET parent = 2 WHERE id = 3", ()),
        ("UPDATE task SET id = id + 100000 WHERE id = (SELECT max(id) FROM task)", ()),
        ("UPDATE run SET value = '0' WHERE name = 'limit'", ()),
        ("CREATE TRIGGER more AFTER UPDATE ON task BEGIN DELETE FROM task; END", ()),
        ("CREATE VIEW more AS SELECT * FROM task", ()),
        ("CREATE TABLE more (a)", ()),
        ("CREATE INDEX more ON task (parent)", ()),
        ("ALTER TABLE task ADD COLUMN more", ()),
        (OUTCOME, outcome(1, "-5", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "1e3", 5, 0.1, 0)),
        (OUTCOME, outcome(1, " 7", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "9" * 5_000, 5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", -5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", 5, -0.1, 0)),
        (OUTCOME, outcome(1, "7", 5, "soon", 0)),
        (OUTCOME, outcome(1, "7", 5, 0.1, -1)),
        (OUTCOME, outcome(1, "7", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", 5, 0.1, 10**18)),
        (OUTCOME, outcome(1, "7", 5, 0.1, None)),
        (OUTCOME, outcome(1, None, None, None, None)),
        (OUTCOME, outcome(1, b"7", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", 5.5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", "many", 0.1, 0)),
        (TASK, task(10**6, 1, PUZZLE, 0.1)),
        (TASK, task(10**6, 0, PUZZLE, 0.1)),
        (TASK, task(10**6, 10**6, PUZZLE, 0.1)),
        (TASK, task(10**6, 10**6 + 1, PUZZLE, 0.1)),
        (TASK, task(-1, 0, PUZZLE, 1.0)),
        (TASK, task(0, 0, PUZZLE, 1.0)),
        (TASK, task(10**6, 1, PUZZLE.encode(), 0.1)),
        (FACT, fact("at work", "magic")),
        (FACT, fact("seconds", "long")),
        (FACT, fact("seconds", "nan")),
        (FACT, fact("limit", "-1")),
        (FACT, fact("limit", "9" * 5_000)),
        (FACT, fact("shape", b"3x3")),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else str(value)[1:30],
)
def test_a_ledger_that_was_changed_is_damaged(
    ask: Run, tmp_path: Path, half_a_count: bytes, statement: str, values: tuple[object, ...]
) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    forge(path, statement, *values)
    before = fingerprint(path)
    for command in (HALF, ("ledger", "--status"), ("ledger", "--audit")):
        assert_mistake(ask(*command), "ledger: is damaged (")
    assert fingerprint(path) == before


@pytest.mark.parametrize("work", ["", "1:2/3", "x" * 81, PUZZLE[:-1], "." * 256, "é" * 81, "0" * 81])
def test_a_task_that_is_no_board_is_damage(ask: Run, tmp_path: Path, half_a_count: bytes, work: str) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    number, parent, _, share, *_ = next(row for row in rows(path) if row[5] is None)
    forge(path, "DELETE FROM task WHERE id = ?", number)
    forge(path, TASK, *task(number, parent, work, share))
    before = fingerprint(path)
    assert_mistake(ask(*HALF), "ledger: is damaged (")
    assert fingerprint(path) == before


def test_a_sum_has_no_boards_and_no_other_items(ask: Run, tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    count_on(board("1b"), plan("contraction"), path, 4)
    number, parent, work, share, *_ = next(row for row in rows(path) if row[5] is None)
    whole, items = path.read_bytes(), int(work.partition("/")[2])
    wrong = [PUZZLE, f"0:{items + 1}/{items}", f"3:2/{items}", f"0:1/{items + 1}", "-1:1/5", "0:1", f"{'9' * 30}:1/1"]
    for other in wrong:
        path.write_bytes(whole)
        forge(path, "DELETE FROM task WHERE id = ?", number)
        forge(path, TASK, *task(number, parent, other, share))
        command = (board_file("1b"), "--engine", "contraction", "--cores", "2", "--checkpoint", "ledger", "--quiet")
        assert_mistake(ask(*command), "ledger: is damaged (")


def test_a_task_that_has_taken_no_time_does_no_harm(tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    for number, row in finished(path).items():
        forge(path, OUTCOME, *outcome(number, row[5], row[6], 0.0, row[8]))
    assert count_on(board("1b"), plan(), path).solutions == solutions_of(board("1b"))


# ------------------------------------------------------------------------------------------- a full disk


def test_a_full_disk_ends_the_count_and_not_the_ledger(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "ledger", connect

    def cramped(name: str) -> sqlite3.Connection:
        file = real(name)
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


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (48 << 10, 48 << 10))


@pytest.mark.usefixtures("census")
def test_a_ledger_that_grows_too_large_is_said(tmp_path: Path) -> None:
    """As the system says it: a file may have no more bytes than that."""
    done = subprocess.run(
        [COMMAND, board_file("empty"), "--engine", "search", "--cores", "2", "--checkpoint", "ledger"],
        preexec_fn=small_files,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
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


# -------------------------------------------------------------------------------------------------- lists


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists in many short pages, each of them with a mark behind it."""
    monkeypatch.setattr(stretches, "FIRST_NODES", 100)
    monkeypatch.setattr(stretches, "NODES", 30_000)
    for name, value in {"FIRST_PAGE": 50, "PAGE": 200}.items():
        monkeypatch.setattr(f"enumerator.parallel.lists.{name}", value)
    monkeypatch.setattr(checkpoint, "MARK_SECONDS", -1.0)
    monkeypatch.setattr(os, "fsync", lambda _: None)


class StoppedError(Exception):
    """Somebody has pulled the plug."""


def list_on(ask: Run, monkeypatch: pytest.MonkeyPatch, turns: int, *arguments: str) -> bool:
    """Go on with a list, and pull the plug when something is written for the n-th time. Returns whether it was."""
    real, left = output.Output.write, [turns]

    def write(self: output.Output, text: bytes | bytearray, solutions: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            real(self, text[: len(text) // 2], 0)  # half of it, nobody knows of it
            raise StoppedError
        real(self, text, solutions)

    with monkeypatch.context() as patch:
        patch.setattr(output.Output, "write", write)
        try:
            assert ask(*arguments).returncode == 0
        except StoppedError:
            return True
    return False


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as reader:
            return reader.read()
    return data


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("name", "options", "ending"),
    [
        ("1b", ["--engine", "search"], ".txt"),
        ("1b", ["--engine", "contraction"], ".txt"),
        ("1b", ["--engine", "contraction", "--json"], ".gz"),
        ("1b", ["--engine", "search", "--json", "--limit", "3000"], ".zst"),
        ("1b", ["--engine", "contraction", "--limit", "1000"], ".txt"),
        ("2b", ["--grids"], ".txt"),
        ("2b", ["--grids", "--engine", "contraction"], ".zst"),
        ("6x6-many", ["--engine", "search", "--limit", "2500"], ".gz"),
        ("16x16-many", ["--limit", "700"], ".txt"),
        ("4x4-many", ["--limit", "24"], ".txt"),
        ("1a", [], ".zst"),
    ],
)
def test_a_list_that_is_stopped_anywhere_holds_the_same_lines(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: list[str], ending: str
) -> None:
    assert ask(board_file(name), "--list", *options, "--output", "expected").returncode == 0
    path = tmp_path / f"list{ending}"
    asked = (board_file(name), "--list", *options, "--output", path.name, "--checkpoint", "ledger")
    rng = random.Random(f"{name} {options}")
    written, shares, stops = [0], [0.0], 0
    writes = 30 if "--grids" in options else 1  # of a page
    while list_on(
        ask,
        monkeypatch,
        writes * rng.choice([0, 1, 3, 10, 40] if stops else [1]),
        *asked,
        "--cores",
        str(1 + stops % 2),
    ):
        stops += 1
        assert stops < 200
        if (tmp_path / "ledger").exists():
            assert is_sound(tmp_path / "ledger")
            known = said_of(tmp_path / "ledger").account
            written.append(known.solutions)
            shares.append(known.share)
    assert unpacked(path) == (tmp_path / "expected").read_bytes()
    assert stops or name in ("1a", "4x4-many")
    assert written == sorted(written)
    assert all(before <= after + 1e-9 for before, after in pairwise(shares))
    again, before = ask(*asked), fingerprint(path)
    assert (again.returncode, again.stdout) == (0, "")
    assert re.fullmatch(
        rf"enumerate: {path.name}: [\d,]+ solutions? written before, there is nothing to do\n", again.stderr
    )
    assert fingerprint(path) == before


KILLED_LIST = """
import sys
from enumerator import checkpoint, cli
checkpoint.MARK_SECONDS = -1.0
sys.exit(cli.main())
"""


@pytest.mark.usefixtures("census")
@pytest.mark.parametrize("engine", ["search", "contraction"])
def test_a_killed_list_goes_on_and_holds_the_same_lines(ask: Run, tmp_path: Path, engine: str) -> None:
    asked = (board_file("1d"), "--list", "--engine", engine, "--limit", "200000")
    assert ask(*asked, "--output", "expected").returncode == 0
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED_LIST, *asked, "--output", "list", "--checkpoint", "ledger"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
        ) as process:
            known = said_of(tmp_path / "ledger").account.solutions if (tmp_path / "ledger").exists() else 0
            path = tmp_path / "ledger"
            assert wait_for(lambda: process.poll() or (is_written(path) and said_of(path).account.solutions > known))  # noqa: B023
            process.kill()
            process.communicate(timeout=10)
    assert (tmp_path / "list").stat().st_size >= int(facts(tmp_path / "ledger")["bytes"])
    assert ask(*asked, "--output", "list", "--checkpoint", "ledger").returncode == 0
    assert fingerprint(tmp_path / "list") == fingerprint(tmp_path / "expected")


@pytest.mark.usefixtures("pages")
def test_a_list_goes_on_in_its_own_file_only(ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = (board_file("1b"), "--list", "--engine", "search", "--checkpoint", "ledger")
    assert list_on(ask, monkeypatch, 12, *asked, "--output", "list")
    path = tmp_path / "list"
    whole, size = path.read_bytes(), int(facts(tmp_path / "ledger")["bytes"])
    before = fingerprint(tmp_path / "ledger")
    assert 0 < size < len(whole)
    others = {
        "shorter": (whole[: size - 1], f"list: has {size - 1:,} bytes, and {size:,} were written to it"),
        "empty": (b"", f"list: has 0 bytes, and {size:,} were written to it"),
        "changed": (whole[: size - 5] + b"x" + whole[size - 4 :], "list: is not what was written"),
        "another": (b"x" * len(whole), "list: is not what was written"),
    }
    for data, reason in others.values():
        path.write_bytes(data)
        assert_mistake(ask(*asked, "--output", "list"), reason)
        assert path.read_bytes() == data
    path.unlink()
    assert_mistake(ask(*asked, "--output", "list"), "list: No such file or directory")
    assert not path.exists()
    for special in ("folder", "pipe"):
        (tmp_path / "folder").mkdir() if special == "folder" else os.mkfifo(tmp_path / "pipe")
        path.symlink_to(special)
        assert_mistake(
            ask(*asked, "--output", "list"), "list: Is a" if special == "folder" else "list: is no file that"
        )
        path.unlink()
    path.write_bytes(whole)
    for options, reason in {
        ("--output", "other"): "is the ledger of another file of solutions: list there, other here",
        ("--output", "list", "--json"): "is the ledger of solutions in another form: lines there, json here",
        ("--output", "list", "--grids"): "is the ledger of solutions in another form: lines there, grids here",
        ("--output", "list", "--limit", "7000"): "is the ledger of another limit: none there, 7000 here",
    }.items():
        assert_mistake(ask(*asked, *options), reason)
    assert not (tmp_path / "other").exists()
    assert path.read_bytes() == whole
    assert fingerprint(tmp_path / "ledger") == before
    assert ask(*asked, "--output", "list").returncode == 0
    ask(*asked[:-2], "--output", "expected")
    assert path.read_bytes() == (tmp_path / "expected").read_bytes()


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("name", ["bytes", "tail", "output", "form", "at work"])
def test_a_list_whose_ledger_has_lost_its_place_is_left_alone(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = (board_file("1b"), "--list", "--output", "list", "--checkpoint", "ledger")
    assert list_on(ask, monkeypatch, 12, *asked)
    whole = (tmp_path / "list").read_bytes()
    forge(tmp_path / "ledger", "DELETE FROM run WHERE name = ?", name)
    if name == "at work":
        forge(tmp_path / "ledger", "DELETE FROM task")
    assert_mistake(ask(*asked), f"ledger: is damaged (nothing says its {name})")
    assert (tmp_path / "list").read_bytes() == whole


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("engine", ["search", "contraction"])
@pytest.mark.parametrize(
    "work", ["", "0", "5+", "0+999999", "99999999999+0", "0 " + PUZZLE, f"1 {PUZZLE[:-1]}x", "1 ..."]
)
def test_a_place_that_is_none_is_damage(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, work: str
) -> None:
    asked = (board_file("1b"), "--list", "--engine", engine, "--output", "list", "--checkpoint", "ledger")
    assert list_on(ask, monkeypatch, 5, *asked)
    number, parent, _, share, *_ = next(row for row in rows(tmp_path / "ledger") if row[5] is None)
    forge(tmp_path / "ledger", "DELETE FROM task WHERE id = ?", number)
    forge(tmp_path / "ledger", TASK, *task(number, parent, work, share))
    before = fingerprint(tmp_path / "ledger")
    assert_mistake(ask(*asked), "ledger: is damaged (")
    assert fingerprint(tmp_path / "ledger") == before


def test_a_list_with_a_ledger_needs_a_file_of_its_own(ask: Run, tmp_path: Path) -> None:
    listing = (board_file("1b"), "--list", "--checkpoint", "ledger")
    for options in ([], ["--output", "-"]):
        assert_mistake(ask(*listing, *options), "--checkpoint with --list goes with --output")
    (tmp_path / "soft").symlink_to("ledger")
    for name in ("ledger", "./ledger", "soft"):
        assert_mistake(
            ask(*listing, "--output", name), f"{name}: cannot be the ledger and the solutions at the same time"
        )
    assert not (tmp_path / "ledger").exists()
    assert_mistake(ask(board_file("1b"), board_file("1b"), *listing[1:], "--output", "list"), "is for one board")
    assert not (tmp_path / "list").exists()


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_disk_that_is_full_at_a_mark_is_said_of_the_file(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    asked = (board_file("1b"), "--list", "--limit", "2000", "--output", f"list{ending}", "--checkpoint", "ledger")
    turns = iter(range(100))

    def full(_: int) -> None:
        if next(turns) > 3:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        done = ask(*asked)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(rf"enumerate: list{ending}: No space left on device; (no more than )?[\d,]+ solutions", done.stderr)
    assert ask(*asked).returncode == 0
    assert ask(*asked[:4], "--output", "expected").returncode == 0
    assert unpacked(tmp_path / f"list{ending}") == (tmp_path / "expected").read_bytes()


# -------------------------------------------------------------------------------------------- at a bad moment


def test_an_interrupt_during_a_commit_is_heard_and_nothing_is_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, one, tree, real = tmp_path / "ledger", board("1c"), splitting.Tree(board("1c").shape), Ledger._write

    def interrupted(*arguments: Any) -> None:
        real(*arguments)
        signal.raise_signal(signal.SIGINT)

    with ledger_of(one, plan(engine="search"), path) as book:
        root = book.begin(tree, one.cells)
        book.settle(root, Done(5, 10, 0.5, []), [tree.part(one.cells, 1.0)])
        monkeypatch.setattr(Ledger, "_write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            book.commit(last=True)
        monkeypatch.undo()
        book.commit(last=True)  # as the driver does when it ends
    assert is_sound(path)
    assert total(path) == 5


def test_a_page_that_may_have_been_written_in_part_is_known_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt when all of a page is in the file, and nobody has said so yet: there must be no mark behind it."""
    real = output.Descriptor.write

    def interrupted(self: output.Descriptor, data: memoryview, noted: list[int]) -> int:
        real(self, data, noted)
        raise KeyboardInterrupt

    with output.Output(str(tmp_path / "solutions"), later=True) as file:
        file.go_on(output.Mark(), 0)
        before = file.taken
        monkeypatch.setattr(output.Descriptor, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            file.write(b"1234341221434321\n", 1)
        assert file.taken != before


def test_a_list_that_was_cut_off_is_never_said_to_be_complete(tmp_path: Path, command: Run) -> None:
    (tmp_path / "board").write_text("1234............")  # 12 solutions
    for limit, is_cut in (("11", True), ("12", True), ("13", False)):
        arguments = ["board", "--list", "--output", f"solutions-{limit}", "--checkpoint", f"ledger-{limit}"]
        done = command(*arguments, "--engine", "search", "--limit", limit)
        assert done.returncode == 0
        state = json.loads(command("--status", f"ledger-{limit}", "--json").stdout)
        assert (state["state"], state["complete"]) == ("finished", not is_cut)
        assert len((tmp_path / f"solutions-{limit}").read_text().split()) == min(12, int(limit))
