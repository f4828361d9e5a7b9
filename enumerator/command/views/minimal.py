"""The view of --minimal: puzzles inside a board from which no clue can be removed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from enumerator.command import console
from enumerator.command.console import ANSWERED
from enumerator.command.views import option
from enumerator.command.views.puzzles import PUZZLE_OPTIONS, PuzzlesView, PuzzleWriter, parse_number
from enumerator.text.partial_counts import with_plus

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request

ALL = 0
"""The value of `--minimal all`."""


def number_or_all(text: str) -> int:
    """Return the number of puzzles that an option asks for, ALL for `all`."""
    return ALL if text == "all" else parse_number(text, "neither a number nor all: name boards before --minimal")


class MinimalView(PuzzlesView):
    """Minimal puzzles inside each board: one, some at random, or all."""

    question = "generate:MINIMAL_FIELDS"
    group = "clues"
    arguments = option(
        nargs="?",
        const=1,
        type=number_or_all,
        metavar="N",
        help="puzzles inside the board from which no clue can go: one, N at random, or all; 25x25 takes minutes",
    )
    special_options = PUZZLE_OPTIONS | {"quiet"}

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        yield from super().conflicts(options)
        if options.quiet and options.minimal != ALL:
            yield "--quiet goes with --minimal all: it prints their number"
        if options.minimal == ALL and options.seed is not None:
            yield "--seed does not go with --minimal all: there is nothing random"

    def picture_conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if options.minimal != 1:
            yield "--svg and --html draw one puzzle: --minimal 1"

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.generate import seed_or_random
        from enumerator.questions.minimal import UnsuitableBoardError, all_minimal, number_first, random_minimal
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

        options = request.options
        seed = None if options.minimal == ALL else seed_or_random(options.seed)
        writer = PuzzleWriter(source, request, self, seed)
        try:
            with request.asking("not all minimal puzzles were found", options.time_limit) as question:
                if seed is not None:
                    found = random_minimal(board, options.minimal, seed, request.plan, question.watch)
                else:
                    found = all_minimal(board, request.plan, question.watch)
                    found = found if options.quiet else number_first(found, writer.announce)
                status = self.write(found, writer, options.minimal or None)
        except (NoSolutionError, NotUniqueError, UnsuitableBoardError) as error:
            return self.refuse(source, board, error, request)
        if options.quiet:
            console.write_line(with_plus(writer.written, status == ANSWERED))
        return status


VIEW = MinimalView()
