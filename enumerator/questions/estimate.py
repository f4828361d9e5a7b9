"""An estimate of the solutions, the tree and the time of a count, from random probes.

    probe         a random path down the tree (see engines/walks/probes.py)
    population    probes that go down together; its estimates are right on average
    round         independent populations of the same size. Their differences make the interval

Rounds have more and more probes. The last round makes the estimate: many probes in a population are
better than many populations, because they meet rare, huge subtrees.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.board.phrases import lasting, lasting_power, plural, rough_power
from enumerator.engines import Tally
from enumerator.engines.lists import PopulationEstimate, ProbeTree
from enumerator.questions.facts import board_facts
from enumerator.questions.intervals import FEWEST_POPULATIONS, Interval, certain, interval
from enumerator.run.errors import Interrupted, Stopped
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress

DEFAULT_SECONDS = 2.0
"""The time of an estimate, unless the caller says otherwise."""

LOCAL_SHARE = 0.05
"""The share of the time in which an estimate first tries to count the board."""

MOST_LOCAL_SECONDS = 1.0
"""The most time for that. Counts that take longer are left to the probes' prediction."""

PROMISED_SHARE = 0.5
"""The share of the time for that, if the engine predicts its time: it is then likely to finish."""

POPULATIONS = 16
"""The number of populations of a round, if there are enough probes."""

SMALL_POPULATION = 64
"""The number of probes of a population below which a round has fewer, larger populations."""

FIRST_PROBES = 32
"""The number of probes of the first round, which measures their time."""

MOST_PROBES = 2**20
"""The most probes of a round. A population of them on 9×9 takes 30 MB."""

TRIAL_SHARE = 0.1
"""The share of the remaining time for the second round. The third round takes the rest."""

LAST_SHARE = 0.9
"""The share of the remaining time that the last round is planned to take, as times vary."""

SPEED_FACTOR = 1.5
"""The factor by which the speed measured at the start may be wrong: trees and machines vary."""


class InterruptedEstimate(Interrupted):
    """Ctrl-C during an estimate. `answer` holds the best estimate so far; None if there is none."""

    answer: EstimateAnswer | None = None


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


@dataclass(frozen=True, slots=True, repr=False)
class EstimateAnswer:
    """An estimate for a board, on a number of cores. Intervals have `mean`, `low` and `high`."""

    board: Board
    estimate: Estimate
    cores: int

    @property
    def solutions(self) -> Interval:
        """The number of solutions."""
        return self.estimate.solutions

    @property
    def nodes(self) -> Interval:
        """The number of nodes of the tree that a search visits."""
        return self.estimate.nodes

    @property
    def exact(self) -> bool:
        """True if the board was counted, so that `solutions` is exact."""
        return self.estimate.exact

    def __repr__(self) -> str:
        known = self.estimate
        if known.exact:
            took = lasting(known.seconds.mean)
            return f"<EstimateAnswer: {plural(int(known.solutions.mean), 'solution', '{:,}')}, counted in {took}>"
        if known.solutions.caveat:
            return f"<EstimateAnswer: {known.solutions.caveat}>"
        time = self.seconds.describe(lasting_power) if not self.seconds.caveat else "unknown time"
        solutions = known.solutions.describe(rough_power, "solutions")
        return f"<EstimateAnswer: {solutions}; a count takes {time} on {plural(self.cores, 'core')}>"

    @property
    def seconds(self) -> Interval:
        """The time of a count on all cores. A count that was finished has taken one core."""
        known = self.estimate
        return known.seconds if known.exact or self.cores == 1 else known.seconds.times(1 / self.cores)

    def to_dict(self) -> dict[str, object]:
        """Return all facts. Estimates are numbers with the bounds of their 95 % intervals."""
        known = self.estimate
        return {
            **board_facts(self.board),
            "estimated_solutions": known.solutions.to_dict(),
            "estimated_nodes": known.nodes.to_dict(),
            "estimated_seconds": self.seconds.to_dict(),
            "exact": known.exact,
            "probes": known.probes,
            "engine": known.engine,
            "cores": self.cores,
        }


def estimate(
    board: Board,
    plan: Plan,
    *,
    time_limit: float = DEFAULT_SECONDS,
    seed: int = 0,
    probes: int | None = None,
    watch: Watch = no_progress,
) -> EstimateAnswer:
    """Estimate the solutions, the tree and the time of a count in about `time_limit` seconds.

    With `probes`, there are as many probes as that, however long they take. The estimated
    solutions and nodes then depend on the board, `seed` and `probes` only. InterruptedEstimate and
    Stopped have the best estimate so far in `answer`.
    """
    best: Estimate | None = None
    started = perf_counter()

    def answer() -> EstimateAnswer | None:
        return EstimateAnswer(board, best, plan.effective_cores()) if best else None

    def tell() -> None:
        is_timed = probes is None and 0 < time_limit < inf
        watch(Progress(min(1.0, (perf_counter() - started) / time_limit) if is_timed else None))

    try:
        for best in estimates(board, time_limit, seed, plan.engine, probes=probes, watch=tell):  # noqa: B007
            tell()
    except KeyboardInterrupt as error:
        interrupted = InterruptedEstimate()
        interrupted.answer = answer()
        raise interrupted from error
    except Stopped as error:
        error.answer = answer()
        raise
    if (found := answer()) is None:
        raise RuntimeError("there was no estimate")
    return found


def estimates(
    board: Board,
    seconds: float = DEFAULT_SECONDS,
    seed: int = 0,
    engine: str = "search",
    *,
    probes: int | None = None,
    local_share: float = LOCAL_SHARE,
    watch: Callable[[], object] = lambda: None,
) -> Iterator[Estimate]:
    """Yield better and better estimates for about `seconds`, or one of `probes` probes.

    The estimated time is that of `engine`. For `local_share` of the time, the board is counted;
    most counts finish within it, and the estimate is then exact. So it is if the probes say that
    there is time to finish the count. `watch` is called often.
    """
    started = perf_counter()
    local = LocalCount(board, Plan(cores=1, engine=engine))
    tally = local.step()
    while not local.finished and local.seconds <= (
        PROMISED_SHARE * seconds if local.counting.promised_seconds else min(MOST_LOCAL_SECONDS, local_share * seconds)
    ):
        watch()
        tally = local.step()
    passed = local.seconds
    if tally.complete:
        yield exact_estimate(tally, passed)
        return
    tree, rng = find_tree(board), random.Random(seed)
    rounds = (
        timed_rounds(tree, rng, started + seconds, watch) if probes is None else [Round(probes).run(tree, rng, watch)]
    )
    for round_ in rounds:
        solutions = interval([each.log_solutions for each in round_.populations]).at_least(tally.solutions)
        nodes = interval([each.log_nodes for each in round_.populations]).at_least(tally.nodes)
        time = (
            remaining(passed, tally.share)
            if local.counting.promised_seconds or engines.get(tally.engine).effort != "nodes"
            else nodes.times(passed / max(tally.nodes, 1), log(SPEED_FACTOR))
        )
        yield Estimate(solutions, nodes, time, round_.probes, False, tally.engine)
        if (
            probes is None
            and local_share
            and (time.high or inf) < PROMISED_SHARE * (started + seconds - perf_counter())
        ):
            began = perf_counter()
            while not local.finished and perf_counter() - began < (time.high or 0.0):
                watch()
                tally = local.step()
            passed += perf_counter() - began
            if tally.complete:
                yield exact_estimate(tally, passed)
                return


def exact_estimate(tally: Tally, seconds: float) -> Estimate:
    """Return the estimate for a board that was counted in `seconds`."""
    return Estimate(certain(tally.solutions), certain(tally.nodes), certain(seconds), 0, True, tally.engine)


def find_tree(board: Board) -> ProbeTree:
    """Return the tree of the first engine that has one."""
    trees = (engine.probe_tree(board) for engine in engines.supporting(board))
    return next(tree for tree in trees if tree is not None)


class Round:
    """Independent populations with about `probes` probes in all."""

    def __init__(self, probes: int) -> None:
        is_large = probes >= POPULATIONS * SMALL_POPULATION
        self.planned = POPULATIONS if is_large else FEWEST_POPULATIONS
        self.population_probes = max(1, probes // self.planned)
        self.populations: list[PopulationEstimate] = []
        self.seconds = 0.0

    @property
    def probes(self) -> int:
        """The number of probes so far."""
        return self.population_probes * len(self.populations)

    def run(self, tree: ProbeTree, rng: random.Random, watch: Callable[[], object]) -> Round:
        """Probe `tree` with all populations of the round. An exception of `watch` ends it early."""
        began = perf_counter()
        while len(self.populations) < self.planned:
            self.populations.append(tree.probe(self.population_probes, rng, watch))
            self.seconds = perf_counter() - began
        return self


class _TimeUpError(Exception):
    """The time of an estimate is over."""


def timed_rounds(tree: ProbeTree, rng: random.Random, deadline: float, watch: Callable[[], object]) -> Iterator[Round]:
    """Yield rounds of probes until `deadline`, each with at least twice as many as the one before.

    If the time is over, the first round may have fewer populations than planned, or none.
    """

    def check_time() -> None:
        watch()
        if perf_counter() > deadline:
            raise _TimeUpError

    probes, share = FIRST_PROBES, TRIAL_SHARE
    while True:
        round_ = Round(probes)
        try:
            round_.run(tree, rng, check_time)
        except _TimeUpError:
            if probes == FIRST_PROBES or len(round_.populations) >= FEWEST_POPULATIONS:
                yield round_
            return
        yield round_
        left = LAST_SHARE * (deadline - perf_counter())
        affordable = int(min(MOST_PROBES, left / max(round_.seconds, 1e-9) * round_.probes))
        if affordable < 2 * probes:
            return
        trial = int(share * affordable)
        probes = trial if trial >= 2 * probes else affordable
        share = 1.0


def remaining(passed: float, share: float) -> Interval:
    """Return the time of a sum of which `share` took `passed` seconds.

    The interval is a factor of 2 to each side, because items take different times.
    """
    return certain(passed / max(share, 1e-9)).times(1.0, log(2))
