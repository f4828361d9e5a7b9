"""Random probes: paths, weights and populations are right on average."""

from __future__ import annotations

import random
from collections import Counter
from math import exp, fsum, inf, log, sqrt

import pytest
from support.boards import full_board, random_board

from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.interfaces import PopulationEstimate
from enumerator.engines.search import kernel
from enumerator.engines.walks.probes import RESAMPLE_BELOW, WalkProbes, doubles, log_sum, resample


def near_mean(values: list[float], truth: float) -> bool:
    """Tell if a number is within four standard errors of the mean of a sample."""
    mean = fsum(values) / len(values)
    variance = fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return abs(mean - truth) <= 4 * sqrt(variance / len(values)) + 1e-9 * truth


def walks(board: Board) -> list[kernel.Walk]:
    """Return a walk of each kind that takes the board."""
    shape = board.shape
    general: kernel.Walk = kernel.General(board.cells, shape.height, shape.width)
    return [general, kernel.Nine(board.cells)] if shape == Shape(3, 3) else [general]


@pytest.mark.parametrize(
    ("shape", "solutions"), [(Shape(2, 2), 288), (Shape(2, 3), 500), (Shape(3, 2), 500), (Shape(3, 3), 2000)], ids=str
)
def test_a_path_is_right_on_average(shape: Shape, solutions: int) -> None:
    board = Board.empty(shape) if shape.size == 4 else random_board(shape, random.Random(4), solutions)
    number = 3000
    for walk, whole in zip(walks(board), walks(board), strict=True):
        truth = whole.run()
        ways, nodes = doubles(number), doubles(number)
        ended = walk.descend(bytearray(board.cells * number), 0, 7, ways, nodes)
        assert set(ended) == {1}
        assert near_mean(list(ways), truth)
        assert near_mean(list(nodes), whole.nodes)


def test_a_path_stops_at_a_number_of_open_cells() -> None:
    board = Board.empty(Shape(4, 4))
    (walk,) = walks(board)
    boards, ways, nodes = bytearray(board.cells * 5), doubles(5), doubles(5)
    for open_cells in (255, 200, 142, 120):
        assert walk.descend(boards, open_cells, 3, ways, nodes) == bytes(5)
        made = [
            Board.from_cells(board.shape, bytes(boards[place : place + 256])) for place in range(0, len(boards), 256)
        ]
        assert all(each.empty_cells <= open_cells for each in made)
        assert not any(conflict for each in made for conflict in each.conflicts())
        assert min(ways) >= 1


def test_a_path_fills_no_more_than_58_cells_at_a_time() -> None:
    board = Board.empty(Shape(4, 4))
    boards = bytearray(board.cells)
    assert walks(board)[0].descend(boards, 0, 3, doubles(1), doubles(1)) == b"\0"
    assert 256 - 58 >= boards.count(0) > 256 - 80  # the last guess may fill some more


def test_the_same_seed_makes_the_same_paths() -> None:
    board = Board.empty(Shape(3, 3))
    for walk in walks(board):
        made = []
        for seed in (1, 1, 2):
            boards, ways = bytearray(board.cells * 4), doubles(4)
            walk.descend(boards, 40, seed, ways, doubles(4))
            made.append((bytes(boards), list(ways)))
        assert made[0] == made[1] != made[2]
        assert len(set(made[0][1])) > 1


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 3)], ids=str)
def test_paths_end_at_once_on_full_and_on_dead_boards(shape: Shape) -> None:
    full = full_board(shape, random.Random(1))
    dead = Board.from_cells(shape, bytes([1, 1, *[0] * (shape.cells - 2)]))
    for walk in walks(full):
        ways, nodes = doubles(2), doubles(2)
        assert walk.descend(bytearray(full.cells + dead.cells), 0, 1, ways, nodes) == b"\1\1"
        assert (list(ways), list(nodes)) == ([1, 0], [1, 0])
        assert walk.descend(bytearray(), 0, 1, ways, nodes) == b""


def test_buffers_that_do_not_fit_are_refused() -> None:
    board = Board.empty(Shape(2, 2))
    (walk,) = walks(board)
    for boards, ways, nodes in ((15, 1, 1), (32, 1, 2), (32, 2, 1)):
        with pytest.raises(ValueError, match="cells"):
            walk.descend(bytearray(boards), 0, 1, doubles(ways), doubles(nodes))
    with pytest.raises(ValueError, match="less than nothing"):
        walk.descend(bytearray(16), 0, -1, doubles(1), doubles(1))


def probes_of(board: Board) -> WalkProbes:
    return WalkProbes(search.start(board), board)


@pytest.mark.parametrize("number", [1, 2, 7, 50])
def test_a_population_is_right_on_average(number: int) -> None:
    board = random_board(Shape(3, 3), random.Random(8), 5000)
    walk = search.start(board)
    truth = walk.run()
    probes, rng = probes_of(board), random.Random(number)
    found = [probes.probe(number, rng, lambda: None) for _ in range(3000 // number)]
    assert near_mean([exp(each.log_solutions) for each in found], truth)
    assert near_mean([exp(each.log_nodes) for each in found], walk.nodes)


def test_a_population_of_a_board_without_solutions() -> None:
    dead = probes_of(Board.parse("11" + "." * 14)).probe(3, random.Random(1), lambda: None)
    assert dead == PopulationEstimate(-inf, -inf)


def test_a_watch_can_end_a_population() -> None:
    def stop() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        probes_of(Board.empty(Shape(3, 3))).probe(3, random.Random(1), stop)


def test_even_weights_are_not_resampled() -> None:
    assert resample([3, 5, 8], [1.0, 1.0, 1.2], 4, random.Random(1)) == ([3, 5, 8], [1.0, 1.0, 1.2])
    assert resample([], [], 4, random.Random(1)) == ([], [])
    assert RESAMPLE_BELOW < 1


def test_resampling_keeps_the_sum_of_weights_and_chooses_by_weight() -> None:
    rng, seen = random.Random(3), Counter[int]()
    weights = [900.0, 902.0, 897.0, 901.0, 890.0, 895.0]  # logarithms, beyond floats
    for _ in range(2000):
        chosen, even = resample(list(range(6)), weights, 8, rng)
        assert len(chosen) == len(even) == 8
        assert log_sum(even) == pytest.approx(log_sum(weights))
        seen.update(chosen)
    for item, weight in enumerate(weights):
        assert seen[item] / 16_000 == pytest.approx(exp(weight - log_sum(weights)), abs=0.005)


def test_sums_of_logarithms() -> None:
    assert log_sum([]) == log_sum([-inf]) == -inf
    assert log_sum([log(2), log(3), -inf]) == pytest.approx(log(5))
    assert log_sum([5000.0, 5000.0]) == pytest.approx(5000 + log(2))
