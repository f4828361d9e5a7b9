"""The views of a terminal: a board with its figures beside it or candidates in its cells; how far a count is.

Alone in importing rich.
"""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from enumerator.board import Board
from enumerator.board.wording import lasting
from enumerator.command.candidates import Shares, work
from enumerator.command.candidates import as_text as shares_as_text
from enumerator.command.report import LONG, Report, as_text, digits, facts, features, magnitude

GAP = 3
NARROW, WIDE = 40, 80
STYLES = {"solutions": "bold green", "conflict": "bold red"}


def draw_report(report: Report) -> None:
    """Draw a report on standard output, or write it plainly where there is no room or no way to draw."""
    console = Console(highlight=False)
    if console.width < NARROW or console.options.ascii_only:
        print(as_text(report), flush=True)
        return
    board, figures = draw_board(report.board), tabulate(report)
    unbounded = console.options.update(width=10_000)
    drawn, written = (Measurement.get(console, unbounded, part).maximum for part in (board, figures))
    body: RenderableType
    if drawn + GAP + written <= console.width:
        body = Table.grid(padding=(0, GAP))
        body.add_row(board, figures)
    elif drawn <= console.width:
        body = Group(board, figures)
    else:
        body = figures
    console.print(Text(report.title, style="bold"))
    console.print(body)


def draw_board(board: Board) -> Text:
    """The board with its boxes; clues stand out from empty cells."""
    shape = board.shape
    side = "─" * (2 * shape.width + 1)
    drawing = Text(f"┌{'┬'.join([side] * shape.height)}┐\n")
    for row in range(shape.size):
        if row and row % shape.height == 0:
            drawing.append(f"├{'┼'.join([side] * shape.height)}┤\n")
        for column in range(shape.size):
            drawing.append(" " if column % shape.width else "│ ")
            digit = board.cells[row * shape.size + column]
            drawing.append(shape.symbols[digit - 1] if digit else "·", "bold" if digit else "dim")
            drawing.append(" " if (column + 1) % shape.width == 0 else "")
        drawing.append("│\n")
    return drawing.append(f"└{'┴'.join([side] * shape.height)}┘")


def tabulate(report: Report) -> Table:
    table = Table.grid(padding=(0, 2))
    space = digits(report.board)
    short = magnitude(space) if len(space) >= LONG else f"{int(space):,}"
    for name, value in [*features(report.board, "{:,}", short), *facts(report, "{:,}")]:
        style = "bold yellow" if name == "solutions" and not report.complete else STYLES.get(name, "")
        table.add_row(Text(name, style="dim"), Text(value, style=style, overflow="fold"))
    return table


# ------------------------------------------------------------------------------------------ candidates

SCALE = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""From rare to frequent: dark to light, for those who see few colours, too."""
IMPOSSIBLE = "·"


def draw_shares(shares: Shares, console: Console | None = None) -> None:
    """Draw a board with the candidates in its cells, or write them plainly where there is no room or no way to draw."""
    console = console or Console(highlight=False)
    drawing = draw_candidates(shares)
    unbounded = console.options.update(width=10_000)
    if console.options.ascii_only or Measurement.get(console, unbounded, drawing).maximum > console.width:
        print(shares_as_text(shares), flush=True)
        return
    facts = Table.grid(padding=(0, 2))
    facts.add_row(Text("solutions", style="dim"), Text(f"{shares.solutions:,}", style="bold green"))
    for number, advice in enumerate(shares.advice("{:,}")):
        facts.add_row(Text("" if number else "clues", style="dim"), Text(advice))
    facts.add_row(Text("time", style="dim"), Text(work(shares)))
    console.print(Text(shares.title, style="bold"))
    console.print(drawing)
    console.print(legend(console.color_system is not None))
    console.print(facts)


def legend(in_colour: bool) -> Text:
    """What the marks and the shades mean."""
    marks = f"{IMPOSSIBLE} in none, alone: in all"
    if not in_colour:
        return Text(f"of all solutions: {marks}")
    text = Text("in ")
    for share in (0.01, 0.25, 0.5, 0.75, 0.99):
        text.append(f" {round(100 * share)} % ", shade(share))
    return text.append(f" of all solutions; {marks}")


def draw_candidates(shares: Shares) -> Text:
    """Each cell as a small box of digits: shaded by share, alone where there is no other."""
    shape, total = shares.board.shape, shares.solutions
    side = "─".join(["─" * (2 * shape.width + 1)] * shape.width)
    gap = "│".join([" " * (shape.width * (2 * shape.width + 2) - 1)] * shape.height)
    drawing = Text(f"┌{'┬'.join([side] * shape.height)}┐\n", no_wrap=True)
    for row in range(shape.size):
        if row:
            is_ruled = row % shape.height == 0
            drawing.append(f"├{'┼'.join([side] * shape.height)}┤\n" if is_ruled else f"│{gap}│\n")
        for line in range(shape.height):
            for column in range(shape.size):
                drawing.append(" " if column % shape.width else "│")
                drawing.append(" ")
                cell = row * shape.size + column
                for place in range(shape.width):
                    digit = line * shape.width + place
                    is_middle = line == (shape.height - 1) // 2 and place == (shape.width - 1) // 2
                    drawing.append_text(candidate(shares, cell, digit, total, is_middle))
                    drawing.append(" ")
            drawing.append("│\n")
    return drawing.append(f"└{'┴'.join([side] * shape.height)}┘")


def candidate(shares: Shares, cell: int, digit: int, total: int, is_middle: bool) -> Text:
    """What stands in the place of a digit: the digit, or, in the middle of a cell that has but one, this one."""
    symbols, counts = shares.board.shape.symbols, shares.counts[cell]
    if clue := shares.board.cells[cell]:
        return Text(symbols[clue - 1] if is_middle else " ", "bold reverse" if is_middle else "")
    if total and counts[forced := max(range(len(counts)), key=counts.__getitem__)] == total:
        return Text(symbols[forced] if is_middle else " ", "bold green" if is_middle else "")
    if not counts[digit]:
        return Text(IMPOSSIBLE, "dim")
    return Text(symbols[digit], shade(counts[digit] / total))


def shade(share: float) -> str:
    """The style for a share between 0 and 1: a colour of the scale, and what can be read on it."""
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    low = min(int(place), len(SCALE) - 2)
    mixed = [round(a + (b - a) * (place - low)) for a, b in zip(SCALE[low], SCALE[low + 1], strict=True)]
    bright = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] > 120
    return f"{'#000000' if bright else '#ffffff'} on rgb({mixed[0]},{mixed[1]},{mixed[2]})"


class Bar:
    """How far a count is, on standard error: one line, drawn anew in place, and gone at the end.

    It is drawn by whoever calls `show`: there is no thread behind it.
    """

    def __init__(self) -> None:
        console = Console(stderr=True, highlight=False)
        columns = [TextColumn("{task.fields[percent]}"), TextColumn("[dim]{task.fields[times]}")]
        if console.width >= WIDE:
            columns[1:1] = [TextColumn("[green]{task.fields[found]}")]
        bars = [BarColumn(bar_width=None)] if console.width >= NARROW else []
        self.progress = Progress(
            *bars, *columns, console=console, auto_refresh=False, transient=True, expand=bool(bars)
        )
        self.task = self.progress.add_task("", total=1.0, percent="", found="", times="")

    def show(self, share: float | None, solutions: int | None, seconds: float) -> None:
        """Draw it: the share of the work that is done, what was found, and what is to be expected of the rest."""
        percent, left = "", "nobody knows how long"
        if share is not None:
            percent = f"{100 * share:.1f} %" if share >= 1e-3 else f"{100 * share:.0e} %"
            if share > 1e-14:  # below, it is mostly rounding
                left = f"about {lasting(seconds * (1 - share) / share)} left"
        self.progress.update(
            self.task,
            total=None if share is None else 1.0,
            completed=share or 0.0,
            percent=percent,
            found="" if solutions is None else f"{solutions:,} solutions, {solutions / seconds:,.0f}/s",
            times=f"{lasting(seconds)}, {left}",
        )
        self.progress.start()  # which draws it the first time, and is nothing from then on
        self.progress.refresh()

    def close(self) -> None:
        self.progress.stop()
