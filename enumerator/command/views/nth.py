"""The view of --nth: one solution of each board, by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.arguments import natural_number
from enumerator.command.views import option, word_without_answer
from enumerator.command.views.solution_view import Ending, SolutionsView, Writing, get_output

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.chunks import NamedBoard


class NthView(SolutionsView):
    """The n-th solution of the list, counted from 0."""

    arguments = option(type=natural_number, metavar="K", help="solution K of --list, counted from 0")

    def first_number(self, request: Request) -> tuple[int, str]:
        return request.options.nth, "#"

    def json_facts(self, request: Request) -> dict[str, object]:
        return {"nth": str(request.options.nth)}

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        """Write a line in place of the solution of a board without an answer."""
        output = get_output(request)
        if request.form == "json" or request.options.grids or output.is_terminal:
            super().show_invalid(named, request)
        else:
            output.write(f"{word_without_answer(named)}\n".encode(), 0)

    def write(self, writing: Writing) -> Ending:
        from enumerator.questions.ask import within
        from enumerator.questions.solutions import list_cores, nth_line

        options, solutions = writing.request.options, writing.solutions
        cores = list_cores(solutions, writing.request.plan)
        watch = within(options.time_limit, writing.watch)
        writing.sink.write(nth_line(solutions, options.nth, cores, watch))
        return Ending()


VIEW = NthView()
