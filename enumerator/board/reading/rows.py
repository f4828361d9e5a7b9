"""Lines to rows: the cells of one line, with look-ahead over the lines of a text.

A line without cells (a blank line, a ruler, a comment) is not a row. Each row keeps the lines
without cells above it, since a few formats have empty rows that look like a ruler.

To add a format of lines, write a RowFormat and add it to ROW_FORMATS, before the first format that
would read the same line differently. If the line holds a whole board, set `whole`. The table is for
lines that have other characters than the symbols of cells.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from enumerator.board.plain_lines import board_digits, one_line_shape, plain_cells
from enumerator.board.reading.entries import BoardError
from enumerator.board.shape import LARGEST, SMALLEST, SYMBOLS, Shape
from enumerator.board.symbols import EMPTY, FULL_WIDTH, digit_of

MAX_ABOVE = 80
"""The number of lines without cells that a row keeps: more than the rows of any board."""

BARS = "|│┃║┆┊╎!:"
"""The characters that may be the left and the right border of a drawing."""

TOKEN = re.compile(r"[^\s,;|\"'`\[\](){}<>\u2500-\u257f]+")
_BOX_DRAWING = "".join(map(chr, range(0x2500, 0x2580)))
_RULER_SIGNS = frozenset(",;|+=-~`" + _BOX_DRAWING)
_CORNERS = frozenset("+*.:'|" + _BOX_DRAWING)
_BORDER_SIGNS = _CORNERS | frozenset("-=")
_BORDER_LINES = ("---", "===", "───", "━━━", "═══")
_NUMBER = re.compile(r"[0-9]{1,2}|[._*?·]")
_SYMBOLS_FIRST = re.compile(r"[0-9A-Za-z._*?]+")
WORDS = re.compile(r"[0-9A-Za-z ]+")
"""A line of letters, digits and blanks only."""

_INSIDE_TOKEN = re.compile(r"[:#/=]")
_SHAPE = re.compile(r"[\"#][2-8]x[2-8][\"/]")
_MAX_SIZE = LARGEST**2


class RowCells(NamedTuple):
    """The cells of a line: a string of symbols, or a list of numbers."""

    cells: str | list[str]
    whole: bool
    """True if the cells are certainly all cells of a board."""


RowFormat = Callable[[list[str], Shape | None], RowCells | None]
"""A format of lines: a function from the tokens of a line and the shape, if known, to cells.

Tokens are separated by blanks, commas, bars, quotes, brackets and box-drawing characters; there is
at least one.
"""


class TextLine(NamedTuple):
    """A line without cells."""

    number: int
    text: str


class WordLines:
    """Consecutive lines of letters, digits and blanks only: prose, or boards in which a blank is empty."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end = 0
        """The number of the line below the last one; 0 as long as it was not read."""

    def end_at(self, line: int) -> WordLines | None:
        """Note that the line below the last one was read; return None, the lines of words from there on."""
        self.end = line
        return None


class TextRow(NamedTuple):
    """A line of text and its cells."""

    line: int
    text: str
    """The line; characters that do not belong to a drawing around the cells are blanks."""
    cells: str | list[str]
    whole: bool
    digits: bytes = b""
    """The digits of a line on which a word is a whole board; otherwise empty.

    Most lines are such a board. Their digits need no further parsing.
    """
    above: tuple[TextLine, ...] = ()
    """The lines without cells above."""
    words: WordLines | None = None
    """The lines of words to which the row belongs; None if it has other characters."""

    @property
    def greatest(self) -> int:
        """The greatest digit of the row. Cells that are not digits are ignored."""
        return max((digit_of(cell, _MAX_SIZE) or 0 for cell in self.cells), default=0)

    @property
    def has_gap(self) -> bool:
        """True if there is a blank line above."""
        return any(not line.text or line.text.isspace() for line in self.above)

    def column(self, index: int) -> int | None:
        """Return the column of the text, counted from 1, in which cell `index` begins."""
        if isinstance(self.cells, str) and self.whole and (start := self.text.find(self.cells)) >= 0:
            return start + index + 1
        tokens = TOKEN.finditer(self.text)
        if isinstance(self.cells, list):
            columns = [token.start() for token in tokens]
        else:
            columns = [column for token in tokens for column in range(token.start(), token.end())]
        return columns[index] + 1 if index < len(columns) else None


class Rows:
    """The rows of a text, from its lines with their numbers, with look-ahead."""

    def __init__(self, lines: Iterable[tuple[int, str]], source: str, shape: Shape | None) -> None:
        self._rows = self._read(self._guarded(lines), shape)
        self._ahead: deque[TextRow] = deque()
        self.source, self.shape = source, shape
        self.failure: BoardError | None = None
        """The error that has ended the text, such as a damaged file."""
        self.tail: tuple[TextLine, ...] = ()
        """The lines without cells after the last row, once that row was taken or seen."""

    def _guarded(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield the lines. Keep an error that ends them: a format that looks ahead must not catch it."""
        try:
            yield from lines
        except BoardError as error:
            self.failure = error

    def take(self, count: int = 1) -> None:
        """Remove the next `count` rows, which were seen."""
        for _ in range(count):
            self._ahead.popleft()

    def put_back(self, row: TextRow) -> None:
        """Undo the removal of a row."""
        self._ahead.appendleft(row)

    def peek(self, index: int) -> TextRow | None:
        while len(self._ahead) <= index:
            if (row := next(self._rows, None)) is None:
                return None
            self._ahead.append(row)
        return self._ahead[index]

    def words_below(self, most: int) -> int:
        """Return the number of lines of words from the next row on; more than `most` stand for any such number.

        Each line is read once, however often this is asked.
        """
        first = self.peek(0)
        if first is None or first.words is None:
            return 0
        while not first.words.end and (line := self._ahead[-1].line) - first.line < most:
            if self.peek(len(self._ahead)) is None:
                break
        return (first.words.end or line + 1) - first.line

    def lines_below(self) -> Iterator[tuple[bool, TextLine]]:
        """Yield the next row and all lines below it; True with those that are rows."""
        index = 0
        while (row := self.peek(index)) is not None:
            if index:
                yield from ((False, line) for line in row.above)
            yield True, TextLine(row.line, row.text)
            index += 1
        yield from ((False, line) for line in self.tail)

    def _read(self, lines: Iterable[tuple[int, str]], shape: Shape | None) -> Iterator[TextRow]:
        above: list[TextLine] = []
        window, words, number = None, None, 0
        for number, line in lines:
            text = line if line.isascii() else (line.lstrip("\ufeff") if number == 1 else line).translate(FULL_WIDTH)
            if plain := plain_cells(text, shape):
                words = words and words.end_at(number)
                yield TextRow(number, text, text.rstrip(), True, plain[1], tuple(above))
                above, window = [], None
                continue
            text = text.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
            if not WORDS.fullmatch(text):
                words = words and words.end_at(number)
            elif words is None:
                words = WordLines()
            if (row := _read_symbols(number, text, shape, tuple(above), words)) is not None:
                words = words.end_at(number) if words and row.digits else words
                yield row
                above, window = [], None
                continue
            border = _border(text)
            if border or is_comment(text) or _RULER_SIGNS.issuperset("".join(text.split())):
                above.append(TextLine(number, text))
                if len(above) > MAX_ABOVE:  # keep the first and the latest
                    del above[MAX_ABOVE // 2]
                if border:
                    window = border
                elif not text.strip():
                    window = None
                continue
            inside = within(text, window)
            if inside is None:
                window = None
            yield read_row(number, text if inside is None else inside, shape, tuple(above))
            above = []
        if words:
            words.end_at(number + 1)
        self.tail = tuple(above)


def _read_symbols(
    line: int, text: str, shape: Shape | None, above: tuple[TextLine, ...], words: WordLines | None
) -> TextRow | None:
    """Return the row of a line of symbols or words, or that of a board with a remark; None for another line.

    The formats would return the same row, but take twice as long.
    """
    if found := _SYMBOLS_FIRST.match(text):
        cells = found[0]
        own = one_line_shape(len(cells), shape)
        if len(cells) == len(text.rstrip()):
            return TextRow(line, text, cells, own is not None, b"", above, words)
        if (
            own
            and text[len(cells)] in " \t,;"
            and (digits := board_digits(cells, own, shape is not None))
            and 0 in digits
        ):
            return TextRow(line, text, cells, True, digits, above)
    if words is None or text.isspace():
        return None
    tokens = text.split()
    if tokens[0].isalpha() and max(map(len, tokens)) < SMALLEST**4:  # no numbers, nor a board in a word
        cells = "".join(tokens)
        return TextRow(line, text, cells, one_line_shape(len(cells), shape) is not None, b"", above, words)
    return _row_of_tokens(tokens, line, text, shape, above, words)


def _border(text: str) -> tuple[int, int] | None:
    """Return the columns of the horizontal border of a drawing that a line begins with."""
    word = text.split(None, 1)[0] if text and not text.isspace() else ""
    is_border = len(word) > 4 and word[0] in _CORNERS and word[-1] in _CORNERS and _BORDER_SIGNS.issuperset(word)
    if not is_border or not any(line in word for line in _BORDER_LINES):
        return None
    start = text.index(word)
    return start, start + len(word)


def is_comment(text: str) -> bool:
    return text.lstrip().startswith("#")


def may_be_marks(text: str, size: int) -> bool:
    """Return True if the first `size` symbols can be pencil marks of a cell: digit d is at place d."""
    marks = 0
    for symbol, expected in zip(text, SYMBOLS[:size], strict=False):
        if symbol == expected or symbol.upper() == expected:
            marks += 1
        elif symbol not in EMPTY and symbol != "-":
            return False
    return marks > 0


def names_shape(row: TextRow | None) -> bool:
    """Return True for a line of our own that names the shape of its board."""
    return row is not None and len(row.text) > len(row.digits) + 2 and _SHAPE.search(row.text) is not None


def within(text: str, window: tuple[int, int] | None) -> str | None:
    """Return a line with blanks for everything outside a drawing; None if it is not part of it.

    `window` are the columns of the drawing's upper border. Without one, a text after the last bar
    is cut off if it does not have as many characters as the part before it. Blanks must separate
    the drawing from the text beside it: a border need not be as wide as the drawing.
    """
    if window is not None:
        start, end = window
        if text[start : start + 1] in BARS and text[end - 1 : end] in BARS and text[end:][:2].isspace():
            return " " * start + text[start:end]
    plain = text.strip()
    if plain and plain[0] in BARS and plain[0] in plain[1:]:
        parts = plain.split(plain[0])
        if len(parts) > 3 and parts[-1] and len(_symbols_in(parts[-1])) != len(_symbols_in(parts[-2])):
            return text[: text.rindex(plain[0]) + 1]
        return text
    return None


def _symbols_in(text: str) -> str:
    return "".join(TOKEN.findall(text))


def read_row(line: int, text: str, shape: Shape | None, above: tuple[TextLine, ...] = ()) -> TextRow:
    comment = text.find(" #")
    return _row_of_tokens(TOKEN.findall(text if comment < 0 else text[:comment]), line, text, shape, above)


def _row_of_tokens(
    tokens: list[str],
    line: int,
    text: str,
    shape: Shape | None,
    above: tuple[TextLine, ...],
    words: WordLines | None = None,
) -> TextRow:
    """Return the row of a line by the first format of lines that reads its tokens."""
    if tokens:
        for row_format in ROW_FORMATS:
            if (found := row_format(tokens, shape)) is not None:
                cells, digits = found.cells, b""
                if found.whole and isinstance(cells, str) and cells in tokens:
                    own = shape or Shape.of_cells(len(cells))
                    digits = board_digits(cells, own, shape is not None) if own else b""
                return TextRow(line, text, cells, found.whole, digits, above, words)
    return TextRow(line, text, "", False, b"", above, words)


def _library_line(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the board of a line of Hodoku's library: fields between colons; + marks found digits."""
    if tokens[0].startswith(":"):
        for field in tokens[0].split(":"):
            if one_line_shape(len(cells := field.replace("+", "")), shape):
                return RowCells(cells, whole=True)
    return None


def _line_with_remark(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the first token if it is a whole board. The rest of the line is then a comment."""
    first = tokens[0]
    if one_line_shape(len(first), shape):
        return RowCells(_puzzle_of(first, tokens), whole=True)
    if len(tokens) > 1 and shape is None and Shape.of_cells(len(first)) and not _column_of_a_table(tokens, shape):
        return RowCells(first, whole=True)
    if _INSIDE_TOKEN.search(first) and one_line_shape(len(part := _INSIDE_TOKEN.split(first)[0]), shape):
        return RowCells(part, whole=True)
    return None


def _puzzle_of(solution: str, tokens: list[str]) -> str:
    """Return the first token of which `solution` is a solution; `solution` itself if there is none.

    Some tables have the solution of a puzzle in front of it.
    """
    if not any(sign in solution for sign in EMPTY):
        for token in tokens[1:]:
            if len(token) == len(solution) and token != solution:
                pairs = zip(token, solution, strict=True)
                if all(symbol == digit or symbol in EMPTY for symbol, digit in pairs):
                    return token
    return solution


def _column_of_a_table(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the first token that is a valid board. Those before it, such as a number, are ignored."""
    for token in tokens[1:]:
        own = one_line_shape(len(token), shape)
        if own and all(digit_of(symbol, own.size) is not None for symbol in token):
            return RowCells(token, whole=True)
    return None


def _numbers(tokens: list[str], shape: Shape | None) -> RowCells | None:
    """Return the tokens if each of them is the number of a cell."""
    if len(tokens) > 1 and _are_numbers(tokens, shape):
        return RowCells(tokens, whole=one_line_shape(len(tokens), shape) is not None)
    return None


def _symbols(tokens: list[str], shape: Shape | None) -> RowCells:
    """Return every character as the symbol of a cell."""
    cells = "".join(tokens)
    return RowCells(cells, whole=one_line_shape(len(cells), shape) is not None)


ROW_FORMATS: tuple[RowFormat, ...] = (_library_line, _line_with_remark, _column_of_a_table, _numbers, _symbols)
"""The formats of lines, in the order in which they are tried. The last one accepts every line."""


def _are_numbers(tokens: list[str], shape: Shape | None) -> bool:
    """Return True if each token is one cell. `12 34` is a row of four symbols, not of two numbers."""
    if not all(_NUMBER.fullmatch(token) for token in tokens):
        return False
    if shape is not None:
        return len(tokens) in (shape.size, shape.cells)
    greatest = max(int(token) if token.isdecimal() else 0 for token in tokens)
    sizes = _sizes(len(tokens))
    return any(greatest <= size for size in sizes) or bool(sizes and not _sizes(len("".join(tokens))))


def _sizes(length: int) -> list[int]:
    """Return the sizes of boards that have `length` cells per row, or `length` cells in total."""
    return [shape.size for shape in (Shape.of_size(length), Shape.of_cells(length)) if shape]
