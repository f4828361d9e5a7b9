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
from support.boards import NINE, random_board
from support.cases import slow_after
from support.marks import restricted_board
from support.processes import Run

from enumerator.board import Board, Shape
from enumerator.command import dispatch
from enumerator.questions import canonical, classify, count_answer, estimate
from enumerator.questions.fields import DRAWING, Field, sentences
from enumerator.run.pacing import BatchPacing

SHAPES = [NINE, NINE, NINE, Shape(2, 2), Shape(2, 3), Shape(3, 4)]

ALONE = BatchPacing(first_boards=10**9, probe_boards=10**9, chunk=1, first_chunk=1)
"""No board is answered with another one."""

VOLATILE = r'"(?:seconds|nodes)": [\d.e-]+|  time .*|, \d+ nodes?$'
"""Times in JSON and in text; and nodes, of which a block may visit fewer before it meets the limit."""

QUESTIONS = [["--cores", "1"], ["--limit", "1", "--cores", "1"], ["--limit", "5000"], ["--classify"], ["--canonical"]]


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
        *([field for name, field in zip(header, row, strict=True) if name not in ("seconds", "nodes")] for row in rows),
    ]


@pytest.mark.parametrize("kind", slow_after(1, ["lines", "titled", "marks"]))
@pytest.mark.parametrize("form", [["--json"], ["--csv"], ["--quiet"], []], ids=" ".join)
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
@pytest.mark.parametrize("form", [["--json"], ["--csv"]], ids=" ".join)
@pytest.mark.parametrize("question", QUESTIONS[::2], ids=" ".join)
def test_two_thousand_answers_are_the_same(ask: Run, tmp_path: Path, question: list[str], form: list[str]) -> None:
    assert_same_alone(ask, tmp_path, mixture(random.Random("two thousand"), 2_000), *question, *form)


def assert_same_alone(ask: Run, folder: Path, text: str, *options: str) -> None:
    (folder / "boards.txt").write_text(text)
    alone, many = ask("boards.txt", *options, batch_pacing=ALONE), ask("boards.txt", *options)
    assert (alone.returncode, alone.stderr) == (many.returncode, many.stderr)
    assert without_volatile(alone.stdout) == without_volatile(many.stdout)
    assert len(many.stdout.splitlines()) > 50


def shout(answer: object) -> str:
    """Return a fact that differs from board to board."""
    board: Board = answer.board  # type: ignore[attr-defined]
    return f"{board.empty_cells} empty!"


@pytest.mark.parametrize(
    ("module", "options"),
    [
        (count_answer, []),
        (classify, ["--classify"]),
        (canonical, ["--canonical"]),
        (estimate, ["--estimate", "--seed", "1"]),
    ],
    ids=["count", "classify", "canonical", "estimate"],
)
def test_a_field_that_is_added_is_in_all_forms(
    ask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, options: list[str]
) -> None:
    monkeypatch.setattr(module, "FIELDS", (*module.FIELDS, Field("shouted", shout)))
    boards = [random_board(NINE, random.Random(f"field {number}"), 20) for number in range(30)]
    expected = [f"{board.empty_cells} empty!" for board in boards]
    for number in (1, 30):
        (tmp_path / "boards.txt").write_text("".join(f"{board}\n" for board in boards[:number]))
        answers = [json.loads(line) for line in ask("boards.txt", *options, "--json").stdout.splitlines()]
        assert [answer["shouted"] for answer in answers] == expected[:number]
        header, *rows = ask("boards.txt", *options, "--csv").stdout.splitlines()
        assert header.endswith(",shouted,error")
        assert [row.split(",")[-2] for row in rows] == expected[:number]
        if options != ["--classify"]:  # one word a board
            text = ask("boards.txt", *options).stdout
            assert re.findall("^  shouted +(.*)", text, re.MULTILINE) == expected[:number]
    view = dispatch.views()[options[0].removeprefix("--") if options else "count"]
    field = next(field for field in view.fields if field.name == "shouted")
    assert sentences([field], type("Answer", (), {"board": boards[0]}), DRAWING) == [("shouted", expected[0])]
