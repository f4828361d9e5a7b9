"""The questions that make puzzles: minimal ones inside a board, and new ones."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Literal, cast, overload

from enumerator.api.signatures import sharing
from enumerator.board import Board, Shape
from enumerator.board.coerce import as_board, as_shape
from enumerator.questions.checks import (
    BoardLike,
    Keywords,
    ShapeLike,
    Timed,
    asking_with,
    check_names,
    check_seed,
    check_whole,
    make_batch_plan,
    read_asked,
)

if TYPE_CHECKING:
    from typing import Unpack

    from enumerator.api.filling import Digits
    from enumerator.questions.generate import Puzzle, Recipe
    from enumerator.questions.levels import Level
    from enumerator.questions.orbits import PatternSymmetry
    from enumerator.run.plan import Plan

Clues = int | tuple[int, int] | None
"""A number of clues; the fewest and the most; None: as few as can be."""


@sharing(Keywords)
def minimal(
    board: BoardLike, n: int | None = 1, seed: int | None = None, **keywords: Unpack[Keywords]
) -> Iterator[Board]:
    """Return an iterator over `n` minimal puzzles inside a board with one solution; None: over all, each once.

    A puzzle is minimal if it has one solution, and more without any of its clues.

    >>> board = "1234 3412 2143 4321"
    >>> len(list(en.minimal(board, None)))
    284
    >>> next(en.minimal(board, seed=1)) in set(en.minimal(board, None))
    True

    Those of a number are random: clues are removed in random order. Some are more likely than others,
    and some may come twice. The same `seed` gives the same ones on any number of cores. Raise
    NoSolutionError or NotUniqueError if the board has not one solution, and ValueError for one that has
    pencil marks, or more cells than 9×9 if all are asked for. The keywords and other errors are
    those of `solutions`.
    """
    asked, plan = read_asked(board, keywords)
    n = None if n is None else check_whole("n", n, 0)
    return _minimal(asked, n, check_seed(seed), plan, keywords)


def _minimal(
    board: Board, n: int | None, seed: int | None, plan: Plan, keywords: Keywords
) -> Generator[Board, None, None]:
    from enumerator.questions.generate import seed_or_random
    from enumerator.questions.minimal import all_minimal, random_minimal
    from enumerator.run.progress import PUZZLES

    with asking_with("not all minimal puzzles were found", keywords, stage=PUZZLES) as question:
        if n is None:
            found = all_minimal(board, plan, question.watch)
        else:
            found = random_minimal(board, n, seed_or_random(seed), plan, question.watch)
        for puzzles in question.pausing(found):
            yield from (puzzle.board for puzzle in puzzles)


class Wishes(Timed, total=False):
    """The keywords of puzzles to be made; `generate` says what they mean."""

    shape: ShapeLike | None
    clues: Clues
    superfluous: int | None
    symmetry: PatternSymmetry
    pattern: BoardLike | None
    solution: BoardLike | None
    level: Level | None
    seed: int | None
    cores: int | None


@overload
def generate(n: int | None = 1, *, weights: Literal[False] = False, **wishes: Unpack[Wishes]) -> Iterator[Board]: ...
@overload
def generate(
    n: int | None = 1, *, weights: Literal[True], **wishes: Unpack[Wishes]
) -> Iterator[tuple[Board, float]]: ...
@sharing(Wishes)
def generate(
    n: int | None = 1, *, weights: bool = False, **wishes: Unpack[Wishes]
) -> Iterator[Board] | Iterator[tuple[Board, float]]:
    """Return an iterator over `n` new puzzles, each with one solution; None: without end.

        shape         of the puzzles; 3x3 unless a pattern or a solution has another
        clues         the number of clues, or the fewest and the most; None: minimal puzzles
        superfluous   the most superfluous clues; 0: minimal puzzles, also with a symmetry
        symmetry      of the pattern of clues: "180", "90", "mirror", "diagonal" or "none"
        pattern       a board with a digit in each cell that is to have a clue
        solution      a board with one solution, which the puzzles have, too; None: random ones
        level         the rules that solve the puzzle: "singles", "pairs" (with locked candidates), "more"
        weights       True: yield minimal puzzles in pairs with their weights
        seed          of random numbers; None: others in each call

    `time_limit`, `cores` and `progress` are those of `count`.

    >>> puzzles = list(en.generate(3, clues=26, symmetry="180", seed=1))
    >>> [en.classify(puzzle) for puzzle in puzzles] == ["unique"] * 3
    True
    >>> puzzles == list(en.generate(3, clues=26, symmetry="180", seed=1, cores=1))
    True

    The solutions are uniformly random, with boxes larger than 3×3 only random. The same `seed` gives the
    same puzzles on any number of cores. Puzzles made in this way are not uniformly random: those with
    few clues come too often. With weights, means of minimal puzzles are those of all that there are:

    >>> pairs = list(en.generate(1000, shape="2x2", weights=True, seed=1))
    >>> weights = [weight for _, weight in pairs]
    >>> clues = [weight * (16 - puzzle.empty_cells) for puzzle, weight in pairs]
    >>> round(sum(clues) / sum(weights), 1)      # 4.72: the mean of all 85,632
    4.7

    What can hardly be found is looked for until `time_limit`; then the iterator raises OutOfTimeError. The
    time that the caller spends on puzzles does not count. The other errors are those of `solutions`.
    """
    recipe, n = _recipe(wishes, weights), None if n is None else check_whole("n", n, 0)
    puzzles = _generate(recipe, n, wishes)
    if weights:
        return ((puzzle.board, cast("float", puzzle.weight)) for puzzle in puzzles)
    return (puzzle.board for puzzle in puzzles)


@sharing(Wishes)
def generate_array(n: int, **wishes: Unpack[Wishes]) -> Digits:
    """Return `n` new puzzles as an array of n × S × S digits, 0 for empty cells, of type uint8.

    They are those of `generate` for the same arguments.

    >>> array = en.generate_array(100, shape="2x2", clues=5, seed=1)
    >>> array.shape, int((array > 0).sum())
    ((100, 4, 4), 500)
    """
    from enumerator.api.arrays import require_numpy
    from enumerator.api.filling import Filling, check_memory

    require_numpy()
    recipe = _recipe(wishes, False)
    check_memory(check_whole("n", n, 0), recipe.shape, "a smaller n", "puzzles")
    filling = Filling(recipe.shape, n)
    for puzzle in _generate(recipe, n, wishes):
        filling.add(memoryview(bytearray(puzzle.board.cells)))
    return filling.array()


def _recipe(wishes: Wishes, is_weighted: bool) -> Recipe:
    """Return what the keywords ask for; raise TypeError or ValueError if nothing can be that."""
    from enumerator.questions.generate import Recipe
    from enumerator.questions.levels import LEVELS
    from enumerator.questions.orbits import SYMMETRIES

    check_names(wishes, Wishes)
    symmetry, level, superfluous = wishes.get("symmetry", "none"), wishes.get("level"), wishes.get("superfluous")
    shape, pattern, solution = wishes.get("shape"), wishes.get("pattern"), wishes.get("solution")
    for name, value, known in (("symmetry", symmetry, SYMMETRIES), ("level", level, (None, *LEVELS))):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
    drawn = None if pattern is None else as_board(pattern, shape)
    solved = None if solution is None else _solved(as_board(solution, shape))
    known_shape = drawn.shape if drawn else solved.shape if solved else as_shape(shape) or Shape(3, 3)
    recipe = Recipe(
        known_shape,
        _clue_range(wishes.get("clues")),
        None if superfluous is None else check_whole("superfluous", superfluous, 0),
        symmetry,
        None if drawn is None else tuple(cell for cell, digit in enumerate(drawn.cells) if digit),
        solved,
        level,
        is_weighted,
    )
    if mistake := next(recipe.mistakes(), ""):
        raise ValueError(mistake)
    return recipe


def _clue_range(clues: Clues) -> tuple[int, int] | None:
    """Return the fewest and the most clues."""
    if clues is None:
        return None
    pair = clues if isinstance(clues, tuple) else (clues, clues)
    if len(pair) != 2:
        raise ValueError(f"clues must be a number, or the fewest and the most, not {clues!r}")
    fewest, most = pair
    return check_whole("clues", fewest, 1), check_whole("clues", most, 1)


def _solved(board: Board) -> Board:
    """Return the solution of a board; raise NoSolutionError or NotUniqueError if there is not one."""
    from enumerator.questions.solve import solve
    from enumerator.run.plan import Plan

    return solve(board, Plan())


def _generate(recipe: Recipe, n: int | None, wishes: Wishes) -> Iterator[Puzzle]:
    """Check the other keywords, and return an iterator over the puzzles of a recipe."""
    plan = make_batch_plan(wishes.get("time_limit"), wishes.get("cores"), progress=wishes.get("progress"))
    return _ask(recipe, n, check_seed(wishes.get("seed")), plan, wishes)


def _ask(recipe: Recipe, n: int | None, seed: int | None, plan: Plan, wishes: Wishes) -> Generator[Puzzle, None, None]:
    from enumerator.questions.generate import generate, seed_or_random
    from enumerator.run.progress import PUZZLES

    with asking_with("not all puzzles were made", wishes, stage=PUZZLES) as question:
        for puzzles in question.pausing(generate(recipe, n, seed_or_random(seed), plan, question.watch)):
            yield from puzzles
