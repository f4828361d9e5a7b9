"""The n-th solution: that of the list, found by the places of solutions in their order."""

from __future__ import annotations

import random
from array import array
from functools import lru_cache
from itertools import accumulate, islice, pairwise

import pytest
from support.boards import (
    ALL_9X9,
    COMMON_SHAPES,
    NINE,
    breaks_no_rule,
    full_board,
    random_board,
    with_clues,
    with_holes,
)
from support.cases import slow_after
from support.counts import assert_count
from support.solution_lists import ENGINES, Listed, elsewhere

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.engines.contraction.network import Network, orbit_paths, orbits
from enumerator.engines.contraction.order import Order, Places
from enumerator.questions.ask import within
from enumerator.questions.checks import EngineName
from enumerator.questions.solutions import build_index, nth_line, solution_list, to_boards
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan
from enumerator.text.phrases import whole

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_the_nth_is_the_nth_of_the_list(shape: Shape, engine: EngineName) -> None:
    board = random_board(shape, random.Random(f"nth {shape}"), 60)
    every = list(enumerator.solutions(board, engine=engine))
    assert sorted(solution.cells for solution in every) == elsewhere(board)
    assert [enumerator.nth(board, n, cores=1, engine=engine) for n in range(len(every))] == every
    for n in (len(every), len(every) + 1, 10**40):
        with pytest.raises(IndexError, match=f"no solution {whole(n)}: the board has {len(every)} solution"):
            enumerator.nth(board, n, engine=engine)
    for n in (-1, -(10**40)):
        with pytest.raises(ValueError, match="counted from 0"):
            enumerator.nth(board, n, engine=engine)


@pytest.mark.parametrize("most", [300, 30_000])
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_by_whatever_engine_is_chosen_the_nth_is_that_of_the_list(shape: Shape, most: int) -> None:
    board = random_board(shape, random.Random(f"auto {shape}"), most)
    total = build_index(solution_list(board, Plan()), 1).total
    for n in (0, 1, total // 3, total - 1):
        assert enumerator.nth(board, n) == next(islice(enumerator.solutions(board), n, None))


def test_both_engines_are_chosen() -> None:
    assert {solution_list(Board.empty(shape), Plan()).engine for shape in COMMON_SHAPES} == set(ENGINES)
    assert solution_list(Board.empty(Shape(4, 4)), Plan()).engine == "search"
    for engine in ENGINES:
        assert solution_list(Board.empty(NINE), Plan(engine=engine)).engine == engine


@pytest.mark.slow
def test_solutions_of_the_empty_board_from_the_first_to_the_last() -> None:
    board = Board.empty(NINE)
    found = [enumerator.nth(board, n) for n in (0, 1, 10**21, ALL_9X9 - 1)]
    assert len(set(found)) == 4
    assert all(breaks_no_rule(solution, board) for solution in found)
    assert found[:2] == list(islice(enumerator.solutions(board), 2))
    with pytest.raises(IndexError, match=f"no solution {ALL_9X9}: the board has {ALL_9X9} solutions"):
        enumerator.nth(board, ALL_9X9)


def test_the_nth_of_a_list_that_is_walked_does_not_need_the_whole() -> None:
    board = Board.empty(Shape(4, 4))
    first = list(islice(enumerator.solutions(board), 2000))
    assert [enumerator.nth(board, n) for n in (0, 1, 777, 1999)] == [first[n] for n in (0, 1, 777, 1999)]
    with pytest.raises(OutOfTimeError):
        nth_line(Listed(board, "search").solutions, 10**30, 1, within(0.1))


INTERCHANGEABLE = {
    "empty": "." * 81,
    "one clue": "." * 40 + "5" + "." * 40,
    "two clues": "1" + "." * 79 + "2",
    "clues that are interchangeable": "12" + "." * 79,
    "clues that are interchangeable, and others": "12......3" + "." * 72,
    "a row": "123456789" + "." * 72,
}


def places(order: Order) -> tuple[Places, dict[int, array[int]]]:
    """Return the places of all solutions, and the sums by which they are found."""
    sums = {
        leader: order.sums(leader * order.groups, (leader + 1) * order.groups) for leader in sorted(set(order.leaders))
    }
    return Places(order, sums), sums


@lru_cache
def ordered(name: str) -> tuple[Board, Order, Places, dict[int, array[int]]]:
    board = Board.parse(INTERCHANGEABLE[name])
    order = Order(board)
    return board, order, *places(order)


@pytest.mark.parametrize("name", slow_after(3, INTERCHANGEABLE))
def test_interchangeable_digits_have_the_sums_of_their_leaders(name: str) -> None:
    board, order, known, sums = ordered(name)
    assert len(set(order.leaders)) < len(order.leaders)
    assert_count(board, known.count, contraction.count)
    rng = random.Random(name)
    followers = [number for number, leader in enumerate(order.leaders) if number != leader]
    for number in rng.sample(followers, 2):
        direct = order.sums(number * order.groups, (number + 1) * order.groups)
        assert order.group_sums(number, sums[order.leaders[number]]) == direct


@pytest.mark.parametrize("name", INTERCHANGEABLE)
def test_solutions_one_behind_the_other_have_places_one_behind_the_other(name: str) -> None:
    """Places are tried across the ends of items and of values of y0, and in their midst."""
    board, order, known, _ = ordered(name)
    rng = random.Random(name)
    for _ in range(3):
        n = rng.randrange(known.count - 4)
        item, offset = known.find(n)
        start = n - offset  # the first solution of the item
        for at in (n, max(0, start - 2)):
            first = known.line(at)
            assert breaks_no_rule(next(to_boards(NINE, [first])), board)
            together = bytes(order.lines(*known.find(at), 4)).splitlines(keepends=True)
            assert [known.line(at + step) for step in range(4)] == together
            assert len(set(together)) == 4
        assert known.find(start) == (item, 0)
        if start:
            assert known.find(start - 1)[0] < item


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("clues", [0, 1, 2, 3])
def test_places_are_found_where_the_sums_say(shape: Shape, clues: int) -> None:
    rng = random.Random(f"sums {shape} {clues}")
    full = full_board(shape, rng)
    board = with_holes(full, shape.cells - clues - 16 * (shape == NINE), rng)
    order = Order(board)
    known, _ = places(order)
    ends = [0, *accumulate(order.sums(0, order.items))]
    assert known.count == ends[-1]
    assert_count(board, known.count, contraction.count)
    for item, (begin, end) in enumerate(pairwise(ends)):
        if begin < end and rng.random() < 200 / order.items:
            assert [known.find(begin), known.find(end - 1)] == [(item, 0), (item, end - 1 - begin)]


@pytest.mark.parametrize("number", range(3))
def test_everything_climbs_to_the_least_of_its_orbit(number: int) -> None:
    rng = random.Random(f"climbed {number}")
    size = 60
    exchanges = []
    for _ in range(number + 1):
        some = rng.sample(range(size), 20)
        image = array("H", range(size))
        for one, other in zip(some[::2], some[1::2], strict=True):
            image[one], image[other] = other, one
        exchanges.append(image)
    steps, by = orbit_paths(size, exchanges)
    for start in range(size):
        at = start
        while steps[at] != at:
            assert exchanges[by[at]][at] == steps[at]
            at = steps[at]
        assert at <= start
    leaders = [at for at in range(size) if steps[at] == at]
    assert leaders == list(orbits(size, exchanges)[0])


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_there_are_as_many_arrangements_as_weights_say(shape: Shape) -> None:
    rng = random.Random(f"arrangements {shape}")
    for clues in (0, 3, shape.cells // 3):
        board = with_clues(shape, clues, rng)
        network = Network(board.cells, shape.height, shape.width)
        for line in (*network.bands, *network.stacks):
            starts, ways = line.arrangements()
            assert [end - start for start, end in pairwise(starts)] == list(line.weights)
            assert len(ways) == 3 * starts[-1]
            arranged = list(zip(*[iter(ways)] * 3, strict=True))
            assert len(set(arranged)) == len(arranged)
            orders = line.table.orders if line.table else 1
            for number in rng.sample(range(len(line)), min(20, len(line))):
                value = tuple(line.values[3 * number : 3 * number + 3])
                assert all(
                    tuple(part // orders for part in way) == value
                    for way in arranged[starts[number] : starts[number + 1]]
                )
