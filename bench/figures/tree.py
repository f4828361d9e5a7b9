"""The figure of trees: the subtrees of the first levels by their nodes, in the colours of the workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.style import FAINT, HUES, INK, PAPER, new_figure
from bench.tables.rows import Branch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.17
"""The height of a level, in inches."""

Groups = dict[tuple[str, str], list[Branch]]


def draw_trees(rows: list[Branch]) -> Figure:
    """Draw, for each board and setting of at least one, an icicle of its tree, and the workers' shares below it."""
    groups: Groups = {}
    for row in rows:
        groups.setdefault((row.board, row.setting), []).append(row)
    levels = {key: 1 + max(row.level for row in group) for key, group in groups.items()}
    heights = [height for key in groups for height in (0.3 + ROW * levels[key], 0.42)]
    figure, axes = new_figure(9.4, sum(heights) + 0.5 * len(groups), rows=len(heights), heights=heights)
    for at, (key, group) in enumerate(groups.items()):
        top, bottom = axes[2 * at : 2 * at + 2]
        draw_icicle(top, [row for row in group if row.level >= 0], levels[key])
        draw_shares(bottom, [row for row in group if row.level < 0])
        first = group[0]
        title = f"{first.board}, {first.cores} simulated workers, {first.setting}"
        top.set_title(f"{title}: {first.time:.2f} times the time of a perfect division")
    axes[-1].set_xlabel("share of the nodes (%); below each tree, what each worker has walked")
    return figure


def colour_of(worker: int) -> str:
    """Return the colour of a worker; subtrees of several workers are faint."""
    return FAINT if worker < 0 else HUES[worker % len(HUES)]


def draw_icicle(axis: Axes, rows: list[Branch], levels: int) -> None:
    """Draw subtrees as bars, each level below the one above."""
    for worker in sorted({row.worker for row in rows}):
        for level in range(levels):
            bars = [(100 * row.before, 100 * row.share) for row in rows if (row.worker, row.level) == (worker, level)]
            axis.broken_barh(bars, (level + 0.04, 0.92), facecolor=colour_of(worker), edgecolor=PAPER, linewidth=0.4)
    axis.set(xlim=(0, 100), ylim=(levels, 0), ylabel="guesses")
    axis.set_yticks(range(0, levels, 4), [str(level) for level in range(0, levels, 4)])
    axis.grid(visible=False)
    axis.tick_params(labelbottom=False)


def draw_shares(axis: Axes, rows: list[Branch]) -> None:
    """Draw the workers' shares beside each other, and where they would be if all were equal."""
    before = 0.0
    for row in rows:
        axis.broken_barh(
            [(100 * before, 100 * row.share)], (0.1, 0.8), facecolor=colour_of(row.worker), edgecolor=PAPER
        )
        before += row.share
    for number in range(1, len(rows)):
        axis.axvline(100 * number / len(rows), color=INK, linewidth=0.8, linestyle="--")
    axis.set(xlim=(0, 100), ylim=(1, 0), yticks=[])
    axis.grid(visible=False)
