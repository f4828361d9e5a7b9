"""A walk through the study for a student: study.ipynb in this folder, run cell by cell, as a page.

The notebook holds text and code and no outputs. This runs the code, and writes lesson.html: the text, the code,
and what it printed and drew. Other values of the first cell are for other boards and shorter runs. Every figure
is made by the code that the page shows.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from html import escape
from importlib.util import find_spec
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.common.commands import refuse
from bench.common.options import whole_number
from bench.figures.style import SETTINGS, save_figure
from bench.study.options import add_results, refuse_published
from bench.study.page import figure_section, inline_picture, whole_page
from bench.tables.table import replace_file

NOTEBOOK = Path(__file__).with_name("study.ipynb")

_numbers = count(1)
"""The numbers of the figures of a page."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("--names", nargs="+", metavar="NAME", help="boards of boards/; the longest is divided")
    parser.add_argument("--cores", type=whole_number("--cores"), metavar="N", help="cores of the parallel counts")
    text = "about how many parts the cut-offs make"
    parser.add_argument("--parts", type=whole_number("--parts"), nargs="+", metavar="N", help=text)
    parser.add_argument("--rounds", type=whole_number("--rounds"), metavar="N", help="counts of each board")


def run(options: argparse.Namespace) -> int:
    if find_spec("matplotlib") is None:
        refuse("figures need matplotlib: pip install '.[bench]'")
    refuse_published(options.results)
    page = options.results / "lesson.html"
    replace_file(page, whole_page(list(sections(parameters(options)))))
    if not options.silent:
        print(f"{page}: {page.read_text().count('<figure>')} figures")
    return 0


def parameters(options: argparse.Namespace) -> dict[str, Any]:
    """Return the values of the first cell that the options replace."""
    found = {"CORES": options.cores, "ROUNDS": options.rounds, "NAMES": options.names, "PARTS": options.parts}
    if options.names:
        found["DIVIDED"] = options.names[-1]
    return {name: value for name, value in found.items() if value is not None}


def cells() -> Iterator[tuple[bool, str, bool]]:
    """Yield the cells of the notebook: whether it is code, its text, and whether it holds the parameters."""
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        is_parameters = "parameters" in cell["metadata"].get("tags", ())
        yield cell["cell_type"] == "code", "".join(cell["source"]), is_parameters


def sections(replaced: dict[str, Any]) -> Iterator[str]:
    """Run all cells, and yield a section of the page for each heading."""
    names: dict[str, Any] = {"__name__": "__main__"}
    title, body = "", ""
    for is_code, text, is_parameters in cells():
        if is_code:
            text = with_values(text, replaced) if is_parameters else text
            body += f"<pre><code>{escape(text)}</code></pre>{run_cell(text, names)}"
            continue
        heading = re.match(r"#+ (.*)\n", text)
        if heading:
            if body:
                yield figure_section(slug(title), title, body)
            title, body = heading[1], ""
        body += "".join(f"<p>{inline(part)}</p>" for part in text.partition("\n\n")[2].split("\n\n"))
    yield figure_section(slug(title), title, body)


def with_values(text: str, replaced: dict[str, Any]) -> str:
    """Return the cell of parameters with other values of some names."""
    lines = []
    for line in text.splitlines():
        name = line.partition(" = ")[0]
        lines.append(f"{name} = {replaced[name]!r}" if name in replaced else line)
    return "\n".join(lines)


def run_cell(text: str, names: dict[str, Any]) -> str:
    """Run a cell, and return what it printed and drew, as HTML."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams.update(SETTINGS)
    from matplotlib import pyplot

    printed, earlier = StringIO(), set(pyplot.get_fignums())
    with redirect_stdout(printed):
        exec(compile(ast.parse(text), NOTEBOOK.name, "exec"), names)
    shown = f"<pre>{escape(printed.getvalue())}</pre>" if printed.getvalue() else ""
    new = sorted(set(pyplot.get_fignums()) - earlier)
    return shown + "".join(f"<figure>{picture}</figure>" for picture in map(drawn, new))


def drawn(number: int) -> str:
    """Return a figure of pyplot as part of a page, and close it. Its ids differ from those of others."""
    from matplotlib import pyplot

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"figure-{next(_numbers)}.svg"
        save_figure(pyplot.figure(number), path)
        return inline_picture(path)


def slug(title: str) -> str:
    """Return a title as an id of the page."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def inline(text: str) -> str:
    """Return a paragraph of Markdown as HTML: code and emphasis."""
    return re.sub(r"\*(\w+)\*", r"<em>\1</em>", re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))
