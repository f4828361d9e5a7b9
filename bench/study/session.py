"""A run of many measurements: in rounds, by turns, and interrupted without loss.

A round measures every board once with every setting, so that a slow hour affects all alike. Ctrl-C
ends the run, or the board at hand where boards can be left; then twice within a second ends the run.
All measurements are in its table by then, and the same command resumes it.
"""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import NamedTuple, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from bench.common.commands import INTERRUPTED, refuse, run_module
from bench.study.options import refuse_published
from bench.study.trial import Trial, TrialResult
from bench.tables.table import DataError, Row, Table


class Step(NamedTuple):
    """One measurement of a board."""

    board: str
    setting: str
    measure: Callable[[], None] | None
    """Measures, and adds the row to the table; None: the row exists, or cannot be had."""
    is_extra: bool = False
    """Left out when the time of the run is over: a round that makes others more certain."""


TWICE_SECONDS = 1.0
"""The time within which a second Ctrl-C ends a run whose boards can be left."""


class Interrupts:
    """The times of Ctrl-C during a run."""

    def __init__(self) -> None:
        self.last, self.are_two = -TWICE_SECONDS, False

    def hear(self, _number: int, _frame: FrameType | None) -> NoReturn:
        """Note the time of an interrupt, and raise KeyboardInterrupt."""
        now = monotonic()
        self.are_two, self.last = now - self.last < TWICE_SECONDS, now
        raise KeyboardInterrupt

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear interrupts in this block."""
        before = signal.signal(signal.SIGINT, self.hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def run_steps(
    steps: Iterable[Step], total: int, options: argparse.Namespace, leave: Callable[[str], None] | None = None
) -> int:
    """Make all measurements, with a progress bar; return an exit status.

    After `options.seconds`, extra steps are left out. With `leave`, Ctrl-C calls it with the name of the
    board at hand, and the next measurement follows.
    """
    interrupts = Interrupts()
    with interrupts.heard():
        return _run_steps(steps, total, options, leave, interrupts)


def _run_steps(
    steps: Iterable[Step],
    total: int,
    options: argparse.Namespace,
    leave: Callable[[str], None] | None,
    interrupts: Interrupts,
) -> int:
    console, started = Console(stderr=True, highlight=False), monotonic()
    budget: float | None = options.seconds
    measured = 0
    with progress_bar(console) as progress:
        bar = progress.add_task("", total=total, left="")
        try:
            for at, (board, setting, measure, is_extra) in enumerate(steps):
                passed = monotonic() - started
                if is_extra and budget is not None and passed > budget:
                    break
                left = passed / measured * (total - at) if measured else float(budget or 0.0)
                left = min(left, budget - passed) if budget is not None else left
                progress.update(bar, description=f"{board} {setting}", left=left_text(left + options.later_seconds))
                if measure:
                    try:
                        measure()
                    except KeyboardInterrupt:
                        if leave is None or interrupts.are_two:
                            raise
                        leave(board)
                        console.print(f"{board}: left; Ctrl-C twice within a second ends the run")
                    measured += 1
                progress.advance(bar)
        except KeyboardInterrupt:
            console.print("interrupted: all measurements are saved; the same command resumes the run")
            return INTERRUPTED
    return 0


def left_text(seconds: float) -> str:
    """Return the time that is left, in words; "" if that is not known."""
    if seconds <= 0:
        return ""
    return f"about {seconds / 60:.0f} min left" if seconds > 90 else f"about {seconds:.0f} s left"


def progress_bar(console: Console) -> Progress:
    """Return a progress bar that is shown on a terminal only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def open_table(path: Path, kind: type[Row], command: str, fresh: bool) -> Table[Row]:
    """Return the table to begin or to resume; refuse one of another run, and those of results/."""
    refuse_published(path.parent)
    try:
        return Table(path, kind, command, fresh)
    except DataError as error:
        refuse(str(error))


def run_trial(trial: Trial, timeout: float | None = None) -> TrialResult:
    """Count in a new process; raise TimeLimitError after `timeout` seconds."""
    text = run_module("bench.study.trial", text=json.dumps(asdict(trial)), timeout=timeout)
    return TrialResult(**json.loads(text))
