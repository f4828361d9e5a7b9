"""Drawings on a terminal: a board with facts beside it, a board of candidates, and a progress bar.

Only this module imports rich.
"""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from enumerator.board import Board
from enumerator.board.phrases import lasting
from enumerator.command.console import writing
from enumerator.command.layout import Facts
from enumerator.questions.candidates import CandidatesAnswer
from enumerator.run.progress import Progress as Watched

GAP_COLUMNS = 3
"""The number of columns between a board and its facts."""

NARROW_COLUMNS, WIDE_COLUMNS = 40, 80
"""The least widths of a terminal: for drawings and bars, and for the speed beside a bar."""


def draw_board_with_facts(title: str, board: Board, facts: Facts, styles: dict[str, str]) -> bool:
    """Draw a board with facts beside or below it; return False if the terminal cannot show it."""
    console = Console(highlight=False)
    if console.width < NARROW_COLUMNS or console.options.ascii_only:
        return False
    drawing, figures = draw_board(board), draw_facts(facts, styles)
    unbounded = console.options.update(width=10_000)
    drawn, written = (Measurement.get(console, unbounded, part).maximum for part in (drawing, figures))
    body: RenderableType
    if drawn + GAP_COLUMNS + written <= console.width:
        body = Table.grid(padding=(0, GAP_COLUMNS))
        body.add_row(drawing, figures)
    elif drawn <= console.width:
        body = Group(drawing, figures)
    else:
        body = figures
    with writing():
        console.print(Text(title, style="bold"))
        console.print(body)
    return True


def draw_board(board: Board) -> Text:
    """Return a drawing of a board with its boxes. Clues are bold."""
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


def draw_facts(facts: Facts, styles: dict[str, str]) -> Table:
    """Return a table of facts. `styles` maps names of facts to the styles of their values."""
    table = Table.grid(padding=(0, 2))
    for name, value in facts:
        table.add_row(Text(name, style="dim"), Text(value, style=styles.get(name, ""), overflow="fold"))
    return table


# ------------------------------------------------------------------------------------------ candidates

SCALE = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""The colours from rare to frequent. They go from dark to light, for colour-blind readers."""

IMPOSSIBLE = "·"
"""The mark of a digit that is in this cell in no solution."""


def draw_candidates(title: str, answer: CandidatesAnswer, work: str, console: Console | None = None) -> bool:
    """Draw a board with candidates in its cells; return False if the terminal cannot show it."""
    console = console or Console(highlight=False)
    drawing = draw_cells(answer)
    unbounded = console.options.update(width=10_000)
    if console.options.ascii_only or Measurement.get(console, unbounded, drawing).maximum > console.width:
        return False
    facts = Table.grid(padding=(0, 2))
    facts.add_row(Text("solutions", style="dim"), Text(f"{answer.solutions:,}", style="bold green"))
    for number, advice in enumerate(answer.advice("{:,}")):
        facts.add_row(Text("" if number else "clues", style="dim"), Text(advice))
    facts.add_row(Text("time", style="dim"), Text(work))
    with writing():
        console.print(Text(title, style="bold"))
        console.print(drawing)
        console.print(draw_legend(console.color_system is not None))
        console.print(facts)
    return True


def draw_legend(in_colour: bool) -> Text:
    """Return the legend of the marks and the shades."""
    marks = f"{IMPOSSIBLE} in none, alone: in all"
    if not in_colour:
        return Text(f"of all solutions: {marks}")
    text = Text("in ")
    for share in (0.01, 0.25, 0.5, 0.75, 0.99):
        text.append(f" {round(100 * share)} % ", shade(share))
    return text.append(f" of all solutions; {marks}")


def draw_cells(answer: CandidatesAnswer) -> Text:
    """Return a drawing in which each cell is a small box of digits, shaded by share.

    A digit that is in a cell in all solutions is drawn alone.
    """
    shape, total = answer.board.shape, answer.solutions
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
                    drawing.append_text(draw_candidate(answer, cell, digit, total, is_middle))
                    drawing.append(" ")
            drawing.append("│\n")
    return drawing.append(f"└{'┴'.join([side] * shape.height)}┘")


def draw_candidate(answer: CandidatesAnswer, cell: int, digit: int, total: int, is_middle: bool) -> Text:
    """Return the drawing of a digit in a cell. The only digit of a cell is in the middle."""
    symbols, counts = answer.board.shape.symbols, answer.counts[cell]
    if clue := answer.board.cells[cell]:
        return Text(symbols[clue - 1] if is_middle else " ", "bold reverse" if is_middle else "")
    if total and counts[forced := max(range(len(counts)), key=counts.__getitem__)] == total:
        return Text(symbols[forced] if is_middle else " ", "bold green" if is_middle else "")
    if not counts[digit]:
        return Text(IMPOSSIBLE, "dim")
    return Text(symbols[digit], shade(counts[digit] / total))


def shade(share: float) -> str:
    """Return the style for a share between 0 and 1: a background and a readable text colour."""
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    low = min(int(place), len(SCALE) - 2)
    mixed = [round(a + (b - a) * (place - low)) for a, b in zip(SCALE[low], SCALE[low + 1], strict=True)]
    bright = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] > 120
    return f"{'#000000' if bright else '#ffffff'} on rgb({mixed[0]},{mixed[1]},{mixed[2]})"


class TerminalBar:
    """A progress bar on standard error: one line, updated in place and removed at the end.

    It is drawn in the thread of the caller, by `draw`.
    """

    def __init__(self) -> None:
        console = Console(stderr=True, highlight=False)
        columns = [TextColumn("{task.fields[percent]}"), TextColumn("[dim]{task.fields[times]}")]
        if console.width >= WIDE_COLUMNS:
            columns[1:1] = [TextColumn("[green]{task.fields[found]}")]
        bars = [BarColumn(bar_width=None)] if console.width >= NARROW_COLUMNS else []
        self.progress = Progress(
            *bars, *columns, console=console, auto_refresh=False, transient=True, expand=bool(bars)
        )
        self.task = self.progress.add_task("", total=1.0, percent="", found="", times="")

    def draw(self, progress: Watched, seconds: float) -> None:
        """Draw the share of the work that is done, the solutions found, and the remaining time."""
        share = progress.share
        percent, left = "", "time left unknown"
        if share is not None:
            percent = f"{100 * share:.1f} %" if share >= 1e-3 else f"{100 * share:.0e} %"
            if share > 1e-14:  # a smaller share is mostly rounding error
                left = f"about {lasting(seconds * (1 - share) / share)} left"
        self.progress.update(
            self.task,
            total=None if share is None else 1.0,
            completed=share or 0.0,
            percent=percent,
            found=describe_found(progress, seconds),
            times=f"{lasting(seconds)}, {left}",
        )
        self.progress.start()  # only the first call has an effect
        self.progress.refresh()

    def close(self) -> None:
        self.progress.stop()


def describe_found(progress: Watched, seconds: float) -> str:
    """Return the number of boards, or of solutions, and their number per second."""
    number, unit = progress.solutions, "solutions"
    if progress.boards is not None:
        number, unit = progress.boards, "boards"
    return "" if number is None else f"{number:,} {unit}, {number / seconds:,.0f}/s"
