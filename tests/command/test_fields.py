"""Fields of answers: every form has them, and whether an answer came alone or among many cannot be seen."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from types import ModuleType

import pytest
from support.boards import NINE, full_board, random_board, with_holes
from support.cases import slow_after
from support.marks import restricted_board
from support.processes import Run

from enumerator.board import Board, Shape
from enumerator.command import dispatch
from enumerator.questions import (
    audit,
    candidates,
    canonical,
    classify,
    clues,
    complete,
    count_answer,
    different,
    estimate,
    generate,
    read,
    status,
    steps,
    unavoidable,
)
from enumerator.questions.fields import DRAWING, Field, sentences
from enumerator.run.pacing import BatchPacing

SHAPES = [NINE, NINE, NINE, Shape(2, 2), Shape(2, 3), Shape(3, 4)]

ALONE = BatchPacing(first_boards=10**9, probe_boards=10**9, chunk=1, first_chunk=1)
"""No board is answered with another one."""

IN_PROCESSES = BatchPacing(worth_seconds=0, first_boards=1, probe_boards=1, process_seconds=0)
"""Processes start after two boards."""

VOLATILE = r'"seconds": [\d.e-]+|  time .*'
"""Times in JSON and in text."""

QUESTIONS = [["--cores", "1"], ["--limit", "1", "--cores", "1"], ["--limit", "5000"], ["--classify"], ["--canonical"]]
"""The questions that are asked of blocks of boards."""

DEAR = ["--clues", "--complete", "--different", "--steps", "--unavoidable"]
"""Those that are asked of many boards in processes, one at a time."""

FORMS = [["--json"], ["--csv"], ["--quiet"], []]


def mixture(rng: random.Random, number: int) -> str:
    """Return lines of boards that are of several shapes: unique, multiple, without a solution, contradictory."""
    lines: list[str] = []
    while len(lines) < number:
        shape, kind = rng.choice(SHAPES), rng.random()
        board = random_board(shape, rng, rng.choice([1, 1, 3, 40]))
        if kind < 0.05:
            board = board.with_cell(0, 1).with_cell(shape.size - 1, 1)
        elif kind < 0.1 and (empty := [cell for cell, digit in enumerate(board.cells) if not digit]):
            board = board.with_cell(rng.choice(empty), rng.randint(1, shape.size))
        lines += [str(board)] * rng.choice([1, 1, 30])
    return "\n".join([*lines[:number], ""])


def without_volatile(text: str) -> str | list[list[str]]:
    """Return an output without what varies. In a table, it has columns of its own."""
    if not text.startswith("source,"):
        return re.sub(VOLATILE, "T", text, flags=re.MULTILINE)
    header, *rows = csv.reader(io.StringIO(text))
    return [
        header,
        *([field for name, field in zip(header, row, strict=True) if name != "seconds"] for row in rows),
    ]


@pytest.mark.parametrize("kind", slow_after(1, ["lines", "titled", "marks"]))
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_an_answer_is_the_same_alone_and_among_many(
    ask: Run, tmp_path: Path, question: list[str], form: list[str], kind: str
) -> None:
    rng = random.Random(f"alone {kind}")
    text, plain = mixture(rng, 60), []
    if kind == "titled":
        text = "".join(f"# board {number}\n{line}\n" for number, line in enumerate(text.splitlines()))
    elif kind == "marks":
        plain = ["--shape", "2x2"]
        marked = [restricted_board(Shape(2, 2), rng, 20)[1] for _ in range(60)]
        text = "".join(f"{board}\n" for board in marked)
    assert_same_alone(ask, tmp_path, text, *question, *form, *plain)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_two_thousand_answers_are_the_same(ask: Run, tmp_path: Path, question: list[str], form: list[str]) -> None:
    """Each form has 500 boards of its own."""
    assert_same_alone(ask, tmp_path, mixture(random.Random(f"two thousand {form}"), 500), *question, *form)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("question", DEAR)
def test_an_answer_is_the_same_alone_and_from_another_process(
    ask: Run, tmp_path: Path, question: str, form: list[str]
) -> None:
    rng, shapes = random.Random(f"processes {question} {form}"), [Shape(2, 2), Shape(2, 2), Shape(2, 3), NINE]
    boards = [with_holes(full_board(shape, rng), shape.cells // 2, rng) for shape in shapes]
    boards += [boards[0].with_cell(0, 1).with_cell(3, 1), Board.empty(Shape(2, 2))]
    text = "".join(f"{board}\n" for board in (*boards, *(restricted_board(Shape(2, 2), rng, 6)[1] for _ in range(3))))
    (tmp_path / "boards.txt").write_text(f"# one\n{text}12X.............\n")
    options = "boards.txt", question, *form
    alone = ask(*options, "--cores", "1", batch_pacing=ALONE)
    many = ask(*options, "--cores", "2", batch_pacing=IN_PROCESSES)
    assert alone.returncode == many.returncode == 2
    assert sorted(alone.stderr.splitlines()) == sorted(many.stderr.splitlines())  # reading is ahead of the answers
    assert without_volatile(alone.stdout) == without_volatile(many.stdout)


def assert_same_alone(ask: Run, folder: Path, text: str, *options: str) -> None:
    (folder / "boards.txt").write_text(text)
    alone, many = ask("boards.txt", *options, batch_pacing=ALONE), ask("boards.txt", *options)
    assert (alone.returncode, alone.stderr) == (many.returncode, many.stderr)
    assert without_volatile(alone.stdout) == without_volatile(many.stdout)
    assert len(many.stdout.splitlines()) > 50


def shout(answer: object) -> str:
    """Return a fact that differs from board to board."""
    return shout_of(str(answer.board))  # type: ignore[attr-defined]


def shout_of(text: str) -> str:
    return f"{text.count('.')} empty!"


FIELDS = {
    "": (count_answer, "FIELDS"),
    "--classify": (classify, "FIELDS"),
    "--canonical": (canonical, "FIELDS"),
    "--candidates": (candidates, "FIELDS"),
    "--clues": (clues, "FIELDS"),
    "--complete": (complete, "FIELDS"),
    "--different": (different, "FIELDS"),
    f"--equivalent {'.' * 16}": (canonical, "EQUIVALENT_FIELDS"),
    "--estimate --seed 1": (estimate, "FIELDS"),
    "--link fpuzzles": (read, "LINK_FIELDS"),
    "--minimal --seed 1": (generate, "MINIMAL_FIELDS"),
    "--generate --seed 1": (generate, "FIELDS"),
    "--steps": (steps, "FIELDS"),
    "--unavoidable 4": (unavoidable, "FIELDS"),
}
"""The module and the name of the fields of each question about boards."""

WITHOUT_FACTS = ("--classify", "--link", "--minimal", "--generate")
"""The questions that answer with a word, a link or a puzzle where no facts are asked for."""


def add_field(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> Field:
    """Add a field to the fields of an answer."""
    field = Field("shouted", shout)
    monkeypatch.setattr(module, name, (*getattr(module, name), field))
    return field


@pytest.mark.parametrize("question", FIELDS, ids=lambda question: question.split(" ")[0] or "count")
def test_a_field_that_is_added_is_in_all_forms(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    field, (name, *rest) = add_field(monkeypatch, *FIELDS[question]), question.split(" ")
    options, rng = [name, *rest] if name else [], random.Random("fields")
    solved = [full_board(Shape(2, 2), rng) for _ in range(30)]
    boards = [with_holes(board, number % 4, rng) for number, board in enumerate(solved)]
    for number in (1, 30):
        (tmp_path / "boards.txt").write_text("".join(f"{board}\n" for board in boards[:number]))
        answers = [json.loads(line) for line in ask("boards.txt", *options, "--json").stdout.splitlines()]
        assert len(answers) == number
        rows = list(csv.DictReader(io.StringIO(ask("boards.txt", *options, "--csv").stdout)))
        assert {row["source"] for row in rows} == {answer["source"] for answer in answers}
        for facts in (*answers, *rows):
            assert facts["shouted"] == shout_of(facts["board"])
        if name not in WITHOUT_FACTS:
            text = ask("boards.txt", *options).stdout
            expected = [shout_of(str(board)) for board in boards[:number]]
            assert re.findall("^  shouted +(.*)", text, re.MULTILINE) == expected
    view = dispatch.views()[name.removeprefix("--") or "count"]
    assert field in view.fields
    assert sentences([field], type("Answer", (), {"board": boards[0]}), DRAWING) == [("shouted", "0 empty!")]


@pytest.mark.parametrize("module", [status, audit], ids=["status", "audit"])
def test_a_field_of_a_ledger_is_in_all_forms(ask: Run, monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    ask("." * 16, "--checkpoint", "run.db", "-q")
    monkeypatch.setattr(module, "FIELDS", (*module.FIELDS, Field("shouted", lambda _: "aloud!")))
    question = f"--{module.__name__.rpartition('.')[2]}"
    assert json.loads(ask("run.db", question, "--json").stdout)["shouted"] == "aloud!"
    header, row = ask("run.db", question, "--csv").stdout.splitlines()
    assert (header.rpartition(",")[2], row.rpartition(",")[2]) == ("shouted", "aloud!")
    assert re.search("^  shouted +aloud!$", ask("run.db", question).stdout, re.MULTILINE)


def test_every_question_with_facts_is_among_these() -> None:
    known = {question.split(" ")[0].removeprefix("--") or "count" for question in FIELDS} | {"status", "audit"}
    assert {name for name, view in dispatch.views().items() if view.fields} == known
