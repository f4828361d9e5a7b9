"""The view of --sample: uniformly random solutions of each board."""

from __future__ import annotations

from itertools import islice
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.command.arguments import positive_integer
from enumerator.command.views import option
from enumerator.command.views.solution_view import SOLUTION_OPTIONS, Ending, SolutionsView, TimeUpError, Writing
from enumerator.questions.ask import Progress

if TYPE_CHECKING:
    from enumerator.command.request import Request

PAGE_SOLUTIONS = 1_024
"""The number of solutions of a sample that are written at a time."""


class SampleView(SolutionsView):
    """Uniformly random solutions."""

    arguments = option(type=positive_integer, metavar="N", help="N uniformly random solutions")
    special_options = SOLUTION_OPTIONS | {"seed"}

    def first_number(self, request: Request) -> tuple[int, str]:
        return 0, "# sample "

    def json_facts(self, request: Request) -> dict[str, object]:
        return {"seed": request.options.seed}

    def write(self, writing: Writing) -> Ending:
        from enumerator.questions.ask import within
        from enumerator.questions.sample import sample_lines
        from enumerator.questions.solutions import index_seconds, list_cores

        _, _, solutions, sink, request, watch, _ = writing
        options = request.options
        deadline = perf_counter() + (inf if options.time_limit is None else options.time_limit)
        lines = sample_lines(
            solutions,
            options.sample,
            options.seed,
            list_cores(solutions, request.plan),
            within(index_seconds(solutions, options.time_limit), watch),
        )
        written = 0
        while page := b"".join(islice(lines, PAGE_SOLUTIONS)):
            if written and perf_counter() > deadline:
                raise TimeUpError
            written += sink.write(page)
            watch(Progress(written / options.sample, written, "samples", options.sample))
        return Ending()


VIEW = SampleView()
