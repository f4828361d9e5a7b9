"""Lists of lists, as Python, numpy and JSON write them: `[[5, 3, 0, …], …]`, on any number of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from enumerator.board.reading.cells import ReadCells, board_of_cells
from enumerator.board.reading.entries import BoardError, Found
from enumerator.board.reading.rows import Rows
from enumerator.board.shape import LARGEST, Shape
from enumerator.board.symbols import digit_of
from enumerator.text.phrases import plural, printable

MAX_LINES = LARGEST**4 + 2 * LARGEST**2 + 2
"""The most lines of a list: the largest board with one number per line, and its brackets."""

_START = re.compile(r"[^\[(]*?(?P<list>\[|\(\s*[\[(])")
_PART = re.compile(
    r"""(?P<open>[\[(])|(?P<close>[\])])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\s,;\[\]()'"]+)"""
)
_NUMBER = re.compile(r"([0-9]{1,2})(\.0*)?")
_NOTHING = ("none", "null", "nan", "false", "na", "<na>", "--")
"""The words for an empty cell."""


class Node(NamedTuple):
    """A list of a text, with the line in which it begins."""

    line: int
    items: list[Node | str]


def read_list(rows: Rows) -> Found | None:
    """Return the boards of a list that begins in the next row; None if it is not a list of boards."""
    first = rows.peek(0)
    assert first, "there is a row"
    start = _START.match(first.text)
    if start is None:
        return None
    root, taken = _collect(rows, start.start("list"))
    if root is None:
        return None
    boards = list(_boards(root, rows.shape, rows.source))
    if not boards:
        return None
    (line, content), *others = [
        (line, content if isinstance(content, BoardError) else content.board) for line, content in boards
    ]
    remarks = [remark for _, content in boards if isinstance(content, ReadCells) for remark in content.remarks]
    return Found(taken, content, line, tuple(dict.fromkeys(remarks)), tuple(others))


def _collect(rows: Rows, start: int) -> tuple[Node | None, int]:
    """Return the list that begins at a column of the next row, and the number of its rows."""
    stack: list[Node] = []
    for index in range(MAX_LINES):
        row = rows.peek(index)
        if row is None or row.digits:
            break
        for part in _PART.finditer(row.text, start if index == 0 else 0):
            if part["open"]:
                stack.append(Node(row.line, []))
            elif part["close"]:
                node = stack.pop()
                if not stack:
                    return node, index + 1
                stack[-1].items.append(node)
            else:
                stack[-1].items.append(_cell(part))
            if _is_hopeless(stack):
                return None, 0
    return None, 0


def _cell(part: re.Match[str]) -> str:
    """Return the text of a cell; "." for an empty one."""
    text = next(text for text in (part["double"], part["single"], part["word"]) if text is not None).strip()
    number = _NUMBER.fullmatch(text)
    return number[1] if number else "." if not text or text.lower() in _NOTHING else text


def _is_hopeless(stack: list[Node]) -> bool:
    """Return True if the lists are deeper or longer than those of boards, or are no lists of cells."""
    if len(stack) > 3 or not stack:
        return bool(stack)
    items = stack[-1].items
    return len(items) > LARGEST**4 or (len(items) == 1 and isinstance(items[0], str) and len(items[0]) > 64)


def _boards(node: Node, shape: Shape | None, source: str) -> Iterator[tuple[int, ReadCells | BoardError]]:
    """Yield the boards of a list, each with its line: the list itself, or each of its items."""
    if (own := _shape(node, shape)) is not None:
        yield node.line, _board(node, own, source)
        return
    items = [item for item in node.items if isinstance(item, Node)]
    words = [item for item in node.items if isinstance(item, str)]
    if all("=" in word for word in words) and all(_shape(item, shape) for item in items):
        for item in items:
            yield from _boards(item, shape, source)


def _shape(node: Node, shape: Shape | None) -> Shape | None:
    """Return the shape of the board that a list of rows makes; None if it makes none.

    All rows but one must have the right length.
    """
    own = shape or Shape.of_size(len(node.items))
    if own is None or own.size != len(node.items):
        return None
    lengths = [len(item.items) if isinstance(item, Node) else len(item) for item in node.items]
    is_flat = all(isinstance(cell, str) for item in node.items if isinstance(item, Node) for cell in item.items)
    return own if is_flat and lengths.count(own.size) >= own.size - 1 else None


def _board(node: Node, shape: Shape, source: str) -> ReadCells | BoardError:
    """Return the board of a list of rows, or what is wrong with it."""
    texts = []
    for number, item in enumerate(node.items, 1):
        line = item.line if isinstance(item, Node) else node.line
        cells = [str(cell) for cell in (item.items if isinstance(item, Node) else item)]
        if len(cells) != shape.size:
            message = f"{plural(len(cells), 'cell')} in row {number} where a row of {shape.title} has {shape.size}"
            return BoardError(message, source, line)
        for cell in cells:
            if digit_of(cell, shape.size) is None:
                return BoardError(f"'{printable(cell)}' is no digit of {shape.title}", source, line)
            texts.append(cell)
    found = board_of_cells(texts, shape)
    assert found, "all cells are digits"
    return found
