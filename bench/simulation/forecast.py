"""A simulated count: pieces of a board, costs and a number of cores in; seconds out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.simulation.replay import Replay
from bench.simulation.world import Costs, World
from bench.tables.rows import Piece
from enumerator.run.driver import Driver
from enumerator.run.observer import Observer
from enumerator.run.plan import Plan


@dataclass(frozen=True, slots=True)
class Forecast:
    """The outcome of a simulated count."""

    seconds: float
    tasks: int
    busy: float
    solutions: int


def simulate_count(
    pieces: Iterable[Piece],
    costs: Costs,
    cores: int,
    speed: float = 1.0,
    cutoff: int | None = None,
    watch: Callable[[World], Observer] | None = None,
) -> Forecast:
    """Count the board that the pieces belong to, on `cores` simulated cores.

    `watch` may return an observer of the driver on that machine.
    """
    world = World(costs, cores)
    if watch:
        world.observer = watch(world)
    job = Replay(pieces, world.spend, costs.branch, cutoff, speed)
    if cores == 1:
        return Forecast(job.seconds, 0, job.seconds, job.solutions)
    start = job.start()
    if start.tally.complete:
        return Forecast(world.now, 0, world.now, start.solutions)
    job.speed = speed / costs.crowded

    def count_cores() -> int:
        world.spend(costs.count_cores)
        return cores

    plan = Plan(cores, pool=None, engine="search", usable=count_cores, visible=lambda: cores)
    driver = Driver(job, plan, start, clock=world.clock, threads=world.make_threads, observer=world)
    *_, last = driver.run()
    return Forecast(world.now, last.tasks, last.busy, last.solutions)
