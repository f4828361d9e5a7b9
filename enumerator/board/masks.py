"""Masks of digits: pencil marks in their normal form, and the candidates that clues leave.

Bit d - 1 of a mask stands for digit d.
"""

from __future__ import annotations

from functools import lru_cache

from enumerator.board.shape import Shape


def normalise(shape: Shape, cells: bytes, allowed: tuple[int, ...]) -> tuple[bytes, tuple[int, ...] | None]:
    """Return cells and masks in the form that `Board` describes; raise ValueError for wrong masks."""
    full = (1 << shape.size) - 1
    if len(allowed) != shape.cells:
        raise ValueError(f"{shape.title} has {shape.cells} masks, not {len(allowed)}")
    digits, masks, is_restricted = bytearray(cells), list(allowed), False
    for cell, mask in enumerate(masks):
        if not 0 <= mask <= full:
            raise ValueError(f"{mask} is no mask of digits of {shape.title}")
        if digits[cell]:
            mask &= 1 << (digits[cell] - 1)
        masks[cell] = mask
        digits[cell] = mask.bit_length() if mask.bit_count() == 1 else 0
        is_restricted |= not digits[cell] and mask != full
    return bytes(digits), tuple(masks) if is_restricted else None


@lru_cache
def _places(shape: Shape) -> tuple[tuple[int, int, int], ...]:
    """Return the row, the column and the box of every cell."""
    return tuple(map(shape.place, range(shape.cells)))


def count_candidates(shape: Shape, digits: bytes, allowed: tuple[int, ...] | None) -> list[int]:
    """Return, for each empty cell, the number of digits that it allows and no unit of it holds."""
    size = shape.size
    (rows, columns, boxes), places = ([0] * size for _ in range(3)), _places(shape)
    for digit, (row, column, box) in zip(digits, places, strict=True):
        if digit:
            bit = 1 << (digit - 1)
            rows[row] |= bit
            columns[column] |= bit
            boxes[box] |= bit
    if allowed is not None:
        return [
            (mask & ~(rows[row] | columns[column] | boxes[box])).bit_count()
            for digit, mask, (row, column, box) in zip(digits, allowed, places, strict=True)
            if not digit
        ]
    return [
        size - (rows[row] | columns[column] | boxes[box]).bit_count()
        for digit, (row, column, box) in zip(digits, places, strict=True)
        if not digit
    ]
