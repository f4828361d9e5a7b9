"""The interface of an engine, the registry of engines, and the types that engines report in.

    engine     a way to find solutions: `search` walks a tree, `contraction` counts without walking,
               `learning` walks and learns from dead ends
    counting   a count on one core, slice by slice: the start of every count
    job        a count that can be split into parts, which workers count independently
    load       the bytes that describe a part to a worker: a board, or a range of a sum
    part       a piece of a job: a load, its size and its share of the whole
    work       tasks in a fixed order, for lists and candidates; a task may return follow-up tasks
    effort     the work of an engine in its own unit: nodes visited, products added, steps taken

An engine is a package in this folder with a constant `ENGINE`, and one line in `MODULES`. Other
packages use an engine only through this interface. A method for something that an engine cannot do
returns None, and the caller asks the next engine. Nothing here depends on threads, processes or
files.

    __init__.py   the interface and the registry
    instructions.py  which instruction set the kernels use
    jobs.py       counts: on one core, and as jobs
    interfaces.py  lists, candidates, probes; imported on first use
    board_blocks.py  the counts of many boards
    reductions.py  clues that are removed as long as a board has one solution
    results.py    tallies, parts, results
    shares.py     exact shares of work
    stopping.py   how a task in a thread learns that its result is not wanted any more
    search/       the walk over the tree of guesses
    contraction/  counting without walking
    learning/     the walk that learns from dead ends
    walks/        what engines that walk have in common; not an engine
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.engines.jobs import (
    SLICE_SECONDS,
    Counting,
    Job,
    JobCounting,
    Recount,
    Worker,
    describe_outcome,
    merge_tally,
)
from enumerator.engines.results import (
    ALMOST_ALL,
    DIVIDED,
    MAX_TASK_SECONDS,
    MOST,
    NOTHING,
    KernelBuild,
    NullRecord,
    Part,
    PartResult,
    Record,
    Share,
    Tally,
    TaskResult,
    worker_id,
)

if TYPE_CHECKING:
    from enumerator.engines.board_blocks import BoardCounts
    from enumerator.engines.interfaces import CandidateCounter, ClueCounter, ListSizes, ProbeTree, SolutionList
    from enumerator.engines.reductions import Reduction

__all__ = [
    "ALMOST_ALL",
    "DIVIDED",
    "MAX_TASK_SECONDS",
    "MOST",
    "NOTHING",
    "SLICE_SECONDS",
    "Counting",
    "Job",
    "JobCounting",
    "KernelBuild",
    "NullRecord",
    "Part",
    "PartResult",
    "Record",
    "Recount",
    "Share",
    "Tally",
    "TaskResult",
    "Worker",
    "describe_outcome",
    "merge_tally",
    "worker_id",
]


class MissingKernelError(ImportError):
    """The compiled modules of an engine are missing. The message says how to install them."""


class Engine(ABC):
    """A way to find solutions. A method that an engine does not implement returns None."""

    name: str
    effort: str
    """The name of the unit of effort, in the plural: nodes, products, steps."""
    version = 1
    """The version of the engine's order and cut. Ledgers store it, and only the same version resumes them.

    Increase it if loads, divisions, the outcome of a task, or the order of lists change.
    """
    visits = True
    """True if the engine visits every solution, so that its effort is at least their number."""
    takes_pencil_marks = False
    """True if the engine can count boards that restrict the candidates of their cells."""
    nominal_rate = 1e6
    """The effort per second on the machine on which predictions were calibrated."""
    cautious_rate = 1e3
    """The effort per second to assume at the start, before any was measured."""
    setup_seconds = 0.0
    """The time that `predict` takes, at the nominal rate. Shorter counts do not call it."""
    probe_effort = 3_000
    """The effort, about 3 ms, after which `auto` compares this engine with the others."""
    predicts = True
    """False if nothing is known of the time of a count before it starts.

    `auto` then uses the engine only in a race: see `races`.
    """
    shares_predict = True
    """True if the share of a count that is done predicts the time of the rest."""

    build: KernelBuild | None = None
    """The build settings of the engine's compiled code; None if it has none."""

    @abstractmethod
    def supports(self, shape: Shape) -> bool:
        """Return True if the engine can count boards of this shape."""

    @abstractmethod
    def job(self, board: Board, cutoff: int | None = None, limited: bool = False, recorded: bool = False) -> Job:
        """Return the count of a board as a job.

        `cutoff` is the search space at or below which a part is one task; None: no cut-off.
        `limited` is True if the count stops at a number of solutions. `recorded` is True if parts
        are recorded: a part must then have the same outcome when it is counted again.
        """

    def takes(self, board: Board) -> bool:
        """Return True if the engine can count this board."""
        return self.supports(board.shape) and (board.allowed is None or self.takes_pencil_marks)

    def check(self, board: Board) -> None:
        """Raise ValueError for a board that the engine cannot count."""
        if not self.supports(board.shape):
            raise ValueError(f"{board.shape} boxes are not supported by the engine {self.name}: use the search")
        if not self.takes(board):
            raise ValueError(f"the engine {self.name} does not take pencil marks: use the search")

    def begin(
        self,
        board: Board,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> Counting:
        """Begin a count on one core. `before` is the tally of an engine that was tried before."""
        job = self.job(board, limited=limit is not None)
        return JobCounting(job, [(job.whole(board), (1, 1))], limit, before, slice_seconds)

    def count_or_begin(self, board: Board, limit: int | None = None) -> int | Counting:
        """Return the number of solutions, if that takes a moment; otherwise the count that has started.

        The number is `limit` if there are at least as many.
        """
        return self.begin(board, limit)

    def count(self, board: Board) -> int:
        """Return the number of solutions, counted on one core."""
        counting = self.begin(board)
        while not counting.step().complete:
            pass
        return counting.solutions

    def prepare(self, board: Board) -> object:
        """Prepare for a board. The caller keeps the returned object as long as it may predict or begin."""
        return None

    def predict(self, board: Board, tally: Tally, limit: int | None) -> float:
        """Return the predicted seconds of a whole count at the nominal rate; infinity if unknown.

        `tally` is from this engine or, before it starts, from another one.
        """
        return inf

    def rate_for(self, shape: Shape) -> float:
        """Return the effort per second on boards of a shape, on the machine of `nominal_rate`."""
        return self.nominal_rate

    def races(self, board: Board) -> bool:
        """Return True if `auto` is to run this engine in turn with the first one, and to keep the faster.

        That is for boards on which neither of the two can be predicted.
        """
        return False

    def trial(self, board: Board, effort: int, limit: int | None = None) -> Tally | None:
        """Count for `effort`, and return the tally; None if the engine has no trials.

        The tally depends on the board only, not on the machine.
        """
        return None

    def is_quick(self, board: Board) -> bool:
        """Return True if a count of the board takes about `probe_effort` or less.

        The answer depends on effort and not on time, so it is the same on every machine.
        """
        return False

    def portfolio(self, board: Board, limit: int | None, number: int) -> Sequence[Counting]:
        """Return counts of a board whose count has started, which take other ways and help each other.

        None, if the engine has no such counts.
        """
        return ()

    def search_space(self, board: Board) -> int | None:
        """Return the search space of a board; None if the engine is no faster than the board itself."""
        return None

    def solutions(self, board: Board, sizes: ListSizes | None = None) -> SolutionList | None:
        """Return the list of solutions; None if the engine has none."""
        return None

    def candidates(self, board: Board, sizes: ListSizes | None = None) -> CandidateCounter | None:
        """Return a counter of candidates; None if the engine has none."""
        return None

    def without_clues(self, board: Board) -> ClueCounter | None:
        """Return a counter of the solutions without each clue; None if the engine has none."""
        return None

    def probe_tree(self, board: Board) -> ProbeTree | None:
        """Return the tree of a board, for estimates; None if the engine has none."""
        return None

    def count_boards(
        self,
        boards: memoryview,
        shape: Shape,
        budget: int,
        limit: int,
        out: BoardCounts,
        allowed: Sequence[int] | None = None,
    ) -> tuple[int, Counting | None] | None:
        """Count the solutions of each board, at most `limit`, one after the other.

        Return the number of boards that were counted and, if the next one takes more than `budget`
        nodes, its count so far. The call ends before that board, and soon after `budget` nodes in total. All
        boards have the pencil marks `allowed`, which are None for an engine that does not take them.
        """
        return None

    def list_nodes(self, shape: Shape, sizes: ListSizes | None = None) -> int:
        """Return the nodes of a board up to which `count_boards` lists solutions in the order of `solutions`."""
        return 0

    def reduction(self, shape: Shape) -> Reduction | None:
        """Return the tests that remove clues; None if the engine has none."""
        return None


MODULES = {
    "search": "enumerator.engines.search",
    "contraction": "enumerator.engines.contraction",
    "learning": "enumerator.engines.learning",
}
"""The engines by name: a module with a constant `ENGINE`, imported on first use.

`auto` begins with the first engine that takes a board. It switches to another one that is
predicted to be faster.
"""

AUTO = "auto"

_engines: dict[str, Engine] = {}


def register(engine: Engine) -> None:
    """Add an engine that is not in `MODULES`."""
    _engines[engine.name] = engine
    MODULES.setdefault(engine.name, type(engine).__module__)


def names() -> list[str]:
    """Return the names that `--engine` accepts: `auto` and every engine."""
    return [AUTO, *MODULES]


def get(name: str) -> Engine:
    """Return the engine called `name`."""
    if name not in _engines:
        _engines[name] = import_module(MODULES[name]).ENGINE
    return _engines[name]


def first_supporting(board: Board) -> Engine:
    """Return the first engine that takes `board`; raise ValueError if none does."""
    for name in MODULES:
        engine = _engines.get(name) or get(name)
        if engine.supports(board.shape) and (board.allowed is None or engine.takes_pencil_marks):
            return engine
    raise ValueError(f"no engine supports {board.shape} boxes{' with pencil marks' if board.allowed else ''}")


def supporting(board: Board) -> list[Engine]:
    """Return the engines that take `board`, in the order of the registry."""
    return [engine for engine in map(get, list(MODULES)) if engine.takes(board)]


def alternatives(board: Board) -> list[Engine]:
    """Return the engines whose predictions `auto` compares with the first one that takes `board`."""
    return [engine for engine in supporting(board)[1:] if engine.predicts]


def racer(board: Board) -> Engine | None:
    """Return the engine that `auto` runs in turn with the first one that takes `board`; None if there is none."""
    return next((engine for engine in supporting(board)[1:] if engine.races(board)), None)


@cache
def first_counting_boards(shape: Shape, is_restricted: bool = False) -> Engine:
    """Return the first engine that counts many boards in one call.

    `is_restricted` is True for boards with pencil marks.
    """
    from enumerator.engines.board_blocks import BoardCounts

    for engine in map(get, list(MODULES)):  # one after the other: the first one may do
        is_suitable = engine.supports(shape) and engine.takes_pencil_marks >= is_restricted
        if is_suitable and engine.count_boards(memoryview(b""), shape, 0, 0, BoardCounts(0)) is not None:
            return engine
    raise ValueError(f"no engine counts many boards with {shape} boxes")


def search_space(board: Board) -> int:
    """Return the search space of a board: on 9×9 in 1 µs, where `Board.combinations` takes 14 µs."""
    space = first_supporting(board).search_space(board)
    return board.combinations if space is None else space


def counts_boards(name: str, shape: Shape, is_restricted: bool = False) -> bool:
    """Return True if many boards may be counted in one call where the engine `name` is requested."""
    return name in (AUTO, first_counting_boards(shape, is_restricted).name)


def count_boards(
    boards: memoryview,
    shape: Shape,
    budget: int,
    limit: int,
    out: BoardCounts,
    allowed: Sequence[int] | None = None,
) -> tuple[int, Counting | None]:
    """Count the solutions of many boards by the first engine that can. See `Engine.count_boards`."""
    engine = first_counting_boards(shape, allowed is not None)
    counted = engine.count_boards(boards, shape, budget, limit, out, allowed)
    if counted is None:
        raise RuntimeError(f"the engine {engine.name} counts no boards")
    return counted


def reduction(shape: Shape) -> Reduction:
    """Return the tests that remove clues, of the first engine that has them."""
    found = (get(name).reduction(shape) for name in MODULES)
    return next(reduction for reduction in found if reduction)


def kernel_build() -> KernelBuild:
    """Return the build settings of the first engine with compiled code; all engines share them."""
    return next(build for build in (get(name).build for name in MODULES) if build)
