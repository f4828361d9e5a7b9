"""The figure of both engines over numbers of clues."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from bench.figures.style import BLUE, INK, RED, add_label, new_figure
from bench.tables.analysis import crossing
from bench.tables.rows import Scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_scaling(rows: list[Scale]) -> Figure | None:
    """Draw time and memory of both engines, and solutions, over the number of clues."""
    if not rows:
        return None
    figure, (times, memory, solutions) = new_figure(9.4, 3.3, columns=3)
    for engine, colour, marker in (("search", BLUE, "o"), ("contraction", RED, "s")):
        mine = [row for row in rows if row.engine == engine]
        done = [row for row in mine if row.seconds is not None]
        late = {row.clues for row in mine if row.seconds is None}
        clues = [number for number in dict.fromkeys(row.clues for row in done) if number not in late]
        for axis, name in ((times, "seconds"), (memory, "memory")):
            values = [getattr(row, name) for row in done]
            middle = [median(getattr(row, name) for row in done if row.clues == number) for number in clues]
            axis.plot([row.clues for row in done], values, marker, color=colour, markersize=2.5, alpha=0.5)
            axis.plot(clues, middle, color=colour, label=engine)
    counts = {(row.grid, row.clues): float(row.solutions) for row in rows if row.solutions}
    solutions.plot([clues for _, clues in counts], list(counts.values()), "o", color=INK, markersize=2.5)
    if cross := crossing(rows):
        times.axvline(cross, color=INK, linestyle="--", linewidth=0.9, label="crossing")
        add_label(
            times,
            f"cross at\n{cross} clues",
            (cross, 1),
            (-4, -2),
            xycoords=times.get_xaxis_transform(),
            va="top",
            ha="right",
        )
    times.set(yscale="log", ylabel="time on one core (s)", xlabel="clues", title="Time")
    memory.set(ylabel="peak memory of the process (MB)", xlabel="clues", title="Memory", ylim=(0, None))
    solutions.set(yscale="log", ylabel="solutions", xlabel="clues", title="Solutions")
    for axis in (times, memory, solutions):
        axis.invert_xaxis()
    memory.legend(loc="upper left")
    return figure
