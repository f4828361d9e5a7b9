"""Probes by short walks: draws and populations are right on average, and exact where all parts fit."""

from __future__ import annotations

import random
from math import exp, fsum, log, sqrt

import pytest
from support.boards import random_board
from support.cases import slow_after

from enumerator.board import Board, Shape
from enumerator.engines import Engine, get
from enumerator.engines.walks import WalkEngine, partial_probes
from enumerator.engines.walks.partial_probes import Drawn, PartialProbes, draw


def near_mean(values: list[float], truth: float) -> bool:
    """Tell if a number is within four standard errors of the mean of a sample."""
    mean = fsum(values) / len(values)
    variance = fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return abs(mean - truth) <= 4 * sqrt(variance / len(values)) + 1e-9 * truth


def walk_engine(name: str) -> WalkEngine:
    engine: Engine = get(name)
    assert isinstance(engine, WalkEngine)
    return engine


def probes_of(name: str, board: Board) -> PartialProbes:
    return PartialProbes(walk_engine(name).walk_cells, board)


@pytest.mark.parametrize("name", ["search", "learning"])
@pytest.mark.parametrize(("boards", "effort"), slow_after(2, [(2, 3), (5, 20), (1, 1), (5, 1)]))
def test_a_population_is_right_on_average(monkeypatch: pytest.MonkeyPatch, name: str, boards: int, effort: int) -> None:
    monkeypatch.setattr(partial_probes, "POPULATION_BOARDS", boards)
    monkeypatch.setattr(partial_probes, "PROBE_EFFORT", effort)
    board = random_board(Shape(3, 3), random.Random(8), 500)
    probes, rng = probes_of(name, board), random.Random(boards)
    found = [probes.probe(1, rng, lambda: None) for _ in range(400)]
    assert near_mean([exp(each.log_solutions) for each in found], get("search").count(board))
    assert len({each.log_solutions for each in found}) > 1


@pytest.mark.parametrize("name", ["search", "learning"])
def test_walks_with_too_many_parts_are_right_on_average(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(partial_probes, "POPULATION_BOARDS", 3)
    monkeypatch.setattr(partial_probes, "PROBE_EFFORT", 5)
    monkeypatch.setattr(partial_probes, "MOST_PARTS_BYTES", 4 * 81)
    board = random_board(Shape(3, 3), random.Random(3), 300)
    probes, rng = probes_of(name, board), random.Random(1)
    found = [probes.probe(1, rng, lambda: None) for _ in range(300)]
    assert near_mean([exp(each.log_solutions) for each in found], get("search").count(board))


@pytest.mark.parametrize("name", ["search", "learning"])
def test_a_population_that_holds_all_parts_is_exact(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(partial_probes, "POPULATION_BOARDS", 10_000)
    monkeypatch.setattr(partial_probes, "PROBE_EFFORT", 2)
    board = random_board(Shape(2, 3), random.Random(2), 200)
    found = probes_of(name, board).probe(1, random.Random(1), lambda: None)
    assert exp(found.log_solutions) == pytest.approx(get("search").count(board))
    assert not found.is_blind


def test_dead_boards_have_no_solutions() -> None:
    dead = probes_of("learning", Board.parse("11" + "." * 14)).probe(3, random.Random(1), lambda: None)
    assert dead.log_solutions == float("-inf")


def test_the_same_seed_makes_the_same_estimate() -> None:
    board = Board.empty(Shape(3, 3))
    first, again, other = (
        probes_of("learning", board).probe(1, random.Random(seed), lambda: None) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_probes_can_be_stopped() -> None:
    class StopError(Exception):
        pass

    left = 5

    def stop() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise StopError

    with pytest.raises(StopError):
        probes_of("learning", Board.empty(Shape(4, 4))).probe(100, random.Random(1), stop)


@pytest.mark.parametrize("number", [1, 2, 4, 8, 20])
def test_draws_keep_the_sum_of_weights_on_average(number: int) -> None:
    rng = random.Random(number)
    parts = [Drawn(bytes([place]), log(1 + place), rng.uniform(-2, 1)) for place in range(12)]
    sums = []
    for _ in range(4000):
        drawn = draw(parts, number, rng)
        assert len(drawn) <= number
        assert len({part.cells for part in drawn}) == len(drawn)
        assert all(part.weight >= log(1 + part.cells[0]) - 1e-12 for part in drawn)
        sums.append(fsum(exp(part.weight) for part in drawn))
    assert near_mean(sums, 78)


def test_parts_of_tiny_sizes_can_be_drawn() -> None:
    parts = [Drawn(b"a", 0.0, 0.0), Drawn(b"b", 0.0, -5000.0), Drawn(b"c", 0.0, -9000.0)]
    drawn = draw(parts, 2, random.Random(1))
    assert drawn[0].cells == b"a"
    assert len(drawn) == 2
