"""The view of --candidates: the number of solutions with each digit in each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.board.phrases import lasting, plural, printable
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.layout import Facts
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.candidates import CandidatesAnswer
    from enumerator.run.local import PartialCount


class CandidatesView(View["CandidatesAnswer"]):
    """A table of cells and digits, and the clues that would make a board unique."""

    arguments = option(action="store_true", help="for every cell and digit, in how many solutions it stands there")
    special_options = frozenset(["time_limit", "quiet", "engine"])

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        from enumerator.questions.candidates import candidates
        from enumerator.run.plan import OutOfTimeError

        name, time_limit = printable(source), request.options.time_limit
        try:
            with request.bar() as bar:
                answer = candidates(board, request.plan, time_limit=time_limit, watch=bar.show)
        except KeyboardInterrupt:
            complain(f"interrupted: {name}: the candidates are not counted")
            return INTERRUPTED
        except OutOfTimeError:
            complain(f"{name}: the candidates cannot be counted in {lasting(time_limit)}")
            return FAILED
        self.show(source, answer, request.form)
        return ANSWERED

    def as_number(self, answer: CandidatesAnswer) -> str:
        """Return a line for each cell, with the counts of all digits in columns."""
        size, symbols = answer.board.shape.size, answer.board.shape.symbols
        places = [f"r{row + 1}c{column + 1}" for row in range(size) for column in range(size)]
        rows = [["", *symbols], *([place, *map(str, row)] for place, row in zip(places, answer.counts, strict=True))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            f"{row[0]:<{widths[0]}}  "
            + "  ".join(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
            for row in rows
        )

    def as_text(self, source: str, answer: CandidatesAnswer) -> str:
        return f"{super().as_text(source, answer)}\n\n{self.as_number(answer)}"

    def facts(self, answer: CandidatesAnswer) -> Facts:
        clues = (("clues", advice) for advice in answer.advice())
        return [("solutions", str(answer.solutions)), *clues, ("time", describe_work(answer))]

    def draw(self, source: str, answer: CandidatesAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import draw_candidates

        return draw_candidates(printable(source), answer, describe_work(answer))


def describe_work(answer: CandidatesAnswer) -> str:
    """Return the time, the engine and the cores of an answer."""
    return f"{answer.seconds:.3f} s, {answer.engine}, {plural(answer.cores, 'core')}"


VIEW = CandidatesView()
