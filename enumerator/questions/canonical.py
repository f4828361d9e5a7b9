"""The questions about symmetric boards: the canonical form, whether two boards are symmetric, and
which of many boards are the first of their class.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from threading import Event
from time import perf_counter
from typing import NamedTuple, TypeAlias, TypeVar

from enumerator.board import Board, Shape
from enumerator.board.canonical import CanonicalForm, find_form, forms_of
from enumerator.board.canonical.form_search import Seen
from enumerator.board.coerce import BoardLike
from enumerator.board.symmetry import Symmetry
from enumerator.engines.board_blocks import BoardBlock, StartedCount
from enumerator.questions.chunks import Chunk, Names
from enumerator.questions.fields import ABSENT, BOARD, SECONDS, SHAPE, AnswerList, Field, no_words, to_dict
from enumerator.questions.gathering import BadItems, gather
from enumerator.questions.many import TURN_SECONDS, Asking, BlockQuestion, answer_many
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Stopped, Watch, no_progress
from enumerator.text.phrases import plural, whole

Value = TypeVar("Value")
Found = TypeVar("Found")

Look: TypeAlias = Callable[[], None]
"""A function that is called often during a search, and may raise an error to end it."""

DIGEST_BYTES = 16
"""The size of the BLAKE2 digest that stands for a class.

Of 10⁶ classes, two share one with odds of 10⁻²⁷; of 10⁹, with odds of 10⁻²¹.
"""

UNDONE = "the canonical form is not found"
"""A clause for the message of a question that ends early."""

BOARDS_A_CALL = 64
"""The number of boards between two looks at whether to stop."""


@dataclass(frozen=True, slots=True, repr=False)
class CanonicalAnswer:
    """The canonical form of a board, a symmetry that leads there, and the board's automorphisms.

    >>> answer = en.canonical("4... .3.. ..2. ...1")
    >>> answer
    <CanonicalAnswer: ...1..2..3..4..., 16 automorphisms>
    >>> answer.symmetry.apply(answer.board) == answer.form
    True
    """

    board: Board
    form: Board
    symmetry: Symmetry
    """A symmetry that makes the board its form."""
    automorphisms: int
    """The number of symmetries that do not change the board, with the identity."""
    generators: tuple[Symmetry, ...]
    """Automorphisms from which all others can be composed; none if there is only the identity."""
    seconds: float

    def __repr__(self) -> str:
        return f"<CanonicalAnswer: {self.form}, {plural(self.automorphisms, 'automorphism', '{:,}')}>"

    def to_dict(self) -> dict[str, object]:
        """Return the form, the symmetry and the automorphisms. The number of these is a string."""
        return to_dict(FIELDS, self)


FIELDS = (
    BOARD,
    SHAPE.without_words(),
    Field("form", lambda answer: str(answer.form), place=10),
    Field(
        "automorphisms",
        lambda answer: str(answer.automorphisms),
        lambda answer, *_: whole(answer.automorphisms),
        "",
        20,
    ),
    Field("symmetry", lambda answer: answer.symmetry.to_dict(), no_words, columns=()),
    Field("generators", lambda answer: [each.to_dict() for each in answer.generators], no_words, columns=()),
    SECONDS,
)


def form_of(board: Board, watch: Watch = no_progress) -> CanonicalForm:
    """Return the canonical form of a board. `watch` is called often, and may raise an error to end the search."""
    return find_form(board, lambda: watch(Progress(stage="symmetries")))


def canonical(board: Board, watch: Watch = no_progress) -> CanonicalAnswer:
    """Return the canonical form of a board, with its automorphisms. `watch` is as in `form_of`."""
    started = perf_counter()
    found = form_of(board, watch)
    return CanonicalAnswer(
        board, found.form, found.symmetry, found.automorphisms, found.generators, perf_counter() - started
    )


class EquivalentAnswer(NamedTuple):
    """Whether a board is symmetric to another one, and how."""

    board: Board
    other: Board
    symmetry: Symmetry | None
    """A symmetry that makes the board the other one; None if there is none."""
    seconds: float

    def to_dict(self) -> dict[str, object]:
        """Return both boards, whether they are symmetric, and the symmetry."""
        return to_dict(EQUIVALENT_FIELDS, self)


def _rows(symmetry: Symmetry, _: Shape) -> str:
    """Return which rows or columns of the board are the rows of the other one, from 1."""
    return f"{'columns' if symmetry.transposed else 'rows'} {' '.join(str(row + 1) for row in symmetry.rows)}"


def _columns(symmetry: Symmetry, _: Shape) -> str:
    """Return which columns or rows of the board are the columns of the other one, from 1."""
    return f"{'rows' if symmetry.transposed else 'columns'} {' '.join(str(each + 1) for each in symmetry.columns)}"


def _digits(symmetry: Symmetry, shape: Shape) -> str:
    """Return which digits of the board are the digits of the other one."""
    return f"digits {' '.join(shape.symbols[digit - 1] for digit in symmetry.inverse().digits)}"


def _mapped(label: str, words: Callable[[Symmetry, Shape], str]) -> Field:
    """Return a field that only text has, of answers with a symmetry."""
    return Field(
        "",
        lambda _: ABSENT,
        lambda answer, *_: words(answer.symmetry, answer.board.shape) if answer.symmetry else None,
        label,
        20,
    )


EQUIVALENT_FIELDS = (
    BOARD,
    SHAPE.without_words(),
    Field("other", lambda answer: str(answer.other), no_words),
    Field(
        "equivalent",
        lambda answer: answer.symmetry is not None,
        lambda answer, *_: "yes" if answer.symmetry else "no",
        place=10,
    ),
    Field(
        "symmetry",
        lambda answer: answer.symmetry.to_dict() if answer.symmetry else ABSENT,
        no_words,
        columns=(),
    ),
    _mapped("rows", _rows),
    _mapped("columns", _columns),
    _mapped("digits", _digits),
    SECONDS,
)


def compare(board: Board, known: CanonicalForm, watch: Watch = no_progress) -> EquivalentAnswer:
    """Compare a board with another one, whose form is known. `watch` is as in `form_of`."""
    started, symmetry, back = perf_counter(), None, known.symmetry.inverse()
    if board.shape == known.form.shape:
        found = form_of(board, watch)
        symmetry = back @ found.symmetry if found.form == known.form else None
    return EquivalentAnswer(board, back.apply(known.form), symmetry, perf_counter() - started)


def equivalent(one: Board, other: Board, watch: Watch = no_progress) -> Symmetry | None:
    """Return a symmetry that makes the first board the second; None if there is none. `watch` is as in `form_of`."""
    return compare(one, form_of(other, watch), watch).symmetry if one.shape == other.shape else None


class FormFinder(BlockQuestion[list[Board]]):
    """A finder of the forms of blocks of boards."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[list[Board], int, StartedCount | None]:
        forms = list(in_turn(block, stop, lambda some, look: forms_of(some.shape, some.cells, some.allowed, look)))
        return forms, len(forms), None


class AnswerFinder(BlockQuestion[AnswerList]):
    """A finder of the forms of blocks of boards, with the automorphisms."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[AnswerList, int, StartedCount | None]:
        def find(some: BoardBlock, look: Look) -> Iterator[CanonicalAnswer]:
            return (canonical(some.board(at), lambda _: look()) for at in range(some.boards))

        answers = list(in_turn(block, stop, find))
        return AnswerList(answers), len(answers), None


def in_turn(block: BoardBlock, stop: Event, find: Callable[[BoardBlock, Look], Iterable[Found]]) -> Iterator[Found]:
    """Yield what is found for the boards of a block, a few at a time, until the turn is over."""
    done, end = 0, perf_counter() + TURN_SECONDS

    def look() -> None:
        if stop.is_set():
            raise Stopped

    while done < block.boards and perf_counter() < end:
        look()
        yield from find(block.skip(done).take(BOARDS_A_CALL), look)
        done += BOARDS_A_CALL


def canonical_all(
    items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None, *, bad: BadItems[Value] | None = None
) -> Generator[Board | Value, None, None]:
    """Yield the canonical form of each board, in order."""
    bad = bad or BadItems[Value]()
    with closing(find_forms(gather(items, shape, plan.batch_pacing, bad=bad), plan)) as forms:
        yield from bad.fill(forms)


def find_forms(chunks: Iterator[Chunk], plan: Plan) -> Generator[list[Board], None, None]:
    """Yield the canonical forms of the boards of chunks, in order, some at a time."""
    asking = Asking(FormFinder(), size=lambda forms: sum(len(form.cells) + 100 for form in forms))  # bytes
    with closing(answer_many(lambda: asking, chunks, plan)) as results:
        for result in results:
            yield result.shown or []


class Classes:
    """The classes of boards that were seen, by the digests of their forms.

    A class takes 18 to 21 bytes of a table that is seven ninths to seven eighths full; if `numbered`, 27 to 31.
    """

    def __init__(self, numbered: bool = True) -> None:
        self._seen = Seen(numbered)
        self.boards = 0

    def add(self, digest: bytes) -> int:
        """Add the next board by the digest of its form.

        Return the number of the first board of its class, counted from 1: its own if it is that one. If
        classes are not `numbered`, return 0 for another one.
        """
        self.boards += 1
        return self._seen.add(digest, self.boards)

    def __len__(self) -> int:
        return len(self._seen)


def digest_of(form: Board) -> bytes:
    """Return 16 bytes that stand for a canonical form."""
    shape, masks = form.shape, form.allowed or ()
    own = blake2b(bytes((shape.height, shape.width)) + form.cells, digest_size=DIGEST_BYTES)
    for mask in masks:
        own.update(mask.to_bytes(8, "little"))
    return own.digest()


def distinct(
    items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None, *, skip_errors: bool = False
) -> Generator[Board, None, None]:
    """Yield the boards that are not symmetric to an earlier one, in order."""
    bad = BadItems[None]("skip" if skip_errors else "raise")
    classes, chunks = Classes(numbered=False), gather(items, shape, plan.batch_pacing, bad=bad)
    asking = Asking(FormFinder(), name_classes, size_of_classes)
    with closing(answer_many(lambda: asking, chunks, plan)) as results:
        for result in results:
            for _, board, digest in result.shown or ():
                if classes.add(digest) == classes.boards:
                    yield board


ClassNames: TypeAlias = list[tuple[str, Board, bytes]]
"""Boards with their names and the digests of their classes."""


def name_classes(names: Names, block: BoardBlock, forms: list[Board]) -> ClassNames:
    """Return the boards of a block with the digests of their forms."""
    named = zip(names.take(len(forms)), forms, strict=True)
    return [(name, block.board(at), digest_of(form)) for at, (name, form) in enumerate(named)]


def size_of_classes(named: ClassNames) -> int:
    """Return the size of some boards and digests in bytes, with that of their objects."""
    return sum(len(board.cells) + 200 for _, board, _ in named)
