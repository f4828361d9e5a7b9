"""Counts on many cores: the tree is cut into parts, and workers count parts until there are none.

                     +-------------------------------- this process ---------------------------------+   +- workers -+
                     |                                                                               |   |           |
      board -> walk alone -- finished -> done                                                        |   |           |
                     |                                                                               |   |           |
                 not finished                                +---------+   parts,     +-----------+  |   |           |
                     |                                       |         |   budget     | executor: |  |   |           |
                   parts -> split at the cut-off -> source ->| Stock   |------------->| threads,  |->|-->| work():   |
                     |                                       |         |              | then      |  |   |  start,   |
                     |                     boards not visited|         |   Outcome    | processes |  |   |  run,     |
                     |                  +------------------->|         |         +----|           |<-|<--|  parts    |
                     |                  |                    +---------+         |    +-----------+  |   |           |
                     |                  |                                        v                   |   |           |
                     |                  +-----------------------------+-- _land(): solutions, ...    |   |           |
                     |                                                |                              |   |           |
                     |    worker died: its parts, one at a time <-----+--> Tally, to whoever asked   |   |           |
                     +-------------------------------------------------------------------------------+   +-----------+

    flight    a task under way: the parts that were handed out, and how often a worker has died over them
    seats     how many tasks an executor can work on at the same time
    budget    nodes after which a task hands back what it has not visited, as soon as it is at the end of a branch

The first moments belong to this process alone: most boards take no longer. Then its own threads set to work,
which costs nothing, and where seconds of work are left processes are started. They take over one by one as they
come up, all seats but one, so that there are never more at work than cores, nor fewer while there is work.

Where there is a cluster, all of that is left to its workers, as many as there are at each moment. Where there is a
ledger, what lands is written down in it, with what was left.

No task waits for another, and no result is lost or counted twice: a part is in the source, in the stock or in
one flight, and leaves its flight once, as a count and as parts that are left.

Only one thread, the caller's, changes anything in here. Futures that are done come to it through a queue.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from itertools import islice
from math import inf, sqrt
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

from enumerator.board.wording import plural
from enumerator.engines import PATIENCE, Done, Outcome, Tally, ready
from enumerator.engines.search import kernel
from enumerator.run import DEATHS, Begun, DeadlyError, Plan, WorkerLostError
from enumerator.run.executors import cause, is_gone, kill, unheard
from enumerator.run.splitting import Job, Part, Record, Stock, Unrecorded

POOL_SECONDS = 1.0
POOL_WORTH = 8.0
"""After so long, if so much seems to be left, processes are started: that costs a run 0.3 s, a small part of it."""

SHORTEST, LONGEST = 0.005, 1.0
"""The seconds that a task is to take: the shortest at first, and where the end is near."""

SHORTEST_EACH = 0.00025
"""But so many for every task under way: each costs this process 0.1 ms or more, and it has to keep up with them all."""

LONGEST_THREAD = 0.15
"""Threads cannot be killed, only waited for."""

LATE = 1.5
"""A task that turns out to take so many times as long hands back what is left: some nodes are slower than others."""

SECONDS_A_THREAD, WIDER = 0.00025, 1.5
"""What a thread more costs this process, before it brings anything: so more of them than the root of the work over that
would take longer. Where it turns out that there is more to do, there may be so many times as many."""

CERTAIN_SECONDS = 1.0
"""After so long it is found out how many cores there really are: a container may allow fewer than are in sight. That
takes a core 45 ms, and the interpreter's lock with it."""

PARTS_AHEAD = 2
"""If fewer parts are waiting for each core, the largest are divided."""

STOCK_AHEAD = 32
"""So many for each core are taken from those that a cut-off makes: small ones go in bundles."""

SHORTEST_AWAY = 0.05
"""A task that goes to a cluster, or is written down, costs more: it is to take so long, at least."""

TASKS_TO_COME = 5
"""Between these bounds, a task takes this part of the time that has passed, or of that which is left."""

ARRIVAL_SECONDS = 60.0
"""So long processes may take to start."""

TICK = 0.1


@dataclass(slots=True)
class Flight:
    """Parts under way to a worker and back."""

    parts: list[Part]
    deaths: int = 0


@dataclass(slots=True, eq=False)
class Crew:
    """An executor, its seats, and its tasks under way."""

    executor: Executor
    seats: int
    workers: int
    flights: dict[Future[Any], Flight] = field(default_factory=dict)
    arrivals: set[Future[Any]] = field(default_factory=set)
    """Under way, too: processes asked to say that they are there."""
    present: set[int] = field(default_factory=set)
    """The processes that have been heard of."""
    asked: float = field(default_factory=perf_counter)
    """When it was asked for."""

    def awaits(self, future: Future[Any]) -> bool:
        return future in self.flights or future in self.arrivals

    @property
    def room(self) -> int:
        """How many more tasks may be under way: where there are no more workers than seats, some wait their turn."""
        waiting = (self.seats + 1) // 2 if self.seats == self.workers else 0
        return self.seats + waiting - len(self.flights)

    def greet(self, worker: int) -> None:
        """A process is there: it takes a seat from the threads."""
        self.present.add(worker)
        self.seats = min(len(self.present), self.workers)

    def leave(self) -> None:
        """Leave nothing at work. Those who have nothing to do may stay, to be used again."""
        if self.flights or self.arrivals:
            kill(self.executor)


class Away(Crew):
    """The workers of a cluster. They come and go, and those who die are replaced by the scheduler."""

    @property
    def room(self) -> int:
        """As many again wait their turn: they are on their way for longer."""
        return 2 * self.seats - len(self.flights)

    def greet(self, worker: int) -> None:
        pass

    def leave(self) -> None:
        """The cluster stays."""
        for future in self.flights:
            future.cancel()


class Driver:
    """One count on many cores. A simulation has a clock, and threads, of its own.

    It is a record, too, for whoever divides parts: what it hears goes on to the record that it was given.
    """

    now = staticmethod(perf_counter)
    threaded: Callable[[int], Executor] = ThreadPoolExecutor

    def __init__(self, job: Job, plan: Plan, begun: Begun, record: Record | None = None) -> None:
        self.job, self.plan, self.begun = job, plan, begun
        self.record = record or Unrecorded()
        self.started = self.now() - begun.seconds
        self.limit = inf if plan.limit is None else plan.limit
        self.available = min(plan.cores or plan.in_sight(), plan.in_sight())
        self.is_certain = False  # of that
        self.cores = 1
        self.source: Iterator[Part] = iter(())
        self.stock = Stock()
        self.suspects: deque[Flight] = deque()
        self.done: SimpleQueue[Future[Any]] = SimpleQueue()
        self.retired: list[Executor] = []
        self.threads = Crew(self.threaded(self.cores), seats=self.cores, workers=self.cores)
        self.pool: Crew | None = None
        self.factory = plan.pool
        if plan.cluster:
            self.pool, self.factory = Away(plan.cluster, seats=0, workers=0), None
        self.false_starts = 0
        self.is_waiting = False
        self.solutions, self.share, self.tasks = begun.solutions, begun.tally.share, begun.tally.tasks
        self.effort, self.rate, self.busy = 0, begun.rate, begun.seconds

    def run(self) -> Generator[Tally, None, None]:
        """Count what is in the parts that are left, and add it to what is known."""
        try:
            if not self.begun.parts:
                self.cores = self.begun.tally.cores
                yield self._tally(complete=True)
                return
            self.source = self.job.tasks([self.job.part(*part) for part in self.begun.parts], self)
            if not self.plan.cluster:
                self._widen()
            while self._fill():
                self._wait()
                self._make_certain()
                self._start_pool()
                yield self._tally(complete=False)
                if self.solutions > self.limit or (self.solutions == self.limit and self._is_anything_left()):
                    return
            self.record.commit(last=True)
            yield self._tally(complete=True)
        finally:
            self._close()

    def _is_anything_left(self) -> bool:
        if self.threads.flights or (self.pool and self.pool.flights) or self.suspects or len(self.stock):
            return True
        for fresh in self.source:
            self.stock.add(fresh)
            return True
        return False

    def _make_certain(self) -> None:
        """Find out how many cores there are, if it is time for that."""
        if not self.is_certain and not self.plan.cluster and self._passed > CERTAIN_SECONDS:
            self.is_certain, self.available = True, self.plan.effective_cores()
            self._widen()

    def _widen(self) -> None:
        """Use all the cores there are, or that were asked for, if there is enough for so many to do."""
        worth = max(2, int(sqrt(self._whole / SECONDS_A_THREAD)))
        cores = max(1, min(self.available, worth))
        if self.cores <= self.available and cores < min(self.available, WIDER * self.cores):
            return
        self.cores = cores
        if cores != self.threads.workers:
            self.threads.executor.shutdown(wait=False)
            self.retired.append(self.threads.executor)
            self.threads.executor = self.threaded(cores)
            self.threads.seats = self.threads.workers = cores

    # --------------------------------------------------------------------------------------- to the workers

    def _fill(self) -> bool:
        """Hand out tasks while somebody has room for one. Returns whether there is anything to wait for."""
        self._muster()
        while self.pool and self.pool.room > 0 and (flight := self._flight(self.pool)):
            self._hand_out(self.pool, flight, self._seconds())
        while self.threads.room > 0 and (flight := self._flight(self.threads)):
            self._hand_out(self.threads, flight, min(self._seconds(), LONGEST_THREAD))
        return self._is_anything_left()

    def _muster(self) -> None:
        """See who has a seat. A cluster has as many as there are workers at the moment, and all of them."""
        if self.plan.cluster and self.pool:
            self.plan.cluster.check()
            seats = self.plan.effective_cores()
            if not seats and not self.is_waiting:
                self.plan.tell("the cluster has no workers: waiting for some")
            self.is_waiting = not seats
            self.pool.seats = self.pool.workers = seats
            self.cores, self.threads.seats = max(1, seats), 0
        else:
            if self.cores != self.available and not self.pool:
                self._widen()
            self.threads.seats = self.cores - (self.pool.seats if self.pool else 0)

    def _flight(self, crew: Crew) -> Flight | None:
        """What a crew does next. Parts over which a worker has died go to processes, one at a time."""
        if crew is self.pool and self.suspects:  # and not while others start, so that nobody else's death is theirs
            alone = isinstance(crew, Away) or not (crew.flights or crew.arrivals)
            return self.suspects.popleft() if alone else None
        for fresh in islice(self.source, max(0, STOCK_AHEAD * self.cores - len(self.stock))):
            self.stock.add(fresh)
        share = self._seconds() / self._whole
        while len(self.stock) < PARTS_AHEAD * self.cores and self.stock.divide(self.job.divide, self, share):
            pass
        parts = self.stock.take(self.cores, self.plan.limit is not None, share)
        return Flight(parts) if parts else None

    def _hand_out(self, crew: Crew, flight: Flight, seconds: float) -> None:
        budget = max(int(self.rate * seconds), self.job.least)
        loads = [part.load for part in flight.parts]
        wanted = int(min(self.limit - self.solutions, kernel.MOST))
        try:
            with unheard() if crew is self.pool else nullcontext():
                future = crew.executor.submit(self.job.work, loads, budget, wanted, min(LATE * seconds, PATIENCE))
        except Exception as error:
            if crew is not self.pool or not is_gone(error):
                raise
            crew.flights[Future()] = flight
            self._mourn(error)
        else:
            crew.flights[future] = flight
            self.tasks += 1
            future.add_done_callback(self.done.put)

    def _seconds(self) -> float:
        """How long a task is to take: shorter when there is little to go by, and when there is little left."""
        under_way = len(self.threads.flights) + (len(self.pool.flights) if self.pool else 0)
        shortest = max(SHORTEST, min(self.cores, under_way) * SHORTEST_EACH) * self.job.weight
        if self.plan.cluster or not isinstance(self.record, Unrecorded):
            shortest = max(shortest, SHORTEST_AWAY)
        if self.suspects:
            return shortest
        return min(max(shortest, min(self._passed, self._left) / TASKS_TO_COME), LONGEST)

    @property
    def _whole(self) -> float:
        """The seconds of all tasks, in the end, if the rest of the tree is like what has been visited."""
        return max(self.busy, 1e-6) / max(self.share, 1e-9)

    @property
    def _passed(self) -> float:
        return self.now() - self.started

    @property
    def _left(self) -> float:
        """The seconds that are left, if the rest of the tree is like what has been visited."""
        return self._passed * (1 - self.share) / max(self.share, 1e-9)

    # ------------------------------------------------------------------------------------- from the workers

    def _wait(self) -> None:
        """Wait until something is done, but not for long, and take in all that is."""
        with suppress(Empty):
            self._land(self.done.get(timeout=TICK))
            while True:
                self._land(self.done.get_nowait())
        self.record.commit()

    def _land(self, future: Future[Any]) -> None:
        """Take in what a future has brought; nothing, if it belongs to a pool that is no more."""
        crew = next((crew for crew in (self.threads, self.pool) if crew and crew.awaits(future)), None)
        if crew is None:
            return
        if future.cancelled():
            self._put_back(crew.flights.pop(future, Flight([])).parts)
            return
        try:
            result = future.result()
        except DeadlyError:  # perhaps of others, that were in the same places: it counts as one death
            flight = crew.flights.pop(future)
            self._suspect(flight, flight.deaths + 1)
            return
        except Exception as error:
            if crew is not self.pool or not is_gone(error):
                raise
            self._mourn(error)
            return
        if isinstance(result, int):
            crew.arrivals.discard(future)
            crew.greet(result)
        else:
            self._take_in(crew.flights.pop(future), result)
            if crew is self.pool:
                crew.greet(result.worker)
        if crew is self.pool and not crew.arrivals:
            self.false_starts = 0

    def _take_in(self, flight: Flight, outcome: Outcome) -> None:
        """A task is done: what it has found is found, what it has left goes back to the stock."""
        self.solutions += outcome.solutions
        self.effort += outcome.effort
        self.busy += outcome.seconds
        for part, done in zip(flight.parts, outcome.parts, strict=False):
            left = [self.job.part(load, share * part.share) for load, share in done.rest]
            self._put_back(self.settle(part, done, left))
        self._put_back(flight.parts[len(outcome.parts) :])
        if outcome.seconds > SHORTEST / 10 or any(done.rest for done in outcome.parts):
            rate = min(outcome.effort / max(outcome.seconds, 1e-9), 8 * self.rate)
            self.rate += (rate - self.rate) / 4

    def settle(self, part: Part, done: Done, left: list[Part]) -> list[Part]:
        """A part is done, or divided: so is its share, but for that of the parts which are left of it."""
        self.share += part.share - sum(one.share for one in left)
        return self.record.settle(part, done, left)

    def commit(self, last: bool = False) -> None:
        self.record.commit(last)

    def _put_back(self, parts: list[Part]) -> None:
        for part in parts:
            self.stock.add(part)

    def _tally(self, complete: bool) -> Tally:
        before = self.begun.tally
        known = self.solutions if complete else max(self.solutions, before.solutions)
        return Tally(
            known if known <= self.limit else self.plan.limit or known,
            before.nodes + (self.effort if self.job.engine == "search" else 0),
            complete and self.solutions <= self.limit,
            1.0 if complete else min(max(self.share, 0.0), 1.0),
            self.cores,
            self.tasks,
            self.job.engine,
            self.busy,
        )

    # -------------------------------------------------------------------------------------------- processes

    def _start_pool(self) -> None:
        """Ask for processes when it is time: they are up a moment later, one by one."""
        if self.pool and self.pool.arrivals and self.now() - self.pool.asked > ARRIVAL_SECONDS:
            self._mourn(TimeoutError("no sign of life"))
        if self.pool or not self.factory or self.cores == 1:
            return
        if not self.suspects and (self._passed < POOL_SECONDS or self._left < POOL_WORTH):
            return
        try:
            self.pool = Crew(self.factory(self.cores - 1), seats=0, workers=self.cores - 1)
            with unheard():
                for _ in range(self.cores - 1):
                    future = self.pool.executor.submit(ready, 0.02)
                    self.pool.arrivals.add(future)
                    future.add_done_callback(self.done.put)
        except Exception as error:
            if is_gone(error):
                self._mourn(error)
                return
            if self.pool:  # no more processes, files or semaphores to be had
                lost, self.pool = self.pool, None
                kill(lost.executor)
            self._do_without(f"processes cannot be started ({getattr(error, 'strerror', None) or error})")

    def _mourn(self, error: BaseException) -> None:
        """A process has died, and its pool with it: what was under way is tried again, part by part."""
        if self.pool is None:
            return
        lost, self.pool = self.pool, None
        kill(lost.executor)
        for flight in lost.flights.values():
            self._suspect(flight, flight.deaths + 1)
        again = f"; {plural(len(lost.flights), 'task')} will run again" if lost.flights else ""
        self.plan.tell(f"a worker has died{cause(error)}{again}")
        self.false_starts += 1
        if self.false_starts >= DEATHS and not lost.flights:
            self._do_without("processes do not stay alive")

    def _suspect(self, flight: Flight, deaths: int) -> None:
        """Workers have died over a flight so often: its parts are tried again, one by one, unless that was enough."""
        if deaths >= DEATHS and len(flight.parts) == 1:
            raise WorkerLostError(
                f"a task has ended its worker {plural(deaths, 'time')}; it was {self.job.describe(flight.parts[0])}"
            )
        # in front: a part that dies again is tried once more before any other is
        self.suspects.extendleft(Flight([part], deaths) for part in flight.parts)

    def _do_without(self, reason: str) -> None:
        """Leave everything to the threads."""
        self.plan.tell(f"{reason}: going on with threads")
        self.factory = None
        while self.suspects:
            self._put_back(self.suspects.popleft().parts)

    def _close(self) -> None:
        """Leave nothing at work. A pool that has nothing to do may stay, to be used again."""
        try:
            for threads in (*self.retired, self.threads.executor):
                threads.shutdown(wait=True, cancel_futures=True)
        finally:
            if self.pool:
                self.pool.leave()
            self.record.commit(last=True)
