"""The interface of an engine, the registry of engines, and the words in which engines report.

    engine     a way to find solutions: `search` walks the tree, `contraction` counts without walking
    counting   a count on one core, slice by slice: the start of every count
    job        a count that can be split into parts, which workers count apart from each other
    part       a piece of a job, as bytes, with its share of the whole
    work       tasks in a fixed order, for lists and candidates; a task may leave others behind it

An engine is a package in this folder with a constant `ENGINE`, and one line in `MODULES`. The rest
of the house knows an engine by this interface alone. What an engine cannot do it answers with None,
and the next engine is asked. Nothing in here knows about threads, processes or files.

    __init__.py   the interface and the registry
    jobs.py       counts: on one core, and as jobs
    lists.py      lists, candidates, probes: imported by those who ask for them
    results.py    tallies, parts, results
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    DIVIDED,
    MAX_TASK_SECONDS,
    MOST,
    NOTHING,
    KernelBuild,
    NullRecord,
    Part,
    PartResult,
    Record,
    Tally,
    TaskResult,
    worker_id,
)

if TYPE_CHECKING:
    from enumerator.engines.lists import CandidateCounter, ListSizes, ProbeTree, SolutionList

__all__ = [
    "AUTO",
    "DIVIDED",
    "MAX_TASK_SECONDS",
    "MODULES",
    "MOST",
    "NOTHING",
    "SLICE_SECONDS",
    "Counting",
    "Engine",
    "Job",
    "JobCounting",
    "KernelBuild",
    "MissingKernelError",
    "NullRecord",
    "Part",
    "PartResult",
    "Record",
    "Recount",
    "Tally",
    "TaskResult",
    "Worker",
    "describe_outcome",
    "first_supporting",
    "get",
    "kernel_build",
    "merge_tally",
    "names",
    "register",
    "supporting",
    "worker_id",
]


class MissingKernelError(ImportError):
    """The compiled modules of an engine are missing. Says what to do."""


class Engine(ABC):
    """A way to find solutions. What an engine does not offer is answered by the next one."""

    name: str
    effort: str
    """The unit of effort, in the plural: nodes, products."""
    visits = True
    """It visits every solution: its effort is at least their number."""
    nominal_rate = 1e6
    """Effort a second, on the machine on which predictions were calibrated."""
    cautious_rate = 1e3
    """Effort a second, to begin with, where nothing is known yet."""
    setup_seconds = 0.0
    """The time, at the nominal rate, that it takes to predict: shorter counts are not worth it."""
    probe_effort = 3_000
    """The effort, some 3 ms, after which `auto` compares this engine with the others."""

    build: KernelBuild | None = None
    """How its compiled code was built, if it has any."""

    @abstractmethod
    def supports(self, shape: Shape) -> bool:
        """Tell if boards of this shape can be counted."""

    @abstractmethod
    def job(self, board: Board, cutoff: int | None = None, limited: bool = False) -> Job:
        """Return the count of a board as a job."""

    def check(self, shape: Shape) -> None:
        """Raise ValueError for a shape that is not supported."""
        if not self.supports(shape):
            raise ValueError(f"{shape} boxes are not supported by the engine {self.name}: use the search")

    def begin(
        self,
        board: Board,
        limit: int | None = None,
        before: Tally = NOTHING,
        slice_seconds: float = SLICE_SECONDS,
    ) -> Counting:
        """Begin a count on one core, given what another engine has found before."""
        return JobCounting(self.job(board, limited=limit is not None), board, limit, before, slice_seconds)

    def count(self, board: Board) -> int:
        """Return the number of solutions, counted on one core."""
        counting = self.begin(board)
        while not counting.step().complete:
            pass
        return counting.solutions

    def prepare(self, board: Board) -> object:
        """Make ready for a board. The caller keeps what is returned while it may predict or begin."""
        return None

    def predict(self, board: Board, tally: Tally, limit: int | None) -> float:
        """Return the seconds of a whole count at the nominal rate; infinity if there is no telling.

        The tally is that of the engine itself, or, before it is begun, of another.
        """
        return inf

    def is_quick(self, board: Board) -> bool:
        """Tell if the engine counts a board in a moment: by its effort, not by the clock."""
        return False

    def solutions(self, board: Board, sizes: ListSizes | None = None) -> SolutionList | None:
        """Return the list of solutions."""
        return None

    def candidates(self, board: Board, sizes: ListSizes | None = None) -> CandidateCounter | None:
        """Return a counter of candidates."""
        return None

    def probe_tree(self, board: Board) -> ProbeTree | None:
        """Return the tree of a board, for estimates."""
        return None

    def classify(
        self,
        boards: memoryview,
        shape: Shape,
        budget: int,
        solutions: memoryview | None,
    ) -> bytes | None:
        """Return the number of solutions, at most 2, of each board, up to one that exceeds the budget.

        The solution of a board that has one is written to its place in `solutions`.
        """
        return None


MODULES = {
    "search": "enumerator.engines.search",
    "contraction": "enumerator.engines.contraction",
}
"""The engines by name: a module with a constant `ENGINE`, imported when it is asked for.

`auto` begins with the first that supports a board, and changes to the one predicted to be the fastest.
"""

AUTO = "auto"

_engines: dict[str, Engine] = {}


def register(engine: Engine) -> None:
    """Add an engine that is not in `MODULES`."""
    _engines[engine.name] = engine
    MODULES.setdefault(engine.name, type(engine).__module__)


def names() -> list[str]:
    """Return what may be chosen: `auto`, and every engine."""
    return [AUTO, *MODULES]


def get(name: str) -> Engine:
    """Return the engine of that name."""
    if name not in _engines:
        _engines[name] = import_module(MODULES[name]).ENGINE
    return _engines[name]


def first_supporting(shape: Shape) -> Engine:
    """Return the first engine of the registry that supports a shape."""
    for name in MODULES:
        engine = _engines.get(name) or get(name)
        if engine.supports(shape):
            return engine
    raise ValueError(f"no engine supports {shape} boxes")


def supporting(shape: Shape) -> list[Engine]:
    """Return the engines for a shape, in the order of the registry."""
    return [engine for engine in map(get, list(MODULES)) if engine.supports(shape)]


def kernel_build() -> KernelBuild:
    """Return how the compiled code of the first engine was built; all engines are built alike."""
    return next(build for build in (get(name).build for name in MODULES) if build)
