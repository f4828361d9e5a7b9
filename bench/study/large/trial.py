"""One measurement of `python -m bench large` in a new process: a `Trial` in, a `Result` out, both as JSON.

The clock runs from the boards to the answers. The model that another program needs is part of that;
imports and a warm-up are not. Answers that take a moment are repeated. A count
that the time limit ends has found some solutions by then; a program that cannot stop is killed.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import cast

import enumerator
from bench.common.memory import peak_of_this_tree
from bench.study.peer_programs import MORE_PROGRAMS, PROGRAMS, WARM_UP, Found, Task
from bench.study.trial import WARM_UP_SECONDS
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.questions.checks import EngineName
from enumerator.run.workers.executors import shut_down_pools

REPEAT_SECONDS = 0.3
"""Shorter answers are repeated until this time has passed; the least time counts."""

VERDICT, COUNT = "verdict", "count"
"""The questions: none, one or several solutions; or how many."""

CODES = {"none": Found(0), "unique": Found(1), "multiple": Found(2), "unknown": Found(0, False)}
"""Our verdicts as numbers of solutions, where 2 means several."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Boards to decide or to count, one after the other, and the program that does it."""

    shape: str
    boards: list[str]
    question: str
    program: str
    """One of our engines, `auto`, or the name of another program."""
    cores: int
    seconds: float
    """The time limit of each board."""


@dataclass(frozen=True, slots=True)
class Result:
    """The measurements of a trial. Solutions are text: readers of JSON may not know such large numbers."""

    solutions: list[str]
    is_complete: bool
    seconds: float
    cpu: float
    """The processor time of this process and of those that it has started, as far as they have ended."""
    memory: float


def measure(trial: Trial) -> Result:
    shape = Shape.parse(trial.shape)
    boards = [Board.parse(text, shape) for text in trial.boards]
    warm_up(trial, boards[0])
    times: list[float] = []
    cpu = cpu_seconds()
    while sum(times) < REPEAT_SECONDS:
        started = perf_counter()
        found = answers(trial, boards)
        times.append(perf_counter() - started)
    memory = peak_of_this_tree()
    shut_down_pools()
    cpu = (cpu_seconds() - cpu) / len(times)
    is_complete = all(each.is_complete for each in found)
    return Result([str(each.solutions) for each in found], is_complete, min(times), cpu, memory)


def cpu_seconds() -> float:
    return sum(os.times()[:4])


def warm_up(trial: Trial, board: Board) -> None:
    """Import everything: by a board that is left after a moment, or by a short one."""
    if trial.program in engines.names():
        enumerator.classify(board, engine=cast("EngineName", trial.program), cores=1, time_limit=WARM_UP_SECONDS)
    else:
        {**PROGRAMS, **MORE_PROGRAMS}[trial.program].count(Task(Board.parse(WARM_UP), 2))


def answers(trial: Trial, boards: list[Board]) -> list[Found]:
    """Return the answers for all boards. `auto` decides several boards in one call."""
    if trial.program == engines.AUTO and trial.question == VERDICT and len(boards) > 1:
        found = enumerator.classify_all(boards, cores=trial.cores, time_limit=trial.seconds)
        return [CODES[verdict] for verdict in found]
    return [
        our_answer(trial, board) if trial.program in engines.names() else their_answer(trial, board) for board in boards
    ]


def our_answer(trial: Trial, board: Board) -> Found:
    if trial.question == VERDICT:
        verdict = enumerator.classify(
            board, engine=cast("EngineName", trial.program), cores=trial.cores, time_limit=trial.seconds
        )
        return CODES[verdict]
    try:
        return Found(
            enumerator.count(
                board, engine=cast("EngineName", trial.program), cores=trial.cores, time_limit=trial.seconds
            )
        )
    except enumerator.OutOfTimeError as error:
        return Found(error.at_least, is_complete=False)


def their_answer(trial: Trial, board: Board) -> Found:
    program = {**PROGRAMS, **MORE_PROGRAMS}[trial.program]
    return program.count(Task(board, 2 if trial.question == VERDICT else None, trial.seconds, is_reduced=True))


if __name__ == "__main__":
    print(json.dumps(asdict(measure(Trial(**json.load(sys.stdin))))))
