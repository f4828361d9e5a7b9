"""Counts on many cores: the tree is cut into parts, and workers count parts until there are none.

                 +------------------------------ this process ------------------------------+   +- workers -+
                 |                                                                          |   |           |
  board -> count on one core -- finished -> done                                            |   |           |
                 |                                                                          |   |           |
             not finished                               +--------+   parts,   +-----------+ |   |           |
                 |                                      |        |   budget   | executor: | |   | work():   |
               parts -> split at the cut-off -> source->| Stock  |----------->| threads,  |-|-->|  start,   |
                 |                                      |        |            | then      | |   |  run,     |
                 |                     parts not visited|        |  TaskResult| processes | |   |  parts    |
                 |                  +------------------>|        |        +---|           |<|<--|           |
                 |                  |                   +--------+        |   +-----------+ |   |           |
                 |                  |                                     v                 |   |           |
                 |                  +-------------------------+-- _on_done(): solutions     |   |           |
                 |                                            |                             |   |           |
                 |   worker died: its parts, one at a time <--+--> Tally, to the caller     |   |           |
                 +--------------------------------------------------------------------------+   +-----------+

    in flight   a task that was handed out: its parts, and the number of workers that died over them
    seats       the number of tasks that a pool can work on at the same time
    budget      the effort after which a task hands back what is left, at the end of a branch

The first moments belong to one core: most boards take no longer. Then the threads of this process
begin, which costs nothing. Where seconds of work are left, processes are started (workers/restarts.py).
They take over the seats one by one as they come up, all but one: never more are at work than cores.

With a cluster, its workers do all of that, as many as there are at each moment. With a ledger, every
result is written down together with what was left.

No task waits for another, and no result is lost or counted twice: a part is in the source, in the
stock or in one flight, and leaves its flight once, as a count and as parts that are left.

Only the caller's thread changes anything in here. Futures that are done reach it through a queue.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import suppress
from math import inf, sqrt
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

from enumerator import engines
from enumerator.engines import (
    ALMOST_ALL,
    MAX_TASK_SECONDS,
    MOST,
    Job,
    NullRecord,
    Part,
    PartResult,
    Record,
    Tally,
    TaskResult,
)
from enumerator.engines.shares import exact_shares, to_pair
from enumerator.run.balance import Balance, exact_parts
from enumerator.run.endings import DeadlyTaskError
from enumerator.run.local import PartialCount
from enumerator.run.observer import IGNORING, Observer
from enumerator.run.plan import Plan
from enumerator.run.signals import interruptibly
from enumerator.run.stock import Stock
from enumerator.run.workers.pools import ClusterPool, TaskInFlight, ThreadPool, WorkerPool
from enumerator.run.workers.restarts import Processes
from enumerator.run.workers.threads import Threads


class Driver:
    """One count on many cores.

    It is a record, too, for those who divide parts: it passes on what it hears to the record it was
    given. A simulation gives it a clock and threads of its own.
    """

    def __init__(
        self,
        job: Job,
        plan: Plan,
        start: PartialCount,
        record: Record | None = None,
        *,
        clock: Callable[[], float] = perf_counter,
        threads: Callable[[int], Executor] = Threads,
        observer: Observer | None = None,
    ) -> None:
        self.job, self.plan, self.start, self.pacing = job, plan, start, plan.pacing
        self.observer = observer or IGNORING
        self.record, self.work = self.observer.watch(record or NullRecord()), self.observer.wrap(job.work)
        self.clock, self.started = clock, clock() - start.seconds
        self.limit = inf if plan.limit is None else plan.limit
        self.available = min(plan.cores or plan.visible(), plan.visible())
        self.are_cores_counted = False
        self.cores = 1
        self.stock = Stock(plan.pacing)
        self.done: SimpleQueue[Future[Any]] = SimpleQueue()
        self.threads = ThreadPool(threads(self.cores), seats=self.cores, workers=self.cores, make=threads)
        self.processes = Processes(job, plan, self.done, self.stock, clock, self.observer)
        self.challenge = start.challenge
        self.slice: Future[Any] | None = None
        """The slice of the challenger that is in flight."""
        self.is_passed = False
        """True if the challenger is to go on in place of this driver."""
        self.solutions, self.share, self.tasks = start.solutions, start.tally.share, start.tally.tasks
        self.balance = Balance((), job.describe)
        self.effort, self.rate, self.busy = 0, start.rate, start.seconds

    @interruptibly
    def run(self) -> Generator[Tally, None, None]:
        """Count the parts that are left, and add them to what is known."""
        self.observer.on_start(self.start, self.job.engine)
        try:
            if not self.start.parts:
                self.cores = self.start.tally.cores
                yield self._tally(complete=True)
                return
            if self.exceeds_limit:
                yield self._tally(complete=False)
                return
            parts = exact_parts(self.job, self.start)
            self.balance = Balance(parts, self.job.describe)
            self.stock.source = self.job.tasks(parts, self)
            if not self.plan.cluster:
                self._grow_threads()
            while self._fill():
                self._wait()
                self._recount_cores()
                self.processes.check(self.cores - 1, self._is_long)
                yield self._tally(complete=False)
                if self.exceeds_limit:
                    self._check_balance()
                    return
                if self.challenge and not self.slice and self.challenge.has_passed(self.record.is_kept):
                    yield from self._drain()
                    return
            self.record.commit(last=True)
            self._check_balance()
            yield self._tally(complete=True)
        except GeneratorExit:  # stopped by the caller, between two results
            self._check_balance()
            raise
        finally:
            try:
                self.threads.close()
            finally:
                self.processes.close()
                self.record.commit(last=True)

    def _drain(self) -> Generator[Tally, None, None]:
        """Wait until nothing is in flight, so that what is left can be passed on."""
        self.stock.pull()
        self.threads.stop.set()  # tasks in threads end soon
        while self.threads.flights or (self.pool and self.pool.flights):
            self._wait()
            yield self._tally(complete=False)
        self._check_balance()
        self.is_passed = self._is_anything_left() and not self.exceeds_limit
        if not (self.is_passed or self.exceeds_limit):
            yield self._tally(complete=True)

    def leave(self) -> PartialCount:
        """Return the count in its present state: what is left of a count that was passed."""
        parts = [*self.stock, *(part for task in self.processes.retries for part in task.parts)]
        left = [(part.load, to_pair(part.share)) for part in parts]
        effort = self.start.effort + self.effort
        return PartialCount(self._tally(complete=False), self.solutions, left, self._passed, self.rate, effort)

    def _check_balance(self) -> None:
        """Raise BalanceError if a part was lost or is there twice. See balance.py.

        Parts that are still to be split at the cut-off cannot be listed without splitting them.
        """
        flights = [*self.threads.flights.values(), *(self.pool.flights.values() if self.pool else ())]
        is_listed = self.plan.cutoff is None
        waiting = [*self.stock, *(self.stock.source if is_listed else ())]
        waiting += [part for task in (*flights, *self.processes.retries) for part in task.parts]
        self.balance.check(waiting, is_listed or not self._is_anything_left())

    @property
    def pool(self) -> WorkerPool | None:
        """The processes or the cluster, if there are any now."""
        return self.processes.pool

    @property
    def exceeds_limit(self) -> bool:
        """True if there are more solutions than the limit: the count ends then."""
        return self.solutions > self.limit

    def _is_anything_left(self) -> bool:
        is_at_work = len(self.threads.flights) > bool(self.slice) or (self.pool and self.pool.flights)
        if is_at_work or self.processes.retries:
            return True
        if not len(self.stock):
            self.stock.pull(1)
        return len(self.stock) > 0

    def _recount_cores(self) -> None:
        """Find out how many cores there really are, if it is time for that."""
        if self._passed > self.pacing.recount_cores_seconds and not (self.are_cores_counted or self.plan.cluster):
            self.are_cores_counted, self.available = True, self.plan.effective_cores()
            self._grow_threads()

    def _grow_threads(self) -> None:
        """Use all cores that are available, as far as there is work for them."""
        worth = max(2, int(sqrt(self._whole / self.pacing.seconds_a_thread)))
        cores = max(1, min(self.available, worth))
        if self.cores <= self.available and cores < min(self.available, self.pacing.growth_factor * self.cores):
            return
        self.cores = cores
        self.threads.resize(cores)

    # --------------------------------------------------------------------------------------- to the workers

    def _fill(self) -> bool:
        """Hand out tasks while a pool has room. Return whether there is anything to wait for."""
        self._update_seats()
        self._run_challenger()
        while self.pool and self.pool.room > 0 and (task := self._next_task(self.pool)):
            self._hand_out(self.pool, task, self._task_seconds())
        while self.threads.room > 0 and (task := self._next_task(self.threads)):
            self._hand_out(self.threads, task, min(self._task_seconds(), self.pacing.longest_thread))
        pools = (self.threads, self.pool) if self.pool else (self.threads,)
        self.observer.on_filled(sum(max(0, pool.seats - len(pool.flights)) for pool in pools))
        return self._is_anything_left()

    def _run_challenger(self) -> None:
        """Let the engine that is not used here go on for a slice, if it is due."""
        if self.challenge and not self.slice and self.threads.room > 0 and self.challenge.is_due:
            self.slice = self.threads.run(self.challenge.step)
            self.threads.flights[self.slice] = TaskInFlight([])
            self.slice.add_done_callback(self.done.put)

    def _update_seats(self) -> None:
        """Share the seats among the pools. A cluster has one for each thread that it has now."""
        if isinstance(self.pool, ClusterPool):
            self.pool.recount(self.plan, self.observer)
            self.cores, self.threads.seats = max(1, self.pool.seats), 0
        else:
            if self.cores != self.available and not self.pool:
                self._grow_threads()
            self.threads.seats = self.cores - (self.pool.seats if self.pool else 0)

    def _next_task(self, pool: WorkerPool) -> TaskInFlight | None:
        """Return the next task of a pool. Parts over which a worker has died go to processes, one at a time."""
        if pool is self.pool and self.processes.retries:
            return self.processes.retries.popleft() if pool.may_retry else None
        self.stock.pull(max(0, self.pacing.stock_ahead * self.cores - len(self.stock)))
        share = self._task_seconds() / self._whole
        enough = self.pacing.parts_ahead * self.cores
        while len(self.stock) < enough and self.stock.divide(self.job.divide, self, share):
            pass
        parts = self.stock.take(self.cores, self.plan.limit is not None, share)
        return TaskInFlight(parts) if parts else None

    def _hand_out(self, pool: WorkerPool, task: TaskInFlight, seconds: float) -> None:
        budget = max(int(self.rate * seconds), self.job.minimum_budget)
        loads = [part.load for part in task.parts]
        wanted = int(min(self.limit + 1 - self.solutions, MOST))
        max_seconds = min(self.pacing.overrun_factor * seconds, MAX_TASK_SECONDS)
        if future := self.processes.submit(pool, task, self.work, loads, budget, wanted, max_seconds):
            self.tasks += 1
            self.observer.on_handed_out(task.parts, budget, task.deaths)
            future.add_done_callback(self.done.put)
        if self.cores > 1 and self.threads.is_alone:
            self.plan.on_message("threads cannot be started: going on with one core")
            self.are_cores_counted, self.available, self.cores = True, 1, 1
            self.threads.seats = self.threads.workers = 1

    def _task_seconds(self) -> float:
        """Return the time that a task is to take: short when little is known, and when little is left."""
        pacing = self.pacing
        in_flight = len(self.threads.flights) + (len(self.pool.flights) if self.pool else 0)
        shortest = max(pacing.shortest, min(self.cores, in_flight) * pacing.shortest_each) * self.job.weight
        if self.plan.cluster or self.record.is_kept:
            shortest = max(shortest, pacing.shortest_recorded)
        if self.processes.retries:
            return shortest
        return min(max(shortest, min(self._passed, self._left) / pacing.tasks_to_come), pacing.longest)

    @property
    def _whole(self) -> float:
        """The expected seconds of all tasks together."""
        return max(self.busy, 1e-6) / max(self.share, 1e-9)

    @property
    def _passed(self) -> float:
        return self.clock() - self.started

    @property
    def _left(self) -> float:
        """The expected seconds to the end of the run."""
        return self._passed * (1 - self.share) / max(self.share, 1e-9)

    @property
    def _is_long(self) -> bool:
        """True if processes are worth their start."""
        return self._passed >= self.pacing.pool_seconds and self._left >= self.pacing.pool_worth

    # ------------------------------------------------------------------------------------- from the workers

    def _wait(self) -> None:
        """Wait for a result, at most for a tick, and take in all that are there."""
        self.observer.on_wait()
        with suppress(Empty):
            first = self.done.get(timeout=self.pacing.tick)
            self.observer.on_woken()
            self._on_done(first)
            while True:
                self._on_done(self.done.get_nowait())
        self.record.commit()
        self.observer.on_taken_in()

    def _on_done(self, future: Future[Any]) -> None:
        """Take in the result of a future; ignore it if its pool is gone."""
        pool = next((pool for pool in (self.threads, self.pool) if pool and pool.awaits(future)), None)
        if pool is None:
            return
        if future is self.slice:
            del pool.flights[future]
            self.slice = None
            if self.challenge and (error := future.exception()):
                self.challenge.fail(error)
            return
        if future.cancelled():
            task = pool.flights.pop(future, TaskInFlight([]))
            self.observer.on_lost([task.parts], "cancelled")
            self._put_back(task.parts)
            return
        try:
            result = future.result()
        except DeadlyTaskError:  # perhaps others' fault, on the same worker: it counts as one death
            task = pool.flights.pop(future)
            self.observer.on_lost([task.parts], "given up by the cluster")
            self.processes.retry_alone(task, task.deaths + 1)
            return
        except Exception as error:  # noqa: BLE001 - it is raised there, or a process has died
            self.processes.on_failure(pool, error)
            return
        if future in pool.arrivals:
            pool.arrivals.discard(future)
            self.observer.on_answer(result)
            pool.welcome(result)
        else:
            self._merge(pool.flights.pop(future), result)
            pool.welcome(result.worker)
        if pool is self.pool:
            self.processes.on_answer()

    def _merge(self, task: TaskInFlight, result: TaskResult) -> None:
        """Add what a task has found, and put what it has left back into the stock."""
        self.observer.on_result(task.parts, result)
        self.solutions += result.solutions
        self.effort += result.effort
        self.busy += result.seconds
        for part, done in zip(task.parts, result.parts, strict=False):
            left = [self.job.part(load, share) for load, share in exact_shares(part.share, done.rest)]
            self._put_back(self.close_part(part, done, left))
        self._put_back(task.parts[len(result.parts) :])
        if self.challenge:
            self.challenge.leader.add(result.processor_seconds or result.seconds, self.solutions, self.share)
        if result.seconds > self.pacing.shortest / 10 or any(done.rest for done in result.parts):
            rate = min(result.effort / max(result.seconds, 1e-9), 8 * self.rate)
            self.rate += (rate - self.rate) / 4

    is_kept = True

    def close_part(self, part: Part, result: PartResult, left: list[Part]) -> list[Part]:
        """Add the part's share to the finished share, less the shares of `left`."""
        self.balance.close(part, left)
        self.share = self.balance.progress
        return self.record.close_part(part, result, left)

    def commit(self, last: bool = False) -> None:
        self.record.commit(last)

    def _put_back(self, parts: list[Part]) -> None:
        for part in parts:
            self.stock.add(part)

    def _tally(self, complete: bool) -> Tally:
        before, effort = self.start.tally, engines.get(self.job.engine).effort
        known = self.solutions if complete else max(self.solutions, before.solutions)
        tally = Tally(
            known if known <= self.limit else self.plan.limit or known,
            before.nodes + (self.effort if effort == "nodes" else 0),
            complete and self.solutions <= self.limit,
            1.0 if complete else min(self.share, ALMOST_ALL),
            self.cores,
            self.tasks,
            self.job.engine,
            self.busy,
            self.start.effort + self.effort,
        )
        self.observer.on_tally(tally)
        return tally
