"""Rounds of random probes, the estimates that they make, and the count that goes with an estimate."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Tally
from enumerator.engines.interfaces import PopulationEstimate, ProbeTree
from enumerator.questions.intervals import FEWEST_POPULATIONS, Interval, certain, interval
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan

POPULATIONS = 16
"""The number of populations of a round, if there are enough probes."""

SMALL_POPULATION = 64
"""The number of probes of a population below which a round has fewer, larger populations."""

MOST_PROBES = 2**20
"""The most probes of 16 populations. A population of them on 9×9 takes 30 MB."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated number of solutions and of nodes, and the estimated seconds on one core."""

    solutions: Interval
    nodes: Interval
    seconds: Interval
    probes: int
    exact: bool
    """True if the board was counted, so that no probes were needed."""
    engine: str = "search"
    """The engine whose time was estimated."""


def exact_estimate(tally: Tally, seconds: float) -> Estimate:
    """Return the estimate for a board that was counted in `seconds`."""
    return Estimate(certain(tally.solutions), certain(tally.nodes), certain(seconds), 0, True, tally.engine)


def find_trees(board: Board) -> list[tuple[str, ProbeTree]]:
    """Return the trees of the engines that have one, by the names of the engines."""
    trees = ((engine.name, engine.probe_tree(board)) for engine in engines.supporting(board))
    return [(name, tree) for name, tree in trees if tree is not None]


class Round:
    """Independent populations with about `probes` probes in all: the same number in each."""

    def __init__(self, probes: int, populations: int = 0) -> None:
        is_large = probes >= POPULATIONS * SMALL_POPULATION
        usual = POPULATIONS * max(1, probes // MOST_PROBES) if is_large else FEWEST_POPULATIONS
        self.planned = populations or usual
        self.population_probes = max(1, probes // self.planned)
        self.populations: list[PopulationEstimate] = []
        self.seconds = 0.0

    @property
    def probes(self) -> int:
        """The number of probes so far."""
        return self.population_probes * len(self.populations)

    @property
    def met_nothing(self) -> bool:
        """True if a population has met no solution by chance."""
        return any(each.log_solutions == -inf or each.is_blind for each in self.populations)

    @property
    def solutions(self) -> Interval:
        """The number of solutions. There is no interval if a population has met none by chance."""
        found = interval([each.log_solutions for each in self.populations])
        return found.without_bounds() if self.met_nothing else found

    @property
    def seconds_per_effort(self) -> float:
        return max(self.seconds, 1e-9) / max(1, sum(each.effort for each in self.populations))

    def run(self, tree: ProbeTree, rng: random.Random, watch: Callable[[], object]) -> Round:
        """Probe `tree` with all populations of the round. An exception of `watch` ends it early."""
        while self.is_open:
            self.add_population(tree, rng, watch)
        return self

    @property
    def is_open(self) -> bool:
        """True if populations are missing."""
        return len(self.populations) < self.planned

    def add_population(self, tree: ProbeTree, rng: random.Random, watch: Callable[[], object]) -> None:
        """Probe `tree` with the next population."""
        began = perf_counter()
        self.populations.append(tree.probe(self.population_probes, rng, watch))
        self.seconds += perf_counter() - began


class RoundReader:
    """Makes estimates of rounds, in the order of the trees that they probe.

    `count` predicts the time, and `engine` is the one whose time is asked for.
    """

    def __init__(self, count: EstimatedCount, engine: str) -> None:
        self.count, self.engine = count, engine
        self.nodes = certain(0)

    def read(self, round_: Round, place: int, name: str, known: Tally) -> Estimate:
        """Return the estimate of a round on the tree number `place`, that of the engine `name`.

        `known` is the tally of an unfinished count: there are at least as many solutions and nodes.
        """
        effort = interval([each.log_nodes for each in round_.populations])
        if not place:
            self.nodes = effort.at_least(known.nodes)
        timed_engine, time = self.count.predict(self.nodes)
        if place and self.engine in (name, engines.AUTO) and not self.count.is_promised:
            own_time = effort.times(round_.seconds_per_effort, log(SPEED_FACTOR))
            timed_engine, time = sooner((timed_engine, time), (name, own_time))
        solutions = round_.solutions.at_least(known.solutions)
        return Estimate(solutions, self.nodes, time, round_.probes, False, timed_engine)


LOCAL_SHARE = 0.05
"""The share of the time in which an estimate first tries to count the board."""

MOST_LOCAL_SECONDS = 1.0
"""The most time for that. Counts that take longer are left to the probes' prediction."""

PROMISED_SHARE = 0.5
"""The share of the time for that, if the engine predicts its time: it is then likely to finish."""

SPEED_FACTOR = 1.5
"""The factor by which the speed measured at the start may be wrong: trees and machines vary."""


class EstimatedCount:
    """The count on one core that goes with an estimate. Its time is that of its own steps."""

    def __init__(self, board: Board, engine: str) -> None:
        self.local = LocalCount(board, Plan(cores=1, engine=engine))
        self.seconds = 0.0
        self.step()

    @property
    def tally(self) -> Tally:
        return self.local.tally

    @property
    def finished(self) -> bool:
        return self.local.finished

    @property
    def is_promised(self) -> bool:
        """True if the engine predicts the time of the count."""
        return bool(self.local.counting.promised_seconds)

    def step(self) -> None:
        began = perf_counter()
        self.local.step()
        self.seconds += perf_counter() - began

    def start(self, seconds: float, watch: Callable[[], object]) -> None:
        """Count for a share of `seconds`: longer, if the engine predicts that it will finish."""
        least = min(MOST_LOCAL_SECONDS, LOCAL_SHARE * seconds)
        while not self.finished and self.local.seconds <= (PROMISED_SHARE * seconds if self.is_promised else least):
            watch()
            self.step()

    def run(self, seconds: float, watch: Callable[[], object]) -> None:
        """Count for `seconds`, or to the end."""
        began = perf_counter()
        while not self.finished and perf_counter() - began < seconds:
            watch()
            self.step()

    def predict(self, nodes: Interval) -> tuple[str, Interval]:
        """Return its engine, and the time of the whole count if the tree has `nodes` nodes."""
        tally, engine = self.tally, engines.get(self.tally.engine)
        if engine.effort == "nodes" and not self.is_promised:
            return engine.name, nodes.times(self.seconds / max(tally.nodes, 1), log(SPEED_FACTOR))
        time = remaining(self.seconds, tally.share)
        return engine.name, time if engine.shares_predict else time.without_bounds()


def sooner(one: tuple[str, Interval], other: tuple[str, Interval]) -> tuple[str, Interval]:
    """Return the engine that takes less time, and its time. Of the same engine, return the `other` one."""
    is_other = one[0] == other[0] or (not other[1].caveat and other[1].mean < one[1].mean)
    return other if is_other else one


def remaining(passed: float, share: float) -> Interval:
    """Return the time of a sum of which `share` took `passed` seconds.

    The interval is a factor of 2 to each side, because items take different times.
    """
    return certain(passed / max(share, 1e-9)).times(1.0, log(2))
