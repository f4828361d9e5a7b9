"""Drawings on a terminal: a board with facts beside it, and a board of candidates.

The progress bar is in `enumerator.questions.bars`. Only these two modules import rich.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from enumerator.board import Board
from enumerator.board.heat_map import SCALE, SIXTEEN, is_bright, shade_of
from enumerator.board.writing import as_drawing, cell_offset, draw_symbols, drawing_columns, frame_of, ruler
from enumerator.command.console import writing
from enumerator.questions.candidates import CandidatesAnswer
from enumerator.questions.clues import CluesAnswer
from enumerator.questions.fields import Facts

GAP_COLUMNS = 3
"""The number of columns between a board, its solution and its facts."""

FACT_COLUMNS = 36
"""The least width of facts beside a drawing. Longer ones are wrapped."""

NARROW_COLUMNS = 40
"""The least width of a terminal for drawings."""

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
    """Return drawings and, as the last part, facts: all in a row, or else the facts or all parts below.

    Facts that are wider than the rest of a row are wrapped, unless less than FACT_COLUMNS are left.
    """
    unbounded = console.options.update(width=10_000)
    widths = [Measurement.get(console, unbounded, part).maximum for part in parts]
    if len(parts) > 1:
        widths[-1] = min(widths[-1], max(FACT_COLUMNS, console.width - sum(widths[:-1]) - GAP_COLUMNS * len(parts[1:])))
    for beside in (len(parts), len(parts) - 1):
        if beside and sum(widths[:beside]) + GAP_COLUMNS * (beside - 1) <= console.width:
            row = Table.grid(padding=(0, GAP_COLUMNS))
            for width in widths[:beside]:
                row.add_column(width=width)
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


def draw_clues(heading: Heading, answer: CluesAnswer, facts: Facts, ascii: bool = False) -> bool:  # noqa: A002
    """Draw a board whose clues are shaded, and facts; return False if the terminal is too narrow.

    Without colours, a letter stands after each clue, and = after a superfluous one.
    """
    console = Console(highlight=False)
    shades = None if console.no_color else console.color_system
    if drawing_columns(answer.board.shape) > console.width:
        return False
    text = [*as_drawing(answer.board, ascii)]
    for cell, level in answer.levels.items():
        if not shades:
            text[cell_offset(answer.board.shape, cell) + 1] = step(level, LETTERS)[1] if level else "="
    drawing = Text("".join(text), no_wrap=True)
    for cell, level in answer.levels.items():
        place = cell_offset(answer.board.shape, cell)
        style = shade(max(1, round(100 * level)), 100, shades) if shades and level else "bold reverse"
        drawing.stylize(style if shades else "bold", place, place + 1)
    legend = "The darker, the more solutions without the clue; reversed: superfluous."
    letters = "The letter after a clue, a to e: the later, the more solutions without it; =: superfluous."
    with writing():
        console.print(heading.draw(console.width))
        console.print(arrange([drawing, draw_facts(facts)], console))
        console.print(Text(legend if shades else letters, style="dim"))
    return True


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
    """Return a table of facts. A name is not repeated."""
    table = Table.grid(padding=(0, 2))
    last = ""
    for name, value in facts:
        table.add_row(Text("" if name == last else name, style="dim"), Text(value, overflow="fold"))
        last = name
    return table


# ------------------------------------------------------------------------------------------ candidates

IMPOSSIBLE = {False: "·", True: "."}
"""The mark of a digit that is in this cell in no solution; in ASCII, the second."""

LETTERS = (
    (0.2, "a", "below 20 %"),
    (0.4, "b", "from 20 %"),
    (0.6, "c", "from 40 %"),
    (0.8, "d", "from 60 %"),
    (1.0, "e", "from 80 %"),
)
"""The letters in the place of shades: the share below which one is used, and its legend."""


def draw_candidates(heading: Heading, answer: CandidatesAnswer, facts: Facts, ascii: bool = False) -> bool:  # noqa: A002
    """Draw a board with candidates in its cells; return False if the terminal is too narrow."""
    console = Console(highlight=False)
    shades = None if console.no_color else console.color_system
    widths = (2,) if shades else (3, 2)
    for width in widths:
        drawing = CandidatesDrawing(answer, shades, ascii, width)
        if drawing.columns <= console.width:
            break
    else:
        return False
    with writing():
        console.print(heading.draw(console.width))
        console.print(drawing.draw())
        console.print(drawing.legend())
        console.print(draw_facts(facts))
    return True


class CandidatesDrawing:
    """A drawing in which each cell is a small box of digits, shaded by their share of the solutions.

    Without colours, a letter stands after each digit. A digit that is in a cell in all solutions is
    drawn alone.
    """

    def __init__(self, answer: CandidatesAnswer, shades: str | None, ascii: bool, width: int) -> None:  # noqa: A002
        """Prepare a drawing. `shades` is rich's name of a colour system; a candidate has `width` columns."""
        self.answer, self.shades, self.width = answer, shades, width
        self.shape, self.frame, self.impossible = answer.board.shape, frame_of(ascii), IMPOSSIBLE[ascii]
        self._inner = self.shape.width * width
        self._end = "" if shades or width > 2 else " "  # so that no letter touches the frame
        self._side = self.shape.width * (self._inner + 2) - 1 + len(self._end)

    @property
    def columns(self) -> int:
        """The number of columns of the drawing."""
        return self.shape.height * (self._side + 1) + 1

    def draw(self) -> Text:
        shape, side = self.shape, self.frame.side
        top, middle, bottom = (ruler(shape, ends, self.frame.line * self._side) for ends in self.frame[:3])
        gap = ruler(shape, side * 3, " " * self._side)
        drawing = Text(f"{top}\n", no_wrap=True)
        for row in range(shape.size):
            if row:
                drawing.append(f"{gap if row % shape.height else middle}\n")
            cells = [self._cell(row * shape.size + column) for column in range(shape.size)]
            for line in range(shape.height):
                for column, cell in enumerate(cells):
                    edge = f"{self._end}{side} " if column else f"{side} "
                    drawing.append("  " if column % shape.width else edge)
                    drawing.append_text(cell[line])
                drawing.append(f"{self._end}{side}\n")
        return drawing.append(bottom)

    def _cell(self, cell: int) -> list[Text]:
        """Return the lines of a cell."""
        symbols, counts, total = self.shape.symbols, self.answer.counts[cell], self.answer.solutions
        if clue := self.answer.board.cells[cell]:
            return self._alone(f" {symbols[clue - 1]} " if self.shades else f"[{symbols[clue - 1]}]", "bold reverse")
        if total and (most := max(counts)) == total:
            return self._alone(symbols[counts.index(most)], "bold green")
        lines = []
        for first in range(0, self.shape.size, self.shape.width):
            line = Text()
            for digit in range(first, first + self.shape.width):
                line.append_text(self._candidate(symbols[digit], counts[digit], total))
            lines.append(line)
        return lines

    def _alone(self, text: str, style: str) -> list[Text]:
        """Return the lines of a cell with a text in its middle."""
        lines = [Text(" " * self._inner) for _ in range(self.shape.height)]
        before = (self._inner - len(text)) // 2
        padded = Text(" " * before).append(text, style if self.shades else "bold")
        lines[(self.shape.height - 1) // 2] = padded.append(" " * (self._inner - before - len(text)))
        return lines

    def _candidate(self, symbol: str, count: int, total: int) -> Text:
        """Return a digit with its shade or its letter."""
        if not count:
            return Text(self.impossible, "dim").append(" " * (self.width - 1))
        if self.shades:
            return Text(f"{symbol} ", shade(count, total, self.shades))
        return Text.assemble((symbol, "bold"), step(count / total, LETTERS)[1], " " * (self.width - 2))

    def legend(self) -> Text:
        """Return sentences about the shades or letters, and about the other marks."""
        if not self.shades:
            text = Text("The letter after a digit tells how many of the solutions have it there:\n")
            text.append(", ".join(f"{letter} {what}" for _, letter, what in LETTERS))
        else:
            text = Text("The shade of a digit tells how many of the solutions have it there:\n")
            samples = [(what, style) for _, style, what in SIXTEEN]
            if self.shades != "standard":
                tenths = range(1, len(SCALE) + 1)
                samples = [(f"{10 * tenth} %", shade(tenth, len(SCALE), self.shades)) for tenth in tenths]
                text.append("up to ")
            for what, style in samples:
                text.append(f" {what} ", style)
        clue = "a clue is reversed" if self.shades else "[ ] is a clue"
        return text.append(f"\nA digit alone is in all of them, {self.impossible} is a digit in none, {clue}.")


def step(share: float, steps: tuple[tuple[float, str, str], ...]) -> tuple[float, str, str]:
    """Return the step of a scale that a share belongs to."""
    return next((each for each in steps if share < each[0]), steps[-1])


def shade(count: int, total: int, shades: str) -> str:
    """Return the style of a digit in `count` of `total` solutions: a background, and a text readable on it."""
    if shades == "standard":
        return step(count / total, SIXTEEN)[1]
    colour = shade_of(count, total)
    return f"{'#000000' if is_bright(colour) else '#ffffff'} on rgb({colour[0]},{colour[1]},{colour[2]})"
