"""The figure of what the choice of an engine costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.style import HUES, INK, MARKERS, new_figure
from bench.tables.rows import Regret
from enumerator.engines import AUTO

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_OF_BETTER, ALLOWANCE_SECONDS = 1.5, 0.02
"""The dashed line: the most time of `auto` as a multiple of that of the better engine, beyond an allowance."""


def draw_regrets(rows: list[Regret]) -> Figure | None:
    """Draw the time of `auto` over that of the better engine, for each rearrangement and number of cores."""
    times: dict[tuple[int, str, int], dict[str, float]] = {}
    for row in rows:
        if row.is_complete:
            times.setdefault((row.cores, row.board, row.rearrangement), {})[row.engine] = row.seconds
    points: dict[int, list[tuple[float, float, str]]] = {}
    for (cores, board, _), found in times.items():
        better = min((seconds for engine, seconds in found.items() if engine != AUTO), default=None)
        if better and AUTO in found:
            points.setdefault(cores, []).append((better, found[AUTO] / better, board))
    if not points:
        return None
    figure, axes = new_figure(9.4, 4.2, columns=len(points))
    for number, (axis, (cores, some)) in enumerate(zip(axes, sorted(points.items()), strict=True)):
        x, y, _ = zip(*some, strict=True)
        axis.plot(x, y, MARKERS[number], color=HUES[number], alpha=0.6, label=AUTO, linestyle="none")
        ends = sorted(x)
        steps = [ends[0] * (ends[-1] / ends[0]) ** (at / 60) for at in range(61)]
        bound = [MOST_OF_BETTER + ALLOWANCE_SECONDS / each for each in steps]
        axis.plot(steps, bound, color=INK, linewidth=1, linestyle="--", label="bound")
        worst = max(some, key=lambda one: one[1] - ALLOWANCE_SECONDS / one[0])
        axis.annotate(worst[2], worst[:2], xytext=(0, 6), textcoords="offset points", ha="center", fontsize=7)
        top = max(2.0, 1.2 * max(y))
        axis.set(xscale="log", yscale="log", ylim=(0.7, top), xlabel="time of the better engine (s)")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter("{x:g}")
        axis.xaxis.set_minor_formatter("")
        axis.set_title(f"{cores} core{'s' if cores > 1 else ''}")
    axes[0].set_ylabel("time of auto / time of the better engine")
    return figure
