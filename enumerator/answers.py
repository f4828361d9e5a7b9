"""From a board to its answer in print, by whoever is to work it out: this process, or one of many."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.formats import BoardError, Entry
from enumerator.report import Report, as_json, as_number, as_text
from enumerator.shape import Shape

if TYPE_CHECKING:
    from enumerator.search import Tally

RENDERINGS: dict[str, Callable[[Report], str]] = {"json": as_json, "number": as_number, "text": as_text}

GIVE_UP = 1.0
"""A board of a batch that takes longer is handed back, for all cores to go on with."""


class Question(NamedTuple):
    """A board to be answered for, or what is wrong with it; plain, to be sent cheaply."""

    source: str
    height: int
    width: int
    cells: bytes
    error: str = ""

    @property
    def board(self) -> Board:
        return Board(_shape(self.height, self.width), self.cells)


class Unfinished(NamedTuple):
    """A board that was begun: what is known, and the parts that are left with their shares."""

    question: Question
    tally: Tally
    parts: list[tuple[bytes, float]]
    seconds: float


class Complaint(NamedTuple):
    """What is wrong with a board."""

    message: str


_shape = lru_cache(Shape)


def ask(entry: Entry) -> Question:
    """The question that an entry of a file puts."""
    if isinstance(entry.content, BoardError):
        return Question(entry.name, 0, 0, b"", str(entry.content))
    shape = entry.content.shape
    return Question(entry.name, shape.height, shape.width, entry.content.cells)


def reported(question: Question, tally: Tally, seconds: float, requested: int | None) -> Report:
    """What a tally says of a board."""
    return Report(
        source=question.source,
        board=question.board,
        solutions=tally.solutions,
        complete=tally.complete,
        nodes=tally.nodes,
        seconds=seconds,
        engine="search",
        cores=tally.cores,
        requested_cores=requested or tally.cores,
        tasks=tally.tasks,
    )


def answer_all(
    questions: list[Question], rendering: str, limit: int | None, requested: int | None
) -> list[str | Unfinished | Complaint]:
    """Answers in print, in order, on one core."""
    from enumerator.search import start, tallies

    render = RENDERINGS[rendering]
    answers: list[str | Unfinished | Complaint] = []
    for question in questions:
        if question.error:
            answers.append(Complaint(question.error))
            continue
        started = perf_counter()
        walk = start(question.board)
        for tally in tallies(walk, limit):
            if perf_counter() - started > GIVE_UP and not tally.complete:
                break
        seconds = perf_counter() - started
        if tally.complete or tally.solutions == limit:
            answers.append(render(reported(question, tally, seconds, requested)))
        else:
            answers.append(Unfinished(question, tally, walk.parts(), seconds))
    return answers
