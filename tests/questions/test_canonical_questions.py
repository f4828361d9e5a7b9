"""Questions about symmetric boards: alone and of many boards, whatever the cores."""

import random

import pytest
from support.boards import SOLVED, full_board, with_holes
from support.marks import restrict

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.board.canonical.form_search import Seen
from enumerator.questions.canonical import Classes, digest_of

NINE = Shape(3, 3)


def some_boards(rng: random.Random) -> list[Board]:
    """Return boards of several shapes, of which each second one is an image of the one before it."""
    boards = []
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE, Shape(4, 4)):
        full = full_board(shape, rng)
        half = with_holes(full, shape.cells // 2, rng)
        for board in (full, half, restrict(half, rng), Board.empty(shape)):
            boards += [board, board.shuffled(rng.randrange(1_000))]
    return boards


def test_an_answer_has_the_form_and_the_way_there() -> None:
    board = Board(SOLVED).shuffled(5)
    answer = en.canonical(str(board))
    assert answer.board == board
    assert answer.symmetry.apply(board) == answer.form == en.canonical(SOLVED).form
    facts = answer.to_dict()
    assert (facts["form"], facts["automorphisms"]) == (str(answer.form), str(answer.automorphisms))
    assert en.Symmetry("3x3", **facts["symmetry"]) == answer.symmetry  # type: ignore[arg-type]


def test_two_boards_are_equivalent_by_a_symmetry_or_not_at_all() -> None:
    boards = some_boards(random.Random("equivalent"))
    for board, image in zip(boards[::2], boards[1::2], strict=True):
        symmetry = en.equivalent(board, image)
        assert symmetry is not None
        assert board.transformed(symmetry) == image
    assert en.equivalent(boards[0], boards[2]) is None
    assert en.equivalent(Board.empty("2x3"), Board.empty("3x2")) is None


@pytest.mark.parametrize("cores", [1, 2])
def test_many_boards_have_the_answers_of_each(cores: int) -> None:
    boards = some_boards(random.Random("many"))
    assert list(en.canonical_all(boards, cores=cores)) == [en.canonical(board).form for board in boards]
    lines = [str(Board(SOLVED).shuffled(seed)) for seed in range(300)]
    assert set(en.canonical_all(lines, cores=cores)) == {en.canonical(SOLVED).form}
    assert list(en.canonical_all([SOLVED, "no board"], on_error=None)) == [en.canonical(SOLVED).form, None]


def test_forms_as_an_array() -> None:
    numpy = pytest.importorskip("numpy")
    boards = [Board(SOLVED).shuffled(seed) for seed in range(3)] + [Board.empty("3x3")]
    array = en.canonical_array(boards, cores=1)
    assert (array.shape, array.dtype) == ((4, 9, 9), numpy.uint8)
    assert [bytes(one.reshape(-1)) for one in array] == [en.canonical(board).form.cells for board in boards]
    assert en.canonical_array(array).tolist() == array.tolist()
    with pytest.raises(ValueError, match=r"lines\[1\]: .* pencil marks"):
        en.canonical_array([boards[0], restrict(boards[3], random.Random(1))])
    assert en.canonical_array([]).shape == (0, 9, 9)


@pytest.mark.parametrize("cores", [1, 2])
def test_distinct_boards_are_the_first_of_each_class(cores: int) -> None:
    boards = some_boards(random.Random("distinct"))
    assert list(en.distinct(boards, cores=cores)) == boards[::2]
    many = [board.shuffled(seed) for seed in range(20) for board in boards]
    assert len(list(en.distinct(many, cores=cores))) == len(boards) // 2
    assert list(en.distinct(["no board", SOLVED], on_error="skip")) == [Board(SOLVED)]
    with pytest.raises(ValueError, match="boards"):
        list(en.distinct([SOLVED, "no board"]))


def test_all_solutions_of_4x4_are_two_classes() -> None:
    """OEIS A109741."""
    assert len(list(en.distinct(en.solutions("." * 16)))) == 2


def test_classes_are_numbered_by_their_first_board() -> None:
    rng = random.Random("classes")
    digests = [rng.randbytes(16) for _ in range(5_000)]
    classes, others, first = Classes(), Classes(numbered=False), dict[bytes, int]()
    for number in range(1, 20_001):
        digest = rng.choice(digests)
        is_new = digest not in first
        assert classes.add(digest) == first.setdefault(digest, number)
        assert others.add(digest) == is_new * number
    assert len(classes) == len(others) == len(first)
    zero, one = bytes(16), bytes([0] * 8 + [1] * 8)
    assert [classes.add(each) for each in (zero, one, zero, one)] == [20_001, 20_002, 20_001, 20_002]
    with pytest.raises(ValueError, match="15 bytes"):
        Seen().add(bytes(15), 1)


def test_a_class_takes_little_more_than_its_digest() -> None:
    """While it grows, too: one of 256 parts of the table is copied at a time."""
    rng, plain, numbered = random.Random("bytes"), Seen(numbered=False), Seen()
    for number in range(1, 120_001):
        digest = rng.randbytes(16)
        plain.add(digest, number)
        numbered.add(digest, number)
        if number >= 60_000 and not number % 10_000:
            assert 16 * number < plain.size < 21 * number
            assert 24 * number < numbered.size < 31.5 * number


def test_digests_differ_by_shape_clues_and_marks() -> None:
    empty, wide, tall = Board.empty("2x2"), Board.empty("2x3"), Board.empty("3x2")
    marked = Board.from_allowed("2x2", [3] * 16)
    boards = [empty, wide, tall, marked, Board.from_allowed("2x2", [3] * 15 + [15]), empty.with_cell(0, 1)]
    assert len(set(map(digest_of, boards))) == len(boards)


def test_a_form_that_is_not_found_in_time_is_an_error() -> None:
    """With a tall pattern, which takes many steps."""
    size = 24
    pattern = bytes((3 * (row % 8) + row // 8 + column) % size + 1 for row in range(size) for column in range(size))
    board = Board.from_cells("8x3", pattern)
    with pytest.raises(en.OutOfTimeError, match=r"the canonical form is not found after 0\.001 s"):
        en.canonical(board, time_limit=0.001)
    with pytest.raises(en.OutOfTimeError):
        en.equivalent(board, board.shuffled(1), time_limit=0.001)
    assert en.equivalent(board, board, time_limit=60) is not None

    def stop(_: object) -> None:
        raise en.Stopped

    with pytest.raises(en.Stopped):
        en.canonical(board, progress=stop)
    with pytest.raises(ValueError, match="time_limit"):
        en.canonical(board, time_limit=-1)
