"""The view of a question: the option that asks for it, how it is asked, and how its answer is shown.

A new question is a module with a `VIEW`, and a line in `dispatch.QUESTIONS`. A view of boards says how one
board is answered for (`ask`) and how the answer looks (`facts` and `as_number`; `as_json` and `as_text`
follow from these and from the answer's `to_dict`). A view of anything else has an `answer` of its own.

Every view is imported for the options, so their modules import what they need when they need it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from enumerator.board.wording import printable
from enumerator.command import console
from enumerator.command.console import ANSWERED, INTERRUPTED, complain

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.boards import BatchWork
    from enumerator.command.layout import Facts
    from enumerator.command.request import Request
    from enumerator.run.local import PartialCount
    from enumerator.run.progress import Watch


class Answer(Protocol):
    """The answer to a question."""

    def to_dict(self) -> dict[str, object]:
        """Return all facts, for JSON."""
        ...


AnswerType = TypeVar("AnswerType", bound=Answer)


def option(**arguments: Any) -> dict[str, Any]:
    """Return the arguments with which `add_argument` adds an option."""
    return arguments


class View(Generic[AnswerType]):
    """The view of a question."""

    arguments: ClassVar[dict[str, Any]] = {}
    """The option that asks the question, as `add_argument` takes it: its name is that of the question."""

    special_options: ClassVar[frozenset[str]] = frozenset()
    """Options that go with the question and not with every other: see `options.SPECIAL_OPTIONS`.

    Also `quiet`, `engine` and `backend`, the last for --backend dask.
    """

    own_options: ClassVar[dict[str, dict[str, Any]]] = {}
    """Options that go with this question alone, by flag, as `add_argument` takes them."""

    ends_on_failure: ClassVar[bool] = False
    """Boards behind one that fails are not answered for."""

    def takes(self, option: str) -> bool:
        """Tell if an option goes with the question."""
        return option in self.special_options or f"--{option.replace('_', '-')}" in self.own_options

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        """Return sentences about options that go with the question, but not with each other."""
        return ()

    # ------------------------------------------------------------------------------------------ asking

    def answer(self, request: Request) -> int:
        """Answer for everything that the options name, and return the exit status."""
        from enumerator.command.boards import answer_boards

        return answer_boards(self, request)

    def answer_board(self, source: str, board: Board, request: Request, start: PartialCount | None = None) -> int:
        """Answer for one board, and return the exit status. `start` is a count that a batch has left."""
        try:
            with request.bar() as bar:
                answer = self.ask(board, request, bar.show)
        except KeyboardInterrupt:
            complain(f"interrupted: {printable(source)}: there is no answer")
            return INTERRUPTED
        self.show(source, answer, request.form)
        return ANSWERED

    def ask(self, board: Board, request: Request, watch: Watch) -> AnswerType:
        """Ask the question of one board."""
        raise NotImplementedError

    def batch_work(self, request: Request) -> BatchWork | None:
        """Return the function by which a worker answers for many boards; None: each is answered for alone."""
        return None

    # ----------------------------------------------------------------------------------------- showing

    def show(self, source: str, answer: AnswerType, form: str) -> None:
        """Print an answer; draw it on a terminal, if it can be drawn."""
        if form != "drawing" or not self.draw(source, answer):
            console.write_line(self.render(source, answer, form))

    def render(self, source: str, answer: AnswerType, form: str) -> str:
        """Return an answer as text of that form."""
        if form == "json":
            return self.as_json(source, answer)
        return self.as_number(answer) if form == "number" else self.as_text(source, answer)

    def as_json(self, source: str, answer: AnswerType) -> str:
        """Return one JSON object, on one line."""
        import json

        return json.dumps({"source": source, **answer.to_dict()})

    def as_text(self, source: str, answer: AnswerType) -> str:
        """Return a title and one fact a line."""
        from enumerator.command.layout import tabulate

        return tabulate(printable(source), self.facts(answer))

    def as_number(self, answer: AnswerType) -> str:
        """Return the number alone that answers the question."""
        raise NotImplementedError

    def facts(self, answer: AnswerType) -> Facts:
        """Return names and values, for text."""
        raise NotImplementedError

    def draw(self, source: str, answer: AnswerType) -> bool:
        """Draw the answer on the terminal; return False if it cannot be drawn."""
        return False
