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

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cached_property
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.engines import NullRecord, Part, PartResult, Record
from enumerator.engines.interfaces import Work
from enumerator.engines.shares import WHOLE
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.fixed.arrangements import ArrangementClass
from enumerator.questions.fixed.fixed_counts import FixedProblem, FixedSearch, FixedTable
from enumerator.questions.fixed.relabellings import DigitKinds, Relabelling, allowed_masks
from enumerator.run.maps.unordered import map_unordered

if TYPE_CHECKING:
    from gmpy2 import mpq

    from enumerator.run.ledger import Ledger

VERSION = 1
"""The version of the numbers of problems and of their options. Ledgers store it.

Increase it if a name stands for another part than before.
"""

FIRST_NODES, FIRST_TABLE_BYTES = 2_000, 1 << 18
"""The nodes of each search in the first round, about a millisecond, and the size of its table."""

SLICE_NODES = 500_000
"""The nodes after which a search gives parts away, and looks at whether to stop: about 0.05 s."""

TABLE_BYTES, LONG_TABLE_BYTES = 32 << 20, 128 << 20
"""The size of the table of a problem at first, and after LONG_NODES.

The second hardest problem of the empty 9×9 board took 62 million nodes with 32 MB, 33 with 128 MB, and 28
with 512 MB. For shorter ones, a table of 128 MB takes longer to make than it saves: a quarter of the time of 8×8.
"""

LONG_NODES = 8_000_000
"""The nodes of a problem after which its table is replaced by a larger one: some seconds."""

GIVEN_PARTS = 2
"""What is left of a search is assumed to be this times what it gives away."""

ALL = b"all"
"""The name of the first round."""


class FixedCounter:
    """A counter of the solutions that the arrangements of some classes fix, up to exchanges of digits."""

    def __init__(self, board: Board, kinds: DigitKinds, classes: Iterable[ArrangementClass]) -> None:
        self._shape, self._kinds, self._classes = board.shape, kinds, classes
        self._allowed = array("Q", allowed_masks(board))
        self._tables, self._lock = dict[int, tuple[int, FixedTable]](), Lock()
        """The tables of problems, with their sizes."""
        self._open = Counter[int]()
        """The number of open parts of each problem."""
        self._spent = Counter[int]()
        """The nodes of each problem."""
        self.solutions = self.nodes = 0
        self.share = 0.0

    def run(self, cores: int, look: Callable[[], None]) -> int:
        """Count on some cores, and return the sum over all arrangements. `look` is called now and then."""
        return self._run([Part(0, ALL, WHOLE)], cores, look, NullRecord())

    def run_recorded(self, cores: int, look: Callable[[], None], ledger: Ledger, engine: str, solutions: int) -> int:
        """Count like `run`, and record every part. Resume a ledger that has parts of this counter.

        Another one has the parts of the count by which `engine` has found all `solutions`. They are dropped.
        """
        codec = PartNames(self, engine)
        if "solutions" in ledger.contents.run:
            parts, known = ledger.parts(codec), ledger.contents.totals
            self.solutions, self.nodes, self.share = known.solutions, known.effort, float(known.share)
        else:
            ledger.note(solutions=str(solutions))
            parts = [ledger.begin(codec, ALL)]
        try:
            return self._run(parts, cores, look, ledger)
        finally:
            ledger.commit(last=True)

    def _run(self, parts: list[Part], cores: int, look: Callable[[], None], record: Record) -> int:
        if [part.load for part in parts] == [ALL]:
            parts = self._close(parts[0], *self.first_round(look), record)
        rows = {part.load: part for part in parts}
        self._open = Counter(steps_of(name)[0] for name in rows)
        if not parts:  # most boards need no threads
            return self.solutions
        with closing(map_unordered(Work(self.work_on, parts), cores, look)) as results:
            for part, result, left in results:
                rows |= {one.load: one for one in self._close(rows.pop(part.load), result, left, record)}
                self._note_end(steps_of(part.load)[0], result.effort, len(left))
                look()
        return self.solutions

    def _close(self, part: Part, result: PartResult, left: list[Part], record: Record) -> list[Part]:
        """Add and record the result of a part; return what is left of it as it is recorded."""
        recorded = record.close_part(part, result, left)
        record.commit()
        self.solutions += result.solutions
        self.nodes += result.effort
        self.share += float(part.share - sum(one.share for one in left))
        return recorded

    def _note_end(self, number: int, nodes: int, left: int) -> None:
        """Note that a part of a problem is done. Drop the table, if it was the last one that was open."""
        self._spent[number] += nodes
        self._open[number] += left - 1
        if not self._open[number]:
            del self._open[number], self._tables[number]

    def check(self, name: bytes) -> None:
        """Raise ValueError if `name` is not that of a part."""
        if name == ALL:
            return
        if not re.fullmatch(rb"\d{1,9}(/\d{1,9})*", name) or steps_of(name)[0] >= len(self._problems):
            raise ValueError(f"{name[:100]!r} is not a part of the search for fixed solutions")
        number, *path = steps_of(name)
        FixedSearch(FixedTable(self._problem(number), FIRST_TABLE_BYTES), path)

    def first_round(self, look: Callable[[], None]) -> tuple[PartResult, list[Part]]:
        """Search for a moment in each problem; return the result, and the problems that need longer as parts."""
        began, solutions, nodes, left = perf_counter(), 0, 0, list[bytes]()
        for number, (arrangements, _) in enumerate(self._problems):
            problem = self._problem(number)
            if problem.is_void:
                continue
            search = FixedSearch(FixedTable(problem, FIRST_TABLE_BYTES))
            if search.run(FIRST_NODES):
                solutions += search.found * arrangements.size
                nodes += search.nodes
            else:
                left.append(b"%d" % number)
            look()
        result = PartResult(solutions, max(1, nodes), perf_counter() - began, [])
        return result, [Part(0, name, WHOLE / len(left)) for name in left]

    def work_on(self, part: Part) -> tuple[PartResult, list[Part]]:
        """Search a part to its end; return the result, and the parts that it has given away."""
        began, (number, *path) = perf_counter(), steps_of(part.load)
        search, share, left = FixedSearch(self._table(number), path), part.share, list[Part]()
        while not search.run(SLICE_NODES):
            if is_stopped():
                raise TaskStoppedError
            if paths := search.split():
                given = share / GIVEN_PARTS
                share -= given
                names = (b"/".join(b"%d" % step for step in (number, *each)) for each in paths)
                left[:0] = [Part(0, name, given / len(paths)) for name in names]  # in the order of one search
        solutions = search.found * self._problems[number][0].size
        return PartResult(solutions, max(1, search.nodes), perf_counter() - began, []), left

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
            size = TABLE_BYTES if self._spent[number] < LONG_NODES else LONG_TABLE_BYTES
            if self._tables.get(number, (0,))[0] != size:
                self._tables[number] = size, FixedTable(self._problem(number), size)
            return self._tables[number][1]


class PartNames:
    """A conversion between the parts of a counter and the names in a ledger."""

    def __init__(self, counter: FixedCounter, engine: str) -> None:
        self._counter, self.engine = counter, engine

    def part(self, load: bytes, share: mpq, row: int = 0) -> Part:
        return Part(0, load, share, row)

    def text(self, load: bytes) -> str:
        return load.decode()

    def load(self, text: str) -> bytes:
        name = text.encode()
        self._counter.check(name)
        return name


def steps_of(name: bytes) -> list[int]:
    """Return the number of the problem that a part belongs to, and the options on its path."""
    return [int(step) for step in name.split(b"/")]
