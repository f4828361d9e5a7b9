"""The fields of an answer: declared once, shown in every form.

A `Field` says how a fact is called in JSON and CSV, which value it has there, what text and drawings say
of it, and how it is printed for a whole block of boards. An answer lists its fields in `FIELDS`, in the
order of JSON. All forms are made from that list, so a field that is added to it appears in all of them.

A field that does not say how it is printed for a block is right as well, but slower: the answers for
the block are then made and printed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.symbols import symbol_table
from enumerator.text.phrases import lasting, magnitude, plural, short

if TYPE_CHECKING:
    from enumerator.engines.board_blocks import BoardBlock, BoardFacts, Cells, Numbers
    from enumerator.text.columns import Column

Facts: TypeAlias = list[tuple[str, str]]
"""Names and values as text, in the order of display."""

ABSENT = object()
"""The value of a field that an answer does not have."""

LATE = 95
"""The place of a field in text that does not say another one: before the facts about the board."""

LONG_DIGITS = 10
"""The number of digits from which a drawing shows a search space in scientific notation."""


class Style:
    """How the facts of an answer are shown: `integer` is the format of integers.

    It `is_drawn` beside a drawing of the board, which has a heading.
    """

    def __init__(self, integer: str, is_drawn: bool) -> None:
        self.integer, self.is_drawn = integer, is_drawn


TEXT, DRAWING = Style("{}", False), Style("{:,}", True)


def usual_words(answer: Any, field: Field, style: Style) -> str | None:  # noqa: ARG001 - as all functions for words
    """Return the value of a field as text."""
    value = field.value(answer)
    if value is None or value is ABSENT:
        return None
    return value if isinstance(value, str) else text_of(value)


def no_words(*_: object) -> None:
    """Return that text and drawings leave a field out."""


def in_text(words: Callable[[Any], str]) -> Callable[[Any, Field, Style], str | None]:
    """Return the words of a field that a drawing leaves out."""
    return lambda answer, _, style: None if style.is_drawn else words(answer)


def same(answers: AnswerBlock, field: Field) -> list[Column]:
    """Return the column of a field that is equal for all boards of a block: the text of JSON."""
    from enumerator.text import columns

    return [columns.text(text_of(field.value(answers.answer(0))).encode())]


def by_answer(answers: AnswerBlock, field: Field) -> list[Column]:
    """Raise TypeError: the field has no column, so that the answers of a block are printed one by one."""
    raise TypeError(f"the field {field.name} has no column in {type(answers).__name__}")


def text_of(value: object) -> str:
    """Return a value as it stands in JSON, without the quotes of a string."""
    import json

    text = json.dumps(value)
    return text[1:-1] if isinstance(value, str) else text


class Field:
    """A fact of an answer.

        name        the name in JSON and CSV; "" for one that only text and drawings have
        value       returns the value in JSON; ABSENT if the answer does not have it
        words       returns what text says, one line or several; None if nothing
        label       the name in text; "" for that of JSON, with blanks
        place       the place in text, in ascending order
        columns     the columns of CSV; None: one, which has the name of the field. Those of a dictionary have dots
        column      returns the columns of a block: `same` if all its boards have the same value
        shown       returns numbers that are 1 for the boards of a block which have the field, a string; None: all
        is_text     the value of a field with columns is a string, which JSON quotes
        rows        returns the rows of CSV, where an answer has several: facts by the names of the `columns`

    It is no data class or named tuple: these would add 0.5 ms to the start of every command.
    """

    def __init__(  # noqa: PLR0913 - seven of them have defaults
        self,
        name: str,
        value: Callable[[Any], object],
        words: Callable[[Any, Field, Style], str | Sequence[str] | None] = usual_words,
        label: str = "",
        place: int = LATE,
        columns: tuple[str, ...] | None = None,
        column: Callable[[Any, Field], list[Column]] = by_answer,
        shown: Callable[[Any], Numbers] | None = None,
        is_text: bool = False,
        rows: Callable[[Any], Iterable[dict[str, object]]] | None = None,
    ) -> None:
        self.name, self.value, self.words, self.label, self.place = name, value, words, label, place
        self.columns, self.column, self.shown, self.is_text, self.rows = columns, column, shown, is_text, rows

    def but(self, **changes: Any) -> Field:
        """Return the same field with other attributes."""
        return Field(**{**vars(self), **changes})

    def without_words(self) -> Field:
        """Return the same field, of which text says nothing."""
        return self.but(words=no_words)


class Answer(Protocol):
    """The answer to a question."""

    def to_dict(self) -> dict[str, object]:
        """Return all facts, for JSON."""
        ...


class AnswerBlock:
    """The answers for consecutive boards."""

    fields: tuple[Field, ...] = ()
    facts: BoardFacts | None = None

    def __init__(self, block: BoardBlock) -> None:
        self.block = block

    @property
    def boards(self) -> int:
        """The number of answers."""
        return self.block.boards

    @property
    def has_columns(self) -> bool:
        """True if the columns of the fields say all about every board."""
        return all(field.column is not by_answer for field in self.fields if field.name)

    def answer(self, number: int) -> Any:
        """Return the answer for one of the boards."""
        raise NotImplementedError

    def number(self) -> list[Column] | None:
        """Return the columns of the answers as single numbers or words; None if there are none."""
        return None


class AnswerList(AnswerBlock):
    """Answers that were made one by one."""

    has_columns = False

    def __init__(self, answers: Sequence[Any]) -> None:
        self.answers = answers

    @property
    def boards(self) -> int:
        return len(self.answers)

    def answer(self, number: int) -> Any:
        return self.answers[number]


# ------------------------------------------------------------------------------------ one answer's forms


def to_dict(fields: Iterable[Field], answer: Any) -> dict[str, object]:
    """Return the fields of an answer, for JSON."""
    values = ((field.name, field.value(answer)) for field in fields if field.name)
    return {name: value for name, value in values if value is not ABSENT}


def sentences(fields: Iterable[Field], answer: Any, style: Style = TEXT) -> Facts:
    """Return what text says of an answer."""
    facts: Facts = []
    for field in sorted(fields, key=lambda field: field.place):
        words = field.words(answer, field, style)
        label = field.label or field.name.replace("_", " ")
        facts += [(label, each) for each in ([words] if isinstance(words, str) else words or [])]
    return facts


def table_columns(fields: Iterable[Field]) -> tuple[str, ...]:
    """Return the columns of CSV."""
    return tuple(
        name for field in fields if field.name for name in ((field.name,) if field.columns is None else field.columns)
    )


def table_rows(fields: Iterable[Field], answer: Any) -> Iterator[dict[str, object]]:
    """Yield the facts of each row of CSV: one row, unless a field has several."""
    fields = [field for field in fields if field.columns != ()]
    facts = to_dict((field for field in fields if not field.rows), answer)
    several = next((field.rows for field in fields if field.rows), None)
    for row in several(answer) if several else [{}]:
        yield {**facts, **row}


def optional(value: object) -> object:
    """Return a value, or ABSENT for one that is None or empty."""
    return value or ABSENT


# ------------------------------------------------------------------------------------- facts about a board


def cells_column(cells: Cells | memoryview, shape: Shape, shown: Numbers | None = None) -> list[Column]:
    """Return the column of boards or solutions; of those for which `shown` is 1."""
    from enumerator.text import columns

    return [columns.symbols(cells, shape.cells, symbol_table(shape), shown)]


def facts_of(answers: AnswerBlock) -> BoardFacts:
    """Return the facts about the boards of a block."""
    if answers.facts is None:
        raise RuntimeError("there are no facts")
    return answers.facts


def _empty_cells(answers: AnswerBlock, field: Field) -> list[Column]:  # noqa: ARG001
    from enumerator.text import columns

    return [columns.number(facts_of(answers).empty_cells)]


def _filling_factors(answers: AnswerBlock, field: Field) -> list[Column]:  # noqa: ARG001
    from enumerator.text import columns

    cells = answers.block.shape.cells
    fillings = [repr(round(1 - empty / cells, 6)).encode() for empty in range(cells + 1)]
    return [columns.choice(facts_of(answers).empty_cells, fillings)]


def _search_spaces(answers: AnswerBlock, field: Field) -> list[Column]:  # noqa: ARG001
    from math import ceil, log10

    from enumerator.text import columns

    shape = answers.block.shape
    digits = ceil(shape.cells * log10(shape.size)) + 1
    return [columns.product(facts_of(answers).candidates, shape.size, digits)]


def search_space_digits(board: Board) -> str:
    """Return the exact search space as text."""
    from enumerator.text.numbers import LongInteger

    return str(LongInteger(engines.search_space(board)))


def describe_clues(board: Board) -> str:
    """Return the number of clues and the filling factor: 20 of 81 cells (25 % filled)."""
    cells = board.shape.cells
    return f"{cells - board.empty_cells:,} of {cells:,} cells ({100 * board.filling_factor:.0f} % filled)"


def _search_space_words(answer: Any, field: Field, style: Style) -> str:  # noqa: ARG001
    digits = search_space_digits(answer.board)
    if not style.is_drawn:
        return short(digits)
    return magnitude(digits) if len(digits) >= LONG_DIGITS else f"{int(digits):,}"


def _pencil_marks(answer: Any, field: Field, style: Style) -> str | None:  # noqa: ARG001
    board: Board = answer.board
    return None if board.allowed is None else f"restrict {plural(board.restricted_cells, 'cell')}"


BOARD = Field(
    "board",
    lambda answer: str(answer.board),
    no_words,
    column=lambda answers, _: cells_column(answers.block.cells, answers.block.shape),
    is_text=True,
)
"""The board on one line."""

SHAPE = Field(
    "shape",
    lambda answer: str(answer.board.shape),
    in_text(lambda answer: str(answer.board.shape)),
    place=100,
    column=same,
    is_text=True,
)

BOARD_FIELDS = (
    BOARD,
    SHAPE,
    Field(
        "cells",
        lambda answer: answer.board.shape.cells,
        in_text(lambda answer: str(answer.board.shape.cells)),
        place=101,
        column=same,
    ),
    Field("", lambda _: ABSENT, lambda answer, *_: describe_clues(answer.board), "clues", 102),
    Field(
        "empty_cells",
        lambda answer: answer.board.empty_cells,
        lambda answer, _, style: style.integer.format(answer.board.empty_cells),
        place=103,
        column=_empty_cells,
    ),
    Field(
        "filling_factor",
        lambda answer: round(answer.board.filling_factor, 6),
        in_text(lambda answer: f"{answer.board.filling_factor:.3f}"),
        place=105,
        column=_filling_factors,
    ),
    Field(
        "search_space",
        lambda answer: search_space_digits(answer.board),
        _search_space_words,
        place=106,
        column=_search_spaces,
        is_text=True,
    ),
    Field(
        "restricted_cells",
        lambda answer: ABSENT if answer.board.allowed is None else answer.board.restricted_cells,
        _pencil_marks,
        "pencil marks",
        104,
        column=same,
    ),
)
"""The facts about a board that most answers include. The search space is a string."""

SILENT_BOARD_FIELDS = tuple(field.without_words() for field in BOARD_FIELDS)
"""The same facts, of which text says nothing."""

ROW_BOARD_FIELDS = (BOARD, *(field.but(columns=()) for field in SILENT_BOARD_FIELDS[1:]))
"""The same facts of answers with several rows of CSV, which have only the board."""

SECONDS = Field(
    "seconds", lambda answer: round(answer.seconds, 6), lambda answer, *_: lasting(answer.seconds), "time", 99
)


def only_json(name: str, value: Callable[[Any], object]) -> Field:
    """Return a field that only JSON has."""
    return Field(name, value, no_words, columns=())


class _OfBoard:
    def __init__(self, board: Board) -> None:
        self.board = board


def board_facts(board: Board) -> dict[str, object]:
    """Return the facts about a board: its text on one line first."""
    return to_dict(BOARD_FIELDS, _OfBoard(board))


def bounds_of(name: str) -> tuple[str, ...]:
    """Return the columns of an estimated number and its bounds."""
    bounds = ("mean", "low", "high")
    return (*(f"{name}.{bound}" for bound in bounds), *(f"{name}.log10.{bound}" for bound in bounds))
