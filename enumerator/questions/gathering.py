"""Anything that is many boards, in blocks for a kernel.

One `bytes.translate` converts the lines of a block, if each is a board and nothing else. An array is
converted as a whole. Any other item is read like a single board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import attrgetter
from time import perf_counter
from typing import Any, cast

from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike, as_board
from enumerator.board.plain import plain_lines
from enumerator.board.reading import BoardError
from enumerator.engines.blocks import BoardBlock
from enumerator.run.pacing import BatchPacing

SLOW_SECONDS = 0.05
"""The time after which a block is closed, so that the answers for slow sources do not wait for it."""


def gather(
    items: Iterable[BoardLike], shape: Shape | None, pacing: BatchPacing, name: str = "boards"
) -> Iterator[BoardBlock]:
    """Yield many boards in blocks, which grow: any iterable of boards, or an array of integers.

    Raise TypeError or ValueError behind the boards before an item that is not a board. Messages call
    the items `name`[0], `name`[1], … An error of the iterable is also raised behind the boards that it
    has given.
    """
    check_many(items, name)
    if hasattr(items, "__array__") and getattr(items, "ndim", 0) > 1:
        yield from _split_array(items, shape, pacing, name)
        return
    rest, number, size = iter(items), 0, pacing.first_chunk
    while True:
        some, error = _take(rest, size)
        most = pacing.chunk
        for block in (_join_lines(some, shape) or _join_boards(some, number, shape, name)) if some else ():
            yield block
            most = min(most, pacing.boards_for(block.shape))
        if error:
            raise error
        if not some:
            return
        number, size = number + len(some), min(2 * size, most)


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
    except Exception as error:  # noqa: BLE001 - raised again behind the items before it
        return some, error
    return some, None


def _join_lines(items: list[BoardLike], shape: Shape | None) -> list[BoardBlock] | None:
    """Return the block of items that are plain lines of the same length; None if they may be otherwise."""
    if set(map(type, items)) != {str}:
        return None
    plain = plain_lines(cast("list[str]", items), shape)
    return None if plain is None else [BoardBlock(plain[0], memoryview(plain[1]))]


def _join_boards(items: list[BoardLike], first: int, shape: Shape | None, name: str) -> Iterator[BoardBlock]:
    """Yield blocks of items, which are anything that is a board. `first` is the number of the first one."""
    boards: list[Board] = []
    error: Exception | None = None
    for number, item in enumerate(items, first):
        try:
            boards.append(as_board(item, shape))
        except BoardError as found:
            error = BoardError(found.message, f"{name}[{number}]", found.line, found.column)
        except (TypeError, ValueError) as found:
            error = type(found)(f"{name}[{number}]: {found}")
        if error:
            break
    for (own, allowed), alike in groupby(boards, attrgetter("shape", "allowed")):
        yield BoardBlock(own, memoryview(b"".join(map(attrgetter("cells"), alike))), allowed)
    if error:
        raise error


def _split_array(array: Any, shape: Shape | None, pacing: BatchPacing, name: str) -> Iterator[BoardBlock]:
    """Yield the boards of an array of n × S × S or n × (S·S) integers."""
    if array.dtype.kind not in "iu":
        raise TypeError(f"an array of {array.dtype} is not an array of boards: its type must be an integer")
    number, *sides = array.shape
    cells = sides[0] if len(sides) == 1 else sides[0] * sides[0]
    own = shape or Shape.of_cells(cells)
    if own is None or sides not in ([own.size, own.size], [own.cells]):
        wanted = f"n × {own.size} × {own.size} or n × {own.cells}" if own else "n × S × S or n × (S·S)"
        raise ValueError(f"an array of {' × '.join(map(str, array.shape))} is not an array of boards: {wanted}")
    rows = array.reshape(number, own.cells)
    first, size = 0, pacing.first_chunk
    while first < number:
        some = rows[first : first + size]
        wrong = ((some < 0) | (some > own.size)).any(axis=1)
        most = int(wrong.argmax()) if wrong.any() else len(some)
        if most:
            yield BoardBlock(own, memoryview(some[:most].astype("uint8").tobytes()))
        if most < len(some):
            digit = next(digit for digit in some[most].tolist() if not 0 <= digit <= own.size)
            raise ValueError(f"{name}[{first + most}]: {digit} is no digit of {own.title}")
        first, size = first + size, min(2 * size, pacing.boards_for(own))
