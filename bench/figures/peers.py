"""The figure of other programs."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from bench.figures.style import HUES, INK, MARKERS, new_figure
from bench.tables.rows import Match

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_peers(rows: list[Match]) -> Figure | None:
    """Draw the time of each program for each board, in the order of their solutions."""
    if not rows:
        return None
    solutions = {row.board: row.solutions for row in rows}
    boards = sorted(solutions, key=lambda board: (solutions[board], board))
    figure, (axis,) = new_figure(9.4, 4.6)
    programs = list(dict.fromkeys(row.program for row in rows))
    ours, others = programs[0], [name for name in programs if not name.startswith(programs[0])]
    for number, program in enumerate([ours, *others]):  # a second line of ours would show nothing new
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
    axis.set_xticks(range(len(boards)), [f"{board}\n{short_number(solutions[board])}" for board in boards])
    axis.set(yscale="log", xlabel="board, and the number of its solutions", ylabel="time of the count (s)")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside right upper")
    return figure


def short_number(number: int) -> str:
    """Return a count in about three digits."""
    for size, unit in ((10**6, " M"), (10**3, " k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return str(number)
