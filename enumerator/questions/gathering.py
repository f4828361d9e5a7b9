"""Anything that is many boards, in chunks for `enumerator.questions.many`.

One `bytes.translate` converts the lines of a block, if each is a board and nothing else. An array is
converted as a whole. Any other item is read like a single board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby, islice
from operator import attrgetter
from time import perf_counter
from typing import Any, Generic, Literal, TypeVar, cast

from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike, as_board
from enumerator.board.plain_lines import plain_lines
from enumerator.board.reading import BoardError
from enumerator.engines.board_blocks import BoardBlock
from enumerator.questions.chunks import NO_NAMES, Chunk
from enumerator.run.pacing import BatchPacing

SLOW_SECONDS = 0.05
"""The time after which a block is closed, so that the answers for slow sources do not wait for it."""

NO_BOARDS = BoardBlock(Shape(3, 3), memoryview(b""))
"""The block of items that are no boards."""

Answer = TypeVar("Answer")
Value = TypeVar("Value", covariant=True)


class BadItems(Generic[Value]):
    """What becomes of items without an answer: their error is raised, or they are skipped or get a value.

    The reader of items reports them by `add`, maybe in another thread, before it goes on to the next
    item. The writer of answers has `fill` put the value in their places.
    """

    def __init__(self, on_error: Literal["raise", "skip"] | Value = "raise") -> None:
        is_word = isinstance(on_error, str)
        self.raises, self.skips = is_word and on_error == "raise", is_word and on_error == "skip"
        self.value = cast("Value", on_error)
        self._numbers = deque[int]()

    def add(self, number: int, error: Exception) -> None:
        """Add the item with a number, counted from 0; raise its error if that is wanted."""
        if self.raises:
            raise error
        if not self.skips:
            self._numbers.append(number)

    def fill(self, groups: Iterable[Iterable[Answer]]) -> Iterator[Answer | Value]:
        """Yield the answers of all groups, which have one for every good item, and the value for the others."""
        if self.raises or self.skips:
            for group in groups:
                yield from group
            return
        bad, number = self._numbers, 0
        for group in chain(groups, [()]):
            for answer in group:
                while bad and bad[0] == number:
                    number += 1
                    bad.popleft()
                    yield self.value
                number += 1
                yield answer
            while bad and bad[0] == number:
                number += 1
                bad.popleft()
                yield self.value


def gather(
    items: Iterable[BoardLike],
    shape: Shape | None,
    pacing: BatchPacing,
    name: str = "boards",
    bad: BadItems[Any] | None = None,
    check: Callable[[Board], None] | None = None,
) -> Iterator[Chunk]:
    """Yield many boards in chunks, which grow: any iterable of boards, or an array of integers.

    An item that is not a board, or for which `check` raises ValueError, is added to `bad`. Without
    `bad`, raise its TypeError or ValueError after the boards before it. Messages call the items
    `name`[0], `name`[1], … An error of the iterable itself is always raised after the boards that it
    has given. A chunk may be empty.
    """
    check_many(items, name)
    bad = bad or BadItems[Any]()
    if hasattr(items, "__array__") and getattr(items, "ndim", 0) > 1:
        yield from map(_chunk_of, _split_array(items, shape, pacing, name, bad, check))
        return
    rest, number, size = iter(items), 0, pacing.first_chunk
    while True:
        some, error = _take(rest, size)
        most = pacing.chunk
        blocks: Iterable[BoardBlock] = ()
        if some:
            blocks = _join_lines(some, shape, check) or _join_boards(enumerate(some, number), shape, name, bad, check)
        for block in blocks:
            yield _chunk_of(block)
            most = min(most, pacing.boards_for(block.shape))
        if error:
            raise error
        if not some:
            return
        number, size = number + len(some), min(2 * size, most)


def _chunk_of(block: BoardBlock) -> Chunk:
    return Chunk(NO_NAMES, block)


def check_many(items: object, name: str = "boards") -> None:
    """Raise TypeError if `items` is one board, or cannot be iterated over."""
    if isinstance(items, str | bytes | Board):
        raise TypeError(f"{name} must be a list or another iterable of boards: a {type(items).__name__} is one board")
    if isinstance(items, type) or not (hasattr(items, "__iter__") or hasattr(items, "__getitem__")):
        raise TypeError(f"{name} must be an iterable of boards, not {type(items).__name__}")


def _take(items: Iterator[BoardLike], most: int) -> tuple[list[BoardLike], Exception | None]:
    """Return at most `most` items, fewer if they come slowly, and the error that ended them."""
    some: list[BoardLike] = []
    end, step = perf_counter() + SLOW_SECONDS, 1
    try:
        while step and perf_counter() < end:
            before = len(some)
            some.extend(islice(items, step))
            step = min(len(some), most - len(some)) if len(some) == before + step else 0
    except Exception as error:  # noqa: BLE001 - raised again after the items before it
        return some, error
    return some, None


def _join_lines(
    items: list[BoardLike], shape: Shape | None, check: Callable[[Board], None] | None
) -> list[BoardBlock] | None:
    """Return the block of items that are plain lines of the same length; None if they may be otherwise."""
    if set(map(type, items)) != {str}:
        return None
    plain = plain_lines(cast("list[str]", items), shape)
    if plain is None:
        return None
    block = BoardBlock(plain[0], memoryview(plain[1]))
    if check:
        try:
            check(block.board(0))
        except ValueError:
            return None
    return [block]


def _join_boards(
    items: Iterable[tuple[int, BoardLike]],
    shape: Shape | None,
    name: str,
    bad: BadItems[Any],
    check: Callable[[Board], None] | None,
) -> Iterator[BoardBlock]:
    """Yield blocks of numbered items, which are anything that is a board; an empty one if none of them is."""
    boards: list[Board] = []
    wrong: Exception | None = None
    for number, item in items:
        try:
            board = as_board(item, shape)
            if check:
                check(board)
            boards.append(board)
            continue
        except BoardError as found:
            error: Exception = BoardError(found.message, f"{name}[{number}]", found.line, found.column)
        except (TypeError, ValueError) as found:
            error = type(found)(f"{name}[{number}]: {found}")
        try:
            bad.add(number, error)
        except (TypeError, ValueError) as raised:
            wrong = raised
            break
    for (own, allowed), alike in groupby(boards, attrgetter("shape", "allowed")):
        yield BoardBlock(own, memoryview(b"".join(map(attrgetter("cells"), alike))), allowed)
    if wrong:
        raise wrong
    if not boards:
        yield NO_BOARDS


def _split_array(
    array: Any,
    shape: Shape | None,
    pacing: BatchPacing,
    name: str,
    bad: BadItems[Any],
    check: Callable[[Board], None] | None,
) -> Iterator[BoardBlock]:
    """Yield the boards of an array of n × S × S or n × (S·S) integers."""
    if array.dtype.kind not in "iu":
        raise TypeError(f"an array of {array.dtype} is not an array of boards: its type must be an integer")
    number, *sides = array.shape
    cells = sides[0] if len(sides) == 1 else sides[0] * sides[0]
    own = shape or Shape.of_cells(cells)
    if own is None or sides not in ([own.size, own.size], [own.cells]):
        wanted = f"n × {own.size} × {own.size} or n × {own.cells}" if own else "n × S × S or n × (S·S)"
        raise ValueError(f"an array of {' × '.join(map(str, array.shape))} is not an array of boards: {wanted}")
    if check:
        check(Board.empty(own))
    rows = array.reshape(number, own.cells)
    first, size = 0, pacing.first_chunk
    while first < number:
        some = rows[first : first + size]
        wrong = ((some < 0) | (some > own.size)).any(axis=1)
        error: ValueError | None = None
        for place in wrong.nonzero()[0].tolist():
            try:
                bad.add(first + place, _wrong_digit(some[place], name, first + place, own))
            except ValueError as raised:
                some, wrong, error = some[:place], wrong[:place], raised
                break
        good = some[~wrong] if wrong.any() else some
        if len(good) or not error:
            yield BoardBlock(own, memoryview(good.astype("uint8").tobytes()))
        if error:
            raise error
        first, size = first + size, min(2 * size, pacing.boards_for(own))


def _wrong_digit(row: Any, name: str, number: int, shape: Shape) -> ValueError:
    """Return the error of the row of an array with a number that is no digit."""
    digit = next(digit for digit in row.tolist() if not 0 <= digit <= shape.size)
    return ValueError(f"{name}[{number}]: {digit} is no digit of {shape.title}")
