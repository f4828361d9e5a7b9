"""HTML of the report: sections, pictures, and the page around them. It needs no other file."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from bench.figures.style import DARK, FAINT, INK, PAPER


def figure_section(name: str, title: str, body: str) -> str:
    """Return a section of a figure and its data, which the table of contents links to."""
    return f'<section id="{name}"><h2>{escape(title)}</h2>{body}</section>'


def folded_section(title: str, text: str, body: str) -> str:
    """Return a section whose body is folded; `text` and `body` are HTML."""
    return f"<section><h2>{escape(title)}</h2><p>{text}</p><details><summary>Show</summary>{body}</details></section>"


def folded_table(lines: list[str], is_open: bool) -> str:
    """Return lines of text behind a summary that opens them."""
    text = escape("\n".join(lines))
    return f"<details{' open' if is_open else ''}><summary>In figures</summary><pre>{text}</pre></details>"


def origin(name: str, facts: dict[str, str]) -> str:
    """Return the command that made a table, and folded below it the facts about the machine."""
    rest = "; ".join(f"{escape(key)}: {escape(value)}" for key, value in facts.items() if key != "command")
    command = escape(facts["command"])
    return f"<details><summary>{escape(name)}: <code>python -m bench {command}</code></summary><p>{rest}</p></details>"


def inline_picture(path: Path) -> str:
    """Return an SVG as part of a page; its ids are made unique by the file's name."""
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
    """Return the page that holds these sections, with a table of contents."""
    light = f"--ink: {INK}; --paper: {PAPER}; --faint: {FAINT};"
    dark = f"--ink: {DARK[INK]}; --paper: {DARK[PAPER]}; --faint: {DARK[FAINT]};"
    contents = "".join(
        f'<li><a href="#{name}">{title}</a></li>'
        for name, title in re.findall(r'<section id="([\w-]+)"><h2>(.*?)</h2>', "".join(parts))
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
<p>Measurements by <code>python -m bench</code>, and predictions from them. Each section names the command that made
its data, and the machine.</p>
<ul>{contents}</ul>
{"".join(parts)}
</body>
</html>
"""
