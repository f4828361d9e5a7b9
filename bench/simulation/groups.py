"""Drivers of drivers, on paper: groups of workers, each with a driver and a stock of its own.

    top      walks alone for a moment, divides the tree, gives each group its parts, and finds a group that can
             give half of its stock to one that runs out of work
    group    a process: a driver, a stock, `size` threads and a lock. It hands out tasks by the rules of the
             real driver, whose stock, division and walk it uses

One group of all workers is a model of the real driver: `simulate_count` runs that one itself, and both should
agree. Processes are taken to be there, as on a cluster whose workers wait. A message takes MESSAGE_SECONDS.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from math import sqrt

from gmpy2 import mpq

from bench.simulation.forecast import Forecast
from bench.simulation.replay import Replay
from bench.simulation.world import Costs
from bench.tables.rows import Piece
from enumerator.engines import MOST, NullRecord, Part, TaskResult
from enumerator.engines.shares import exact_shares
from enumerator.run.balance import exact_parts
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.stock import Stock

MESSAGE_SECONDS = 50e-6
"""The time of a message between processes of one machine."""

LOW_STOCK = 4
"""A group asks for parts when it has fewer than 1 / LOW_STOCK for each of its workers."""


class Group:
    """A driver with its workers. Its times are those of the whole simulation."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.machine, self.size, self.stock = machine, size, Stock(machine.pacing)
        self.lock_free_at = self.debt = 0.0
        self.started = self.idle = self.walking = self.flights = 0
        self.queue: deque[list[Part]] = deque()
        self.results: list[tuple[list[Part], TaskResult]] = []
        self.is_driving = self.is_asking = False

    def receive(self, time: float, parts: list[Part]) -> None:
        """Take parts into the stock, and hand out tasks."""
        self._spend(time, len(parts) * self.machine.costs.take_in_part)
        for part in parts:
            self.stock.add(part)
        self.is_asking = False
        self._drive(time)

    def give(self, time: float) -> tuple[float, list[Part]]:
        """Return half of the stock, every other part, and the time at which it is ready."""
        parts = list(self.stock)
        given, kept = parts[1::2], parts[::2]
        self.stock = Stock(self.machine.pacing)
        for part in kept:
            self.stock.add(part)
        self._spend(time, self.machine.costs.hand_out + len(given) * self.machine.costs.take_in_part)
        return self.lock_free_at, given

    def _spend(self, time: float, seconds: float) -> None:
        """Let the driver work for some seconds, from when it has the lock. It has no core of its own."""
        self.lock_free_at = max(time, self.lock_free_at) + seconds
        if self.walking == self.size:
            self.debt += seconds

    def _drive(self, time: float) -> None:
        """Take in all results, and hand out tasks."""
        self.is_driving, costs, machine = False, self.machine.costs, self.machine
        results, self.results = self.results, []
        for parts, result in results:
            left = sum(len(done.rest) for done in result.parts)
            self._spend(time, costs.take_in + left * costs.take_in_part)
            machine.merge(self, parts, result)
        machine.spend = lambda seconds: self._spend(time, seconds)
        while self.flights < self.size + (self.size + 1) // 2 and (parts := self._next_task()):
            self._spend(time, costs.hand_out)
            self.flights += 1
            self.queue.append(parts)
            if not self.idle and self.started < machine.worth(self.size):
                self._spend(time, costs.start_thread)
                self.started, self.idle = self.started + 1, self.idle + 1
            if self.idle:
                self.idle -= 1
                machine.schedule(self.lock_free_at, self._begin)
        if len(self.stock) * LOW_STOCK < self.size and not self.is_asking:
            self.is_asking = True
            machine.schedule(self.lock_free_at + MESSAGE_SECONDS, lambda now: machine.refill(now, self))

    def _next_task(self) -> list[Part]:
        machine, pacing = self.machine, self.machine.pacing
        share = machine.task_seconds(self) / machine.whole
        while len(self.stock) < pacing.parts_ahead * self.size and self.stock.divide(
            machine.job.divide, machine.record, share
        ):
            pass
        return self.stock.take(self.size, False, share)

    def _begin(self, time: float) -> None:
        """Let a worker take a task from the queue, or become idle."""
        if not self.queue:
            self.idle += 1
            return
        machine, parts = self.machine, self.queue.popleft()
        seconds = machine.task_seconds(self)
        budget = max(int(machine.rate * seconds), machine.job.minimum_budget)
        result = machine.job.work([part.load for part in parts], budget, MOST, machine.pacing.overrun_factor * seconds)
        left = sum(len(done.rest) for done in result.parts)
        costs = machine.costs
        self.lock_free_at = max(time, self.lock_free_at) + costs.begin + left * costs.leave_part
        self.walking += 1
        debt, self.debt = self.debt, 0.0
        machine.schedule(self.lock_free_at + debt + result.seconds, lambda now: self._end(now, parts, result))

    def _end(self, time: float, parts: list[Part], result: TaskResult) -> None:
        """End a task: its worker takes another, and the driver hears of it when it is free."""
        self.walking -= 1
        self.results.append((parts, result))
        self._begin(time)
        if not self.is_driving:
            self.is_driving = True
            self.machine.schedule(max(time, self.lock_free_at), self._drive)


class Machine:
    """The groups, the time, and what is known of the whole count."""

    def __init__(self, pieces: Iterable[Piece], costs: Costs, cores: int, size: int, speed: float = 1.0) -> None:
        self.costs, self.now = costs, 0.0
        self.pacing: Pacing = DEFAULT_PACING
        self.spend: Callable[[float], None] = lambda _seconds: None
        self.record = NullRecord()
        self.job = Replay(pieces, lambda seconds: self.spend(seconds), costs.branch, None, speed)
        self.groups = [Group(self, min(size, cores - at)) for at in range(0, cores, size)]
        self.solutions = self.tasks = self.open = 0
        self.busy = self.rate = 0.0
        self.done = mpq(0)
        self.hungry: deque[Group] = deque()
        """The groups that have asked for parts when no other had any to give."""
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._number = count()

    def schedule(self, time: float, event: Callable[[float], None]) -> None:
        """Call `event(time)` at that time."""
        heappush(self._events, (time, next(self._number), event))

    def worth(self, size: int) -> int:
        """Return the number of threads of a group that pay, as the real driver does."""
        return min(size, max(2, int(sqrt(self.whole / len(self.groups) / self.pacing.seconds_a_thread))))

    @property
    def whole(self) -> float:
        """The expected seconds of all tasks together."""
        return max(self.busy, 1e-6) / max(float(self.done), 1e-9)

    def task_seconds(self, group: Group) -> float:
        """Return the time that a task of a group is to take, as the real driver does."""
        pacing, share = self.pacing, max(float(self.done), 1e-9)
        shortest = max(pacing.shortest, min(group.size, group.flights) * pacing.shortest_each)
        left = self.now * (1 - share) / share
        return min(max(shortest, min(self.now, left) / pacing.tasks_to_come), pacing.longest_thread)

    def merge(self, group: Group, parts: list[Part], result: TaskResult) -> None:
        """Add what a task has found, and put what it has left into the stock of its group."""
        group.flights -= 1
        self.solutions += result.solutions
        self.tasks += 1
        self.busy += result.seconds
        for part, done in zip(parts, result.parts, strict=False):
            left = [self.job.part(load, share) for load, share in exact_shares(part.share, done.rest)]
            self.done += part.share - sum(below.share for below in left)
            for below in left:
                group.stock.add(below)
        for part in parts[len(result.parts) :]:
            group.stock.add(part)
        if self.hungry and len(group.stock) >= 2 and group not in self.hungry:
            waits = self.hungry.popleft()
            self.schedule(group.lock_free_at + MESSAGE_SECONDS, lambda now: self.refill(now, waits))
        self.now = max(self.now, group.lock_free_at) if self.done == 1 else self.now

    def refill(self, time: float, group: Group) -> None:
        """Let the group with most parts give half of them to one that has few, or keep that one in mind."""
        giver = max(self.groups, key=lambda each: len(each.stock))
        if len(giver.stock) >= max(2, 2 * len(group.stock)) and giver is not group:
            ready, parts = giver.give(time)
            self.schedule(ready + MESSAGE_SECONDS, lambda now: group.receive(now, parts))
        else:
            self.hungry.append(group)

    def run(self) -> None:
        """Walk alone for a moment, give the parts to the groups, and let them work."""
        job = self.job
        self.spend = self._pass
        start = job.start()
        if start.tally.complete:
            self.solutions, self.done, self.busy = start.solutions, mpq(1), start.seconds
            return
        job.speed /= self.costs.crowded
        self.solutions, self.busy, self.rate = start.solutions, start.seconds, start.rate / self.costs.crowded
        parts = exact_parts(job, start)
        self.done = 1 - sum(part.share for part in parts)
        stock = Stock(self.pacing)
        for part in parts:
            stock.add(part)
        while len(self.groups) > 1 and len(stock) < 2 * len(self.groups) and stock.divide(job.divide, self.record, 0.0):
            pass
        given: list[list[Part]] = [[] for _ in self.groups]
        for part in sorted(stock, key=lambda part: -part.share):
            min(given, key=lambda mine: sum(float(one.share) for one in mine)).append(part)
        for group, mine in zip(self.groups, given, strict=True):
            if len(self.groups) > 1:
                self._pass(self.costs.hand_out)
                self.schedule(self.now + MESSAGE_SECONDS, lambda now, group=group, mine=mine: group.receive(now, mine))  # type: ignore[misc]
            else:
                self.schedule(self.now, lambda now, group=group, mine=mine: group.receive(now, mine))  # type: ignore[misc]
        while self._events:
            time, _, event = heappop(self._events)
            if self.done < 1:
                self.now = max(self.now, time)
            event(time)

    def _pass(self, seconds: float) -> None:
        """Let the top work for some seconds."""
        self.now += seconds


def simulate_groups(pieces: Iterable[Piece], costs: Costs, cores: int, size: int, speed: float = 1.0) -> Forecast:
    """Count the board that the pieces belong to, on simulated cores in groups of `size`."""
    machine = Machine(pieces, costs, cores, size, speed)
    machine.run()
    if machine.solutions != machine.job.solutions or machine.done != 1:
        raise SystemExit(f"bench: in groups of {size} a part of the tree was lost, or counted twice")
    return Forecast(machine.now, machine.tasks, machine.busy, machine.solutions)
