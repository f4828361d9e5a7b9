"""The figure of what the choice of an engine costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bench.figures.style import HUES, INK, MARKERS, new_figure
from bench.tables.rows import Regret
from enumerator.engines import AUTO

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_OF_BETTER, ALLOWANCE_SECONDS = 1.5, 0.02
"""The dashed line: the most time of `auto` as a multiple of that of the better engine, beyond an allowance."""


UP, DOWN = "$\\uparrow$", "$\\downarrow$"
"""The markers of counts that were ended: `auto` takes longer, or the other engines do."""


class Point(NamedTuple):
    """A rearrangement of a board on some cores."""

    better: float
    ratio: float
    name: str
    ended: str = ""
    """The arrow, if one of the two times is that at which a count was ended."""


def draw_regrets(rows: list[Regret]) -> Figure | None:
    """Draw the time of `auto` over that of the better engine, for each rearrangement and number of cores."""
    found: dict[tuple[int, str, int], list[Regret]] = {}
    for row in rows:
        found.setdefault((row.cores, row.board, row.rearrangement), []).append(row)
    points: dict[int, list[Point]] = {}
    for (cores, *_), group in found.items():
        if point := point_of(group):
            points.setdefault(cores, []).append(point)
    if not points:
        return None
    figure, axes = new_figure(9.4, 4.2, columns=len(points))
    for number, (axis, (cores, some)) in enumerate(zip(axes, sorted(points.items()), strict=True)):
        for marker in ("", UP, DOWN):
            if drawn := [(one.better, one.ratio) for one in some if one.ended == marker]:
                x, y = zip(*drawn, strict=True)
                look = {"color": HUES[number], "alpha": 0.6, "label": AUTO if not marker else None}
                axis.plot(x, y, marker=marker or MARKERS[number], linestyle="none", **look)
        ends = sorted(one.better for one in some)
        steps = [ends[0] * (ends[-1] / ends[0]) ** (at / 60) for at in range(61)]
        bound = [MOST_OF_BETTER + ALLOWANCE_SECONDS / each for each in steps]
        axis.plot(steps, bound, color=INK, linewidth=1, linestyle="--", label="bound")
        worst = max(some, key=lambda one: one.ratio - ALLOWANCE_SECONDS / one.better)
        axis.annotate(worst.name, worst[:2], xytext=(0, 6), textcoords="offset points", ha="center", fontsize=7)
        heights = [one.ratio for one in some]
        limits = min(0.7, 0.8 * min(heights)), max(2.0, 1.2 * max(heights))
        axis.set(xscale="log", yscale="log", ylim=limits, xlabel="time of the better engine (s)")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter("{x:g}")
        axis.xaxis.set_minor_formatter("")
        axis.set_title(f"{cores} core{'s' if cores > 1 else ''}")
    axes[0].set_ylabel("time of auto / time of the better engine")
    return figure


def point_of(group: list[Regret]) -> Point | None:
    """Return the point of a rearrangement; None if `auto` or all others are missing, or none has ended."""
    auto = next((row for row in group if row.engine == AUTO), None)
    others = [row for row in group if row.engine != AUTO]
    others = [row for row in others if row.is_complete] or others
    if not (auto and others and (auto.is_complete or others[0].is_complete)):
        return None
    better = min(row.seconds for row in others)
    ended = UP if not auto.is_complete else "" if others[0].is_complete else DOWN
    return Point(better, auto.seconds / better, f"{auto.board}, rearrangement {auto.rearrangement}", ended)
