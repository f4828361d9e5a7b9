"""The unavoidable sets of a solution: cells that could be filled in another way.

A puzzle with this solution has a clue in each of them, or it has other solutions, too. A set is minimal if it
contains no other one. Such sets are searched for from their lowest cell, the last cells of the board first: so a
set that contains another one comes after it, and what is known after an early end is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import TypeAlias

from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.board.unavoidable_sets import LARGEST_SET, Unavoidable
from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.ask import carrying
from enumerator.questions.fields import ROW_BOARD_FIELDS, SECONDS, Field, in_text, no_words, only_json, to_dict
from enumerator.questions.solve import solve
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.partial_counts import at_least
from enumerator.text.phrases import plural

Cells: TypeAlias = tuple[int, ...]
"""The cells of a set in ascending order."""

USUAL_CELLS = {4: 16, 6: 12, 8: 12, 9: 12}
"""The usual largest number of cells of a set, by size: all sets on 4×4, 0.1 s on 9×9."""

USUAL_CELLS_BEYOND = 8
"""The same for other sizes."""


@dataclass(frozen=True, slots=True, repr=False)
class UnavoidableAnswer:
    """The minimal unavoidable sets of a solution up to a number of cells, the smallest first.

    >>> answer = en.unavoidable("1234 3412 2143 4321")
    >>> answer
    <UnavoidableAnswer: 14 sets of up to 16 cells>
    >>> answer.sizes
    {4: 8, 8: 2, 12: 4}
    """

    board: Board
    solution: Board
    most: int
    """The largest number of cells of a set: as was asked for, or all cells of the board."""
    sets: tuple[Cells, ...]
    """The cells of each set, numbered row by row from 0."""
    complete: bool
    """False if the search has ended early. There may then be more sets."""
    seconds: float

    def __iter__(self) -> Iterator[Cells]:
        return iter(self.sets)

    def __len__(self) -> int:
        """Return the number of sets."""
        return len(self.sets)

    def __repr__(self) -> str:
        return f"<UnavoidableAnswer: {self.headline}>"

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"{size} cells: {number}" for size, number in self.sizes.items())])

    @property
    def sizes(self) -> dict[int, int]:
        """The number of sets by their number of cells."""
        return dict(sorted(Counter(map(len, self.sets)).items()))

    @property
    def hits(self) -> list[Cells]:
        """The cells of each set that hold clues of the board; all of them on a full board."""
        return [tuple(cell for cell in cells if self.board.cells[cell]) for cells in self.sets]

    @property
    def headline(self) -> str:
        """The number of sets: 14 sets of up to 12 cells."""
        return f"{at_least(plural(len(self.sets), 'set', '{:,}'), self.complete)} of up to {self.most} cells"

    def to_dict(self) -> dict[str, object]:
        """Return all facts. Each set has its cells, and those that hold a clue."""
        return to_dict(FIELDS, self)


def _sets(answer: UnavoidableAnswer) -> list[dict[str, list[str]]]:
    """Return the cells of each set by name, and those of its clues."""
    size = answer.board.shape.size

    def names(cells: Cells) -> list[str]:
        return [cell_name(cell, size) for cell in cells]

    return [{"cells": names(cells), "clues": names(hits)} for cells, hits in zip(answer, answer.hits, strict=True)]


FIELDS = (
    *ROW_BOARD_FIELDS,
    Field("solution", lambda answer: str(answer.solution), in_text(lambda answer: str(answer.solution)), "", 20, ()),
    only_json("most_cells", lambda answer: answer.most),
    Field("number", len, in_text(lambda answer: answer.headline), "sets", 10, ()),
    Field(
        "sizes",
        lambda answer: {str(size): number for size, number in answer.sizes.items()},
        lambda answer, *_: [f"{size} cells: {number:,}" for size, number in answer.sizes.items()],
        "size",
        30,
        (),
    ),
    Field(
        "sets",
        _sets,
        no_words,
        columns=("size", "cells", "clues"),
        rows=lambda answer: ({"size": len(each["cells"]), **each} for each in _sets(answer)),
    ),
    only_json("complete", lambda answer: answer.complete),
    SECONDS.but(columns=()),
)


def unavoidable(board: Board, plan: Plan, most: int | None = None, *, watch: Watch = no_progress) -> UnavoidableAnswer:
    """Return the minimal unavoidable sets of at most `most` cells of the solution of a board.

    None: a usual number for the size of the board. Raise NoSolutionError or NotUniqueError if the board does not
    have exactly one solution, and ValueError for sets of more than LARGEST_SET cells. Errors that end the question
    have the sets found so far in `answer`.
    """
    started = perf_counter()
    most = min(most or USUAL_CELLS.get(board.shape.size, USUAL_CELLS_BEYOND), board.shape.cells)
    if most > LARGEST_SET:
        raise ValueError(f"unavoidable sets are found up to {LARGEST_SET} cells, not {most}")
    solution = solve(board, plan, watch=watch)
    known, done = MinimalSets(), 0

    def answer(complete: bool = False) -> UnavoidableAnswer:
        return UnavoidableAnswer(board, solution, most, known.sorted(), complete, perf_counter() - started)

    def look() -> None:
        watch(Progress(done / board.shape.cells, stage="unavoidable sets"))

    cores = plan.effective_cores()
    work = Work(searching(solution, most), reversed(range(board.shape.cells)))
    with carrying(answer), closing(map_ordered(work, cores, tick=look)) as results:
        for found in results:
            known.add(found)
            done += 1
            look()
    return answer(complete=True)


def searching(solution: Board, most: int) -> Callable[[int], tuple[set[Cells], list[int]]]:
    """Return the function that finds the sets whose lowest cell is this one."""
    shape = solution.shape
    units = [
        unit
        for row, column, box in map(shape.place, range(shape.cells))
        for unit in (row, shape.size + column, 2 * shape.size + box)
    ]
    kernel = Unavoidable(solution.cells, shape.size, units)

    def search(cell: int) -> tuple[set[Cells], list[int]]:
        found = set[Cells]()
        for digit in range(1, shape.size + 1):
            if is_stopped():
                raise TaskStoppedError
            found.update(kernel.search(cell, digit, most))
        return found, []

    return search


class MinimalSets:
    """Sets of which none contains another one. They come with the highest of the lowest cells first."""

    def __init__(self) -> None:
        self._sets: list[Cells] = []
        self._by_lowest: dict[int, list[int]] = defaultdict(list)

    def add(self, sets: set[Cells]) -> None:
        """Add the sets with the same lowest cell that contain no other one."""
        for cells in sorted(sets, key=len):
            mask = sum(1 << cell for cell in cells)
            inside = chain.from_iterable(self._by_lowest[cell] for cell in cells if cell in self._by_lowest)
            if not any(known & ~mask == 0 for known in inside):
                self._sets.append(cells)
                self._by_lowest[cells[0]].append(mask)

    def sorted(self) -> tuple[Cells, ...]:
        """Return the sets, the smallest first."""
        return tuple(sorted(self._sets, key=lambda cells: (len(cells), cells)))
