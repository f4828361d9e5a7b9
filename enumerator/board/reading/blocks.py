"""Boards in which an empty cell is a blank, a dash or nothing: the width of the lines tells.

An empty row of such a board looks like a ruler or a blank line, so these formats look at all lines
and not only at rows. Each needs exactly as many lines as the board has rows.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from enumerator.board.plain_lines import one_line_shape
from enumerator.board.reading.cells import board_of_cells, digits_of_symbols
from enumerator.board.reading.entries import Found
from enumerator.board.reading.rows import BARS, WORDS, Rows, TextLine, TextRow
from enumerator.board.shape import LARGEST, Shape
from enumerator.board.symbols import EMPTY

LineCells = Callable[[str], "list[str] | None"]
"""A function from a line to its cells, in which "" is empty; None for any other line."""

_BAR = re.compile(r"[|│┃║]")
_DASHED = re.compile(r"[\s|│┃║]*")
_ADJACENT = re.compile(r"\S\S")
_STRIDES = ((2, 1, 1), (2, 0, -1), (1, 0, 0), (3, 1, 0))
"""Columns between cells, columns before the first one, and columns that a box has more than that."""


def read_fields(rows: Rows) -> Found | None:
    """Return the board of a table with empty fields: `5,3,,,7,,,,`, or a bar between all cells."""
    first = rows.peek(0)
    assert first, "there is a row"
    for separator in ("|", "\t", ";", ","):
        fields = split_fields(first.text, separator)
        if len(fields) < 4:
            continue
        if (own := one_line_shape(len(fields), rows.shape)) is not None:
            found = board_of_cells(fields, own) if "" in fields else None
            return Found(1, found.board, first.line, found.remarks) if found else None
        own = rows.shape or Shape.of_size(len(fields))
        if own is None or own.size != len(fields):
            continue

        def cells(text: str, separator: str = separator, size: int = own.size) -> list[str] | None:
            fields = split_fields(text, separator)
            return fields if len(fields) == size else None

        return _read_block(rows, own, cells)
    return None


def split_fields(text: str, separator: str) -> list[str]:
    """Return the fields of a line, without quotes around them. The separator "" is any number of blanks."""
    if separator == "|":
        text = _BAR.sub("|", text).strip()
        text = text.removeprefix("|").removesuffix("|") if text[:1] == "|" else text
    return [field.strip().strip("\"'") for field in text.rstrip("\r\n").split(separator or None)]


def read_boxes(rows: Rows) -> Found | None:
    """Return the board of a drawing in which empty cells are blank, with bars between the boxes."""
    first = rows.peek(0)
    assert first, "there is a row"
    bars = [column for column, symbol in enumerate(first.text) if symbol in BARS]
    for stride, before, more in _STRIDES:
        for width in range(2, LARGEST + 1):
            places = _places(bars, first.text, width, (stride, before, more))
            size = len(places)
            own = rows.shape or Shape.of_size(size)
            if own is None or own.size != size or not places:
                continue

            def cells(text: str, places: list[int] = places) -> list[str] | None:
                if len(text) <= bars[-1] or any(text[bar] not in BARS for bar in bars):
                    return None
                text = text.ljust(places[-1] + 1)
                blanks = [symbol for column, symbol in enumerate(text) if column not in places and column not in bars]
                return None if "".join(blanks).strip() else [text[place].strip() for place in places]

            if cells(first.text) and (block := _lines_of_block(rows, own, cells)):
                return _found(block, own)  # the first that fits: without blanks, it is a grid
    return None


def _places(bars: list[int], text: str, width: int, form: tuple[int, int, int]) -> list[int]:
    """Return the columns of the cells, if all boxes between bars have `width` of them; otherwise []."""
    stride, before, more = form
    edges = list(bars)
    is_open = not edges or bool(text[: edges[0]].strip()) or len(edges) == 1
    if is_open:  # no bar at the left, nor at the right
        edges.insert(0, edges[0] - stride * width - more - 1 if edges else -1)
    if is_open or text[edges[-1] + 1 :].strip():
        edges.append(edges[-1] + stride * width + more + 1)
    places = []
    for left, right in itertools.pairwise(edges):
        if right - left - 1 != stride * width + more:
            return []
        places += [left + 1 + before + stride * cell for cell in range(width)]
    return places if len(edges) > 2 and places[0] >= 0 else []


def read_dashes(rows: Rows) -> Found | None:
    """Return the board in which `-` is an empty cell, even in a row that could be a ruler."""
    first = rows.peek(0)
    assert first, "there is a row"
    size = len(_DASHED.sub("", first.text))
    own = rows.shape or Shape.of_size(size)
    if own is None or own.size != size:
        return None

    def cells(text: str) -> list[str] | None:
        symbols = _DASHED.sub("", text)
        if len(symbols) != size or any(sign in symbols for sign in EMPTY):
            return None
        if digits_of_symbols(symbols.replace("-", "1"), size) is None:
            return None
        return list(symbols.replace("-", " "))

    return _read_block(rows, own, cells)


def read_square(rows: Rows) -> Found | None:
    """Return the board of exactly n lines of exactly n characters, in which a blank is an empty cell.

    A grid with blanks between its cells has fewer lines than characters in a line.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    size = len(first.text)
    own = rows.shape or Shape.of_size(size)
    if own is None or own.size != size or not (first.above or _is_as_long(rows.peek(1), size)):
        return None

    def is_row(text: str) -> bool:
        return len(text) == size and _is_blank_or_digits(text)

    def cells(text: str) -> list[str] | None:
        return [symbol.strip() for symbol in text] if is_row(text) else None

    alike = itertools.takewhile(lambda below: is_row(below[1].text), rows.lines_below())
    if len(list(itertools.islice(alike, size + 1))) > size:
        return None
    return _read_block(rows, own, cells, is_close=True)


def _is_as_long(below: TextRow | None, size: int) -> bool:
    """Return True if the line below the next row may have `size` characters."""
    return below is None or len(below.above[0].text if below.above else below.text) == size


def read_blanks(rows: Rows) -> Found | None:
    """Return the board in which a blank is an empty cell: n lines of n characters.

    Blanks at the end of a line may be missing, but not all blanks of an empty row.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    if (own := one_line_shape(len(first.text), rows.shape)) is not None and " " in first.text:
        found = board_of_cells(list(first.text.replace(" ", ".")), own)
        return Found(1, found.board, first.line, found.remarks) if found else None
    count, most = rows.words_below(LARGEST**2), LARGEST**2
    if count + len(first.above) < len(first.text) or count > most:  # most prose ends here
        return None
    if not first.above and not (rows.shape or Shape.of_size(count)):
        return None
    below = itertools.islice(rows.lines_below(), count)
    lengths = [len(line.text) for _, line in below]
    size = max(lengths, default=0)
    own = rows.shape or Shape.of_size(size)
    if own is None or own.size != size or len(lengths) > size:
        return None

    def cells(text: str) -> list[str] | None:
        is_row = _is_blank_or_digits(text) and (len(text) == size or (len(text) < size and text.strip()))
        return [symbol.strip() for symbol in text.ljust(size)] if is_row else None

    return _read_block(rows, own, cells, is_close=True)


def read_typed(rows: Rows) -> Found | None:
    """Return the board of lines with one blank between columns, in which a blank is an empty cell, too.

    The evidence is that all symbols stand in columns at fixed distances. Boxes may be further apart,
    and blank lines may separate bands, if the other lines are as many as the board has rows.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    lines = [line.text.rstrip() for _, line in itertools.takewhile(_is_typed, rows.lines_below())]
    if not (written := [text for text in lines if text]):
        return None
    indent = min(len(text) - len(text.lstrip()) for text in written)
    width = max(map(len, written))
    for count, start, extra in itertools.product(_possible_sizes(rows, width), {indent, 0}, (0, 1, 2)):
        own = rows.shape or Shape.of_size(count)
        assert own, "a possible size"
        places = [start + 2 * cell + extra * (cell // own.width) for cell in range(count)]
        if places[-1] + 1 < width or (places[-1] + 1 > width and count != len(written)):
            continue

        for is_close in (True, False):
            if found := _read_block(rows, own, partial(_cells_at, places, is_close)):
                return found
    return None


def _cells_at(places: list[int], is_close: bool, text: str) -> list[str] | None:
    """Return the symbols in some columns; None if others have symbols, or if blank lines are no rows (`is_close`)."""
    symbols = text.rstrip().ljust(places[-1] + 1)
    found = [symbols[place].strip() for place in places]
    return None if len(text.split()) != sum(map(bool, found)) or (is_close and not any(found)) else found


def _is_typed(below: tuple[bool, TextLine]) -> bool:
    """Return True for a line without symbols side by side."""
    text = below[1].text
    return not text.strip() or (WORDS.fullmatch(text) is not None and not _ADJACENT.search(text))


def _possible_sizes(rows: Rows, width: int) -> list[int]:
    """Return the sizes of boards of which a row, with a blank between columns, may be `width` wide."""
    if rows.shape:
        return [rows.shape.size]
    return [size for size in range(width // 4, width // 2 + 2) if Shape.of_size(size)]


def _is_blank_or_digits(text: str) -> bool:
    return not text or WORDS.fullmatch(text) is not None


class Block(NamedTuple):
    """The cells of consecutive lines, the number of rows among them, and the number of the first line."""

    lines: list[list[str]]
    taken: int
    line: int


def _read_block(rows: Rows, shape: Shape, cells: LineCells, is_close: bool = False) -> Found | None:
    """Return the board of consecutive lines around the next row; None if they make none."""
    block = _lines_of_block(rows, shape, cells, is_close)
    return _found(block, shape) if block else None


def _found(block: Block, shape: Shape) -> Found | None:
    """Return the board of a block; None if it has no blanks, or a cell that is no digit."""
    if not any("" in row or " " in row for row in block.lines):
        return None
    found = board_of_cells([cell for row in block.lines for cell in row], shape)
    return Found(block.taken, found.board, block.line, found.remarks) if found else None


def _lines_of_block(rows: Rows, shape: Shape, cells: LineCells, is_close: bool = False) -> Block | None:
    """Return as many consecutive lines around the next row as the board has rows; None if there are fewer.

    Lines above it belong to the board only if the board lacks exactly these. Lines that are not
    rows, such as rulers, may stand between the lines of the board unless `is_close`.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    above = list(_cells_upwards(first.above, cells))
    block: list[list[str]] = []
    taken = 0
    for is_row, line in rows.lines_below():
        if len(block) == shape.size:
            break
        found = cells(line.text)
        if found is None and (is_row or is_close):
            break
        if found is not None:
            block.append(found)
            taken += is_row
    missing = shape.size - len(block)
    if not taken or (missing and missing != len(above)):  # without the next row, it would be found again and again
        return None
    if missing:
        block = [found for _, found in reversed(above)] + block
    return Block(block, taken, above[-1][0] if missing else first.line)


def _cells_upwards(lines: tuple[TextLine, ...], cells: LineCells) -> Iterator[tuple[int, list[str]]]:
    for line in reversed(lines):
        if (found := cells(line.text)) is None:
            return
        yield line.number, found
