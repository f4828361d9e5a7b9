"""Lists of solutions: each solution once, always in the same order; the n-th solution; random samples."""

from __future__ import annotations

import random
import threading
from array import array
from collections import Counter
from collections.abc import Generator
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from math import comb, inf, sqrt
from statistics import NormalDist
from time import perf_counter

import pytest
from helpers import assert_count, breaks_no_rule, full_board, general, random_board, with_clues, with_holes
from helpers import board as read_ours

import enumerator
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import contraction
from enumerator.engines.contraction.network import Network, orbit_paths, orbits
from enumerator.engines.contraction.order import Order, Places
from enumerator.engines.lists import DEFAULT_SIZES, Page
from enumerator.engines.search import reference
from enumerator.engines.search.segments import first_segment, walk_segment
from enumerator.questions.nth import nth_line
from enumerator.questions.solutions import build_index, pages, pick_lines, solution_list, to_boards
from enumerator.questions.solutions import lines as texts
from enumerator.run.plan import OutOfTimeError, Plan

pytestmark = [pytest.mark.timeout(60), pytest.mark.usefixtures("no_thread_is_left")]

NINE = Shape(3, 3)
SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE]
ENGINES = ["search", "contraction"]
FIRST_PAGE, PAGE = DEFAULT_SIZES.first_page, DEFAULT_SIZES.page
ALL = 6670903752021072936960
"""Filled 9×9 boards: Felgenhauer and Jarvis, 2005."""


class Listed:
    """The list of an engine: its pages, its length, and lines by their numbers."""

    def __init__(self, board: Board, engine: str) -> None:
        solutions = engines.get(engine).solutions(board)
        assert solutions is not None
        self.board, self.engine, self.solutions = board, solutions.engine, solutions
        self.index = solutions.index()

    def pages(self, cores: int, limit: int | None = None) -> Generator[Page, None, None]:
        return pages(self.solutions, self.board.shape, cores, limit)

    def count(self, cores: int, seconds: float = inf, enough: float = inf) -> int:
        """Return the number of solutions, or one greater than `enough`."""
        self.index = build_index(self.solutions, cores, seconds, enough)
        return self.index.total

    def lines(self, numbers: list[int], cores: int) -> list[bytes]:
        """Return the lines with these numbers, which must have been counted."""
        return pick_lines(self.index, numbers, cores)


def both(board: Board) -> list[Listed]:
    return [Listed(board, engine) for engine in ENGINES]


def text(found: Listed, cores: int = 1, limit: int | None = None) -> bytes:
    return b"".join(texts(found.pages(cores, limit)))


def lines(found: Listed, cores: int = 1) -> list[bytes]:
    return text(found, cores).splitlines(keepends=True)


def elsewhere(board: Board) -> list[bytes]:
    """Return the solutions of a board in ascending order, found by the walk for boards of all shapes."""
    walk = general(board)
    found: list[bytes] = []
    room = bytearray(1000 * board.shape.cells)
    while not walk.finished:
        some = walk.run(out=room) * board.shape.cells
        found += [bytes(room[first : first + board.shape.cells]) for first in range(0, some, board.shape.cells)]
    return sorted(found)


def board_with(solutions: int, shape: Shape = NINE) -> Board:
    """Return a 9×9 board, or one of another shape, with exactly `solutions` solutions."""
    for number in range(1000):
        board = random_board(shape, random.Random(f"{solutions} of {shape}, {number}"), solutions)
        if len(elsewhere(board)) == solutions:
            return board
    raise LookupError(solutions)


def hopeless(shape: Shape) -> list[Board]:
    """Return boards without a solution: two equal clues, a cell without a candidate, and two that must be searched."""
    rng = random.Random(f"hopeless {shape}")
    size = shape.size
    row = Board(shape, bytes([*range(1, size), *[0] * (shape.cells - size + 1)]))
    found = [Board.empty(shape).with_clue(0, 1).with_clue(1, 1), row.with_clue(2 * size - 1, size)]
    while len(found) < 4:
        board = random_board(shape, rng, 30)
        wrong = board.with_clue(board.cells.index(0), rng.randint(1, size))
        if not (any(wrong.conflicts()) or elsewhere(wrong)):
            found.append(wrong)
    return found


# ------------------------------------------------------------------------------------------------- the whole


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("number", range(6))
def test_both_lists_have_every_solution_once(shape: Shape, number: int) -> None:
    board = random_board(shape, random.Random(f"list {shape} {number}"), [1, 30, 300, 1000, 3000, 5000][number])
    expected = elsewhere(board)
    assert expected
    for found in both(board):
        cells = [solution.cells for solution in to_boards(shape, texts(found.pages(1)))]
        assert sorted(cells) == expected, found.engine
        assert all(breaks_no_rule(Board(shape, one), board) for one in cells[:: len(cells) // 50 + 1])
        assert found.count(1) == found.count(2) == len(expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_both_lists_have_what_the_reference_finds(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"reference {shape}"), 200)
    expected = sorted(str(solution) + "\n" for solution in reference.walk(board))
    for found in both(board):
        assert sorted(line.decode() for line in lines(found)) == expected


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_full_board_is_its_own_list(shape: Shape) -> None:
    full = full_board(shape, random.Random(f"full {shape}"))
    for found in both(full):
        assert text(found) == text(found, 2) == f"{full}\n".encode()
        assert found.count(1) == 1
        assert list(found.lines([0, 0], 1)) == [f"{full}\n".encode()] * 2
    for engine in ENGINES:
        assert list(enumerator.solutions(full, engine=engine)) == [enumerator.nth(full, 0, engine=engine)] == [full]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_board_without_a_solution_has_an_empty_list(shape: Shape) -> None:
    for board in hopeless(shape):
        for found in both(board):
            assert text(found) == text(found, 2) == text(found, 1, 5) == b""
            assert found.count(1) == found.count(2) == 0
            assert list(found.lines([], 2)) == []
            with pytest.raises(IndexError, match="no solution 0: there are 0 of them"):
                nth_line(found.solutions, 0, 1)
        for engine in ENGINES:
            with pytest.raises(IndexError, match="no solution 3: there are 0"):
                enumerator.nth(board, 3, engine=engine)
            with pytest.raises(LookupError, match="no solution to choose"):
                enumerator.sample(board, 1, engine=engine)


@pytest.mark.parametrize("shape", SHAPES[:3], ids=str)
def test_all_or_the_first_of_an_empty_board(shape: Shape) -> None:
    board, most = Board.empty(shape), 20_000
    for found in both(board):
        some = list(to_boards(shape, texts(found.pages(1, most))))
        assert len(set(some)) == len(some) == min(most, contraction.count(board))
        assert all(breaks_no_rule(solution, board) for solution in some[::97])


# -------------------------------------------------------------------------------------------- always the same


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_order_is_the_same_on_any_number_of_cores(shape: Shape) -> None:
    """The board has more solutions than fit on a page, and more nodes than fit into a segment."""
    board = random_board(shape, random.Random(f"cores {shape}"), 60_000)
    for found in both(board):
        alone = text(found)
        assert shape == SHAPES[0] or len(alone) > FIRST_PAGE * 6 * (shape.cells + 1)
        assert text(found, 2) == text(found, 3) == text(Listed(board, found.engine)) == alone


def test_pages_are_small_at_first_and_bounded() -> None:
    found = texts(Listed(Board.empty(NINE), "contraction").pages(1))
    sizes = [len(page) // 82 for page in islice(found, 6)]
    assert sizes == [FIRST_PAGE, 4 * FIRST_PAGE, 16 * FIRST_PAGE, 64 * FIRST_PAGE, PAGE, PAGE]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("cores", [1, 2, 3])
def test_a_limited_list_is_the_beginning_of_the_whole(shape: Shape, cores: int) -> None:
    board = random_board(shape, random.Random(f"limit {shape}"), 3000)
    for found in both(board):
        alone = text(found)
        line, total = shape.cells + 1, found.count(1)
        borders = [0, 1, 2, 63, 64, 65, 319, 320, 321, total - 1, total, total + 1, 10**30]
        for limit in borders:
            assert text(found, cores, limit) == alone[: limit * line], (found.engine, limit)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
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
        found, behind = walk_segment(segment, NINE)
        total, visited = total + found, visited + 1
        assert all(segment.nodes <= other.nodes <= 8 * segment.nodes for other in behind)
        waiting += behind
    assert visited > 10
    assert total == len(elsewhere(board))


def test_lines_must_have_been_counted() -> None:
    with pytest.raises(RuntimeError, match="not counted"):
        list(Listed(Board.empty(Shape(2, 2)), "contraction").lines([0], 1))


# ------------------------------------------------------------------------------------------------- the n-th


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_nth_is_the_nth_of_the_list(shape: Shape, engine: str) -> None:
    board = random_board(shape, random.Random(f"nth {shape}"), 60)
    every = list(enumerator.solutions(board, engine=engine))
    assert sorted(solution.cells for solution in every) == elsewhere(board)
    assert [enumerator.nth(board, n, 1, engine) for n in range(len(every))] == every
    for n in (len(every), len(every) + 1, 10**40):
        with pytest.raises(IndexError, match=f"no solution {n}: there are {len(every)} of them"):
            enumerator.nth(board, n, engine=engine)
    for n in (-1, -(10**40)):
        with pytest.raises(ValueError, match="counted from 0"):
            enumerator.nth(board, n, engine=engine)


@pytest.mark.parametrize("most", [300, 30_000])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_by_whatever_engine_is_chosen_the_nth_is_that_of_the_list(shape: Shape, most: int) -> None:
    board = random_board(shape, random.Random(f"auto {shape}"), most)
    total = build_index(solution_list(board, Plan()), 1).total
    for n in (0, 1, total // 3, total - 1):
        assert enumerator.nth(board, n) == next(islice(enumerator.solutions(board), n, None))


def test_both_engines_are_chosen() -> None:
    assert {solution_list(Board.empty(shape), Plan()).engine for shape in SHAPES} == set(ENGINES)
    assert solution_list(Board.empty(Shape(4, 4)), Plan()).engine == "search"
    for engine in ENGINES:
        assert solution_list(Board.empty(NINE), Plan(engine=engine)).engine == engine


def test_solutions_of_the_empty_board_from_the_first_to_the_last() -> None:
    board = Board.empty(NINE)
    found = [enumerator.nth(board, n) for n in (0, 1, 10**21, ALL - 1)]
    assert len(set(found)) == 4
    assert all(breaks_no_rule(solution, board) for solution in found)
    assert found[:2] == list(islice(enumerator.solutions(board), 2))
    with pytest.raises(IndexError, match=f"no solution {ALL}: there are {ALL} of them"):
        enumerator.nth(board, ALL)


def test_the_nth_of_a_list_that_is_walked_does_not_need_the_whole() -> None:
    board = Board.empty(Shape(4, 4))
    first = list(islice(enumerator.solutions(board), 2000))
    assert [enumerator.nth(board, n) for n in (0, 1, 777, 1999)] == [first[n] for n in (0, 1, 777, 1999)]
    with pytest.raises(OutOfTimeError):
        nth_line(Listed(board, "search").solutions, 10**30, 1, seconds=0.1)


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


@pytest.mark.parametrize("name", INTERCHANGEABLE)
def test_interchangeable_digits_have_the_sums_of_their_leaders(name: str) -> None:
    board, order, known, sums = ordered(name)
    assert len(set(order.leaders)) < len(order.leaders)
    assert_count(board, known.count, contraction.count)
    rng = random.Random(name)
    followers = [number for number, leader in enumerate(order.leaders) if number != leader]
    for number in rng.sample(followers, 2):
        direct = order.sums(number * order.groups, (number + 1) * order.groups)
        assert order.group_sums(number, sums[order.leaders[number]]) == list(direct)


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


@pytest.mark.parametrize("shape", SHAPES, ids=str)
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


@pytest.mark.parametrize("shape", SHAPES, ids=str)
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


# ------------------------------------------------------------------------------------------- one at a time


def test_the_first_solutions_are_there_at_once() -> None:
    for shape in (NINE, Shape(2, 5), Shape(4, 4), Shape(5, 5)):
        started = perf_counter()
        board = Board.empty(shape)
        some = list(islice(enumerator.solutions(board), 10))
        assert perf_counter() - started < 2
        assert len(set(some)) == 10
        assert all(breaks_no_rule(solution, board) for solution in some)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("taken", [0, 1000])
def test_solutions_can_be_left_early(engine: str, taken: int) -> None:
    board = Board.empty(NINE)
    alone = list(islice(enumerator.solutions(board, 1, engine), taken))
    before = set(threading.enumerate())
    found = to_boards(NINE, texts(pages(solution_list(board, Plan(engine=engine)), NINE, 2)))
    assert list(islice(found, taken)) == alone
    assert bool(set(threading.enumerate()) - before) == bool(taken)
    del found
    assert set(threading.enumerate()) == before
    assert list(islice(enumerator.solutions(board, 2, engine), taken)) == alone
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
        with pytest.raises(ValueError, match="no engine"):
            ask(board, engine="magic")
        with pytest.raises(ValueError, match="at least 1"):
            ask(board, cores=0)
    with pytest.raises(ValueError, match="too large for the contraction"):
        enumerator.nth(board, 0, engine="contraction")
    with pytest.raises(ValueError, match="too large for the contraction"):
        enumerator.sample(board, 1, engine="contraction")
    with pytest.raises(ValueError, match="less than none"):
        enumerator.sample(Board.empty(NINE), -1)
    with pytest.raises(TypeError):
        enumerator.nth(Board.empty(NINE), 1.5)  # type: ignore[arg-type]
    order = Order(Board.empty(NINE))
    with pytest.raises(ValueError, match="no item"):
        order.lines(order.items, 0, 1)
    with pytest.raises(ValueError, match="no items"):
        order.sums(0, order.items + 1)


# ------------------------------------------------------------------------------------------------- at random


def quantile(degrees: int, tail: float = 0.001) -> float:
    """Return the value that a chi-square exceeds with probability `tail` (Wilson and Hilferty, 1931)."""
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + NormalDist().inv_cdf(1 - tail) * sqrt(spread)) ** 3


def chi_square(observed: Counter[int], bins: int) -> float:
    expected = observed.total() / bins
    return sum((observed[number] - expected) ** 2 for number in range(bins)) / expected


def test_the_yardstick_is_that_of_the_tables() -> None:
    """The figures are the upper 0.1 % points of chi-square as printed in statistical tables."""
    for degrees, known in ((1, 10.828), (2, 13.816), (8, 26.124), (50, 86.661), (100, 149.449)):
        assert quantile(degrees) == pytest.approx(known, rel=0.04)
    assert quantile(100) == pytest.approx(149.449, rel=0.001)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("solutions", "number"), [(2, 1000), (3, 1000), (12, 1200), (97, 1940), (1000, 10_000)])
def test_every_solution_is_as_likely_as_any_other(solutions: int, number: int, engine: str) -> None:
    board = board_with(solutions) if solutions < 1000 else random_board(NINE, random.Random("likely"), 1000)
    every = {Board(NINE, cells): rank for rank, cells in enumerate(elsewhere(board))}
    sample = enumerator.sample(board, number, seed=solutions, cores=1, engine=engine)
    assert len(sample) == number
    drawn = Counter(every[solution] for solution in sample)
    assert number >= 10 * len(every)
    assert chi_square(drawn, len(every)) < quantile(len(every) - 1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_no_part_of_a_long_list_is_preferred(shape: Shape, engine: str) -> None:
    """Solutions are ranked in ascending order, which is the order of no engine."""
    board = random_board(shape, random.Random(f"long {shape}"), 10_000)
    ranks = {cells: rank for rank, cells in enumerate(elsewhere(board))}
    bins = 48
    assert len(ranks) % bins < len(ranks) / 100
    whole_bins = len(ranks) // bins * bins
    drawn = Counter(
        rank * bins // whole_bins
        for solution in enumerator.sample(board, 2000, seed=11, cores=1, engine=engine)
        if (rank := ranks[solution.cells]) < whole_bins
    )
    assert chi_square(drawn, bins) < quantile(bins - 1)


@pytest.mark.slow
def test_every_digit_is_as_likely_in_every_cell_of_the_empty_board() -> None:
    board = Board.empty(NINE)
    sample = enumerator.sample(board, 3000, seed=5)
    assert len(set(sample)) == 3000
    assert all(breaks_no_rule(solution, board) for solution in sample[::50])
    for cell in range(81):
        drawn = Counter(solution.cells[cell] - 1 for solution in sample)
        assert chi_square(drawn, 9) < quantile(8, 0.001 / 81), cell


@pytest.mark.parametrize("engine", ENGINES)
def test_a_solution_does_not_depend_on_the_one_before(engine: str) -> None:
    board = board_with(3)
    ranks = {cells: rank for rank, cells in enumerate(elsewhere(board))}
    drawn = [ranks[solution.cells] for solution in enumerator.sample(board, 1801, seed=8, cores=1, engine=engine)]
    assert chi_square(Counter(3 * one + other for one, other in pairwise(drawn)), 9) < quantile(8)


def test_solutions_repeat_as_often_as_birthdays() -> None:
    board = random_board(NINE, random.Random("birthdays"), 1000)
    total, number = len(elsewhere(board)), 1000
    drawn = Counter(enumerator.sample(board, number, seed=3, cores=1))
    pairs = sum(comb(times, 2) for times in drawn.values())
    expected = comb(number, 2) / total
    assert abs(pairs - expected) < 3.3 * sqrt(expected * (1 - 1 / total))


@pytest.mark.parametrize("shape", [*SHAPES, Shape(2, 4)], ids=str)
def test_the_same_seed_gives_the_same_sample(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"seed {shape}"), 2000)
    for engine in ENGINES if contraction.supports(shape) else ENGINES[:1]:
        sample = enumerator.sample(board, 50, seed=1, cores=1, engine=engine)
        assert enumerator.sample(board, 50, seed=1, cores=2, engine=engine) == sample
        assert enumerator.sample(board, 50, seed=2, cores=1, engine=engine) != sample
        assert all(breaks_no_rule(solution, board) for solution in sample)
        every = list(enumerator.solutions(board, engine=engine))
        generator = random.Random(1)
        assert sample == [every[generator.randrange(len(every))] for _ in range(50)]
    assert enumerator.sample(board, 0) == []


def test_without_a_seed_samples_differ() -> None:
    board = random_board(NINE, random.Random("no seed"), 3000)
    assert enumerator.sample(board, 10) != enumerator.sample(board, 10)


def test_there_is_no_sample_of_what_was_not_counted() -> None:
    started = perf_counter()
    for cores in (1, 2):
        with pytest.raises(OutOfTimeError):
            enumerator.sample(Board.empty(Shape(4, 4)), 1, seed=1, cores=cores, seconds=0.2)
    for found in both(Board.empty(NINE)):
        for cores in (1, 2):
            with pytest.raises(OutOfTimeError):
                found.count(cores, seconds=0)
    assert perf_counter() - started < 5


def test_a_count_may_end_where_there_are_enough() -> None:
    board = Board.empty(Shape(4, 4))
    found = Listed(board, "search")
    assert 100 < found.count(1, inf, enough=100) < 10**7
    assert next(iter(found.lines([100], 1))) == text(found, 1, 101).splitlines(keepends=True)[100]
