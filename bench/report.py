"""Everything in `results/` on one page: figures as SVG, and an HTML page that needs no other file.

Nothing is measured in here, and nothing is drawn that is not in a table. What is missing is left out, by name.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench import correlation, cutoff, figures, peers, scaling, simulate, speedup
from bench.data import RESULTS, DataError, read, replace
from bench.ink import DARK, FAINT, INK, PAPER, save
from bench.rows import Correlation, Cut, Match, Prediction, Run, Scale

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


class Section(NamedTuple):
    """A part of the page: what it shows, of which tables, as a figure and in figures."""

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
        " no longer than a moment is not shared out at all.",
        ("speedup-search.csv",),
        figures.measured_speedup,
        speedup.summarised,
    ),
    Section(
        "prediction",
        "Speed-up, predicted",
        "The driver itself, on a clock of its own, with tasks and costs that were measured. Points are least times that"
        " were measured, dashed lines are predictions for machines that were not there.",
        ("speedup-search.csv", "simulated.csv"),
        figures.predicted_speedup,
        lambda runs, rows: simulate.summarised(rows, simulate.times(runs)),
    ),
    Section(
        "correlation",
        "What goes together with what",
        "Correlations between what is known of a board beforehand, what turns out, and what it takes.",
        ("correlation.csv",),
        figures.correlation_matrices,
        correlation.printed,
    ),
    Section(
        "time",
        "What takes time",
        "The sequential time of the search over four properties of a board; r is Pearson's, of the values as drawn.",
        ("speedup-search.csv",),
        figures.what_takes_time,
        None,
    ),
    Section(
        "auto",
        "Whichever engine is faster",
        "The same boards by the default, which walks for a moment and then chooses.",
        ("speedup-auto.csv",),
        None,
        speedup.summarised,
    ),
    Section(
        "cutoff",
        "Cut-offs",
        "Counts that are split at a cut-off, by two measures of a part's size, with and without budgets for tasks. The"
        " default has no cut-off: a part is divided when there are too few of them.",
        ("cutoff.csv",),
        figures.cutoffs,
        cutoff.summarised,
    ),
    Section(
        "scaling",
        "Fewer clues",
        "Both engines on one core, as clues are taken away from solved grids at random. Lines are medians; they end"
        " where a grid has taken longer than the time limit.",
        ("scaling.csv",),
        figures.scaling,
        scaling.summarised,
    ),
    Section(
        "peers",
        "Other programs",
        "The least of several times, from the board to the count, after imports and a warm-up. A line ends where its"
        " program has taken longer than the time limit.",
        ("peers.csv",),
        figures.peers,
        peers.summarised,
    ),
]

TEXTS = {
    "contraction.txt": ("Counting without walking", "The whole output of <code>python -m bench contraction</code>."),
    "soak.csv": ("Runs that were killed", "The record of <code>python -m bench soak</code>, an episode a line."),
}
PICTURES = {"candidates.svg": ("Candidates", "A board as <code>enumerate --candidates</code> draws it on a terminal.")}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where the data are")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the page (default: report.html beside the data)")


def run(options: argparse.Namespace) -> int:
    if find_spec("matplotlib") is None:
        raise SystemExit("bench: figures need matplotlib: pip install '.[bench]'")
    folder, page = options.results, options.output or options.results / "report.html"
    parts = [part for section in SECTIONS if (part := shown(section, folder, page.parent))]
    parts += [
        kept(title, text, f"<pre>{escape((folder / name).read_text())}</pre>")
        for name, (title, text) in TEXTS.items()
        if (folder / name).exists()
    ]
    parts += [
        kept(title, text, inline(folder / name)) for name, (title, text) in PICTURES.items() if (folder / name).exists()
    ]
    if not parts:
        raise SystemExit(f"bench: there is nothing to report in {folder}")
    replace(page, whole_page(parts))
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB")
    return 0


def shown(section: Section, folder: Path, drawn: Path) -> str:
    """A section as HTML; its figure is a file of its own, too."""
    if missing := [name for name in section.tables if not (folder / name).exists()]:
        print(f"bench: no {' or '.join(missing)} in {folder}: {section.title.lower()} left out")
        return ""
    try:
        read_in = [read(folder / name, KINDS[name]) for name in section.tables]
    except DataError as error:
        raise SystemExit(f"bench: {error}") from None
    tables = [rows for _, rows in read_in]
    body = ""
    if section.draw and (figure := section.draw(*tables)):
        picture = drawn / f"{section.name}.svg"
        save(figure, picture)
        print(picture)
        body += f"<figure>{inline(picture)}</figure>"
    body += f"<p>{escape(section.caption)}</p>"
    if section.print:
        text = escape("\n".join(section.print(*tables)))
        body += f"<details><summary>In figures</summary><pre>{text}</pre></details>"
    body += "".join(origin(name, said) for name, (said, _) in zip(section.tables, read_in, strict=True))
    return f'<section id="{section.name}"><h2>{escape(section.title)}</h2>{body}</section>'


def origin(name: str, said: dict[str, str]) -> str:
    """Which command made a table, and where."""
    facts = "; ".join(f"{escape(key)}: {escape(value)}" for key, value in said.items() if key != "command")
    command = escape(said["command"])
    return f"<details><summary>{escape(name)}: <code>python -m bench {command}</code></summary><p>{facts}</p></details>"


def kept(title: str, text: str, body: str) -> str:
    """What lies in the folder as it is."""
    return f"<section><h2>{escape(title)}</h2><p>{text}</p><details><summary>Show</summary>{body}</details></section>"


def inline(path: Path) -> str:
    """A picture as part of a page: names within it must not be those of another."""
    picture = path.read_text()
    picture = picture[picture.index("<svg") :]
    for name in set(re.findall(r'\bid="([^"]+)"', picture)):
        own = f"{path.stem}-{name}"
        picture = (
            picture.replace(f'id="{name}"', f'id="{own}"')
            .replace(f'"#{name}"', f'"#{own}"')
            .replace(f"url(#{name})", f"url(#{own})")
        )
    return picture


def whole_page(parts: list[str]) -> str:
    light = f"--ink: {INK}; --paper: {PAPER}; --faint: {FAINT};"
    dark = f"--ink: {DARK[INK]}; --paper: {DARK[PAPER]}; --faint: {DARK[FAINT]};"
    contents = "".join(
        f'<li><a href="#{name}">{title}</a></li>'
        for name, title in re.findall(r'<section id="(\w+)"><h2>(.*?)</h2>', "".join(parts))
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>enumerator: measurements</title>
<style>
:root {{ {light} color-scheme: light dark; }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ margin: 0 auto; max-width: 62rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ background: var(--paper); color: var(--ink); }}
a {{ color: inherit; }}
h2 {{ border-top: 1px solid var(--faint); padding-top: 1.2rem; margin-top: 2.2rem; }}
figure {{ margin: 0; overflow-x: auto; }}
svg {{ max-width: 100%; height: auto; }}
pre {{ overflow-x: auto; font-size: 0.75rem; line-height: 1.35; }}
details {{ margin: 0.3rem 0; }}
summary {{ cursor: pointer; }}
</style>
</head>
<body>
<h1>enumerator: measurements</h1>
<p>What <code>python -m bench</code> has measured, and what was predicted from that. Each section says which command
made its data, and on which machine.</p>
<ul>{contents}</ul>
{"".join(parts)}
</body>
</html>
"""
