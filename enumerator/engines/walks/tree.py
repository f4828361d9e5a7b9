"""Parts of a tree: subtrees, and splitting them.

Terms:

    part      a subtree, given by the cells of its board. Its size is the search space of the board.
              All parts of a tree have the same pencil marks, so a load does not hold them
    branch    to divide a part: the walk applies its rules, then makes one child for each
              candidate of the best cell. The children have all solutions of the part. A dead part
              has no children
    cut-off   the search space above which a part is branched again
    share     the fraction of the whole tree, as if all branches of a node were equally large
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from gmpy2 import mpq, mpz

from enumerator.board import Board, Shape
from enumerator.engines import DIVIDED, Job, NullRecord, Part, Record, Recount, Worker, describe_outcome
from enumerator.engines.shares import WHOLE, exact_shares
from enumerator.engines.walks import Start, WalkEngine, pack_masks, tallies
from enumerator.engines.walks.boards import space
from enumerator.engines.walks.worker import walk_parts

if TYPE_CHECKING:
    from enumerator.engines.walks.walk import Walk

Divide: TypeAlias = Callable[[Part], list[Part] | None]
"""A function that divides a part that is too large for one task, and returns None for others."""

Branch: TypeAlias = Callable[[Part], list[Part]]
"""A function that returns the children of a part: the part itself, if its board is full."""


class Tree(Job):
    """The job of walking over the solutions of a board, subtree by subtree."""

    def __init__(
        self,
        engine: WalkEngine,
        shape: Shape,
        cutoff: int | None = None,
        limited: bool = False,
        allowed: tuple[int, ...] | None = None,
    ) -> None:
        self.walks, self.allowed, self._masks = engine, allowed, pack_masks(allowed)
        super().__init__(engine.name, shape, self._work(engine.walk_cells, shape))
        self.cutoff, self.limited = None if cutoff is None else mpz(cutoff), limited
        self.minimum_budget = 2 * shape.cells  # enough to reach a solution
        self.weight = (shape.cells / 81) ** 2  # a task leaves more parts, and each has more cells

    def _work(self, start: Start, shape: Shape) -> Worker:
        work = partial(walk_parts, start, shape.height, shape.width)
        return partial(work, allowed=self._masks) if self.allowed else work

    def walk_with(self, start: Start) -> None:
        """Let workers start their walks by a function whose walks help each other in a process."""
        self.work, self.stays_in_process = self._work(start, self.shape), True

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        return Part(mpz(space(load, self.shape.height, self.shape.width, self._masks)), load, share, row)

    def board(self, load: bytes) -> Board:
        return Board.from_cells(self.shape, load, self.allowed)

    def walk_over(self, load: bytes) -> Walk:
        """Start a walk over a part."""
        return self.walks.walk_cells(load, self.shape.height, self.shape.width, self._masks)

    def tasks(self, parts: list[Part], record: Record) -> Iterator[Part]:
        if self.cutoff is None:
            return iter(parts)
        return split(sorted(parts, reverse=True), above(self.cutoff, self.branch), record)

    def divide(self, part: Part) -> list[Part] | None:
        """Return the children of a part; None with a cut-off or with a limit.

        With a limit, parts stay whole: a walk down one part reaches solutions sooner.
        """
        return None if self.cutoff or self.limited else above(1, self.branch)(part)

    def branch(self, part: Part) -> list[Part]:
        """Return one part for each candidate of the best cell."""
        below = self.walk_over(part.load).parts()
        return [self.part(cells, share) for cells, share in exact_shares(part.share, below)]

    def recount(self, work: str, solutions: int, effort: int, left: list[str]) -> Recount:
        """Walk a part of a ledger again, and compare.

        If nothing was left of the part, the engine's check walks it in another way. Otherwise the same walk is
        repeated: it must find as many solutions and leave the same boards.
        """
        cells = self.load(work)
        if not left:
            way, check = self.walks.start_check(self.board(cells))
            *_, last = tallies(check)
            return Recount(way, str(solutions), str(last.solutions))
        walk = self.walk_over(cells)
        found = walk.run(effort)
        here = describe_outcome(found, [self.text(cells) for cells in walk.rest()])
        return Recount("the same walk", describe_outcome(solutions, left), here)

    def redivide(self, work: str, left: list[str]) -> Recount:
        below = self.branch(Part(0, self.load(work), WHOLE))
        here = describe_outcome(0, [self.text(child.load) for child in below])
        return Recount("the same division", describe_outcome(0, left), here)


def split(parts: Iterable[Part], divide: Divide, record: Record | None = None) -> Iterator[Part]:
    """Divide parts until `divide` returns None for each. Yield them one at a time, in a fixed order."""
    record = record or NullRecord()
    stack = list(parts)[::-1]
    while stack:
        top = stack.pop()
        below = divide(top)
        if below is None:
            yield top
        else:
            stack += record.close_part(top, DIVIDED, below)[::-1]


def above(cutoff: int, branch: Branch) -> Divide:
    """Return a function that branches parts above the cut-off, unless they are full."""

    def divide(part: Part) -> list[Part] | None:
        if part.size <= cutoff:
            return None
        below = branch(part)
        return None if is_itself(part, below) else below

    return divide


def is_itself(part: Part, below: list[Part]) -> bool:
    """Return True if `below`, the children of a part, is the part itself."""
    return len(below) == 1 and below[0].load == part.load
