"""What a driver shows to those who watch it. The observer of this module ignores all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from enumerator.engines import Part, Record, Tally, TaskResult, Worker

if TYPE_CHECKING:
    from enumerator.run.local import PartialCount


class Observer:
    """Sees what a driver does. This one ignores it.

    A task is known by the list of its parts, the same one from `on_handed_out` to `on_result` or `on_lost`.
    """

    def wrap(self, work: Worker) -> Worker:
        """Return the function that workers call instead of `work`."""
        return work

    def watch(self, record: Record) -> Record:
        """Return the record that the driver keeps instead of `record`."""
        return record

    def on_begin(self, began: float) -> None:
        """A count began at that time."""

    def on_stage(self, name: str, began: float) -> None:
        """Something after the count has ended, which began at that time: an estimate, or a verification."""

    def on_start(self, start: PartialCount, engine: str) -> None:
        """A driver takes over a count from one core, from another engine, or from a ledger."""

    def on_portfolio(self, counts: int, began: float) -> None:
        """Several counts of the same board, each on a core of its own since `began`, are over."""

    def on_handed_out(self, parts: list[Part], budget: int, deaths: int) -> None:
        """A task was handed out; `deaths` workers have died over its parts."""

    def on_filled(self, idle_seats: int) -> None:
        """Tasks were handed out; `idle_seats` have none."""

    def on_wait(self) -> None:
        """The driver is about to wait for a result."""

    def on_woken(self) -> None:
        """The driver has waited, and takes in results."""

    def on_taken_in(self) -> None:
        """The driver has taken in all results that were there."""

    def on_result(self, parts: list[Part], result: TaskResult) -> None:
        """A task is done."""

    def on_tally(self, tally: Tally) -> None:
        """The driver has counted what it has handed out and taken in so far."""

    def on_lost(self, tasks: Iterable[list[Part]], reason: str, workers: Iterable[int] = ()) -> None:
        """Tasks will have no result: they were cancelled, or a worker has died, and with it these processes."""

    def on_request(self, number: int) -> None:
        """Processes were requested."""

    def on_answer(self, process: int) -> None:
        """A process has answered for the first time: it takes a seat."""

    def on_departure(self, address: str) -> None:
        """A worker has left the cluster: it was ended, or has died. The scheduler runs its tasks elsewhere."""

    def on_event(self, name: str, **facts: object) -> None:
        """Something else has happened."""


IGNORING = Observer()
"""An observer that ignores everything."""
