"""Trees divided among simulated workers: by hand, and what must hold for any."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from support.boards import board
from support.processes import Run as Ask

from bench.figures.tree import draw_trees
from bench.simulation.division import ALL_SECONDS, divide_tree
from bench.study import tree
from bench.study.tasks import walk_pieces
from bench.study.tree import branches, by_setting, divisions, of_workers, summary_lines
from bench.tables.rows import Branch, Piece
from bench.tables.table import read


def flat(*nodes: int) -> list[Piece]:
    """Return a root with subtrees of some nodes each, whose search spaces are alike."""
    root = Piece("x", 0, None, 1e40, 1.0, 0, 0, 0.0)
    share = 1 / len(nodes)
    return [root, *(Piece("x", 1 + at, 0, 1e9 + each, share, 1, each, each * 1e-7) for at, each in enumerate(nodes))]


@pytest.mark.parametrize(
    ("nodes", "cores", "time"), [((1, 1, 1), 2, 4 / 3), ((3, 1), 2, 1.5), ((1, 1, 1, 1), 2, 1.0), ((2, 1, 1), 2, 1.0)]
)
def test_divisions_worked_out_by_hand(nodes: tuple[int, ...], cores: int, time: float) -> None:
    division = divide_tree(flat(*(1_000_000 * each for each in nodes)), cores, len(nodes))
    assert division.time == pytest.approx(time)
    assert division.seconds == pytest.approx(time * ALL_SECONDS / cores)
    assert set(division.workers) == set(range(1, 1 + len(nodes)))


@pytest.fixture(scope="module")
def pieces() -> list[Piece]:
    walked = walk_pieces("1b", board("1b"), 60, walks=1)
    return [replace(one, seconds=tree.NODE_SECONDS * one.nodes) for one in walked]


def test_rows_are_the_first_levels_and_the_shares_of_the_workers(pieces: list[Piece]) -> None:
    rows = list(divisions("1b", pieces, 4, [1, 4]))
    assert [setting for _, setting in by_setting(rows)] == ["cut-off, 4 parts", "cut-off, 16 parts", "default, budgets"]
    for same in by_setting(rows).values():
        assert sum(of_workers(same)) == pytest.approx(1)
        (root,) = [row for row in same if row.level == 0]
        assert (root.before, root.share, root.worker) == (0, 1, -1)
        for level in range(1, tree.LEVELS):
            here = sorted((row.before, row.share) for row in same if row.level == level)
            assert all(before + share <= after + 1e-9 for (before, share), (after, _) in pairwise(here))
            above = [row for row in same if row.level == level - 1]
            for row in (row for row in same if row.level == level):
                (parent,) = [one for one in above if one.before - 1e-9 <= row.before < one.before + one.share - 1e-9]
                assert parent.worker in (-1, row.worker)  # what one worker has walked is its own below, too
        assert same[0].time >= 1 - 1e-9
        assert max(of_workers(same)) * 4 <= same[0].time + 1e-6  # the busiest worker cannot be faster


def test_budgets_balance_better_than_a_cut_off(pieces: list[Piece]) -> None:
    coarse, _, default = (same[0].time for same in by_setting(list(divisions("1b", pieces, 4, [1, 4]))).values())
    assert default < 1.1 < coarse


def test_every_part_of_a_cut_off_has_one_worker(pieces: list[Piece]) -> None:
    rows = list(branches("1b", "x", pieces, divide_tree(pieces, 4, 4)))
    tops = [row for row in rows if row.worker >= 0 and row.level == 2]
    assert sum(row.share for row in tops) > 0.5


@pytest.mark.slow
def test_the_command_divides_draws_and_resumes(ask_bench: Ask, tmp_path: Path) -> None:
    asked = ["tree", "--boards", "1b", "--results", str(tmp_path), "--parts", "2"]
    done = ask_bench(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    rows = read(tmp_path / "tree.csv.gz", Branch)[1]
    assert re.search(r"^1b +cut-off, 8 parts +4 +[\d.]+( +[\d.]+%){3}$", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[:3] == list(summary_lines(rows))
    assert (tmp_path / "tree.svg").stat().st_size > 10_000
    assert ask_bench(*asked, "--csv").stdout.count("\n") == len(rows) + 1


def test_the_figure_has_an_icicle_and_the_shares_of_each_setting() -> None:
    rows = [Branch("x", "default", 2, 1.25, 0, 0.0, 1.0, -1), Branch("x", "default", 2, 1.25, 1, 0.0, 0.75, 0)]
    rows += [Branch("x", "default", 2, 1.25, -1, 0.0, share, worker) for worker, share in ((0, 0.75), (1, 0.25))]
    icicle, shares = draw_trees(rows).axes
    assert icicle.get_title("left") == "x, 2 simulated workers, default: 1.25 times the time of a perfect division"
    assert [bar.get_paths()[0].get_extents().x1 for bar in shares.collections] == pytest.approx([75, 100])
    assert icicle.get_ylim() == (2, 0)
