"""What the links of several sites share: errors, JSON, digits, boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enumerator.board.board import Board
from enumerator.board.shape import LARGEST, SMALLEST, Shape, cell_name
from enumerator.board.symbols import NO_DIGIT, digit_table
from enumerator.text.phrases import printable

MAX_CHARACTERS = 2_000_000
"""The longest text that a link may expand to. A 64×64 board with all pencil marks takes 900,000."""

MAX_SHOWN = 40
"""The number of characters of a foreign word that a message shows."""


class LinkError(ValueError):
    """A link to a puzzle that cannot be read. The message says why."""


class RuleError(LinkError):
    """A link to a puzzle with a rule that is not of plain Sudoku."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the link has {rule}: only plain Sudoku is counted")


class RemoteError(LinkError):
    """A link that names a puzzle on a server."""

    def __init__(self) -> None:
        super().__init__("the link names a puzzle on a server; nothing is fetched: paste the long link")


def shown(word: object) -> str:
    """Return a foreign word or value as part of a message. Lists may be nested too deep to be shown."""
    text = printable(str(word)) if isinstance(word, str | int | float) else f"a {type(word).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def unpack(packed: str) -> str:
    """Return the text of a payload in LZ-string. Raise LinkError if it is damaged."""
    from enumerator.board.links.lzstring import DamagedError, decompress

    try:
        return decompress(packed.rstrip("."), MAX_CHARACTERS)
    except DamagedError as error:
        raise LinkError(f"the puzzle in the link cannot be unpacked: {error}") from None


def load_json(text: str) -> object:
    """Return the value of a text in JSON. Raise LinkError if it is none."""
    import json

    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        raise LinkError("the puzzle in the link cannot be unpacked: it is not JSON") from None
    return found


def read_digit(value: object, shape: Shape, cell: int) -> int:
    """Return the digit that a JSON value means; 0 for an empty cell."""
    if value is None or value == "":
        return 0
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4:
        value = int(value)
    if type(value) is not int or not 0 <= value <= shape.size:
        raise LinkError(
            f"{cell_name(cell, shape.size)} of the link holds {shown(value)}, which is no digit of {shape.title}"
        )
    return value


def read_rows(rows: object, where: str) -> list[dict[str, object]]:
    """Return the cells of a square grid in JSON: one object per cell."""
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], list):
        raise LinkError(f"the link has no {where}")
    if any(not isinstance(row, list) or len(row) != len(rows) for row in rows):
        raise LinkError("the grid in the link is not a square")
    cells = [cell for row in rows for cell in row]
    if not all(isinstance(cell, dict) for cell in cells):
        raise LinkError("a cell in the link is not an object")
    return cells


def shapes_of(size: int) -> Iterator[Shape]:
    """Yield every shape of boards with `size` digits, the usual one first."""
    usual = Shape.of_size(size)
    if usual is not None:
        yield usual
    for height in range(SMALLEST, LARGEST + 1):
        width, rest = divmod(size, height)
        if not rest and SMALLEST <= width <= LARGEST and usual != Shape(height, width):
            yield Shape(height, width)


def shape_of_regions(regions: Sequence[int], size: int) -> Shape:
    """Return the shape whose boxes are the regions, given by a number for each cell.

    Raise RuleError if there is none.
    """
    for shape in shapes_of(size):
        pairs = {(shape.place(cell)[2], region) for cell, region in enumerate(regions)}
        if len(pairs) == len({region for _, region in pairs}) == size:
            return shape
    raise RuleError("irregular regions")


def usual_shape(size: int) -> Shape:
    """Return the usual shape of a board; raise LinkError if there is none."""
    shape = Shape.of_size(size)
    if shape is None:
        raise LinkError(f"the link has a {size}×{size} board, which has no boxes of 2×2 to 8×8 cells")
    return shape


def plain_board(text: str, shape: Shape | None = None) -> Board | None:
    """Return the board with one symbol for each cell; None if the text is not one."""
    own = shape if shape is not None and len(text) == shape.cells else Shape.of_cells(len(text))
    if own is None or not text.isascii():
        return None
    cells = text.encode().translate(digit_table(own.size))
    return None if NO_DIGIT in cells else Board.from_cells(own, cells)
