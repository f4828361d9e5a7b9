"""Random solutions of a board. A sample is the n-th solution for a uniformly random n."""

from __future__ import annotations

import random
from collections.abc import Iterator

from enumerator.board import Board
from enumerator.engines.interfaces import SolutionIndex, SolutionList
from enumerator.questions.ask import carrying
from enumerator.questions.solutions import NoSuchSolutionError, build_index, pick_lines, solution_list, to_boards
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress

FIRST_DRAW, LARGEST_DRAW = 64, 16_384
"""The first and the largest number of solutions drawn at a time. Few at first, so that it is fast."""

WATCHED_DRAWS = 1_024
"""The number of solutions of a sample between two reports of its progress."""


def sample(
    board: Board,
    number: int,
    plan: Plan,
    *,
    seed: int | None = None,
    watch: Watch = no_progress,
) -> list[Board]:
    """Return `number` solutions, uniformly random and independent of each other.

    Errors that end the question have those chosen so far in `answer`.
    """
    found, boards = solution_list(board, plan), list[Board]()
    with carrying(lambda: boards):
        for each in to_boards(board.shape, sample_lines(found, number, seed, plan.effective_cores(), watch)):
            boards.append(each)
            if not len(boards) % WATCHED_DRAWS:
                watch(Progress(len(boards) / number, len(boards), "samples", number))
    return boards


def sample_lines(
    solutions: SolutionList,
    number: int,
    seed: int | None,
    cores: int,
    watch: Watch = no_progress,
) -> Iterator[bytes]:
    """Return `number` random lines of a list, with repetition; raise NoSuchSolutionError if the list is empty."""
    index = sample_index(solutions, cores, watch)
    return (line for numbers in draw_numbers(index.total, number, seed) for line in pick_lines(index, numbers, cores))


def sample_index(solutions: SolutionList, cores: int, watch: Watch = no_progress) -> SolutionIndex:
    """Number the solutions of a list; raise NoSuchSolutionError if it is empty."""
    index = build_index(solutions, cores, watch=watch)
    if not index.total:
        raise NoSuchSolutionError("there is no solution to choose")
    return index


def draw_numbers(total: int, number: int, seed: int | None) -> Iterator[list[int]]:
    """Yield `number` random numbers from 0 to `total` - 1, some at a time."""
    size, rng = FIRST_DRAW, random.Random(seed)
    while number > 0:
        numbers = [rng.randrange(total) for _ in range(min(size, number))]
        yield numbers
        number, size = number - len(numbers), min(4 * size, LARGEST_DRAW)
