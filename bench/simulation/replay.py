"""A walk over pieces instead of boards: the job that the simulated driver runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from gmpy2 import mpq, mpz

from bench.tables.rows import Piece
from enumerator.board import Shape
from enumerator.engines import MAX_TASK_SECONDS, MOST, SLICE_SECONDS, Part, PartResult, Share, Tally, TaskResult
from enumerator.engines.search import ENGINE as SEARCH
from enumerator.engines.shares import exact_shares, to_pair
from enumerator.engines.walks import FIRST_SLICE_NODES
from enumerator.engines.walks.tree import Tree
from enumerator.run.local import PartialCount, takes_long
from enumerator.run.pacing import DEFAULT_PACING


class Replay(Tree):
    """The tree of one board, in pieces. A load is the number of a piece."""

    def __init__(
        self,
        pieces: Iterable[Piece],
        spend: Callable[[float], None],
        branch_seconds: float = 0.0,
        cutoff: int | None = None,
        speed: float = 1.0,
        has_budgets: bool = True,
    ) -> None:
        """Take the pieces of a board, in order, and the machine's speed relative to their walk.

        `spend` charges seconds to the driver's thread: `branch_seconds` for a branch. Without budgets, tasks
        are walked to their ends.
        """
        super().__init__(SEARCH, Shape(3, 3), cutoff)
        self.spend, self.branch_seconds, self.speed = spend, branch_seconds, speed
        self.pieces = list(pieces)
        self.below: list[list[int]] = [[] for _ in self.pieces]
        for piece in self.pieces:
            if piece.parent is not None:
                self.below[piece.parent].append(piece.number)
        self.shares = piece_shares(self.pieces, self.below)
        self.work, self.has_budgets = self._walk, has_budgets
        self.on_walk: Callable[[int], object] = lambda _number: None
        """Called with the number of each piece that a task walks over."""

    @property
    def seconds(self) -> float:
        """The time of the walk in one go."""
        return sum(piece.seconds for piece in self.pieces) / self.speed

    @property
    def solutions(self) -> int:
        return sum(piece.solutions for piece in self.pieces)

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        return Part(mpz(self._piece(load).search_space), load, share, row)

    def branch(self, part: Part) -> list[Part]:
        self.spend(self.branch_seconds)
        piece = self._piece(part.load)
        below = [self.pieces[number] for number in self.below[piece.number]]
        shares = self.shares
        return [
            self.part(load_of(child), part.share * shares[child.number] / shares[piece.number]) for child in below
        ] or [part]

    def _piece(self, load: bytes) -> Piece:
        return self.pieces[int.from_bytes(load)]

    def _walk(self, loads: list[bytes], nodes: int, _limit: int, timeout: float = MAX_TASK_SECONDS) -> TaskResult:
        budget, done, passed = max(1, nodes), [], 0.0
        if not self.has_budgets:
            budget, timeout = MOST, inf
        for load in loads:
            if budget <= 0 or passed > timeout:
                break
            one = self._walk_one(self._piece(load), budget, timeout - passed)
            done.append(one)
            budget, passed = budget - one.effort, passed + one.seconds
        return TaskResult(done, 0)

    def _walk_one(self, piece: Piece, budget: int, timeout: float) -> PartResult:
        """Walk over a subtree; hand back the unvisited subtrees, in the order of the walk."""
        ahead, solutions, visited, seconds = [piece.number], 0, 0, 0.0
        while ahead and visited < budget and seconds < timeout:
            number = ahead.pop()
            here = self.pieces[number]
            self.on_walk(number)
            ahead += reversed(self.below[number])
            solutions += here.solutions
            visited += here.nodes
            seconds += here.seconds / self.speed
        rest = [
            (load_of(self.pieces[number]), to_pair(self.shares[number] / self.shares[piece.number]))
            for number in reversed(ahead)
        ]
        return PartResult(solutions, max(1, visited), seconds, rest)

    def start(self) -> PartialCount:
        """Walk on one core until nothing is left, or until it is clear that the walk takes long."""
        whole: tuple[bytes, Share] = (load_of(self.pieces[0]), (1, 1))
        ahead, solutions, nodes, seconds, slice_ = [whole], 0, 0, 0.0, FIRST_SLICE_NODES
        while ahead:
            result = self._walk([load for load, _ in ahead], slice_, 0)
            left = [
                (load, to_pair(exact))
                for done, (_, share) in zip(result.parts, ahead, strict=False)
                for load, exact in exact_shares(mpq(*share), done.rest)
            ]
            ahead = left + ahead[len(result.parts) :]
            solutions, nodes, seconds = solutions + result.solutions, nodes + result.effort, seconds + result.seconds
            slice_ = int(min(result.effort / max(result.seconds, 1e-9) * SLICE_SECONDS, 4 * slice_))
            share = float(1 - sum(mpq(*share) for _, share in ahead))
            if takes_long(seconds, seconds / max(share, 1e-9), 0, DEFAULT_PACING):
                break
        self.spend(seconds)
        tally = Tally(solutions, nodes, not ahead, 1.0 if not ahead else share)
        return PartialCount(tally, solutions, ahead, seconds, nodes / max(seconds, 1e-9))


def piece_shares(pieces: list[Piece], below: list[list[int]]) -> list[mpq]:
    """Return the shares of pieces as fractions: those of the table are rounded.

    The pieces below a piece have equal shares of it, and a piece comes after the one above it.
    """
    shares = [mpq(1) for _ in pieces]
    for piece in pieces:
        for child in below[piece.number]:
            shares[child] = shares[piece.number] / len(below[piece.number])
    return shares


def load_of(piece: Piece) -> bytes:
    return piece.number.to_bytes(4)
