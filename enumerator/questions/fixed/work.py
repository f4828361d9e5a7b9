"""The searches for the solutions that arrangements fix, as tasks for one core or several.

    first round    every class, for a moment: most fix no solution, and that is soon known
    then           the others, slice by slice, until all is done

A search that takes long gives a part of its tree away, so that other cores have work. It keeps its own table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from enumerator.board import Board
from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.fixed.arrangements import ArrangementClass
from enumerator.questions.fixed.fixed_counts import FixedProblem, FixedSearch
from enumerator.questions.fixed.relabellings import DigitKinds, Relabelling, allowed_masks
from enumerator.run.maps.ordered import map_ordered

FIRST_NODES = 2_000
"""The nodes of each search in the first round: about a millisecond."""

SLICE_NODES = 300_000
"""The nodes between two looks at whether to stop: about 0.1 s."""

SPLIT_NODES = 3_000_000
"""The nodes after which a search gives a part away, on several cores: about a second."""

PATH_SHARE = 0.5
"""The assumed share of what is left of a search that it gives away."""


class FixedTask(NamedTuple):
    """A search for the solutions that an arrangement and a relabelling fix."""

    size: int
    """The number of arrangements for which the solutions count."""
    problem: FixedProblem
    path: tuple[int, ...] = ()
    search: FixedSearch | None = None
    """The search; None if it is to begin."""
    share: float = 0.0
    """The assumed share of all work that is left of it."""


class FixedResult(NamedTuple):
    """The result of a task: fixed solutions, times the size of the class; nodes, and the share that is done."""

    solutions: int
    nodes: int
    share: float


class FixedCounter:
    """A counter of the solutions that the arrangements of some classes fix, up to exchanges of digits."""

    def __init__(self, board: Board, kinds: DigitKinds, classes: Iterable[ArrangementClass]) -> None:
        self.board, self._kinds, self._classes = board, kinds, classes
        self._allowed = array("Q", allowed_masks(board))
        self.solutions = self.nodes = 0
        self.share = 0.0

    def run(self, cores: int, look: Callable[[], None]) -> int:
        """Count on some cores, and return the sum over all arrangements. `look` is called now and then."""
        left = list[FixedTask]()
        for result, task in self._try_all():
            self.solutions += result.solutions
            self.nodes += result.nodes
            if task:
                left.append(task)
            look()
        tasks = [task._replace(share=1 / len(left)) for task in left]
        split_nodes = SPLIT_NODES if cores > 1 else None
        work = Work(lambda task: continue_task(task, split_nodes), tasks)
        with closing(map_ordered(work, cores, tick=look if cores > 1 else None)) as results:
            for result in results:
                self.solutions += result.solutions
                self.nodes += result.nodes
                self.share += result.share
                look()
        self.share = 1.0
        return self.solutions

    def _try_all(self) -> Iterator[tuple[FixedResult, FixedTask | None]]:
        """Search for a moment with each arrangement and relabelling; yield the result, or a task for the rest."""
        for arrangements in self._classes:
            for relabelling in self._kinds.relabellings(arrangements.first):
                problem = self._problem(arrangements, relabelling)
                if problem.is_void:
                    continue
                search = FixedSearch(problem)
                if search.run(FIRST_NODES):
                    yield FixedResult(search.found * arrangements.size, search.nodes, 0.0), None
                else:
                    yield FixedResult(0, 0, 0.0), FixedTask(arrangements.size, problem)

    def _problem(self, arrangements: ArrangementClass, relabelling: Relabelling) -> FixedProblem:
        shape = self.board.shape
        digits, groups = relabelling
        return FixedProblem(shape.height, shape.width, arrangements.first, digits, self._allowed, groups)


def continue_task(task: FixedTask, split_nodes: int | None) -> tuple[FixedResult, list[FixedTask]]:
    """Search for a slice; return what was found at the end, and what is left as tasks.

    After `split_nodes`, a search gives a part away in each slice; None: never.
    """
    if is_stopped():
        raise TaskStoppedError
    search = task.search or FixedSearch(task.problem, task.path)
    before = search.nodes
    finished, nodes = search.run(SLICE_NODES), search.nodes - before
    if finished:
        return FixedResult(search.found * task.size, nodes, task.share), []
    paths = search.split() if split_nodes is not None and search.nodes > split_nodes else []
    kept = task.share * (1 - PATH_SHARE if paths else 1)
    others = [task._replace(path=path, search=None, share=(task.share - kept) / len(paths)) for path in paths]
    return FixedResult(0, nodes, 0.0), [task._replace(search=search, share=kept), *others]
