"""The view of --distinct: the boards that are not symmetric to an earlier one, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from enumerator.command import console
from enumerator.command.views import FACT_FORMS, View, option

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.canonical import Classes, ClassNames
    from enumerator.questions.chunks import NamedBoard
    from enumerator.questions.many import Asking


class DistinctView(View[Any]):
    """The first board of each class on a line; in JSON a line for every board."""

    group = "sameness"
    arguments = option(
        action="store_true",
        help="the boards that are not symmetric to an earlier one, in order; with --list, one solution of each class",
    )
    special_options = frozenset(["quiet"])
    begins_alone = False
    columns = ("source", "number", "board", "shape", "distinct", "equals", "error")

    _classes: Classes
    """The classes of the boards so far."""

    def many(self, request: Request) -> Asking:
        from enumerator.questions.canonical import Classes, FormFinder, name_classes, size_of_classes
        from enumerator.questions.many import Asking

        self._classes = Classes(numbered=request.form in FACT_FORMS)
        return Asking(FormFinder(), name_classes, size_of_classes)

    def write_block(self, answers: ClassNames, request: Request) -> None:
        """Print the boards that are the first of their class; with facts, all boards. They come in order.

        `equals` is the `number` of the first board of a class.
        """
        for source, board, digest in answers:
            first = self._classes.add(digest)
            number = self._classes.boards
            if request.form in FACT_FORMS:
                facts: dict[str, object] = {"source": source, "number": number, "board": str(board)}
                facts |= {"shape": str(board.shape), "distinct": first == number}
                facts["equals"] = None if first == number else first
                console.write_line(self.line_of(facts, request.form))
            elif first == number:
                console.write_line(str(board))

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        """Print a line for a board that cannot be read, where every board has one. It counts as a board."""
        self._classes.boards += 1
        if request.form in FACT_FORMS:
            super().show_invalid(named, request)


VIEW = DistinctView()
