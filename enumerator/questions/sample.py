"""Random solutions of a board. A sample is the n-th solution for a uniformly random n."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf

from enumerator.board import Board
from enumerator.engines.lists import SolutionIndex, SolutionList
from enumerator.questions.solutions import (
    NoSuchSolutionError,
    build_index,
    index_seconds,
    pick_lines,
    solution_list,
    to_boards,
)
from enumerator.run.errors import Interrupted, OutOfTimeError, Stopped
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress

FIRST_DRAW, LARGEST_DRAW = 64, 16_384
"""The first and the largest number of solutions drawn at a time.

Few at first, so that it is fast.
"""

WATCHED_DRAWS = 1_024
"""The number of solutions of a sample between two reports of its progress."""


def sample(
    board: Board,
    number: int,
    plan: Plan,
    *,
    seed: int | None = None,
    time_limit: float | None = None,
    watch: Watch = no_progress,
) -> list[Board]:
    """Return `number` solutions, uniformly random and independent of each other.

    OutOfTimeError, Stopped and Interrupted have those chosen so far in `answer`.
    """
    found, boards = solution_list(board, plan), list[Board]()
    seconds, cores = index_seconds(found, time_limit), plan.effective_cores()
    try:
        for each in to_boards(board.shape, sample_lines(found, number, seed, cores, seconds, watch)):
            boards.append(each)
            if not len(boards) % WATCHED_DRAWS:
                watch(Progress(len(boards) / number, len(boards), "samples", number))
    except (OutOfTimeError, Stopped) as error:
        error.answer = boards
        raise
    except KeyboardInterrupt as error:
        interrupted = Interrupted()
        interrupted.answer = boards
        raise interrupted from error
    return boards


def sample_lines(
    solutions: SolutionList,
    number: int,
    seed: int | None,
    cores: int,
    seconds: float = inf,
    watch: Watch = no_progress,
) -> Iterator[bytes]:
    """Return `number` random lines of a list, with repetition.

    Raise NoSuchSolutionError if the list is empty, and OutOfTimeError after `seconds`.
    """
    index = build_index(solutions, cores, seconds, watch=watch)
    if not index.total:
        raise NoSuchSolutionError("there is no solution to choose")
    return _draw(index, number, random.Random(seed), cores)


def _draw(index: SolutionIndex, number: int, rng: random.Random, cores: int) -> Iterator[bytes]:
    size = FIRST_DRAW
    while number > 0:
        numbers = [rng.randrange(index.total) for _ in range(min(size, number))]
        yield from pick_lines(index, numbers, cores)
        number, size = number - len(numbers), min(4 * size, LARGEST_DRAW)
