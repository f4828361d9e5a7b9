"""The driver at work on a machine that is not there: its own code, on a clock that does not run by itself.

    piece     a subtree that was walked in one go, with the nodes and the seconds that it took (tasks.csv.gz)
    Replay    the job: its tasks walk over pieces, as many as their budget allows, and hand back what is left
    World     what time it is, which threads are at work, and who has the interpreter's lock
    costs     seconds that are spent besides the walk, all of them with the lock (costs.csv): by the driver, for a task
              that it hands out and takes in, and for splitting; by a thread for a task; for every part that is left
    crowded   how much longer a walk takes while other cores are at work, too (speedup-search.csv)

Walking needs no lock, all else does; so threads may have to wait for it, and on very many cores they do. The driver has
no core of its own: what it spends while all of them walk is missing to one, which is charged to the next task. That
cores are crowded by as much as those of this machine, however many there are, is an assumption. The run is one of
threads, as those of less than some ten seconds are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Any

from bench.rows import Piece
from enumerator.board import Shape
from enumerator.engines import PATIENCE, Done, Outcome, Tally
from enumerator.engines.search import FIRST_SLICE, SLICE_SECONDS
from enumerator.run import Begun, Plan, takes_long
from enumerator.run.driver import Driver
from enumerator.run.splitting import Part, Tree


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds that are spent with the lock, but for the last."""

    hand_out: float = 0.0
    take_in: float = 0.0
    take_in_part: float = 0.0
    begin: float = 0.0
    leave_part: float = 0.0
    branch: float = 0.0
    start_thread: float = 0.0
    count_cores: float = 0.0
    crowded: float = 1.0
    """A factor."""


class World:
    """The time of the driver's thread, and all that happens beside it."""

    def __init__(self, costs: Costs, cores: int) -> None:
        self.costs, self.cores = costs, cores
        self.walking = 0  # so many threads
        self.now = 0.0
        self.lock = 0.0  # when it will be free
        self.missing = 0.0  # seconds that the driver has had of a core on which a thread was walking
        self.landed: list[tuple[Future[Outcome], Outcome]] = []
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._number = count()

    def spend(self, seconds: float) -> None:
        """The driver's thread works, as soon as it has the lock."""
        self._happen(self.now)
        self.now = self.lock = max(self.now, self.lock) + seconds
        if self.walking == self.cores:
            self.missing += seconds

    def at(self, time: float, event: Callable[[float], None]) -> None:
        heappush(self._events, (time, next(self._number), event))

    def wait(self) -> None:
        """The driver's thread sleeps until a task is done, and takes in all that are."""
        self._happen(self.now)
        while not self.landed:
            if not self._events:
                raise RuntimeError("nobody will ever be done")
            self.now = max(self.now, self._events[0][0])
            self._happen(self.now)
        for future, outcome in self.landed:
            left = sum(len(done.rest) for done in outcome.parts)
            self.spend(self.costs.take_in + left * self.costs.take_in_part)
            future.set_result(outcome)
        self.landed = []

    def _happen(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            time, _, event = heappop(self._events)
            event(time)


class Threads(Executor):
    """So many threads, started one by one as there are tasks for them."""

    def __init__(self, world: World, size: int) -> None:
        self.world, self.size = world, size
        self.started = self.idle = 0
        self._tasks: deque[tuple[Future[Outcome], Callable[[], Outcome]]] = deque()

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Outcome] = Future()
        self.world.spend(self.world.costs.hand_out)
        self._tasks.append((future, lambda: function(*args)))
        if not self.idle and self.started < self.size:
            self.world.spend(self.world.costs.start_thread)
            self.started += 1
            self.idle += 1
        if self.idle:
            self.idle -= 1
            self.world.at(self.world.now, self._begin)
        return future

    def _begin(self, time: float) -> None:
        """A thread takes a task, or has nothing to do."""
        if not self._tasks:
            self.idle += 1
            return
        future, work = self._tasks.popleft()
        outcome, costs = work(), self.world.costs
        left = sum(len(done.rest) for done in outcome.parts)
        locked = costs.begin + left * costs.leave_part
        self.world.lock = max(time, self.world.lock) + locked

        self.world.walking += 1

        def land(time: float) -> None:
            self.world.walking -= 1
            self.world.landed.append((future, outcome))
            self._begin(time)

        missing, self.world.missing = self.world.missing, 0.0
        self.world.at(self.world.lock + missing + outcome.seconds, land)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Threads end with the world."""


class Simulated(Driver):
    """The driver, in a world of its own."""

    def __init__(self, world: World, job: Replay, plan: Plan, begun: Begun) -> None:
        self.world = world
        self.now = lambda: world.now
        self.threaded = lambda size: Threads(world, size)
        super().__init__(job, plan, begun)

    def _wait(self) -> None:
        self.world.wait()
        super()._wait()


class Replay(Tree):
    """A walk over pieces, instead of boards. What is handed about are their numbers."""

    def __init__(self, pieces: Iterable[Piece], world: World, cutoff: int | None = None, speed: float = 1.0) -> None:
        """The pieces of one board, in order, and how much faster the machine is than when they were walked."""
        super().__init__(Shape(3, 3), cutoff)
        self.world, self.speed = world, speed
        self.pieces = list(pieces)
        self.below: list[list[int]] = [[] for _ in self.pieces]
        for piece in self.pieces:
            if piece.parent is not None:
                self.below[piece.parent].append(piece.number)
        self.work = self._walk  # type: ignore[assignment]

    @property
    def seconds(self) -> float:
        """What the walk takes in one go."""
        return sum(piece.seconds for piece in self.pieces) / self.speed

    def part(self, load: bytes, share: float, row: int = 0) -> Part:
        return Part(int(self._piece(load).search_space), load, share, row)

    def branch(self, part: Part) -> list[Part]:
        self.world.spend(self.world.costs.branch)
        piece = self._piece(part.load)
        below = [self.pieces[number] for number in self.below[piece.number]]
        return [self.part(load_of(child), part.share * child.share / piece.share) for child in below] or [part]

    def _piece(self, load: bytes) -> Piece:
        return self.pieces[int.from_bytes(load)]

    def _walk(self, loads: list[bytes], nodes: int, _wanted: int, patience: float = PATIENCE) -> Outcome:
        budget, done, passed = max(1, nodes), [], 0.0
        for load in loads:
            if budget <= 0 or passed > patience:
                break
            one = self._walk_one(self._piece(load), budget, patience - passed)
            done.append(one)
            budget, passed = budget - one.effort, passed + one.seconds
        return Outcome(done, 0)

    def _walk_one(self, piece: Piece, budget: int, patience: float) -> Done:
        """Walk over a subtree, and leave what is not come to, as subtrees: what was come to last, first."""
        ahead, solutions, visited, seconds = [piece.number], 0, 0, 0.0
        while ahead and visited < budget and seconds < patience:
            number = ahead.pop()
            here = self.pieces[number]
            ahead += reversed(self.below[number])
            solutions, visited, seconds = (
                solutions + here.solutions,
                visited + here.nodes,
                seconds + here.seconds / self.speed,
            )
        rest = [(load_of(self.pieces[number]), self.pieces[number].share / piece.share) for number in reversed(ahead)]
        return Done(solutions, max(1, visited), seconds, rest)

    def alone(self) -> Begun:
        """The first moments, which belong to one core: until nothing is left, or clearly much."""
        whole = (load_of(self.pieces[0]), 1.0)
        ahead, solutions, nodes, seconds, slice_ = [whole], 0, 0, 0.0, FIRST_SLICE
        while ahead:
            outcome = self._walk([load for load, _ in ahead], slice_, 0)
            left = [
                (load, rest * share)
                for done, (_, share) in zip(outcome.parts, ahead, strict=False)
                for load, rest in done.rest
            ]
            ahead = left + ahead[len(outcome.parts) :]
            solutions, nodes, seconds = solutions + outcome.solutions, nodes + outcome.effort, seconds + outcome.seconds
            slice_ = int(min(outcome.effort / max(outcome.seconds, 1e-9) * SLICE_SECONDS, 4 * slice_))
            share = 1 - sum(share for _, share in ahead)
            if takes_long(seconds, seconds / max(share, 1e-9)):
                break
        self.world.spend(seconds)
        tally = Tally(solutions, nodes, not ahead, 1.0 if not ahead else share)
        return Begun(tally, solutions, ahead, seconds, nodes / max(seconds, 1e-9))


def load_of(piece: Piece) -> bytes:
    return piece.number.to_bytes(4)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the simulation says of a count."""

    seconds: float
    tasks: int
    busy: float
    solutions: int


def simulated(
    pieces: Iterable[Piece], costs: Costs, cores: int, speed: float = 1.0, cutoff: int | None = None
) -> Forecast:
    """A count of the board that the pieces belong to, on so many cores."""
    world = World(costs, cores)
    job = Replay(pieces, world, cutoff, speed)
    if cores == 1:
        return Forecast(job.seconds, 0, job.seconds, sum(piece.solutions for piece in job.pieces))
    begun = job.alone()
    if begun.tally.complete:
        return Forecast(world.now, 0, world.now, begun.solutions)
    job.speed = speed / costs.crowded

    def counted() -> int:
        world.spend(costs.count_cores)
        return cores

    plan = Plan(cores, pool=None, engine="search", usable=counted, in_sight=lambda: cores)
    *_, last = Simulated(world, job, plan, begun).run()
    return Forecast(world.now, last.tasks, last.busy, last.solutions)
