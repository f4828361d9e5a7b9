"""The engine `search`: walks the tree of guesses.

    kernel.pyx     the compiled walk: slices, budgets, parts; nine.h is its 9×9 form
    reference.py   the same walk in plain Python: the specification
    tree.py        parts of a tree: subtrees, the cut-off
    probes.py      random probes of a tree, for estimates
    worker.py      the function that a worker calls
    segments.py    a walk as a fixed tree of short walks
    lists.py       lists and candidates, segment by segment

The kernel runs in slices of 20 ms. Signals and limits are handled between slices, and the count so
far is known then. Each slice costs some microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines import MOST, NOTHING, SLICE_SECONDS, Engine, KernelBuild, MissingKernelError, Tally

if TYPE_CHECKING:
    from array import array

    from enumerator.engines import Job
    from enumerator.engines.blocks import BoardCounts
    from enumerator.engines.lists import CandidateCounter, ListSizes, ProbeTree, SolutionList

try:
    from enumerator.engines.search import kernel
except ImportError as error:
    raise MissingKernelError(
        f"the compiled kernel of enumerator is missing from {__path__[0]}: in its source tree, install with"
        " `pip install -e .`, or run Python in another folder after `pip install .`"
    ) from error

FIRST_SLICE_NODES = 1_000
"""The nodes of the first slice, before the speed of a walk is known."""

PROBE_NODES = 20_000
"""The nodes of a probe, about 3 ms: a count that finishes within them is short."""


class Slices:
    """A walk that runs in slices of about `seconds` each. Their nodes adapt to its speed."""

    __slots__ = ("nodes", "seconds", "walk")

    def __init__(self, walk: kernel.Walk, seconds: float = SLICE_SECONDS) -> None:
        self.walk, self.seconds = walk, seconds
        self.nodes = FIRST_SLICE_NODES

    def run(self, limit: int = MOST, out: bytearray | None = None) -> int:
        """Run one slice; return the number of solutions found."""
        before, started = self.walk.nodes, perf_counter()
        found = self.walk.run(self.nodes, limit, out)
        seconds = max(perf_counter() - started, 1e-9)
        affordable = int((self.walk.nodes - before) / seconds * self.seconds)
        self.nodes = max(FIRST_SLICE_NODES // 10, min(affordable, 4 * self.nodes))
        return found


def pack_masks(allowed: Sequence[int] | None) -> array[int] | None:
    """Return the pencil marks of a board as the kernel takes them."""
    if allowed is None:
        return None
    from array import array

    return array("Q", allowed)


def start(board: Board) -> kernel.Walk:
    """Start a walk over the solutions of a board."""
    if board.allowed is None:
        return kernel.start(board.cells, board.shape.height, board.shape.width)
    return kernel.start(board.cells, board.shape.height, board.shape.width, pack_masks(board.allowed))


def tallies(walk: kernel.Walk, limit: int | None = None) -> Iterator[Tally]:
    """Count up to `limit` solutions, and yield a tally after each slice."""
    slices = Slices(walk)
    most = MOST if limit is None else index(limit)
    found = 0
    while True:
        found += slices.run(most - found)
        yield Tally(found, walk.nodes, walk.finished, walk.share, effort=walk.nodes)
        if walk.finished or found == most:
            return


def count(board: Board, limit: int | None = None) -> int:
    """Return the number of solutions, at most `limit`, counted on one core."""
    *_, last = tallies(start(board), limit)
    return last.solutions


class SearchCounting:
    """A count on one core by a walk, slice by slice."""

    __slots__ = ("_before", "_began_nodes", "_most", "_slices", "_started", "solutions", "tally", "walk")

    promised_seconds = 0.0

    def __init__(
        self, walk: kernel.Walk, most: int, before: Tally, slice_seconds: float = SLICE_SECONDS, found: int = 0
    ) -> None:
        """Continue a walk that has found `found` of at most `most` solutions."""
        self._started, self._began_nodes = perf_counter(), walk.nodes
        self.walk, self._slices, self._most = walk, Slices(walk, slice_seconds), most
        self._before, self.tally, self.solutions = before, before, found
        if walk.nodes:
            self.tally = self._tally()

    @property
    def effort(self) -> int:
        return max(1, self.walk.nodes)

    @property
    def rate(self) -> float:
        counted = self.walk.nodes - self._began_nodes
        return counted / (perf_counter() - self._started) if counted else Search.cautious_rate

    @property
    def handover_bytes(self) -> int:
        return self.walk.left * self.walk.cells

    def step(self) -> Tally:
        self.solutions += self._slices.run(self._most - self.solutions)
        self.tally = self._tally()
        return self.tally

    def _tally(self) -> Tally:
        walk, before = self.walk, self._before
        known = self.solutions if walk.finished else max(self.solutions, before.solutions)
        return Tally(
            known,
            before.nodes + walk.nodes,
            walk.finished,
            walk.share,
            tasks=before.tasks,
            effort=walk.nodes,
        )

    def parts(self) -> list[tuple[bytes, float]]:
        return self.walk.parts()


class Search(Engine):
    """The engine that walks the tree of guesses, for every shape."""

    name = "search"
    effort = "nodes"
    takes_pencil_marks = True
    nominal_rate = 20_000 / 0.003
    cautious_rate = 1e5
    probe_effort = PROBE_NODES
    build = KernelBuild(kernel.COMPILER, kernel.CYTHON, kernel.FLAGS, kernel.CHECKED)

    def supports(self, shape: Shape) -> bool:
        return True

    def begin(
        self,
        board: Board,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> SearchCounting:
        return SearchCounting(start(board), MOST if limit is None else index(limit), before, slice_seconds)

    def count_or_begin(self, board: Board, limit: int | None = None) -> int | SearchCounting:
        walk, most = start(board), MOST if limit is None else index(limit)
        found = walk.run(FIRST_SLICE_NODES, most)
        return found if walk.finished or found == most else SearchCounting(walk, most, NOTHING, found=found)

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False) -> Job:
        from enumerator.engines.search.tree import Tree

        return Tree(board.shape, cutoff, limited, board.allowed)

    def search_space(self, board: Board) -> int:
        return kernel.space(board.cells, board.shape.height, board.shape.width, pack_masks(board.allowed))

    def predict(self, board: Board, tally: Tally, limit: int | None) -> float:
        if tally.engine != self.name or not tally.effort:
            return inf
        expected = tally.effort / max(tally.share, 1e-300)
        if limit is not None and tally.solutions:
            expected = min(expected, tally.effort / tally.solutions * limit)
        return expected / self.nominal_rate

    def is_quick(self, board: Board) -> bool:
        walk = start(board)
        walk.run(PROBE_NODES * 81 // board.shape.cells)
        return walk.finished

    def solutions(self, board: Board, sizes: ListSizes | None = None) -> SolutionList:
        from enumerator.engines.lists import DEFAULT_SIZES
        from enumerator.engines.search.lists import SearchList

        return SearchList(board, sizes or DEFAULT_SIZES, self.is_quick(board))

    def candidates(self, board: Board, sizes: ListSizes | None = None) -> CandidateCounter:
        from enumerator.engines.lists import DEFAULT_SIZES
        from enumerator.engines.search.lists import SearchCandidates

        return SearchCandidates(board, sizes or DEFAULT_SIZES)

    def probe_tree(self, board: Board) -> ProbeTree:
        from enumerator.engines.search.probes import SearchProbes

        return SearchProbes(board)

    def count_boards(
        self,
        boards: memoryview,
        shape: Shape,
        budget: int,
        limit: int,
        out: BoardCounts,
        allowed: Sequence[int] | None = None,
    ) -> tuple[int, SearchCounting | None]:
        height, width, facts = shape.height, shape.width, out.facts
        counted, walk, found = kernel.count_boards(
            boards,
            height,
            width,
            budget,
            limit,
            out.counts,
            facts.nodes if facts else None,
            facts.nanoseconds if facts else None,
            out.unique,
            out.listed,
            pack_masks(allowed),
        )
        if facts:
            some = boards[: counted * shape.cells]
            kernel.candidate_counts(some, height, width, facts.candidates, facts.empty_cells, pack_masks(allowed))
        return counted, None if walk is None else SearchCounting(walk, min(limit, MOST), NOTHING, found=found)

    def list_nodes(self, shape: Shape, sizes: ListSizes | None = None) -> int:
        from enumerator.engines.search.segments import first_segment

        return first_segment(Board.empty(shape), sizes).nodes


ENGINE = Search()
