"""An estimate of the solutions, the tree and the time of a count, from random probes.

    probe         a random path down the tree (see engines/walks/probes.py)
    population    probes that go down together; its estimates are right on average
    round         independent populations of the same size. Their differences make the interval

    short walks   probes of another kind, for boards beyond 9×9: see engines/walks/partial.py

Rounds have more and more probes. The last round makes the estimate: many probes in a population are
better than many populations, because they meet rare, huge subtrees.

On large boards most random paths may be dead ends. If a population of the second round has met no
solution, the board is counted for a while, and probed by short walks after that. The interval is made
of the last round alone, so the choice does not distort it.
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
from enumerator.questions.estimated_time import SPEED_FACTOR, EstimatedCount, sooner
from enumerator.questions.facts import board_facts
from enumerator.questions.intervals import FEWEST_POPULATIONS, Interval, certain, interval
from enumerator.run.errors import Interrupted, Stopped
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

FIRST_POPULATIONS = 2
"""The populations of the first round of short walks, of a probe each: 0.1 s each on 25×25."""

MOST_PROBES = 2**20
"""The most probes of a round. A population of them on 9×9 takes 30 MB."""

TRIAL_SHARE = 0.1
"""The share of the remaining time for the second round. The third round takes the rest."""

LAST_SHARE = 0.9
"""The share of the remaining time that the last round is planned to take, as times vary."""

COUNT_SHARE = 0.4
"""The share of the remaining time for a count, before a board is probed by short walks.

A count that finishes is worth more than an estimate. One that does not costs the estimate little.
"""


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
    count = EstimatedCount(board, engine)
    while not count.finished and count.local.seconds <= (
        PROMISED_SHARE * seconds if count.is_promised else min(MOST_LOCAL_SECONDS, local_share * seconds)
    ):
        watch()
        count.step()
    if count.tally.complete:
        yield exact_estimate(count.tally, count.seconds)
        return
    rng, trees = random.Random(seed), find_trees(board)
    is_timed = probes is None
    nodes = certain(0)
    for place, (name, tree) in enumerate(trees):
        if place and is_timed and local_share:
            count.run(COUNT_SHARE * (started + seconds - perf_counter()), watch)
            if count.tally.complete:
                yield exact_estimate(count.tally, count.seconds)
                return
        rounds = (
            timed_rounds(tree, rng, started + seconds, watch, has_short_walks=place > 0)
            if probes is None
            else [Round(probes).run(tree, rng, watch)]
        )
        for number, round_ in enumerate(rounds):
            solutions = round_.solutions.at_least(count.tally.solutions)
            effort = interval([each.log_nodes for each in round_.populations])
            nodes = nodes if place else effort.at_least(count.tally.nodes)
            timed_engine, time = count.predict(nodes)
            if place and engine in (name, engines.AUTO) and not count.is_promised:
                own_time = effort.times(round_.seconds_per_effort, log(SPEED_FACTOR))
                timed_engine, time = sooner((timed_engine, time), (name, own_time))
            moves_on = place + 1 < len(trees) and round_.met_nothing and (number > 0 or not is_timed)
            if is_timed or not moves_on:
                yield Estimate(solutions, nodes, time, round_.probes, False, timed_engine)
            if is_timed and local_share and (time.high or inf) < PROMISED_SHARE * (started + seconds - perf_counter()):
                count.run(time.high or 0.0, watch)
                if count.tally.complete:
                    yield exact_estimate(count.tally, count.seconds)
                    return
            if moves_on:
                break
        else:
            return


def exact_estimate(tally: Tally, seconds: float) -> Estimate:
    """Return the estimate for a board that was counted in `seconds`."""
    return Estimate(certain(tally.solutions), certain(tally.nodes), certain(seconds), 0, True, tally.engine)


def find_trees(board: Board) -> list[tuple[str, ProbeTree]]:
    """Return the trees of the engines that have one, by the names of the engines."""
    trees = ((engine.name, engine.probe_tree(board)) for engine in engines.supporting(board))
    return [(name, tree) for name, tree in trees if tree is not None]


class Round:
    """Independent populations with about `probes` probes in all."""

    def __init__(self, probes: int, populations: int = 0) -> None:
        is_large = probes >= POPULATIONS * SMALL_POPULATION
        self.planned = populations or (POPULATIONS if is_large else FEWEST_POPULATIONS)
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
        while len(self.populations) < self.planned:
            began = perf_counter()
            self.populations.append(tree.probe(self.population_probes, rng, watch))
            self.seconds += perf_counter() - began
        return self


class _TimeUpError(Exception):
    """The time of an estimate is over."""


def timed_rounds(
    tree: ProbeTree,
    rng: random.Random,
    deadline: float,
    watch: Callable[[], object],
    has_short_walks: bool = False,
) -> Iterator[Round]:
    """Yield rounds of probes until `deadline`, each with at least twice as many as the one before.

    If the time is over, the first round may have fewer populations than planned, or none. Short walks
    take less time a probe, the longer they are. So their last round may get more populations.
    """

    def check_time() -> None:
        watch()
        if perf_counter() > deadline:
            raise _TimeUpError

    share, probes = (1.0, FIRST_POPULATIONS) if has_short_walks else (TRIAL_SHARE, FIRST_PROBES)
    round_ = Round(probes, FIRST_POPULATIONS if has_short_walks else 0)
    is_first = True
    while True:
        try:
            round_.run(tree, rng, check_time)
        except _TimeUpError:
            if is_first or len(round_.populations) >= FEWEST_POPULATIONS:
                yield round_
            return
        yield round_
        is_first = False
        left = LAST_SHARE * (deadline - perf_counter())
        affordable = int(min(MOST_PROBES, left / max(round_.seconds, 1e-9) * round_.probes))
        if affordable < 2 * probes:
            if not has_short_walks or round_.planned != FEWEST_POPULATIONS:
                return
            round_.planned = POPULATIONS
            continue
        trial = int(share * affordable)
        probes = trial if trial >= 2 * probes else affordable
        round_, share = Round(probes), 1.0
