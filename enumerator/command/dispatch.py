"""The table of questions, and the dispatch of a command to the view of its question."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.console import FAILED, UNUSABLE, complain
from enumerator.command.views import View
from enumerator.questions.plans import UnusableClusterError, connect_cluster, shut_down_pools
from enumerator.run.signals import ignore_signals

if TYPE_CHECKING:
    from enumerator.questions.plans import BatchPacing, Pacing

QUESTIONS = {
    "count": "enumerator.command.views.count",
    "list": "enumerator.command.views.listing",
    "nth": "enumerator.command.views.nth",
    "sample": "enumerator.command.views.sample",
    "candidates": "enumerator.command.views.candidates",
    "classify": "enumerator.command.views.classify",
    "estimate": "enumerator.command.views.estimate",
    "clues": "enumerator.command.views.clues",
    "steps": "enumerator.command.views.steps",
    "complete": "enumerator.command.views.complete",
    "unavoidable": "enumerator.command.views.unavoidable",
    "canonical": "enumerator.command.views.canonical",
    "distinct": "enumerator.command.views.distinct",
    "equivalent": "enumerator.command.views.equivalent",
    "different": "enumerator.command.views.different",
    "minimal": "enumerator.command.views.minimal",
    "generate": "enumerator.command.views.generate",
    "link": "enumerator.command.views.link",
    "status": "enumerator.command.views.status",
    "audit": "enumerator.command.views.audit",
    "serve": "enumerator.command.views.serve",
}
"""The questions by name, in the order of --help within their group. Each module has a constant `VIEW`.

The option `--NAME` asks the question NAME.
"""

GROUPS = {
    "solutions": "solutions (default: count them)",
    "clues": "clues of a puzzle",
    "sameness": "same or different boards",
    "making": "puzzles and links",
    "runs": "long runs, the page",
}
"""The groups of questions in --help, in order, with their titles. A view names its group."""

DEFAULT = "count"
"""The question of a command without an option for another one."""


def views() -> dict[str, View[Any]]:
    """Return the view of every question, by name."""
    return {name: import_module(module).VIEW for name, module in QUESTIONS.items()}


class RefusedError(Exception):
    """A command cannot begin. The message says why, and `status` is the exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def answer(
    question: str, options: argparse.Namespace, pacing: Pacing | None = None, batch_pacing: BatchPacing | None = None
) -> int:
    """Answer a question for every board or ledger that the options name. Return the exit status."""
    from enumerator.command.request import make_request

    view = views()[question]
    try:
        with ExitStack() as stack:
            output = None
            if view.takes("output"):
                from enumerator.command.solution_forms import UnusableOutputError, open_output

                try:
                    output = stack.enter_context(open_output(options, view.written))
                except UnusableOutputError as error:
                    raise RefusedError(str(error), UNUSABLE) from None
            cluster = None
            if options.backend == "dask":
                try:
                    found = connect_cluster(options.scheduler, complain, options.cores, pacing)
                except UnusableClusterError as error:
                    raise RefusedError(str(error), UNUSABLE if error.is_mistake else FAILED) from None
                cluster = stack.enter_context(found)
            if options.csv:
                from enumerator.command.printing import write_row

                console.write(f"{write_row(view.columns)}\n")
            return view.answer(make_request(options, output, cluster, pacing, batch_pacing))
    except RefusedError as error:
        complain(str(error))
        return error.status
    finally:
        ignore_signals()
        shut_down_pools()
