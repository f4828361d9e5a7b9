"""The questions about one board whose answers are solutions of a list, in its order."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from enumerator.api.filling import check_memory
from enumerator.api.signatures import sharing
from enumerator.board import Board
from enumerator.questions.checks import (
    BoardLike,
    Keywords,
    PathLike,
    asking_with,
    check_integer,
    check_path,
    check_seed,
    check_whole,
    read_asked,
)
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan
from enumerator.text.phrases import plural, whole

if TYPE_CHECKING:
    from typing import Unpack

    from enumerator.questions.listing import ListAnswer


@sharing(Keywords)
def solutions(
    board: BoardLike, *, limit: int | None = None, checkpoint: PathLike | None = None, **keywords: Unpack[Keywords]
) -> Iterator[Board]:
    """Return an iterator over at most `limit` solutions (None: all).

    >>> for solution in en.solutions("1234 3412 .... ....", limit=2):
    ...     print(solution)
    1234341221434321
    1234341223414123

    They are in the order of `enumerate --list`. It depends on the board and the engine, and on
    nothing else; it is not lexicographic. One core is used, unless `cores` is another number (None:
    all): then threads find solutions ahead of the caller. The threads end with the iterator.

    `checkpoint` names a file that records which solutions were yielded. Another iterator with the
    same arguments continues after them:

    >>> first = en.solutions("1234 3412 .... ....", checkpoint="list.db")
    >>> str(next(first))
    '1234341221434321'
    >>> first.close()
    >>> str(next(en.solutions("1234 3412 .... ....", checkpoint="list.db")))
    '1234341223414123'

    After `kill -9`, those of the last half second are yielded again. `write_solutions` resumes a file
    without a line twice.

    The iterator raises OutOfTimeError when finding the solutions has taken `time_limit` seconds.
    The time that the caller spends on them does not count. The other keywords and errors are those of
    `count`.
    """
    keywords.setdefault("cores", 1)
    board, plan = read_asked(board, keywords, limit)
    if checkpoint is not None:
        return _resume(board, plan, keywords, check_path("checkpoint", checkpoint))
    from enumerator.questions.solutions import boards_of

    return boards_of(board.shape, _cells(board, plan, keywords))


UNDONE_LIST = "the list is not complete"


def _cells(board: Board, plan: Plan, keywords: Keywords) -> Generator[bytearray, None, None]:
    """Yield the cells of some solutions after the other."""
    from enumerator.questions.solutions import solution_list, watched_cells

    with asking_with(UNDONE_LIST, keywords) as question:
        found = solution_list(board, plan)
        cells = watched_cells(found, board.shape, plan.effective_cores(), plan.limit, question.watch)
        yield from question.pausing(cells)


def _resume(board: Board, plan: Plan, keywords: Keywords, checkpoint: str) -> Generator[Board, None, None]:
    """Yield the solutions that a checkpoint does not record."""
    from enumerator.questions.resumable import resume_solutions

    with asking_with(UNDONE_LIST, keywords) as question:
        yield from question.pausing(resume_solutions(board, plan, checkpoint, question.watch))


@sharing(Keywords)
def write_solutions(
    board: BoardLike,
    path: PathLike,
    *,
    limit: int | None = None,
    checkpoint: PathLike | None = None,
    **keywords: Unpack[Keywords],
) -> ListAnswer:
    """Write at most `limit` solutions (None: all) to a file, one per line.

    >>> en.write_solutions("1234 3412 .... ....", "list.txt")
    <ListAnswer: 4 solutions written, all>
    >>> with open("list.txt") as file:
    ...     print(file.read(), end="")
    1234341221434321
    1234341223414123
    1234341241232341
    1234341243212143

    They are in the order of `solutions`, by the same engine. If `path` ends in .gz, .zst, .xz or
    .bz2, the file is compressed. `checkpoint` names a file that records how far the list is
    written. The same call with the same file resumes the list.

    Raise OSError if `path` cannot be written, and ValueError if it ends in .zip or the like. Raise
    LedgerError if `checkpoint` is not a checkpoint of this list. Raise ResumeError if `path` is not
    the file that the checkpoint belongs to. The other keywords and errors are those of `count`.
    """
    from enumerator.questions import listing as questions

    board, plan = read_asked(board, keywords, limit)
    time_limit = keywords.get("time_limit")
    path, name = check_path("path", path), None if checkpoint is None else check_path("checkpoint", checkpoint)
    if name is not None and os.path.realpath(name) == os.path.realpath(path):
        raise ValueError(f"{name}: cannot be the ledger and the solutions at the same time")
    with asking_with(UNDONE_LIST, keywords, has_deadline=False) as question:
        answer = questions.write_file(board, path, plan, time_limit=time_limit, checkpoint=name, watch=question.watch)
        if answer.out_of_time:
            error = OutOfTimeError()
            error.answer = answer
            raise error
        return answer


@sharing(Keywords)
def nth(board: BoardLike, n: int, **keywords: Unpack[Keywords]) -> Board:
    """Return solution number `n`, counted from 0, in the order of `solutions`.

    >>> str(en.nth("1234 3412 .... ....", 3))
    '1234341243212143'

    The order depends on the board and the engine. With boxes up to 3×3 the solutions before it are
    not visited. Raise NoSuchSolutionError if there are no more than `n`. The keywords and other
    errors are those of `count`.
    """
    from enumerator.questions import solutions as questions

    board, plan = read_asked(board, keywords)
    if (n := check_integer("n", n)) < 0:
        raise ValueError(f"n must be at least 0, not {n}: solutions are counted from 0")
    with asking_with(f"solution {whole(n, '{:,}')} is not reached", keywords) as question:
        return questions.nth(board, n, plan, watch=question.watch)


@sharing(Keywords)
def sample(board: BoardLike, n: int, seed: int | None = None, **keywords: Unpack[Keywords]) -> list[Board]:
    """Return `n` solutions, uniformly random and independent of each other.

    >>> en.sample("." * 81, 2, seed=1) == en.sample("." * 81, 2, seed=1)
    True
    >>> len(en.sample("1234 3412 .... ....", 10))
    10

    The same `seed` gives the same sample. A board with boxes larger than 3×3 is walked once, to
    number its solutions; `time_limit` bounds that. Raise NoSuchSolutionError if there is no
    solution, and MemoryError if `n` solutions do not fit into memory. The keywords and other errors
    are those of `count`; their `answer` holds the solutions that were chosen.
    """
    from enumerator.questions import sample as questions

    board, plan = read_asked(board, keywords)
    n, seed = check_whole("n", n, 0), check_seed(seed)
    check_memory(n, board.shape, "a smaller n")
    with asking_with(f"{plural(n, 'solution', '{:,}')} could not be chosen", keywords) as question:
        return questions.sample(board, n, plan, seed=seed, watch=question.watch)
