"""The figures of `results/`: drawn from tables of measurements. Nothing in here measures anything.

Each function takes rows and returns a figure, or None where they have nothing to show. `report.py` says which tables
these rows are from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, product
from math import inf, log10, nan
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from bench.correlation import VARIABLES
from bench.ink import BLUE, FAINT, GREEN, GREY, HUES, INK, MARKERS, RED, beside_each_other, sheet
from bench.rows import Correlation, Cut, Match, Prediction, Run, Scale
from bench.speedup import rounds, speedup
from bench.stats import Ratio, pearson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def family(board: str) -> str:
    """A colour for a board: the published ones are two series, each with fewer and fewer clues."""
    return {"1": BLUE, "2": RED}.get(board[0], GREEN)


def seconds_text(seconds: float) -> str:
    """As one would say it, to two digits."""
    size, unit = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    number = seconds / size
    return f"{number:.1f} {unit}" if number < 10 else f"{round(number, 1 - int(log10(number))):.0f} {unit}"


UNITS = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]


# ------------------------------------------------------------------------------------------------- speed-up


def measured_speedup(runs: list[Run]) -> Figure | None:
    """The speed-up of each board over its sequential time, one panel for each number of cores."""
    boards = rounds(runs)
    numbers = sorted({cores for by_cores in boards.values() for cores in by_cores if cores > 1})
    if not numbers:
        return None
    figure, axes = sheet(3.6 + 3.4 * len(numbers), 3.4, columns=len(numbers))
    for axis, cores in zip(axes, numbers, strict=True):
        here = {board: by_cores for board, by_cores in boards.items() if cores in by_cores}
        times = {board: fmean(run.seconds for run in by_cores[1]) for board, by_cores in here.items()}
        gains = {board: speedup(by_cores, cores) for board, by_cores in here.items()}
        near = crowded([(log10(times[board]), gains[board].value) for board in here])
        for board, others in zip(here, near, strict=True):
            point(axis, times[board], gains[board], family(board))
            place, down = (times[board], gains[board].low), (0, -3 - 9 * others)
            note(axis, board, place, down, ha="center", va="top", color=family(board))
        axis.axhline(cores, color=INK, linestyle="--", linewidth=1, label="ideal")
        note(axis, "ideal", (min(times.values()), cores), (0, 3))
        axis.set(xscale="log", xlabel="sequential time (s)", ylabel="speed-up", title=f"{cores} cores")
        axis.set_ylim(0, cores * 1.18)
    return figure


def crowded(places: Sequence[tuple[float, float]], wide: float = 0.3, high: float = 0.08) -> list[int]:
    """How many of the places before each one are next to it."""
    return [
        sum(abs(x - there) < wide and abs(y - height) < high for there, height in places[:at])
        for at, (x, y) in enumerate(places)
    ]


def predicted_speedup(runs: list[Run], predictions: list[Prediction]) -> Figure | None:
    """Speed-up and efficiency over cores: measured points, and the driver simulated on machines that are not there."""
    rows = [row for row in predictions if row.sequential > SHARED_OUT]
    if not rows:
        return None
    figure, (left, right) = sheet(9.4, 4.2, columns=2)
    boards, most = rounds(runs), max(row.cores for row in rows)
    ends = []
    for number, (board, group) in enumerate(groupby(rows, key=lambda row: row.board)):
        curve = [(row.cores, row.sequential / row.seconds) for row in group]
        label = f"{board}, {seconds_text(next(row.sequential for row in rows if row.board == board))}"
        look = {"color": family(board), "linestyle": "--", "linewidth": 1.1, "label": label}
        left.plot(*zip(*curve, strict=True), **look)
        right.plot([cores for cores, _ in curve], [gain / cores for cores, gain in curve], **look)
        ends.append((log10(curve[-1][1]), label))
        half = max((cores for cores, gain in curve if gain / cores > 0.5), default=curve[0][0])
        note(right, board, (half, dict(curve)[half] / half), (4, 4), color=family(board))
        for cores in boards.get(board, {}):
            if cores > 1:
                alone, together = (min(run.seconds for run in boards[board][each]) for each in (1, cores))
                beside = cores * 1.06 ** (number - 2.5)  # or they would cover each other
                look = {"color": family(board), "marker": "o", "linestyle": "", "label": f"{board}, measured"}
                left.plot([beside], [alone / together], **look)
                right.plot([beside], [alone / together / cores], **look)
    left.plot([1, most], [1, most], color=INK, linewidth=1, label="ideal")
    note(left, "ideal", (most**0.62, most**0.62), (-6, 6), ha="right")
    for height, label in beside_each_other(ends, 0.13):
        note(left, label, (most, 10**height), (5, 0), va="center", color=family(label), annotation_clip=False)
    for cores, value in PUBLISHED_EFFICIENCY.items():
        right.plot([cores], [value], marker="X", linestyle="", color=INK, markersize=6, label="published")
        right.annotate(
            f"the published program,\nmeasured: {value}",
            (cores, value),
            (1, 0.5),
            textcoords="axes fraction",
            ha="right",
            va="center",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "color": FAINT, "shrinkB": 5},
        )
    left.set(xscale="log", yscale="log", xlabel="cores", ylabel="speed-up", title="Speed-up", ylim=(0.8, most * 1.3))
    right.set(xscale="log", xlabel="cores", ylabel="efficiency (speed-up / cores)", title="Efficiency", ylim=(0, 1.05))
    for axis in (left, right):
        powers_of_two(axis, most)
    from matplotlib.lines import Line2D

    measured = Line2D([], [], color=GREY, marker="o", linestyle="", label="measured, least times")
    predicted = Line2D([], [], color=GREY, linestyle="--", label="predicted by simulation")
    left.legend(handles=[measured, predicted], loc="upper left")
    return figure


def point(axis: Axes, x: float, value: Ratio, colour: str) -> None:
    """A ratio with its bounds."""
    bounds = [[value.value - value.low], [value.high - value.value]]
    axis.errorbar([x], [value.value], bounds, fmt="o", color=colour, capsize=2, elinewidth=1)


def note(axis: Axes, text: str, place: tuple[float, float], by: tuple[float, float], **look: Any) -> None:
    """A word beside a place of the data, so many points away from it."""
    axis.annotate(text, place, by, textcoords="offset points", **{"fontsize": 8, **look})


SHARED_OUT = 0.1
"""Boards that take less (seconds) are hardly shared out, and have no speed-up to show."""

PUBLISHED_EFFICIENCY = {64: 0.49}
"""Of the published Java program, on its largest board."""


def powers_of_two(axis: Axes, most: int) -> None:
    """Ticks at numbers of cores."""
    from matplotlib.ticker import FixedLocator, NullLocator

    ticks = [2**exponent for exponent in range(most.bit_length())]
    shown = [tick for at, tick in enumerate(ticks) if len(ticks) < 8 or at % 2 == 0]
    axis.xaxis.set_major_locator(FixedLocator(shown))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xticklabels([f"{tick:,}" for tick in shown])


# ---------------------------------------------------------------------------------------------- correlation


def correlation_matrices(rows: list[Correlation]) -> Figure | None:
    """A matrix for all data and for each number of cores."""
    groups = list(dict.fromkeys(row.cores for row in rows))
    if not groups:
        return None
    figure, axes = sheet(1.6 + 4.1 * len(groups), 4.9, columns=len(groups))
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
            text = "–" if value is None else f"{value:.2f}".replace("-", "−")
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


BLACK, WHITE = "#000001", "#fffffd"
"""On shades, whatever the paper is."""


def group_title(group: str) -> str:
    number, _, simulated = group.partition(" ")
    return "All measured data" if group == "all" else f"{number} cores{', simulated' if simulated else ''}"


def what_takes_time(runs: list[Run]) -> Figure | None:
    """Sequential times over what is known of a board beforehand, and over what turns out."""
    alone = {board: by_cores[1] for board, by_cores in rounds(runs).items() if 1 in by_cores}
    if not alone:
        return None
    figure, axes = sheet(9.4, 2.9, columns=4)
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
            axis.plot([x], [times[board]], marker="o", linestyle="", color=family(board), label=board)
            note(axis, board, (x, times[board]), (4, -2), fontsize=6.5, color=family(board))
        straight = [log10(x) if scale == "log" else x for x in places.values()]
        r = pearson(straight, [log10(time) for time in times.values()])
        axis.set(xscale=scale, yscale="log", xlabel=name, title="" if r is None else f"r = {r:.2f}")
        axis.margins(x=0.15)
    axes[0].set_ylabel("sequential time (s)")
    for axis in axes[1:]:
        axis.tick_params(labelleft=False)
    return figure


# -------------------------------------------------------------------------------------------------- cut-off


def cutoffs(rows: list[Cut]) -> Figure | None:
    """Time, and time without work, over cut-offs by both measures of size, with and without budgets."""
    measures = list(dict.fromkeys(row.measure for row in rows if not row.default))
    if not measures:
        return None
    figure, axes = sheet(9.4, 5.4, rows=2, columns=len(measures))
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
                bottom.plot(x, [100 * idle(row) for row in best], **look)
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


def idle(row: Cut) -> float:
    """The share of the cores' time in which they had nothing to do."""
    return max(0.0, 1 - row.busy / (row.cores * row.seconds))


# -------------------------------------------------------------------------------------------------- scaling


def scaling(rows: list[Scale]) -> Figure | None:
    """Time and memory over the number of clues, for both engines, and how many solutions there are."""
    if not rows:
        return None
    figure, (times, memory, solutions) = sheet(9.4, 3.3, columns=3)
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
        note(
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


def crossing(rows: list[Scale]) -> int | None:
    """The number of clues from which on, downwards, the contraction takes less than the search, in the median."""
    cross = None
    for clues in sorted({row.clues for row in rows}, reverse=True):
        search, contraction = (
            median([row.seconds or inf for row in rows if (row.clues, row.engine) == (clues, engine)] or [inf])
            for engine in ("search", "contraction")
        )
        if contraction >= search:
            cross = None
        elif cross is None:
            cross = clues
    return cross


# ---------------------------------------------------------------------------------------------------- peers


def peers(rows: list[Match]) -> Figure | None:
    """What each program takes for each board, in order of their solutions."""
    if not rows:
        return None
    solutions = {row.board: row.solutions for row in rows}
    boards = sorted(solutions, key=lambda board: (solutions[board], board))
    figure, (axis,) = sheet(9.4, 4.6)
    programs = list(dict.fromkeys(row.program for row in rows))
    ours, others = programs[0], [name for name in programs if not name.startswith(programs[0])]
    for number, program in enumerate([ours, *others]):  # of ours, one line is enough
        mine = [row for row in rows if row.program == program and row.seconds is not None]
        least = {
            board: min(row.seconds or inf for row in mine if row.board == board)
            for board in {row.board for row in mine}
        }
        places = [(at, least[board]) for at, board in enumerate(boards) if board in least]
        if places:
            colour, width = (HUES[(number - 1) % len(HUES)], 1.1) if number else (INK, 2.4)
            look = {"color": colour, "linewidth": width, "marker": MARKERS[number % len(MARKERS)], "label": program}
            axis.plot(*zip(*places, strict=True), **look)
    axis.set_xticks(range(len(boards)), [f"{board}\n{short(solutions[board])}" for board in boards])
    axis.set(yscale="log", xlabel="board, and the number of its solutions", ylabel="time of the count (s)")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside right upper")
    return figure


def short(number: int) -> str:
    """A count in three digits or so."""
    for size, unit in ((10**6, " M"), (10**3, " k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return str(number)
