"""The look of figures: sizes, colours, labels, and SVG that is readable on light and on dark pages.

    INK, PAPER, FAINT     lines and text, the background, and the grid
    HUES                  colours that colour-blind readers can tell apart (Okabe and Ito), and that
                          stand out from both kinds of paper

A figure is drawn for light paper. A style sheet in the file exchanges ink and paper on dark pages;
viewers without style sheets show the light version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.tables.table import replace_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, PAPER, FAINT = "#1b1f24", "#fffffe", "#c9ced6"
DARK = {INK: "#e6e8ec", PAPER: "#15181d", FAINT: "#444b55"}
HUES = ["#0072b2", "#d55e00", "#009e73", "#b5529b", "#7a7f87", "#a06a00"]
BLUE, RED, GREEN, _, GREY, _ = HUES
MARKERS = "osD^vPX*"

SETTINGS = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.5,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "svg.fonttype": "path",  # the same everywhere, whichever fonts are installed
    "svg.hashsalt": "enumerator",  # and the same every time
}


def new_figure(
    width: float, height: float, rows: int = 1, columns: int = 1, heights: list[float] | None = None
) -> tuple[Figure, list[Axes]]:
    """Return a figure of `width` × `height` inches, and its axes, row by row; `heights` are those of the rows."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams.update(SETTINGS)
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        rows, columns, figsize=(width, height), squeeze=False, layout="constrained", height_ratios=heights
    )
    return figure, list(axes.flat)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, the same bytes for the same data, and close it."""
    from matplotlib import pyplot

    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    picture = re.sub(r" +$", "", text.getvalue(), flags=re.MULTILINE)
    picture = picture.replace("<defs>", f"<style>{dark_rules()}</style>\n <defs>", 1)
    replace_file(path, picture)


def dark_rules() -> str:
    """Return the style sheet that replaces light colours on dark pages."""
    rules = (
        f'[style*="{name}: {light}"] {{ {name}: {dark} !important }}'
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
    )
    return f"@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}"


def series_colour(board: str) -> str:
    """Return the colour of a board's series: 1, 2, or any other."""
    return {"1": BLUE, "2": RED}.get(board[0], GREEN)


def add_label(axis: Axes, text: str, place: tuple[float, float], by: tuple[float, float], **look: Any) -> None:
    """Write a text beside a place of the data, `by` points away from it."""
    axis.annotate(text, place, by, textcoords="offset points", **{"fontsize": 8, **look})


def spread_labels(places: Iterable[tuple[float, str]], apart: float) -> list[tuple[float, str]]:
    """Return labels with heights at least `apart`, moved as little as needed, from the lowest up.

    Labels that would overlap are centred around their own heights.
    """
    groups: list[list[tuple[float, str]]] = []
    for place in sorted(places):
        groups.append([place])
        while len(groups) > 1 and lowest(groups[-1], apart) - highest(groups[-2], apart) < apart:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [(lowest(group, apart) + apart * at, text) for group in groups for at, (_, text) in enumerate(group)]


def lowest(group: list[tuple[float, str]], apart: float) -> float:
    return sum(height for height, _ in group) / len(group) - apart * (len(group) - 1) / 2


def highest(group: list[tuple[float, str]], apart: float) -> float:
    return lowest(group, apart) + apart * (len(group) - 1)
