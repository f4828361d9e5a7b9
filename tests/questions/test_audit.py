"""Audits: tasks of a ledger are recounted in another way, and wrong ones are found."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.boards import board, board_file
from support.ledgers import FACT, fact, forge, ledger_of, rows, said_of
from support.ledgers import restless_plan as plan
from support.processes import Run, assert_mistake, reports
from support.runs import RESTLESS

from enumerator.board import Board
from enumerator.engines import contraction
from enumerator.questions import audit
from enumerator.run.counting import tallies
from enumerator.run.ledger.contents import LedgerContents, checksum
from enumerator.run.ledger.facts import ENGINE_VERSION
from enumerator.run.plan import Plan

PACING = RESTLESS


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


def forge_solutions(path: Path, number: int, solutions: int) -> None:
    """Change the solutions of a task and its checksum: nothing but a recount can tell."""
    row = next(row for row in rows(path) if row[0] == number)
    found = (str(solutions), *row[6:10])
    update = "UPDATE task SET solutions = ?, outcome = ? WHERE id = ?"
    forge(path, update, found[0], checksum((number, *found)), number)


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
    forge_solutions(path, row[0], int(row[5]) + 1)
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
    forge(path, "UPDATE task SET work = ?, digest = ? WHERE id = ?", first[2], checksum(doubled), second[0])
    done = ask("ledger", "--audit", "--share", "0.000001", "--json")
    assert done.returncode == 1
    assert first[1] in [finding["task"] for finding in json.loads(done.stdout)["wrong"]]


def test_a_task_of_a_wrong_engine_is_found(ask: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("wrong_sum")
    write_ledger(board("2d"), plan("contraction"), tmp_path / "ledger", 4)
    assert ask("ledger", "--audit", "--share", "100%", "--quiet").stdout == "1\n"


def test_only_counts_of_this_version_of_the_engine_are_audited(ask: Run, tmp_path: Path) -> None:
    assert ask(board_file("1a"), "--list", "--output", "list", "--checkpoint", "ledger").returncode == 0
    assert_mistake(ask("ledger", "--audit"), "ledger: is the ledger of a list: there is nothing to recount")
    write_ledger(board("1a"), plan(), tmp_path / "old")
    forge(tmp_path / "old", FACT, *fact("version", "0.0.9"))
    assert ask("old", "--audit", "--quiet").stdout == "0\n"
    forge(tmp_path / "old", FACT, *fact("engine version", "0"))
    refusal = "old: is the ledger of another version of the engine search: 0 there, "
    assert_mistake(done := ask("old", "--audit"), refusal)
    assert done.stderr.endswith("; written by enumerator 0.0.9\n")


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
    forge(tmp_path / "ledger", FACT, *fact(ENGINE_VERSION, str(contraction.ENGINE.version)))
    for name, value in (("at work", "contraction"), ("board", "no board")):
        forge(tmp_path / "ledger", FACT, *fact(name, value))
        assert_mistake(ask("ledger", "--audit", "--share", "100%"), "ledger: is damaged (")
