"""Ledgers that are refused: those of another run, and those in which anything was changed."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest
from support.boards import PUZZLE, board, board_file
from support.ledgers import (
    FACT,
    LONG_SUM,
    TASK,
    count_on,
    fact,
    fingerprint,
    finished,
    forge,
    rows,
    solutions_of,
    task,
)
from support.ledgers import restless_plan as plan
from support.processes import Run, assert_mistake
from support.runs import RESTLESS

from enumerator.board import Board
from enumerator.run.ledger.contents import LedgerError, checksum
from enumerator.run.ledger.ledger import LedgerLostError

PACING = RESTLESS


# ----------------------------------------------------------------------------------------------- refusals

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
        ([board_file("1d"), board_file("1b")], f"--checkpoint is for one board: {board_file('1b')}:1 is another"),
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


def test_a_ledger_is_for_one_version_of_its_engine(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    for statement, values in (
        (FACT, fact("engine version", "0")),
        ("DELETE FROM run WHERE name = 'engine version'", ()),
    ):
        path.write_bytes(half_a_count)
        forge(path, statement, *values)
        before, there = fingerprint(path), "0" if values else "none"
        assert_mistake(ask(*HALF), f"ledger: is the ledger of another version of the engine search: {there} there, ")
        assert fingerprint(path) == before
    forge(path, "PRAGMA user_version = 9")
    assert_mistake(ask(*HALF), "ledger: is the ledger of another version of enumerator")


def test_another_version_of_the_package_resumes_a_ledger(ask: Run, tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    forge(path, FACT, *fact("version", "0.0.9"))
    done_before = finished(path)
    assert ask(*HALF).stdout == f"{solutions_of(board('1b'))}\n"
    assert done_before.items() <= finished(path).items(), "finished work was done again"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("text", "is not a ledger"),
        ("zeros", "is not a ledger"),
        ("foreign", "is not a ledger"),
        ("folder", "Is a directory"),
        ("pipe", "is not a regular file"),
        ("/dev/null", "is not a regular file"),
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
        assert_mistake(ask(board_file("1a"), "--checkpoint", name), f"{name!r} is not a file name")
    for other in ("--nth", "--sample", "--candidates", "--classify", "--estimate", "--status", "--audit"):
        number = ["1"] if other in ("--nth", "--sample") else []
        assert_mistake(ask(board_file("1a"), other, *number, "--checkpoint", "x"), f"does not go with {other}")


def test_any_name_of_a_board_can_be_written_down(ask: Run, tmp_path: Path) -> None:
    odd = os.fsdecode(b"\xff\x1b\n.txt")
    (tmp_path / odd).write_text(PUZZLE)
    for _ in range(2):
        done = ask(odd, "--checkpoint", "ledger", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
    shown = ask("ledger", "--status").stdout
    assert r"\udcff\x1b\n.txt" in shown
    assert "\x1b" not in shown


def test_a_ledger_has_the_name_that_the_count_has(ask: Run, tmp_path: Path) -> None:
    odd = 'a "b"\n\\c.txt'
    (tmp_path / odd).write_text(PUZZLE)
    counted = json.loads(ask(odd, "--checkpoint", "ledger", "--json").stdout)
    assert counted["source"].startswith(odd)
    assert json.loads(ask("ledger", "--status", "--json").stdout)["source"] == counted["source"]


# ------------------------------------------------------------------------------------------------- damage


def assert_refused_or_right(path: Path, data: bytes, expected: int) -> bool:
    """Check that a ledger with these bytes is refused, or resumed to the right count. Return True if refused."""
    path.write_bytes(data)
    refusal = ""
    try:
        tally = count_on(board("1b"), plan(), path)
    except (LedgerError, LedgerLostError) as error:
        refusal = str(error)
    for extra in ("-journal", "-wal", "-shm"):
        Path(f"{path}{extra}").unlink(missing_ok=True)
    if refusal:
        reasons = r"is damaged \(.+\)|is not a ledger|is the ledger of another .+|attempt to write a readonly database"
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


def outcome(
    number: int, solutions: object, effort: object, seconds: object, rest: object, done: object = "1"
) -> tuple[object, ...]:
    """Return the outcome of a task, with a valid checksum."""
    found = (solutions, effort, seconds, rest, done)
    return (*found, checksum((number, *found)), number)


OUTCOME = "UPDATE task SET solutions = ?, effort = ?, seconds = ?, rest = ?, done = ?, outcome = ? WHERE id = ?"


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
        ("UPDATE task SET share = '1/3' WHERE id = 2", ()),
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
        (OUTCOME, outcome(1, None, None, None, None, None)),
        (OUTCOME, outcome(1, b"7", 5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", 5.5, 0.1, 0)),
        (OUTCOME, outcome(1, "7", "many", 0.1, 0)),
        (TASK, task(10**6, 1, PUZZLE, "1/a")),
        (TASK, task(10**6, 0, PUZZLE, "1/a")),
        (TASK, task(10**6, 10**6, PUZZLE, "1/a")),
        (TASK, task(10**6, 10**6 + 1, PUZZLE, "1/a")),
        (TASK, task(-1, 0, PUZZLE, "1")),
        (TASK, task(0, 0, PUZZLE, "1")),
        (TASK, task(10**6, 1, PUZZLE.encode(), "1/a")),
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
    (tmp_path / "board").write_text(LONG_SUM)
    count_on(Board.parse(LONG_SUM), plan("contraction"), path, 4)
    number, parent, work, share, *_ = next(row for row in rows(path) if row[5] is None)
    whole, items = path.read_bytes(), int(work.partition("/")[2])
    wrong = [PUZZLE, f"0:{items + 1}/{items}", f"3:2/{items}", f"0:1/{items + 1}", "-1:1/5", "0:1", f"{'9' * 30}:1/1"]
    for other in wrong:
        path.write_bytes(whole)
        forge(path, "DELETE FROM task WHERE id = ?", number)
        forge(path, TASK, *task(number, parent, other, share))
        command = ("board", "--engine", "contraction", "--cores", "2", "--checkpoint", "ledger", "--quiet")
        assert_mistake(ask(*command), "ledger: is damaged (")


def test_a_task_that_has_taken_no_time_does_no_harm(tmp_path: Path, half_a_count: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(half_a_count)
    for number, row in finished(path).items():
        forge(path, OUTCOME, *outcome(number, row[5], row[6], 0.0, row[8], row[9]))
    assert count_on(board("1b"), plan(), path).solutions == solutions_of(board("1b"))
