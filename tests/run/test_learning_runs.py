"""Runs of the engine that learns: threads, processes, ledgers and commands, all with the same answers."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from support.boards import NINE, ROOT, breaks_no_rule, random_board
from support.cases import slow_after
from support.counts import walk_generally
from support.ledgers import count_on, is_sound, restless_plan, said_of, total
from support.marks import restricted_board
from support.processes import Run
from support.runs import EAGER, RESTLESS, last
from support.walks import listing

from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import search
from enumerator.questions.classify import classify
from enumerator.run.counting import tallies
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan
from enumerator.run.workers import executors

PACING = RESTLESS


DEAD_ENDS = ROOT / "boards" / "large" / "16x16-b-4.txt"
"""A board with 3,069 solutions and as many dead ends: see the page of its folder."""

ENGINE = ("--engine", "learning")


def four() -> int:
    return 4


def some(number: int) -> Board:
    """Return a random board; every other one has pencil marks."""
    rng = random.Random(f"runs {number}")
    shape = rng.choice([Shape(2, 3), NINE, Shape(2, 5), Shape(4, 4)])
    return restricted_board(shape, rng, 1_000)[1] if number % 2 else random_board(shape, rng, 1_000)


# ---------------------------------------------------------------------------------------- cores


@pytest.mark.usefixtures("census")
@pytest.mark.parametrize("pool", [executors.start_processes, None], ids=["loky", "threads"])
@pytest.mark.parametrize("cores", slow_after(2, [1, 2, 3, 4]))
def test_one_to_four_cores_count_the_same(cores: int, pool: executors.ProcessFactory | None) -> None:
    one = read(DEAD_ENDS)
    tally = last(one, Plan(engine="learning", cores=cores, pool=pool, usable=four, pacing=EAGER))
    assert (tally.solutions, tally.complete, tally.share) == (3_069, True, 1.0)
    assert tally.engine == "learning"


@pytest.mark.parametrize("number", range(12))
def test_any_pacing_and_any_cutoff_give_the_same_count(number: int) -> None:
    rng, one = random.Random(f"pacing {number}"), some(number)
    pacing: Pacing = rng.choice([EAGER, RESTLESS])._replace(shortest=10 ** rng.uniform(-5, -2))
    cutoff = rng.choice([None, 1, 10, 10**6, 10**30])
    plan = Plan(engine="learning", cores=rng.randint(1, 4), pool=None, usable=four, pacing=pacing, cutoff=cutoff)
    tally = last(one, plan)
    assert (tally.solutions, tally.complete) == (walk_generally(one), True)


def test_tallies_stay_within_bounds() -> None:
    plan = Plan(engine="learning", cores=2, pool=None, usable=four, pacing=RESTLESS)
    seen = list(tallies(read(DEAD_ENDS), plan))
    assert len(seen) > 5
    assert all(before.solutions <= after.solutions for before, after in pairwise(seen))
    assert all(0 <= tally.share <= 1 for tally in seen)


# ---------------------------------------------------------------------------------------- ledgers


@pytest.mark.parametrize("number", range(6))
def test_a_count_that_was_stopped_is_resumed(tmp_path: Path, number: int) -> None:
    one, plan, path = some(number), restless_plan("learning"), tmp_path / "ledger"
    rng, tally = random.Random(number), None
    while tally is None or not tally.complete:
        tally = count_on(one, plan, path, rng.randint(1, 12))
        assert is_sound(path)
        assert total(path) <= tally.solutions
    assert tally.solutions == total(path) == walk_generally(one)


def test_an_interrupted_count_is_resumed_by_the_command(ask: Run, tmp_path: Path) -> None:
    one = read(DEAD_ENDS)
    tally = count_on(one, restless_plan("learning"), tmp_path / "ledger", 30)
    assert not tally.complete
    assert said_of(tmp_path / "ledger").totals.open > 0
    (tmp_path / "board").write_text(str(one))
    done = ask("board", "--quiet", *ENGINE, "--checkpoint", "ledger")
    assert (done.returncode, done.stdout.strip()) == (0, "3069")


@pytest.mark.parametrize("steps", [10, 30, None])
def test_an_audit_of_a_ledger_finds_nothing(ask: Run, tmp_path: Path, steps: int | None) -> None:
    """Budgets, the ends of branches and limits stop a walk; the same effort brings it to the same place again."""
    count_on(read(DEAD_ENDS), restless_plan("learning"), tmp_path / "ledger", steps)
    done = ask("ledger", "--audit", "--share", "100%", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["agree"]


# ---------------------------------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def solutions() -> list[str]:
    """The solutions of a 16×16 board, sorted, as the general walk finds them."""
    one = read(DEAD_ENDS)
    return sorted(str(Board.from_cells(one.shape, cells)) for cells in listing(search.start(one)))


def lines(ask: Run, *options: str) -> list[str]:
    done = ask(str(DEAD_ENDS), *ENGINE, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.slow
def test_lists_samples_and_the_nth_are_solutions_of_the_search(command: Run, solutions: list[str]) -> None:
    listed = lines(command, "--list")
    assert sorted(listed) == solutions
    for number in (0, 1_000, 3_068):
        assert lines(command, "--nth", str(number)) == [listed[number]]
    drawn = lines(command, "--sample", "20", "--seed", "5")
    assert set(drawn) <= set(solutions)
    assert (len(drawn), len(set(drawn)) > 1) == (20, True)
    assert drawn == lines(command, "--sample", "20", "--seed", "5")


@pytest.mark.slow
def test_a_list_with_a_checkpoint_is_the_same(command: Run, tmp_path: Path) -> None:
    listed = lines(command, "--list")
    lines(command, "--list", "--output", "solutions.txt", "--checkpoint", "ledger")
    assert (tmp_path / "solutions.txt").read_text().splitlines() == listed
    assert command(str(DEAD_ENDS), *ENGINE, "--list", "--limit", "100").stdout.splitlines() == listed[:100]


def test_candidates_are_those_of_the_search(ask: Run) -> None:
    found = [ask(str(DEAD_ENDS), "--candidates", "--json", "--engine", engine) for engine in ("learning", "search")]
    mine, theirs = (json.loads(done.stdout) for done in found)
    assert (mine["solutions"], mine["candidates"]) == (theirs["solutions"], theirs["candidates"])


@pytest.mark.parametrize(("name", "verdict"), [("16x16-a", "unique"), ("25x25-b", "unique"), ("16x16-b-2", "multiple")])
def test_boards_are_classified(name: str, verdict: str) -> None:
    one = read(DEAD_ENDS.with_name(f"{name}.txt"))
    answer = classify(one, Plan(engine="learning", cores=2, pool=None, usable=four))
    assert answer.verdict == verdict
    assert answer.solution is None or breaks_no_rule(answer.solution, one)


def test_a_dead_digit_makes_a_board_without_a_solution(ask: Run, tmp_path: Path) -> None:
    one = read(DEAD_ENDS)
    digits = (digit for digit in range(1, 17) if not search.count(one.with_cell(one.cells.index(0), digit)))
    dead = one.with_cell(one.cells.index(0), next(digits))
    (tmp_path / "dead").write_text(str(dead))
    assert ask("dead", "--quiet", *ENGINE).stdout == "0\n"
    assert classify(dead, Plan(engine="learning")).verdict == "none"


def test_counts_are_verified(ask: Run) -> None:
    (answer,) = lines(ask, "--verify", "--json")
    assert json.loads(answer)["solutions"] in (3_069, "3069")
    assert "verif" in answer
