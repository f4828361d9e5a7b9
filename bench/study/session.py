"""A run of many measurements: in rounds, by turns, and interrupted without loss.

    round     every board once with every setting, so that a slow hour affects all alike
    skipped   a board that was left at Ctrl-C: the run continues with the next one

A second Ctrl-C, soon after the first, ends the run. All measurements are in its table by then.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.common.commands import INTERRUPTED, run_module
from bench.study.trial import Trial, TrialResult
from bench.tables.table import DataError, Row, Table

SECOND_INTERRUPT_SECONDS = 2.0
"""A second Ctrl-C within this time ends the run: long enough for a person to press it twice."""


class Step(NamedTuple):
    """One measurement of a board."""

    board: str
    setting: str
    measure: Callable[[], None] | None
    """Measures, and adds the row to the table; None: the row exists, or cannot be had."""


class InterruptHandler:
    """Raises KeyboardInterrupt at Ctrl-C during a measurement.

    After Ctrl-C between two measurements, it is raised at the start of the second.
    """

    def __init__(self) -> None:
        self.is_measuring = self.is_pending = False

    def handle(self, *_: object) -> None:
        if self.is_measuring:
            raise KeyboardInterrupt
        self.is_pending = True

    @contextmanager
    def install(self) -> Iterator[None]:
        """Replace the handler of SIGINT within the block."""
        before = signal.signal(signal.SIGINT, self.handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def run(self, measure: Callable[[], None]) -> None:
        self.is_measuring = True
        try:
            if self.is_pending:
                self.is_pending = False
                raise KeyboardInterrupt
            measure()
        finally:
            self.is_measuring = False


def run_steps(steps: Iterable[Step], total: int, skipped: set[str]) -> int:
    """Make all measurements, with a progress bar; return an exit status.

    A board that is left at Ctrl-C is added to `skipped`.
    """
    console, handler, interrupted = Console(stderr=True, highlight=False), InterruptHandler(), -inf
    with handler.install(), progress_bar(console) as progress:
        bar = progress.add_task("", total=total)
        for board, setting, measure in steps:
            progress.update(bar, description=f"{board} {setting}")
            try:
                if measure and board not in skipped:
                    handler.run(measure)
            except KeyboardInterrupt:
                if monotonic() - interrupted < SECOND_INTERRUPT_SECONDS:
                    console.print("interrupted: all measurements are saved; the same command resumes the run")
                    return INTERRUPTED
                interrupted = monotonic()
                skipped.add(board)
                console.print(f"{board} is left out from here on; Ctrl-C once more ends the run")
            progress.advance(bar)
    return 0


def progress_bar(console: Console) -> Progress:
    """Return a progress bar that is shown on a terminal only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def open_table(path: Path, kind: type[Row], command: str, fresh: bool) -> Table[Row]:
    """Return the table to begin or to resume; end the command if it is of another run."""
    try:
        return Table(path, kind, command, fresh)
    except DataError as error:
        raise SystemExit(f"bench: {error}") from None


def run_trial(trial: Trial, timeout: float | None = None) -> TrialResult:
    """Count in a new process; raise TimeLimitError after `timeout` seconds."""
    text = run_module("bench.study.trial", text=json.dumps(asdict(trial)), timeout=timeout)
    return TrialResult(**json.loads(text))
