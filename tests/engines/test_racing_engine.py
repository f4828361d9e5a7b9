"""An engine that races: `auto` runs it in turn with the walk on large boards, and nowhere else."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from support import racing_engine
from support.boards import NINE, board, board_file, breaks_no_rule, random_board
from support.cases import slow_after
from support.counts import assert_count
from support.processes import Run
from support.runs import EAGER, RESTLESS, last

import enumerator
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import Tally, search
from enumerator.questions.checks import EngineName
from enumerator.questions.classify import classify
from enumerator.questions.count import count
from enumerator.questions.solutions import solution_list
from enumerator.questions.solve import NotUniqueError, solve
from enumerator.run.chooser import EngineChooser, steady_engine
from enumerator.run.local import LocalCount
from enumerator.run.pacing import BatchPacing, Pacing
from enumerator.run.plan import Plan
from enumerator.run.race import Race

pytestmark = pytest.mark.usefixtures("census")

LARGE = "16x16-many"
RACING = Pacing(race_trial_seconds=1e-6, slice_seconds=1e-4)
"""A race on every board, however short it is."""


@pytest.fixture(autouse=True)
def racing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the toy engine behind the others in the registry."""
    registry = {name: module for name, module in engines.MODULES.items() if name in ("search", "contraction")}
    monkeypatch.setattr(engines, "MODULES", {**registry, "racing": "support.racing_engine"})
    yield
    engines._engines.pop("racing", None)  # noqa: SLF001 - the registry of engines that were imported


def chooser_after_a_probe(one: Board) -> tuple[EngineChooser, Tally]:
    chooser = EngineChooser(one, Plan())
    return chooser, Tally(5, 10**9, share=1e-9, effort=10**9)


def test_small_boards_are_not_raced() -> None:
    for one in (Board.empty(NINE), Board.empty(Shape(2, 4)), Board.empty(Shape(2, 2))):
        chooser, tally = chooser_after_a_probe(one)
        assert engines.racer(one) is None
        assert chooser.race(search.ENGINE.begin(one), tally) is None
    assert [engine.name for engine in engines.alternatives(Board.empty(NINE))] == ["contraction"]


def test_large_boards_are_raced_once() -> None:
    chooser, tally = chooser_after_a_probe(board(LARGE))
    counting = search.ENGINE.begin(board(LARGE))
    assert chooser.race(counting, Tally(effort=100)) is None, "the walk has a moment for itself"
    assert isinstance(chooser.race(counting, tally), Race)
    assert chooser.race(counting, tally) is None


def test_an_engine_that_was_asked_for_is_not_raced() -> None:
    for name in ("search", "racing"):
        chooser = EngineChooser(board(LARGE), Plan(engine=name))
        assert chooser.race(engines.get(name).begin(board(LARGE)), Tally(effort=10**9, engine=name)) is None


@pytest.mark.parametrize("limit", slow_after(1, [None, 1, 1000]))
@pytest.mark.parametrize("pacing", [RACING, Pacing(), EAGER], ids=["racing", "default", "eager"])
def test_a_race_counts_like_the_walk(limit: int | None, pacing: Pacing) -> None:
    one = board(LARGE)
    expected = search.count(one)
    for cores in (1, 2):
        tally = last(one, Plan(cores=cores, pool=None, usable=lambda: 2, limit=limit, pacing=pacing))
        assert tally.solutions == (expected if limit is None else min(limit, expected))
        assert tally.complete == (limit is None)
        assert tally.engine in ("search", "racing")


def test_a_race_is_run_and_both_engines_take_part() -> None:
    local = LocalCount(board(LARGE), Plan(cores=1, pacing=RACING))
    while not local.finished:
        local.step()
    assert isinstance(local.counting, Race)
    assert_count(board(LARGE), local.tally.solutions, search.count)


def test_pencil_marks_are_raced() -> None:
    one = board(LARGE)
    full = (1 << one.shape.size) - 1
    marked = Board.from_cells(one.shape, one.cells, [full ^ (cell % 2) for cell in range(one.shape.cells)])
    assert_count(marked, last(marked, Plan(cores=1, pacing=RACING)).solutions, search.count)


def test_the_engine_of_a_list_depends_on_the_board() -> None:
    chosen = {steady_engine(board(LARGE), "auto").name for _ in range(3)}
    assert len(chosen) == 1
    quick = board("16x16-unique")
    assert steady_engine(quick, "auto").name == "search"


class FindsMany(racing_engine.Racing):
    """A toy engine that finds more solutions in a trial, or none."""

    found = 10**6

    def trial(self, board: Board, effort: int, limit: int | None = None) -> Tally:
        return Tally(self.found, 0, False, 0.0, engine=self.name, effort=effort)


@pytest.mark.parametrize(("found", "engine"), [(10**6, "racing"), (0, "search")])
def test_the_engine_of_a_list_is_the_one_that_finds_more(
    found: int, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = FindsMany(racing_engine.start)
    toy.found = found
    monkeypatch.setitem(engines._engines, "racing", toy)  # noqa: SLF001 - the registry
    one = board(LARGE)
    assert steady_engine(one, "auto").name == solution_list(one, Plan()).engine == engine


def test_the_toy_has_lists_candidates_and_estimates() -> None:
    one = random_board(Shape(2, 3), random.Random("toy"), 1000)
    whole = {str(solution) for solution in enumerator.solutions(one, engine="search", limit=None)}
    toy = cast("EngineName", "racing")
    assert {str(solution) for solution in enumerator.solutions(one, engine=toy, limit=None)} == whole
    assert enumerator.candidates(one, engine=toy).counts == enumerator.candidates(one, engine="search").counts
    assert enumerator.count(one, engine=toy) == len(whole)


@pytest.mark.parametrize("name", ["25x25-unique", LARGE])
@pytest.mark.parametrize("engine", ["auto", "search", "racing"])
def test_a_large_board_is_solved_by_the_count_that_decides_it(name: str, engine: str) -> None:
    one = board(name)
    plan = Plan(engine=engine, pacing=RACING, batch_pacing=BatchPacing(classify_nodes=0))
    try:
        solutions: tuple[Board, ...] = (solve(one, plan),)
    except NotUniqueError as error:
        solutions = error.solutions
    assert len(set(solutions)) == len(solutions) == min(2, search.count(one, 2))
    assert all(breaks_no_rule(solution, one) for solution in solutions)
    answer = classify(one, plan)
    assert answer.verdict == ("unique" if len(solutions) == 1 else "multiple")
    assert answer.solution == (solutions[0] if len(solutions) == 1 else None)


def test_the_answer_of_a_large_unique_board_has_its_solution() -> None:
    one = board("25x25-unique")
    answer = count(one, Plan(cores=1, pacing=RACING))
    assert answer.solution
    assert breaks_no_rule(answer.solution, one)


def test_the_effort_is_shown_in_the_units_of_the_engine(ask: Run) -> None:
    shown = ask(board_file(LARGE), "--engine", "racing", "--cores", "1").stdout
    assert re.search(r"engine +racing, 1 core, [\d,]+ steps\n", shown)
    facts = json.loads(ask(board_file(LARGE), "--engine", "racing", "--json").stdout)
    assert facts["effort"]["steps"] >= int(facts["solutions"])
    assert "effort" not in json.loads(ask(board_file("1a"), "--json").stdout)


def test_an_estimate_by_it_has_a_time(ask: Run) -> None:
    facts = json.loads(ask(board_file("25x25-many"), "--engine", "racing", "--estimate", "--json").stdout)
    assert facts["estimated_seconds"]["low"] <= facts["estimated_seconds"]["high"]


def test_its_count_is_verified_by_another_engine_and_resumed(ask: Run, tmp_path: Path) -> None:
    done = ask(board_file(LARGE), "--engine", "racing", "--verify", "--json", "--cores", "2")
    facts: dict[str, Any] = json.loads(done.stdout)
    assert facts["engine"] == "racing"
    assert (facts["verified"]["agrees"], facts["verified"]["way"]) == (True, "search")
    ledger = str(tmp_path / "ledger")
    first = ask(board_file(LARGE), "--engine", "racing", "--checkpoint", ledger, "--json", pacing=RESTLESS)
    assert json.loads(first.stdout)["solutions"] == facts["solutions"]
    audit = ask("--audit", ledger, "--share", "100%", "--json")
    assert json.loads(audit.stdout)["agree"]
