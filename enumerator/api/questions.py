"""The questions about one board, or about a ledger."""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import index
from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.run.plan import Plan, check_plan, check_time_limit
from enumerator.run.progress import Watch, no_progress

if TYPE_CHECKING:
    from enumerator.questions.audit import AuditAnswer
    from enumerator.questions.classify import Verdict
    from enumerator.questions.count import CountAnswer
    from enumerator.questions.estimate import EstimateAnswer
    from enumerator.questions.listing import ListAnswer
    from enumerator.questions.status import StatusAnswer

Path = str | os.PathLike[str]


def _plan(board: Board, cores: int | None, engine: str, limit: int | None = None) -> Plan:
    plan = Plan(cores=cores, limit=limit, engine=engine)
    check_plan(board, plan)
    return plan


def count(
    board: Board,
    limit: int | None = None,
    cores: int | None = None,
    engine: str = "auto",
    checkpoint: Path | None = None,
    *,
    watch: Watch = no_progress,
) -> int:
    """Return the exact number of solutions, or `limit` if there are more.

    A count that takes longer than about 50 ms runs on `cores` cores (None: all). `engine` is one
    of:

        "search"        visits every solution; for boards of every size
        "contraction"   counts without visiting solutions; for boxes up to 3×3
        "auto"          the one that is predicted to be faster

    `checkpoint` names a file that records finished work. The same call with the same file resumes
    the count. If the file is removed meanwhile, the count continues, and a warning says that it
    cannot be resumed. Raise LedgerError if the file is not a checkpoint of this count. Raise
    RunLostError if workers die repeatedly or the checkpoint cannot be written.
    """
    from enumerator.questions import count as questions

    plan = _plan(board, cores, engine, limit)
    if checkpoint is None:
        return questions.count(board, plan, watch=watch).solutions
    from enumerator.run.ledger import Ledger, run_identity

    with Ledger(os.fspath(checkpoint), run_identity("count", board, plan)) as ledger:
        return questions.count(board, plan, ledger=ledger, watch=watch).solutions


def verify(board: Board, cores: int | None = None, engine: str = "auto", *, watch: Watch = no_progress) -> CountAnswer:
    """Count the solutions of a board twice, in different ways, and return both counts.

    `agrees` of the returned answer is True if the counts are equal.
    """
    from enumerator.questions import count as questions

    return questions.count(board, _plan(board, cores, engine), verify=True, watch=watch)


def solutions(board: Board, cores: int | None = 1, engine: str = "auto", limit: int | None = None) -> Iterator[Board]:
    """Return an iterator over at most `limit` solutions (None: all).

    They are in the order of `enumerate --list`. It depends on the board and the engine, and on
    nothing else; it is not lexicographic. With more than one core (None: all), threads find
    solutions ahead of the caller. The threads end with the iterator.
    """
    from enumerator.questions.solutions import iterate_solutions

    return iterate_solutions(board, _plan(board, cores, engine, limit))


def write_solutions(
    board: Board,
    path: Path,
    checkpoint: Path | None = None,
    limit: int | None = None,
    cores: int | None = None,
    engine: str = "auto",
    *,
    watch: Watch = no_progress,
) -> ListAnswer:
    """Write at most `limit` solutions (None: all) to a file, one per line.

    They are in the order of `solutions`, by the same engine. If `path` ends in .gz, .zst, .xz or
    .bz2, the file is compressed. `checkpoint` names a file that records how far the list is written. The same call
    with the same file resumes the list.

    Raise OSError if `path` cannot be written, and ValueError if it ends in .zip or the like. Raise
    LedgerError if `checkpoint` is not a checkpoint of this list. Raise ResumeError if `path` is not
    the file that the checkpoint belongs to.
    """
    from enumerator.questions import listing as questions

    plan = _plan(board, cores, engine, limit)
    name = None if checkpoint is None else os.fspath(checkpoint)
    if name is not None and os.path.realpath(name) == os.path.realpath(path):
        raise ValueError(f"{name}: cannot be the ledger and the solutions at the same time")
    return questions.write_file(board, os.fspath(path), plan, checkpoint=name, watch=watch)


def nth(board: Board, n: int, cores: int | None = None, engine: str = "auto", *, watch: Watch = no_progress) -> Board:
    """Return solution number `n`, counted from 0, in the order of `solutions`.

    The order depends on the board and the engine. With boxes up to 3×3 the solutions before it are
    not visited.
    """
    from enumerator.questions import nth as questions

    plan = _plan(board, cores, engine)
    if index(n) < 0:
        raise ValueError(f"no solution {n}: they are counted from 0")
    return questions.nth(board, n, plan, watch=watch)


def sample(
    board: Board,
    number: int,
    seed: int | None = None,
    cores: int | None = None,
    engine: str = "auto",
    seconds: float | None = None,
    *,
    watch: Watch = no_progress,
) -> list[Board]:
    """Return `number` solutions, uniformly random and independent of each other.

    The same `seed` gives the same sample. A board with boxes larger than 3×3 is walked once, to
    number its solutions. Raise OutOfTimeError if that takes longer than `seconds` (None: 60).
    """
    from enumerator.questions import sample as questions

    plan = _plan(board, cores, engine)
    if index(number) < 0:
        raise ValueError(f"{number} solutions are less than none")
    return questions.sample(board, number, plan, seed=seed, time_limit=seconds, watch=watch)


def candidates(
    board: Board, cores: int | None = None, engine: str = "auto", *, watch: Watch = no_progress
) -> list[list[int]]:
    """Return the number of solutions with each digit in each cell.

    `candidates(board)[cell][digit - 1]` is the number of solutions with `digit` in `cell`. Cells
    are numbered from 0, row by row.
    """
    from enumerator.questions import candidates as questions

    return questions.candidates(board, _plan(board, cores, engine), watch=watch).counts


def classify(board: Board, *, time_limit: float | None = None) -> Verdict:
    """Return the verdict on a board: no solution, one, or several.

    At most two solutions are visited. A board that is not decided within `time_limit` seconds
    (None: no limit) is `Verdict.UNKNOWN`.
    """
    from enumerator.questions import classify as questions

    check_time_limit(time_limit)
    return questions.classify(board, Plan(cores=1), with_solution=False, time_limit=time_limit).verdict


def estimate(
    board: Board,
    seconds: float = 2.0,
    seed: int = 0,
    cores: int | None = None,
    engine: str = "auto",
    probes: int | None = None,
    *,
    watch: Watch = no_progress,
) -> EstimateAnswer:
    """Estimate the number of solutions and the time of a count. Takes about `seconds`.

    `seed` is the seed of the random probes. With `probes`, their number is given, and the estimated
    number of solutions does not depend on the speed of the machine. An interval without bounds
    means: too few probes to say.
    """
    from enumerator.questions import estimate as questions

    plan = _plan(board, cores, engine)
    return questions.estimate(board, plan, time_limit=seconds, seed=seed, probes=probes, watch=watch)


def status(checkpoint: Path) -> StatusAnswer:
    """Return the state of the run that writes `checkpoint`.

    Raise LedgerError if it is not a checkpoint.
    """
    from enumerator.questions import status as questions

    return questions.status(os.fspath(checkpoint))


def audit(checkpoint: Path, share: float = 0.05, seed: int | None = None, *, watch: Watch = no_progress) -> AuditAnswer:
    """Recount a random `share` of the tasks of a checkpoint and compare the results.

    The same `seed` chooses the same tasks. Raise LedgerError if `checkpoint` is not a checkpoint.
    """
    from enumerator.questions import audit as questions

    return questions.audit(os.fspath(checkpoint), share, seed, watch)
