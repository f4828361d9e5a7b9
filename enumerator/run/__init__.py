"""Counting on many cores, where that is worth it.

Most boards take a moment, and this module alone: it walks, and looks at the clock. Only where the moment passes is
the driver called, and what it needs imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from math import inf
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.engines import Done, Tally
from enumerator.engines.contraction import Summation, check, supports
from enumerator.engines.search import start
from enumerator.engines.search import tallies as walk_tallies
from enumerator.run.executors import cores_in_sight, processes, usable_cores

if TYPE_CHECKING:
    from enumerator.run.cluster import Cluster
    from enumerator.run.executors import Factory
    from enumerator.run.ledger.ledger import Ledger
    from enumerator.run.splitting import Job

ALONE_SECONDS = 0.05
"""So long a board is walked without help."""

EARLY_PRODUCT, EARLY_WORTH = 0.001, 0.1
"""Or less: until that time and what the whole seems to take, both in seconds, have such a product, which is a
millisecond where that is a second. But not where it seems to take less than so long. After a millisecond or two that is
right within a factor of three or so."""

SECONDS_A_BYTE = 1e-6
"""And so much longer for each byte of the boards that would be handed out: that must not cost more than it brings.
It is nothing for a 9×9 board, half a second for one of 25×25, and 15 seconds for one of 64×64."""

WORTH_SECONDS = 2.5
"""So much work of a batch must be waiting for processes to be started: on two cores, 1.7 s take as long with them."""

ENGINES = ("auto", "search", "contraction")

GLANCE = 20_000
"""After so many nodes, 3 ms, the walk is asked whether the contraction would be faster."""

FIRST_LOOK = {"contraction": 0, "auto": GLANCE, "search": inf}

WALKABLE = 300_000
"""So many nodes are walked in the time in which the contraction gets ready."""

UNITS_A_NODE = 4_000
"""The contraction has about so many units for the time of a node."""

LONG_UNITS = 6e9
"""A sum of so many units, 0.2 s, is shared out at once."""

FORBEARANCE = 4
"""A walk that was expected to be faster than the contraction may take so many times as long before that is done."""

DEATHS = 3
"""Work over which workers have died so often is not handed out again."""


class RunLostError(RuntimeError):
    """A run cannot go on. Says why."""


class WorkerLostError(RunLostError):
    """Work has ended its worker again and again."""


class DeadlyError(RuntimeError):
    """A cluster has given up a task: workers have died over it, as often as its scheduler allows."""


def keep_quiet(message: str) -> None:
    """For callers with no use for messages."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to count."""

    cores: int | None = None
    """How many to use; None: all there are."""
    limit: int | None = None
    cutoff: int | None = None
    """The search space at or below which a part is one task; None: there is none, and parts are divided
    where there are too few of them."""
    pool: Factory | None = processes
    """Makes the executor for long runs; None: the threads of this process do it all."""
    tell: Callable[[str], None] = keep_quiet
    """Hears what a user should know."""
    engine: str = "auto"
    """`search`, `contraction`, or the one that promises to be faster."""
    usable: Callable[[], int] = usable_cores
    in_sight: Callable[[], int] = cores_in_sight
    """How many there seem to be, at once: to find out for certain takes longer than one would think."""
    cluster: Cluster | None = None
    """Where tasks are sent, instead of all that: then `usable` is how many threads it has at the moment."""

    def effective_cores(self) -> int:
        """How many cores that comes to on this machine, or on the cluster."""
        if self.cores == 1 and not self.cluster:
            return 1
        usable = self.usable()
        return min(self.cores or usable, usable)


class Begun(NamedTuple):
    """A count that was left: what is known of it, the parts that are left with their shares, and what it has taken."""

    tally: Tally
    solutions: int
    """Those found by the engine at work; another that was tried before may have found more."""
    parts: Sequence[tuple[bytes, float] | tuple[bytes, float, int]]
    """The third is its row in a ledger, if there is one."""
    seconds: float
    rate: float
    """Its effort in a second: nodes, or units."""
    effort: int = 0
    """That of the engine at work."""


NOTHING = Tally()


class Alone:
    """A count on one core, slice by slice: a walk and, where that promises to take longer, the contraction."""

    __slots__ = ("_walked", "board", "plan", "started", "sum", "switch", "tally", "walk")

    def __init__(self, board: Board, plan: Plan) -> None:
        self.board, self.plan, self.started = board, plan, perf_counter()
        self.tally = NOTHING
        self.switch = Switch(board, plan)
        self.sum = self.switch.look(NOTHING)
        self.walk = start(board)
        self._walked = walk_tallies(self.walk, plan.limit)

    def step(self) -> Tally:
        """One slice, and a look at whether the next had better be another engine's."""
        if self.sum is None:
            self.tally = next(self._walked)
            if self.finished or not (better := self.switch.look(self.tally)):
                return self.tally
            self.sum = better
        else:
            self.sum.run()
        self.tally = summed(self.sum, self.tally, self.plan.limit)
        return self.tally

    @property
    def finished(self) -> bool:
        return self.tally.complete or self.tally.solutions == self.plan.limit

    @property
    def seconds(self) -> float:
        """What it has taken so far."""
        return perf_counter() - self.started

    @property
    def takes_long(self) -> bool:
        """Whether it is clear that this is nothing to be done alone."""
        if self.sum:
            return self.sum.problem.units > LONG_UNITS or self.seconds > ALONE_SECONDS
        whole = 0.0 if self.switch.is_open else self.seconds / max(self.tally.share, 1e-9)
        if self.plan.limit is not None and self.tally.solutions:
            whole = min(whole, self.seconds / self.tally.solutions * self.plan.limit)
        return takes_long(self.seconds, whole, self.walk.left * self.walk.cells)

    def leave(self) -> Begun:
        """Stop here, for others to go on."""
        if self.sum:
            return left(self.sum, self.tally, self.seconds)
        rate = self.tally.nodes / self.seconds
        return Begun(self.tally, self.tally.solutions, self.walk.parts(), self.seconds, rate, max(1, self.tally.nodes))


def takes_long(seconds: float, whole: float, burden: int = 0) -> bool:
    """Whether a walk that has taken so long, and seems to take so long as a whole, should be shared out.

    So many bytes are to be handed out then.
    """
    if burden * SECONDS_A_BYTE < ALONE_SECONDS and seconds * whole > EARLY_PRODUCT and whole > EARLY_WORTH:
        return True
    return seconds > ALONE_SECONDS + burden * SECONDS_A_BYTE


def summed(summation: Summation, before: Tally, limit: int | None) -> Tally:
    """What a sum says, given what was known before."""
    found = summation.solutions
    complete = summation.finished and (limit is None or found <= limit)
    known = found if summation.finished else max(found, before.solutions)
    return Tally(
        known if limit is None else min(known, limit),
        before.nodes,
        complete,
        summation.share,
        tasks=before.tasks,
        engine="contraction",
    )


def left(summation: Summation, tally: Tally, seconds: float) -> Begun:
    """A sum that was left. One without items is work, too: it is finished, not divided."""
    effort = max(1, int(summation.spent)) if summation.item or summation.finished else 0
    return Begun(tally, summation.solutions, summation.parts(), seconds, summation.rate, effort)


class Switch:
    """Says when to leave the walk for the contraction.

    The walk is given about as many nodes as the contraction would cost, and fewer if it is clear that they will not do.
    So a count takes at most some times as long as the better of the two would have taken.
    """

    __slots__ = ("_next", "_sum", "board", "limit")

    def __init__(self, board: Board, plan: Plan) -> None:
        self.board, self.limit = board, plan.limit
        self._sum: Summation | None = None
        self._next = FIRST_LOOK[plan.engine]  # the number of nodes at which to look again

    @property
    def is_open(self) -> bool:
        """Whether it is to be looked for the first time soon: until then, nobody knows what it will take."""
        return self._next == GLANCE

    def look(self, tally: Tally) -> Summation | None:
        """The contraction, if it is time for it."""
        if tally.nodes < self._next:
            return None
        if self._next < GLANCE or self._sum:
            return self._known()
        if not supports(self.board.shape):
            self._next = inf
            return None
        expected = tally.nodes / max(tally.share, 1e-300)
        if self.limit is not None and tally.solutions:
            expected = min(expected, tally.nodes / tally.solutions * self.limit)
        if expected < WALKABLE:
            self._next = WALKABLE
            return None
        worth = self._known().problem.units / UNITS_A_NODE
        self._next = max(WALKABLE, FORBEARANCE * worth)
        return self._known() if expected > worth else None

    def _known(self) -> Summation:
        self._sum = self._sum or Summation(self.board)
        return self._sum


def tallies(
    board: Board, plan: Plan | None = None, begun: Begun | None = None, ledger: Ledger | None = None
) -> Generator[Tally, None, None]:
    """Count, or go on with a count, and say again and again how far it is. The last tally is the answer.

    With a ledger, what is said is written down, and what was written down before is gone on with.
    """
    plan = plan or Plan()
    alone = None
    if begun is None and not (ledger and ledger.engine):
        alone = Alone(board, plan)
        while not begun:
            tally = alone.step()
            if not alone.finished:
                yield tally
                if (plan.cores != 1 or plan.cluster or ledger) and alone.takes_long:
                    begun = alone.leave()
            elif ledger is None:
                yield tally
                return
            else:
                begun = alone.leave()
    from enumerator.run.driver import Driver
    from enumerator.run.splitting import Ranges, Tree

    def job(engine: str) -> Job:
        return Ranges(board) if engine == "contraction" else Tree(board.shape, plan.cutoff, plan.limit is not None)

    if ledger:
        begun = resumed(ledger, job) if begun is None else written(ledger, job, board, begun)
    if begun is None:
        raise RuntimeError("nothing was begun")
    if begun.tally.engine == "search":
        switch = alone.switch if alone else Switch(board, plan)
        started = perf_counter() - begun.seconds
        summation = None
        with closing(Driver(job("search"), plan, begun, ledger).run()) as walking:
            for tally in walking:
                yield tally
                if not (tally.complete or tally.solutions == plan.limit) and (summation := switch.look(tally)):
                    break
        if not summation:
            return
        begun = left(summation, summed(summation, tally, plan.limit), perf_counter() - started)
        if ledger:
            begun = written(ledger, job, board, begun)
    yield from Driver(job("contraction"), plan, begun, ledger).run()


def written(ledger: Ledger, job: Callable[[str], Job], board: Board, begun: Begun) -> Begun:
    """A count that was begun, as it stands in a ledger from now on."""
    engine = job(begun.tally.engine)
    done = Done(begun.solutions, begun.effort, begun.seconds, [])
    left = [engine.part(*part) for part in begun.parts]
    opened = ledger.settle(ledger.begin(engine, engine.whole(board)), done, left)
    ledger.commit(last=True)
    return begun._replace(parts=[part[1:] for part in opened])


def resumed(ledger: Ledger, job: Callable[[str], Job]) -> Begun:
    """A count that a ledger remembers."""
    known, engine = ledger.book.account, ledger.engine
    nodes = known.effort if engine == "search" else 0
    tally = Tally(known.solutions, nodes, share=known.share, engine=engine)
    rate = known.effort / known.worked if known.effort and known.worked else SLOW[engine]
    parts = [part[1:] for part in ledger.parts(job(engine))]
    return Begun(tally, known.solutions, parts, ledger.book.seconds, rate)


SLOW = {"search": 1e5, "contraction": 1e9}
"""The effort in a second, where nothing is known of it yet."""


def to_be_summed(board: Board, engine: str) -> bool:
    """Whether an engine other than a count's is the contraction, and always the same one for a board.

    What is short is walked; what is not, where that is possible, is left to the contraction.
    """
    if engine != "auto" or not supports(board.shape):
        return engine == "contraction"
    return not is_short(board)


def is_short(board: Board) -> bool:
    """Whether a board can be walked in a moment."""
    walk = start(board)
    walk.run(GLANCE * 81 // board.shape.cells)
    return walk.finished


def check_choice(board: Board, cores: int | None, engine: str) -> None:
    """Raise ValueError for what cannot be meant."""
    if engine not in ENGINES:
        raise ValueError(f"{engine!r} is no engine: it must be one of {', '.join(ENGINES)}")
    if engine == "contraction":
        check(board.shape)
    check_cores(cores)


def check_cores(cores: int | None) -> None:
    """Raise ValueError for no cores at all."""
    if cores is not None and index(cores) < 1:
        raise ValueError(f"{cores} cores: at least 1 is needed")


def checked(board: Board, cores: int | None, engine: str) -> int:
    """How many cores to use, after a look at what was asked for."""
    check_choice(board, cores, engine)
    return Plan(cores).effective_cores()


def count(
    board: Board,
    limit: int | None = None,
    cores: int | None = None,
    engine: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
) -> int:
    """The number of solutions, exact; with a limit, no more than that.

    A board that takes longer than a moment is counted on several cores: on so many, or on all there are. The engine is
    "search", which walks, or "contraction", which does not and is for boards up to 9×9; or what promises to be faster.
    A checkpoint is a file that remembers what is done, so that the same call goes on where it was left; LedgerError is
    raised if it is anything else. RunLostError: workers die again and again, or the checkpoint cannot be written.
    """
    check_choice(board, cores, engine)
    plan = Plan(cores=cores, limit=limit, engine=engine)
    ledger = None
    if checkpoint is not None:
        from enumerator.run.ledger.ledger import Ledger, asked

        ledger = Ledger(os.fspath(checkpoint), asked("count", board, plan))
    with ledger or nullcontext(), closing(tallies(board, plan, ledger=ledger)) as counting:
        for last in counting:  # noqa: B007
            pass
    return last.solutions
