"""Everything in `results/` on one page: figures as SVG, and an HTML page that needs no other file.

Nothing is measured in here, and nothing is drawn that is not in a table. Sections whose tables are
missing are left out, by name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.figures.correlation import draw_correlations, draw_times
from bench.figures.cutoff import draw_cutoffs
from bench.figures.peers import draw_peers
from bench.figures.scaling import draw_scaling
from bench.figures.speedup import draw_measured_speedup, draw_predicted_speedup
from bench.figures.style import save_figure
from bench.study import correlation, cutoff, peers, scaling, simulate, speedup
from bench.study.options import add_results
from bench.study.page import figure_section, folded_section, folded_table, inline_picture, origin, whole_page
from bench.tables.analysis import least_times
from bench.tables.rows import Correlation, Cut, Match, Prediction, Run, Scale
from bench.tables.table import DataError, read, replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: dict[str, type[Any]] = {
    "speedup-search.csv": Run,
    "speedup-auto.csv": Run,
    "simulated.csv": Prediction,
    "correlation.csv": Correlation,
    "cutoff.csv": Cut,
    "scaling.csv": Scale,
    "peers.csv": Match,
}
"""The tables of the report, and their kinds of rows."""


class Section(NamedTuple):
    """A part of the page: a figure and a printed table, both made from the rows of `tables`."""

    name: str
    title: str
    caption: str
    tables: tuple[str, ...]
    draw: Callable[..., Figure | None] | None
    print: Callable[..., Iterator[str]] | None


SECTIONS = [
    Section(
        "speedup",
        "Speed-up, measured",
        "Mean sequential time over mean time on several cores, with 95 % intervals, by the search. A board that takes"
        " less than 0.1 s or so is hardly shared out, if at all.",
        ("speedup-search.csv",),
        draw_measured_speedup,
        speedup.summary_lines,
    ),
    Section(
        "prediction",
        "Speed-up, predicted",
        "The real driver on a simulated clock, with measured tasks and costs. Points are measured least times; dashed"
        " lines are predictions.",
        ("speedup-search.csv", "simulated.csv"),
        draw_predicted_speedup,
        lambda runs, rows: simulate.summary_lines(rows, least_times(runs)),
    ),
    Section(
        "correlation",
        "Correlations",
        "Correlations between properties of a board known beforehand, those found by the count, and its times.",
        ("correlation.csv",),
        draw_correlations,
        correlation.summary_lines,
    ),
    Section(
        "time",
        "Time over properties of boards",
        "The sequential time of the search over four properties of a board; r is Pearson's, of the values as drawn.",
        ("speedup-search.csv",),
        draw_times,
        None,
    ),
    Section(
        "auto",
        "Engine chosen automatically",
        "The same boards by the default, which walks for a moment and then chooses.",
        ("speedup-auto.csv",),
        None,
        speedup.summary_lines,
    ),
    Section(
        "cutoff",
        "Cut-offs",
        "Counts that are split at a cut-off, by two measures of a part's size, with and without budgets for tasks. The"
        " default has no cut-off: a part is divided when there are too few of them.",
        ("cutoff.csv",),
        draw_cutoffs,
        cutoff.summary_lines,
    ),
    Section(
        "scaling",
        "Fewer clues",
        "Both engines on one core, as clues are taken away from solved grids at random. Lines are medians; they end"
        " where a grid has taken longer than the time limit.",
        ("scaling.csv",),
        draw_scaling,
        scaling.summary_lines,
    ),
    Section(
        "peers",
        "Other programs",
        "The least of several times, from the board to the count, after imports and a warm-up. A line ends where its"
        " program has taken longer than the time limit.",
        ("peers.csv",),
        draw_peers,
        peers.summary_lines,
    ),
]

TEXTS = {
    "contraction.txt": ("Counting without walking", "The whole output of <code>python -m bench contraction</code>."),
    "soak.csv": ("Runs that were killed", "The record of <code>python -m bench soak</code>, an episode a line."),
}
PICTURES = {"candidates.svg": ("Candidates", "A board as <code>enumerate --candidates</code> draws it on a terminal.")}


def configure(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="the page (default: report.html beside the data)")


def run(options: argparse.Namespace) -> int:
    if find_spec("matplotlib") is None:
        raise SystemExit("bench: figures need matplotlib: pip install '.[bench]'")
    folder, page = options.results, options.output or options.results / "report.html"
    parts = [part for section in SECTIONS if (part := section_html(section, folder, page.parent))]
    for name, (title, text) in TEXTS.items():
        if (folder / name).exists():
            parts.append(folded_section(title, text, f"<pre>{escape((folder / name).read_text())}</pre>"))
    for name, (title, text) in PICTURES.items():
        if (folder / name).exists():
            parts.append(folded_section(title, text, inline_picture(folder / name)))
    if not parts:
        raise SystemExit(f"bench: there is nothing to report in {folder}")
    replace_file(page, whole_page(parts))
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB")
    return 0


def section_html(section: Section, folder: Path, drawn: Path) -> str:
    """Return a section as HTML, and save its figure in `drawn`; "" if a table is missing."""
    if missing := [name for name in section.tables if not (folder / name).exists()]:
        print(f"bench: no {' or '.join(missing)} in {folder}: {section.title.lower()} left out")
        return ""
    try:
        tables = [read(folder / name, KINDS[name]) for name in section.tables]
    except DataError as error:
        raise SystemExit(f"bench: {error}") from None
    rows = [each for _, each in tables]
    body = ""
    if section.draw and (figure := section.draw(*rows)):
        picture = drawn / f"{section.name}.svg"
        save_figure(figure, picture)
        print(picture)
        body += f"<figure>{inline_picture(picture)}</figure>"
    body += f"<p>{escape(section.caption)}</p>"
    if section.print:
        body += folded_table(list(section.print(*rows)))
    body += "".join(origin(name, facts) for name, (facts, _) in zip(section.tables, tables, strict=True))
    return figure_section(section.name, section.title, body)
