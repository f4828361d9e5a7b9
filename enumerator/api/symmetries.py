"""The questions about symmetry: canonical forms, equivalence, the distinct boards of many, different solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, TypeVar

from enumerator.api.ledgers import ledger_of
from enumerator.api.many_boards import report
from enumerator.api.signatures import sharing
from enumerator.board import Board
from enumerator.board.coerce import as_board, as_shape
from enumerator.questions.ask import asking
from enumerator.questions.checks import (
    BoardLike,
    Keywords,
    PathLike,
    ProgressLike,
    ShapeLike,
    asking_with,
    make_batch_plan,
    make_plan,
    read_asked,
)
from enumerator.questions.gathering import BadItems, check_many

if TYPE_CHECKING:
    from typing import Unpack

    from enumerator.board.symmetry import Symmetry
    from enumerator.questions.canonical import CanonicalAnswer
    from enumerator.questions.different import DifferentAnswer

Value = TypeVar("Value")


def canonical(
    board: BoardLike,
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    progress: ProgressLike = None,
) -> CanonicalAnswer:
    """Return the canonical form of a board, a symmetry that leads there, and the automorphisms.

    Symmetric boards have the same form, and others have not. It is the least board in reading order
    that a symmetry makes of this one; an empty cell comes before digits. With pencil marks, it is
    another one of the symmetric boards.

    >>> answer = en.canonical("1... .2.. ..3. ...4")
    >>> answer.form, answer.automorphisms
    (Board("...1..2..3..4..."), 16)
    >>> answer.form == en.canonical(en.Board("1... .2.. ..3. ...4").shuffled(seed=7)).form
    True
    >>> en.canonical("." * 81).automorphisms
    1218998108160

    A board may have several solutions, none, contradictions and pencil marks. The keywords are those of
    `count`; OutOfTimeError and Interrupted have no partial answer. Raise MemoryError for a board whose
    search takes more than 2 GB: such boards beyond 25×25 are known.
    """
    from enumerator.questions import canonical as questions

    board = as_board(board, shape)
    make_plan(board, time_limit, None, "auto", progress)  # checks them
    with asking(questions.UNDONE, time_limit, progress) as question:
        return questions.canonical(board, question.watch)


def equivalent(
    one: BoardLike,
    other: BoardLike,
    *,
    shape: ShapeLike | None = None,
    time_limit: float | None = None,
    progress: ProgressLike = None,
) -> Symmetry | None:
    """Return a symmetry that makes one board the other; None if they are not symmetric.

    >>> board = en.Board("1234 34.. .... ....")
    >>> symmetry = en.equivalent(board, board.shuffled(seed=3))
    >>> board.transformed(symmetry) == board.shuffled(seed=3)
    True
    >>> en.equivalent(board, "1234 3... .... ....") is None
    True

    The keywords and errors are those of `canonical`.
    """
    from enumerator.questions import canonical as questions

    board, wanted = as_board(one, shape), as_board(other, shape)
    make_plan(board, time_limit, None, "auto", progress)  # checks them
    with asking(questions.UNDONE, time_limit, progress) as question:
        return questions.equivalent(board, wanted, question.watch)


def canonical_all(
    boards: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
    on_error: Literal["raise", "skip"] | Value = "raise",
) -> Iterator[Board | Value]:
    """Yield the canonical form of each board, in order. The arguments are those of `count_all`.

    >>> list(en.canonical_all(["1...............", "...............4"]))
    [Board("...............1"), Board("...............1")]
    """
    from enumerator.questions import canonical as questions

    check_many(boards)
    plan = make_batch_plan(None, cores, progress=progress)
    return report(questions.canonical_all(boards, plan, as_shape(shape), bad=BadItems(on_error)), progress)


def distinct(
    boards: Iterable[BoardLike],
    *,
    shape: ShapeLike | None = None,
    cores: int | None = None,
    progress: ProgressLike = None,
    on_error: Literal["raise", "skip"] = "raise",
) -> Iterator[Board]:
    """Yield the boards that are not symmetric to an earlier one, in order.

    >>> list(en.distinct(["1...............", "...............4", "12.............."]))
    [Board("1..............."), Board("12..............")]

    A class takes 18 to 21 bytes. It is known by 128 bits of the BLAKE2 digest of its form: with odds of
    10⁻²⁷, two of a million classes are taken for one. The other arguments are those of `count_all`.
    """
    from enumerator.questions import canonical as questions

    check_many(boards)
    if on_error not in ("raise", "skip"):
        raise ValueError(f'on_error must be "raise" or "skip", not {on_error!r}')
    plan = make_batch_plan(None, cores, progress=progress)
    found = questions.distinct(boards, plan, as_shape(shape), skip_errors=on_error == "skip")
    return report(found, progress)


@sharing(Keywords)
def different(board: BoardLike, *, checkpoint: PathLike | None = None, **keywords: Unpack[Keywords]) -> int:
    """Return the number of essentially different solutions: up to the symmetries that fix the board.

    >>> en.different("." * 16), en.different("." * 36)
    (2, 49)
    >>> en.count("12.. .... .... ...."), en.different("12.. .... .... ....")
    (24, 3)

    A symmetry fixes a board if it changes no clue and no pencil mark. Two solutions are essentially the
    same if such a symmetry leads from one to the other. A board without symmetries has as many different
    solutions as solutions. Raise TooManySymmetriesError for a board with more than a million
    symmetries besides relabellings, and more than 100,000 solutions, unless it is empty.

    The keywords and errors are those of `count`, also `checkpoint`: the same call resumes. `at_least` of an error
    is about all solutions.
    """
    return different_answer(board, checkpoint=checkpoint, **keywords).different


@sharing(Keywords)
def different_answer(
    board: BoardLike, *, checkpoint: PathLike | None = None, **keywords: Unpack[Keywords]
) -> DifferentAnswer:
    """Count the essentially different solutions; return their number with all facts about the count.

    >>> answer = en.different_answer("12.. .... .... ....")
    >>> answer, answer.symmetries
    (<DifferentAnswer: 3 of 24 solutions>, 16)

    The keywords and errors are those of `different`. Errors have a lower bound in `answer`.
    """
    from enumerator.questions import different as questions

    board, plan = read_asked(board, keywords)
    with (
        ledger_of("different", board, plan, checkpoint) as ledger,
        asking_with("the different solutions are not all counted", keywords) as question,
    ):
        return questions.different(board, plan, ledger=ledger, watch=question.watch)
