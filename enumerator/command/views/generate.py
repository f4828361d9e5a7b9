"""The view of --generate: new puzzles, from random solved grids or from the solution of a board."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from enumerator.command.arguments import natural_number
from enumerator.command.views import option
from enumerator.command.views.puzzles import PuzzlesView, PuzzleWriter, parse_number
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.generate import Recipe


def clue_range(text: str) -> tuple[int, int]:
    """Parse a number of clues, or a range such as 24-28."""
    match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is neither a number of clues nor a range such as 24-28")
    fewest, most = int(match[1]), int(match[2] or match[1])
    return fewest, most


def number_of_puzzles(text: str) -> int:
    """Parse the number of puzzles to make."""
    return parse_number(text, "not a number of puzzles: name boards before --generate")


class GenerateView(PuzzlesView):
    """New puzzles: minimal ones, or as the options ask for."""

    question = "generate"
    group = "making"
    arguments = option(
        nargs="?",
        const=1,
        type=number_of_puzzles,
        metavar="N",
        help="a new puzzle with one solution, or N: of random solved grids, or of the solution of BOARD; 25x25 takes "
        "minutes",
    )
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--with-clues": option(
            type=clue_range,
            metavar="K",
            help="--generate puzzles with K clues, or a range such as 24-28 (default: none is superfluous)",
        ),
        "--superfluous": option(
            type=natural_number,
            metavar="K",
            help="with at most K superfluous clues, where there may be any: with --with-clues, --symmetry or "
            "--pattern; other puzzles are minimal",
        ),
        "--symmetry": option(
            choices=("none", "180", "90", "mirror", "diagonal"),
            help="the symmetry of the pattern of clues: half a turn, a quarter turn, left to right, rows to columns",
        ),
        "--pattern": option(metavar="BOARD", help="with clues in those cells where BOARD, a text or a file, has them"),
        "--level": option(
            choices=("singles", "pairs", "more"),
            help="puzzles that singles solve; that need locked candidates or pairs; that need more",
        ),
        "--weights": option(
            action="store_true",
            help="minimal puzzles, each with the weight that makes sums over them count every one alike",
        ),
    }
    subject = ""

    _recipe: Recipe
    """The recipe of a command without boards. The pattern may come from a pipe, which is read once."""

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        yield from super().conflicts(options)
        if options.boards:  # each is checked when it is read
            if options.pattern is not None:
                yield "--pattern does not go with boards: their solutions are the grids"
            return
        try:
            self._recipe = make_recipe(options, None)
        except ValueError as error:
            yield f"--pattern: {printable(str(error))}"
        else:
            yield from self._recipe.mistakes()

    def picture_conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if options.generate != 1:
            yield "--svg and --html draw one puzzle: --generate 1"

    def answer(self, request: Request) -> int:
        if request.options.boards:
            return super().answer(request)
        return self._write("<generated>", request, self._recipe)

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.solve import NoSolutionError, NotUniqueError, solve

        try:
            with request.asking("the board was not solved", request.options.time_limit) as question:
                solution = solve(board, request.plan, watch=question.watch)
        except (NoSolutionError, NotUniqueError) as error:
            return self.refuse(source, board, error, request)
        recipe = make_recipe(request.options, solution)
        if mistake := next(recipe.mistakes(), ""):
            return self.refuse(source, board, ValueError(mistake), request)
        return self._write(source, request, recipe)

    def _write(self, source: str, request: Request, recipe: Recipe) -> int:
        """Write the puzzles of a recipe, and return the exit status."""
        from enumerator.questions.generate import generate, seed_or_random

        options, seed = request.options, seed_or_random(request.options.seed)
        with request.asking("not all puzzles were made", options.time_limit) as question:
            puzzles = generate(recipe, options.generate, seed, request.plan, question.watch)
            writer = PuzzleWriter(source, request, self, seed)
            return self.write(puzzles, writer, options.generate, recipe.describe_rarity())


def make_recipe(options: argparse.Namespace, solution: Board | None) -> Recipe:
    """Return the recipe that the options describe. Raise ValueError if the pattern cannot be read."""
    from enumerator.board import Shape
    from enumerator.command.inputs import read_one
    from enumerator.questions.generate import Recipe

    shape = solution.shape if solution else options.shape or Shape(3, 3)
    pattern = None
    if options.pattern is not None:
        drawn = read_one(options.pattern, options.shape)
        shape, pattern = drawn.shape, tuple(cell for cell, digit in enumerate(drawn.cells) if digit)
    return Recipe(
        shape,
        options.with_clues,
        options.superfluous,
        options.symmetry or "none",
        pattern,
        solution,
        options.level,
        options.weights,
    )


VIEW = GenerateView()
