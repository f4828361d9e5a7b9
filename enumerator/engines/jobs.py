"""Counts: on one core, slice by slice, and as jobs whose parts are counted independently."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from enumerator.board import Board, Shape
from enumerator.board.symbols import symbol_table
from enumerator.engines.results import MOST, Part, Record, Share, Tally, TaskResult

if TYPE_CHECKING:
    from gmpy2 import mpq

SLICE_SECONDS = 0.02
"""The time of one step of a count on one core. Signals and limits are handled between steps."""


class Counting(Protocol):
    """A count on one core, slice by slice."""

    @property
    def tally(self) -> Tally:
        """The state of the count, including the results of an engine that was tried before."""
        ...

    @property
    def solutions(self) -> int:
        """The number of solutions that this engine has found. An engine that was tried before may have found more."""
        ...

    @property
    def effort(self) -> int: ...
    @property
    def rate(self) -> float:
        """The effort per second."""
        ...

    @property
    def promised_seconds(self) -> float:
        """The predicted seconds of the whole count; 0 if the engine cannot predict them."""
        ...

    @property
    def handover_bytes(self) -> int:
        """The size of all loads if the count were handed over to workers now."""
        ...

    @property
    def is_undecided(self) -> bool:
        """True if the count is not ready to be handed over, because its engine is not chosen yet."""
        ...

    @property
    def start_effort(self) -> int:
        """The effort before which a count is not handed over, because its parts would be poor."""
        ...

    @property
    def kept(self) -> bytes:
        """The first solutions, concatenated, if the engine keeps them: one, or two if there are several."""
        ...

    def step(self) -> Tally:
        """Count for one slice."""
        ...

    def parts(self) -> list[tuple[bytes, Share]]:
        """Return the remaining work, as loads with their shares of the whole."""
        ...


Worker: TypeAlias = Callable[[list[bytes], int, int, float], TaskResult]
"""The function that a worker calls with loads, a budget, a limit and a time in seconds.

Other processes must be able to import it. A `functools.partial` of such a function is allowed.
"""


class Recount(NamedTuple):
    """A part of a ledger that was counted again, for an audit."""

    way: str
    """The method of the recount, for messages."""
    there: str
    """The outcome in the ledger."""
    here: str
    """The outcome of the recount."""


def describe_outcome(solutions: int | None, left: Sequence[str]) -> str:
    """Return an outcome as text. Equal outcomes have equal texts."""
    return f"{solutions}{f', leaving {len(left)}: ' if left else ''}{' '.join(left)}"


class Job:
    """A count that can be split into parts. In this base class a load is a board."""

    minimum_budget = 1
    """The smallest useful budget."""
    weight = 1.0
    """The cost of sending a task, relative to a task of a walk over a 9×9 board."""
    stays_in_process = False
    """True if the tasks in a process help each other, so that threads are better than processes."""

    def __init__(self, engine: str, shape: Shape, work: Worker) -> None:
        self.engine, self.shape, self.work = engine, shape, work
        digits, symbols = bytes(range(shape.size + 1)), f".{shape.symbols}".encode()
        self._to_digits = bytes.maketrans(symbols, digits)
        self._foreign = bytes(set(range(256)) - set(symbols))

    def whole(self, board: Board) -> bytes:
        """Return the whole job as one load."""
        return board.cells

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        """Return the part with this load; its size is worked out here."""
        return Part(load.count(0), load, share, row)

    def tasks(self, parts: list[Part], record: Record) -> Iterator[Part]:
        """Return the parts to hand out to workers: split, if there is a cut-off."""
        return iter(parts)

    def divide(self, part: Part) -> list[Part] | None:
        """Return the smaller parts that a part consists of; None if it cannot be divided."""
        return None

    def describe(self, part: Part) -> str:
        return f"a part of the tree: {self.text(part.load)}"

    def text(self, load: bytes) -> str:
        """Return a load as text, for a ledger."""
        return load.translate(symbol_table(self.shape)).decode()

    def load(self, text: str) -> bytes:
        """Return the load for a text from a ledger; raise ValueError if it is not one."""
        symbols = text.encode()
        if len(symbols) != self.shape.cells or len(symbols.translate(None, self._foreign)) != len(symbols):
            raise ValueError(f"{text[:100]!r} is not a board of {self.shape}")
        return symbols.translate(self._to_digits)

    def board(self, load: bytes) -> Board | None:
        """Return a load as a board; None if it is not a board."""
        return Board.from_cells(self.shape, load)

    def recount(self, work: str, solutions: int, effort: int, left: list[str]) -> Recount:
        """Count a part of a ledger again, with the same budget, and compare."""
        (again,) = self.work([self.load(work)], effort, MOST, inf).parts
        here = describe_outcome(again.solutions, [self.text(load) for load, _ in again.rest])
        return Recount("the same task", describe_outcome(solutions, left), here)

    def redivide(self, work: str, left: list[str]) -> Recount:
        """Divide a part of a ledger again, and compare."""
        from enumerator.engines.shares import WHOLE

        below = self.divide(self.part(self.load(work), WHOLE)) or []
        here = describe_outcome(0, [self.text(part.load) for part in below])
        return Recount("the same division", describe_outcome(0, left), here)


class JobCounting:
    """A count on one core that calls the worker of a job. The default for engines."""

    promised_seconds = 0.0
    is_undecided = False
    start_effort = 0
    kept = b""

    def __init__(
        self,
        job: Job,
        parts: Sequence[tuple[bytes, Share]],
        limit: int | None,
        before: Tally,
        slice_seconds: float,
        done: tuple[int, int] = (0, 0),
    ) -> None:
        """Count these parts of a job, after the solutions and the effort of what is `done`."""
        self._job, self._limit, self._before, self._slice = job, limit, before, slice_seconds
        self._stack: list[tuple[bytes, Share]] = list(parts)[::-1]
        self.solutions, self.effort = done
        self._seconds, self._first_effort = 0.0, self.effort

    @property
    def rate(self) -> float:
        return (self.effort - self._first_effort) / max(self._seconds, 1e-9) or 1.0

    @property
    def handover_bytes(self) -> int:
        return sum(len(load) for load, _ in self._stack)

    @property
    def tally(self) -> Tally:
        share = max(0.0, 1.0 - sum(part / whole for _, (part, whole) in self._stack))
        return merge_tally(self._before, self, not self._stack, share, self._job.engine, self._limit)

    def step(self) -> Tally:
        started = perf_counter()
        while self._stack and perf_counter() - started < self._slice and self.solutions != self._limit:
            load, (part, whole) = self._stack.pop()
            wanted = MOST if self._limit is None else self._limit - self.solutions
            budget = max(self._job.minimum_budget, int(self.rate * self._slice))
            result = self._job.work([load], budget, wanted, self._slice)
            if not result.parts:  # the caller of this thread's task has stopped it
                self._stack.append((load, (part, whole)))
                break
            self.solutions += result.solutions
            self.effort += result.effort
            left = [one for done in result.parts for one in done.rest]
            self._stack += [(load, (part * inner, whole * of)) for load, (inner, of) in reversed(left)]
        self._seconds += perf_counter() - started
        return self.tally

    def parts(self) -> list[tuple[bytes, Share]]:
        return self._stack[::-1]


def merge_tally(
    before: Tally, counting: Counting, finished: bool, share: float, engine: str, limit: int | None
) -> Tally:
    """Return the tally of a count by an engine that started anew after another one was tried.

    `before` is the tally of the other engine, and `counting` is the count of this one. Until it is
    `finished`, the larger number of solutions is reported.
    """
    found = counting.solutions
    known = found if finished else max(found, before.solutions)
    return Tally(
        known if limit is None else min(known, limit),
        before.nodes,
        finished and (limit is None or found <= limit),
        share,
        tasks=before.tasks,
        engine=engine,
        effort=counting.effort,
    )
