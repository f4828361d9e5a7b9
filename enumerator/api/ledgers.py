"""The questions about a checkpoint, the file that records a run."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Literal

from enumerator.questions.ask import asking
from enumerator.questions.checks import (
    PathLike,
    ProgressLike,
    check_path,
    check_progress,
    check_seconds,
    check_seed,
    check_share,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from enumerator.board import Board
    from enumerator.questions.audit import AuditAnswer
    from enumerator.questions.checkpoints import Ledger
    from enumerator.questions.status import StatusAnswer
    from enumerator.run.plan import Plan


def ledger_of(
    question: Literal["count", "different"], board: Board, plan: Plan, checkpoint: PathLike | None
) -> AbstractContextManager[Ledger | None]:
    """Create or resume the ledger of a question; None if it has no checkpoint."""
    if checkpoint is None:
        return nullcontext()
    from enumerator.questions.checkpoints import open_count, open_different

    open_ledger = open_count if question == "count" else open_different
    return open_ledger(check_path("checkpoint", checkpoint), board, plan)


def status(checkpoint: PathLike) -> StatusAnswer:
    """Return the state of the run that writes `checkpoint`.

    >>> en.count("1234 3412 .... ....", checkpoint="run.db")
    4
    >>> answer = en.status("run.db")
    >>> answer
    <StatusAnswer: finished, 100 % done, 4 solutions>
    >>> answer.state, answer.share, answer.solutions
    ('finished', 1.0, 4)

    Raise LedgerError if it is not a checkpoint.
    """
    from enumerator.questions import status as questions

    return questions.status(check_path("checkpoint", checkpoint))


def audit(
    checkpoint: PathLike,
    *,
    time_limit: float | None = None,
    progress: ProgressLike = None,
    share: float = 0.05,
    seed: int | None = None,
) -> AuditAnswer:
    """Recount a random `share` of the tasks of a checkpoint and compare the results.

    >>> en.count("1234 3412 .... ....", checkpoint="run.db")
    4
    >>> answer = en.audit("run.db", share=1.0)
    >>> answer
    <AuditAnswer: 1 of 1 task recounted, all agree>
    >>> answer.agrees
    True

    The same `seed` chooses the same tasks. Raise LedgerError if `checkpoint` is not a checkpoint.
    The other keywords and errors are those of `count`; their `answer` holds the findings so far.
    """
    from enumerator.questions import audit as questions

    name, share, seed = check_path("checkpoint", checkpoint), check_share("share", share), check_seed(seed)
    check_progress(progress)
    if time_limit is not None:
        check_seconds("time_limit", time_limit)
    with asking("the audit is not finished", time_limit, progress) as question:
        return questions.audit(name, share, seed, question.watch)
