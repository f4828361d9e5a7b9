"""An estimate of the solutions, the tree and the time of a count, from random probes.

    probe     a path down the tree, at each node into a random child (see engines/search/tree.py)
    stratum   a part of the tree with its own probes: differences between strata add no error

The interval of a sum of many means follows from the normal distribution. It is only as good as the
probes: a rare, huge subtree that none of them has met is not included.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import fsum, hypot, inf, sqrt
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.engines.lists import ProbeTree
from enumerator.questions.facts import board_facts
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Stopped, Watch, no_progress

LOCAL_SHARE = 0.05
"""The share of the time in which an estimate first tries to count the board."""

PROMISED_SHARE = 0.5
"""The share of the time for that, if the engine predicts its time: it is then likely to finish."""

TRIAL_SHARE = 0.1
"""The share of the time for measuring the time of a probe."""

STRATA = 256
"""The number of strata of an estimate, if there is time for them."""

FEWEST_PROBES = 8
"""The number of probes per stratum before its variance is used, if there is time for them."""

MOST_NODES = 1e150
"""The largest tree that is estimated, in nodes. Its square must not overflow a float."""

Z95 = 1.96
"""The half-width of a 95 % interval, in standard errors, for the normal distribution."""

T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45)
"""The half-width of a 95 % interval, in standard errors, for 2, 3, … probes (Student's t)."""

SPEED_ERROR = 0.2
"""The relative error of the speed that is measured at the start: trees and machines vary."""


class BeyondEstimateError(ValueError):
    """A tree is too large to be estimated."""

    answer: EstimateAnswer | None = None
    """The best estimate before the error; None if there was none."""


class InterruptedEstimate(KeyboardInterrupt):
    """Ctrl-C during an estimate. `answer` holds the best estimate so far; None if there is none."""

    def __init__(self, answer: EstimateAnswer | None) -> None:
        super().__init__()
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the bounds of its 95 % interval."""

    mean: int | float
    """The mean; an integer if it is exact."""
    low: int | float
    high: int | float

    def to_dict(self, divisor: int = 1) -> dict[str, float]:
        values = {"mean": self.mean, "low": self.low, "high": self.high}
        return values if divisor == 1 else {name: value / divisor for name, value in values.items()}


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


@dataclass(frozen=True, slots=True)
class EstimateAnswer:
    """An estimate for a board, on a number of cores."""

    board: Board
    estimate: Estimate
    cores: int

    def to_dict(self) -> dict[str, object]:
        """Return all facts. Estimates are numbers with the bounds of their 95 % intervals."""
        known = self.estimate
        return {
            **board_facts(self.board),
            "estimated_solutions": known.solutions.to_dict(),
            "estimated_nodes": known.nodes.to_dict(),
            "estimated_seconds": known.seconds.to_dict(1 if known.exact else self.cores),
            "exact": known.exact,
            "probes": known.probes,
            "engine": known.engine,
            "cores": self.cores,
        }


def estimate(
    board: Board, plan: Plan, *, time_limit: float = 2.0, seed: int = 0, watch: Watch = no_progress
) -> EstimateAnswer:
    """Estimate the solutions, the tree and the time of a count in about `time_limit` seconds.

    InterruptedEstimate, BeyondEstimateError and Stopped have the best estimate so far in `answer`.
    """
    best: Estimate | None = None
    started = perf_counter()

    def answer() -> EstimateAnswer | None:
        return EstimateAnswer(board, best, plan.effective_cores()) if best else None

    try:
        for best in estimates(board, time_limit, seed, plan.engine):  # noqa: B007 - `answer` uses it
            watch(Progress(min(1.0, (perf_counter() - started) / time_limit) if time_limit else None))
    except KeyboardInterrupt as error:
        raise InterruptedEstimate(answer()) from error
    except (BeyondEstimateError, Stopped) as error:
        error.answer = answer()
        raise
    if (found := answer()) is None:
        raise RuntimeError("there was no estimate")
    return found


def estimates(
    board: Board,
    seconds: float = 2.0,
    seed: int = 0,
    engine: str = "search",
    *,
    local_share: float = LOCAL_SHARE,
) -> Iterator[Estimate]:
    """Yield better and better estimates for about `seconds`.

    The estimated time is that of `engine`. For `local_share` of the time, the board is counted;
    most counts finish within it, and the estimate is then exact. With 0 `seconds`, there are as
    many probes as the first estimate needs.
    """
    started = perf_counter()
    local = LocalCount(board, Plan(cores=1, engine=engine))
    tally = local.step()
    while not local.finished and local.seconds <= seconds * (
        PROMISED_SHARE if local.counting.promised_seconds else local_share
    ):
        tally = local.step()
    passed = local.seconds
    if tally.complete:
        yield Estimate(certain(tally.solutions), certain(tally.nodes), certain(passed), 0, True, tally.engine)
        return
    tree = find_tree(board)
    rng = random.Random(seed)
    strata = [Stratum(tree, load) for load in tree.strata(number_of_strata(board, tree, seconds, seed))]
    is_over = False
    for round_ in count(1):
        for stratum in strata:
            is_over = perf_counter() - started > (seconds or inf)
            if is_over and round_ > 2:  # two rounds are enough for a variance
                break
            stratum.probe(rng)
        if round_ >= FEWEST_PROBES or (is_over and round_ >= 2):
            nodes = total([stratum.nodes for stratum in strata], tally.nodes)
            is_summed = bool(local.counting.promised_seconds)
            yield Estimate(
                total([stratum.solutions for stratum in strata], tally.solutions),
                nodes,
                remaining(passed, tally.share) if is_summed else duration(nodes, passed / max(tally.nodes, 1)),
                sum(stratum.nodes.count for stratum in strata),
                False,
                tally.engine,
            )
            if perf_counter() - started > seconds:
                return


def find_tree(board: Board) -> ProbeTree:
    """Return the tree of the first engine that has one."""
    trees = (engine.probe_tree(board) for engine in engines.supporting(board))
    return next(tree for tree in trees if tree is not None)


def number_of_strata(board: Board, tree: ProbeTree, seconds: float, seed: int) -> int:
    """Return the number of strata for which there is time."""
    affordable = seconds / FEWEST_PROBES / seconds_a_probe(board, tree, random.Random(seed), TRIAL_SHARE * seconds)
    number = STRATA if affordable > STRATA or not seconds else int(affordable)
    return number if number >= board.shape.size else 1  # fewer cannot be made: a node has many children


def seconds_a_probe(board: Board, tree: ProbeTree, rng: random.Random, seconds: float) -> float:
    """Return the average time of a probe, measured on extra probes."""
    began, probes = perf_counter(), 0
    while not probes or (probes < FEWEST_PROBES and perf_counter() - began < seconds):
        probe(tree, board.cells, rng)
        probes += 1
    return (perf_counter() - began) / probes


def probe(tree: ProbeTree, load: bytes, rng: random.Random) -> tuple[float, float]:
    """Probe a part of a tree once, and return its estimated solutions and nodes.

    Raise BeyondEstimateError if it has more than MOST_NODES nodes.
    """
    solutions, nodes = tree.probe(load, rng, MOST_NODES)
    if nodes > MOST_NODES:
        raise BeyondEstimateError(f"more than {MOST_NODES:.0e} nodes: beyond any estimate")
    return solutions, nodes


class Mean:
    """A running mean with its variance (Welford 1962)."""

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
        """The variance of the mean, not of the values."""
        return self.squares / (self.count - 1) / self.count


class Stratum:
    """A part of the tree, and the results of its probes."""

    def __init__(self, tree: ProbeTree, load: bytes) -> None:
        self.tree, self.load = tree, load
        self.solutions, self.nodes = Mean(), Mean()

    def probe(self, rng: random.Random) -> None:
        solutions, nodes = probe(self.tree, self.load, rng)
        self.solutions.add(solutions)
        self.nodes.add(nodes)


def certain(value: float) -> Interval:
    return Interval(value, value, value)


def remaining(passed: float, share: float) -> Interval:
    """Return the time of a sum of which `share` took `passed` seconds.

    The interval is a factor of 2 to each side, because items take different times.
    """
    mean = passed / max(share, 1e-9)
    return Interval(mean, mean / 2, 2 * mean)


def duration(nodes: Interval, seconds_a_node: float) -> Interval:
    """Return the time for `nodes`. Its interval includes the error of the speed."""
    mean = nodes.mean * seconds_a_node
    low, high = ((bound / nodes.mean - 1) if nodes.mean else 0.0 for bound in (nodes.low, nodes.high))
    return Interval(mean, mean * max(0.0, 1 - hypot(low, SPEED_ERROR)), mean * (1 + hypot(high, SPEED_ERROR)))


def total(means: list[Mean], at_least: int) -> Interval:
    """Return the sum of means with its interval. Mean and bounds are at least `at_least`."""
    mean = fsum(each.mean for each in means)
    fewest = min(each.count for each in means)
    error = (T95[fewest - 2] if fewest < FEWEST_PROBES else Z95) * sqrt(fsum(each.variance for each in means))
    return Interval(max(mean, at_least), max(mean - error, at_least), max(mean + error, at_least))
