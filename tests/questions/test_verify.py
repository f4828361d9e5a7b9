"""Checks of counts: --verify counts in another way, --audit recounts tasks of a ledger. Both find errors."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache, partial
from itertools import islice
from pathlib import Path
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
    assert_count,
    assert_mistake,
    board,
    board_file,
    random_board,
    seconds_of_work,
    started,
    transpose,
    wait_for,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import NINE, ledger_of, rows, said_of

from enumerator.board import Board, Shape
from enumerator.engines import contraction, search
from enumerator.engines.contraction.problem import Problem
from enumerator.engines.search import reference
from enumerator.questions import audit, verify
from enumerator.run.counting import tallies
from enumerator.run.ledger.contents import LedgerContents, checksum
from enumerator.run.plan import Plan, RunLostError

pytestmark = pytest.mark.timeout(60)

plan = partial(ledgers.plan, pacing=RESTLESS)
"""Returns a plan with tasks so short that any board takes many of them."""


@pytest.fixture
def ask(ask: Run) -> Run:
    """Run `enumerate` in this process, with short tasks."""
    return partial(ask, pacing=RESTLESS)


@cache
def walked_slowly(name: str) -> int:
    """Return the number of solutions of a board, by a walk that shares nothing with the engines."""
    return reference.count(board(name))


def reports(folder: Path) -> list[Any]:
    """Return the reports of counts that did not agree."""
    return [json.loads(path.read_text()) for path in folder.glob("enumerator-mismatch-*.json")]


# ----------------------------------------------------------------------------------------------- --verify


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    shape=st.sampled_from([Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE, Shape(2, 4), Shape(4, 3)]),
    seed=st.integers(0, 999),
    engine=st.sampled_from(["search", "contraction"]),
)
def test_a_board_has_as_many_solutions_in_another_way(shape: Shape, seed: int, engine: str) -> None:
    one = random_board(shape, random.Random(seed), 50)
    expected = reference.count(one)
    engine = engine if contraction.supports(shape) else "search"
    again = verify.verify(one, engine, expected, plan())
    assert (again.solutions, sum(count for _, count in again.parts)) == (expected, expected)
    assert again.way.split(",")[0] != engine or not contraction.supports(shape)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    shape=st.sampled_from([Shape(2, 2), Shape(2, 3), NINE, Shape(3, 4)]),
    seed=st.integers(0, 999),
    most=st.integers(1, 80),
)
def test_the_parts_of_a_board_have_its_solutions_between_them(shape: Shape, seed: int, most: int) -> None:
    one = random_board(shape, random.Random(seed), most)
    assert one.transposed() == transpose(one)
    parts = list(verify.split(one.transposed()))
    assert_count(one, sum(map(search.count, parts)), search.count)
    filled = {
        tuple(cell for cell, digit in enumerate(part.cells) if digit != transpose(one).cells[cell]) for part in parts
    }
    assert len(filled) == 1  # all of them in the same cell, or, for a full board, in none
    assert len(filled.pop()) == min(1, one.empty_cells)


@pytest.mark.parametrize(
    ("name", "engine", "way"),
    [
        ("4x4-many", "search", "contraction"),
        ("6x6-many", "contraction", "search"),
        ("6x6-many", "search", "contraction"),
        ("1a", "auto", "contraction"),
        ("1c", "search", "contraction"),
        ("1c", "contraction", "search"),
        ("16x16-unique", "auto", "search, rows for columns and one cell split"),
        ("25x25-many", "search", "search, rows for columns and one cell split"),
    ],
)
def test_boards_of_every_kind_are_verified(ask: Run, tmp_path: Path, name: str, engine: str, way: str) -> None:
    done = ask(board_file(name), "--engine", engine, "--verify", "--json", "--cores", "2")
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (answer["verified"]["way"], answer["verified"]["agrees"]) == (way, True)
    assert answer["verified"]["solutions"] == answer["solutions"]
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_too_much_to_walk_the_sum_is_split(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "verify", partial(verify.verify, most_visited=100_000))
    answer = json.loads(ask(board_file("1c"), "--engine", "contraction", "--verify", "--json").stdout)
    assert answer["verified"]["way"] == "contraction, rows for columns and one cell split"
    assert answer["verified"]["solutions"] == answer["solutions"] == str(search.count(board("1c")))


@pytest.mark.parametrize("cells", [PUZZLE, SOLVED, UNSOLVABLE, CONTRADICTION, "1" * 256, "." * 16])
@pytest.mark.parametrize("engine", ["search", "auto"])
def test_boards_without_a_solution_are_verified_too(ask: Run, tmp_path: Path, cells: str, engine: str) -> None:
    (tmp_path / "board.txt").write_text(cells)
    expected = {PUZZLE: "1", SOLVED: "1", "." * 16: "288"}.get(cells, "0")
    done = ask("board.txt", "--verify", "--json", "--engine", engine)
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (answer["solutions"], answer["verified"]["solutions"]) == (expected, expected)


def test_verify_says_so_in_words_and_goes_with_a_ledger(ask: Run) -> None:
    for _ in range(2):
        done = ask(board_file("1b"), "--engine", "search", "--verify", "--checkpoint", "ledger")
        assert re.search(r"^  verified        contraction: agrees, [\d.]+ s$", done.stdout, re.MULTILINE)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def wrong_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the contraction find one solution too many."""
    real = Problem.run

    def run(self: Problem, first: int, last: int, products: float) -> tuple[int, int, float]:
        solutions, item, spent = real(self, first, last, products)
        return solutions + (first == 0), item, spent

    monkeypatch.setattr(Problem, "run", run)


@pytest.fixture
def wrong_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search find one solution too many."""
    real = search.Search.begin

    def begin(self: search.Search, *arguments: Any, **options: Any) -> search.SearchCounting:
        counting = real(self, *arguments, **options)
        counting.solutions += 1
        return counting

    monkeypatch.setattr(search.Search, "begin", begin)


@pytest.mark.parametrize(
    ("wrong", "engine", "errs"),
    [("wrong_sum", "contraction", 1), ("wrong_sum", "search", 0), ("wrong_walk", "search", 1)],
)
def test_an_engine_that_is_wrong_is_found_out(
    ask: Run, tmp_path: Path, request: pytest.FixtureRequest, wrong: str, engine: str, errs: int
) -> None:
    right = walked_slowly("2b")
    request.getfixturevalue(wrong)
    other = {"search": "contraction", "contraction": "search"}[engine]
    figures = {engine: right + errs, other: right + 1 - errs}
    done = ask(board_file("2b"), "--engine", engine, "--verify", "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert (answer["solutions"], answer["verified"]["solutions"]) == (str(figures[engine]), str(figures[other]))
    assert answer["verified"]["agrees"] is False
    assert done.stderr.count("\n") == 1
    said = (
        f"the counts do not agree: {figures[engine]} solutions by {engine}, {figures[other]} by {other}; a report is in"
    )
    assert said in done.stderr
    (report,) = reports(tmp_path)
    assert report["board"] == str(board("2b"))
    assert report["count"]["solutions"] == str(figures[engine])
    assert report["again"] == [{"board": str(board("2b")), "solutions": str(figures[other])}]
    assert f"{next(tmp_path.glob('*.json')).name}; please pass it on\n" in done.stderr


@pytest.mark.usefixtures("wrong_sum")
def test_an_engine_that_is_wrong_is_said_in_words(ask: Run, tmp_path: Path) -> None:
    done = ask(board_file("1a"), "--verify")
    assert done.returncode == 1
    assert "verified        contraction: says 2: ONE OF THEM IS WRONG" in done.stdout
    assert len(reports(tmp_path)) == 1


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted: this count is not verified"),
        (RunLostError("a worker was lost"), 1, "a worker was lost; this count is not verified"),
    ],
)
def test_a_count_that_could_not_be_verified_is_not_lost(
    ask: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, message: str
) -> None:
    def interrupted(*_: object) -> None:
        raise error

    monkeypatch.setattr(verify, "tallies", interrupted)
    done = ask(board_file("2b"), "--verify", "--quiet")
    expected = walked_slowly("2b")
    assert (done.returncode, done.stdout, done.stderr) == (status, f"{expected}\n", f"enumerate: {message}\n")


@pytest.mark.slow
@pytest.mark.usefixtures("census")
def test_an_interrupt_is_heard_while_a_count_is_verified(tmp_path: Path) -> None:
    """The count takes a moment, and its verification, a walk, some seconds."""
    asked = (board_file("1f"), "--engine", "contraction", "--verify", "--quiet", "--cores", "2")
    with started(*asked, cwd=tmp_path) as process:
        assert wait_for(lambda: seconds_of_work(process.pid) > 1.2)
        process.send_signal(signal.SIGINT)
        answer, errors = process.communicate(timeout=10)
    assert (process.returncode, answer) == (130, f"{contraction.count(board('1f'))}\n")
    assert errors == "enumerate: interrupted: this count is not verified\n"


@pytest.mark.parametrize("option", [["--limit", "5"], ["--time-limit", "5"]])
def test_only_whole_counts_are_verified(ask: Run, option: list[str]) -> None:
    assert_mistake(ask(board_file("1a"), "--verify", *option), f"--verify does not go with {option[0]}")


@pytest.mark.parametrize("other", ["--list", "--candidates", "--classify", "--estimate", "--status", "--audit"])
def test_only_counts_are_verified(ask: Run, other: str) -> None:
    assert_mistake(ask(board_file("1a"), "--verify", other), f"--verify does not go with {other}")


# ------------------------------------------------------------------------------------------------ --audit


def write_ledger(one: Board, how: Plan, path: Path, steps: int | None = None) -> None:
    """Write the ledger of a count, to its end or for `steps` tallies."""
    with ledger_of(one, how, path) as ledger, closing(tallies(one, how, ledger=ledger)) as counting:
        assert list(islice(counting, steps))


def audited(ask: Run, *options: str) -> dict[str, Any]:
    done = ask("ledger", "--audit", "--json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("name", "how", "steps"),
    [
        ("2b", plan(), None),
        ("1c", plan(), 4),
        ("1b", plan(cutoff=10**25), 8),
        ("2b", plan(cutoff=10**25), None),
        ("1b", plan(limit=3_000), None),
        ("6x6-many", plan(), 5),
        ("16x16-many", plan(), 40),
        ("16x16-many", plan(cutoff=10**60), 12),
        ("16x16-unique", plan(limit=1), None),
        ("2b", plan("contraction"), None),
        ("2d", plan("contraction"), 5),
        ("6x6-many", plan("contraction"), 3),
        ("1f", plan("auto"), 60),
    ],
    ids=lambda value: f"{value.engine} {value.cutoff or ''}" if isinstance(value, Plan) else str(value),
)
def test_what_is_in_a_ledger_is_right(ask: Run, tmp_path: Path, name: str, how: Plan, steps: int | None) -> None:
    path = tmp_path / "ledger"
    write_ledger(board(name), how, path, steps)
    before, tasks = path.read_bytes(), [row for row in rows(path) if row[5] is not None]
    answer = audited(ask, "--share", "100%")
    worked = [row for row in tasks if row[6]]
    assert (answer["tasks"], answer["recounted"], answer["divisions"]) == (
        len(worked),
        len(worked),
        len(tasks) - len(worked),
    )
    assert (answer["agree"], answer["wrong"]) == (True, [])
    assert sum(answer["ways"].values()) == len(tasks)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger"]


def test_an_audit_takes_other_ways_than_the_count(ask: Run, tmp_path: Path) -> None:
    write_ledger(board("2b"), plan(), tmp_path / "ledger")
    assert set(audited(ask, "--share", "100%")["ways"]) <= {"contraction", "the same division"}
    (tmp_path / "ledger").unlink()
    write_ledger(board("2d"), plan("contraction"), tmp_path / "ledger", 4)
    assert set(audited(ask, "--share", "100%")["ways"]) <= {"portable loops", "the same division"}
    (tmp_path / "ledger").unlink()
    write_ledger(board("16x16-many"), plan(), tmp_path / "ledger", 40)
    ways = audited(ask, "--share", "100%")["ways"]
    assert ways["rows for columns"] > 0
    assert ways["the same walk"] > 0


def test_a_share_of_the_tasks_is_recounted_by_chance(ask: Run, tmp_path: Path) -> None:
    write_ledger(board("16x16-many"), plan(), tmp_path / "ledger", 30)
    tasks = audited(ask)["tasks"]
    for share, part_of in (("5%", 0.05), ("0.5", 0.5), ("33.3 %", 0.333), ("0.000001", 1e-6)):
        assert audited(ask, "--share", share)["recounted"] == -int(-part_of * tasks // 1)
    assert audited(ask)["recounted"] == audited(ask, "--share", "5%")["recounted"]
    contents = said_of(tmp_path / "ledger")
    chosen = [audit.Audit(contents, 0.3, seed).chosen for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert max(Counter(row.id for row in chosen[0]).values()) == 1


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("0.05", 0.05), ("100%", 1), ("1", 1), ("5 %", 0.05), (".5", 0.5)]
)
def test_a_share_can_be_written_in_several_ways(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, share: float
) -> None:
    shares = []

    class Spy(audit.Audit):
        def __init__(self, contents: LedgerContents, share: float, seed: int | None = None) -> None:
            shares.append(share)
            super().__init__(contents, share, seed)

    write_ledger(board("1a"), plan(), tmp_path / "ledger")
    monkeypatch.setattr(audit, "Audit", Spy)
    assert ask("ledger", "--audit", f"--share={text}").returncode == 0
    assert shares == [pytest.approx(share)]


@pytest.mark.parametrize(
    "text", ["0", "0%", "101%", "1.1", "-5%", "", "%", "x", "5%%", "1e-2", "nan", "inf", "1,5%", "٥%"]
)
def test_what_is_no_share_is_refused(ask: Run, text: str) -> None:
    assert_mistake(ask("ledger", "--audit", f"--share={text}"), "is not a share between 0 and 100 %")


def test_a_share_is_for_audits(ask: Run) -> None:
    assert_mistake(ask(board_file("1a"), "--share", "5%"), "--share goes with --audit")
    assert_mistake(ask(board_file("1a"), "--list", "--share", "5%"), "--share does not go with --list")


def forge(path: Path, number: int, solutions: int) -> None:
    """Change the solutions of a task and its checksum: nothing but a recount can tell."""
    row = next(row for row in rows(path) if row[0] == number)
    found = (str(solutions), *row[6:9])
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute(
            "UPDATE task SET solutions = ?, outcome = ? WHERE id = ?", (found[0], checksum((number, *found)), number)
        )


@pytest.mark.parametrize(
    ("name", "how", "steps", "kind"),
    [
        ("2b", plan(), None, "leaf"),
        ("1b", plan(), 4, "parent"),
        ("16x16-many", plan(), 40, "leaf"),
        ("16x16-many", plan(), 40, "parent"),
        ("2d", plan("contraction"), None, "leaf"),
        ("2d", plan("contraction"), 5, "parent"),
    ],
)
def test_a_wrong_task_is_found_and_reported(
    ask: Run, tmp_path: Path, name: str, how: Plan, steps: int | None, kind: str
) -> None:
    path = tmp_path / "ledger"
    write_ledger(board(name), how, path, steps)
    worked = [row for row in rows(path) if row[6]]
    row = next(row for row in reversed(worked) if bool(row[8]) == (kind == "parent"))
    forge(path, row[0], int(row[5]) + 1)
    done = ask("ledger", "--audit", "--share", "100%", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["agree"]) == (1, False)
    wrong = {finding["task"] for finding in answer["wrong"]}
    assert row[0] in wrong  # and those above it, if they were recounted with all that is below them
    assert re.fullmatch(
        r"enumerate: ledger: \d+ tasks? of \d+ recounted do not agree; a report is in .*\n", done.stderr
    )
    (report,) = reports(tmp_path)
    assert (report["ledger"], report["board"], report["findings"]) == ("ledger", str(board(name)), answer["wrong"])
    (finding,) = (finding for finding in report["findings"] if finding["task"] == row[0])
    assert finding["work"] == row[2]
    assert int(re.match(r"\d+", finding["there"])[0]) == int(re.match(r"\d+", finding["here"])[0]) + 1  # type: ignore[index]
    assert ask("ledger", "--audit", "--share", "100%", "--quiet").stdout == f"{len(wrong)}\n"
    assert f"{len(wrong)} task{'s' * (len(wrong) > 1)} WRONG" in ask("ledger", "--audit", "--share", "100%").stdout


MANY = plan("contraction")._replace(cores=64, usable=lambda: 64, visible=lambda: 64)
"""A plan with so many cores that ranges are divided."""


@pytest.mark.parametrize(("name", "how", "steps"), [("1c", plan(cutoff=10**25), 8), ("2d", MANY, 2)])
def test_a_wrong_division_is_found_with_any_share(ask: Run, tmp_path: Path, name: str, how: Plan, steps: int) -> None:
    """One of the parts of a division is replaced by another, which is counted twice."""
    path = tmp_path / "ledger"
    write_ledger(board(name), how, path, steps)
    divided = {row[0] for row in rows(path) if row[5] is not None and not row[6]}
    first, second = next(
        (one, other)
        for one in rows(path)
        for other in rows(path)
        if one[1] in divided and one[1] == other[1] and one[0] < other[0] and other[5] is None
    )
    doubled = (second[0], second[1], first[2], second[3])
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("UPDATE task SET work = ?, digest = ? WHERE id = ?", (first[2], checksum(doubled), second[0]))
    done = ask("ledger", "--audit", "--share", "0.000001", "--json")
    assert done.returncode == 1
    assert first[1] in [finding["task"] for finding in json.loads(done.stdout)["wrong"]]


def test_a_task_of_a_wrong_engine_is_found(ask: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("wrong_sum")
    write_ledger(board("2d"), plan("contraction"), tmp_path / "ledger", 4)
    assert ask("ledger", "--audit", "--share", "100%", "--quiet").stdout == "1\n"


def test_only_counts_of_this_version_are_audited(ask: Run, tmp_path: Path) -> None:
    assert ask(board_file("1a"), "--list", "--output", "list", "--checkpoint", "ledger").returncode == 0
    assert_mistake(ask("ledger", "--audit"), "ledger: is the ledger of a list: there is nothing to recount")
    write_ledger(board("1a"), plan(), tmp_path / "old")
    with closing(sqlite3.connect(tmp_path / "old", isolation_level=None)) as file:
        other = ("version", "0.0.9")
        file.execute("UPDATE run SET value = ?, digest = ? WHERE name = 'version'", ("0.0.9", checksum(other)))
    assert_mistake(ask("old", "--audit"), "old: is the ledger of version 0.0.9: there is nothing to recount")


def test_several_ledgers_are_audited_one_after_the_other(ask: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_ledger(board("1b"), plan(), tmp_path / name)
    done = ask("a", "absent", "b", "--audit", "--quiet")
    assert (done.returncode, done.stdout) == (2, "0\n0\n")
    assert done.stderr == "enumerate: absent: No such file or directory\n"


def test_an_interrupted_audit_says_so(ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    write_ledger(board("1b"), plan(), tmp_path / "ledger")
    monkeypatch.setattr(audit.Audit, "findings", interrupted)
    done = ask("ledger", "--audit")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "enumerate: interrupted: ledger is not audited\n")


def test_a_ledger_of_another_kind_of_work_is_damage(ask: Run, tmp_path: Path) -> None:
    write_ledger(board("1c"), plan(), tmp_path / "ledger", 10)
    with closing(sqlite3.connect(tmp_path / "ledger", isolation_level=None)) as file:
        for name, value in (("at work", "contraction"), ("board", "no board")):
            file.execute("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", (name, value, checksum((name, value))))
            assert_mistake(ask("ledger", "--audit", "--share", "100%"), "ledger: is damaged (")
