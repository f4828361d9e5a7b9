"""Puzzles made from random solved grids: by number of clues, symmetry, pattern, level, with weights.

Clues of a solved grid are removed in random order, as long as the puzzle has one solution. A puzzle that is
not as it was asked for is dropped. This favours some puzzles: among minimal 9×9 ones those with few clues.
With weights, sums over puzzles count every minimal puzzle alike (see `weigh_boards` in
engines/search/reduce.pyx).

    recipe   what is asked for
    try      a grid, and the puzzle made of it, which may be dropped
    block    consecutive tries, made by one thread. Its random numbers depend on the seed and its number
             alone, so the puzzles are the same on any number of cores
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from math import ceil, exp, inf, isinf
from random import Random, SystemRandom
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines.interfaces import Work
from enumerator.questions.fields import BOARD, SHAPE, Field, optional
from enumerator.questions.levels import LEVELS, Level, find_level
from enumerator.questions.orbits import PatternSymmetry, can_have, orbits
from enumerator.questions.patterns import climb, find_lack, find_obstacle
from enumerator.questions.reducing import KERNEL_CELLS, Reducer
from enumerator.questions.solved_grids import GivenGrid, Grids, is_uniform, make_grids
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import PUZZLES, Progress, Watch, no_progress

LARGEST_SIZE = 25
"""The size of the largest puzzles that are made: those of 36×36 would take hours."""

SINGLES_SIZE = 4
"""The size up to which singles solve every puzzle with one solution: a test tries all minimal 4×4 ones."""

FEW_CLUES_SHARE = 0.28
"""The share of the cells below which few puzzles have so few clues: 22 of 81, where minimal ones have 24.4."""

FIRST_BLOCK, LARGEST_BLOCK = 16, 256
"""The number of tries of the first block, and the largest number; each block has up to four times as many."""

WEIGHED_SHARE = 0.6
"""The share of the cells that has clues where weighed puzzles begin.

Minimal puzzles with more clues are not found. None is known: the largest 9×9 one has 40 clues, a share of 0.49.
"""

WEIGHED_PATHS = 2
"""The number of further paths by which a puzzle is weighed.

Of 0, 1, 2, 4 and 8, 2 gave the most equal weights for the time, in one run of 6,313 puzzles.
"""

PILOT_TRIES, KEPT_SHARE = 1_000, 0.05
"""The tries that show which weight 5 % of the puzzles exceed. It becomes the least weight.

Without a least weight, nearly all puzzles have next to none. With it, those of 29 and 30 clues still weigh
most: 30,000 minimal 9×9 puzzles were worth 439 of equal weight (`python -m bench generate shares`).
"""

PILOT_SEED = "weights"
"""The seed of these tries, so that weights are the same for all seeds."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What puzzles are to be made."""

    shape: Shape
    clues: tuple[int, int] | None = None
    """The fewest and the most clues; None: as few as can be, so that no clue (or orbit) is superfluous."""
    superfluous: int | None = None
    """The largest number of superfluous clues; None: any."""
    symmetry: PatternSymmetry = "none"
    pattern: tuple[int, ...] | None = None
    """The cells of the clues; None: any cells."""
    solution: Board | None = None
    """The solved grid to make puzzles of; None: a random one for each."""
    level: Level | None = None
    is_weighted: bool = False

    def mistakes(self) -> Iterator[str]:
        """Yield sentences about what cannot be combined, or never be found."""
        cells, (fewest, most) = self.shape.cells, self.clues or (1, self.shape.cells)
        named = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        if self.shape.size > LARGEST_SIZE:
            yield f"puzzles are made up to {LARGEST_SIZE}×{LARGEST_SIZE}, and not for {self.shape.title}"
        if self.level not in (None, LEVELS[0]) and self.shape.size <= SINGLES_SIZE:
            yield f"singles solve every puzzle of {self.shape.title}: none has the level {self.level}"
        if not 0 < fewest <= most <= cells:
            yield f"a puzzle of {cells} cells cannot have {named} clues"
        elif not any(can_have(self.shape, self.symmetry, clues) for clues in range(fewest, most + 1)):
            yield f"no pattern with the symmetry {self.symmetry} has {named} clues"
        elif lack := find_lack(self.shape, most):
            yield lack
        if self.pattern is not None and (self.clues or self.symmetry != "none"):
            yield "a pattern has its own number of clues, and its own symmetry"
        if self.pattern is not None and self.solution:
            yield "a pattern does not go with a given solution"
        if self.pattern is not None and (obstacle := find_obstacle(self.shape, self.pattern)):
            yield obstacle
        if self.is_weighted and (self.clues or self.pattern or self.solution or self.symmetry != "none"):
            yield "weights are for minimal puzzles of random grids, without a number of clues, symmetry or pattern"
        if self.is_weighted and not is_uniform(self.shape):
            yield "weights need uniformly random grids: boxes up to 3x3"
        if self.solution is not None and self.solution.shape != self.shape:
            yield f"the solution has boxes of {self.solution.shape}, not of {self.shape}"

    def describe_rarity(self) -> str:
        """Return why such puzzles may take long; "" if there is no particular reason."""
        if self.shape.cells > KERNEL_CELLS:
            return "a puzzle of this size may take minutes"
        if self.clues and self.superfluous is not None:
            return "the more clues, the more of them are superfluous"
        if self.clues and self.clues[1] < FEW_CLUES_SHARE * self.shape.cells:
            return "the fewer clues, the rarer the puzzles"
        if self.level:
            return f"few puzzles may have the level {self.level}"
        return "few puzzles with a symmetry are minimal" if self.superfluous is not None else ""


class Puzzle(NamedTuple):
    """A puzzle that was made. It has exactly one solution."""

    board: Board
    weight: float | None = None
    """The weight in sums over puzzles; None if no weights were asked for."""
    level: Level | None = None
    """The level, if a level was asked for."""

    @property
    def clues(self) -> int:
        """The number of clues."""
        return self.board.shape.cells - self.board.empty_cells


class NumberedPuzzle(NamedTuple):
    """A puzzle among those of one board or recipe, with the seed by which it can be made again."""

    number: int
    board: Board
    seed: int | None
    """The seed; None if nothing was random."""
    weight: float | None = None
    """The weight; None if no weights were asked for."""
    level: Level | None = None


SEED = Field("seed", lambda puzzle: puzzle.seed)

MINIMAL_FIELDS = (
    Field("number", lambda puzzle: puzzle.number),
    BOARD,
    SHAPE,
    Field("clues", lambda puzzle: puzzle.board.shape.cells - puzzle.board.empty_cells),
    SEED,
)

FIELDS = (
    *MINIMAL_FIELDS[:-1],
    Field("weight", lambda puzzle: optional(puzzle.weight)),
    Field("level", lambda puzzle: optional(puzzle.level)),
    SEED,
)
"""The facts about puzzles in JSON and CSV. Weights and levels are those of --generate alone."""

Made = list[tuple[bytes, float | None]]
"""Cells of puzzles, and the weight of each; None without weights."""


def generate(
    recipe: Recipe, number: int | None, seed: int, plan: Plan, watch: Watch = no_progress
) -> Generator[list[Puzzle], None, None]:
    """Yield puzzles, some at a time, at most `number` (None: without end). A list may be empty."""
    maker, found = Maker(recipe, plan, watch), 0

    def make(block: int) -> tuple[list[Puzzle], list[int]]:
        rng = Random(f"{seed}/{block}")
        tries = FIRST_BLOCK if recipe.level else tries_in(recipe.shape, block)
        return list(maker.puzzles(rng, tries)), []

    def report() -> None:
        share = None if number is None else min(1.0, found / number)
        watch(Progress(share, found, PUZZLES, number, effort=maker.tested, unit="clues tested"))

    with closing(map_ordered(Work(make, count()), plan.effective_cores(), tick=report)) as blocks:
        while number is None or found < number:
            puzzles = next(blocks)[: None if number is None else number - found]
            found += len(puzzles)
            yield puzzles  # before a deadline ends the question: what was made is not lost
            if number is None or found < number:
                report()


def seed_or_random(seed: int | None) -> int:
    """Return a seed, a random one for None. It repeats what was made with it."""
    return SystemRandom().getrandbits(32) if seed is None else seed


def tries_in(shape: Shape, block: int) -> int:
    """Return the number of tries of a block; on large boards one, which may take seconds."""
    return min(FIRST_BLOCK * 4**block, LARGEST_BLOCK) if shape.cells <= KERNEL_CELLS else 1


class Maker:
    """Makes puzzles by a recipe. Several threads may use it at the same time."""

    def __init__(self, recipe: Recipe, plan: Plan, watch: Watch = no_progress) -> None:
        self._recipe, self._shape = recipe, recipe.shape
        given = recipe.solution
        self._grids: Grids = make_grids(recipe.shape, plan, watch) if given is None else GivenGrid(given)
        fewest = recipe.clues[0] if recipe.clues else 0
        self._reducer = Reducer(recipe.shape, orbits(recipe.shape, recipe.symmetry), fewest, plan.engine)
        if recipe.is_weighted:
            self._least_weight = _least_weights.get(recipe.shape) or self._find_least_weight()
        self._make: Callable[[Random, int], Made] = (
            self._weighed if recipe.is_weighted else self._reduced if recipe.pattern is None else self._climbed
        )

    @property
    def tested(self) -> int | None:
        """The number of clues that were tested on large boards; None on others, where tests take microseconds."""
        return self._reducer.tested if self._shape.cells > KERNEL_CELLS else None

    def puzzles(self, rng: Random, tries: int) -> Iterator[Puzzle]:
        """Yield the puzzles of some tries that are as the recipe asks."""
        recipe, shape = self._recipe, self._shape
        for cells, weight in self._of_few_superfluous(self._make(rng, tries)):
            board = Board.from_valid(shape, cells)
            level = find_level(board) if recipe.level else None
            if level == recipe.level:
                yield Puzzle(board, weight, level)

    def _of_few_superfluous(self, made: Made) -> Made:
        """Return those puzzles that have no more superfluous clues than the recipe allows."""
        most = self._recipe.superfluous
        if most is None or not made:
            return made
        superfluous = self._reducer.superfluous(b"".join(cells for cells, _ in made))
        return [puzzle for puzzle, cells in zip(made, superfluous, strict=True) if len(cells) <= most]

    def _reduced(self, rng: Random, tries: int) -> Made:
        """Return puzzles of random grids with the right number of clues."""
        boards, size = self._grids.draw(rng, tries), self._shape.cells
        self._reducer.reduce(boards, rng)
        _, most = self._recipe.clues or (0, size)
        made = (bytes(boards[first : first + size]) for first in range(0, len(boards), size))
        return [(cells, None) for cells in made if size - cells.count(0) <= most]

    def _climbed(self, rng: Random, tries: int) -> Made:
        """Return puzzles with clues on the cells of the pattern."""
        pattern = self._recipe.pattern or ()
        made: Made = []
        for _ in range(ceil(tries / FIRST_BLOCK)):
            grid = bytes(self._grids.draw(rng, 1))
            if cells := climb(self._shape, pattern, grid, rng):
                made.append((cells, None))
        return made

    # ---------------------------------------------------------------------------------------- weights

    def _weighed(self, rng: Random, tries: int) -> Made:
        """Return minimal puzzles of random grids, each with its weight."""
        least = self._least_weight
        return [(cells, exp(weight - least)) for cells, weight in self._weigh(rng, tries, least)]

    def _weigh(self, rng: Random, tries: int, floor: float) -> list[tuple[bytes, float]]:
        """Return minimal puzzles with the logarithms of their weights, none of them below `floor`."""
        boards, size = self._grids.draw(rng, tries), self._shape.cells
        seeds = array("Q", (rng.getrandbits(64) for _ in range(tries)))
        first = ceil(WEIGHED_SHARE * size)
        weights = engines.reduction(self._shape).weigh(boards, seeds, first, WEIGHED_PATHS, floor)
        made = ((bytes(boards[at * size : (at + 1) * size]), weight) for at, weight in enumerate(weights))
        return [(cells, weight) for cells, weight in made if not isinf(weight)]

    def _find_least_weight(self) -> float:
        """Return the logarithm of a weight that KEPT_SHARE of all minimal puzzles exceed."""
        weights = sorted(weight for _, weight in self._weigh(Random(PILOT_SEED), PILOT_TRIES, -inf))
        return _least_weights.setdefault(self._shape, weights[-ceil(KEPT_SHARE * len(weights))])


_least_weights: dict[Shape, float] = {}
"""The logarithms of the least weights that were found."""
