"""Lines that are links to puzzles, and what is wrong with lines that people mistake for boards."""

from __future__ import annotations

from enumerator.board.reading.entries import BoardError, Found
from enumerator.board.reading.rows import Rows, TextRow


def read_link(rows: Rows) -> Found | None:
    """Return the boards of the links on the next line, each once, or the reason why the first link is refused."""
    from enumerator.board import links

    first = rows.peek(0)
    if first is None:
        return None
    try:
        board = links.board_of(first.text, rows.shape)
    except links.LinkError as error:
        return Found(1, BoardError(str(error), rows.source, first.line), first.line)
    if board is None:
        return None
    others = dict.fromkeys(links.later_boards(first.text, rows.shape))
    others.pop(board, None)  # the same puzzle on another site
    return Found(1, board, first.line, (), tuple((first.line, other) for other in others))


def explain_link(rows: Rows, first: TextRow) -> Found | None:
    """Return why the link on a line, which has a slash, is not a board; None for a line without a link."""
    from enumerator.board import links

    reason = links.explain(first.text)
    return Found(1, BoardError(reason, rows.source, first.line), first.line) if reason else None


def with_hint(found: Found, rows: Rows, first: TextRow) -> Found:
    """Return an error with a question, if the shape may be the size of the board instead of a box."""
    error = found.content
    if rows.shape is None or not isinstance(error, BoardError) or not (hint := rows.shape.hint_for(len(first.cells))):
        return found
    return found._replace(content=BoardError(f"{error.message}; {hint}", error.source, error.line, error.column))
