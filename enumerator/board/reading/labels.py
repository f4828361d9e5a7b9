"""Tables with numbered columns, and perhaps numbered rows, as pandas writes them."""

from __future__ import annotations

from enumerator.board.reading.blocks import split_fields
from enumerator.board.reading.cells import board_of_cells
from enumerator.board.reading.entries import Found
from enumerator.board.reading.rows import Rows
from enumerator.board.shape import Shape

SEPARATORS = ("\t", ";", ",", "")
"""The separators of fields; "" is any number of blanks."""


def read_labelled(rows: Rows) -> Found | None:
    """Return the board below a row of column numbers; None if the next row is not one.

    The column numbers are 0, 1, 2, …; or 1, 2, 3, …, if the rows are numbered, too. There must be
    exactly as many rows below them as there are columns.
    """
    first = rows.peek(0)
    assert first, "there is a row"
    for separator in SEPARATORS:
        header = split_fields(first.text, separator)
        labels = header[1:] if header[:1] == [""] else header
        own = rows.shape or Shape.of_size(len(labels))
        if own is None or own.size != len(labels) or not _is_sequence(labels):
            continue
        table = [split_fields(row.text, separator) for row in map(rows.peek, range(1, own.size + 1)) if row]
        following = rows.peek(own.size + 1)
        is_longer = following is not None and len(split_fields(following.text, separator)) == len(table[-1])
        if len(table) < own.size or is_longer:
            continue
        is_numbered = all(len(line) == own.size + 1 for line in table) and _is_sequence([line[0] for line in table])
        if not is_numbered and labels[0] != "0":
            continue
        cells = [cell for line in table for cell in line[is_numbered:]]
        if len(cells) == own.cells and (found := board_of_cells(cells, own)) is not None:
            return Found(own.size + 1, found.board, first.line + 1, found.remarks)
    return None


def _is_sequence(labels: list[str]) -> bool:
    numbers = range(len(labels) + 1)
    return labels in ([*map(str, numbers[:-1])], [*map(str, numbers[1:])])
