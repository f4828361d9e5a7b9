"""--different: boards alone and in batches, in every form, and ended early."""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest
from support.processes import Run, assert_mistake

import enumerator as en
from enumerator.engines import Part
from enumerator.questions.fixed import work
from enumerator.questions.fixed.work import FixedCounter


def test_the_forms_of_an_answer(ask: Run) -> None:
    board = "." * 36
    assert ask(board, "--different", "--quiet").stdout == "49\n"
    text = ask(board, "--different").stdout
    assert "different       49\n" in text
    assert "symmetries      2488320" in text
    facts = json.loads(ask(board, "--different", "--json").stdout)
    assert (facts["different"], facts["solutions"], facts["complete"]) == ("49", "28200960", True)
    header, row = ask("." * 16, "--different", "--csv").stdout.splitlines()
    assert dict(zip(header.split(","), row.split(","), strict=True))["different"] == "2"


def test_many_boards_are_answered_in_order(tmp_path: Path, ask: Run) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("................\n12..............\n11..............\n" * 20)
    assert ask(str(path), "--different", "--quiet").stdout.split() == ["2", "3", "0"] * 20


def test_a_list_has_one_solution_of_each_class(ask: Run) -> None:
    lines = ask("." * 16, "--list", "--distinct").stdout.split()
    assert len(lines) == len({str(en.canonical(line).form) for line in lines}) == 2
    assert len(ask("12" + "." * 14, "--list", "--distinct", "--json").stdout.splitlines()) == 3
    done = ask("12" + "." * 14, "--list", "--distinct", "--limit", "2")
    assert len(done.stdout.split()) == 2
    assert "there are more" in done.stderr
    assert ask("." * 16, "--distinct", "--canonical").returncode == 2


def test_other_questions_about_distinct_boards_are_refused(ask: Run) -> None:
    for question in (["--different"], ["--minimal"], ["--equivalent", "." * 16]):
        done = ask("." * 16, *question, "--distinct")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--distinct does not go with {question[0]}" in done.stderr


def test_a_time_limit_leaves_an_exact_number_of_solutions(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solutions are counted, and the symmetries are not all looked at."""

    def run_out_of_time(*_: object) -> NoReturn:
        raise en.OutOfTimeError

    monkeypatch.setattr("enumerator.questions.different.classes", run_out_of_time)
    text = ask("." * 81, "--different", "--time-limit", "60").stdout
    assert "different       at least 5472447995\n" in text  # the solutions, divided by the symmetries
    assert "solutions       6670903752021072936960\n" in text
    facts = json.loads(ask("." * 81, "--different", "--time-limit", "60", "--json").stdout)
    assert (facts["complete"], facts["solutions_complete"]) == (False, True)


def test_a_time_limit_leaves_a_lower_bound(ask: Run) -> None:
    done = ask("." * 81, "--different", "--quiet", "--time-limit", "0.3")
    assert done.stdout.endswith("+\n")
    assert 0 < int(done.stdout[:-2]) <= 5_472_730_538


def test_too_many_symmetries_are_named(ask: Run) -> None:
    done = ask("." * 256, "--different", "--time-limit", "20")
    assert done.returncode == 1
    assert "too many to list" in done.stderr


def test_a_count_is_resumed_and_says_what_was_there(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit ends the first count; by then some parts are recorded."""
    monkeypatch.setattr(work, "FIRST_NODES", 40)
    monkeypatch.setattr(work, "SLICE_NODES", 40)
    real, parts = FixedCounter.work_on, count()

    def run_out_of_time(counter: FixedCounter, part: Part) -> Any:
        if next(parts) == 20:
            raise en.OutOfTimeError
        return real(counter, part)

    asked = ("." * 36, "--different", "--checkpoint", "ledger", "--cores", "1")
    with monkeypatch.context() as patch:
        patch.setattr(FixedCounter, "work_on", run_out_of_time)
        first = json.loads(ask(*asked, "--time-limit", "60", "--json").stdout)
    assert (first["complete"], "before" in first) == (False, False)
    status = json.loads(ask("ledger", "--status", "--json").stdout)
    assert (status["question"], status["state"]) == ("different", "stopped")
    recorded = status["tasks"]["finished"]
    assert 10 < recorded <= 21  # some may have ended together with the one that ran out of time
    second = json.loads(ask(*asked, "--json").stdout)
    assert (second["different"], second["complete"], second["before"]["tasks"]) == ("49", True, recorded)
    text = ask(*asked).stdout
    assert "different       49\n" in text
    assert re.search(r"before +\d+ tasks in ", text)
    header, row = ask(*asked, "--csv").stdout.splitlines()
    assert dict(zip(header.split(","), row.split(","), strict=True))["before.tasks"].isdecimal()


def test_a_ledger_of_another_question_is_refused(ask: Run) -> None:
    board = "." * 16
    assert ask(board, "--different", "--checkpoint", "ledger", "--quiet").stdout == "2\n"
    refused = ask(board, "--checkpoint", "ledger")
    assert_mistake(refused, "ledger: is the ledger of another question: different there, count here")
    refused = ask(board, "--different", "--engine", "search", "--checkpoint", "ledger")
    assert_mistake(refused, "ledger: is the ledger of another engine: auto there, search here")
    assert_mistake(ask("ledger", "--audit"), "ledger: is the ledger of another question than a count")
    Path("ledger").write_bytes(b"no ledger")
    assert_mistake(ask(board, "--different", "--checkpoint", "ledger"), "ledger: is not a ledger")
