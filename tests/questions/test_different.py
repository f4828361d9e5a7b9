"""Essentially different solutions: by Burnside's lemma, by listing, and as published."""

from __future__ import annotations

import random
from array import array
from threading import Barrier, Event

import pytest
from support.canonical_forms import arrangements
from support.processes import PATIENCE

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.board.canonical import find_form
from enumerator.board.symmetry import SymmetryGroup
from enumerator.engines import Part, PartResult
from enumerator.questions import different as module
from enumerator.questions.different import different, different_solutions
from enumerator.questions.fixed import work
from enumerator.questions.fixed.arrangements import TooManySymmetriesError, _classes, arrangement_of, classes
from enumerator.questions.fixed.fixed_counts import FixedProblem, FixedSearch, FixedTable
from enumerator.questions.fixed.relabellings import DigitKinds, partitions
from enumerator.questions.fixed.work import FixedCounter
from enumerator.questions.solution_classes import first_of_forms, first_of_orbits, list_solutions, up_to_labels
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress

ONE_CORE = Plan(cores=1)


def nothing() -> None:
    """Do nothing."""


def by_listing(board: Board) -> int:
    """Return the number of orbits of the listed solutions."""
    generators = find_form(board).generators
    return sum(1 for _ in first_of_orbits(list_solutions(board, ONE_CORE), generators))


def by_brute_force(board: Board) -> int:
    """Return the number of solutions up to all symmetries that fix the board; each of these is tried."""
    group = []
    for cells in arrangements(board.shape):
        labels: dict[int, int] = {0: 0}
        image = [board.cells[cell] for cell in cells]
        if all(labels.setdefault(old, new) == new for old, new in zip(image, board.cells, strict=True)):
            group.append((cells, labels))
    left = set(list_solutions(board, ONE_CORE))
    free = [digit for digit in range(1, board.shape.size + 1) if digit not in board.cells]
    found = 0
    while left:
        found += 1
        solution = left.pop()
        for cells, labels in group:
            moved = [solution[cell] for cell in cells]
            names = dict(labels)
            named = bytes(names.setdefault(digit, -1 - len(names)) % 256 for digit in moved)  # new digits: any order
            left -= {other for other in left if same_up_to(named, other, free)}
    return found


def same_up_to(image: bytes, other: bytes, free: list[int]) -> bool:
    """Return True if digits that are not clues can be given such that both are equal."""
    names: dict[int, int] = {}
    for one, digit in zip(image, other, strict=True):
        if one > 128:
            if digit not in free or names.setdefault(one, digit) != digit:
                return False
        elif one != digit:
            return False
    return len(set(names.values())) == len(names)


def some_boards(shape: Shape, number: int, seed: int) -> list[Board]:
    """Return boards of which most have symmetries: few clues, or those of few digits."""
    rng, found = random.Random(seed), []
    for _ in range(number):
        solution = str(en.sample("." * shape.cells, 1, shape=shape, seed=rng.randrange(10**9))[0])
        kept = set(rng.sample(range(shape.cells), rng.randrange(shape.size + 1)))
        if rng.random() < 0.6:
            digits = rng.sample(solution[: shape.size], rng.randint(1, shape.size // 2))
            kept = {cell for cell in range(shape.cells) if solution[cell] in digits}
        found.append(Board("".join(solution[cell] if cell in kept else "." for cell in range(shape.cells)), shape))
    return found


@pytest.mark.parametrize(("shape", "known"), [((2, 2), 2), ((2, 3), 49), ((3, 2), 49)])
def test_empty_boards_have_the_published_numbers(shape: tuple[int, int], known: int) -> None:
    assert en.different("." * (shape[0] * shape[1]) ** 2, shape=shape, cores=1) == known


def test_boards_of_four_agree_with_trying_every_symmetry() -> None:
    boards = some_boards(Shape(2, 2), 25, 1)
    assert [different(board, ONE_CORE).different for board in boards] == list(map(by_brute_force, boards))


@pytest.mark.parametrize(
    "shape",
    [Shape(2, 2), *(pytest.param(shape, marks=pytest.mark.slow) for shape in (Shape(2, 3), Shape(3, 2)))],
    ids=str,
)
def test_boards_with_symmetries_agree_with_listing(shape: Shape) -> None:
    boards = [board for board in some_boards(shape, 40, shape.height) if en.count(board) < 3_000]
    answers = [different(board, ONE_CORE) for board in boards]
    assert sum(answer.symmetries > 1 for answer in answers) > 10
    assert [answer.different for answer in answers] == list(map(by_listing, boards))


def test_boards_of_nine_with_symmetries_agree_with_listing() -> None:
    most = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    for kept, known in (("123456", 1_728), ("12345", 10_752)):
        board = Board("".join(digit if digit in kept else "." for digit in most))
        answer = different(board, ONE_CORE)
        assert answer.symmetries > 100
        assert (answer.solutions, answer.different) == (known, by_listing(board))


def test_pencil_marks_are_respected() -> None:
    rng = random.Random(5)
    for masks in ([3, 12], [1, 14], [7, 11, 13, 14], [5, 10, 15]):
        for _ in range(4):
            marks = [rng.choice(masks) for _ in range(16)] if rng.random() < 0.3 else (masks * 16)[:16]
            board = Board.from_cells(Shape(2, 2), bytes(16), [mask if at % 3 else 15 for at, mask in enumerate(marks)])
            assert different(board, ONE_CORE).different == by_listing(board)


@pytest.mark.slow
def test_solutions_have_different_forms_as_often_as_they_are_different() -> None:
    """Both ways to list one of each class: by orbits and by forms."""
    for board in [*some_boards(Shape(2, 2), 25, 7), *some_boards(Shape(2, 3), 6, 8)]:
        solutions = list(list_solutions(board, ONE_CORE))
        if len(solutions) < 400:
            generators = find_form(board).generators
            assert list(first_of_forms(board, solutions)) == list(first_of_orbits(solutions, generators))


def test_one_of_each_class_is_listed_with_many_symmetries_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of classes is not known in time, and no solutions are kept."""
    monkeypatch.setattr(module, "COUNT_SECONDS", 0.0)
    monkeypatch.setattr(module, "MOST_KEPT", 1)
    marked = Board.from_cells(Shape(2, 2), bytes(16), [7, 15, 15, 14] * 4)
    for board in [*some_boards(Shape(2, 2), 15, 3), *some_boards(Shape(2, 3), 3, 4), marked]:
        if en.count(board) < 1_000:
            assert sum(1 for _ in different_solutions(board, ONE_CORE)) == by_listing(board)


def test_the_49_solutions_of_6x6_are_listed_soon() -> None:
    """The number is OEIS A109741's; all solutions would take minutes."""
    found = list(different_solutions(Board("." * 36), ONE_CORE))
    assert len({en.canonical(Board.from_valid(Shape(2, 3), one)).form for one in found}) == len(found) == 49


def test_a_board_is_divided_by_exchanges_of_digits() -> None:
    """Each solution of a part stands for as many as there are exchanges."""
    divided = 0
    for board in [*some_boards(Shape(2, 2), 15, 11), *some_boards(Shape(2, 3), 8, 12), Board("12.. 21.. .... ....")]:
        parts = up_to_labels(board)
        if DigitKinds(board).order > 1 and all(DigitKinds(part).order == 1 for part in parts):
            divided += 1
            assert sum(map(en.count, parts)) * DigitKinds(board).order == en.count(board)
    assert divided > 5
    assert up_to_labels(Board("." * 36)) == [Board("12345" + "." * 31)]


def test_symmetric_boards_have_as_many() -> None:
    for board in some_boards(Shape(2, 3), 5, 9):
        assert en.different(board, cores=1) == en.different(board.shuffled(seed=4), cores=1)


def test_a_board_without_symmetries_has_as_many_as_solutions() -> None:
    board = "........76...1...8...9...4.......8.......8..9...37.4....97.3...2.3..5......8.963."
    answer = en.different_answer(board, cores=1)
    assert (answer.different, answer.solutions, answer.symmetries, answer.nodes) == (7685, 7685, 1, 0)


def test_contradictions_have_none() -> None:
    assert en.different("11" + "." * 14) == 0
    assert en.different_answer("12345678.........9" + "." * 63, cores=1).different == 0


def test_the_classes_of_shapes_are_those_of_their_elements() -> None:
    """Directly, and from rows and columns: as many classes of the same sizes."""
    for height, width, known in ((2, 2, 20), (2, 3, 90), (3, 3, 275)):
        shape = Shape(height, width)
        order = SymmetryGroup(shape).arrangements
        found = classes(shape, (), order, nothing)
        assert (len(found), sum(one.size for one in found)) == (known, order)
        if shape.size < 9:
            generators = list(map(arrangement_of, find_form(Board("." * shape.cells, shape)).generators))
            listed = _classes(bytes(range(2 * shape.size)), generators, order, nothing)
            assert sorted(one.size for one in listed) == sorted(one.size for one in found)


def test_partitions_are_counted_as_known() -> None:
    assert [len(list(partitions(number))) for number in range(10)] == [1, 1, 2, 3, 5, 7, 11, 15, 22, 30]


def test_too_many_symmetries_are_an_error_unless_solutions_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooManySymmetriesError, match="126,806,761,930,752 symmetries"):
        en.different("." * 256, cores=1)
    monkeypatch.setattr(module, "MOST_ELEMENTS", 1)
    assert en.different("." * 16) == 2


def test_the_end_of_a_question_carries_a_lower_bound() -> None:
    def stop(progress: Progress) -> None:
        if progress.stage == "symmetries" and progress.effort:
            raise en.Stopped

    with pytest.raises(en.Stopped) as caught:
        en.different("." * 81, progress=stop, cores=1)
    answer = caught.value.answer
    assert isinstance(answer, en.DifferentAnswer)
    assert (answer.complete, answer.solutions_complete) == (False, True)
    assert str(caught.value).endswith("not all counted; there are 6,670,903,752,021,072,936,960 solutions")
    assert answer.different == 5_472_447_995  # the solutions divided by the symmetries
    with pytest.raises(en.OutOfTimeError):
        en.different("." * 81, time_limit=0.05)


def test_several_cores_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_NODES", "SLICE_NODES"):
        monkeypatch.setattr(work, name, 40)
    assert en.different("." * 36, cores=2) == 49
    assert en.different("." * 36, cores=1) == 49


def test_parts_that_were_given_away_keep_two_cores_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several parts that a search gives away, the first one waits for another."""
    together, has_siblings, have_met = Barrier(2), set[bytes](), Event()
    work_on = FixedCounter.work_on

    def meet(counter: FixedCounter, part: Part) -> tuple[PartResult, list[Part]]:
        if part.load in has_siblings and not have_met.is_set():
            together.wait(PATIENCE)
            have_met.set()
        result, left = work_on(counter, part)
        if len(left) > 1:
            has_siblings.update(one.load for one in left)
        return result, left

    for name in ("FIRST_NODES", "SLICE_NODES"):
        monkeypatch.setattr(work, name, 40)
    monkeypatch.setattr(FixedCounter, "work_on", meet)
    assert en.different("." * 36, cores=2) == 49
    assert have_met.is_set()


def test_paths_that_cannot_be_are_refused() -> None:
    """The path of a part may come from a file."""
    board = Board("." * 16)
    (first, *_) = classes(board.shape, (), SymmetryGroup(board.shape).arrangements, nothing)
    problem = FixedProblem(2, 2, first.first, bytes(range(4)), array("Q", [15] * 16), bytes(4))
    table = FixedTable(problem, 1_000)
    whole = FixedSearch(table)
    assert whole.run(10**6)
    for path, message in (((10**6,), "no option 1000000"), ((-1,), "no option -1"), ((0, 0), "exclude each other")):
        with pytest.raises(ValueError, match=message):
            FixedSearch(table, path)
    with pytest.raises(ValueError, match="a path of 1000 options"):
        FixedSearch(table, [0] * 1_000)
