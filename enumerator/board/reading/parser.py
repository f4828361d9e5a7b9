"""Text to entries: formats are tried on the next rows, and what is no board is a title or an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType

from enumerator.board.board import Board
from enumerator.board.plain_lines import one_line_shape
from enumerator.board.reading.entries import BoardError, Entry, Found
from enumerator.board.reading.grids import NEAR_CELLS, GridReader, is_meant, is_too_short
from enumerator.board.reading.rows import Rows, TextRow, may_be_marks, names_shape
from enumerator.board.shape import Shape
from enumerator.text.phrases import plural

_SECTION = re.compile(r"\s*\[\s*([A-Za-z ]+?)\s*\]\s*")
_PUZZLE_SECTION = "puzzle"
_SAVED_SECTIONS = frozenset({"state", "solution", "pencilmarks", "pencil marks", "candidates"})
"""Sections of a file that repeat the board of its section [Puzzle]."""

_NUMBERING = re.compile(r"\s*([0-9]{1,6}[.:)]?|[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4})\s*")
"""A line that numbers, counts or dates the boards below."""

TITLE_IN_LIST = "the line above is no board: it is skipped as a title"
"""The remark on a board of a list in which a title follows a board directly."""

NEAR_ROW = 2
"""The difference in length up to which a line above a grid is a faulty row rather than a title."""


def parse(lines: Iterable[str], source: str, shape: Shape | None = None, number: int = 1) -> Iterator[Entry]:
    """Yield the boards and the errors of a text. `number` is the line number of its first line.

    A line that is no board and was not meant as one is a title, and is ignored. After a line that
    is a faulty board, parsing continues with the next line. After a faulty grid, it continues where
    the next board certainly begins: at a title, a blank line or a board on a single line.
    """
    return Parser(enumerate(lines, number), source, shape).entries()


class Parser:
    """A reader of the boards of a text, from its lines with their numbers."""

    def __init__(self, lines: Iterable[tuple[int, str]], source: str, shape: Shape | None) -> None:
        self.rows, self.source, self.shape = Rows(lines, source, shape), source, shape
        self.grids = GridReader(self.rows)
        self.is_fresh = True
        """True where the line above is not a board and nothing else."""
        self._section, self._has_puzzle = "", False
        self._list_title = -1
        """The line of the latest title that directly follows a board on one line."""

    def go_on(self, shape: Shape | None) -> None:
        """Continue a text whose lines above are boards of `shape`, one each; None if it has none."""
        if shape is not None:
            self.is_fresh = False
            self.grids.small_run = shape.cells if one_line_shape(shape.cells, self.shape) is None else 0

    def entries(self) -> Iterator[Entry]:
        """Yield the boards and the errors of the text. Raise the error of the lines, if they end with one."""
        while (first := self.rows.peek(0)) is not None:
            if first.digits and not (self.is_fresh and is_split(first.cells)) and not names_shape(first):
                own = self.shape or Shape.of_cells(len(first.digits))
                assert own, "a row with digits is a whole board"
                self.rows.take()
                remarks = () if self._list_title != first.line - 1 else (TITLE_IN_LIST,)
                self.is_fresh, self.grids.small_run = False, 0
                name, board = f"{self.source}:{first.line}", Board.from_valid(own, first.digits)
                if len(first.text) < 2 * len(first.digits) - NEAR_CELLS:
                    yield Entry(name, first.line, board, remarks)
                    continue
                content, *others = _load_line_reader().boards_on_line(first, board, self.source)
                yield Entry(name, first.line, content, remarks)
                yield from (Entry(name, first.line, other) for other in others)
                continue
            if len(first.cells) != self.grids.small_run:
                self.grids.small_run = 0
            found = self._read() or self._explain(first)
            if found is None:
                is_odd = not (self.is_fresh or first.above or _NUMBERING.fullmatch(first.text))
                self._list_title = first.line if is_odd else -1
                self.is_fresh = True
                self.rows.take()
                self._note_section(first.text)
                continue
            self.is_fresh = not first.digits or found.taken > 1
            yield from self._entries_of(found)
            yield from self._move_behind(found)
        if self.rows.failure:
            raise self.rows.failure

    def _read(self) -> Found | None:
        """Return the board in the next rows; None if there is none."""
        if self.grids.small_run:
            return self.grids.read()
        first = self.rows.peek(0)
        if first is not None and is_too_short(self.rows, first):
            return None
        formats = _load_formats()
        found: Found | None = formats.read_with(formats.BEFORE_GRIDS, self.rows) or self.grids.read()
        if found is not None and first is not None and _may_be_marks_instead(first, found.content):
            return formats.read_with(formats.WORDS, self.rows) or found
        return found or formats.read_with(formats.BEHIND_GRIDS, self.rows)

    def _explain(self, first: TextRow) -> Found | None:
        """Return what is wrong with the next rows, which make no board; None if the first is a title."""
        if "/" in first.text:
            from enumerator.board.reading import addresses

            if (link := addresses.explain_link(self.rows, first)) is not None:
                return None if self._board_below(first) else link
        found = self.grids.explain()
        if found is None or self._is_title(first):
            return None
        from enumerator.board.reading import addresses

        return addresses.with_hint(found, self.rows, first)

    def _is_title(self, first: TextRow) -> bool:
        """Return True if a line of digits and signs is a title: a board follows of which it cannot be a row.

        In a list of boards on single lines, only a number can be one.
        """
        if (found := self._board_below(first)) is None:
            return False
        board, rows = found
        length, size = len(first.cells), board.shape.size
        if _NUMBERING.fullmatch(first.text):
            return length != size
        return rows > 1 and abs(length - size) > NEAR_ROW and abs(length - size * size) > NEAR_CELLS

    def _board_below(self, first: TextRow) -> tuple[Board, int] | None:
        """Return the board that begins in the row after `first`, and its number of rows; None without one."""
        self.rows.take()
        small_run = self.grids.small_run
        below = self._read() if self.rows.peek(0) is not None else None
        self.rows.put_back(first)
        self.grids.small_run = small_run
        return None if below is None or isinstance(below.content, BoardError) else (below.content, below.taken)

    def _entries_of(self, found: Found) -> Iterator[Entry]:
        """Yield the boards that were found, unless they repeat the board of the same file."""
        if self._section in _SAVED_SECTIONS and self._has_puzzle:
            return
        self._has_puzzle = self._has_puzzle or self._section == _PUZZLE_SECTION
        yield Entry(f"{self.source}:{found.line}", found.line, found.content, found.remarks)
        for line, content in found.others:
            yield Entry(f"{self.source}:{line}", line, content)

    def _note_section(self, title: str) -> None:
        if section := _SECTION.fullmatch(title):
            self._section = section[1].lower()

    def _move_behind(self, found: Found) -> Iterator[Entry]:
        """Remove the rows of what was found; after a faulty grid, those that may belong to it as well."""
        self.rows.take(found.taken)
        if isinstance(found.content, Board) or found.taken == 1 or found.others:
            return
        skipped, line = 0, 0
        while (row := self.rows.peek(0)) is not None and not (row.whole or row.above or not is_meant(row, self.shape)):
            skipped, line = skipped + 1, line or row.line
            self.rows.take()
        if skipped:
            message = f"{plural(skipped, 'row')} after a broken grid skipped"
            yield Entry(f"{self.source}:{line}", line, BoardError(message, self.source, line))


def _may_be_marks_instead(first: TextRow, content: Board | BoardError) -> bool:
    """Return True for a grid that contradicts itself and has words of several symbols, but not numbers."""
    if not isinstance(content, Board) or isinstance(first.cells, list):
        return False
    return any(len(word) > 1 for word in first.text.split()[1:]) and any(content.conflicts())


@cache
def _load_formats() -> ModuleType:
    """Return the table of formats. Most texts have boards on single lines and do not need it."""
    from enumerator.board.reading import formats

    return formats


@cache
def _load_line_reader() -> ModuleType:
    """Return the reader of several boards on a line. Most lines are too short for a second board."""
    from enumerator.board.reading import several

    return several


def is_split(cells: str | list[str]) -> bool:
    """Return True for a board on one line that can also be one of several lines of pencil marks."""
    own = Shape.of_cells(len(cells))
    if own is None or not isinstance(cells, str) or not may_be_marks(cells, own.size):
        return False
    from enumerator.board.reading import marks

    return marks.is_split_cube(cells)
