"""Many puzzles of one shape as blocks of cells, for kernels that take many boards at once.

One `bytes.translate` converts the lines of a block, if each is a board of that many symbols. A block
with another item is halved until that item is alone; then it is read like any other board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from enumerator.board import Board, Shape
from enumerator.board.coerce import as_board, as_shape
from enumerator.board.reading import BoardError
from enumerator.board.reading.rows import HEXADECIMAL_SIZE
from enumerator.board.symbols import NO_DIGIT, digit_table
from enumerator.questions.classify import AlikeBoards

if TYPE_CHECKING:
    from enumerator.run.pacing import BatchPacing

USUAL_SHAPE = Shape(3, 3)
"""The shape of no boards at all."""


def read_puzzles(lines: Iterable[Any], shape: Any, pacing: BatchPacing) -> tuple[Shape, Iterator[AlikeBoards]]:
    """Return the shape of all puzzles, which is that of the first one, and blocks of them.

    `lines` is an iterable of boards, or an array of n × S × S or n × (S·S) integers. Raise TypeError
    or ValueError for another one.
    """
    wanted = as_shape(shape)
    if isinstance(lines, str | bytes | Board):
        raise TypeError(f"lines is a list of boards, not a {type(lines).__name__}: use solve() for one board")
    if hasattr(lines, "__array__"):
        import numpy as np

        array = np.asarray(lines)
        if array.ndim > 1:
            return _read_array(array, wanted, pacing)
        lines = array.tolist()
    items = iter(lines)
    for first in items:
        own = _read_item(first, wanted, 0).shape
        return own, _read_items(chain([first], items), own, pacing)
    return wanted or USUAL_SHAPE, iter(())


def _block_sizes(pacing: BatchPacing) -> Iterator[int]:
    """Yield the numbers of boards of blocks. They grow."""
    size = pacing.first_chunk
    while True:
        yield size
        size = min(2 * size, pacing.chunk)


def _read_array(array: Any, shape: Shape | None, pacing: BatchPacing) -> tuple[Shape, Iterator[AlikeBoards]]:
    import numpy as np

    if array.dtype.kind not in "iu":
        raise TypeError(f"an array of {array.dtype} is not an array of boards: its type must be an integer")
    number, *sides = array.shape
    cells = sides[0] if len(sides) == 1 else sides[0] * sides[0]
    own = shape or Shape.of_cells(cells)
    if own is None or sides not in ([own.size, own.size], [own.cells]):
        wanted = f"n × {own.size} × {own.size} or n × {own.cells}" if own else "n × S × S or n × (S·S)"
        raise ValueError(f"an array of {' × '.join(map(str, array.shape))} is not an array of boards: {wanted}")
    rows = array.reshape(number, own.cells)
    wrong = ((rows < 0) | (rows > own.size)).any(axis=1)
    if wrong.any():
        first = int(wrong.argmax())
        digit = next(digit for digit in rows[first].tolist() if not 0 <= digit <= own.size)
        raise ValueError(f"lines[{first}]: {digit} is no digit of {own.title}")
    return own, _array_blocks(np.ascontiguousarray(rows, np.uint8), own, pacing)


def _array_blocks(rows: Any, shape: Shape, pacing: BatchPacing) -> Iterator[AlikeBoards]:
    first = 0
    for size in _block_sizes(pacing):
        if first >= len(rows):
            return
        yield AlikeBoards(shape, rows[first : first + size].tobytes())
        first += size


def _read_items(items: Iterator[Any], shape: Shape, pacing: BatchPacing) -> Iterator[AlikeBoards]:
    first = 0
    for size in _block_sizes(pacing):
        some = list(islice(items, size))
        if not some:
            return
        yield from _read_some(some, shape, first)
        first += len(some)


def _read_some(items: list[Any], shape: Shape, first: int) -> Iterator[AlikeBoards]:
    """Yield blocks of some items, of which the first one has the index `first`."""
    cells = _translate(items, shape)
    if cells is not None:
        yield AlikeBoards(shape, cells)
    elif len(items) > 1:
        half = len(items) // 2
        yield from _read_some(items[:half], shape, first)
        yield from _read_some(items[half:], shape, first + half)
    else:
        board = _read_item(items[0], shape, first)
        yield AlikeBoards(board.shape, board.cells, board.allowed)


def _translate(items: list[Any], shape: Shape) -> bytes | None:
    """Return the cells of lines that have one symbol for each cell; None if an item is something else."""
    if set(map(type, items)) != {str}:
        return None
    if set(map(len, items)) != {shape.cells}:
        items = [item.strip() for item in items]
        if set(map(len, items)) != {shape.cells}:
            return None
    text = "".join(items)
    if not text.isascii() or (shape.size == HEXADECIMAL_SIZE and "0" in text):
        return None
    cells = text.encode().translate(digit_table(shape.size))
    return None if NO_DIGIT in cells else cells


def _read_item(item: Any, shape: Shape | None, at: int) -> Board:
    """Return item number `at` as a board; raise TypeError or ValueError with its index."""
    try:
        board = as_board(item, shape)
    except BoardError as error:
        raise BoardError(error.message, f"lines[{at}]", error.line, error.column) from None
    except (TypeError, ValueError) as error:
        raise type(error)(f"lines[{at}]: {error}") from None
    if shape is not None and board.shape != shape:
        raise ValueError(f"lines[{at}]: a board of {board.shape} boxes among boards of {shape} boxes")
    return board
