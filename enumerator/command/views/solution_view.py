"""The base class of the views of --list, --nth and --sample, which write solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from enumerator.board import Board
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import DRAWINGS, View
from enumerator.text.phrases import lasting, plural, printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.checkpoints import Ledger
    from enumerator.questions.chunks import NamedBoard
    from enumerator.questions.listing import LineSink, Output
    from enumerator.questions.solutions import SolutionList

SOLUTION_OPTIONS = frozenset(["time_limit", "grids", "output", "engine"])
"""The special options that every question for solutions accepts."""


class Writing(NamedTuple):
    """The arguments of `SolutionsView.write`: a list of solutions, and a sink to write them to."""

    name: str
    """The printable name of the source of the board."""
    board: Board
    solutions: SolutionList
    sink: LineSink
    request: Request
    watch: Watch
    ledger: Ledger | None = None


class Ending(NamedTuple):
    """The result of `SolutionsView.write`: an exit status, and a message about the board or ""."""

    status: int = ANSWERED
    message: str = ""


class SolutionsView(View[Any]):
    """A view that writes solutions, in the format that the options name."""

    special_options = SOLUTION_OPTIONS

    def write(self, writing: Writing) -> Ending:
        """Write the requested solutions."""
        raise NotImplementedError

    def first_number(self, request: Request) -> tuple[int, str]:
        """Return the number of the first grid, and the text before the number of each."""
        return 0, "#"

    def json_facts(self, request: Request) -> dict[str, object]:
        """Return the facts that every JSON object includes, after the source."""
        return {}

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        from enumerator.questions.solutions import solution_list

        solutions = solution_list(board, request.plan)
        return self.write_and_report(source, board, solutions, self.make_sink(source, board, request), request)

    def make_sink(self, source: str, board: Board, request: Request) -> LineSink:
        """Return the sink that writes solutions in the format that the options name."""
        from enumerator.command.solution_forms import GridSink, JsonSink, TerminalSink
        from enumerator.questions.listing import LineSink

        output, (first, prefix) = get_output(request), self.first_number(request)
        if request.form == "json":
            return JsonSink(output, board.shape, {"source": source, **self.json_facts(request)})
        if output.is_terminal and request.form in DRAWINGS:
            from enumerator.command.terminal import SolutionDrawing

            drawing = SolutionDrawing(board, request.form == "ascii")
            if drawing.fits:
                return TerminalSink(output, printable(source), drawing, first, prefix)
        if request.options.grids:
            return GridSink(output, board, first, prefix, request.options.ascii)
        return LineSink(output, board.shape)

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        """Write an object in place of the solutions of a board without an answer; in lines, nothing.

        A file that can be resumed is not touched.
        """
        if request.form == "json" and request.options.checkpoint is None:
            get_output(request).write(f"{self.line_without_answer(named, request.form)}\n".encode(), 0)

    def write_and_report(
        self,
        source: str,
        board: Board,
        solutions: SolutionList,
        sink: LineSink,
        request: Request,
        ledger: Ledger | None = None,
    ) -> int:
        """Write solutions, report errors, and return the exit status."""
        from enumerator.questions.ask import OutOfTimeError, RunLostError
        from enumerator.questions.solutions import NoSuchSolutionError, index_seconds

        name, time_limit = printable(source), request.options.time_limit
        before = ledger.contents.totals.solutions if ledger else sink.output.solutions

        def written() -> str:
            return f"{plural(sink.output.solutions - before, 'solution', '{:,}')} written"

        try:
            earlier = ledger.contents.seconds if ledger else 0.0
            with request.asking("the list is not complete", earlier_seconds=earlier) as question:
                status, message = self.write(Writing(name, board, solutions, sink, request, question.watch, ledger))
            message = message and f"{name}: {message}"
        except TimeUpError:
            status, message = FAILED, f"{name}: the time is up; {written()}, not all"
        except KeyboardInterrupt:
            status, message = INTERRUPTED, f"interrupted: {name}: {written()}"
        except RunLostError as error:
            status, message = FAILED, f"{error}; {written()}, not all"
        except NoSuchSolutionError as error:
            status, message = UNUSABLE, f"{name}: {error}"
        except OutOfTimeError:
            allowed = lasting(index_seconds(solutions, time_limit) or 0.0)
            advice = f"{'a longer ' if time_limit else ''}--time-limit allows for more"
            status = FAILED
            message = f"{name}: its solutions cannot be counted in {allowed}, so none of them can be picked ({advice})"
        if message:
            complain(message)
        return status


class TimeUpError(Exception):
    """The time limit has passed before all solutions were written."""


def get_output(request: Request) -> Output:
    """Return the output of a request for solutions."""
    if request.output is None:
        raise RuntimeError("there is nothing to write to")
    return request.output
