"""Drivers of drivers, simulated: one group is the real driver, and no group loses work."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import board
from support.processes import Run as Ask

from bench.simulation.forecast import simulate_count
from bench.simulation.groups import simulate_groups
from bench.simulation.world import Costs
from bench.study.groups import summary_lines
from bench.study.tasks import walk_pieces
from bench.tables.rows import Cost, Grouped, Piece
from bench.tables.table import Table, read

START = 0.06
"""Seconds of the single-core start."""


def tree_of(seconds: Sequence[float], branches: int = 1) -> list[Piece]:
    """Return a root with subtrees of `seconds` each, which have `branches` equal ones, after one for the start."""
    share, found = 1 / (len(seconds) + 1), [Piece("x", 0, None, 1e40, 1.0, 0, 0, 0.0)]
    found.append(Piece("x", 1, 0, 10.0, share, 1, 20_000, START))
    for time in seconds:
        top = len(found)
        found.append(Piece("x", top, 0, 1e9 * time, share, 0, 0, 0.0))
        for _ in range(branches):
            each = time / branches
            found.append(Piece("x", len(found), top, 1e6 * each, share / branches, 1, int(1e7 * each) + 1, each))
    return found


@pytest.mark.parametrize(
    ("seconds", "cores", "expected"),
    [([1, 1], 2, 1), ([1, 1, 1], 2, 2), ([5, 1, 1, 1, 1, 1], 2, 5), ([4, 3, 2, 1], 4, 4)],
)
def test_one_group_makes_the_schedules_of_the_driver(seconds: list[float], cores: int, expected: float) -> None:
    pieces = tree_of(seconds)
    for forecast in (simulate_groups(pieces, Costs(), cores, cores), simulate_count(pieces, Costs(), cores)):
        assert forecast.seconds == pytest.approx(START + expected, rel=0.01)
        assert forecast.busy == pytest.approx(START + sum(seconds))


def test_one_group_is_as_fast_as_the_driver_on_a_real_tree() -> None:
    pieces = list(walk_pieces("1c", board("1c"), 500, walks=1))
    even = [replace(one, seconds=1e-5 * one.nodes) for one in pieces]
    costs = Costs(2e-5, 2e-5, 2e-6, 2e-5, 2e-6, 6e-6, 6e-5)
    for cores in (4, 16):
        model = simulate_groups(even, costs, cores, cores)
        assert model.seconds == pytest.approx(simulate_count(even, costs, cores).seconds, rel=0.1)


@pytest.mark.slow
@given(
    st.lists(st.floats(0.001, 0.5), min_size=1, max_size=40),
    st.integers(1, 9),
    st.integers(2, 60),
    st.integers(1, 20),
    st.sampled_from([0.0, 1e-6, 1e-3]),
)
@settings(max_examples=60, deadline=None)
def test_no_work_is_lost_and_none_is_done_in_no_time(
    seconds: list[float], branches: int, cores: int, size: int, cost: float
) -> None:
    pieces = tree_of(seconds, branches)
    forecast = simulate_groups(pieces, Costs(*[cost] * 7), cores, size)
    total, longest = sum(piece.seconds for piece in pieces), max(piece.seconds for piece in pieces)
    assert forecast.solutions == sum(piece.solutions for piece in pieces)
    assert forecast.busy == pytest.approx(total)
    assert forecast.seconds >= max(total / cores, longest) * 0.999


def test_groups_pay_where_one_driver_is_too_slow() -> None:
    pieces, costs = tree_of([0.04] * 100, 40), Costs(hand_out=1e-3, take_in=1e-3)
    alone, grouped = simulate_groups(pieces, costs, 64, 64), simulate_groups(pieces, costs, 64, 8)
    assert grouped.seconds < 0.7 * alone.seconds


@pytest.mark.slow
def test_the_command_compares_one_driver_with_groups(ask_bench: Ask, tmp_path: Path) -> None:
    Table(tmp_path / "tasks.csv.gz", Piece, "tasks").add(*walk_pieces("1b", board("1b"), 1_000, walks=1))
    Table(tmp_path / "costs.csv", Cost, "tasks").add(Cost("hand out", 1e-5))
    done = ask_bench("groups", "--cores", "4,16", "--sizes", "8", "2", "--board", "1b", "--results", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    rows = read(tmp_path / "groups.csv", Grouped)[1]
    assert [(row.cores, row.size) for row in rows] == [(4, 0), (4, 2), (16, 0), (16, 8), (16, 2)]
    assert re.search(r"^1b +16 +8 of 2 +[\d.]+ +[\d.]+ +[\d.]+ +\d+$", done.stdout, re.MULTILINE)
    assert [line[:25] for line in done.stdout.splitlines()[1:]] == [line[:25] for line in summary_lines(rows)]
    unknown = ask_bench("groups", "--board", "9z", "--results", str(tmp_path))
    assert (unknown.returncode, unknown.stderr) == (2, "bench: tasks.csv.gz has no board 9z\n")
