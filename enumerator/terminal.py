"""The views of a terminal: a board drawn with its figures beside it; how far a count is. Alone in importing rich."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from enumerator.board import Board
from enumerator.report import LONG, Report, as_text, digits, facts, features, magnitude
from enumerator.wording import lasting

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

    def show(self, share: float, solutions: int, seconds: float) -> None:
        """Draw it: the share of the tree that is visited, what was found, and what is to be expected of the rest."""
        known = share > 1e-14  # below, it is mostly rounding
        left = f"about {lasting(seconds * (1 - share) / share)} left" if known else "nobody knows how long"
        self.progress.update(
            self.task,
            completed=share,
            percent=f"{100 * share:.1f} %" if share >= 1e-3 else f"{100 * share:.0e} %",
            found=f"{solutions:,} solutions, {solutions / seconds:,.0f}/s",
            times=f"{lasting(seconds)}, {left}",
        )
        self.progress.start()  # which draws it the first time, and is nothing from then on
        self.progress.refresh()

    def close(self) -> None:
        self.progress.stop()
