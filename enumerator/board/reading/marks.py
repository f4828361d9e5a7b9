"""Pencil marks: boards whose cells have several digits, of which one must be true.

    cubes      size³ symbols on 1, size or size² lines: the cell's digit d at place d, or a sign
    words      a grid with the digits of a cell side by side: 4 15 1256 | 3 27 …
    drawings   our own drawing of candidates: a cell is a small box of digits

A cell with one digit is a clue.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from enumerator.board.board import Board
from enumerator.board.plain_lines import may_be_cube
from enumerator.board.reading.entries import Found
from enumerator.board.reading.rows import BARS, TOKEN, Rows, TextRow
from enumerator.board.shape import LARGEST, SMALLEST, SYMBOLS, Shape
from enumerator.board.symbols import EMPTY, digit_of

_WORD = re.compile(r"[^\s,;|\"'`\u2500-\u257f]+")
_AROUND = "[](){}<>*#u"
"""Characters around a cell's digits: brackets, highlights, and the mark of a digit that a user set."""


@lru_cache
def _cube_shapes(shape: Shape | None) -> dict[int, Shape]:
    """Return the shapes by their number of cells times digits; only `shape` if it is known."""
    sizes = [Shape.of_size(size) for size in range(SMALLEST**2, LARGEST**2 + 1)]
    return {own.size**3: own for own in ([shape] if shape else sizes) if own}


def read_cube(rows: Rows) -> Found | None:
    """Return the board of size³ symbols on one line."""
    first = rows.peek(0)
    assert first, "there is a row"
    shapes = _cube_shapes(rows.shape)
    if len(first.text) < SMALLEST**6:
        return None
    for text in ("".join(first.cells), *TOKEN.findall(first.text)[:3]):
        own = shapes.get(len(text))
        if own is not None and (masks := _cell_masks(text, own.size)) is not None:
            other = None if rows.shape else Shape.of_cells(len(text))
            if other is None or 2 * masks.count(0) < len(masks):  # so many clues would contradict each other
                remarks = (_cube_remark(own, other),) if other else ()
                return Found(1, Board.from_allowed(own, masks), first.line, remarks)
    return None


def doubt_about(cells: str) -> tuple[str, ...]:
    """Return the remark on a board that can also be the pencil marks of a smaller one, if it can."""
    other = Shape.of_cells(len(cells))
    return (_cube_remark(_cube_shapes(None)[len(cells)], other, False),) if other and may_be_cube(cells) else ()


def _cube_remark(marks: Shape, board: Shape, are_marks: bool = True) -> str:
    """Return the remark on symbols that are pencil marks, or a larger board."""
    readings = [
        (f"the pencil marks of {marks.title}", f"--shape {marks}"),
        (f"the clues of {board.title}", f"--shape {board}"),
    ]
    (chosen, _), (other, option) = readings if are_marks else reversed(readings)
    return f"{board.cells:,} symbols: read as {chosen}; {option} reads {other}"


def is_split_cube(text: str) -> bool:
    """Return True for a line of size² symbols that can be one of `size` lines of pencil marks."""
    own = Shape.of_cells(len(text))
    return own is not None and bool(text) and bool(_cell_masks(text, own.size, is_full=True))


def read_split_cube(rows: Rows) -> Found | None:
    """Return the board of size³ symbols on `size` or size² lines.

    The lines are also boards or rows. They are pencil marks if every cell has a digit, if the boards
    or rows contradict themselves, and if no further line could be a cell.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    if not set(BARS).isdisjoint(first.text):  # a row of a drawn grid
        return None
    length = len(first.cells)
    for own, lines in ((rows.shape or Shape.of_cells(length), 0), (rows.shape or Shape.of_size(length), 1)):
        if own is None or length != (own.size if lines else own.cells):
            continue
        if lines and rows.shape is None and Shape.of_cells(length):  # rather as many small boards
            continue
        masks: list[int] = []
        contradicts, count = False, own.cells if lines else own.size
        for index in range(count):
            row = rows.peek(index)
            found = (
                _cell_masks("".join(row.cells), own.size, is_full=True) if row and len(row.cells) == length else None
            )
            if not found:
                break
            masks += found
            if index == own.size - 1 and lines:
                contradicts = _has_two_in_a_column(masks, own)
                if not contradicts:
                    break
            elif not lines:
                contradicts = contradicts or _has_two_in_a_column(found, own)
        else:
            row = rows.peek(count)
            is_longer = row is not None and not row.above and len(row.cells) == length
            if contradicts and not (is_longer and row and _cell_masks("".join(row.cells), own.size, is_full=True)):
                remark = _split_remark(count, length, own) if rows.shape is None else ()
                return Found(count, Board.from_allowed(own, masks), first.line, remark)
    return None


def _split_remark(lines: int, length: int, shape: Shape) -> tuple[str, ...]:
    """Return the remark on lines that were read as pencil marks."""
    boards = lines if length == shape.cells else shape.size
    marks = f"the pencil marks of one {shape.size}×{shape.size} board"
    return (f"{lines} lines of {length} symbols: read as {marks}, not as {boards} boards that contradict themselves",)


def _has_two_in_a_column(masks: list[int], shape: Shape) -> bool:
    """Return True if a digit occurs twice in a column, where each mask is a row of digits."""
    seen = 0
    for mask in masks[: shape.size]:
        if seen & mask:
            return True
        seen |= mask
    return False


def _cell_masks(text: str, size: int, is_full: bool = False) -> list[int] | None:
    """Return a mask per cell for groups of `size` symbols, in which digit d is at place d.

    Return None if a symbol is at another place, or if `is_full` and a group has no digit.
    """
    symbols, masks = SYMBOLS[:size], []
    upper = text.upper() if size <= SYMBOLS.index("Z") + 1 else text
    for start in range(0, len(text), size):
        mask = 0
        for bit, (symbol, expected) in enumerate(zip(upper[start : start + size], symbols, strict=False)):
            if symbol == expected:
                mask |= 1 << bit
            elif symbol not in EMPTY and symbol != "-":
                return None
        if is_full and not mask:
            return None
        masks.append(mask)
    return masks


# ------------------------------------------------------------------------------------------- words


def read_words(rows: Rows) -> Found | None:
    """Return the board of a grid, or of a line, with the digits of each cell side by side."""
    first = rows.peek(0)
    assert first, "there is a row"
    words = _words(first)
    if (own := rows.shape or Shape.of_cells(len(words))) is not None and own.cells == len(words):
        masks = _word_masks(words, own.size)
        return _marked(own, masks, 1, first) if masks else None
    own = rows.shape or Shape.of_size(len(words))
    if own is None or own.size != len(words):
        return None
    masks = _word_masks(words, own.size)
    for index in range(1, own.size if masks else 0):
        row = rows.peek(index)
        words = _words(row) if row else []
        if len(words) != own.size or not (found := _word_masks(words, own.size)):
            return None
        masks += found
    return _marked(own, masks, own.size, first) if masks else None


def _words(row: TextRow) -> list[str]:
    return row.text.split() if row.words else _WORD.findall(row.text)


def _marked(shape: Shape, masks: list[int], taken: int, first: TextRow) -> Found | None:
    board = Board.from_allowed(shape, masks)
    return Found(taken, board, first.line) if any(mask.bit_count() > 1 for mask in masks) else None


def _word_masks(words: list[str], size: int) -> list[int]:
    """Return a mask per word; [] if one of them is not a set of digits."""
    masks = []
    for word in words:
        symbols = word.strip(_AROUND)
        mask = 0
        for symbol in symbols:
            digit = digit_of(symbol, size)
            if digit is None or (digit == 0 and len(symbols) > 1) or mask >> (digit - 1 if digit else size) & 1:
                return []
            mask |= 1 << (digit - 1) if digit else (1 << size) - 1
        if not mask:
            return []
        masks.append(mask)
    return masks


# ---------------------------------------------------------------------------------------- drawings


def read_drawing(rows: Rows) -> Found | None:
    """Return the board of our own drawing of candidates, in which a cell is a small box of digits.

    Without colours, a letter after each digit tells its share, and clues are in brackets.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    bars = [column for column, symbol in enumerate(first.text) if symbol in BARS]
    gaps = {right - left - 1 for left, right in itertools.pairwise(bars)}
    if not SMALLEST <= len(bars) - 1 <= LARGEST:
        return None
    for width in range(SMALLEST, LARGEST + 1):
        shape = Shape(len(bars) - 1, width)
        for stride, letters, more in _DRAWING_FORMS:
            is_fitting = gaps == {width * (stride * width + 2) - more} and rows.shape in (None, shape)
            if is_fitting and (found := _read_boxes_of_digits(rows, shape, bars, stride, letters)) is not None:
                return found
    return None


_DRAWING_FORMS = ((2, "", 1), (2, "abcde", 0), (3, "abcde", 1))
"""In colours; without colours, on a narrow and on a wide terminal.

The columns from a digit to the next one, the letters that may stand after a digit, and the columns
by which the space between two bars is narrower than its cells with two columns after each.
"""


def _read_boxes_of_digits(rows: Rows, shape: Shape, bars: list[int], stride: int, letters: str) -> Found | None:
    """Return the board of a drawing of which the form is known; None if it has another one."""
    first = rows.peek(0)
    assert first, "there is a row"
    starts = [bar + 2 + (stride * shape.width + 2) * cell for bar in bars[:-1] for cell in range(shape.width)]
    lines: list[tuple[bool, str]] = []
    for line in reversed(first.above):  # a row of clues begins with a line without cells
        if line.text[bars[0] : bars[0] + 1] not in tuple(BARS) or len(line.text) <= bars[-1]:
            break
        lines.insert(0, (False, line.text))
    line_number = first.line - len(lines)
    wanted = shape.size * (shape.height + 1) - 1
    for is_row, below in itertools.islice(rows.lines_below(), wanted - len(lines)):
        lines.append((is_row, below.text))
    if len(lines) < wanted:
        return None
    masks = []
    for row in range(shape.size):
        texts = [text for _, text in lines[row * (shape.height + 1) :][: shape.height]]
        if any(len(text) <= bars[-1] or any(text[bar] not in BARS for bar in bars) for text in texts):
            return None
        for start in starts:
            if start - 2 not in bars and any(text[start - 2 : start].strip() for text in texts):
                return None
            box = [text[start : start + stride * shape.width] for text in texts]
            if (mask := _box_mask(box, shape, stride, letters)) is None:
                return None
            masks.append(mask)
    return Found(sum(is_row for is_row, _ in lines), Board.from_allowed(shape, masks), line_number)


def _box_mask(box: list[str], shape: Shape, stride: int, letters: str) -> int | None:
    """Return the digits of a cell that is drawn as a box; None if it is not drawn so."""
    if len(alone := "".join(box).replace(" ", "").strip("[]")) == 1 and alone in shape.symbols:
        return 1 << shape.symbols.index(alone)
    between = "".join(line[place] for line in box for place in range(len(line)) if place % stride)
    if between.strip(f" {letters}│|"):  # after the last cell of a narrow drawing there is a bar
        return None
    symbols = "".join(line[::stride] for line in box)
    mask = 0
    for bit, (symbol, expected) in enumerate(zip(symbols, shape.symbols, strict=False)):
        if symbol == expected:
            mask |= 1 << bit
        elif symbol not in "·.":
            return None
    return mask
