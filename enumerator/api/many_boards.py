"""The questions about many boards: answers in order, on all cores, at the speed of the kernels.

Boards are lines of text, Boards, rows, or an array of n × S × S integers. They are read as the answers
are taken, and memory does not grow with their number. A board that takes long gets all cores when its
turn comes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Literal, TypeVar

from enumerator.board import Board
from enumerator.board.coerce import as_shape
from enumerator.questions.ask import asking
from enumerator.questions.checks import BoardLike, EngineName, ProgressLike, ShapeLike, make_batch_plan
from enumerator.questions.gathering import BadItems, check_many
from enumerator.run.progress import Progress

if TYPE_CHECKING:
    from enumerator.questions.verdict import Verdict

Answer = TypeVar("Answer")
Value = TypeVar("Value")

BOARDS_A_REPORT = 1024
"""The number of boards between two reports of the progress."""


def count_all(
    boards: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
    engine: EngineName = "auto",
    progress: ProgressLike = None,
    limit: int | None = None,
    on_error: Literal["raise", "skip"] | Value = "raise",
) -> Iterator[int | Value]:
    """Yield the number of solutions of each board, or `limit` if there are more, in order.

    >>> list(en.count_all(["1234 3412 .... ....", "1234 .... .... ...."]))
    [4, 12]

    `boards` is any iterable of boards, such as an open file with one board per line:

    >>> with open("boards.txt", "w") as file:
    ...     print("12343412........", "1...............", sep=chr(10), file=file)
    >>> with open("boards.txt") as file:
    ...     list(en.count_all(file, limit=10))
    [4, 10]

    An item that is not a board, or that the engine cannot count, or that is not counted within
    `time_limit` seconds (None: no limit), is treated as `on_error` says. "raise": raise TypeError,
    ValueError or OutOfTimeError after the answers for the boards before it. "skip": leave it out.
    Anything else is the answer for it:

    >>> list(en.count_all(["1234 3412 .... ....", "no board", "1..............."], on_error=-1))
    [4, -1, 72]

    `read_all` reads files with comments or empty lines. The other keywords are those of `count`.
    """
    from enumerator.questions import counter as questions

    check_many(boards)
    plan = make_batch_plan(time_limit, cores, engine, progress, limit)
    bad = BadItems(on_error)
    return report(questions.count_all(boards, plan, as_shape(shape), time_limit=time_limit, bad=bad), progress)


def classify_all(
    boards: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
    on_error: Literal["raise", "skip"] | Value = "raise",
) -> Iterator[Verdict | Value]:
    """Yield the verdict on each board, in order.

    A board that is not decided within `time_limit` seconds (None: no limit) is `Verdict.UNKNOWN`.
    While it is at work, the other cores go on with the boards after it. The arguments are those of
    `count_all`.

    >>> list(map(str, en.classify_all(["1234 3412 .... ....", "1... ..2. .3.. ...4"])))
    ['multiple', 'unique']
    """
    from enumerator.questions import classify as questions

    check_many(boards)
    plan = make_batch_plan(time_limit, cores, progress=progress)
    bad = BadItems(on_error)
    return report(questions.classify_all(boards, plan, as_shape(shape), time_limit=time_limit, bad=bad), progress)


def solve_all(
    boards: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
    on_error: Literal["raise", "skip"] | Value = "raise",
) -> Iterator[Board | Value | None]:
    """Yield the solution of each board, in order; None for a board that does not have exactly one.

    A board that is not solved within `time_limit` seconds (None: no limit) also gives None. The
    arguments are those of `count_all`.

    >>> for solution in en.solve_all(["1234 3412 .... ....", "1... ..2. .3.. ...4"]):
    ...     print(solution)
    None
    1243342143122134
    """
    from enumerator.questions import classify as questions

    check_many(boards)
    plan = make_batch_plan(time_limit, cores, progress=progress)
    bad = BadItems(on_error)
    return report(questions.solve_all(boards, plan, as_shape(shape), time_limit=time_limit, bad=bad), progress)


def report(answers: Generator[Answer, None, None], progress: ProgressLike) -> Generator[Answer, None, None]:
    """Yield answers and report the number of boards; complete the error if they end early."""
    with asking("the boards are not all answered", None, progress) as question, closing(answers):
        if progress is None:
            yield from answers
            return
        number = 0
        for number, answer in enumerate(answers, 1):
            yield answer
            if number % BOARDS_A_REPORT == 0:
                question.watch(Progress(boards=number))
        question.watch(Progress(boards=number))
