"""The common part of engines that walk: an engine adds its compiled walks, and how to start one.

    walk.pyx            Walk, the compiled base class: slices, parts, shares; argument checks
    boards.pyx          compiled helpers for boards and solutions
    __init__.py         WalkEngine: an engine by its walks; counts on one core, slice by slice
    tree.py             parts of a tree: subtrees, the cut-off
    worker.py           the function that a worker calls
    segments.py         a walk as a fixed tree of short walks
    lists.py            lists and candidates, segment by segment
    probes.py           random probes of a tree, for estimates
    partial_probes.py   random probes by short walks, where most random paths are dead ends

A walk visits every solution of a board, and can be interrupted after any node. A node is the unit
of its effort; an engine may name it otherwise. A walk runs in slices of 20 ms. Signals and limits
are handled between slices, and the count so far is known then. Each slice costs some microseconds.

This package is not an engine. It knows no kind of walk, and it imports no engine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from math import inf
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from enumerator.board import Board, Shape
from enumerator.engines import MOST, NOTHING, SLICE_SECONDS, Engine, Share, Tally

if TYPE_CHECKING:
    from array import array

    from enumerator.engines.interfaces import CandidateCounter, ListSizes, ProbeTree, SolutionList
    from enumerator.engines.walks.tree import Tree
    from enumerator.engines.walks.walk import Walk

FIRST_SLICE_NODES = 1_000
"""The nodes of the first slice, before the speed of a walk is known."""

FIRST_SLICE_CELLS = 81
"""The cells of a board beyond which the first slice has fewer nodes: a node then takes longer."""

LEAST_SLICE_NODES = 100
"""The nodes of the shortest slice."""

KEPT_SOLUTIONS = 2
"""The number of solutions that a count keeps, if it ends at so few, or if the board is large.

Finding the solution of a large board again takes as long as the count.
"""

PROBE_NODES = 20_000
"""The nodes of a probe, about 3 ms: a count that finishes within them is short."""

Start: TypeAlias = "Callable[[bytes, int, int, array[int] | None], Walk]"
"""A function that starts a walk: it takes cells, the height and width of boxes, and pencil marks.

Other processes must be able to import it by its name.
"""


class Slices:
    """A walk that runs in slices of about `seconds` each. Their nodes adapt to its speed."""

    __slots__ = ("nodes", "seconds", "walk")

    def __init__(self, walk: Walk, seconds: float = SLICE_SECONDS) -> None:
        self.walk, self.seconds = walk, seconds
        is_small = walk.cells <= FIRST_SLICE_CELLS
        first = FIRST_SLICE_NODES if is_small else FIRST_SLICE_NODES * FIRST_SLICE_CELLS // walk.cells
        self.nodes = max(LEAST_SLICE_NODES, first)

    def run(self, limit: int = MOST, out: bytearray | memoryview | None = None, most: int = MOST) -> int:
        """Run one slice, of at most `most` nodes; return the number of solutions found."""
        before, started = self.walk.nodes, perf_counter()
        found = self.walk.run(min(self.nodes, most), limit, out)
        seconds = max(perf_counter() - started, 1e-9)
        affordable = int((self.walk.nodes - before) / seconds * self.seconds)
        self.nodes = max(LEAST_SLICE_NODES, min(affordable, 4 * self.nodes))
        return found


def pack_masks(allowed: Sequence[int] | None) -> array[int] | None:
    """Return the pencil marks of a board as the kernels take them."""
    if allowed is None:
        return None
    from array import array

    return array("Q", allowed)


def tallies(walk: Walk, limit: int | None = None) -> Iterator[Tally]:
    """Count up to `limit` solutions, and yield a tally after each slice."""
    slices = Slices(walk)
    most = MOST if limit is None else index(limit)
    found = 0
    while True:
        found += slices.run(most - found)
        yield Tally(found, walk.nodes, walk.finished, walk.share, effort=walk.nodes)
        if walk.finished or found == most:
            return


class WalkCounting:
    """A count on one core by a walk, slice by slice."""

    __slots__ = (
        "_before",
        "_began_nodes",
        "_engine",
        "_kept",
        "_most",
        "_slices",
        "_started",
        "solutions",
        "tally",
        "walk",
    )

    promised_seconds = 0.0
    is_undecided = False
    start_effort = 0

    def __init__(
        self,
        engine: WalkEngine,
        walk: Walk,
        most: int,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
        found: int = 0,
    ) -> None:
        """Continue a walk of an engine that has found `found` of at most `most` solutions."""
        self._started, self._began_nodes = perf_counter(), walk.nodes
        self._engine, self.walk, self._slices, self._most = engine, walk, Slices(walk, slice_seconds), most
        keeps = not found and (walk.cells > 81 or most <= KEPT_SOLUTIONS)
        self._kept = bytearray(KEPT_SOLUTIONS * walk.cells if keeps else 0)
        self._before, self.tally, self.solutions = before, before, found
        if walk.nodes or before.engine != engine.name:
            self.tally = self._tally()

    @property
    def effort(self) -> int:
        return max(1, self.walk.nodes)

    @property
    def rate(self) -> float:
        counted = self.walk.nodes - self._began_nodes
        return counted / (perf_counter() - self._started) if counted else self._engine.cautious_rate

    @property
    def handover_bytes(self) -> int:
        return self.walk.left * self.walk.cells

    @property
    def kept(self) -> bytes:
        return bytes(self._kept[: self.solutions * self.walk.cells])

    def step(self) -> Tally:
        left, at = self._most - self.solutions, self.solutions * self.walk.cells
        out = memoryview(self._kept)[at:] if at < len(self._kept) else None
        self.solutions += self._slices.run(left, out)
        self.tally = self._tally()
        return self.tally

    def _tally(self) -> Tally:
        walk, before, engine = self.walk, self._before, self._engine
        known = self.solutions if walk.finished else max(self.solutions, before.solutions)
        return Tally(
            known,
            before.nodes + walk.nodes if engine.effort == "nodes" else before.nodes,
            walk.finished,
            walk.share,
            tasks=before.tasks,
            engine=engine.name,
            effort=walk.nodes,
        )

    def parts(self) -> list[tuple[bytes, Share]]:
        return self.walk.parts()


class WalkEngine(Engine):
    """An engine that counts and lists by walks, for every shape."""

    effort = "nodes"
    takes_pencil_marks = True
    nominal_rate = PROBE_NODES / 0.003
    cautious_rate = 1e5
    probe_effort = PROBE_NODES
    counting: type[WalkCounting] = WalkCounting
    """The class of counts on one core."""

    def __init__(self, walk_cells: Start) -> None:
        """Make an engine from the function of its kernel that starts a walk."""
        self.walk_cells = walk_cells

    @abstractmethod
    def start_check(self, board: Board) -> tuple[str, Walk]:
        """Start a walk over the solutions of a board in another way, for audits; return its name, too."""

    def supports(self, shape: Shape) -> bool:
        return True

    def start(self, board: Board) -> Walk:
        """Start a walk over the solutions of a board."""
        shape = board.shape
        masks = None if board.allowed is None else pack_masks(board.allowed)
        return self.walk_cells(board.cells, shape.height, shape.width, masks)

    def start_count(self, board: Board) -> Walk:
        """Start a walk of which only the number of solutions matters, not their order."""
        return self.start(board)

    def begin(
        self,
        board: Board,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> WalkCounting:
        walk = self.start_count(board)
        return self.counting(self, walk, MOST if limit is None else index(limit), before, slice_seconds)

    def count_or_begin(self, board: Board, limit: int | None = None) -> int | WalkCounting:
        walk, most = self.start_count(board), MOST if limit is None else index(limit)
        found = walk.run(FIRST_SLICE_NODES, most)
        return found if walk.finished or found == most else self.counting(self, walk, most, found=found)

    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Tree:
        return self.tree(board.shape, cutoff, limited, board.allowed)

    def tree(
        self,
        shape: Shape,
        cutoff: int | None = None,
        limited: bool = False,
        allowed: tuple[int, ...] | None = None,
    ) -> Tree:
        """Return the job of walking over boards of a shape, which have the pencil marks `allowed`."""
        from enumerator.engines.walks.tree import Tree

        return Tree(self, shape, cutoff, limited, allowed)

    def search_space(self, board: Board) -> int:
        from enumerator.engines.walks.boards import space

        return space(board.cells, board.shape.height, board.shape.width, pack_masks(board.allowed))

    def predict(self, board: Board, tally: Tally, limit: int | None) -> float:
        if tally.engine != self.name or not tally.effort:
            return inf
        expected = tally.effort / max(tally.share, 1e-300)
        if limit is not None and tally.solutions:
            expected = min(expected, tally.effort / tally.solutions * min(limit, MOST))
        return expected / self.nominal_rate

    def rate_for(self, shape: Shape) -> float:
        return self.nominal_rate * min(1.0, 81 / shape.cells) ** 2  # a node has more cells, and more peers of each

    def trial(self, board: Board, effort: int, limit: int | None = None) -> Tally:
        walk = self.start(board)
        found = walk.run(effort, MOST if limit is None else min(index(limit), MOST))
        nodes = walk.nodes if self.effort == "nodes" else 0
        return Tally(found, nodes, walk.finished, walk.share, engine=self.name, effort=walk.nodes)

    def is_quick(self, board: Board) -> bool:
        return self.trial(board, self.probe_effort * 81 // board.shape.cells).complete

    def list_sizes(self) -> ListSizes:
        """Return the sizes of the pieces of a list, if the caller has none."""
        from enumerator.engines.interfaces import DEFAULT_SIZES

        return DEFAULT_SIZES

    def solutions(self, board: Board, sizes: ListSizes | None = None) -> SolutionList:
        from enumerator.engines.walks.lists import WalkList

        return WalkList(self, board, sizes or self.list_sizes(), self.is_quick(board))

    def candidates(self, board: Board, sizes: ListSizes | None = None) -> CandidateCounter:
        from enumerator.engines.walks.lists import WalkCandidates

        return WalkCandidates(self, board, sizes or self.list_sizes())

    def probe_tree(self, board: Board) -> ProbeTree | None:
        from enumerator.engines.walks.probes import WalkProbes

        return WalkProbes(self.start(board), board)

    def list_nodes(self, shape: Shape, sizes: ListSizes | None = None) -> int:
        from enumerator.engines.walks.segments import first_segment

        return first_segment(Board.empty(shape), sizes or self.list_sizes()).nodes
