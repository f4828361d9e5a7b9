"""The figure of timelines: who worked when, and how many cores were used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.speedup import seconds_text
from bench.figures.style import BLUE, FAINT, GREY, INK, PAPER, RED, add_label, new_figure
from bench.tables.rows import Stretch
from bench.tables.timeline import Loss, by_setting, loss, usage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS = 400
"""The number of steps of a line of utilisation."""


def draw_timelines(rows: list[Stretch]) -> Figure:
    """Draw, for each setting of at least one, a bar a worker over time, and the use of all cores below it."""
    groups = by_setting(rows)
    heights = [height for group in groups.values() for height in (bars_height(group), 0.75)]
    figure, axes = new_figure(9.4, sum(heights) + 0.55 * len(heights), rows=len(heights), heights=heights)
    for at, group in enumerate(groups.values()):
        lost, (top, bottom) = loss(group), axes[2 * at : 2 * at + 2]
        draw_bars(top, group)
        draw_usage(bottom, group, lost)
        for axis in (top, bottom):
            axis.set_xlim(0, group[0].total)
            axis.axvspan(0, lost.full_from, color=FAINT, alpha=0.45, linewidth=0, zorder=0.1)
            axis.axvspan(lost.full_until, group[0].total, color=FAINT, alpha=0.45, linewidth=0, zorder=0.1)
        top.tick_params(labelbottom=False)
        top.set_title(title_of(group, lost), fontsize=9)
    axes[-1].set_xlabel("time (s)")
    return figure


def bars_height(group: list[Stretch]) -> float:
    """Return the height of the bars of a setting, in inches."""
    return 0.35 + min(2.4, 0.17 * len(bars_of(group)))


def bars_of(group: list[Stretch]) -> list[int]:
    """Return the workers that have a bar: one for each core, idle or not, and 0 if the count began on one core."""
    most = max(group[0].cores, *(row.worker for row in group))
    return [*([0] if any(row.worker == 0 and row.ended > row.began for row in group) else []), *range(1, most + 1)]


def title_of(group: list[Stretch], lost: Loss) -> str:
    """Return what a panel shows, with the shares that were lost."""
    first, tasks = group[0], sum(row.tasks for row in group)
    cores = f"{first.cores} {'simulated ' if first.is_simulated else ''}cores"
    idle = f"without work: {lost.start:.1%} at the start, {lost.between:.1%} between, {lost.end:.1%} at the end"
    return f"{first.board}, {cores}, {first.setting}: {seconds_text(first.total)}, {tasks:,} tasks; {idle}"


def draw_bars(axis: Axes, group: list[Stretch]) -> None:
    """Draw a bar for each worker; the beginning on one core is that of worker 0, in a colour of its own."""
    bars = bars_of(group)
    axis.hlines(bars, 0, group[0].total, color=FAINT, linewidth=0.6, zorder=0.2)  # shows those without a task
    for worker in bars:
        mine = [(row.began, row.ended - row.began) for row in group if row.worker == worker]
        axis.broken_barh(mine, (worker - 0.4, 0.8), color=BLUE if worker else RED, linewidth=0)
    first, last = bars[0], bars[-1]
    axis.set_ylim(last + 0.6, first - 0.6)
    axis.grid(visible=False)
    ticks = bars if last <= 4 else sorted({first, 1, last}) if first else [0, last]
    axis.set_yticks(ticks, [f"worker {tick}" if tick else "one core" for tick in ticks])


def draw_usage(axis: Axes, group: list[Stretch], lost: Loss) -> None:
    """Draw the share of all cores that were used, over time."""
    total, cores = group[0].total, group[0].cores
    sums, step = [0.0] * BINS, total / BINS
    for part in usage(group):
        first, last = int(part.began / step), min(BINS - 1, int(part.ended / step))
        for at in range(first, last + 1):
            inside = min(part.ended, (at + 1) * step) - max(part.began, at * step)
            sums[at] += max(0.0, inside) * part.busy / step / cores
    times = [step * (at + 0.5) for at in range(BINS)]
    axis.fill_between(times, [100 * value for value in sums], color=GREY, alpha=0.5, linewidth=0)
    axis.plot(times, [100 * value for value in sums], color=INK, linewidth=0.8, label="used")
    axis.set(ylim=(0, 105), ylabel="% used")
    look = {"fontsize": 7, "bbox": {"facecolor": PAPER, "edgecolor": "none", "pad": 1}}
    add_label(axis, f"idle {lost.start:.1%}", (0.0, 8), (4, 0), **look)
    add_label(axis, f"idle {lost.end:.1%}", (total, 8), (-4, 0), ha="right", **look)
