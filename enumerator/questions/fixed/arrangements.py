"""Groups of arrangements: their elements and their classes.

An arrangement is the image of every row and then of every column, as bytes. Columns are counted from the
number of rows on. Doing one after the other is a `bytes.translate`, 0.1 µs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from enumerator.board.shape import Shape
from enumerator.board.symmetry import Symmetry, SymmetryGroup
from enumerator.text.errors import EnumeratorError

MOST_ELEMENTS = 1_000_000
"""The size of the largest group whose elements are listed: 130 MB and some seconds.

The largest of 9×9 boards with clues has 373,248: that of a filled box.
"""

TURN_ELEMENTS = 10_000
"""The number of elements between two looks at whether to stop."""

EVERY_BYTE = bytes(range(256))


class ArrangementClass(NamedTuple):
    """Arrangements that are conjugate to each other."""

    first: bytes
    """One of them."""
    size: int


class TooManySymmetriesError(EnumeratorError, ValueError):
    """A board has too many symmetries to list them, and too many solutions to compare them all.

    >>> en.different("." * 256)
    Traceback (most recent call last):
    ...
    enumerator.questions.fixed.arrangements.TooManySymmetriesError: …
    """


def arrangement_of(symmetry: Symmetry) -> bytes:
    """Return the image of every row and column under a symmetry."""
    size, images = symmetry.shape.size, bytearray(2 * symmetry.shape.size)
    for place in range(size):
        row, column = (size, 0) if symmetry.transposed else (0, size)
        images[row + symmetry.rows[place]] = place
        images[column + symmetry.columns[place]] = size + place
    return bytes(images)


def classes(
    shape: Shape, generators: Iterable[bytes], order: int, look: Callable[[], object]
) -> list[ArrangementClass]:
    """Return the classes of the group of `order` elements that some arrangements generate.

    The group of a shape is not listed: its classes follow from those of rows and of columns. `look` is
    called now and then. Raise TooManySymmetriesError if the group is too large.
    """
    if order == SymmetryGroup(shape).arrangements:
        return list(_classes_of_shape(shape, look))
    return _classes(bytes(range(2 * shape.size)), generators, order, look)


def _classes(
    identity: bytes, generators: Iterable[bytes], order: int, look: Callable[[], object]
) -> list[ArrangementClass]:
    if order > MOST_ELEMENTS:
        raise TooManySymmetriesError(f"the board has {order:,} symmetries without relabelling: too many to list")
    elements, used = _elements(identity, generators, look)
    if len(elements) != order:
        raise RuntimeError(f"{len(elements)} symmetries instead of {order}")
    changes = [(_inverse(one), one + EVERY_BYTE[len(one) :]) for one in used]
    left, found = set(elements), list[ArrangementClass]()
    for first in elements:
        if first not in left:
            continue
        left.remove(first)
        conjugates = [first]
        for at, one in enumerate(conjugates):
            if at % TURN_ELEMENTS == 0:
                look()
            table = one + EVERY_BYTE[len(one) :]
            for back, forth in changes:
                other = back.translate(table).translate(forth)
                if other in left:
                    left.remove(other)
                    conjugates.append(other)
        found.append(ArrangementClass(first, len(conjugates)))
    return found


def _elements(
    identity: bytes, generators: Iterable[bytes], look: Callable[[], object]
) -> tuple[list[bytes], list[bytes]]:
    """Return the elements of a group, and those generators that are needed.

    With each of these, the group so far grows by cosets (Dimino's algorithm).
    """
    elements, seen, used = [identity], {identity}, list[bytes]()
    for generator in generators:
        if generator in seen:
            continue
        used.append(generator)
        group, firsts = elements[:], [identity]
        for first in firsts:
            for one in used:
                other = first.translate(one + EVERY_BYTE[len(one) :])
                if other in seen:
                    continue
                look()
                table = other + EVERY_BYTE[len(other) :]
                coset = [element.translate(table) for element in group]
                firsts.append(other)
                elements += coset
                seen.update(coset)
    return elements, used


def _inverse(arrangement: bytes) -> bytes:
    images = bytearray(len(arrangement))
    for line, image in enumerate(arrangement):
        images[image] = line
    return bytes(images)


def _classes_of_shape(shape: Shape, look: Callable[[], object]) -> Iterator[ArrangementClass]:
    """Yield the classes of all arrangements of a shape.

    Rows and columns are arranged independently. So the classes are pairs of a class of either. Where boxes are
    square, transposition exchanges the two of a pair; and the arrangements that transpose are
    conjugate if they are so when done twice, by what that does to rows.
    """
    size, is_square = shape.size, shape.height == shape.width
    rows = _classes_of_lines(shape.height, shape.width, look)
    columns = rows if is_square else _classes_of_lines(shape.width, shape.height, look)
    moved = [bytes(size + line for line in one.first) for one in columns]
    if not is_square:
        for one in rows:
            for other, lines in zip(columns, moved, strict=True):
                yield ArrangementClass(one.first + lines, one.size * other.size)
        return
    for a, b in combinations_with_replacement(range(len(rows)), 2):
        yield ArrangementClass(rows[a].first + moved[b], rows[a].size * rows[b].size * (1 if a == b else 2))
    order = sum(one.size for one in rows)
    for one, lines in zip(rows, moved, strict=True):
        yield ArrangementClass(lines + bytes(range(size)), one.size * order)


def _classes_of_lines(together: int, groups: int, look: Callable[[], object]) -> list[ArrangementClass]:
    """Return the classes of the orders of rows, or of columns: `together` in each of some groups."""
    identity = bytes(range(together * groups))
    order = 1
    generators = []
    for line in range(together - 1):
        generators.append(identity[:line] + bytes((line + 1, line)) + identity[line + 2 :])
        order *= line + 2
    order **= groups
    for group in range(groups - 1):
        at = group * together
        swapped = identity[at + together : at + 2 * together] + identity[at : at + together]
        generators.append(identity[:at] + swapped + identity[at + 2 * together :])
        order *= group + 2
    return _classes(identity, generators, order, look)
