"""Lists of solutions: each solution once, always in the same order."""

from __future__ import annotations

import random
import threading
from itertools import islice
from time import process_time

import pytest
from support.boards import COMMON_SHAPES, NINE, breaks_no_rule, full_board, random_board
from support.boards import board as read_ours
from support.lateness import Stopwatch
from support.solution_lists import ENGINES, Listed, both, elsewhere, text, texts

import enumerator
from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.engines.contraction.order import Order
from enumerator.engines.interfaces import DEFAULT_SIZES
from enumerator.engines.search import kernel
from enumerator.engines.walks.segments import first_segment, walk_segment
from enumerator.questions.checks import EngineName
from enumerator.questions.solutions import nth_line, pages, solution_list, to_boards
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

FIRST_PAGE, PAGE = DEFAULT_SIZES.first_page, DEFAULT_SIZES.page


def lines(found: Listed, cores: int = 1) -> list[bytes]:
    return text(found, cores).splitlines(keepends=True)


def hopeless(shape: Shape) -> list[Board]:
    """Return boards without a solution: two equal clues, a cell without a candidate, and two that must be searched."""
    rng = random.Random(f"hopeless {shape}")
    size = shape.size
    row = Board.from_cells(shape, bytes([*range(1, size), *[0] * (shape.cells - size + 1)]))
    found = [Board.empty(shape).with_cell(0, 1).with_cell(1, 1), row.with_cell(2 * size - 1, size)]
    while len(found) < 4:
        board = random_board(shape, rng, 30)
        wrong = board.with_cell(board.cells.index(0), rng.randint(1, size))
        if not (any(wrong.conflicts()) or elsewhere(wrong)):
            found.append(wrong)
    return found


# ------------------------------------------------------------------------------------------------- the whole


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("number", range(6))
def test_both_lists_have_every_solution_once(shape: Shape, number: int) -> None:
    board = random_board(shape, random.Random(f"list {shape} {number}"), [1, 30, 300, 1000, 3000, 5000][number])
    expected = elsewhere(board)
    assert expected
    for found in both(board):
        cells = [solution.cells for solution in to_boards(shape, texts(found.pages(1)))]
        assert sorted(cells) == expected, found.engine
        assert all(breaks_no_rule(Board.from_cells(shape, one), board) for one in cells[:: len(cells) // 50 + 1])
        assert found.count(1) == found.count(2) == len(expected)


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_both_lists_have_what_the_reference_finds(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"reference {shape}"), 200)
    expected = sorted(str(solution) + "\n" for solution in reference.walk(board))
    for found in both(board):
        assert sorted(line.decode() for line in lines(found)) == expected


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_full_board_is_its_own_list(shape: Shape) -> None:
    full = full_board(shape, random.Random(f"full {shape}"))
    for found in both(full):
        assert text(found) == text(found, 2) == f"{full}\n".encode()
        assert found.count(1) == 1
        assert list(found.lines([0, 0], 1)) == [f"{full}\n".encode()] * 2
    for engine in ENGINES:
        assert list(enumerator.solutions(full, engine=engine)) == [enumerator.nth(full, 0, engine=engine)] == [full]


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_board_without_a_solution_has_an_empty_list(shape: Shape) -> None:
    for board in hopeless(shape):
        for found in both(board):
            assert text(found) == text(found, 2) == text(found, 1, 5) == b""
            assert found.count(1) == found.count(2) == 0
            assert list(found.lines([], 2)) == []
            with pytest.raises(IndexError, match="no solution 0: the board has no solution"):
                nth_line(found.solutions, 0, 1)
        for engine in ENGINES:
            with pytest.raises(IndexError, match="no solution 3: the board has no solution"):
                enumerator.nth(board, 3, engine=engine)
            with pytest.raises(LookupError, match="no solution to choose"):
                enumerator.sample(board, 1, engine=engine)


@pytest.mark.parametrize("shape", COMMON_SHAPES[:3], ids=str)
def test_all_or_the_first_of_an_empty_board(shape: Shape) -> None:
    board, most = Board.empty(shape), 20_000
    for found in both(board):
        some = list(to_boards(shape, texts(found.pages(1, most))))
        assert len(set(some)) == len(some) == min(most, contraction.count(board))
        assert all(breaks_no_rule(solution, board) for solution in some[::97])


# -------------------------------------------------------------------------------------------- always the same


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_the_order_is_the_same_on_any_number_of_cores(shape: Shape) -> None:
    """The board has more solutions than fit on a page, and more nodes than fit into a segment."""
    board = random_board(shape, random.Random(f"cores {shape}"), 60_000)
    for found in both(board):
        alone = text(found)
        assert shape == COMMON_SHAPES[0] or len(alone) > FIRST_PAGE * 6 * (shape.cells + 1)
        assert text(found, 2) == text(found, 3) == text(Listed(board, found.engine)) == alone


def test_pages_are_small_at_first_and_bounded() -> None:
    found = texts(Listed(Board.empty(NINE), "contraction").pages(1))
    sizes = [len(page) // 82 for page in islice(found, 6)]
    assert sizes == [FIRST_PAGE, 4 * FIRST_PAGE, 16 * FIRST_PAGE, 64 * FIRST_PAGE, PAGE, PAGE]


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("cores", [1, 2, 3])
def test_a_limited_list_is_the_beginning_of_the_whole(shape: Shape, cores: int) -> None:
    board = random_board(shape, random.Random(f"limit {shape}"), 3000)
    for found in both(board):
        alone = text(found)
        line, total = shape.cells + 1, found.count(1)
        borders = [0, 1, 2, 63, 64, 65, 319, 320, 321, total - 1, total, total + 1, 10**30]
        for limit in borders:
            assert text(found, cores, limit) == alone[: limit * line], (found.engine, limit)


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_lines_in_some_places_are_those_of_the_list(shape: Shape) -> None:
    rng = random.Random(f"places {shape}")
    board = random_board(shape, rng, 2000)
    for found in both(board):
        whole_list = lines(found)
        total = found.count(rng.choice([1, 2]))
        assert list(found.lines(list(range(total)), 1)) == whole_list
        places = sorted(rng.choices(range(total), k=100))
        for cores in (1, 2, 3):
            assert list(found.lines(places, cores)) == [whole_list[place] for place in places]


def test_lines_of_a_walk_in_many_stretches() -> None:
    board = random_board(NINE, random.Random("stretches"), 60_000)
    found = Listed(board, "search")
    whole_list = lines(found)
    assert found.count(2) == len(whole_list)
    places = list(range(0, len(whole_list), 7))
    assert list(found.lines(places, 1)) == list(found.lines(places, 2)) == whole_list[::7]


def test_stretches_have_the_solutions_of_a_board_between_them() -> None:
    board = random_board(NINE, random.Random("tree"), 60_000)
    total, waiting, visited = 0, [first_segment(board)], 0
    while waiting:
        segment = waiting.pop()
        found, behind, *_ = walk_segment(kernel.start, segment, NINE)
        total, visited = total + found, visited + 1
        assert all(segment.nodes <= other.nodes <= 8 * segment.nodes for other in behind)
        waiting += behind
    assert visited > 10
    assert total == len(elsewhere(board))


def test_lines_must_have_been_counted() -> None:
    with pytest.raises(RuntimeError, match="not counted"):
        list(Listed(Board.empty(Shape(2, 2)), "contraction").lines([0], 1))


# ------------------------------------------------------------------------------------------- one at a time


def test_the_first_solutions_are_there_at_once() -> None:
    for shape in (NINE, Shape(2, 5), Shape(4, 4), Shape(5, 5)):
        with Stopwatch() as watch:
            board = Board.empty(shape)
            some = list(islice(enumerator.solutions(board), 10))
        assert watch.seconds < 2
        assert len(set(some)) == 10
        assert all(breaks_no_rule(solution, board) for solution in some)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("taken", [0, 1000])
def test_solutions_can_be_left_early(engine: EngineName, taken: int) -> None:
    board = Board.empty(NINE)
    alone = list(islice(enumerator.solutions(board, cores=1, engine=engine), taken))
    before = set(threading.enumerate())
    found = to_boards(NINE, texts(pages(solution_list(board, Plan(engine=engine)), NINE, 2)))
    assert list(islice(found, taken)) == alone
    assert bool(set(threading.enumerate()) - before) == bool(taken)
    del found
    assert set(threading.enumerate()) == before
    assert list(islice(enumerator.solutions(board, cores=2, engine=engine), taken)) == alone
    assert set(threading.enumerate()) == before


def test_larger_boards_are_walked() -> None:
    for shape in (Shape(2, 4), Shape(4, 2), Shape(2, 5)):
        board = random_board(shape, random.Random(f"larger {shape}"), 3000)
        found, expected = Listed(board, "search"), elsewhere(board)
        for cores in (1, 2):
            assert sorted(solution.cells for solution in to_boards(shape, texts(found.pages(cores)))) == expected
            assert found.count(cores) == len(expected)


def test_the_only_solution_of_a_large_board() -> None:
    board = read_ours("25x25-unique")
    found = Listed(board, "search")
    (solution,) = to_boards(board.shape, texts(found.pages(1)))
    assert breaks_no_rule(solution, board)
    assert text(found, 2) == f"{solution}\n".encode()
    assert enumerator.nth(board, 0) == solution


def test_a_large_board_with_many_solutions() -> None:
    board = read_ours("16x16-many")
    some = list(islice(enumerator.solutions(board), 3000))
    assert list(islice(to_boards(board.shape, texts(Listed(board, "search").pages(2))), 3000)) == some
    assert len(set(some)) == len(some)
    assert all(breaks_no_rule(solution, board) for solution in some[::100])


def test_what_cannot_be_meant_is_refused() -> None:
    board = Board.empty(Shape(4, 4))
    for ask in (enumerator.solutions, enumerator.candidates):
        with pytest.raises(ValueError, match="too large for the contraction"):
            ask(board, engine="contraction")
        with pytest.raises(ValueError, match="is not an engine"):
            ask(board, engine="magic")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="at least 1"):
            ask(board, cores=0)
    with pytest.raises(ValueError, match="too large for the contraction"):
        enumerator.nth(board, 0, engine="contraction")
    with pytest.raises(ValueError, match="too large for the contraction"):
        enumerator.sample(board, 1, engine="contraction")
    with pytest.raises(ValueError, match="n must be at least 0"):
        enumerator.sample(Board.empty(NINE), -1)
    with pytest.raises(TypeError):
        enumerator.nth(Board.empty(NINE), 1.5)  # type: ignore[arg-type]
    order = Order(Board.empty(NINE))
    with pytest.raises(ValueError, match="no item"):
        order.lines(order.items, 0, 1)
    with pytest.raises(ValueError, match="no items"):
        order.sums(0, order.items + 1)


@pytest.mark.slow
def test_the_first_solution_of_the_largest_board_does_not_wait_for_the_others() -> None:
    """It leaves 40,000 boards behind, and only a ledger needs their names: these would take 18 s."""
    board, began = Board.empty(Shape(8, 8)), process_time()
    (first,) = islice(enumerator.solutions(board, cores=1), 1)
    assert process_time() - began < 8  # 0.5 s, and more where the machine is busy
    assert breaks_no_rule(first, board)


def test_the_places_behind_a_page_are_the_tasks_behind_it() -> None:
    board = read_ours("16x16-many")
    found = solution_list(board, Plan())
    work = found.pages([found.whole], None)
    page, behind = work.do(next(iter(work.tasks)))
    again = list(found.pages(page.left, None).tasks)
    assert len(page.left) == len(behind) > 1
    assert [segment[:2] for segment in again] == [segment[:2] for segment in behind]
    assert [*page.left[1:]] == [page.left[number] for number in range(1, len(behind))]
