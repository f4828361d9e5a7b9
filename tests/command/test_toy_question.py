"""A question of its own is one module and one line in the table. This module is such a one: the clues of a board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.boards import PUZZLE
from support.processes import Run, assert_mistake

from enumerator.board import Board
from enumerator.command import dispatch
from enumerator.command.request import Request
from enumerator.command.views import View, option
from enumerator.questions.fields import Field, to_dict
from enumerator.run.progress import Progress, Watch


@dataclass(frozen=True, slots=True)
class CluesAnswer:
    """The clues of a board."""

    digits: list[int]

    def to_dict(self) -> dict[str, object]:
        return to_dict(FIELDS, self)


FIELDS = (
    Field("clues", lambda answer: len(answer.digits)),
    Field("digits", lambda answer: len(set(answer.digits))),
)


class CluesView(View[CluesAnswer]):
    """The number of clues of each board."""

    arguments = option(action="store_true", help="the number of clues of each board")
    special_options = frozenset(["quiet"])
    fields = FIELDS
    own_options = {"--least": option(type=int, default=None, metavar="D", help="count --toy from this digit on")}  # noqa: RUF012

    def ask(self, board: Board, request: Request, watch: Watch) -> CluesAnswer:
        watch(Progress(0.5))
        least = request.options.least or 1
        return CluesAnswer([digit for digit in board.cells if digit >= least])

    def as_number(self, answer: CluesAnswer) -> str:
        return str(len(answer.digits))


VIEW = CluesView()


@pytest.fixture(autouse=True)
def _table() -> Iterator[None]:
    dispatch.QUESTIONS["toy"] = __name__
    yield
    del dispatch.QUESTIONS["toy"]


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\n{'.' * 81}\n{PUZZLE[:-1]}x\n")
    return "puzzles.txt"


def test_it_is_answered_for_every_board(ask: Run, puzzles: str) -> None:
    done = ask(puzzles, "--toy")
    assert re.sub(" +", " ", done.stdout) == "\n".join(
        [f"{puzzles}:1", " clues 30", " digits 9", f"{puzzles}:2", " clues 0", " digits 0", ""]
    )
    assert done.returncode == 2
    assert done.stderr == f"enumerate: {puzzles}:3:81: 'x' is no digit of a 9×9 board\n"
    assert ask(puzzles, "--quiet", "--toy").stdout == "30\n0\ninvalid\n"
    answers = [json.loads(line) for line in ask(puzzles, "--toy", "--json").stdout.splitlines()]
    assert answers == [
        {"source": f"{puzzles}:1", "clues": 30, "digits": 9},
        {"source": f"{puzzles}:2", "clues": 0, "digits": 0},
        {"source": f"{puzzles}:3", "verdict": "invalid", "error": f"{puzzles}:3:81: 'x' is no digit of a 9×9 board"},
    ]

    assert ask(puzzles, "--toy", "--csv").stdout.splitlines() == [
        "source,clues,digits,error",
        f"{puzzles}:1,30,9,",
        f"{puzzles}:2,0,0,",
        f"{puzzles}:3,,,{puzzles}:3:81: 'x' is no digit of a 9×9 board",
    ]


def test_it_has_options_of_its_own(ask: Run, puzzles: str) -> None:
    assert ask(puzzles, "--toy", "--least", "9", "--quiet").stdout == f"{PUZZLE.count('9')}\n0\ninvalid\n"
    assert_mistake(ask(puzzles, "--least", "9"), "--least goes with --toy")
    assert_mistake(ask(puzzles, "--list", "--least", "9"), "--least does not go with --list")


def test_it_stands_in_the_help(ask: Run) -> None:
    text = ask("--help").stdout
    assert "| --estimate | --toy | " in re.sub(r"\s+", " ", text)
    assert re.search(r"^  --toy +the number of clues of each board$", text, re.MULTILINE)
    assert re.search(r"^  --least D +count --toy from this digit on$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limit", "5"], "--limit does not go with --toy"),
        (["--output", "x"], "--output does not go with --toy"),
        (["--verify"], "--verify does not go with --toy"),
        (["--backend", "dask"], "--backend dask does not go with --toy"),
        (["--engine", "search"], "--engine does not go with --toy"),
        (["--list"], "not allowed with"),
    ],
)
def test_options_that_do_not_go_with_it_are_refused(ask: Run, puzzles: str, options: list[str], message: str) -> None:
    assert_mistake(ask(puzzles, "--toy", *options), message)


def test_the_other_questions_do_not_know_of_it(ask: Run, puzzles: str) -> None:
    assert ask(puzzles, "--quiet", "--limit", "2").stdout == "1\n2+\ninvalid\n"
