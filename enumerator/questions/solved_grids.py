"""Random solved grids, of which puzzles are made.

    UniformGrids   of a shape with boxes up to 3×3: all grids are equally likely, and independent
    MixedGrids     of any other shape: random, but not equally likely
    GivenGrid      one grid, again and again

For mixed grids, the boxes on the diagonal are filled at random, the engine `learning` finds the rest, and a
random symmetry is applied.
"""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import Protocol

from enumerator.board import Board, Shape
from enumerator.engines.interfaces import SolutionIndex
from enumerator.questions.solutions import ascending, build_index, pages, solution_list
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress

UNIFORM_BOX = 3
"""The largest height and width of boxes with which grids are numbered, in a quarter of a second."""


class Grids(Protocol):
    """A source of solved grids. Several threads may draw at the same time."""

    def draw(self, rng: Random, number: int) -> bytearray:
        """Return the cells of `number` grids, one after the other."""
        ...


def is_uniform(shape: Shape) -> bool:
    """Return True if random grids of a shape are uniform."""
    return max(shape.height, shape.width) <= UNIFORM_BOX


def make_grids(shape: Shape, plan: Plan, watch: Watch = no_progress) -> Grids:
    """Return the source of random grids of a shape, the best there is. Uniform ones are prepared once."""
    if not is_uniform(shape):
        return MixedGrids(shape)
    if shape not in _prepared:
        _prepared[shape] = UniformGrids(shape, plan, watch)
    return _prepared[shape]


class UniformGrids:
    """Grids by their numbers in the list of all: every one is equally likely."""

    def __init__(self, shape: Shape, plan: Plan, watch: Watch = no_progress) -> None:
        found = solution_list(Board.empty(shape), Plan())
        self._cells = shape.cells
        self._index: SolutionIndex = build_index(
            found, plan.effective_cores(), watch=lambda progress: watch(progress._replace(stage="solved grids"))
        )
        self._total = self._index.total  # prepares the index, before several threads use it

    def draw(self, rng: Random, number: int) -> bytearray:
        numbers = [rng.randrange(self._total) for _ in range(number)]
        order, size = ascending(numbers), self._cells
        work = self._index.cells([numbers[turn] for turn in order])
        drawn = b"".join(work.do(task)[0] for task in work.tasks)
        found = bytearray(len(drawn))
        for place, turn in enumerate(order):
            found[turn * size : (turn + 1) * size] = drawn[place * size : (place + 1) * size]
        return found


class MixedGrids:
    """Grids of any shape, not equally likely."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def draw(self, rng: Random, number: int) -> bytearray:
        return bytearray(b"".join(self._grid(rng) for _ in range(number)))

    def _grid(self, rng: Random) -> bytes:
        start = fill_diagonal(self._shape, rng)
        found = solution_list(start, Plan(cores=1, engine="learning"))
        with closing(pages(found, self._shape, 1, limit=1, as_cells=True)) as walked:
            cells = next(bytes(page.text) for page in walked if page.text)
        return Board.from_valid(self._shape, cells).shuffled(rng.getrandbits(64)).cells


def fill_diagonal(shape: Shape, rng: Random) -> Board:
    """Return a board with random digits in the boxes on the diagonal, which share no row and no column."""
    cells = bytearray(shape.cells)
    for box in range(min(shape.height, shape.width)):
        digits = iter(rng.sample(range(1, shape.size + 1), shape.size))
        for row in range(box * shape.height, (box + 1) * shape.height):
            for column in range(box * shape.width, (box + 1) * shape.width):
                cells[row * shape.size + column] = next(digits)
    return Board.from_valid(shape, bytes(cells))


class GivenGrid:
    """One solved grid, again and again."""

    def __init__(self, grid: Board) -> None:
        self._cells = grid.cells

    def draw(self, rng: Random, number: int) -> bytearray:
        return bytearray(self._cells * number)


_prepared: dict[Shape, UniformGrids] = {}
"""The sources of uniform grids that were prepared."""
