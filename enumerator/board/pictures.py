"""Boards as SVG pictures and HTML pages. They need nothing but themselves.

    board_svg         a board, with its solution if that is known
    board_page        the same as a page
    candidates_svg    a board with the share of the solutions that have each digit in each cell
    candidates_page   the same as a page, with a table of the exact numbers
    clues_svg         a board whose clues are shaded by how much depends on them
    clues_page        the same as a page
    board_html        board_svg for a notebook

A picture has colours for light and for dark pages. It has a title and a description for readers
who cannot see it. Pointing at a digit shows its exact number.

A notebook has a theme of its own, which a media query does not know. A picture for a notebook is
part of the page: it is transparent, and has the colour of the text around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from enumerator.board.board import Board
from enumerator.board.heat_map import SCALE, is_bright, shade_of
from enumerator.board.shape import cell_name

LEGEND = "A digit alone is in all of them, · is in none, a clue has a frame."
"""The legend of the marks, after the shades."""

OF_CLUES = ("The darker a clue, the more solutions without it.", "A frame: superfluous.")
"""The legend of a board of shaded clues."""

UNIT = 17
"""The width and height of a candidate in a picture, in pixels."""

MARGIN = 12
"""The space around a picture, in pixels."""

LEAST_WIDTH = 540
"""The least width of a picture with a legend, in pixels."""

LINE_HEIGHT = 20
"""The height of a line of text in a picture, in pixels."""

STYLE = """\
.en{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.en text{text-anchor:middle;dominant-baseline:central;fill:#1c1c1c}
.en .paper{fill:#fff}.en .clue{fill:#dcdcdc;stroke:#555}.en .thin{stroke:#bbb}.en .thick{stroke:#333;stroke-width:2}
.en text.left{text-anchor:start}.en text.fact{font-weight:bold}
.en text.found{fill:#1a7431;font-weight:bold}.en text.given{font-weight:bold}.en text.none{fill:#999}
.en text.on-dark{fill:#fff}.en text.on-light{fill:#000}.en text.mark{fill:#555}
@media (prefers-color-scheme:dark){
.en text{fill:#e6e6e6}.en .paper{fill:#161616}.en .clue{fill:#3a3a3a;stroke:#aaa}.en .thin{stroke:#4a4a4a}
.en .thick{stroke:#ccc}.en text.found{fill:#6fd08c}.en text.none{fill:#777}.en text.mark{fill:#aaa}
.en text.on-dark{fill:#fff}.en text.on-light{fill:#000}}
"""
"""The style of a picture. Classes are below `.en`, so that a page may hold several pictures."""

NOTEBOOK_STYLE = """\
.en-notebook{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;color:inherit;background:none}
.en-notebook text{text-anchor:middle;dominant-baseline:central;fill:currentColor}
.en-notebook .clue{fill:#888;fill-opacity:.25;stroke:#888}.en-notebook path{stroke:currentColor}
.en-notebook .thin{stroke-opacity:.3}.en-notebook .thick{stroke-width:2;stroke-opacity:.8}
.en-notebook text.left{text-anchor:start}.en-notebook text.fact,.en-notebook text.given{font-weight:bold}
.en-notebook text.found{fill:#2b8a4b;font-weight:bold}.en-notebook text.none,.en-notebook text.mark{fill-opacity:.65}
.en-notebook text.on-dark{fill:#fff}.en-notebook text.on-light{fill:#000}
"""
"""The style of a picture in a notebook. The green has a contrast of 4.3 to white and to #111."""


class Picture:
    """A picture of a board while it is drawn: its elements, and the geometry of its cells."""

    def __init__(self, board: Board, cell_width: int, cell_height: int, top: int = MARGIN) -> None:
        self.board, self.shape = board, board.shape
        self.cell_width, self.cell_height, self.top = cell_width, cell_height, top
        self.width = 2 * MARGIN + self.shape.size * cell_width
        self.height = top + self.shape.size * cell_height + MARGIN
        self.elements: list[str] = []

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the left and upper edge of a cell."""
        row, column = divmod(cell, self.shape.size)
        return MARGIN + column * self.cell_width, self.top + row * self.cell_height

    def middle(self, cell: int) -> tuple[float, float]:
        left, top = self.corner(cell)
        return left + self.cell_width / 2, top + self.cell_height / 2

    def add_text(self, x: float, y: float, text: str, kind: str, size: float, tip: str = "") -> None:
        title = f"<title>{escape(tip)}</title>" if tip else ""
        self.elements.append(
            f'<text x="{x:g}" y="{y:g}" class="{kind}" font-size="{size:g}">{title}{escape(text)}</text>'
        )

    def add_lines(self) -> None:
        """Draw the grid: thin lines between cells, thick ones around boxes."""
        size = self.shape.size
        right, bottom = MARGIN + size * self.cell_width, self.top + size * self.cell_height
        for kind, is_thick in (("thin", False), ("thick", True)):
            paths = [
                f"M{x} {self.top}V{bottom}"
                for x in (MARGIN + column * self.cell_width for column in _lines(size, self.shape.width, is_thick))
            ]
            paths += [
                f"M{MARGIN} {y}H{right}"
                for y in (self.top + row * self.cell_height for row in _lines(size, self.shape.height, is_thick))
            ]
            self.elements.append(f'<path class="{kind}" fill="none" d="{"".join(paths)}"/>')

    def text(self, title: str, description: str, in_notebook: bool = False) -> str:
        """Return the picture as SVG."""
        kind, style = ("en-notebook", NOTEBOOK_STYLE) if in_notebook else ("en", STYLE)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img"'
            f' viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
            f' aria-label="{escape(title)}">'
        )
        paper = [] if in_notebook else [f'<rect class="paper" width="{self.width}" height="{self.height}"/>']
        about = f"<desc>{escape(description)}</desc>"
        if not in_notebook:  # where it would be the tip of the whole picture; `aria-label` has it too
            about = f"<title>{escape(title)}</title>{about}"
        return "\n".join([head, about, f"<style>{style}</style>", *paper, *self.elements, "</svg>\n"])


def _lines(size: int, step: int, is_thick: bool) -> Iterator[int]:
    """Yield the numbers of the thick or of the thin lines of a grid."""
    return (line for line in range(size + 1) if (line % step == 0) == is_thick)


def board_svg(board: Board, solution: Board | None = None, title: str = "", fact: str = "") -> str:
    """Return a picture of a board. Digits of the solution that are not clues have another colour.

    A cell with pencil marks shows them, unless the solution is known. If there is a `fact`, it is
    above the board, below the title.
    """
    return _draw_board(board, solution, title, in_notebook=False, fact=fact)


def board_page(board: Board, solution: Board | None = None, title: str = "", fact: str = "") -> str:
    """Return a page with the picture of `board_svg`."""
    return PAGE.format(title=escape(title), picture=board_svg(board, solution, title, fact), more="")


def board_html(board: Board, solution: Board | None = None, title: str = "") -> str:
    """Return the picture of `board_svg` as a part of a page whose colours it takes, as in a notebook."""
    return _draw_board(board, solution, title, in_notebook=True)


def _draw_board(board: Board, solution: Board | None, title: str, in_notebook: bool, fact: str = "") -> str:
    shape, side, shown = board.shape, 2 * UNIT, solution or board
    picture = _begin_below(board, side, side, [title, fact] if fact else [])
    for cell, (clue, digit) in enumerate(zip(board.cells, shown.cells, strict=True)):
        if digit:
            kind = "given" if clue else "found"
            picture.add_text(*picture.middle(cell), shape.symbols[digit - 1], kind, 0.6 * side)
        elif shown.allowed is not None:
            _add_marks(picture, cell, shown.allowed[cell])
    picture.add_lines()
    rows = [shown.clues[first : first + shape.size] for first in range(0, shape.cells, shape.size)]
    about = f"{fact}. Rows: " if fact else "Rows: "
    return picture.text(title or f"A Sudoku board, {shape.title}", about + ", ".join(rows), in_notebook)


def _begin_below(board: Board, cell_width: int, cell_height: int, above: Sequence[str]) -> Picture:
    """Return a picture of a board with lines of text above it: a title, and a fact."""
    top = MARGIN + LINE_HEIGHT * len(above) + 4 if above else MARGIN
    picture = Picture(board, cell_width, cell_height, top)
    for number, line in enumerate(above):
        kind = "left fact" if number else "left"
        picture.add_text(MARGIN, MARGIN + LINE_HEIGHT * (number + 0.5), line, kind, 14)
    columns = max(map(len, above), default=0)
    picture.width = max(picture.width, min(LEAST_WIDTH, 2 * MARGIN + 9 * columns))  # a character is 8.4 wide
    return picture


def _add_marks(picture: Picture, cell: int, mask: int) -> None:
    """Draw the pencil marks of an empty cell in a small box; nothing if it allows every digit."""
    shape, (left, top) = picture.shape, picture.corner(cell)
    if mask == (1 << shape.size) - 1:
        return
    width, height = picture.cell_width / shape.width, picture.cell_height / shape.height
    for digit, symbol in enumerate(shape.symbols):
        if mask >> digit & 1:
            row, column = divmod(digit, shape.width)
            x, y = left + (column + 0.5) * width, top + (row + 0.5) * height
            picture.add_text(x, y, symbol, "mark", 0.9 * min(width, height))


def candidates_svg(board: Board, counts: Sequence[Sequence[int]], title: str, lines: Sequence[str] = ()) -> str:
    """Return a picture of a board in which each cell shows its candidates.

    `counts` are the numbers of solutions with each digit, for each cell. The shade of a candidate is
    its share of all solutions. The first of `lines` is above the board, the others are below it.
    """
    shape, size = board.shape, board.shape.size
    above = [line for line in (title, *lines[:1]) if line]
    picture = _begin_below(board, shape.width * UNIT + 4, shape.height * UNIT + 4, above)
    total = sum(counts[0])
    for cell in range(shape.cells):
        _add_cell(picture, cell, counts[cell], total)
    picture.add_lines()
    _add_legend(picture, lines[1:])
    description = f"{total:,} solutions. " + " ".join(lines) if total != 1 else " ".join(["1 solution.", *lines])
    about = f"{description} The board has {size} rows of {size} cells."
    return picture.text(f"Candidates of {title}" if title else "Candidates", about, in_notebook=False)


def _add_cell(picture: Picture, cell: int, counts: Sequence[int], total: int) -> None:
    """Draw a cell: a clue, a digit that is in all solutions, or its candidates in a small box."""
    shape, (left, top) = picture.shape, picture.corner(cell)
    large = 0.62 * min(picture.cell_width, picture.cell_height)
    place = cell_name(cell, shape.size)
    if clue := picture.board.cells[cell]:
        frame = f'x="{left + 3}" y="{top + 3}" width="{picture.cell_width - 6}" height="{picture.cell_height - 6}"'
        picture.elements.append(f'<rect class="clue" rx="3" {frame}/>')
        tip = f"{place} = {shape.symbols[clue - 1]}: a clue"
        picture.add_text(*picture.middle(cell), shape.symbols[clue - 1], "given", large, tip)
        return
    if total and max(counts) == total:
        symbol = shape.symbols[list(counts).index(total)]
        picture.add_text(*picture.middle(cell), symbol, "found", large, f"{place} = {symbol}: in all solutions")
        return
    for digit, count in enumerate(counts):
        x, y = left + 2 + digit % shape.width * UNIT, top + 2 + digit // shape.width * UNIT
        if not count:
            picture.add_text(x + UNIT / 2, y + UNIT / 2, "·", "none", 0.7 * UNIT)
            continue
        colour = shade_of(count, total)
        tip = f"{place} = {shape.symbols[digit]}: {count:,} of {total:,} solutions ({describe_share(count / total)})"
        picture.elements.append(_swatch(x, y, UNIT, colour, tip))
        kind = "on-light" if is_bright(colour) else "on-dark"
        picture.add_text(x + UNIT / 2, y + UNIT / 2, shape.symbols[digit], kind, 0.75 * UNIT, tip)


def clues_svg(
    board: Board, levels: Mapping[int, float], title: str, lines: Sequence[str] = (), below: Sequence[str] = OF_CLUES
) -> str:
    """Return a picture of a board in which each clue is shaded by its level, 0 to 1; 0 is superfluous.

    The first of `lines` is above the board. The lines `below` are a legend. The other lines are in the description.
    """
    side = 2 * UNIT
    picture = _begin_below(board, side, side, [line for line in (title, *lines[:1]) if line])
    for cell, digit in enumerate(board.cells):
        if not digit:
            continue
        kind, level, (left, top) = "given", levels.get(cell), picture.corner(cell)
        if level:
            colour = shade_of(max(1, round(100 * level)), 100)
            kind = "on-light" if is_bright(colour) else "on-dark"
            picture.elements.append(_swatch(left, top, side, colour, height=side))
        elif level is not None:
            place = f'x="{left + 3}" y="{top + 3}" width="{side - 6}" height="{side - 6}"'
            picture.elements.append(f'<rect class="clue" rx="3" {place}/>')
        picture.add_text(*picture.middle(cell), board.shape.symbols[digit - 1], kind, 0.6 * side)
    picture.add_lines()
    picture.width = max(picture.width, LEAST_WIDTH)
    for line in below:
        picture.add_text(MARGIN, picture.height + UNIT / 2, line, "left", 12)
        picture.height += LINE_HEIGHT
    picture.height += MARGIN
    return picture.text(": ".join([title, *lines[:1]]), ". ".join(lines), in_notebook=False)


def clues_page(
    board: Board, levels: Mapping[int, float], title: str, lines: Sequence[str] = (), below: Sequence[str] = OF_CLUES
) -> str:
    """Return a page with the picture of `clues_svg`, and the lines."""
    picture, more = clues_svg(board, levels, title, lines, below), "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    return PAGE.format(title=escape(": ".join([title, *lines[:1]])), picture=picture, more=more)


def _swatch(x: float, y: float, width: float, colour: tuple[int, int, int], tip: str = "", height: float = UNIT) -> str:
    title = f"<title>{escape(tip)}</title>" if tip else ""
    fill = "#{:02x}{:02x}{:02x}".format(*colour)
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}">{title}</rect>'


def describe_share(share: float) -> str:
    """Return a share in percent: 77 %, 0.02 %, less than 0.01 %."""
    percent = 100 * share
    if percent < 0.01:
        return "less than 0.01 %"
    return f"{percent:.2g} %" if percent < 1 else f"{min(percent, 99.9):.1f} %" if percent > 99 else f"{percent:.0f} %"


def _add_legend(picture: Picture, lines: Sequence[str]) -> None:
    """Draw the shades, the legend and lines of text below the board, and make room for them."""
    from textwrap import wrap

    y, x = picture.height, MARGIN
    picture.width = max(picture.width, LEAST_WIDTH)
    picture.add_text(x, y + UNIT / 2, "Shaded: in up to", "left", 12)
    x += 122
    for step, colour in enumerate(SCALE, 1):
        picture.elements.append(_swatch(x, y, 24, colour))
        kind = "on-light" if is_bright(colour) else "on-dark"
        picture.add_text(x + 12, y + UNIT / 2, f"{100 * step // len(SCALE)}", kind, 11)
        x += 24
    picture.add_text(x + 6, y + UNIT / 2, "% of the solutions.", "left", 12)
    columns = (picture.width - 2 * MARGIN) * 2 // 15  # a character of 12 pixels is 7.2 wide
    for line in [part for sentence in (LEGEND, *lines) for part in wrap(sentence, columns)]:
        y += LINE_HEIGHT
        picture.add_text(MARGIN, y + UNIT / 2, line, "left", 12)
    picture.height = y + LINE_HEIGHT + MARGIN


PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body{{font-family:system-ui,sans-serif;margin:1rem auto;max-width:60rem;padding:0 1rem;background:#fff;color:#1c1c1c}}
svg{{max-width:100%;height:auto}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
th,td{{padding:.1rem .5rem;text-align:right}}tbody tr:nth-child(odd){{background:#f2f2f2}}
@media (prefers-color-scheme:dark){{
body{{background:#161616;color:#e6e6e6}}tbody tr:nth-child(odd){{background:#242424}}}}
</style>
</head>
<body>
<main>
{picture}{more}</main>
</body>
</html>
"""

CANDIDATES_TABLE = """\
<details>
<summary>The number of solutions with each digit in each cell</summary>
<table>
<thead><tr><th scope="col">cell</th>{digits}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</details>
"""


def candidates_page(board: Board, counts: Sequence[Sequence[int]], title: str, lines: Sequence[str] = ()) -> str:
    """Return a page with the picture of `candidates_svg` and a table of the exact numbers."""
    size = board.shape.size
    rows = "\n".join(
        f'<tr><th scope="row">{cell_name(cell, size)}</th>' + "".join(f"<td>{count:,}</td>" for count in row) + "</tr>"
        for cell, row in enumerate(counts)
    )
    digits = "".join(f'<th scope="col">{escape(symbol)}</th>' for symbol in board.shape.symbols)
    return PAGE.format(
        title=escape(f"Candidates of {title}"),
        picture=candidates_svg(board, counts, title, lines),
        more=CANDIDATES_TABLE.format(digits=digits, rows=rows),
    )
