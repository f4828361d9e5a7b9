"""The view of --distinct: the boards that are not symmetric to an earlier one, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.views import View, option

if TYPE_CHECKING:
    from enumerator.command.chunks import NamedBoard, Text
    from enumerator.command.request import Request
    from enumerator.questions.canonical import Classes


class DistinctView(View[Any]):
    """The first board of each class on a line; in JSON a line for every board."""

    arguments = option(
        action="store_true",
        help="the boards that are not symmetric to an earlier one, in order; with --list, one solution of each class",
    )
    special_options = frozenset(["quiet"])
    columns = ("source", "board", "shape", "distinct", "equals", "error")

    _classes: Classes
    """The classes of the boards so far."""

    def answer(self, request: Request) -> int:
        from enumerator.command.batches import answer_chunks
        from enumerator.command.boards import Answered
        from enumerator.command.canonical_text import DistinctText
        from enumerator.command.chunks import split_files
        from enumerator.questions.canonical import Classes

        self._classes = Classes()
        return answer_chunks(self, DistinctText(), split_files(request), request, Answered())

    def write_block(self, text: Text, request: Request) -> None:
        """Print the boards that are the first of their class; with facts, all boards. They come in order."""
        from enumerator.command.canonical_text import unpack_boards
        from enumerator.command.views import FACT_FORMS

        for digest, facts in unpack_boards(bytes(text.text)):
            first = self._classes.add(digest)
            number = self._classes.boards
            if request.form in FACT_FORMS:
                facts |= {"distinct": first == number, "equals": None if first == number else first}
                console.write_line(self._render(facts, request.form))
            elif first == number:
                console.write_line(str(facts["board"]))

    def _render(self, facts: dict[str, object], form: str) -> str:
        """Return the facts about a board. `equals` is the number of the first board of its class, from 1."""
        if form == "json":
            import json

            return json.dumps(facts)
        from enumerator.command.csv_lines import make_row

        return make_row(self.columns, facts)

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        """Print a line for a board that cannot be read, where every board has one. It counts as a board."""
        from enumerator.command.views import FACT_FORMS

        self._classes.boards += 1
        if request.form in FACT_FORMS:
            super().show_invalid(named, request)


VIEW = DistinctView()
