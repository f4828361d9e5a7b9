"""The figure of cut-offs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.style import HUES, INK, MARKERS, new_figure
from bench.tables.analysis import idle_share
from bench.tables.rows import Cut

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_cutoffs(rows: list[Cut]) -> Figure | None:
    """Draw time and idle time over cut-offs, by both measures of size, with and without budgets."""
    measures = list(dict.fromkeys(row.measure for row in rows if not row.default))
    if not measures:
        return None
    figure, axes = new_figure(9.4, 5.4, rows=2, columns=len(measures))
    boards = list(dict.fromkeys(row.board for row in rows))
    for column, measure in enumerate(measures):
        top, bottom = axes[column], axes[len(measures) + column]
        for number, board in enumerate(boards):
            usual = min((row.seconds for row in rows if row.board == board and row.default), default=1.0)
            for budget in (True, False):
                wanted = (board, measure, budget, False)
                here = [row for row in rows if (row.board, row.measure, row.budget, row.default) == wanted]
                best = [
                    min((row for row in here if row.cutoff == size), key=lambda row: row.seconds)
                    for size in sorted({row.cutoff for row in here})
                ]
                x = [float(row.cutoff) for row in best]
                look = {
                    "color": HUES[number % len(HUES)],
                    "linestyle": "-" if budget else ":",
                    "marker": MARKERS[number % len(MARKERS)],
                    "markersize": 3.5,
                    "label": f"{board}, {'with' if budget else 'without'} budgets",
                }
                top.plot(x, [row.seconds / usual for row in best], **look)
                bottom.plot(x, [100 * max(0.0, idle_share(row)) for row in best], **look)
        top.axhline(1, color=INK, linewidth=1, linestyle="--", label="the default")
        scale = "log" if measure == "search space" else "linear"
        top.set(xscale=scale, title=f"Parts measured by their {measure}", ylim=(0.8, None))
        bottom.set(
            xscale=scale, xlabel=f"cut-off ({measure} of a part)", ylim=(0, 105 - 100 / max(row.cores for row in rows))
        )
    axes[0].set_ylabel("time / time of the default")
    axes[len(measures)].set_ylabel("without work (% of all cores' time)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
    return figure
