"""The searches for the solutions that arrangements fix, in parts, on one core or several.

    problem        the solutions that an arrangement and a relabelling fix; problems are numbered
    part           a problem, or what is left of one after a path of options: 17, 17/5/40
    first round    the part `all`: every problem, for a moment. Most have no solution, and that is soon known
    table          what the searches of one problem have found below their nodes

A part is searched to its end. From time to time it gives away what is left at the first node with a choice, as
parts of their own. So most parts take less than a second. The searches of a problem share its table, at the same
time on several cores. So its parts together have hardly more nodes than one search would have.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cached_property
from threading import Lock
from time import perf_counter
from typing import TypeAlias

from enumerator.board import Board
from enumerator.engines import Part, PartResult
from enumerator.engines.interfaces import Work
from enumerator.engines.shares import WHOLE
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.fixed.arrangements import ArrangementClass
from enumerator.questions.fixed.kernel import FixedProblem, FixedSearch, FixedTable
from enumerator.questions.fixed.relabellings import DigitKinds, Relabelling, allowed_masks
from enumerator.run.maps.ordered import map_ordered

FIRST_NODES, FIRST_TABLE_BYTES = 2_000, 1 << 18
"""The nodes of each search in the first round, about a millisecond, and the size of its table."""

SLICE_NODES = 500_000
"""The nodes after which a search gives parts away, and looks at whether to stop: about 0.05 s."""

TABLE_BYTES = 128 << 20
"""The size of the table of a problem. Only entries that are used take memory.

The second hardest problem of the empty 9×9 board took 62 million nodes with 32 MB, 33 with 128 MB, and 28
with 512 MB.
"""

GIVEN_PARTS = 2
"""What is left of a search is assumed to be this times what it gives away."""

ALL = b"all"
"""The name of the first round."""

Done: TypeAlias = tuple[PartResult, list[Part]]
"""The result of a part, and the parts that it has given away."""


class FixedCounter:
    """A counter of the solutions that the arrangements of some classes fix, up to exchanges of digits."""

    def __init__(self, board: Board, kinds: DigitKinds, classes: Iterable[ArrangementClass]) -> None:
        self._shape, self._kinds, self._classes = board.shape, kinds, classes
        self._allowed = array("Q", allowed_masks(board))
        self._tables, self._lock = dict[int, FixedTable](), Lock()
        self._open = Counter[int]()
        """The number of open parts of each problem."""
        self.solutions = self.nodes = 0
        self.share = 0.0

    def run(self, cores: int, look: Callable[[], None]) -> int:
        """Count on some cores, and return the sum over all arrangements. `look` is called now and then."""
        line = deque([Part(0, ALL, WHOLE)])
        work = Work(self._work_on, list(line))
        with closing(map_ordered(work, cores, size=lambda _: 1, tick=look)) as results:
            for result, left in results:
                part = line.popleft()
                line.extendleft(reversed(left))
                self._add(part, result, left)
                look()
        return self.solutions

    def _add(self, part: Part, result: PartResult, left: list[Part]) -> None:
        """Add a result. The table of a problem without open parts is dropped."""
        self.solutions += result.solutions
        self.nodes += result.effort
        self.share += float(part.share - sum(one.share for one in left))
        self._open.update(number_of(one) for one in left)
        if part.load != ALL:
            number = number_of(part)
            self._open[number] -= 1
            if self._open[number] <= 0:
                del self._open[number], self._tables[number]

    def _work_on(self, part: Part) -> tuple[Done, list[Part]]:
        """Return the result of a part, and the parts that it has given away."""
        began = perf_counter()
        solutions, nodes, left = self._try_all() if part.load == ALL else self.search(part)
        return (PartResult(solutions, max(1, nodes), perf_counter() - began, []), left), left

    def _try_all(self) -> tuple[int, int, list[Part]]:
        """Search for a moment in each problem; return the sum, the nodes, and the problems that need longer."""
        solutions, nodes, left = 0, 0, list[int]()
        for number, (arrangements, _) in enumerate(self._problems):
            if is_stopped():
                raise TaskStoppedError
            problem = self._problem(number)
            if problem.is_void:
                continue
            search = FixedSearch(FixedTable(problem, FIRST_TABLE_BYTES))
            if search.run(FIRST_NODES):
                solutions += search.found * arrangements.size
                nodes += search.nodes
            else:
                left.append(number)
        return solutions, nodes, [Part(0, str(number).encode(), WHOLE / len(left)) for number in left]

    def search(self, part: Part) -> tuple[int, int, list[Part]]:
        """Search a part to its end; return the solutions, the nodes, and the parts that were given away."""
        number, *path = map(int, part.load.split(b"/"))
        search, share, left = FixedSearch(self._table(number), path), part.share, list[Part]()
        while not search.run(SLICE_NODES):
            if is_stopped():
                raise TaskStoppedError
            if paths := search.split():
                given = share / GIVEN_PARTS
                share -= given
                names = (b"/".join(b"%d" % step for step in (number, *each)) for each in paths)
                left[:0] = [Part(0, name, given / len(paths)) for name in names]  # in the order of one search
        return search.found * self._problems[number][0].size, search.nodes, left

    @cached_property
    def _problems(self) -> list[tuple[ArrangementClass, Relabelling]]:
        """All problems, in the order of their numbers."""
        return [(one, each) for one in self._classes for each in self._kinds.relabellings(one.first)]

    def _problem(self, number: int) -> FixedProblem:
        arrangements, (digits, groups) = self._problems[number]
        return FixedProblem(self._shape.height, self._shape.width, arrangements.first, digits, self._allowed, groups)

    def _table(self, number: int) -> FixedTable:
        """Return the table that all searches of a problem share."""
        with self._lock:
            if number not in self._tables:
                self._tables[number] = FixedTable(self._problem(number), TABLE_BYTES)
            return self._tables[number]


def number_of(part: Part) -> int:
    """Return the number of the problem that a part belongs to."""
    return int(part.load.partition(b"/")[0])
