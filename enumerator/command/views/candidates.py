"""The view of --candidates: the number of solutions with each digit in each cell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from enumerator.board import Board
from enumerator.board.phrases import lasting, plural, printable, whole
from enumerator.command.arguments import picture_path
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, complain
from enumerator.command.layout import Facts
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.candidates import CandidatesAnswer
    from enumerator.run.local import PartialCount


class CandidatesView(View["CandidatesAnswer"]):
    """A table of cells and digits, and the clues that would make a board unique."""

    columns = ("source", "board", "cell", "digit", "count", "solutions", "error")
    arguments = option(
        action="store_true", help="for each cell and digit, the number of solutions that have the digit in the cell"
    )
    special_options = frozenset(["time_limit", "quiet", "engine"])
    own_options: ClassVar[dict[str, dict[str, Any]]] = {
        "--svg": option(type=picture_path, metavar="FILE", help="also draw --candidates of one board as a picture"),
        "--html": option(type=picture_path, metavar="FILE", help="also draw --candidates of one board as a page"),
    }

    def conflicts(self, options: argparse.Namespace) -> Iterator[str]:
        if paths := picture_paths(options):
            from enumerator.command.pictures import find_mistakes

            yield from find_mistakes(paths, options.boards)

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
        return self.save_pictures(source, answer, request)

    def save_pictures(self, source: str, answer: CandidatesAnswer, request: Request) -> int:
        """Write the files of --svg and --html, and return the exit status."""
        from enumerator.board.pictures import candidates_page, candidates_svg
        from enumerator.command.pictures import save

        lines = [answer.headline, *answer.advise("{:,}")]
        for flag, path in picture_paths(request.options).items():
            make = candidates_svg if flag == "--svg" else candidates_page
            try:
                save(path, make(answer.board, answer.counts, printable(source), lines))
            except OSError as error:
                complain(f"{printable(path)}: {error.strerror or error}; it is not written")
                return FAILED
        return ANSWERED

    def as_number(self, answer: CandidatesAnswer) -> str:
        """Return a line for each cell, with the counts of all digits in columns."""
        return answer.table()

    def rows(self, source: str, answer: CandidatesAnswer) -> Iterator[dict[str, object]]:
        """Yield a row for each cell and digit, with the number of solutions that have it there."""
        from enumerator.board.shape import cell_name

        for cell, counts in enumerate(answer.counts):
            name = cell_name(cell, answer.board.shape.size)
            for digit, count in enumerate(counts, 1):
                yield {
                    "source": source,
                    "board": str(answer.board),
                    "cell": name,
                    "digit": digit,
                    "count": count,
                    "solutions": str(answer.solutions),
                }

    def as_text(self, source: str, answer: CandidatesAnswer) -> str:
        return f"{super().as_text(source, answer)}\n\n{self.as_number(answer)}"

    def facts(self, answer: CandidatesAnswer) -> Facts:
        return [("solutions", whole(answer.solutions)), *candidate_facts(answer, "{}")]

    def draw(self, source: str, answer: CandidatesAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_candidates

        style = "bold green" if answer.solutions else "bold red"
        heading = Heading(printable(source), answer.headline, style)
        return draw_candidates(heading, answer, candidate_facts(answer, "{:,}"), ascii)


def picture_paths(options: argparse.Namespace) -> dict[str, str]:
    """Return the names of the files to draw, by option."""
    paths = {"--svg": options.svg, "--html": options.html}
    return {flag: path for flag, path in paths.items() if path is not None}


def candidate_facts(answer: CandidatesAnswer, integer: str) -> Facts:
    """Return the facts behind the number of solutions. `integer` is the format of integers."""
    return [
        *(("clues", advice) for advice in answer.advise(integer)),
        ("engine", f"{answer.engine}, {plural(answer.cores, 'core')}"),
        ("time", f"{answer.seconds:.3f} s"),
    ]


VIEW = CandidatesView()
