"""What is asked: boards, and what the user wants to know of all of them.

A *question* is a board to be answered for, or what is wrong with it. A *request* is what is wanted, and how it is to be
found out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board, Shape
from enumerator.board.reading import BoardError, Entry
from enumerator.board.wording import printable
from enumerator.engines.contraction import check
from enumerator.run import Plan

if TYPE_CHECKING:
    from enumerator.command.output import Output

_shape = lru_cache(Shape)


class Question(NamedTuple):
    """A board, by its name and its shape: plain, to be sent cheaply. Or what is wrong with it."""

    source: str
    height: int
    width: int
    cells: bytes
    error: str = ""

    @property
    def board(self) -> Board:
        return Board(_shape(self.height, self.width), self.cells)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked about every board."""

    rendering: str
    """`json`, `number`, `text`, or `drawing`: on a terminal."""
    plan: Plan
    wanted: str = "count"
    """Or `estimate`, `list`, `nth`, `sample`, `candidates`, `classify`; of ledgers, `status` or `audit`."""
    number: int = 0
    """The place of the solution that is wanted, or the size of the sample."""
    seed: int | None = None
    output: Output | None = None
    """Where solutions go."""
    grids: bool = False
    """Solutions are drawn, not written one a line."""
    seconds: float | None = None
    """How long each board may take."""
    progress: bool = False
    """Show a bar, if there is a terminal to show it on."""
    checkpoint: str | None = None
    """The file of a ledger."""
    verify: bool = False
    """Count again in another way."""

    @property
    def may_batch(self) -> bool:
        """Whether boards may be shared out among processes."""
        in_processes = (self.plan.pool is not None or self.plan.cluster is not None) and self.plan.cores != 1
        at_once = self.rendering != "drawing" and self.seconds is None and self.checkpoint is None and not self.verify
        return in_processes and at_once and self.wanted == "count"

    def deadline(self, share: float = 1.0) -> float | None:
        """When the time for a board that is begun now is up, or a share of it."""
        return None if self.seconds is None else perf_counter() + share * self.seconds


def ask(entry: Entry, engine: str) -> Question:
    """The question that an entry of a file puts to an engine."""
    board = entry.content
    if isinstance(board, BoardError):
        return Question(entry.name, 0, 0, b"", str(board))
    shape, error = board.shape, ""
    if engine == "contraction":
        try:
            check(shape)
        except ValueError as reason:
            error = f"{printable(entry.name)}: {reason} (--engine search)"
    return Question(entry.name, shape.height, shape.width, board.cells, error)
