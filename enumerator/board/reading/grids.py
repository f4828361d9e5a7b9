"""Rows to boards: grids, whole boards on a line, and what is wrong with rows that make no board.

n symbols are a row of an n×n board, or all of a board with n cells. Only 16, 36 and 64 symbols can
be either. The reading is chosen once for a run of such rows, from its first 2n rows at most:

    fewer than n rows                              small boards, unless most rows have greater digits
    digits that the small board does not have      rows of large boards (one such row: if that is valid)
    n rows                                         one large board, if its clues agree: a remark says so
    more than n rows                               small boards: a remark says so if the clues agree

`is_meant` is the rule that tells a faulty board from a title.
"""

from __future__ import annotations

from enumerator.board.board import Board
from enumerator.board.plain_lines import DOUBTFUL_SIZES, one_line_shape
from enumerator.board.reading.cells import board_of_rows, least_size, may_be_row
from enumerator.board.reading.entries import BoardError, Found
from enumerator.board.reading.letters import are_letters
from enumerator.board.reading.rows import BARS, Rows, TextRow
from enumerator.board.shape import LARGEST, Shape
from enumerator.board.symbols import CAPITALS, EMPTY, NO_DIGIT, digit_of, digit_table
from enumerator.text.phrases import plural

NEAR_CELLS = 3
"""The difference in length up to which a line is a faulty board rather than a title."""

ONE_LINE_CELLS = 81
"""The usual length of a board on one line."""

SQUARES = (4, 9, 25, 49)
"""Sizes of boards that have one shape only."""

SIGNS = EMPTY + "-xX"
"""The signs that mean, or may mean, an empty cell."""

_SIGN_BYTES = SIGNS.encode("ascii", "ignore")
_DIGIT_BYTES = b"0123456789" + _SIGN_BYTES


class GridReader:
    """A reader of grids. It remembers the choice for a run of rows that can be boards or rows."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self.source = rows, rows.source
        self.small_run = 0
        """The length of the rows of the present run, if each of them is a small board; otherwise 0."""

    def read(self) -> Found | None:
        """Return the board in the next rows; None if they make none."""
        first = self.rows.peek(0)
        if first is None or not first.cells:
            return None
        shape, remarks = self._whole_shape(first)
        try:
            if shape is not None:
                board, more = board_of_rows([first], shape, self.source)
                content, *others = self._boards_on_line(first, board)
                below = tuple((first.line, other) for other in others)
                return Found(1, content, first.line, (*remarks, *more, *self._doubt(first)), below)
            own = self.rows.shape or Shape.of_size(len(first.cells))
            if own is None or own.size != len(first.cells) or not may_be_row(first.cells, own.size):
                return None
            grid = self._gather(first, own)
            if len(grid) < own.size:
                return None
            drawn = self._drawn_shape(grid, own)
            board, more = board_of_rows(grid, drawn, self.source)
        except BoardError:
            return None
        if drawn != own:
            more = (*more, f"read with boxes of {drawn}, as drawn; --shape {own} reads others")
        return Found(len(grid), board, first.line, (*remarks, *more))

    def _drawn_shape(self, grid: list[TextRow], usual: Shape) -> Shape:
        """Return the shape of the boxes that are drawn around the rows of a grid; `usual` if none are."""
        if self.rows.shape is not None or usual.size in SQUARES or not set(BARS).intersection(grid[0].text):
            return usual
        from enumerator.board.reading.frames import drawn_shape

        return drawn_shape(grid, usual)

    def _boards_on_line(self, first: TextRow, board: Board) -> list[Board | BoardError]:
        """Return the board that a line begins with, and further ones on the line."""
        if len(first.text) < 2 * board.shape.cells - NEAR_CELLS or isinstance(first.cells, list):
            return [board]
        from enumerator.board.reading.several import boards_on_line

        return boards_on_line(first, board, self.source)

    def _doubt(self, first: TextRow) -> tuple[str, ...]:
        """Return the remark on a board on one line that can also be pencil marks."""
        if self.rows.shape is not None or len(first.cells) not in DOUBTFUL_SIZES:
            return ()
        from enumerator.board.reading.marks import doubt_about

        return doubt_about("".join(first.cells))

    def explain(self) -> Found | None:
        """Return what is wrong with the next rows, which make no board; None if they are a title."""
        first = self.rows.peek(0)
        if first is None or not is_meant(first, self.rows.shape):
            return None
        shape, _ = self._whole_shape(first)
        own = shape or self.rows.shape or Shape.of_size(len(first.cells))
        if own is None:
            message = (
                f"{plural(len(first.cells), 'cell')} in a line: neither a row nor the whole of a board"
                " (a 9×9 board has rows of 9 cells, 81 in all)"
            )
            return Found(1, BoardError(message, self.source, first.line), first.line)
        grid = [first] if shape or own.size != len(first.cells) else self._gather(first, own)
        try:
            board_of_rows(grid, own, self.source)
        except BoardError as error:
            return Found(len(grid), error.with_traceback(None), first.line)  # frames would keep the rows alive
        raise AssertionError("rows that make a board were read before")

    def _gather(self, first: TextRow, shape: Shape) -> list[TextRow]:
        """Return the rows of a grid, as far as the text has them: up to a title or a whole board."""
        grid, gaps = [first], list[int]()
        while len(grid) < shape.size:
            row = self.rows.peek(len(grid))
            if row is None or row.whole or not (_fits(row, shape) or is_meant(row, shape)):
                break
            if row.above and row.has_gap:
                if len(grid) % shape.height and self._ends_at_gap(len(grid), gaps, shape):
                    break
                gaps.append(len(grid))
            grid.append(row)
        return grid

    def _ends_at_gap(self, count: int, gaps: list[int], shape: Shape) -> bool:
        """Return True if a blank line below `count` rows, inside a band, ends a grid that lacks rows."""
        if gaps:
            return all(gap % shape.height == 0 for gap in gaps)
        for index in range(count, count + shape.size):
            row = self.rows.peek(index)
            if row is None or not _fits(row, shape) or (row.has_gap and index > count):
                return False
        return True

    def _whole_shape(self, first: TextRow) -> tuple[Shape | None, tuple[str, ...]]:
        """Return the shape of the board if the row `first` is the whole board; otherwise None."""
        length = len(first.cells)
        if first.whole:
            return self.rows.shape or Shape.of_cells(length), ()
        small, large = Shape.of_cells(length), Shape.of_size(length)
        if self.rows.shape is not None or small is None:
            return None, ()
        if length == self.small_run or large is None:
            return small, ()
        run = self._run(length)
        is_small, remark = _choose(run, small, large, self.source)
        self.small_run = length if is_small else 0
        return (small if is_small else None), ((remark,) if remark else ())

    def _run(self, length: int) -> list[TextRow]:
        """Return the next rows of `length` cells, at most twice as many as a large board has."""
        run: list[TextRow] = []
        while len(run) < 2 * length and (row := self.rows.peek(len(run))) is not None and len(row.cells) == length:
            run.append(row)
        return run


def is_too_short(rows: Rows, first: TextRow) -> bool:
    """Return True for a line of words that is shorter than its greatest digit: it is a row of no board.

    The formats find the same, but take four times as long. Below it there are not as many lines as a
    board of such digits has, in which blanks are empty cells and may be missing at the end of a line.
    """
    length = len(first.text)
    if first.words is None or first.whole or first.above or length >= CAPITALS:
        return False
    if length >= (least := least_size(first.text)) or are_letters(first.cells, len(first.cells)):
        return False
    return not least <= rows.words_below(LARGEST**2) <= LARGEST**2


def _choose(run: list[TextRow], small: Shape, large: Shape, source: str) -> tuple[bool, str]:
    """Return True if each row is a small board, and a remark if there was a choice."""
    size = large.size
    greater = sum(_has_greater(row, small, large) for row in run[:size])
    if len(run) < size:
        return 2 * greater < len(run) or not greater, ""
    try:
        board, _ = board_of_rows(run[:size], large, source)
    except BoardError:
        return greater < 2, ""
    agrees = not any(board.conflicts())
    if greater:
        return greater == 1 and not agrees, ""
    if any(_has_greater(row, small, large) for row in run[size:]):
        return False, ""
    lines, few, one = f"lines of {size} symbols", f"{small.size}×{small.size}", f"{size}×{size}"
    if len(run) > size:
        return True, f"{lines}: read as boards of {few}; --shape {large} reads rows of {one}" * agrees
    if agrees:
        return False, f"{size} {lines}: read as one {one} board; --shape {small} reads {size} boards of {few}"
    return True, f"{size} {lines}: read as {size} boards of {few}; --shape {large} reads one {one} board"


def _has_greater(row: TextRow, small: Shape, large: Shape) -> int:
    """Return 1 if a row has a digit that only the large board has; 2 for a number, which is no slip."""
    if isinstance(row.cells, list):
        return 2 * (row.greatest > small.size)
    return int(small.size < row.greatest <= large.size or are_letters(row.cells, large.size))


def _fits(row: TextRow, shape: Shape) -> bool:
    """Return True if a row has the cells of a row of the board."""
    if len(row.cells) != shape.size:
        return False
    return is_mostly_valid(row.cells, shape.size) or are_letters(row.cells, shape.size)


def is_mostly_valid(cells: str | list[str], size: int) -> bool:
    """Return True if at least half of the cells are digits or signs for empty."""
    if isinstance(cells, str) and cells.isascii():  # a table is 15 times as fast as the loop
        return 2 * cells.encode().translate(digit_table(size), _SIGN_BYTES).count(NO_DIGIT) <= len(cells)
    return 2 * sum(digit_of(cell, size) is not None or cell in SIGNS for cell in cells) >= len(cells)


def is_meant(row: TextRow, shape: Shape | None) -> bool:
    """Return True if a line that is no board was probably meant as one; otherwise it is a title.

    It was meant as a board if three of four characters are decimal digits or signs for empty, or if
    half of them are and its first word is about as long as a board on one line. A single word that is
    exactly as long as a board of 81 cells or more was meant as one, whatever it consists of.
    """
    cells = row.cells if isinstance(row.cells, str) else "".join(row.cells)
    if not cells:
        return False
    if cells.strip("xX") == "":
        return False
    if cells.isascii():
        signs = len(cells) - len(cells.encode().translate(None, _DIGIT_BYTES))
    else:
        signs = sum(symbol in SIGNS or symbol.isdecimal() for symbol in cells)
    if 4 * signs >= 3 * len(cells):
        return True
    if row.whole and (own := one_line_shape(len(row.cells), shape)) is not None:
        is_word = own.cells >= ONE_LINE_CELLS and len(row.text.split()) == 1
        return is_word or is_mostly_valid(row.cells, own.size)
    if shape is not None and len(row.cells) == shape.size:
        return is_mostly_valid(row.cells, shape.size)
    wanted = shape.cells if shape else ONE_LINE_CELLS
    is_near = abs(len(cells) - wanted) <= NEAR_CELLS and wanted >= ONE_LINE_CELLS  # a remark may have 16 symbols
    return is_near and 2 * signs >= len(cells)
