"""Symmetries as values: composed, inverted, applied, drawn at random; the groups of shapes."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import pytest
from support.boards import MANY_SHAPES, full_board, with_holes
from support.marks import restrict

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.board.symmetry import Symmetry, SymmetryGroup

FOUR = Shape(2, 2)


def some_boards(shape: Shape, rng: random.Random) -> list[Board]:
    """Return a solved board, one with clues, one with pencil marks, an empty one."""
    full = full_board(shape, rng)
    half = with_holes(full, shape.cells // 2, rng)
    return [full, half, restrict(half, rng), Board.empty(shape)]


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_composing_inverting_and_applying_agree(shape: Shape) -> None:
    rng = random.Random(f"symmetry {shape}")
    group, identity = SymmetryGroup(shape), Symmetry.identity(shape)
    first, second, third = (group.random(rng) for _ in range(3))
    assert (third @ second) @ first == third @ (second @ first)
    assert first.inverse() @ first == identity == first @ first.inverse()
    assert identity.is_identity
    assert first @ identity == first == identity @ first
    for board in some_boards(shape, rng):
        assert (second @ first).apply(board) == second.apply(first.apply(board))
        assert first.inverse().apply(first.apply(board)) == board
        assert board.transformed(identity) == board


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_an_image_keeps_the_rules(shape: Shape) -> None:
    rng = random.Random(f"rules {shape}")
    full = full_board(shape, rng).shuffled(7)
    assert not any(full.conflicts())
    assert full.empty_cells == 0


def test_images_have_as_many_solutions_with_pencil_marks_too() -> None:
    rng = random.Random("images")
    for shape in (FOUR, Shape(2, 3), Shape(3, 2), Shape(3, 3)):
        for _ in range(5):
            half = with_holes(full_board(shape, rng), shape.cells * 6 // 10, rng)
            for board in (half, restrict(half, rng)):
                image = board.transformed(SymmetryGroup(shape).random(rng))
                assert en.count(image) == en.count(board)
                assert image.restricted_cells == board.restricted_cells


@pytest.mark.parametrize(("shape", "arrangements"), [("2x2", 128), ("3x3", 3_359_232), ("4x4", 126_806_761_930_752)])
def test_the_number_of_symmetries_without_relabelling_is_that_of_oeis_a346008(shape: str, arrangements: int) -> None:
    assert SymmetryGroup(Shape.parse(shape)).arrangements == arrangements


@pytest.mark.parametrize("shape", [FOUR, Shape(2, 3)], ids=str)
def test_the_group_has_every_order_that_keeps_the_rules(shape: Shape) -> None:
    """Every permutation of rows and of columns is tried, and counted if the value takes it."""

    def number(kind: str) -> int:
        taken, plain = 0, range(shape.size)
        for order in permutations(plain):
            lines = {"rows": plain, "columns": plain, kind: order}
            try:
                Symmetry(shape, lines["rows"], lines["columns"], range(1, shape.size + 1))
                taken += 1
            except ValueError:
                continue
        return taken

    transposed = 2 if shape.height == shape.width else 1
    assert number("rows") * number("columns") * transposed == SymmetryGroup(shape).arrangements


@pytest.mark.parametrize(
    ("shape", "known"), [(FOUR, 128), pytest.param(Shape(2, 3), 3_456, marks=pytest.mark.slow)], ids=["2x2", "2x3"]
)
def test_a_shape_has_no_other_symmetries(shape: Shape, known: int) -> None:
    """The permutations of cells that keep which cells may not be equal are those of the group: all are tried.

    Of 6×6, there are 3! · 2!³ orders of rows and 2! · 3!² of columns.
    """
    rng, group = random.Random(f"graph {shape}"), SymmetryGroup(shape)
    found = set(automorphisms(conflict_graph(shape)))
    assert len(found) == known == group.arrangements
    assert all(tuple(group.random(rng).sources()) in found for _ in range(100))


def conflict_graph(shape: Shape) -> list[int]:
    """Return, for each cell, a mask of the other cells of its row, its column and its box."""
    units = [
        (row, shape.size + column, 2 * shape.size + row // shape.height * shape.height + column // shape.width)
        for row, column in product(range(shape.size), repeat=2)
    ]
    return [sum(1 << at for at, other in enumerate(units) if other != one and set(one) & set(other)) for one in units]


def automorphisms(graph: list[int], images: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield all permutations of the nodes of a graph that keep its edges and begin with `images`."""
    node = len(images)
    if node == len(graph):
        yield images
        return
    fitting = (1 << len(graph)) - 1
    for other, image in enumerate(images):
        fitting &= ~(1 << image) & (graph[image] if graph[node] >> other & 1 else ~graph[image])
    for image in range(len(graph)):
        if fitting >> image & 1:
            yield from automorphisms(graph, (*images, image))


def test_random_symmetries_are_uniform() -> None:
    """Each of the 8 orders of rows, 8 of columns, 24 of digits and 2 turns comes equally often, and each pair."""
    rng, draws = random.Random("uniform"), 6_400
    found = [SymmetryGroup(FOUR).random(rng) for _ in range(draws)]
    for pick, kinds in (
        (lambda one: (one.rows, one.columns), 64),
        (lambda one: (one.rows, one.transposed), 16),
        (lambda one: one.digits, 24),
    ):
        counts, expected = Counter(map(pick, found)), draws / kinds
        assert len(counts) == kinds
        assert sum((number - expected) ** 2 / expected for number in counts.values()) < kinds + 5 * (2 * kinds) ** 0.5


def test_a_seed_gives_the_same_board_and_others_give_others() -> None:
    board = Board("1234 3412 2143 4321")
    assert board.shuffled(3) == board.shuffled(3)
    assert len({board.shuffled(seed) for seed in range(40)}) > 20
    assert board.shuffled().shape == board.shape


def test_anything_that_is_a_board_has_an_image() -> None:
    text = "12" + "." * 14
    for board in (text, [[1, 2, 0, 0], *[[0] * 4] * 3], Board(text)):
        assert Symmetry.identity(FOUR).apply(board) == Board(text)
    with pytest.raises(TypeError, match="a board is a text, rows of numbers, an array or a Board"):
        Symmetry.identity(FOUR).apply(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4×4"):
        Symmetry.identity(FOUR).apply("12..")


def test_what_is_no_symmetry_is_refused() -> None:
    plain = range(4)
    digits = range(1, 5)
    for rows, columns, labels, message in (
        ((0, 2, 1, 3), plain, digits, "the rows of a symmetry stay together in groups of 2"),
        (plain, (0, 1, 2, 2), digits, "the columns of a symmetry are each of 4 columns once"),
        (plain, plain, (0, 1, 2, 3), "the digits of a symmetry are each of 4 digits once"),
    ):
        with pytest.raises(ValueError, match=message):
            Symmetry(FOUR, rows, columns, labels)
    with pytest.raises(ValueError, match="transposition is no symmetry of 2x3"):
        Symmetry("2x3", range(6), range(6), range(1, 7), True)
    with pytest.raises(ValueError, match="cannot be followed"):
        _ = Symmetry.identity("2x3") @ Symmetry.identity("3x2")
    with pytest.raises(ValueError, match="the board has boxes of 2x2, not of 2x3"):
        Board.empty("2x2").transformed(Symmetry.identity("2x3"))


def test_all_symmetries_of_a_small_board_are_a_group() -> None:
    orders = [order for order in permutations(range(4)) if {order[0] // 2} == {order[1] // 2}]
    cells = {
        tuple(Symmetry(FOUR, rows, columns, range(1, 5), turned).sources())
        for rows, columns, turned in product(orders, orders, (False, True))
    }
    assert len(cells) == SymmetryGroup(FOUR).arrangements == 128
