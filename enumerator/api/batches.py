"""The questions about many boards: answers in order, on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike
from enumerator.run.plan import Plan, check_cores, check_time_limit

if TYPE_CHECKING:
    from enumerator.questions.classify import Verdict


def classify_all(
    boards: Iterable[BoardLike],
    *,
    shape: Shape | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
) -> Iterator[Verdict]:
    """Yield the verdicts on many boards, in order.

    A board that is not decided within `time_limit` seconds (None: no limit) is `Verdict.UNKNOWN`.
    While it is at work, the other cores go on with the boards behind it.

    >>> boards = [en.Board("1234 3412 .... ...."), en.Board("1... ..2. .3.. ...4")]
    >>> [str(verdict) for verdict in en.classify_all(boards)]
    ['multiple', 'unique']
    """
    from enumerator.questions import batches

    check_cores(cores)
    check_time_limit(time_limit)
    return batches.classify_all(boards, Plan(cores), shape, time_limit=time_limit)


def count_all(
    boards: Iterable[BoardLike],
    *,
    limit: int | None = None,
    shape: Shape | None = None,
    cores: int | None = None,
) -> Iterator[int]:
    """Yield the number of solutions, at most `limit`, of each board, in order."""
    from enumerator.questions import batches

    check_cores(cores)
    return batches.count_all(boards, Plan(cores=cores, limit=limit), shape)


def solve_all(
    boards: Iterable[BoardLike],
    *,
    shape: Shape | None = None,
    time_limit: float | None = None,
    cores: int | None = None,
) -> Iterator[Board | None]:
    """Yield the solution of each board, in order; None for a board without exactly one."""
    from enumerator.questions import batches

    check_cores(cores)
    check_time_limit(time_limit)
    return batches.solve_all(boards, Plan(cores), shape, time_limit=time_limit)
