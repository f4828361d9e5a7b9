"""The questions about symmetric boards: the canonical form, whether two boards are symmetric, and
which of many boards are the first of their class.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from threading import Event
from time import perf_counter
from typing import NamedTuple, TypeAlias, TypeVar

from enumerator.board import Board, Shape
from enumerator.board.canonical import CanonicalForm, find_form, forms_of
from enumerator.board.canonical.kernel import Seen
from enumerator.board.coerce import BoardLike
from enumerator.board.symmetry import Symmetry
from enumerator.engines.blocks import Begun, BoardBlock, HardBoard
from enumerator.questions.blocks import map_blocks
from enumerator.questions.gathering import BadItems, gather
from enumerator.run.plan import Plan
from enumerator.run.progress import Stopped
from enumerator.text.phrases import plural

Value = TypeVar("Value")

DIGEST_BYTES = 16
"""The size of the BLAKE2 digest that stands for a class. Of 10⁹ classes, two share one with odds of 10⁻²¹."""

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
        return {
            "board": str(self.board),
            "shape": str(self.board.shape),
            "form": str(self.form),
            "automorphisms": str(self.automorphisms),
            "symmetry": self.symmetry.to_dict(),
            "generators": [generator.to_dict() for generator in self.generators],
            "seconds": round(self.seconds, 6),
        }


def canonical(board: Board, look: Callable[[], object] | None = None) -> CanonicalAnswer:
    """Return the canonical form of a board, with its automorphisms.

    `look` is called often, and may raise an error to end the search.
    """
    started = perf_counter()
    found = find_form(board, look)
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
        return {
            "board": str(self.board),
            "shape": str(self.board.shape),
            "other": str(self.other),
            "equivalent": self.symmetry is not None,
            **({"symmetry": self.symmetry.to_dict()} if self.symmetry else {}),
            "seconds": round(self.seconds, 6),
        }


def compare(board: Board, known: CanonicalForm) -> EquivalentAnswer:
    """Compare a board with another one, whose form is known."""
    started, symmetry, back = perf_counter(), None, known.symmetry.inverse()
    if board.shape == known.form.shape:
        found = find_form(board)
        symmetry = back @ found.symmetry if found.form == known.form else None
    return EquivalentAnswer(board, back.apply(known.form), symmetry, perf_counter() - started)


def equivalent(one: Board, other: Board) -> Symmetry | None:
    """Return a symmetry that makes the first board the second; None if there is none."""
    return compare(one, find_form(other)).symmetry if one.shape == other.shape else None


Forms: TypeAlias = list[Board]


class FormFinder:
    """A finder of the forms of blocks of boards: a `BlockQuestion`."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Forms, int, Begun | None]:
        forms: Forms = []

        def look() -> None:
            if stop.is_set():
                raise Stopped

        for first in range(0, block.boards, BOARDS_A_CALL):
            look()
            cells = block.cells[first * block.shape.cells : (first + BOARDS_A_CALL) * block.shape.cells]
            forms += forms_of(block.shape, cells, block.allowed, look)
        return forms, block.boards, None

    def ask_hard(self, hard: HardBoard, stop: Event) -> Forms:
        raise RuntimeError("no board is hard")


def canonical_all(
    items: Iterable[BoardLike], plan: Plan, shape: Shape | None = None, *, bad: BadItems[Value] | None = None
) -> Generator[Board | Value, None, None]:
    """Yield the canonical form of each board, in order."""
    bad = bad or BadItems[Value]()
    blocks = gather(items, shape, plan.batch_pacing, bad=bad)
    with closing(map_blocks(FormFinder(), blocks, plan.effective_cores(), size_of_forms)) as groups:
        yield from bad.fill(groups)


def size_of_forms(forms: Forms) -> int:
    """Return the size of some forms in bytes, with that of their objects."""
    return sum(len(form.cells) + 100 for form in forms)


class Classes:
    """The classes of boards that were seen: 16 bytes of digest and 8 of a number for each, in a table."""

    def __init__(self) -> None:
        self._seen = Seen()
        self.boards = 0

    def add(self, digest: bytes) -> int:
        """Add the next board by the digest of its form.

        Return the number of the first board of its class, counted from 1: its own if it is that one.
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
    classes, blocks = Classes(), gather(items, shape, plan.batch_pacing, bad=bad)
    with closing(map_blocks(_PairFinder(), blocks, plan.effective_cores(), _size_of_pairs)) as groups:
        for pairs in groups:
            for board, digest in pairs:
                if classes.add(digest) == classes.boards:
                    yield board


Pairs: TypeAlias = list[tuple[Board, bytes]]


class _PairFinder:
    """A finder of boards with the digests of their forms: a `BlockQuestion`."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Pairs, int, Begun | None]:
        forms, boards, _ = FormFinder().ask(block, stop)
        return [(block.board(at), digest_of(form)) for at, form in enumerate(forms)], boards, None

    def ask_hard(self, hard: HardBoard, stop: Event) -> Pairs:
        raise RuntimeError("no board is hard")


def _size_of_pairs(pairs: Pairs) -> int:
    """Return the size of some boards and digests in bytes, with that of their objects."""
    return sum(len(board.cells) + 200 for board, _ in pairs)
