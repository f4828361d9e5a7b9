"""Portfolios: several counts of one board on as many cores, of which the first that ends decides."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from threading import Event

import pytest
from support.boards import board, breaks_no_rule, random_board
from support.cases import slow_after
from support.pigeons import pigeon_board
from support.runs import EAGER, last
from support.traces import ended
from support.verdicts import classify_slowly

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Engine, Tally, learning, search
from enumerator.run.counting import tallies
from enumerator.run.local import LocalCount
from enumerator.run.plan import Plan
from enumerator.run.portfolio import MOST_SOLUTIONS, portfolio_of, run_portfolio
from enumerator.run.progress import Progress, Stopped
from enumerator.run.race import Race, Runner
from enumerator.run.trace import Tracer

pytestmark = pytest.mark.usefixtures("census")


def plan_for(limit: int | None, cores: int = 2, engine: str = "learning") -> Plan:
    return Plan(cores=cores, usable=lambda: 4, pool=None, limit=limit, engine=engine, pacing=EAGER)


@pytest.mark.parametrize("number", slow_after(8, range(20)))
def test_a_portfolio_finds_what_the_search_finds(number: int) -> None:
    rng = random.Random(f"portfolio {number}")
    one = random_board(rng.choice([Shape(3, 3), Shape(3, 4), Shape(4, 4)]), rng, 300)
    limit, cores = rng.choice([1, 2, 30, 100, None]), rng.randint(2, 4)
    tracer = Tracer()
    found, total = last(one, plan_for(limit, cores)._replace(observer=tracer)), search.count(one)
    ended(tracer, found)
    assert (found.solutions, found.complete) == (min(limit or total, total), total <= (limit or total))


@pytest.mark.parametrize("limit", [1, None])
def test_the_winner_keeps_its_solution(limit: int | None) -> None:
    one = board("25x25-unique")
    local = LocalCount(one, plan_for(limit))
    *_, tally = run_portfolio(local, learning.ENGINE.portfolio(one, 2, 2), 0.01)
    assert (tally.solutions, tally.complete, tally.cores, local.finished) == (1, True, 3, True)
    assert breaks_no_rule(Board.from_cells(one.shape, local.counting.kept), one)


def test_portfolios_are_for_few_solutions_only() -> None:
    local = LocalCount(board("16x16-many"), plan_for(1))
    assert len(portfolio_of(local, plan_for(1, 4))) == len(portfolio_of(local, plan_for(None, 4))) == 3
    for plan in (plan_for(MOST_SOLUTIONS + 1), plan_for(1, 1), plan_for(1)._replace(cutoff=10)):
        assert not portfolio_of(local, plan)
    local = LocalCount(board("16x16-many"), plan_for(None))
    while local.tally.solutions <= MOST_SOLUTIONS:
        local.step()
    assert not portfolio_of(local, plan_for(None))
    other = LocalCount(board("16x16-many"), plan_for(1, engine="search"))
    assert not portfolio_of(other, plan_for(1, engine="search"))


def test_a_count_with_many_solutions_leaves_the_portfolio_and_is_divided() -> None:
    one = board("16x16-many")
    local = LocalCount(one, plan_for(None))
    *_, tally = run_portfolio(local, learning.ENGINE.portfolio(one, None, 1), 0.01)
    assert tally.solutions > MOST_SOLUTIONS
    assert not local.finished
    assert last(one, plan_for(None), local.leave()).solutions == search.count(one)


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("is_alone", [True, False])
def test_all_cores_classify_a_hard_board_while_it_is_alone(cores: int, is_alone: bool) -> None:
    before, most = threading.active_count(), cores if is_alone and cores > 1 else 0
    started, stop = set[int](), Event()

    def watch(progress: Progress) -> None:
        started.add(threading.active_count() - before)
        if most in started and (progress.effort or 0) > 1_000:
            stop.set()

    with pytest.raises(Stopped):
        classify_slowly(pigeon_board(), True, plan_for(None, cores), stop, watch=watch, is_alone=lambda: is_alone)
    assert max(started) == most
    assert threading.active_count() == before


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_board_that_is_classified_on_all_cores_has_its_solution(is_alone: bool) -> None:
    one = board("25x25-unique")
    code, found = classify_slowly(one, True, plan_for(None), Event(), is_alone=lambda: is_alone)
    assert code == 1
    assert breaks_no_rule(Board.from_cells(one.shape, found), one)


def test_a_portfolio_that_is_left_ends_its_threads() -> None:
    before = threading.active_count()
    with closing(tallies(pigeon_board(), plan_for(1))) as counting:
        for tally in counting:
            if tally.cores == 2:
                break
    assert threading.active_count() == before


@pytest.fixture
def racing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Put a toy engine into the registry that races with learning."""
    monkeypatch.setattr(engines, "MODULES", {**engines.MODULES, "racing": "support.racing_engine"})
    yield engines.get("racing")
    engines._engines.pop("racing", None)  # noqa: SLF001 - the registry of engines that were imported


def test_a_race_that_another_engine_leads_leaves_the_portfolio_and_is_divided(racing: Engine) -> None:
    """The board has no solution, and no engine finds that out: the portfolio would never end."""
    one = pigeon_board()
    plan = plan_for(None)._replace(engine="auto", pacing=EAGER._replace(race_trial_seconds=1e-9, race_lead=0.0))
    local = LocalCount(one, plan, learning.ENGINE.begin(one, slice_seconds=1e-3))
    local.step()
    first = Runner(learning.ENGINE, lambda: local.counting, local.counting)
    other = Runner(racing, lambda: racing.begin(one, slice_seconds=1e-3))
    local.counting = race = Race(first, other, None, plan.pacing)
    assert portfolio_of(local, plan)
    rivals = learning.ENGINE.portfolio(one, None, 1)
    *_, tally = islice(run_portfolio(local, rivals, 0.01), 1_000)
    assert (race.leader.engine, tally.engine, local.finished) == (racing, "racing", False)
    assert local.hand_over().tally.engine == "racing"


class Broken(learning.LearningCounting):
    def step(self) -> Tally:
        raise ZeroDivisionError


def test_an_error_of_one_count_ends_all() -> None:
    one = pigeon_board()
    with pytest.raises(ZeroDivisionError):
        list(
            run_portfolio(LocalCount(one, plan_for(1)), [Broken(learning.ENGINE, learning.ENGINE.start(one), 2)], 0.01)
        )
