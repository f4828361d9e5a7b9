"""The request of a command: its options, and the plan, format and output that follow from them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NamedTuple

from enumerator.command.console import complain
from enumerator.questions.ask import asking
from enumerator.questions.plans import Plan, plan_of
from enumerator.questions.progress_bar import ProgressBar

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from enumerator.questions.ask import Question
    from enumerator.questions.checkpoints import Ledger
    from enumerator.questions.listing import Output
    from enumerator.questions.plans import BatchPacing, Pacing
    from enumerator.run.local import PartialCount
    from enumerator.run.workers.cluster import Cluster


class Request(NamedTuple):
    """The options of a command, and the plan, format and output that follow from them."""

    options: argparse.Namespace
    plan: Plan
    form: str
    """The format of an answer: `json`, `csv`, `number`, `text` or, on a terminal, `drawing` or `ascii`."""
    output: Output | None = None
    """The output that solutions are written to; None for questions without solutions."""
    has_bar: bool = False
    """True if progress is shown on a terminal."""
    start: PartialCount | None = None
    """The count that one core gave up, of the board that is asked about."""
    ledger: Ledger | None = None
    """The ledger of the question about this board; None if nothing is recorded."""

    def bar(self, earlier_seconds: float = 0.0) -> ProgressBar:
        """Return a bar for a question on which `earlier_seconds` were spent before."""
        return ProgressBar(self.has_bar, earlier_seconds)

    def asking(
        self, undone: str, time_limit: float | None = None, earlier_seconds: float = 0.0
    ) -> AbstractContextManager[Question]:
        """Return a block in which a question is asked, with a bar and a deadline after `time_limit` seconds."""
        earlier_seconds = self.ledger.contents.seconds if self.ledger else earlier_seconds
        return asking(undone, time_limit, self.bar(earlier_seconds))


def make_request(
    options: argparse.Namespace,
    output: Output | None,
    cluster: Cluster | None,
    pacing: Pacing | None = None,
    batch_pacing: BatchPacing | None = None,
) -> Request:
    """Return the request for parsed options."""
    about_work = options.cores, options.limit, options.cutoff, options.engine, options.backend
    plan = plan_of(*about_work, complain, cluster)
    plan = plan._replace(pacing=pacing or plan.pacing, batch_pacing=batch_pacing or plan.batch_pacing)
    plain = "json" if options.json else "csv" if options.csv else "number" if options.quiet else "text"
    is_ascii = options.ascii or not (sys.stdout.encoding or "").lower().startswith("utf")
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    is_scrolling = output is not None and output.is_terminal  # solutions would overwrite a bar
    return Request(
        options,
        plan,
        ("ascii" if is_ascii else "drawing") if plain == "text" and sys.stdout.isatty() else plain,
        output,
        is_terminal and not (options.quiet or options.no_progress or is_scrolling),
    )
