"""Helpers for tests of solution lists: the list of an engine, and solutions found in another way."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from math import inf
from typing import Any

from support.counts import general
from support.walks import listing

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines.interfaces import Page
from enumerator.questions.ask import within
from enumerator.questions.checks import EngineName
from enumerator.questions.solutions import build_index, pages, pick_lines

ENGINES: list[EngineName] = ["search", "contraction"]


class Listed:
    """The list of an engine: its pages, its length, and lines by their numbers."""

    def __init__(self, board: Board, engine: str) -> None:
        solutions = engines.get(engine).solutions(board)
        assert solutions is not None
        self.board, self.engine, self.solutions = board, solutions.engine, solutions
        self.index = solutions.index()

    def pages(self, cores: int, limit: int | None = None) -> Generator[Page, None, None]:
        return pages(self.solutions, self.board.shape, cores, limit)

    def count(self, cores: int, seconds: float = inf, enough: float = inf) -> int:
        """Return the number of solutions, or one greater than `enough`."""
        self.index = build_index(self.solutions, cores, enough, within(seconds))
        return self.index.total

    def lines(self, numbers: list[int], cores: int) -> list[bytes]:
        """Return the lines with these numbers, which must have been counted."""
        return pick_lines(self.index, numbers, cores)


def texts(found: Generator[Page, None, None]) -> Generator[bytearray, None, None]:
    """Yield the text of each page that is not empty."""
    with closing(found):
        yield from (page.text for page in found if page.text)


def both(board: Board) -> list[Listed]:
    return [Listed(board, engine) for engine in ENGINES]


def text(found: Listed, cores: int = 1, limit: int | None = None) -> bytes:
    return b"".join(texts(found.pages(cores, limit)))


def elsewhere(board: Board) -> list[bytes]:
    """Return the solutions of a board in ascending order, found by the walk for boards of all shapes."""
    return sorted(listing(general(board)))


def as_array(boards: list[Board], shape: Shape) -> Any:
    import numpy as np

    cells = b"".join(board.cells for board in boards)
    return np.frombuffer(cells, np.uint8).reshape(len(boards), shape.size, shape.size)
