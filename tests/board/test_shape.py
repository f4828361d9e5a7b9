"""Shapes: units, symbols, names."""

import re

import pytest
from support.boards import SHAPES

from enumerator.board import Board
from enumerator.board.shape import SYMBOLS, Shape, units


def test_the_symbols_of_the_largest_board_are_64_and_differ() -> None:
    assert len(set(SYMBOLS)) == len(SYMBOLS) == 64


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_cell_is_in_one_row_one_column_and_one_box(shape: Shape) -> None:
    for kind in ("row", "column", "box"):
        members = [cell for name, cells in units(shape) if name.startswith(kind) for cell in cells]
        assert sorted(members) == list(range(shape.cells))
    assert all(len(cells) == shape.size for _, cells in units(shape))


def test_a_box_is_as_high_and_as_wide_as_its_shape_says() -> None:
    assert dict(units(Shape(2, 3)))["box 2"] == (3, 4, 5, 9, 10, 11)
    assert dict(units(Shape(3, 2)))["box 2"] == (2, 3, 8, 9, 14, 15)


@pytest.mark.parametrize(
    ("size", "name"),
    [(4, "2x2"), (6, "2x3"), (8, "2x4"), (9, "3x3"), (12, "3x4"), (16, "4x4"), (24, "4x6"), (25, "5x5"), (64, "8x8")],
)
def test_the_usual_shape_is_nearest_to_a_square(size: int, name: str) -> None:
    assert str(Shape.of_size(size)) == name


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 7, 11, 13, 22, 27, 63 * 2, 65, 81])
def test_some_sizes_have_no_shape(size: int) -> None:
    assert Shape.of_size(size) is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_shape_can_be_read_from_its_name(shape: Shape) -> None:
    assert Shape.parse(str(shape)) == Shape.parse(f" {shape.height}×{shape.width}") == shape


@pytest.mark.parametrize("text", ["", "3", "3x", "x3", "3x3x3", "1x4", "9x2", "0x0", "-3x3", "ax3", "3 by 3", "²x2"])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"shape|between"):
        Shape.parse(text)


@pytest.mark.parametrize(
    ("text", "box"),
    [("9x9", "3x3"), ("16x16", "4x4"), ("25×25", "5x5"), ("12x12", "3x4"), ("9", "3x3"), ("6", "2x3"), (" 16 ", "4x4")],
)
def test_the_size_of_a_board_is_told_from_its_box(text: str, box: str) -> None:
    rows, columns = box.split("x")
    message = f"{text.strip()} is not a box: did you mean {box} (boxes of {rows} rows and {columns} columns)?"
    with pytest.raises(ValueError, match=re.escape(message)):
        Shape.parse(text)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_box_that_may_be_meant_as_a_size_is_asked_for(size: int) -> None:
    """6x6 is the box of a 36×36 board, and the size of another one."""
    shape, usual = Shape.parse(f"{size}x{size}"), Shape.of_size(size)
    assert shape.size == size**2
    for text in ("." * size, "." * size**2, ("." * size + "\n") * size):
        with pytest.raises(ValueError, match=f"; did you mean {usual} "):
            Board.parse(text, shape)
