"""Drawings on a terminal: a board with facts beside it, a board of candidates, and a progress bar.

Only this module imports rich.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from enumerator.board import Board
from enumerator.board.phrases import lasting
from enumerator.board.writing import as_drawing, cell_offset, draw_symbols, drawing_columns
from enumerator.command.console import writing
from enumerator.command.layout import Facts
from enumerator.questions.candidates import CandidatesAnswer
from enumerator.run.progress import Progress as Watched

GAP_COLUMNS = 3
"""The number of columns between a board, its solution and its facts."""

NARROW_COLUMNS, WIDE_COLUMNS = 40, 80
"""The least widths of a terminal: for drawings and bars, and for the speed beside a bar."""

CLUE, FOUND, EMPTY, WRONG = "bold", "green", "dim", "bold red"
"""The styles of the cells of a board: clues, digits of a solution, empty cells, clues in conflict."""


class Heading(NamedTuple):
    """The first line of an answer: the title, the verdict or the number, and its style."""

    title: str
    fact: str
    style: str = "bold green"

    def draw(self, columns: int) -> Text:
        """Return the heading, on two lines if it is longer than `columns`."""
        gap = ": " if len(self.title) + len(self.fact) + 2 <= columns else ":\n"
        return Text.assemble((self.title, "bold"), gap, (self.fact, self.style), overflow="fold")


def draw_board_with_facts(
    heading: Heading,
    board: Board,
    facts: Facts,
    solution: Board | None = None,
    ascii: bool = False,  # noqa: A002
    console: Console | None = None,
) -> bool:
    """Draw a board, its solution beside it, and facts; return False if the terminal is too narrow.

    The solution is below the board, and the facts below both, where the terminal is not wide enough.
    """
    console = console or Console(highlight=False)
    if console.width < NARROW_COLUMNS:
        return False
    drawings = [draw_board(board, ascii), *([draw_solution(board, solution, ascii)] if solution else [])]
    if drawing_columns(board.shape) > console.width:
        drawings, facts = [], [*facts, ("shape", str(board.shape))]
    with writing():
        console.print(heading.draw(console.width))
        console.print(arrange([*drawings, draw_facts(facts)], console))
        if solution and not drawings:
            console.print(Text.assemble(("solution  ", "dim"), str(solution)), soft_wrap=True)
    return True


def arrange(parts: list[Text | Table], console: Console) -> RenderableType:
    """Return drawings and, as the last part, facts: all in a row, or else the facts or all parts below."""
    unbounded = console.options.update(width=10_000)
    widths = [Measurement.get(console, unbounded, part).maximum for part in parts]
    for beside in (len(parts), len(parts) - 1):
        if beside and sum(widths[:beside]) + GAP_COLUMNS * (beside - 1) <= console.width:
            row = Table.grid(padding=(0, GAP_COLUMNS))
            row.add_row(*parts[:beside])
            return Group(row, *parts[beside:])
    return Group(*parts)


def draw_board(board: Board, ascii: bool) -> Text:  # noqa: A002
    """Return a drawing of a board with its boxes. Clues are bold, and red if they are in conflict."""
    drawing, wrong = Text(as_drawing(board, ascii), no_wrap=True), set[int]()
    for conflict in board.conflicts():
        wrong.update(conflict.cells)
    for cell, digit in enumerate(board.cells):
        place = cell_offset(board.shape, cell)
        drawing.stylize(WRONG if cell in wrong else CLUE if digit else EMPTY, place, place + 1)
    return drawing


def draw_solution(board: Board, solution: Board, ascii: bool) -> Text:  # noqa: A002
    """Return a drawing of a solution. Clues are bold, other digits are coloured."""
    drawing = Text(as_drawing(solution, ascii), no_wrap=True)
    style_solution(drawing, board)
    return drawing


def style_solution(drawing: Text, board: Board) -> None:
    """Style the cells of a drawing of a solution of `board`."""
    for cell, clue in enumerate(board.cells):
        place = cell_offset(board.shape, cell)
        drawing.stylize(CLUE if clue else FOUND, place, place + 1)


class SolutionDrawing:
    """A drawing of the solutions of a board, made once and filled in for each of them.

    Drawing a solution takes 10 µs; through rich it would take 3 ms.
    """

    PLACEHOLDER = "\ue000"
    """A character of no alphabet, in the place of each symbol."""

    def __init__(self, board: Board, ascii: bool) -> None:  # noqa: A002
        self.board, self.console = board, Console(highlight=False)
        drawing = Text(draw_symbols(board.shape, self.PLACEHOLDER * board.shape.cells, ascii), no_wrap=True)
        style_solution(drawing, board)
        self._between = self._render(drawing).split(self.PLACEHOLDER)
        self._heading = self._render(Text.assemble((self.PLACEHOLDER, "bold"), "  ", (self.PLACEHOLDER, "dim")))

    @property
    def fits(self) -> bool:
        """True if the terminal is wide enough."""
        return drawing_columns(self.board.shape) <= self.console.width

    def _render(self, text: Text) -> str:
        with self.console.capture() as captured:
            self.console.print(text, end="", soft_wrap=True)
        return captured.get()

    def draw(self, heading: str, source: str, symbols: str) -> str:
        """Return the text, with its colours, that draws a solution."""
        first, second, third = self._heading.split(self.PLACEHOLDER)
        cells = "".join(chain.from_iterable(zip(self._between, symbols, strict=False)))
        return f"{first}{heading}{second}{source}{third}\n{cells}{self._between[-1]}"


def draw_facts(facts: Facts) -> Table:
    """Return a table of facts."""
    table = Table.grid(padding=(0, 2))
    for name, value in facts:
        table.add_row(Text(name, style="dim"), Text(value, overflow="fold"))
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
