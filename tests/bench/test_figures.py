"""Figures drawn from known data: their axes, scales and series; files for light and dark pages."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from support.boards import ROOT
from support.cases import needs_sources

from bench.figures import style
from bench.figures.correlation import draw_correlations, draw_times
from bench.figures.cutoff import draw_cutoffs
from bench.figures.peers import draw_peers
from bench.figures.scaling import draw_scaling
from bench.figures.speedup import draw_measured_speedup, draw_predicted_speedup, seconds_text
from bench.tables.analysis import VARIABLES, correlate, crossing
from bench.tables.rows import Cut, Match, Prediction, Run, Scale

if TYPE_CHECKING:  # the workers of pytest import this module, and few run its tests
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BOARDS = {"1a": (0.001, 10), "1e": (0.5, 1_000), "1f": (3.0, 20_000), "2f": (10.0, 400_000)}


def runs(*cores: int) -> list[Run]:
    """Return two rounds of boards whose time is divided by the cores, plus a tenth of a second."""
    return [
        Run(
            board,
            60 + at,
            0.2,
            10 ** (20 + at),
            solutions,
            "search",
            number,
            round_,
            time,
            2 * solutions,
            5,
            time,
            0,
            9,
            0.1,
        )
        for at, (board, (seconds, solutions)) in enumerate(BOARDS.items())
        for number in cores
        for round_ in range(2)
        for time in [(seconds / number + 0.1 * (number > 1)) * (1 + round_ / 100)]
    ]


def forecast(*cores: int) -> list[Prediction]:
    return [
        Prediction(board, number, seconds / number + 0.001, seconds, 10, seconds)
        for board, (seconds, _) in BOARDS.items()
        for number in cores
    ]


def series(axis: Axes) -> dict[str, Any]:
    """Return the named lines of an axis, and their values."""
    return {
        str(line.get_label()): (list(map(float, line.get_xdata())), list(map(float, line.get_ydata())))
        for line in axis.get_lines()
        if not str(line.get_label()).startswith("_")
    }


def axes_of(figure: Figure | None, number: int) -> list[Axes]:
    assert figure is not None
    assert len(figure.axes) == number
    for axis in figure.axes[: number - (number > 1 and figure.axes[-1].get_label() == "<colorbar>")]:
        assert axis.get_xlabel() or axis.get_xticklabels()
    return list(figure.axes)


def test_measured_speedup_has_a_panel_for_each_number_of_cores() -> None:
    two, four = axes_of(draw_measured_speedup(runs(1, 2, 4)), 2)
    assert (two.get_title("left"), four.get_title("left")) == ("2 cores", "4 cores")
    assert (two.get_xscale(), two.get_xlabel(), two.get_ylabel()) == ("log", "sequential time (s)", "speed-up")
    assert len(two.containers) == len(BOARDS)  # a point with its bounds for each board
    ((x,), (y,)) = four.containers[3].lines[0].get_data()
    assert (x, y) == pytest.approx((10.05, 10 / 2.6))
    assert series(four)["ideal"][1] == [4, 4]
    assert {text.get_text() for text in two.texts} == {*BOARDS, "ideal"}


def test_many_numbers_of_cores_have_their_panels_in_lines() -> None:
    axes = axes_of(draw_measured_speedup(runs(1, 2, 4, 8, 16)), 4)
    assert [axis.get_title("left") for axis in axes] == ["2 cores", "4 cores", "8 cores", "16 cores"]
    assert axes[3].get_position().y0 < axes[0].get_position().y0


def test_boards_that_were_not_counted_on_one_core_are_left_out() -> None:
    assert draw_measured_speedup(runs(2, 4)) is None
    assert list(correlate(runs(2, 4), [])) == []


def test_one_core_alone_has_no_speedup() -> None:
    assert draw_measured_speedup(runs(1)) is None
    assert draw_predicted_speedup(runs(1, 2), []) is None


def test_predictions_are_dashed_and_measurements_are_points() -> None:
    left, right = axes_of(draw_predicted_speedup(runs(1, 2), forecast(1, 2, 64, 4096)), 2)
    assert (left.get_xscale(), left.get_yscale(), right.get_xscale(), right.get_yscale()) == (
        "log",
        "log",
        "log",
        "linear",
    )
    assert (left.get_ylabel(), right.get_ylabel()) == ("speed-up", "efficiency (speed-up / cores)")
    curves = series(left)
    boards = {"1e, 500 ms", "1f, 3.0 s", "2f, 10 s"}  # none of a board that is too short to be shared out
    assert set(curves) == {"ideal", *boards, "1e, measured", "1f, measured", "2f, measured"}
    assert curves["ideal"] == ([1, 4096], [1, 4096])
    assert curves["2f, 10 s"][0] == [1, 2, 64, 4096]
    assert curves["2f, 10 s"][1] == pytest.approx([10 / (10 / cores + 0.001) for cores in (1, 2, 64, 4096)])
    assert all(line.get_linestyle() == "--" for line in left.get_lines() if line.get_label() in boards)
    assert curves["2f, measured"][1] == pytest.approx([10 / 5.1])  # of least times
    assert series(right)["2f, measured"][1] == pytest.approx([10 / 10.2])
    assert series(right)["published"] == ([64], [0.49])
    assert max(series(right)["1f, 3.0 s"][1]) <= 1.05
    legend = left.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "measured, least times",
        "predicted by simulation",
    ]


def test_a_prediction_for_one_large_machine_alone() -> None:
    assert draw_predicted_speedup([], forecast(2048)) is not None


def test_a_board_with_no_solution_and_nothing_to_search_can_be_drawn() -> None:
    dead = [replace(run, solutions=0, nodes=0, search_space=0) for run in runs(1, 2)]
    assert draw_times(dead) is not None
    assert len(list(correlate(dead, []))) == len(VARIABLES) ** 2


def test_correlation_matrices_have_every_pair() -> None:
    rows = list(correlate(runs(1, 2, 4), [row for row in forecast(64) if row.board != "1a"]))
    assert list(dict.fromkeys(row.cores for row in rows)) == ["all", "2", "4", "64 simulated"]
    by_pair = {(row.cores, row.first, row.second): row for row in rows}
    assert len(rows) == len(by_pair) == 4 * len(VARIABLES) ** 2
    for first, second in product(VARIABLES, repeat=2):
        assert by_pair["all", first, second].pearson == pytest.approx(by_pair["all", second, first].pearson)
    assert by_pair["2", "empty cells", "log search space"].pearson == pytest.approx(1)
    assert by_pair["2", "log solutions", "log nodes"].spearman == pytest.approx(1)
    assert by_pair["2", "filling factor", "log nodes"].pearson is None  # it is the same for all
    assert (by_pair["all", "speed-up", "log nodes"].runs, by_pair["64 simulated", "speed-up", "log nodes"].runs) == (
        8,
        3,
    )
    axes = axes_of(draw_correlations(rows), 4)
    assert [axis.get_title("left") for axis in axes[:3]] == [
        "All measured data (n = 8)",
        "4 cores (n = 4)",
        "64 cores, simulated (n = 3)",
    ]
    assert [label.get_text() for label in axes[0].get_yticklabels()] == list(VARIABLES)
    assert len(axes[0].texts) == len(VARIABLES) ** 2
    assert "–" in {text.get_text() for text in axes[0].texts}
    assert axes[3].get_ylabel() == "Pearson below the diagonal, Spearman above it"


@pytest.mark.slow
def test_what_takes_time() -> None:
    axes = axes_of(draw_times(runs(1, 2)), 4)
    assert [axis.get_xlabel() for axis in axes] == ["empty cells", "search space", "solutions", "nodes"]
    assert [axis.get_xscale() for axis in axes] == ["linear", "log", "log", "log"]
    assert all(axis.get_yscale() == "log" and set(series(axis)) == set(BOARDS) for axis in axes)
    assert series(axes[2])["2f"] == ([400_000], [pytest.approx(10.05)])


def cuts() -> list[Cut]:
    sizes = {"search space": (10**3, 10**30), "empty cells": (30, 60)}
    default = Cut("1e", "search space", 0, True, True, 2, 0, 2.0, 50, 0.1, 3.9)
    return [default] + [
        Cut("1e", measure, size, False, budget, 2, 0, 2.0 + at, 10, 0.5, 3.0)
        for measure in sizes
        for at, size in enumerate(sizes[measure])
        for budget in (True, False)
    ]


def test_cutoffs_are_compared_with_the_default() -> None:
    axes = axes_of(draw_cutoffs(cuts()), 4)
    assert [axis.get_xscale() for axis in axes] == ["log", "linear"] * 2
    space = series(axes[0])
    assert set(space) == {"1e, with budgets", "1e, without budgets", "the default"}
    assert space["1e, with budgets"] == ([1e3, 1e30], [1.0, 1.5])
    assert series(axes[3])["1e, without budgets"] == ([30, 60], pytest.approx([25, 50]))  # 3 of 4 and of 6 seconds


def scales() -> list[Scale]:
    search = {30: 0.001, 20: 0.1, 10: None}
    contraction = {30: 0.01, 20: 0.02, 10: 0.5}
    return [
        Scale(grid, clues, engine, seconds, 40 - clues if seconds else None, 20.0 if seconds else None)
        for clues in search
        for grid in range(3)
        for engine, seconds in (("search", search[clues]), ("contraction", contraction[clues]))
    ]


def test_scaling_says_where_the_engines_cross() -> None:
    times, memory, solutions = axes_of(draw_scaling(scales()), 3)
    assert crossing(scales()) == 20
    assert crossing([row for row in scales() if row.clues == 30]) is None
    assert series(times)["search"] == ([30, 20], [0.001, 0.1])  # not where it was given up
    assert series(times)["contraction"] == ([30, 20, 10], [0.01, 0.02, 0.5])
    assert times.get_xlim()[0] > times.get_xlim()[1]  # fewer clues to the right
    assert {"MB" in memory.get_ylabel(), times.get_yscale(), solutions.get_yscale()} == {True, "log"}


def matches() -> list[Match]:
    return [
        Match(board, solutions, program, "1", round_, None if late else factor * solutions * (1 + round_))
        for board, (_, solutions) in BOARDS.items()
        for program, factor in (("enumerator", 1e-7), ("other", 1e-4))
        for round_ in range(2)
        for late in [program == "other" and board == "2f"]
    ]


def test_peers_are_lines_that_end_at_the_time_limit() -> None:
    (axis,) = axes_of(draw_peers(matches()), 1)
    assert axis.get_yscale() == "log"
    lines = series(axis)
    assert lines["enumerator"] == ([0, 1, 2, 3], pytest.approx([1e-6, 1e-4, 2e-3, 4e-2]))  # the least of both
    assert lines["other"][0] == [0, 1, 2]
    assert [label.get_text() for label in axis.get_xticklabels()][1] == "1e\n1 k"


@pytest.mark.parametrize("draw", [draw_cutoffs, draw_scaling, draw_peers, draw_times])
def test_no_data_no_figure(draw: object) -> None:
    assert draw([]) is None  # type: ignore[operator]


@pytest.mark.parametrize(
    ("seconds", "text"), [(9.68, "9.7 s"), (99.9, "100 s"), (0.65, "650 ms"), (0.0123, "12 ms"), (8e-6, "8.0 µs")]
)
def test_times_have_two_digits_and_a_unit(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_labels_make_way_for_each_other() -> None:
    placed = style.spread_labels([(1.0, "a"), (1.1, "b"), (5.0, "d"), (1.0, "c")], 1.0)
    heights = [height for height, _ in placed]
    assert {text for _, text in placed} == set("abcd")
    assert all(upper - lower >= 0.999 for lower, upper in pairwise(heights))
    assert heights[-1] == 5.0
    assert sum(heights[:3]) == pytest.approx(3.1)  # around where they would be
    assert style.spread_labels([], 1.0) == []


@pytest.mark.slow
def test_a_picture_is_the_same_every_time_and_has_colours_for_dark_pages(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        figure = draw_measured_speedup(runs(1, 2))
        assert figure is not None
        style.save_figure(figure, tmp_path / name)
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "two.svg").read_text()
    ElementTree.fromstring(text)
    assert "prefers-color-scheme: dark" in text
    for light, dark in style.DARK.items():
        assert f"fill: {dark} !important" in text
        assert re.search(rf'style="[^"]*{light}', text)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.svg", "two.svg"]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG, the accessibility guidelines of the Web."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", style.HUES)
def test_colours_stand_out_from_light_and_dark_paper(colour: str) -> None:
    assert contrast(colour, style.PAPER) > 3
    assert contrast(colour, style.DARK[style.PAPER]) > 3


def test_ink_is_read_on_paper() -> None:
    assert contrast(style.INK, style.PAPER) > 7
    assert contrast(style.DARK[style.INK], style.DARK[style.PAPER]) > 7


@needs_sources
@pytest.mark.parametrize(("page", "least"), [("README.md", 2), ("results/README.md", 3)])
def test_pictures_of_the_pages_are_there(page: str, least: int) -> None:
    text = (ROOT / page).read_text()
    pictures = re.findall(r"!\[[^]]*]\(([^)]+)\)", text)
    assert len(pictures) >= least
    for picture in pictures:
        assert (ROOT / page).parent.joinpath(picture).exists(), picture
