"""Figures of speed-up: measured, and predicted by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import log10
from statistics import fmean
from typing import TYPE_CHECKING

from bench.figures.style import FAINT, GREY, INK, add_label, new_figure, series_colour, spread_labels
from bench.tables.analysis import compared_rounds, speedup
from bench.tables.rows import Prediction, Run
from bench.tables.stats import Ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Runs = dict[int, list[Run]]
"""The runs of a board, by cores."""

LEAST_SEQUENTIAL_SECONDS = 0.1
"""Boards that take less are hardly shared out, and have no speed-up to show."""

MOST_COLUMNS = 3
"""The number of panels beside each other."""

PUBLISHED_EFFICIENCY = {64: 0.49}
"""The efficiency of the published Java program on its largest board, by cores."""

UNITS = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]


def draw_measured_speedup(runs: list[Run]) -> Figure | None:
    """Draw the speed-up of boards over their sequential times, a panel for each number of cores."""
    boards = compared_rounds(runs)
    numbers = sorted({cores for by_cores in boards.values() for cores in by_cores if cores > 1})
    if not numbers:
        return None
    columns = min(len(numbers), MOST_COLUMNS)
    lines = -(-len(numbers) // columns)
    figure, axes = new_figure(3.6 + 3.4 * columns, 3.4 * lines, rows=lines, columns=columns)
    for axis in axes[len(numbers) :]:
        figure.delaxes(axis)
    for axis, cores in zip(axes, numbers, strict=False):
        here = {board: by_cores for board, by_cores in boards.items() if cores in by_cores}
        times = {board: fmean(run.seconds for run in by_cores[1]) for board, by_cores in here.items()}
        gains = {board: speedup(by_cores, cores) for board, by_cores in here.items()}
        near = earlier_neighbours([(log10(times[board]), gains[board].value) for board in here])
        for board, others in zip(here, near, strict=True):
            plot_ratio(axis, times[board], gains[board], series_colour(board))
            place, down = (times[board], gains[board].low), (0, -3 - 9 * others)
            add_label(axis, board, place, down, ha="center", va="top", color=series_colour(board))
        axis.axhline(cores, color=INK, linestyle="--", linewidth=1, label="ideal")
        add_label(axis, "ideal", (min(times.values()), cores), (0, 3))
        axis.set(xscale="log", xlabel="sequential time (s)", ylabel="speed-up", title=f"{cores} cores")
        axis.set_ylim(0, cores * 1.18)
    return figure


def earlier_neighbours(places: Sequence[tuple[float, float]], wide: float = 0.3, high: float = 0.08) -> list[int]:
    """Return, for each place, the number of earlier places that are next to it."""
    return [
        sum(abs(x - there) < wide and abs(y - height) < high for there, height in places[:at])
        for at, (x, y) in enumerate(places)
    ]


def plot_ratio(axis: Axes, x: float, value: Ratio, colour: str) -> None:
    """Plot a ratio with its bounds."""
    bounds = [[value.value - value.low], [value.high - value.value]]
    axis.errorbar([x], [value.value], bounds, fmt="o", color=colour, capsize=2, elinewidth=1)


def draw_predicted_speedup(runs: list[Run], predictions: list[Prediction]) -> Figure | None:
    """Draw speed-up and efficiency over cores: measured points, and simulated lines."""
    rows = [row for row in predictions if row.sequential > LEAST_SEQUENTIAL_SECONDS]
    if not rows:
        return None
    figure, (left, right) = new_figure(9.4, 4.2, columns=2)
    boards, most = compared_rounds(runs), max(row.cores for row in rows)
    ends = []
    for number, (board, group) in enumerate(groupby(rows, key=lambda row: row.board)):
        curve = [(row.cores, row.sequential / row.seconds) for row in group]
        label = f"{board}, {seconds_text(next(row.sequential for row in rows if row.board == board))}"
        plot_prediction(left, right, board, label, curve)
        ends.append((log10(curve[-1][1]), label))
        plot_measurements(left, right, board, number, boards.get(board, {}))
    left.plot([1, most], [1, most], color=INK, linewidth=1, label="ideal")
    add_label(left, "ideal", (most**0.62, most**0.62), (-6, 6), ha="right")
    for height, label in spread_labels(ends, 0.13):
        add_label(
            left, label, (most, 10**height), (5, 0), va="center", color=series_colour(label), annotation_clip=False
        )
    plot_published(right)
    left.set(xscale="log", yscale="log", xlabel="cores", ylabel="speed-up", title="Speed-up", ylim=(0.8, most * 1.3))
    right.set(xscale="log", xlabel="cores", ylabel="efficiency (speed-up / cores)", title="Efficiency", ylim=(0, 1.05))
    for axis in (left, right):
        set_core_ticks(axis, most)
    from matplotlib.lines import Line2D

    measured = Line2D([], [], color=GREY, marker="o", linestyle="", label="measured, least times")
    predicted = Line2D([], [], color=GREY, linestyle="--", label="predicted by simulation")
    left.legend(handles=[measured, predicted], loc="upper left")
    return figure


def plot_prediction(left: Axes, right: Axes, board: str, label: str, curve: list[tuple[int, float]]) -> None:
    """Plot predicted speed-ups on the left, and efficiencies on the right, named at one half."""
    look = {"color": series_colour(board), "linestyle": "--", "linewidth": 1.1, "label": label}
    left.plot(*zip(*curve, strict=True), **look)
    right.plot([cores for cores, _ in curve], [gain / cores for cores, gain in curve], **look)
    half = max((cores for cores, gain in curve if gain / cores > 0.5), default=curve[0][0])
    add_label(right, board, (half, dict(curve)[half] / half), (4, 4), color=series_colour(board))


def plot_measurements(left: Axes, right: Axes, board: str, number: int, by_cores: Runs) -> None:
    """Plot measured speed-ups and efficiencies, each board a little aside of the others."""
    look = {"color": series_colour(board), "marker": "o", "linestyle": "", "label": f"{board}, measured"}
    for cores in by_cores:
        if cores > 1:
            alone, together = (min(run.seconds for run in by_cores[each]) for each in (1, cores))
            beside = cores * 1.06 ** (number - 2.5)
            left.plot([beside], [alone / together], **look)
            right.plot([beside], [alone / together / cores], **look)


def plot_published(axis: Axes) -> None:
    """Plot the efficiency of the published program."""
    for cores, value in PUBLISHED_EFFICIENCY.items():
        axis.plot([cores], [value], marker="X", linestyle="", color=INK, markersize=6, label="published")
        axis.annotate(
            f"the published program,\nmeasured: {value}",
            (cores, value),
            (1, 0.5),
            textcoords="axes fraction",
            ha="right",
            va="center",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "color": FAINT, "shrinkB": 5},
        )


def set_core_ticks(axis: Axes, most: int) -> None:
    """Put ticks at powers of two, up to `most` cores."""
    from matplotlib.ticker import FixedLocator, NullLocator

    ticks = [2**exponent for exponent in range(most.bit_length())]
    shown = [tick for at, tick in enumerate(ticks) if len(ticks) < 8 or at % 2 == 0]
    axis.xaxis.set_major_locator(FixedLocator(shown))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xticklabels([f"{tick:,}" for tick in shown])


def seconds_text(seconds: float) -> str:
    """Return a time with two digits and its unit."""
    size, unit = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    number = seconds / size
    return f"{number:.1f} {unit}" if number < 10 else f"{round(number, 1 - int(log10(number))):.0f} {unit}"
