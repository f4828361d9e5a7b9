"""Fields of answers: every form has them, and whether an answer came alone or among many cannot be seen."""

from __future__ import annotations

import csv
import io
import json
import pickle
import random
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.boards import NINE, full_board, random_board, with_holes
from support.cases import slow_after
from support.marks import restricted_board
from support.processes import Run

from enumerator.board import Board, Shape
from enumerator.command import board_loop, dispatch
from enumerator.command.views.classify import ClassifyView
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
from enumerator.questions.chunks import ChunkReader, NamedBoard
from enumerator.questions.fields import DRAWING, Field, sentences
from enumerator.questions.many import Result
from enumerator.run.pacing import BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.workers import executors
from enumerator.text import columns

SHAPES = [NINE, NINE, NINE, Shape(2, 2), Shape(2, 3), Shape(3, 4)]
SMALL_SHAPES = [Shape(2, 2), Shape(2, 2), Shape(2, 3), Shape(2, 2), Shape(2, 2), Shape(2, 2), NINE]

IN_PROCESSES = BatchPacing(worth_seconds=0, first_boards=1, probe_boards=1, process_seconds=0)
"""Processes start after two boards."""

BLOCK = 50
"""The number of boards in a block."""

VOLATILE = r'"\w*seconds": ([\d.e-]+|\{[^}]*\})|  (time|time of a count) .*'
"""Times in JSON and in text."""

FORMS = ["--json", "--csv", "--quiet", ""]
SOLUTION_FORMS = ["--json", "--grids", ""]

IN_BLOCKS = {
    "--limit 2 --cores 1": 200,
    "--limit 5000": 200,
    "--cores 1": 1_000,
    "--limit 1 --cores 1": 1_000,
    "--classify": 1_000,
    "--canonical": 1_000,
}
"""The questions that are asked of blocks of boards; and of how many lines of one shape, and as many of several."""

IN_WORKERS = {"--clues": 60, "--complete": 60, "--different": 100, "--steps": 60, "--unavoidable 4": 60}
"""Those that are asked of many boards in processes, one at a time."""

ONE_BY_ONE = {"--candidates": 40, "--equivalent 1...............": 200, "--estimate --seed 1 --probes 20": 100}
"""Those that are asked of one board after the other."""

OF_SOLUTIONS = {"--list": 400, "--nth 0": 200, "--sample 2 --seed 1": 200}


@lru_cache
def mixture(number: int) -> str:
    """Return boards, one a line: several shapes, unique, multiple, contradictory, with pencil marks and a title."""
    rng, lines = random.Random("mixture"), list[str]()
    while len(lines) < number:
        shape, has_marks, most = rng.choice(SHAPES), rng.random() < 0.05, rng.choice([1, 1, 3, 40])
        for _ in range(rng.choice([1, 1, 30])):
            board = restricted_board(Shape(2, 2), rng, 20)[1] if has_marks else random_board(shape, rng, most)
            lines.append(str(with_fault(board, rng)))
    return "\n".join(["# one", *lines[: number // 2], "# other", *lines[number // 2 : number], ""])


@lru_cache
def plain_lines(number: int) -> str:
    """Return 9×9 boards, one a line and nothing else, so that they are read and printed in blocks."""
    rng, boards = random.Random("lines"), list[Board]()
    for at in range(number):
        board = random_board(NINE, rng, rng.choice([1, 1, 3, 40]))
        boards.append(with_fault(board, rng) if at // BLOCK % 3 == 1 else board)  # others have blocks without fault
    return "".join(f"{board}\n" for board in boards)


def with_fault(board: Board, rng: random.Random) -> Board:
    """Return a board in which a digit may be wrong or there twice, one time in ten."""
    kind, size = rng.random(), board.shape.size
    if kind < 0.05:
        return board.with_cell(0, 1).with_cell(size - 1, 1)
    empty = [cell for cell, digit in enumerate(board.cells) if not digit]
    return board.with_cell(rng.choice(empty), rng.randint(1, size)) if kind < 0.1 and empty else board


@lru_cache
def small_mixture(number: int) -> str:
    """Return boards of which each is answered for in a few milliseconds, whatever the question."""
    rng, boards = random.Random("small mixture"), list[Board]()
    for turn in range(number):
        shape = SMALL_SHAPES[turn % len(SMALL_SHAPES)]
        board = with_holes(full_board(shape, rng), rng.choice([shape.cells // 4, shape.cells // 2]), rng)
        boards.append(board.with_cell(0, 1).with_cell(3, 1) if turn % 20 == 3 else board)
    boards[4::10] = [restricted_board(Shape(2, 2), rng, 6)[1] for _ in boards[4::10]]
    return "".join(f"{board}\n" for board in boards)


def without_volatile(text: str) -> str | list[list[str]]:
    """Return an output without what varies. In a table, it has columns of its own."""
    if not text.startswith("source,"):
        return re.sub(VOLATILE, "T", text, flags=re.MULTILINE)
    header, *rows = csv.reader(io.StringIO(text))
    return [
        header,
        *([field for name, field in zip(header, row, strict=True) if "seconds" not in name] for row in rows),
    ]


def asked(questions: dict[str, int], forms: list[str]) -> list[tuple[str, int, str]]:
    """Return each question with the number of boards and each form."""
    return [(question, number, form) for question, number in questions.items() for form in forms]


def leave_all(
    _ask: object, reader: ChunkReader, _plan: Plan, *, check: Callable[[NamedBoard], NamedBoard], **_: object
) -> Iterator[Result]:
    """Leave every board to the caller, who asks the question of one board: no answer comes from `many`."""
    for named, text_bytes in reader.boards():
        yield Result(None, 1, text_bytes, check(named))


class ThisProcess:
    """A mapper that sends calls and results as a process takes them, and works in this one."""

    up = True

    def __init__(self, _cores: int) -> None:
        pass

    def map(self, function: Callable[[Any], object], items: Iterable[object]) -> Iterator[object]:
        for item in items:
            call, sent = pickle.loads(pickle.dumps((function, item)))
            yield pickle.loads(pickle.dumps(call(sent)))

    def close(self) -> None:
        pass


@pytest.fixture
def ask_alone(ask: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Ask a question of each board by itself, as `ask` does of many."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patch:
            patch.setattr(board_loop, "answer_many", leave_all)
            patch.setattr(ClassifyView, "ask", lambda _, board, request, __: classify.classify(board, request.plan))
            return ask(*arguments)

    return run


def assert_same(alone: subprocess.CompletedProcess[str], many: subprocess.CompletedProcess[str]) -> None:
    assert (alone.returncode, sorted(alone.stderr.splitlines())) == (many.returncode, sorted(many.stderr.splitlines()))
    assert without_volatile(alone.stdout) == without_volatile(many.stdout)
    assert len(many.stdout.splitlines()) > 5


@pytest.mark.parametrize("boards", [mixture, plain_lines])
@pytest.mark.parametrize(("question", "number", "form"), slow_after(4, asked(IN_BLOCKS, FORMS)))
def test_an_answer_is_the_same_alone_and_among_many(  # noqa: PLR0913 - four are fixtures
    ask: Run,
    ask_alone: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    number: int,
    form: str,
    boards: Callable[[int], str],
) -> None:
    (tmp_path / "boards.txt").write_text(boards(number))
    in_columns, write = [], columns.write_lines

    def note(lines: int, parts: list[columns.Column]) -> bytearray:
        in_columns.append(lines)
        return write(lines, parts)

    monkeypatch.setattr(columns, "write_lines", note)
    many = ask("boards.txt", *f"{question} {form}".split(), batch_pacing=BatchPacing(chunk=BLOCK))
    if boards is plain_lines and form in ("--json", "--csv") and question not in ("--limit 5000", "--canonical"):
        assert sum(in_columns) > number / 2  # the columns of these are compared with single answers
    if question == "--classify" and not form:  # a word, which alone stands beside the name of the board
        question = "--classify --quiet"
    assert_same(ask_alone("boards.txt", *f"{question} {form}".split()), many)
    if form in ("--json", "--quiet"):
        assert len(many.stdout.splitlines()) == number


@pytest.mark.slow
@pytest.mark.parametrize(("question", "number", "form"), asked(IN_WORKERS, FORMS))
def test_an_answer_is_the_same_alone_and_from_a_worker(
    ask: Run,
    ask_alone: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    number: int,
    form: str,
) -> None:
    (tmp_path / "boards.txt").write_text(f"# one\n{small_mixture(number)}12X.............\n")
    options = "boards.txt", *f"{question} {form}".split()
    monkeypatch.setattr(executors, "JoblibMapper", ThisProcess)
    many = ask(*options, "--cores", "2", batch_pacing=IN_PROCESSES)
    assert many.returncode == 2
    assert_same(ask_alone(*options, "--cores", "1"), many)


@pytest.mark.slow
@pytest.mark.parametrize("question", IN_WORKERS)
def test_an_answer_is_the_same_alone_and_from_another_process(
    ask: Run, ask_alone: Run, tmp_path: Path, question: str
) -> None:
    (tmp_path / "boards.txt").write_text(small_mixture(20))
    options = "boards.txt", *question.split(), "--json"
    many = ask(*options, "--cores", "2", batch_pacing=IN_PROCESSES)
    assert_same(ask_alone(*options, "--cores", "1"), many)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "number", "form"), [*asked(ONE_BY_ONE, FORMS), *asked(OF_SOLUTIONS, SOLUTION_FORMS)]
)
def test_an_answer_is_the_same_alone_and_after_others(
    ask: Run, ask_alone: Run, tmp_path: Path, question: str, number: int, form: str
) -> None:
    (tmp_path / "boards.txt").write_text(small_mixture(number))
    options = "boards.txt", *f"{question} {form}".split(), "--cores", "1"
    assert_same(ask_alone(*options), ask(*options))


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
