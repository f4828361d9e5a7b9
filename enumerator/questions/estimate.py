"""How many solutions, how large a tree, how long: an estimate from random probes, before a long run.

    probe     a way down the tree, one child chosen at random at each node, until what is left is so small
              that it is counted. What it finds there, times the number of ways it did not go, is on
              average what there is (Knuth, 1975).
    stratum   a part of the tree with probes of its own: what the parts differ in adds nothing to the error

For a sum of many means the normal distribution gives the interval. It holds as well as the probes have seen what
there is: a rare, huge subtree that none of them has met is not in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import fsum, hypot, inf, sqrt
from time import perf_counter

from enumerator.board import Board, Shape
from enumerator.engines.search import kernel
from enumerator.run import Alone, Plan
from enumerator.run.splitting import Part, Tree, above, cutoff_for, split, whole

ALONE_SHARE = 0.05
"""The share of its time in which an estimate tries to do without probes."""
TRIAL_SHARE = 0.1
"""That in which it finds out how long a probe takes."""
SUM_SHARE = 0.5
"""The same, if it has come to the contraction: that is likely to end within it."""
STRATA = 256
SMALL = 100
"""A subtree of no more nodes than this is counted, not probed: fewer make rougher probes, more make fewer."""
FEWEST = 8
"""Probes of each stratum, for its variance to be known: at least so many, if there is time for them."""
GREATEST = 1e150
"""No estimate goes beyond this: its square is to be a number, too."""
Z95 = 1.96
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45)
"""How many standard errors an interval has to each side; and for 2, 3, ... probes, by Student's distribution."""
UNSTEADY = 0.2
"""How far the speed of a run may be from that of its first moments: neither tree nor machine is always the same."""


class BeyondEstimateError(ValueError):
    """A board with a tree too large to be put into numbers."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the bounds between which the truth is found 95 times in 100."""

    mean: int | float
    """An integer, if it is exact."""
    low: int | float
    high: int | float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a count would find, visit and take (on one core), as far as one can tell."""

    solutions: Interval
    nodes: Interval
    seconds: Interval
    probes: int
    exact: bool
    """The board was counted: there was no need for probes."""
    engine: str = "search"
    """Whose time it is."""


def estimates(board: Board, seconds: float = 2.0, seed: int = 0, engine: str = "search") -> Iterator[Estimate]:
    """Ever better estimates, for about so long; the last is the best. A board that takes no longer is simply counted.

    With another engine than the search the time is that engine's. No time at all means as many probes as it takes.
    """
    started = perf_counter()
    alone = Alone(board, Plan(cores=1, engine=engine))
    tally = alone.step()
    while not alone.finished and alone.seconds <= (SUM_SHARE if alone.sum else ALONE_SHARE) * seconds:
        tally = alone.step()
    passed = alone.seconds
    if tally.complete:
        yield Estimate(certain(tally.solutions), certain(tally.nodes), certain(passed), 0, True, tally.engine)
        return
    rng = random.Random(seed)
    affordable = seconds / FEWEST / pace(board, random.Random(seed), TRIAL_SHARE * seconds)
    tasks = STRATA if affordable > STRATA or not seconds else int(affordable)
    if tasks < board.shape.size:  # it would be more, since a node has many children
        tasks = 1
    branch = Tree(board.shape).branch
    cutoff = cutoff_for([whole(board)], branch, tasks)
    strata = [Stratum(part, board.shape) for part in split([whole(board)], above(cutoff, branch))]
    is_over = False
    for round_ in count(1):
        for stratum in strata:
            is_over = perf_counter() - started > (seconds or inf)
            if is_over and round_ > 2:  # there is a variance, and that must do
                break
            stratum.probe(rng)
        if round_ >= FEWEST or (is_over and round_ >= 2):
            nodes = total([stratum.nodes for stratum in strata], tally.nodes)
            yield Estimate(
                total([stratum.solutions for stratum in strata], tally.solutions),
                nodes,
                remaining(passed, alone.sum.share) if alone.sum else duration(nodes, passed / max(tally.nodes, 1)),
                sum(stratum.nodes.count for stratum in strata),
                False,
                tally.engine,
            )
            if perf_counter() - started > seconds:
                return


def pace(board: Board, rng: random.Random, seconds: float) -> float:
    """How long a probe takes, from some that are made for that alone."""
    began, probes = perf_counter(), 0
    while not probes or (probes < FEWEST and perf_counter() - began < seconds):
        probe(board.cells, board.shape, rng)
        probes += 1
    return (perf_counter() - began) / probes


def estimate(board: Board, seconds: float = 2.0, seed: int = 0, engine: str = "search") -> Estimate:
    """The number of solutions, the size of the tree and the time of a count, with 95 % intervals."""
    *_, last = estimates(board, seconds, seed, engine)
    return last


class Mean:
    """The mean of what has been seen, and its variance (Welford's way)."""

    __slots__ = ("count", "mean", "squares")

    def __init__(self) -> None:
        self.count, self.mean, self.squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self.squares += away * (value - self.mean)

    @property
    def variance(self) -> float:
        """Of the mean, not of the values."""
        return self.squares / (self.count - 1) / self.count


class Stratum:
    """A part of the tree, and what its probes have found."""

    def __init__(self, part: Part, shape: Shape) -> None:
        self.part, self.shape = part, shape
        self.solutions, self.nodes = Mean(), Mean()

    def probe(self, rng: random.Random) -> None:
        solutions, nodes = probe(self.part.load, self.shape, rng)
        self.solutions.add(solutions)
        self.nodes.add(nodes)


def probe(cells: bytes, shape: Shape, rng: random.Random) -> tuple[float, float]:
    """One way down: the solutions and the nodes of the whole tree, if all of it were like this way."""
    ways, nodes = 1.0, 1.0
    while True:
        walk = kernel.start(cells, shape.height, shape.width)
        children = walk.rest()
        found = walk.run(SMALL)
        if walk.finished:
            return ways * found, nodes + ways * walk.nodes
        ways *= len(children)
        nodes += ways
        if nodes > GREATEST:
            raise BeyondEstimateError(f"more than {GREATEST:.0e} nodes: beyond any estimate")
        cells = rng.choice(children)


def certain(value: float) -> Interval:
    return Interval(value, value, value)


def remaining(passed: float, share: float) -> Interval:
    """The time for a whole sum of which so much is done. No item of it is like another."""
    mean = passed / max(share, 1e-9)
    return Interval(mean, mean / 2, 2 * mean)


def duration(nodes: Interval, seconds_a_node: float) -> Interval:
    """The time for so many nodes, given that speed is not quite known either."""
    mean = nodes.mean * seconds_a_node
    low, high = ((bound / nodes.mean - 1) if nodes.mean else 0.0 for bound in (nodes.low, nodes.high))
    return Interval(mean, mean * max(0.0, 1 - hypot(low, UNSTEADY)), mean * (1 + hypot(high, UNSTEADY)))


def total(means: list[Mean], at_least: int) -> Interval:
    """The sum of means, and its interval."""
    mean = fsum(each.mean for each in means)
    fewest = min(each.count for each in means)
    error = (T95[fewest - 2] if fewest < FEWEST else Z95) * sqrt(fsum(each.variance for each in means))
    return Interval(max(mean, at_least), max(mean - error, at_least), max(mean + error, at_least))
