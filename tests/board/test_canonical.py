"""Canonical forms: against brute force, under symmetries, with published figures, and without cliffs."""

import random
from collections.abc import Iterator
from itertools import combinations, product
from time import thread_time

import pytest
from support.boards import MANY_SHAPES, SOLVED, full_board, with_holes
from support.canonical_forms import least_image, least_marked_image
from support.marks import only_marks, restrict

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.board.canonical import find_form, forms_of, search
from enumerator.board.symmetry import Symmetry, SymmetryGroup

FOUR, SIX, NINE, SIXTEEN = Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4)

FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
MOST_SETS = "123568479864791352957243681218657934536489127749312865391825746472136598685974213"


def form_of(board: Board) -> Board:
    """Return the canonical form of a board, as it is found for many."""
    return forms_of(board.shape, board.cells, board.allowed)[0]


def scattered(shape: Shape, rng: random.Random, clues: int, digits: int) -> Board:
    """Return a board with clues anywhere, which may contradict each other."""
    cells = bytearray(shape.cells)
    for cell in rng.sample(range(shape.cells), clues):
        cells[cell] = rng.randint(1, digits)
    return Board.from_cells(shape, bytes(cells))


def kinds(shape: Shape, rng: random.Random) -> Iterator[Board]:
    """Yield boards of ten kinds."""
    full, size, cells = full_board(shape, rng), shape.size, shape.cells
    half = with_holes(full, cells // 2, rng)
    yield from (full, half, with_holes(full, cells * 3 // 4, rng), with_holes(full, cells - size, rng))
    yield with_holes(full, cells - 2, rng)
    yield Board.from_cells(shape, bytes(digit if digit <= 2 else 0 for digit in full.cells))
    yield scattered(shape, rng, size + 2, size)
    yield scattered(shape, rng, cells // 2, 2)
    yield restrict(half, rng)
    yield only_marks(shape, rng, 2)


def test_the_form_of_every_solved_4x4_board_is_that_of_brute_force() -> None:
    forms = set()
    for solution in en.solutions("." * 16):
        found = find_form(solution)
        assert (found.form.cells, found.automorphisms) == least_image(solution)
        forms.add(found.form)
    assert len(forms) == 2


def test_the_forms_of_4x4_boards_with_few_clues_are_those_of_brute_force() -> None:
    """All boards with up to two clues, and random ones with more, which may contradict each other."""
    rng = random.Random("few clues")
    boards = [scattered(FOUR, rng, rng.randint(3, 16), rng.randint(1, 4)) for _ in range(200)]
    for clues in range(3):
        for cells, digits in product(combinations(range(16), clues), product((1, 2), repeat=clues)):
            filled = bytearray(16)
            for cell, digit in zip(cells, digits, strict=True):
                filled[cell] = digit
            boards.append(Board.from_cells(FOUR, bytes(filled)))
    for board in boards:
        found = find_form(board)
        assert (found.form.cells, found.automorphisms) == least_image(board), board


@pytest.mark.parametrize("shape", [SIX, Shape(3, 2)], ids=str)
def test_the_forms_of_6x6_boards_are_those_of_brute_force(shape: Shape) -> None:
    rng = random.Random(f"brute force {shape}")
    for board in (*kinds(shape, rng), scattered(shape, rng, 3, 1), scattered(shape, rng, 30, 6)):
        if board.allowed is None:
            found = find_form(board)
            assert (found.form.cells, found.automorphisms) == least_image(board), board


def test_boards_with_pencil_marks_share_forms_as_they_share_least_images_of_brute_force() -> None:
    """Each with a symmetric one, and with one that has another mark in one cell."""
    rng = random.Random("marks by brute force")
    some = [Board.from_allowed(FOUR, rng.choices((3, 5, 15), k=16)) for _ in range(3)]
    some += [
        Board.from_allowed(FOUR, [3] * 16),
        Board.from_allowed(FOUR, [0] + [15] * 15),
        all_but(full_board(FOUR, rng)),
    ]
    for _ in range(4):
        some += [
            restrict(with_holes(full_board(FOUR, rng), rng.randint(4, 12), rng), rng),
            only_marks(FOUR, rng, rng.randint(1, 3)),
        ]
    forms: dict[str, Board] = {}
    for board in some:
        cell = rng.randrange(16)
        masks = [mask ^ (at == cell) for at, mask in enumerate(board.allowed or [15] * 16)]
        for one in (board, board.shuffled(rng.randrange(1_000)), Board.from_cells(FOUR, board.cells, masks)):
            if one.allowed is None:
                continue
            found, (least, automorphisms) = find_form(one), least_marked_image(one)
            assert found.automorphisms == automorphisms, one
            assert forms.setdefault(str(least), found.form) == found.form, one
    assert len(set(forms.values())) == len(forms) > 15


@pytest.mark.parametrize("shape", [shape for shape in MANY_SHAPES if max(shape.height, shape.width) <= 5], ids=str)
def test_symmetric_boards_have_the_same_form(shape: Shape) -> None:
    rng = random.Random(f"same form {shape}")
    group = SymmetryGroup(shape)
    for board in kinds(shape, rng):
        found = find_form(board)
        assert found.symmetry.apply(board) == found.form == form_of(board)
        assert find_form(found.form).form == found.form
        assert group.order % found.automorphisms == 0
        assert all(generator.apply(board) == board for generator in found.generators)
        assert (found.automorphisms > 1) == bool(found.generators)
        for _ in range(3):
            image = group.random(rng).apply(board)
            again = find_form(image)
            assert (again.form, again.automorphisms) == (found.form, found.automorphisms)
            assert again.symmetry.apply(image) == found.form


def all_but(board: Board) -> Board:
    """Return an empty board whose marks forbid the digit of each clue of `board` in its cell."""
    full = (1 << board.shape.size) - 1
    return Board.from_allowed(board.shape, [full ^ (1 << digit >> 1) for digit in board.cells])


def pattern(shape: Shape) -> Board:
    """Return a solved board that shifts of its rows, columns and digits fix."""
    size, width, height = shape.size, shape.width, shape.height
    rows = [
        [(width * (row % height) + row // height + column) % size + 1 for column in range(size)] for row in range(size)
    ]
    return Board.from_cells(shape, b"".join(map(bytes, rows)))


def latin(shape: Shape) -> Board:
    """Return a board with all digits in each row and column, in their order."""
    size = shape.size
    return Board.from_cells(shape, bytes((row + column) % size + 1 for row in range(size) for column in range(size)))


STRUCTURED = [Board(MOST_SYMMETRIC)]
"""Boards of which many rows and columns look alike."""

for box in ((2, 5), (2, 8), (4, 4), (5, 5), (8, 3), (4, 8)):
    STRUCTURED += [pattern(Shape(*box)), latin(Shape(*box))]


@pytest.mark.parametrize("board", STRUCTURED, ids=lambda board: str(board.shape))
def test_marks_of_symmetric_patterns_take_few_nodes(board: Board) -> None:
    """One digit is forbidden in each cell, which gives the automorphisms of the clues; or two are allowed."""
    size, marked = board.shape.size, all_but(board)
    found = search(marked)
    assert found.nodes < 150
    assert find_form(marked).automorphisms == find_form(board).automorphisms
    again = search(marked.shuffled(5))
    assert (again.cells, again.masks) == (found.cells, found.masks)
    pairs = Board.from_allowed(board.shape, [1 << (digit - 1) | 1 << digit % size for digit in board.cells])
    assert search(pairs).nodes < 150


def test_solved_9x9_boards_have_the_same_forms_as_by_the_search_for_any_board() -> None:
    """Random grids, symmetric ones, and boards that only look solved."""
    rng = random.Random("solved")
    boards = [Board.from_valid(NINE, full_board(NINE, rng).cells) for _ in range(200)]
    boards += [Board(grid).shuffled(seed) for grid in (FIRST, LAST, MOST_SYMMETRIC, MOST_SETS) for seed in range(15)]
    for at in (0, 40, 80):
        spoilt = bytearray(boards[0].cells)
        spoilt[at] = spoilt[at] % 9 + 1
        boards += [Board.from_cells(NINE, bytes(spoilt)), boards[0].with_cell(at, 0)]
    latin = bytes((row + column) % 9 + 1 for row in range(9) for column in range(9))  # its boxes repeat digits
    boards.append(Board.from_cells(NINE, latin))
    assert forms_of(NINE, b"".join(board.cells for board in boards)) == [find_form(board).form for board in boards]


@pytest.mark.parametrize("shape", [Shape(2, 7), Shape(7, 3), SIXTEEN, Shape(4, 6), Shape(5, 5)], ids=str)
def test_rows_that_repeat_few_digits_take_few_nodes(shape: Shape) -> None:
    """Patterns in which two digits, or some of them, became one: each order of columns was a node once."""
    for label in (lambda digit: digit % (shape.size - 1) + 1, lambda digit: digit if digit < shape.size - 4 else 1):
        board = Board.from_cells(shape, bytes(map(label, pattern(shape).cells)))
        found, again = search(board), search(board.shuffled(2))
        assert found.cells == again.cells
        assert max(found.nodes, again.nodes) < 4_000


@pytest.mark.parametrize("shape", [Shape(8, 2), Shape(8, 3), Shape(6, 6)], ids=str)
def test_tall_patterns_take_less_than_a_second(shape: Shape) -> None:
    """Of the thread's own time; it is about 0.1 seconds, and was up to 5 with children compared one by one."""
    size, whole = shape.size, pattern(shape)
    band = Board.from_cells(shape, whole.cells[: shape.height * size].ljust(shape.cells, b"\0"))
    stack = bytes(digit * (cell % size < shape.width) for cell, digit in enumerate(whole.cells))
    for board in (whole, band, Board.from_cells(shape, stack)):
        started = thread_time()
        search(board)
        assert thread_time() - started < 1


def test_a_search_ends_when_its_caller_raises_an_error() -> None:
    """With a tall pattern, which takes many steps; the error is that of the caller."""
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"):
        find_form(pattern(Shape(8, 3)).shuffled(1), look)
    assert looks == 2
    looks = 0
    with pytest.raises(TimeoutError, match="enough"):
        find_form(all_but(latin(Shape(8, 8))), look)
    assert looks == 2


def test_boards_that_differ_have_other_forms() -> None:
    """Rows of another band, columns of another stack and one digit are exchanged: that is no symmetry."""
    board = with_holes(Board(SOLVED), 40, random.Random("differ"))
    cells = bytearray(board.cells)
    cells[9:18], cells[27:36] = cells[27:36], cells[9:18]
    other = Board.from_cells(NINE, bytes(cells))
    emptied = board.with_cell(next(cell for cell, digit in enumerate(board.cells) if digit), 0)
    assert len({form_of(board), form_of(other), form_of(emptied)}) == 3


@pytest.mark.parametrize(("grid", "automorphisms"), [(FIRST, None), (LAST, 72), (MOST_SYMMETRIC, 648), (MOST_SETS, 36)])
def test_published_forms_and_automorphisms_of_9x9_grids(grid: str, automorphisms: int | None) -> None:
    """By gsf and others in the Sudoku players' forum."""
    found = find_form(Board(grid))
    if grid in (FIRST, LAST):
        assert str(found.form) == grid
    assert automorphisms in (None, found.automorphisms)
    assert FIRST <= str(found.form) <= LAST


@pytest.mark.parametrize(("shape", "classes", "solutions"), [(FOUR, 2, 288), (SIX, 49, 28_200_960)], ids=str)
def test_the_classes_of_solved_boards_are_as_many_as_published(shape: Shape, classes: int, solutions: int) -> None:
    """By OEIS A291188 and A109741. A class has as many boards as symmetries over automorphisms."""
    forms = set(map(form_of, en.sample(Board.empty(shape), 100 if shape == FOUR else 3_000, seed=1)))
    assert len(forms) == classes
    assert sum(SymmetryGroup(shape).order // find_form(form).automorphisms for form in forms) == solutions


@pytest.mark.parametrize("shape", MANY_SHAPES, ids=str)
def test_near_empty_boards_are_answered_by_counting(shape: Shape) -> None:
    """All symmetries fix the empty board. Boards with one clue are one class of size³; with one full mark, too."""
    group, few = SymmetryGroup(shape), 40 * shape.size
    empty = Board.empty(shape)
    assert find_form(empty).automorphisms == group.order
    one = find_form(empty.with_cell(shape.cells // 2, shape.size))
    assert one.automorphisms == group.order // shape.size**3
    assert one.form.cells[-1] == 1
    masks = [(1 << shape.size) - 1] * shape.cells
    masks[3] ^= 2
    assert find_form(Board.from_allowed(shape, masks)).automorphisms == group.order // shape.size**3
    full = Board.from_cells(shape, bytes([1]) * shape.cells)
    assert find_form(full).automorphisms * shape.size == group.order
    two = Board.from_allowed(shape, [3] * shape.cells)
    assert find_form(two).automorphisms * shape.size * (shape.size - 1) == 2 * group.order
    assert all(search(board).nodes < few for board in (empty, one.form, full))


@pytest.mark.parametrize("shape", [NINE, SIXTEEN, Shape(4, 5), Shape(5, 5)], ids=str)
def test_symmetric_patterns_take_few_nodes(shape: Shape) -> None:
    """One digit everywhere on the diagonal, all digits there, equal rows, and one band of a solved board."""
    size, rng = shape.size, random.Random(f"patterns {shape}")
    diagonal = [cell for cell in range(shape.cells) if cell // size == cell % size]
    patterns = [bytes(digit * (cell in diagonal) for cell in range(shape.cells)) for digit in (1,)]
    patterns += [bytes((cell // size + 1) * (cell in diagonal) for cell in range(shape.cells))]
    patterns += [bytes(cell // size + 1 for cell in range(shape.cells))]
    patterns += [full_board(shape, rng).cells[: size * shape.height].ljust(shape.cells, b"\0")]
    for cells in patterns:
        board = Board.from_cells(shape, cells)
        assert search(board).nodes < 100_000
        assert search(board.shuffled(1)).cells == search(board).cells


def test_generators_make_the_whole_group() -> None:
    rng = random.Random("generators")
    for shape in (FOUR, SIX):
        for board in kinds(shape, rng):
            found = find_form(board)
            if found.automorphisms > 600:
                continue
            group, new = {Symmetry.identity(shape)}, [Symmetry.identity(shape)]
            while new:
                one = new.pop()
                for generator in found.generators:
                    product_ = generator @ one
                    if product_ not in group:
                        group.add(product_)
                        new.append(product_)
            assert len(group) == found.automorphisms
