"""All tables of a folder on one page: figures as SVG, and an HTML page that needs no other file.

Nothing is measured in here, and nothing is drawn that is not in a table. Sections whose tables are
missing are left out, by name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.common.boards import PUBLISHED
from bench.common.commands import refuse
from bench.figures.correlation import draw_correlations, draw_times
from bench.figures.cutoff import draw_cutoffs
from bench.figures.peers import draw_peers
from bench.figures.regret import draw_regrets
from bench.figures.scaling import draw_scaling
from bench.figures.speedup import draw_measured_speedup, draw_predicted_speedup
from bench.figures.style import save_figure
from bench.figures.timeline import draw_timelines
from bench.figures.tree import draw_trees
from bench.study import correlation, cutoff, groups, peers, regret, scaling, simulate, speedup, timeline, tree
from bench.study.options import add_results, refuse_published
from bench.study.page import figure_section, folded_section, folded_table, inline_picture, origin, whole_page
from bench.tables.analysis import OURS, SETS, least_times, set_of
from bench.tables.rows import Branch, Correlation, Cut, Grouped, Match, Prediction, Regret, Run, Scale, Stretch
from bench.tables.table import DataError, read, replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: dict[str, type[Any]] = {
    "speedup-search.csv": Run,
    "speedup-auto.csv": Run,
    "simulated.csv": Prediction,
    "groups.csv": Grouped,
    "correlation.csv": Correlation,
    "cutoff.csv": Cut,
    "timeline.csv.gz": Stretch,
    "tree.csv.gz": Branch,
    "scaling.csv": Scale,
    "peers.csv": Match,
    "regret.csv": Regret,
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
    is_open: bool = False
    """The printed table is shown at once."""


SECTIONS = [
    Section(
        "speedup",
        "Speed-up, measured",
        "Each point is a board: how many times as fast several cores count it by the search, over the time that one"
        " core takes; bars are 95 % intervals. Boards below 0.1 s or so are not split.",
        ("speedup-search.csv",),
        draw_measured_speedup,
        lambda runs: iter([*speedup.summary_lines(runs), *speedup.control_lines(runs)]),
        is_open=True,
    ),
    Section(
        "prediction",
        "Speed-up, predicted",
        "Dashed lines are predictions: the real driver on a simulated clock, with measured tasks and costs. Points are"
        " measured, by least times.",
        ("speedup-search.csv", "simulated.csv"),
        draw_predicted_speedup,
        lambda runs, rows: simulate.summary_lines(rows, least_times(runs)),
    ),
    Section(
        "groups",
        "Drivers of drivers, simulated",
        "Efficiency on many simulated cores with one driver for all workers, as it is, and with a driver and a stock"
        " for each group of workers, which give each other parts. Processes are taken to be there.",
        ("groups.csv",),
        None,
        groups.summary_lines,
        is_open=True,
    ),
    Section(
        "correlation",
        "Correlations",
        "Each cell is the correlation of two properties of the boards, or of their counts. A value in brackets may be"
        " chance: its 95 % interval includes 0.",
        ("correlation.csv",),
        draw_correlations,
        correlation.summary_lines,
    ),
    Section(
        "time",
        "Time over properties of boards",
        "Each point is a board: the time that one core takes by the search, over four properties of the board; r is"
        " Pearson's correlation of the values as drawn.",
        ("speedup-search.csv",),
        draw_times,
        None,
    ),
    Section(
        "auto",
        "Engine chosen automatically",
        "The same boards by the default, which walks for a moment and then chooses the engine.",
        ("speedup-auto.csv",),
        None,
        speedup.summary_lines,
        is_open=True,
    ),
    Section(
        "cutoff",
        "Cut-offs",
        "Time and idle time of counts that are split at a cut-off, compared with the default, which divides parts when"
        " there are too few of them.",
        ("cutoff.csv",),
        draw_cutoffs,
        cutoff.summary_lines,
    ),
    Section(
        "timeline",
        "Where the time goes",
        "A bar a worker over time, one for each core, with the beginning on one core in a colour of its own, and below"
        " it the share of all cores that were used. Shaded: before all workers were at work, and after the last time"
        " that they were. Cut-offs are without"
        " budgets, as the published program divides; the real driver is traced on a simulated clock for more cores.",
        ("timeline.csv.gz",),
        draw_timelines,
        timeline.summary_lines,
    ),
    Section(
        "tree",
        "The tree, and who walked it",
        "The first guesses of a board, from the top down; a subtree is as wide as its share of the nodes, and has the"
        " colour of the worker that walked it, or none if several did. The real driver on a simulated clock, without"
        " costs: with a fixed cut-off every part is walked by one worker, however large it is; with budgets a task"
        " hands back what it has not visited, and large subtrees are shared.",
        ("tree.csv.gz",),
        draw_trees,
        tree.summary_lines,
    ),
    Section(
        "scaling",
        "Fewer clues",
        "Time and memory of both engines on one core, and the number of solutions, as clues are taken away from solved"
        " grids at random. Lines are medians; they end where a grid takes longer than the time limit.",
        ("scaling.csv",),
        draw_scaling,
        scaling.summary_lines,
    ),
    Section(
        "peers",
        "Other programs",
        "The least time of each program for each board, in the order of their solutions. A line ends where its program"
        " takes longer than the time limit.",
        ("peers.csv",),
        draw_peers,
        peers.summary_lines,
    ),
    Section(
        "regret",
        "What the choice of an engine costs",
        "Each point is a rearrangement of a board: the time of the default, which chooses the engine, over that of the"
        " better engine alone. The dashed line is 1.5 times the better engine and 20 ms.",
        ("regret.csv",),
        draw_regrets,
        regret.summary_lines,
    ),
]

TEXTS = {
    "contraction.txt": ("Counting without walking", "The whole output of <code>python -m bench contraction</code>."),
    "soak.csv": ("Runs that were killed", "The record of <code>python -m bench soak</code>, an episode a line."),
}
LESSON = "lesson.html"
LESSON_TEXT = f'<p><a href="{LESSON}">A walk through the study</a>, with the code that makes its figures.</p>'
PICTURES = {"candidates.svg": ("Candidates", "A board as <code>enumerate --candidates</code> draws it on a terminal.")}


def configure(parser: argparse.ArgumentParser) -> None:
    add_results(parser)


def run(options: argparse.Namespace) -> int:
    if find_spec("matplotlib") is None:
        refuse("figures need matplotlib: pip install '.[bench]'")
    folder = options.results
    refuse_published(folder)
    parts = [part for section in SECTIONS for part in section_parts(section, folder)]
    for name, (title, text) in TEXTS.items():
        if (folder / name).exists():
            parts.append(folded_section(title, text, f"<pre>{escape((folder / name).read_text())}</pre>"))
    for name, (title, text) in PICTURES.items():
        if (folder / name).exists():
            parts.append(folded_section(title, text, inline_picture(folder / name)))
    if (folder / LESSON).exists():
        parts.append(figure_section("lesson", "For students", LESSON_TEXT))
    if not parts:
        refuse(f"there is nothing to report in {folder}: `python -m bench study` makes everything")
    page = folder / "report.html"
    replace_file(page, whole_page(parts))
    figures = sum(part.count("<figure>") for part in parts)
    print(f"{page}: {figures} figures, {page.stat().st_size / 1e6:.1f} MB")
    return 0


def section_parts(section: Section, folder: Path) -> Iterator[str]:
    """Yield a section as HTML, for each set of boards that its tables have, and save its figures.

    A section whose tables are missing is left out, by name.
    """
    if missing := [name for name in section.tables if not (folder / name).exists()]:
        print(f"bench: no {' or '.join(missing)} in {folder}: {section.title.lower()} left out", file=sys.stderr)
        return
    try:
        tables = [read(folder / name, KINDS[name]) for name in section.tables]
    except DataError as error:
        refuse(str(error))
    origins = "".join(origin(name, facts) for name, (facts, _) in zip(section.tables, tables, strict=True))
    found = False
    for boards in SETS:
        rows = [rows_of_set(each, boards) for _, each in tables]
        if not all(rows):
            continue
        name = section.name if boards == OURS else f"{section.name}-{boards}"
        title = section.title if boards == OURS else f"{section.title}: published boards"
        if body := section_body(section, name, rows, folder):
            found = True
            yield figure_section(name, title, body + origins)
    if not found:
        print(f"bench: {section.title.lower()} left out: too few rows", file=sys.stderr)


def section_body(section: Section, name: str, rows: list[list[Any]], folder: Path) -> str:
    """Return the figure, the caption and the printed table of a section; "" if there is nothing to draw."""
    body = ""
    if section.draw:
        figure = section.draw(*rows)
        if figure is None:
            return ""
        picture = folder / f"{name}.svg"
        save_figure(figure, picture)
        body += f"<figure>{inline_picture(picture)}</figure>"
    body += f"<p>{escape(section.caption)}</p>"
    if section.print:
        body += folded_table(list(section.print(*rows)), section.is_open)
    return body


def rows_of_set(rows: list[Any], boards: str) -> list[Any]:
    """Return the rows of a set of boards, named without their set. Rows of no board belong to ours."""
    found = []
    for row in rows:
        own = row.boards if isinstance(row, Correlation) else set_of(getattr(row, "board", ""))
        if own == boards:
            name = getattr(row, "board", "").removeprefix(PUBLISHED)
            found.append(replace(row, board=name) if name else row)
    return found
