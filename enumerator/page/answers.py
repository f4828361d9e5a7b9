"""The table of questions: what each asks, and how much work that is.

To add a question, write a function from Asked to the dictionary of an answer, and add it to QUESTIONS.
Then `POST /api/NAME` answers it, with progress, time limit and stopping.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import StartedCount
from enumerator.page.requests import Request, RequestError
from enumerator.questions.ask import asking
from enumerator.questions.read import ReadAnswer
from enumerator.questions.verdict import Decision, first_look
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch

if TYPE_CHECKING:
    from enumerator.questions.fields import Answer
    from enumerator.questions.generate import Recipe

MOST_SAMPLES = 1_000
"""The most solutions of one sample."""

LARGEST_STEPS = 25
"""The size of the largest board that is solved step by step."""

STEPS_SECONDS = 5.0
"""The usual time limit of such a record. Boards of this size take 0.2 s on an idle machine."""

MOST_PUZZLES = 100
"""The most puzzles that are made for one request."""

LARGEST_PUZZLE = 25
"""The size of the largest puzzles that are made."""


FORM_SECONDS = 5.0
"""The usual time limit of a canonical form. Nearly all boards take milliseconds."""


class Asked(NamedTuple):
    """A question that was asked: the arguments, the board, and how to work on it."""

    request: Request
    read: ReadAnswer | None
    """The board as it was read; None for a question without a board."""
    plan: Plan
    watch: Watch
    first: Decision | StartedCount | None = None
    """What a kernel has found about the board, if it was asked."""

    @property
    def board(self) -> Board:
        assert self.read is not None
        return self.read.board


Dictionary: TypeAlias = dict[str, object]


def read(asked: Asked) -> Dictionary:
    assert asked.read is not None
    return asked.read.to_dict()


def picture(asked: Asked) -> Dictionary:
    from enumerator.board.pictures import board_svg

    return {"svg": board_svg(asked.board)}


def link(asked: Asked) -> Dictionary:
    from enumerator.board.links import WRITABLE, LinkError
    from enumerator.questions.read import link

    try:
        return link(asked.board, asked.request.choice("site", WRITABLE)).to_dict()
    except LinkError as error:
        raise RequestError(str(error)) from None


def look_first(asked: Asked) -> Asked:
    """Return the question with what one call of a kernel finds, in milliseconds."""
    return asked._replace(first=first_look(asked.board, asked.plan))


def classify_at_once(asked: Asked) -> Dictionary | Asked:
    asked = look_first(asked)
    return classify(asked) if isinstance(asked.first, Decision) else asked


def classify(asked: Asked) -> Dictionary:
    from enumerator.questions.classify import classify

    seconds = asked.request.seconds()
    answer = classify(asked.board, asked.plan, time_limit=seconds, first=asked.first, watch=asked.watch)
    return {**answer.to_dict(), "conflicts": _conflicts(asked.board)}


def _conflicts(board: Board) -> list[Dictionary]:
    return [conflict.to_dict() for conflict in board.conflicts()]


def count(asked: Asked) -> Dictionary:
    from enumerator.questions.count import count, with_solution

    answer = count(asked.board, asked.plan, time_limit=asked.request.seconds(), watch=asked.watch)
    return with_solution(answer, asked.plan).to_dict()


def candidates(asked: Asked) -> Dictionary:
    from enumerator.questions.candidates import candidates

    with asking("the candidates are not counted", asked.request.seconds(), asked.watch) as question:
        return candidates(asked.board, asked.plan, watch=question.watch).to_dict()


def nth(asked: Asked) -> Dictionary:
    from enumerator.questions.solutions import nth

    n = asked.request.integer("n", 1)
    with asking("the solution is not found", asked.request.seconds(), asked.watch) as question:
        solution = nth(asked.board, n - 1, asked.plan, watch=question.watch)
    return {"n": str(n), "solution": str(solution)}


def sample(asked: Asked) -> Dictionary:
    from enumerator.questions.sample import sample

    request = asked.request
    number = request.integer("number", 1, MOST_SAMPLES, default=1)
    seed = request.integer("seed", 0) if request.has("seed") else None
    with asking("the solutions are not chosen", request.seconds(), asked.watch) as question:
        found = sample(asked.board, number, asked.plan, seed=seed, watch=question.watch)
    return {"solutions": [str(solution) for solution in found]}


def estimate(asked: Asked) -> Dictionary:
    from enumerator.questions.estimate import DEFAULT_SECONDS, estimate

    seconds = asked.request.seconds(DEFAULT_SECONDS)
    return estimate(asked.board, asked.plan, time_limit=seconds, watch=asked.watch).to_dict()


def solve_at_once(asked: Asked) -> Dictionary | Asked:
    asked = look_first(asked)
    return solve(asked) if isinstance(asked.first, Decision) and asked.first.solution else asked


def solve(asked: Asked) -> Dictionary:
    from enumerator.questions.solve import solve

    with asking("the board is not solved", asked.request.seconds(), asked.watch) as question:
        return {"solution": str(solve(asked.board, asked.plan, first=asked.first, watch=question.watch))}


def superfluous(asked: Asked) -> Dictionary:
    from enumerator.questions.clues import find_superfluous

    return _known("the clues are not all judged", asked, partial(find_superfluous, asked.board, asked.plan))


def clues(asked: Asked) -> Dictionary:
    from enumerator.questions.clues import clues

    return _known("the clues are not all judged", asked, partial(clues, asked.board, asked.plan))


def complete(asked: Asked) -> Dictionary:
    from enumerator.questions.complete import complete

    return _known("not all sets are known", asked, partial(complete, asked.board, asked.plan))


def unavoidable(asked: Asked) -> Dictionary:
    from enumerator.questions.unavoidable import unavoidable

    return _known("not all sets are found", asked, partial(unavoidable, asked.board, asked.plan))


def minimal(asked: Asked) -> Dictionary:
    """Return a random minimal puzzle inside a board with one solution."""
    from enumerator.questions.generate import seed_or_random
    from enumerator.questions.minimal import UnsuitableBoardError, random_minimal

    request = asked.request
    seed = seed_or_random(request.integer("seed", 0) if request.has("seed") else None)
    try:
        with asking("no minimal puzzle was found", request.seconds(), asked.watch) as question:
            (made,) = next(random_minimal(asked.board, 1, seed, asked.plan, question.watch))
    except UnsuitableBoardError as error:
        raise RequestError(str(error)) from None
    removed = made.board.empty_cells - asked.board.empty_cells
    return {"puzzle": str(made.board), "clues": made.clues, "removed": removed, "seed": str(seed)}


def generate(asked: Asked) -> Dictionary:
    """Return new puzzles: as many as were asked for, or those that were made in time."""
    from enumerator.questions.generate import Puzzle, generate, seed_or_random

    request = asked.request
    recipe, number = make_recipe(request), request.integer("number", 1, MOST_PUZZLES, default=1)
    seed = seed_or_random(request.integer("seed", 0) if request.has("seed") else None)
    found: list[Puzzle] = []
    try:
        with asking("no such puzzle was made", request.seconds(), asked.watch) as question:
            for some in generate(recipe, number, seed, asked.plan, question.watch):
                found += some
    except OutOfTimeError:
        if not found:
            raise
    puzzles = [{"board": str(puzzle.board), "clues": puzzle.clues, "level": puzzle.level} for puzzle in found]
    box = [recipe.shape.height, recipe.shape.width]
    return {"box": box, "puzzles": puzzles, "complete": len(found) == number, "seed": str(seed)}


def make_recipe(request: Request) -> Recipe:
    """Return the recipe that a request describes. Raise RequestError for one that nothing can be made by."""
    from enumerator.questions.generate import Recipe
    from enumerator.questions.levels import LEVELS
    from enumerator.questions.orbits import SYMMETRIES

    if request.has("board"):
        raise RequestError("puzzles are made of random solutions: leave out board")
    clues = request.integer("clues", 1) if request.has("clues") else None
    recipe = Recipe(
        request.shape() or Shape(3, 3),
        None if clues is None else (clues, clues),
        symmetry=request.choice("symmetry", SYMMETRIES) if request.has("symmetry") else "none",
        level=request.choice("level", LEVELS) if request.has("level") else None,
    )
    if recipe.shape.size > LARGEST_PUZZLE:
        raise RequestError(f"puzzles up to {LARGEST_PUZZLE}×{LARGEST_PUZZLE} are made")
    if mistake := next(recipe.mistakes(), ""):
        raise RequestError(mistake)
    return recipe


def _known(undone: str, asked: Asked, ask: Callable[..., Answer]) -> Dictionary:
    """Ask a question that has a partial answer. After the time limit, return what is known."""
    try:
        with asking(undone, asked.request.seconds(), asked.watch) as question:
            return ask(watch=question.watch).to_dict()
    except OutOfTimeError as error:
        if error.answer is None:
            raise
        known: Dictionary = error.answer.to_dict()
        return known


def steps(asked: Asked) -> Dictionary:
    from enumerator.questions.steps import record_steps

    if asked.board.shape.size > LARGEST_STEPS:
        raise RequestError(f"boards up to {LARGEST_STEPS}×{LARGEST_STEPS} are solved step by step")
    return record_steps(asked.board, time_limit=asked.request.seconds(STEPS_SECONDS), watch=asked.watch).to_dict()


def canonical(asked: Asked) -> Dictionary:
    from enumerator.questions.canonical import canonical

    with asking("the canonical form is not found", asked.request.seconds(FORM_SECONDS), asked.watch) as question:
        return canonical(asked.board, question.watch).to_dict()


class PageQuestion(NamedTuple):
    """A question of the page."""

    ask: Callable[[Asked], Dictionary] | None
    """The function that answers it, with progress; None if `at_once` always does."""
    at_once: Callable[[Asked], Dictionary | Asked] | None = None
    """A function that answers it within milliseconds, or returns the question for `ask`, with what was found."""
    is_heavy: bool = True
    """True if it is one of those of which two are at work at a time."""
    has_board: bool = True
    """False if it is not about a board."""


QUESTIONS = {
    "read": PageQuestion(None, read),
    "picture": PageQuestion(None, picture),
    "link": PageQuestion(None, link),
    "classify": PageQuestion(classify, classify_at_once, is_heavy=False),
    "solve": PageQuestion(solve, solve_at_once),
    "count": PageQuestion(count),
    "candidates": PageQuestion(candidates),
    "superfluous": PageQuestion(superfluous),
    "clues": PageQuestion(clues),
    "complete": PageQuestion(complete),
    "unavoidable": PageQuestion(unavoidable),
    "minimal": PageQuestion(minimal),
    "generate": PageQuestion(generate, has_board=False),
    "nth": PageQuestion(nth),
    "sample": PageQuestion(sample),
    "estimate": PageQuestion(estimate),
    "steps": PageQuestion(steps, is_heavy=False),
    "canonical": PageQuestion(canonical, is_heavy=False),
}
"""The questions by name: NAME is asked by `POST /api/NAME`."""
