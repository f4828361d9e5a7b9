"""The table of questions, and the dispatch of a command to the view of its question."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.console import FAILED, UNUSABLE, complain
from enumerator.command.views import View
from enumerator.run.signals import ignore_signals
from enumerator.run.workers.executors import shut_down_pools

if TYPE_CHECKING:
    from enumerator.run.pacing import BatchPacing, Pacing
    from enumerator.run.workers.cluster import Cluster

QUESTIONS = {
    "count": "enumerator.command.views.count",
    "list": "enumerator.command.views.listing",
    "nth": "enumerator.command.views.nth",
    "sample": "enumerator.command.views.sample",
    "candidates": "enumerator.command.views.candidates",
    "classify": "enumerator.command.views.classify",
    "estimate": "enumerator.command.views.estimate",
    "canonical": "enumerator.command.views.canonical",
    "distinct": "enumerator.command.views.distinct",
    "equivalent": "enumerator.command.views.equivalent",
    "different": "enumerator.command.views.different",
    "link": "enumerator.command.views.link",
    "status": "enumerator.command.views.status",
    "audit": "enumerator.command.views.audit",
    "serve": "enumerator.command.views.serve",
}
"""The questions by name, in the order of --help. Each module has a constant `VIEW`.

The option `--NAME` asks the question NAME.
"""

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
                    output = stack.enter_context(open_output(options))
                except UnusableOutputError as error:
                    raise RefusedError(str(error), UNUSABLE) from None
            cluster = stack.enter_context(connect_cluster(options, pacing)) if options.backend == "dask" else None
            if options.csv:
                from enumerator.command.csv_lines import write_row

                console.write(f"{write_row(view.columns)}\n")
            return view.answer(make_request(options, output, cluster, pacing, batch_pacing))
    except RefusedError as error:
        complain(str(error))
        return error.status
    finally:
        ignore_signals()
        shut_down_pools()


def connect_cluster(options: argparse.Namespace, pacing: Pacing | None) -> Cluster:
    """Return the cluster that tasks are sent to. Raise RefusedError if it cannot be used."""
    try:
        from enumerator.run.pacing import DEFAULT_PACING
        from enumerator.run.workers.cluster import Cluster
        from enumerator.run.workers.remote import ClusterError
    except ImportError as error:
        if error.name not in ("distributed", "dask"):
            raise
        raise RefusedError("--backend dask needs Dask: pip install distributed", UNUSABLE) from None
    try:
        return Cluster(options.scheduler, complain, options.cores, pacing or DEFAULT_PACING)
    except ValueError as error:
        raise RefusedError(f"--scheduler: {error}", UNUSABLE) from None
    except ClusterError as error:
        raise RefusedError(str(error), FAILED) from None
