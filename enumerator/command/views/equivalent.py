"""The view of --equivalent: is each board symmetric to a given one, and by which symmetry?"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from enumerator.board.files import STANDARD_INPUT
from enumerator.command.console import FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import option
from enumerator.command.views.canonical import FormView
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.board.canonical import CanonicalForm
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.canonical import EquivalentAnswer


class EquivalentView(FormView["EquivalentAnswer"]):
    """Yes, with a symmetry, or no."""

    question = "canonical:EQUIVALENT_FIELDS"
    arguments = option(
        metavar="BOARD", help="is each board symmetric to BOARD, and by which symmetry? BOARD is a board or a file"
    )

    _other: CanonicalForm
    """The form of the board to compare with, and the way there."""

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        if options.equivalent == STANDARD_INPUT and STANDARD_INPUT in options.boards:
            yield "standard input cannot be both the boards and that of --equivalent: name a file"

    def answer(self, request: Request) -> int:
        from enumerator.board.reading import BoardError
        from enumerator.command.inputs import read_one
        from enumerator.questions.ask import Interrupted, OutOfTimeError
        from enumerator.questions.canonical import UNDONE, form_of

        try:
            other = read_one(request.options.equivalent, request.options.shape)
            with request.asking(UNDONE, self.deadline(request)) as question:
                self._other = form_of(other, question.watch)
        except (Interrupted, OutOfTimeError) as error:
            complain(f"--equivalent: {error}")
            return INTERRUPTED if isinstance(error, Interrupted) else FAILED
        except BoardError as error:
            complain(f"--equivalent: {printable(str(error))}")
            return UNUSABLE
        return super().answer(request)

    def ask(self, board: Board, request: Request, watch: Watch) -> EquivalentAnswer:
        from enumerator.questions.canonical import compare

        return compare(board, self._other, watch)

    def as_number(self, answer: EquivalentAnswer) -> str:
        return "yes" if answer.symmetry else "no"


VIEW = EquivalentView()
