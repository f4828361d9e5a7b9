"""The view of a question: its option, asking it, and showing its answer.

To add a question, write a module with a `VIEW`, and add a line to `dispatch.QUESTIONS`. A view of
boards defines `ask`, which answers for one board, `question`, where the fields of the answer are declared,
from which text, JSON and CSV are made, and `as_number`. A view of anything else overrides `answer`.

    count.py        the default question
    listing.py      --list
    nth.py          --nth
    sample.py       --sample
    solution_view.py  what these three share: views that write solutions
    candidates.py   --candidates
    classify.py     --classify
    clues.py        --clues
    complete.py     --complete
    canonical.py    --canonical
    distinct.py     --distinct
    equivalent.py   --equivalent
    different.py    --different
    estimate.py     --estimate
    partial.py      views of questions that are asked in processes
    minimal.py      --minimal
    generate.py     --generate
    puzzles.py      what these two share: views that write puzzles
    link.py         --link
    steps.py        --steps
    status.py       --status
    unavoidable.py  --unavoidable
    audit.py        --audit
    serve.py        --serve

Every command imports all views, for their options. So a view imports its other modules on first
use.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from enumerator.command import console
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Ending, Watch
    from enumerator.questions.chunks import NamedBoard
    from enumerator.questions.fields import Answer, Facts, Field
    from enumerator.questions.many import Asking


DRAWINGS = ("drawing", "ascii")
"""The forms of an answer on a terminal."""

INVALID = "invalid"
"""The answer for a board that cannot be read."""

UNSUPPORTED = "unsupported"
"""The answer for one of many boards that the engine of the options does not take."""

UNKNOWN = "unknown"
"""The answer for a board of which nothing is known when the time is up."""


FACT_FORMS = ("json", "csv")
"""The forms of an answer that have all of its facts."""


class Text(NamedTuple):
    """Printed answers for some boards."""

    data: bytes | bytearray


def size_of_text(text: Any) -> int:
    """Return the size of printed answers in bytes."""
    return len(text.data)


AnswerType = TypeVar("AnswerType", bound="Answer")


def option(**arguments: Any) -> dict[str, Any]:
    """Return the keyword arguments of `add_argument` for an option."""
    return arguments


class View(Generic[AnswerType]):
    """The base class of the view of a question."""

    arguments: ClassVar[dict[str, Any]] = {}
    """The keyword arguments of `add_argument` for the option of the question. It has the same name."""

    question: ClassVar[str] = ""
    """The module of `enumerator.questions` with the fields of the answer, in FIELDS or by name: "read:LINK_FIELDS"."""

    group: ClassVar[str] = "solutions"
    """The group of the question in --help, a key of `dispatch.GROUPS`."""

    undone: ClassVar[str] = "there is no answer"
    """A clause for the message about a question that has ended early: the clues are not all judged."""

    special_options: ClassVar[frozenset[str]] = frozenset()
    """The options that the question accepts, of `options.SPECIAL_OPTIONS` and these three:

    `quiet`, `engine`, and `backend` for --backend dask.
    """

    own_options: ClassVar[dict[str, dict[str, Any]]] = {}
    """The options that only this question accepts, by flag: keyword arguments of `add_argument`."""

    subject: ClassVar[str] = "board"
    """What the arguments of the command name: files of boards, or ledgers; "" if it takes none."""

    written: ClassVar[str] = "solution"
    """What the question writes to --output, if it accepts that."""

    ends_on_failure: ClassVar[bool] = False
    """True if the boards after one that fails are not answered."""

    begins_alone: ClassVar[bool] = True
    """True if the first of many boards are answered by `answer_board`, until it is known that they are short."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the answer, from which all forms are made; none for a view with forms of its own."""
        if not self.question:
            return ()
        module, _, name = self.question.partition(":")
        declared: tuple[Field, ...] = getattr(import_module(f"enumerator.questions.{module}"), name or "FIELDS")
        return declared

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of --csv, each with the name of a fact; none for questions without facts."""
        from enumerator.questions.fields import table_columns

        names = table_columns(self.fields)
        return ("source", *names, "error") if names and self.subject == "board" else names

    def takes(self, option: str) -> bool:
        """Return True if the question accepts an option."""
        return option in self.special_options or f"--{option.replace('_', '-')}" in self.own_options

    def conflicts(self, options: argparse.Namespace) -> Iterable[str]:
        """Return messages about options that the question accepts but that cannot be combined."""
        return ()

    # ------------------------------------------------------------------------------------------ asking

    def answer(self, request: Request) -> int:
        """Answer the question for every board or ledger of the options. Return the exit status."""
        from enumerator.command.board_loop import answer_boards

        return answer_boards(self, request)

    def answer_board(self, source: str, board: Board, request: Request) -> int:
        """Answer the question for one board, perhaps in part, and return the exit status."""
        from enumerator.questions.ask import Interrupted, OutOfTimeError, RunLostError

        try:
            with request.asking(self.undone, self.deadline(request)) as question:
                answer = self.ask(board, request, question.watch)
        except (Interrupted, OutOfTimeError, RunLostError) as error:
            return self.end_early(source, board, error, request)
        self.show(source, answer, request.form)
        return self.save_pictures(source, answer, request)

    def deadline(self, request: Request) -> float | None:
        """Return the seconds after which the question ends; None: no limit, or it sees to it itself."""
        limit: float | None = request.options.time_limit
        return limit

    def end_early(self, source: str, board: Board, error: Ending, request: Request) -> int:
        """Say why the question has ended early, show its partial answer if it has one, and return the exit status."""
        from enumerator.questions.ask import Interrupted, OutOfTimeError

        if message := self.describe_end(printable(source), error):
            complain(message)
        if error.answer is not None:
            self.show(source, error.answer, request.form)
        elif isinstance(error, OutOfTimeError):
            self.write_unanswered(source, board, UNKNOWN, str(error), request)
        if isinstance(error, Interrupted):
            return INTERRUPTED
        is_answered = isinstance(error, OutOfTimeError) and error.answer is not None
        return self.save_pictures(source, error.answer, request) if is_answered else FAILED

    def describe_end(self, name: str, error: Ending) -> str:
        """Return the message about a question that has ended early; empty if its partial answer says all."""
        from enumerator.questions.ask import Interrupted

        return f"interrupted: {name}: {self.undone}" if isinstance(error, Interrupted) else f"{name}: {error}"

    def save_pictures(self, source: str, answer: AnswerType, request: Request) -> int:
        """Write the files of --svg and --html, if the question has pictures; return the exit status."""
        return ANSWERED

    def ask(self, board: Board, request: Request, watch: Watch) -> AnswerType:
        """Ask the question of one board."""
        raise NotImplementedError

    def many(self, request: Request) -> Asking:
        """Return how the question is asked of many boards. By default, it is asked of one after the other."""
        from enumerator.questions.many import Asking

        return Asking()

    # ----------------------------------------------------------------------------------------- showing

    def write_block(self, answers: Any, request: Request) -> None:
        """Print what `many` has made of the answers for some boards: text, unless a view says otherwise."""
        if answers.data:
            console.write_bytes(answers.data)

    def show_invalid(self, named: NamedBoard, request: Request) -> None:
        """Print the line of a board without an answer, so that lines and boards stay aligned.

        Text and drawings have no such line: their titles tell which board each of them is for.
        """
        if request.form in (*FACT_FORMS, "number"):
            self.write_line(self.line_without_answer(named, request.form), request)

    def show_unanswered(self, source: str, board: Board, verdict: str, reason: str, request: Request) -> None:
        """Say why a board has no answer, and print its line."""
        complain(f"{printable(source)}: {reason}")
        self.write_unanswered(source, board, verdict, reason, request)

    def write_unanswered(self, source: str, board: Board, verdict: str, reason: str, request: Request) -> None:
        """Print the line of a board that has no answer, where every board has one."""
        facts = {"source": source, "board": str(board), "verdict": verdict, "error": reason}
        if request.form in FACT_FORMS:
            self.write_line(self.line_of(facts, request.form), request)
        elif request.form == "number":
            self.write_line(verdict, request)

    def refuse(self, source: str, board: Board, error: ValueError, request: Request) -> int:
        """Show that a board has not the one solution that the question needs, or is not for it; return the status."""
        from enumerator.questions.solve import NoSolutionError, NotUniqueError

        is_empty, is_multiple = isinstance(error, NoSolutionError), isinstance(error, NotUniqueError)
        verdict = "none" if is_empty else "multiple" if is_multiple else UNSUPPORTED
        self.show_unanswered(source, board, verdict, str(error), request)
        return UNUSABLE

    def write_line(self, line: str, request: Request) -> None:
        """Print the line of a board without an answer."""
        console.write_line(line)

    def line_without_answer(self, named: NamedBoard, form: str) -> str:
        """Return the line of a board without an answer: its facts, or a word."""
        if form not in FACT_FORMS:
            return word_without_answer(named)
        board = {"board": str(named.board)} if named.board else {}
        verdict = word_without_answer(named)
        return self.line_of({"source": named.source, **board, "verdict": verdict, "error": named.error}, form)

    def line_of(self, facts: Mapping[str, object], form: str) -> str:
        """Return facts as a line of a table, or as a JSON object on one line."""
        if form == "csv":
            from enumerator.command.printing import make_row

            return make_row(self.columns, facts)
        import json

        return json.dumps(facts)

    def show(self, source: str, answer: AnswerType, form: str) -> None:
        """Print an answer. With one of the forms DRAWINGS, draw it if possible."""
        if form not in DRAWINGS or not self.draw(source, answer, form == "ascii"):
            console.write_line(self.render(source, answer, form))

    def render(self, source: str, answer: AnswerType, form: str) -> str:
        """Return an answer as text, in the form `json`, `csv`, `number` or `text`."""
        if form == "json":
            return self.as_json(source, answer)
        if form == "csv":
            return self.as_csv(source, answer)
        return self.as_number(answer) if form == "number" else self.as_text(source, answer)

    def as_json(self, source: str, answer: AnswerType) -> str:
        """Return the answer as one JSON object, on one line."""
        return self.line_of({**self.source_fact(source), **answer.to_dict()}, "json")

    def as_csv(self, source: str, answer: AnswerType) -> str:
        """Return the answer as lines of CSV: one, unless a field has several rows."""
        from enumerator.questions.fields import table_rows

        facts = self.source_fact(source)
        return "\n".join(self.line_of({**facts, **row}, "csv") for row in table_rows(self.fields, answer))

    def source_fact(self, source: str) -> dict[str, object]:
        """Return the source as a fact by name. The board of a ledger has its own among its fields."""
        return {"source": source} if self.subject == "board" else {}

    def as_text(self, source: str, answer: AnswerType) -> str:
        """Return the answer as a title and facts, one per line."""
        lines = (f"  {name:<16}{value}" for name, value in self.facts(answer))
        return "\n".join([printable(source), *lines])

    def as_number(self, answer: AnswerType) -> str:
        """Return the answer as a single number."""
        raise NotImplementedError

    def facts(self, answer: AnswerType, is_drawn: bool = False) -> Facts:
        """Return the names and values that `as_text` or a drawing shows."""
        from enumerator.questions.fields import DRAWING, TEXT, sentences

        return sentences(self.fields, answer, DRAWING if is_drawn else TEXT)

    def draw(self, source: str, answer: AnswerType, ascii: bool) -> bool:  # noqa: A002
        """Draw the answer on the terminal; return False if it cannot be drawn.

        With `ascii`, the terminal shows no other characters.
        """
        return False


def word_without_answer(named: NamedBoard) -> str:
    """Return INVALID for a text that is not a board, and UNSUPPORTED for a board that an engine does not take."""
    return UNSUPPORTED if named.board else INVALID
