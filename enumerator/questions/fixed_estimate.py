"""An estimate that is the same on every machine: a fixed number of probes, and no clock.

The number of probes is given, or that of the tree's budget, which depends on the board only. A board
is counted if that takes little effort: an engine's trial ends by its effort. So the numbers of solutions
and nodes, and whether they are exact, depend on the board, the seed and the number of probes only.
The time of a count is predicted by a clock, and for the machine at hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import NOTHING, Engine, Tally
from enumerator.engines.interfaces import ProbeBudget, ProbeTree
from enumerator.questions.intervals import FEWEST_POPULATIONS
from enumerator.questions.rounds import Estimate, EstimatedCount, Round, RoundReader, exact_estimate, find_trees

COUNT_SECONDS = 0.1
"""The time of a trial of an engine before the probes, at its nominal rate."""

LARGE_COUNT_SECONDS = 1.0
"""The same for an engine that predicts its time, or after probes have met no solution."""

FIRST_PROBES, MANY_PROBES = 64, 2**14
"""The probes of a first round, before a round of many: they take so long that they may be interrupted."""

CLOCK_SECONDS = 2.0
"""The time of an estimate of which a share is spent on measuring the speed of a count."""


def fixed_estimates(
    board: Board,
    seed: int = 0,
    probes: int | None = None,
    engine: str = engines.AUTO,
    *,
    counts: bool = True,
    watch: Callable[[], object] = lambda: None,
) -> Iterator[Estimate]:
    """Yield estimates of more and more populations, with `probes` probes in all (None: by the board).

    Only the last one is fixed by the arguments. The estimated time is that of `engine`. With
    `counts`, an engine counts the board if that takes little effort. `watch` is called often.
    """
    known = NOTHING
    for each in first_counters(board, engine) if counts else ():
        watch()
        known, seconds = tried(each, board, known)
        if known.complete:
            yield exact_estimate(known, seconds)
            return
    count = EstimatedCount(board, engine)
    if counts:
        count.start(CLOCK_SECONDS, watch)
    rng, trees, reader = random.Random(seed), find_trees(board), RoundReader(count, engine)
    for place, (name, tree) in enumerate(trees):
        if place and counts and engine in (name, engines.AUTO):
            watch()
            known, seconds = tried(engines.get(name), board, known, LARGE_COUNT_SECONDS)
            if known.complete:
                yield exact_estimate(known, seconds)
                return
        budget = tree.budget if probes is None else ProbeBudget(probes)
        for size in round_sizes(budget.probes):
            round_ = Round(size)
            for _ in grow(round_, tree, rng, budget, watch):
                yield reader.read(round_, place, name, known)
        if not round_.met_nothing:
            return


def round_sizes(probes: int) -> list[int]:
    """Return the numbers of probes of all rounds. The last one makes the estimate."""
    return [probes] if probes < MANY_PROBES else [FIRST_PROBES, probes]


def first_counters(board: Board, engine: str) -> list[Engine]:
    """Return the engines that try to count the board before it is probed."""
    if engine != engines.AUTO:
        return [engines.get(engine)]
    return [each for each in engines.supporting(board) if each.predicts]


def tried(engine: Engine, board: Board, known: Tally, seconds: float = COUNT_SECONDS) -> tuple[Tally, float]:
    """Return the tally of a trial that takes about `seconds`, and the time that it took.

    It is the better one of that and of `known`, the tally of an earlier trial.
    """
    began = perf_counter()
    if not engine.visits:
        seconds = LARGE_COUNT_SECONDS
    tally = engine.trial(board, round(seconds * engine.rate_for(board.shape)))
    if tally is None:
        return known, 0.0
    if not tally.complete:
        nodes, solutions = max(known.nodes, tally.nodes), max(known.solutions, tally.solutions)
        tally = tally._replace(nodes=nodes, solutions=solutions)
    return tally, perf_counter() - began


class _BudgetSpentError(Exception):
    """The probes have taken all calls of their budget."""


def grow(
    round_: Round, tree: ProbeTree, rng: random.Random, budget: ProbeBudget, watch: Callable[[], object]
) -> Iterator[None]:
    """Add populations to a round until it is full, or the calls of the budget are spent.

    Yield after the last population, and before that wherever there are enough of them for an interval.
    """
    calls = 0

    def check_calls() -> None:
        nonlocal calls
        watch()
        calls += 1
        if budget.calls is not None and calls > budget.calls:
            raise _BudgetSpentError

    try:
        while round_.is_open:
            round_.add_population(tree, rng, check_calls)
            if len(round_.populations) >= FEWEST_POPULATIONS:
                yield
    except _BudgetSpentError:
        yield
