"""Figures of correlations, and of sequential times over properties of boards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import log10, nan
from statistics import fmean
from typing import TYPE_CHECKING

from bench.figures.style import FAINT, INK, add_label, new_figure, series_colour
from bench.tables.analysis import VARIABLES, compared_rounds
from bench.tables.rows import Correlation, Run
from bench.tables.stats import pearson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLACK, WHITE = "#000001", "#fffffd"
"""Text on shades: unlike ink and paper, the same on light and on dark pages."""


def draw_correlations(rows: list[Correlation]) -> Figure | None:
    """Draw matrices: of all data, of the most cores that were measured, and of simulated ones.

    A value in brackets has a 95 % interval that includes 0.
    """
    groups = chosen_groups(list(dict.fromkeys(row.cores for row in rows)))
    if not groups:
        return None
    figure, axes = new_figure(1.6 + 4.1 * len(groups), 4.9, columns=len(groups))
    ticks = [at + 0.5 for at in range(len(VARIABLES))]
    for axis, group in zip(axes, groups, strict=True):
        here = {(row.first, row.second): row for row in rows if row.cores == group}
        values = [
            [here[pair].spearman if column > line else here[pair].pearson for column, pair in enumerate(pairs)]
            for line, pairs in enumerate([[(first, second) for second in VARIABLES] for first in VARIABLES])
        ]
        numbers = [[nan if value is None else value for value in line] for line in values]
        shades = axis.pcolormesh(numbers, cmap="PuOr_r", vmin=-1, vmax=1, edgecolors=FAINT, linewidth=0.4)
        for line, column in product(range(len(VARIABLES)), repeat=2):
            value = values[line][column]
            text = cell_text(value, here[VARIABLES[line], VARIABLES[column]], column > line)
            colour = INK if value is None else WHITE if abs(value) > 0.75 else BLACK
            axis.text(ticks[column], ticks[line], text, ha="center", va="center", fontsize=6.5, color=colour)
        axis.set_xticks(ticks, VARIABLES, rotation=45, ha="right", rotation_mode="anchor")
        axis.set_yticks(ticks, VARIABLES if axis is axes[0] else [""] * len(VARIABLES))
        axis.invert_yaxis()
        axis.set(aspect="equal", title=f"{group_title(group)} (n = {next(iter(here.values())).runs})")
        axis.grid(visible=False)
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
    bar = figure.colorbar(shades, ax=axes, shrink=0.75, label="Pearson below the diagonal, Spearman above it")
    bar.outline.set_visible(False)
    return figure


def chosen_groups(groups: list[str]) -> list[str]:
    """Return the groups that are drawn: more than three would be too small to read."""
    measured = [group for group in groups if group.isdecimal()]
    return [group for group in groups if group not in measured or group == measured[-1]]


def cell_text(value: float | None, row: Correlation, is_rank: bool) -> str:
    """Return a correlation with two digits; in brackets if its interval includes 0."""
    if value is None:
        return "–"
    low, high = (row.spearman_low, row.spearman_high) if is_rank else (row.pearson_low, row.pearson_high)
    text = f"{value:.2f}".replace("-", "−")
    return f"({text})" if low is None or high is None or low <= 0 <= high else text


def group_title(group: str) -> str:
    number, _, simulated = group.partition(" ")
    return "All measured data" if group == "all" else f"{number} cores{', simulated' if simulated else ''}"


def draw_times(runs: list[Run]) -> Figure | None:
    """Draw sequential times over four properties of a board, two of them known beforehand."""
    alone = {board: by_cores[1] for board, by_cores in compared_rounds(runs).items()}
    if not alone:
        return None
    figure, axes = new_figure(9.4, 2.9, columns=4)
    panels: list[tuple[str, str, Callable[[Run], float]]] = [
        ("empty cells", "linear", lambda run: run.empty_cells),
        ("search space", "log", lambda run: float(max(1, run.search_space))),
        ("solutions", "log", lambda run: float(max(1, run.solutions))),
        ("nodes", "log", lambda run: float(max(1, run.nodes))),
    ]
    times = {board: fmean(run.seconds for run in there) for board, there in alone.items()}
    for axis, (name, scale, value) in zip(axes, panels, strict=True):
        places = {board: value(there[0]) for board, there in alone.items()}
        for board, x in places.items():
            axis.plot([x], [times[board]], marker="o", linestyle="", color=series_colour(board), label=board)
            add_label(axis, board, (x, times[board]), (4, -2), fontsize=6.5, color=series_colour(board))
        straight = [log10(x) if scale == "log" else x for x in places.values()]
        r = pearson(straight, [log10(time) for time in times.values()])
        axis.set(xscale=scale, yscale="log", xlabel=name, title="" if r is None else f"r = {r:.2f}")
        axis.margins(x=0.15)
    axes[0].set_ylabel("sequential time (s)")
    for axis in axes[1:]:
        axis.tick_params(labelleft=False)
    return figure
