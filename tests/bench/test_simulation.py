"""The simulated driver, against schedules worked out by hand and against bounds of any schedule."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import ROOT

from bench.simulation.forecast import simulate_count
from bench.simulation.world import Costs
from bench.study.simulate import predict, summary_lines
from bench.study.speedup import Schedule
from bench.study.tasks import is_whole, walk_pieces
from bench.study.tasks import summary_lines as summary_of_pieces
from bench.tables.analysis import complete_rounds, crowding, least_times
from bench.tables.rows import Piece, Prediction, Run
from bench.tables.table import Table
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines.search import count
from enumerator.engines.walks import FIRST_SLICE_NODES

START = 0.06
"""Seconds of the single-core start."""


def flat_tree(*seconds: float, nodes: int = 100_000) -> list[Piece]:
    """Return a root with subtrees of `seconds` each, after one for the single-core start."""
    root = Piece("x", 0, None, 1e40, 1.0, 0, 0, 0.0)
    share = 1 / (len(seconds) + 1)
    first = Piece("x", 1, 0, 10.0, share, 1, FIRST_SLICE_NODES, START)
    others = [Piece("x", 2 + at, 0, 1e6 * time, share, 1, nodes, time) for at, time in enumerate(seconds)]
    return [root, first, *others]


@pytest.mark.parametrize(
    ("seconds", "cores", "expected"),
    [
        ([1, 1], 2, 1),  # one each
        ([1, 1, 1], 2, 2),
        ([1, 1, 1], 3, 1),
        ([3, 3, 2, 2, 2], 2, 7),  # the largest first: 3 + 2 + 2 and 3 + 2, where 6 would be possible
        ([2, 2, 2, 3, 3], 2, 7),  # whatever order they come in
        ([5, 1, 1, 1, 1, 1], 2, 5),  # a large one, and all others meanwhile
        ([4, 3, 2, 1], 4, 4),
        ([1, 2, 3, 4], 2, 5),  # 4 + 1 and 3 + 2
    ],
)
def test_schedules_worked_out_by_hand(seconds: Sequence[float], cores: int, expected: float) -> None:
    forecast = simulate_count(flat_tree(*seconds), Costs(), cores)
    assert forecast.seconds == pytest.approx(START + expected)
    assert forecast.busy == pytest.approx(START + sum(seconds))
    assert forecast.tasks == len(seconds)
    assert forecast.solutions == 1 + len(seconds)


def test_one_core_walks_in_one_go() -> None:
    forecast = simulate_count(flat_tree(1, 2, 3), Costs(take_in=5.0), 1)
    assert forecast.seconds == pytest.approx(6 + START)
    assert forecast.tasks == 0


def test_a_slower_machine() -> None:
    assert simulate_count(flat_tree(2, 4), Costs(), 2, speed=0.5).seconds == pytest.approx(2 * (START + 4))


@pytest.mark.parametrize(
    ("spent", "expected"),
    [
        (Costs(hand_out=0.25), 0.5 + 1),  # the second is handed out when the first has been
        (Costs(begin=0.25), 0.5 + 1),  # threads have the lock one after the other
        (Costs(take_in=0.25), 1 + 0.5),  # both land at the same time
        (Costs(start_thread=0.25), 0.5 + 1),
        (Costs(hand_out=0.5, begin=0.25), 0.5 + 0.25 + 0.5 + 0.25 + 1),  # the first begins before the second is out
    ],
)
def test_what_is_done_with_the_lock_is_done_one_at_a_time(spent: Costs, expected: float) -> None:
    assert simulate_count(flat_tree(1, 1), spent, 2).seconds == pytest.approx(START + expected)


def test_the_driver_takes_its_time_from_those_who_walk() -> None:
    # both cores walk from 0 to 1 s; the driver takes both in at 1 s, one after the other, and hands out two others;
    # when it hands out the second of these, one core walks; when a third waits for its turn, both do
    free = simulate_count(flat_tree(1, 1, 1, 1, 1), Costs(), 2).seconds
    assert free == pytest.approx(START + 3)
    spent = simulate_count(flat_tree(1, 1, 1, 1, 1), Costs(hand_out=0.125), 2)
    assert free + 2 * 0.125 <= spent.seconds <= free + 5 * 0.125


def test_crowded_cores_are_slower_but_not_the_first_moments() -> None:
    assert simulate_count(flat_tree(1, 1), Costs(crowded=1.5), 2).seconds == pytest.approx(START + 1.5)
    assert simulate_count(flat_tree(1, 1), Costs(crowded=1.5), 1).seconds == pytest.approx(START + 2)


def test_a_short_board_is_not_shared_out() -> None:
    short = [Piece("x", 0, None, 1e10, 1.0, 7, 1000, 0.01)]
    assert simulate_count(short, Costs(begin=1.0, hand_out=1.0), 64).seconds == pytest.approx(0.01)


branches = st.recursive(st.floats(1e-4, 0.5), lambda below: st.lists(below, min_size=1, max_size=5), max_leaves=60)


def numbered(tree: object) -> list[Piece]:
    """Return a nested list of seconds as pieces, in the order of the walk."""
    found: list[Piece] = []

    def visit(node: object, parent: int | None, share: float) -> None:
        number = len(found)
        is_leaf = isinstance(node, float)
        size = reduce(lambda total, _: 10 * total, range(40), share)
        seconds = node if isinstance(node, float) else 0.0
        nodes = int(seconds * 1e7) + 1 if is_leaf else 0
        found.append(Piece("x", number, parent, size, share, number if is_leaf else 0, nodes, seconds))
        if isinstance(node, list):
            for child in node:
                visit(child, number, share / len(node))

    visit(tree, None, 1.0)
    return found


@pytest.mark.slow
@given(branches, st.integers(2, 100), st.sampled_from([0.0, 1e-6, 1e-3]))
@settings(max_examples=150, deadline=None)
def test_no_schedule_is_better_than_the_work_allows(tree: object, cores: int, cost: float) -> None:
    work = numbered(tree)
    total, longest = sum(piece.seconds for piece in work), max(piece.seconds for piece in work)
    forecast = simulate_count(work, Costs(*[cost] * 7), cores)
    assert forecast.solutions == sum(piece.solutions for piece in work)
    assert forecast.seconds >= max(total / cores, longest) * 0.999
    assert forecast.busy == pytest.approx(total)
    if cost == 0.0:
        assert forecast.seconds <= total * 1.001 + 1e-9


def test_pieces_are_the_whole_tree_of_a_board() -> None:
    board = read(ROOT / "boards" / "1c.txt")
    found = list(walk_pieces("1c", board, largest=2_000))
    assert sum(piece.solutions for piece in found) == count(board)
    assert [piece.number for piece in found] == list(range(len(found)))
    assert all(piece.parent is None or piece.parent < piece.number for piece in found)
    assert sum(piece.share for piece in found if piece.nodes) == pytest.approx(1)
    assert len(found) > 50
    assert is_whole(found)
    assert not is_whole(found[:-1])
    assert not is_whole(found[: len(found) // 2])


def test_a_dead_board_has_no_line_in_the_summary_of_pieces() -> None:
    found = list(walk_pieces("dead", Board.parse("12345678" + "." * 9 + "9" + "." * 63)))
    assert is_whole(found)
    assert len(list(summary_of_pieces(found))) == 1  # the head of the table


def a_run(board: str, cores: int, iteration: int, seconds: float, walk: float = 0.1) -> Run:
    return Run(board, 60, 0.26, 10**40, 3, "search", cores, iteration, seconds, 100, 9, seconds, 0.1, 20.0, walk)


def test_predictions_are_scaled_to_what_was_measured_and_compared_with_it() -> None:
    runs = [a_run("x", 1, 0, 5.0), a_run("x", 2, 0, 2.6), a_run("x", 1, 1, 3.0), a_run("x", 2, 1, 2.4)]
    known = least_times(runs)
    assert known == {"x": {1: 3.0, 2: 2.4}}
    found = list(predict(flat_tree(1, 1), Costs(), runs, [1, 2]))
    assert [row.cores for row in found] == [1, 2]
    assert [row.sequential for row in found] == [3.0, 3.0]
    assert found[0].seconds == pytest.approx(3.0)
    assert found[1].seconds == pytest.approx(3.0 * (START + 1) / (START + 2), rel=0.01)
    lines = list(summary_lines(found, known))
    assert lines[2].split()[-1] == f"{found[1].seconds / 2.4 - 1:.1%}"


def test_a_board_that_is_late_is_not_measured_again(tmp_path: Path) -> None:
    table = Table(tmp_path / "runs.csv", Run, "speedup")
    schedule = Schedule(table, ["x", "y"], [1, 2], iterations=3)
    assert schedule.total == 12
    for board, cores, iteration in schedule.steps():
        if (board, cores, iteration) == ("y", 2, 1):
            schedule.late.add("y")
        else:
            table.add(a_run(board, cores, iteration, 1.0))
    assert {board: len(by_cores[2]) for board, by_cores in complete_rounds(table.rows).items()} == {"x": 3, "y": 1}


def test_cores_are_as_crowded_as_those_that_were_measured() -> None:
    runs = [a_run("x", 1, 0, 2.0, 0.10), a_run("x", 1, 1, 2.0, 0.30), a_run("x", 2, 0, 1.0, 0.25)]
    runs += [a_run("x", 2, 1, 1.0, 0.11), a_run("x", 8, 0, 1.0, 0.12), a_run("x", 8, 1, 1.0, 0.13)]
    crowded = {cores: crowding(runs, cores) for cores in (1, 2, 4, 8, 64)}
    assert crowded == pytest.approx({1: 1.0, 2: 1.1, 4: 1.1, 8: 1.2, 64: 1.2})
    assert crowding([a_run("x", 1, 0, 2.0, 0.2), a_run("x", 2, 0, 2.0, 0.1)], 2) == 1.0  # noise
    assert crowding([], 2) == 1.0
    alone, together = predict(flat_tree(1, 1), Costs(), [run for run in runs if run.cores < 3], [1, 2])
    assert alone.seconds == pytest.approx(2.0)
    assert together.seconds == pytest.approx(2.0 * (START + 1.1) / (START + 2), rel=0.01)


def test_boards_are_not_confused() -> None:
    other = [
        piece.__class__("y", *[getattr(piece, name) for name in piece.__slots__[1:]]) for piece in flat_tree(1, 1, 1)
    ]
    found = list(predict([*flat_tree(1, 1), *other], Costs(), [], [3]))
    assert [(row.board, round(row.sequential, 3)) for row in found] == [("x", 2 + START), ("y", 3 + START)]
    assert isinstance(found[0], Prediction)


def test_a_board_of_nothing_but_guesses() -> None:
    assert [piece.nodes > 0 for piece in walk_pieces("empty", Board.parse("." * 16))] == [True]
