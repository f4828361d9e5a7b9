"""An estimate of the solutions, the tree and the time of a count, from random probes.

    probe         a random path down the tree (see engines/walks/probes.py)
    population    probes that go down together; its estimates are right on average
    round         independent populations of the same size. Their differences make the interval

    short walks   probes of another kind, for boards beyond 9×9: see engines/walks/partial_probes.py

An estimate takes a given time, or a given number of probes: see fixed_estimate.py. In a given time,
rounds have more and more probes. The last round makes the estimate: many probes in a population are
better than many populations, because they meet rare, huge subtrees.

On large boards most random paths may be dead ends. If a population of the second round has met no
solution, the board is counted for a while, and probed by short walks after that. The interval is made
of the last round alone, so the choice does not distort it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from time import perf_counter

from enumerator.board import Board
from enumerator.engines.interfaces import ProbeTree
from enumerator.questions.ask import carrying
from enumerator.questions.fields import ABSENT, BOARD_FIELDS, Field, Style, bounds_of, no_words, to_dict
from enumerator.questions.fixed_estimate import fixed_estimates
from enumerator.questions.intervals import FEWEST_POPULATIONS, Interval
from enumerator.questions.rounds import (
    MOST_PROBES,
    POPULATIONS,
    PROMISED_SHARE,
    Estimate,
    EstimatedCount,
    Round,
    RoundReader,
    exact_estimate,
    find_trees,
)
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.phrases import lasting, lasting_power, plural, rough_power, whole

DEFAULT_SECONDS = 2.0
"""The time of an estimate, unless the caller says otherwise."""

TIMED_SEED = 0
"""The seed of an estimate that takes a given time. The number of its probes varies in any case."""

FIRST_PROBES = 32
"""The number of probes of the first round, which measures their time."""

FIRST_POPULATIONS = 2
"""The populations of the first round of short walks, of a probe each: 0.1 s each on 25×25."""

TRIAL_SHARE = 0.1
"""The share of the remaining time for the second round. The third round takes the rest."""

LAST_SHARE = 0.9
"""The share of the remaining time that the last round is planned to take, as times vary."""

COUNT_SHARE = 0.4
"""The share of the remaining time for a count, before a board is probed by short walks.

A count that finishes is worth more than an estimate. One that does not costs the estimate little.
"""


@dataclass(frozen=True, slots=True, repr=False)
class EstimateAnswer:
    """An estimate for a board, on a number of cores. Intervals have `mean`, `low` and `high`.

    >>> answer = en.estimate("1234 3412 .... ....")
    >>> answer.exact, answer.solutions
    (True, <Interval: 4>)
    """

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
        return to_dict(FIELDS, self)


def _solutions_words(answer: EstimateAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    known = answer.estimate
    if style.is_drawn:
        return None
    return f"{whole(round(known.solutions.mean))} (counted)" if known.exact else known.solutions.describe(rough_power)


def describe_time(answer: EstimateAnswer) -> str:
    """Return the time of a count as text, with its bounds if it is estimated."""
    known = answer.estimate
    return lasting(known.seconds.mean) if known.exact else answer.seconds.describe(lasting_power)


def _where(answer: EstimateAnswer, separator: str) -> str:
    """Return the engine of a count and, if it is predicted, its cores."""
    known = answer.estimate
    return known.engine if known.exact else f"{known.engine}{separator}{plural(answer.cores, 'core')}"


def _time_words(answer: EstimateAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    if style.is_drawn:
        return None
    time = describe_time(answer)
    return time if answer.seconds.caveat else f"{time} by {_where(answer, ' on ')}"


def _time_in_drawings(answer: EstimateAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    return describe_time(answer) if style.is_drawn else None


FIELDS = (
    *BOARD_FIELDS,
    Field(
        "estimated_solutions",
        lambda answer: answer.solutions.to_dict(),
        _solutions_words,
        "solutions",
        10,
        bounds_of("estimated_solutions"),
    ),
    Field(
        "estimated_nodes",
        lambda answer: answer.nodes.to_dict(),
        lambda answer, *_: None if answer.exact else answer.nodes.describe(rough_power),
        "nodes",
        30,
        bounds_of("estimated_nodes"),
    ),
    Field(
        "estimated_seconds",
        lambda answer: answer.seconds.to_dict(),
        _time_words,
        "time",
        20,
        bounds_of("estimated_seconds"),
    ),
    Field("exact", lambda answer: answer.exact, no_words),
    Field(
        "probes",
        lambda answer: answer.estimate.probes,
        lambda answer, *_: None if answer.exact else f"{answer.estimate.probes:,}",
        place=40,
    ),
    Field(
        "engine",
        lambda answer: answer.estimate.engine,
        lambda answer, _, style: _where(answer, ", ") if style.is_drawn else None,
        place=15,
    ),
    Field("cores", lambda answer: answer.cores, no_words),
    Field("", lambda _: ABSENT, _time_in_drawings, "count takes", 16),
)


def estimate(
    board: Board,
    plan: Plan,
    *,
    time_limit: float = DEFAULT_SECONDS,
    seed: int | None = None,
    probes: int | None = None,
    watch: Watch = no_progress,
) -> EstimateAnswer:
    """Estimate the solutions, the tree and the time of a count in about `time_limit` seconds.

    With `seed` or `probes`, the estimate takes as long as its probes; `time_limit` is ignored. The
    estimated solutions and nodes then depend on the board, the engine, `seed` and `probes` only.
    Errors that end the question have the best estimate so far in `answer`, or None.
    """
    best: Estimate | None = None
    started, is_fixed = perf_counter(), seed is not None or probes is not None

    def answer() -> EstimateAnswer | None:
        return EstimateAnswer(board, best, plan.effective_cores()) if best else None

    def report() -> None:
        has_share = not is_fixed and 0 < time_limit < inf
        watch(Progress(min(1.0, (perf_counter() - started) / time_limit) if has_share else None))

    with carrying(answer):
        for best in (  # noqa: B007
            fixed_estimates(board, seed or 0, probes, plan.engine, watch=report)
            if is_fixed
            else estimates(board, time_limit, plan.engine, watch=report)
        ):
            report()
    if (found := answer()) is None:
        raise RuntimeError("there was no estimate")
    return found


def estimates(
    board: Board,
    seconds: float = DEFAULT_SECONDS,
    engine: str = "search",
    *,
    watch: Callable[[], object] = lambda: None,
) -> Iterator[Estimate]:
    """Yield better and better estimates for about `seconds`.

    The estimated time is that of `engine`. For a share of the time, the board is counted; most
    counts finish within it, and the estimate is then exact. So it is if the probes say that there
    is time to finish the count. `watch` is called often.
    """
    started = perf_counter()
    count = EstimatedCount(board, engine)
    count.start(seconds, watch)
    if count.tally.complete:
        yield exact_estimate(count.tally, count.seconds)
        return
    rng, trees, reader = random.Random(TIMED_SEED), find_trees(board), RoundReader(count, engine)
    for place, (name, tree) in enumerate(trees):
        if place:
            count.run(COUNT_SHARE * (started + seconds - perf_counter()), watch)
            if count.tally.complete:
                yield exact_estimate(count.tally, count.seconds)
                return
        rounds = timed_rounds(tree, rng, started + seconds, watch, has_short_walks=place > 0)
        for number, round_ in enumerate(rounds):
            found = reader.read(round_, place, name, count.tally)
            yield found
            most_seconds = found.seconds.high or inf
            if most_seconds < PROMISED_SHARE * (started + seconds - perf_counter()):
                count.run(found.seconds.high or 0.0, watch)
                if count.tally.complete:
                    yield exact_estimate(count.tally, count.seconds)
                    return
            if place + 1 < len(trees) and round_.met_nothing and number > 0:
                break
        else:
            return


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
