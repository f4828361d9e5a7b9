"""The walk that learns, by itself: it finds what the reference finds, on every shape and in any slicing."""

from __future__ import annotations

import random
import sys
import threading

import pytest
from support.boards import (
    COMMON_SHAPES,
    NINE,
    ROOT,
    SHAPES,
    board,
    breaks_no_rule,
    full_board,
    random_board,
    with_clues,
    with_holes,
)
from support.cases import slow_after
from support.counts import assert_count, general
from support.marks import only_marks, respects, restrict, restricted_board
from support.processes import run_python
from support.runs import total_share
from support.walks import SMALL, listing

from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines import contraction, learning
from enumerator.engines.walks.walk import Walk

MIXED = [Shape(2, 2), Shape(2, 3), NINE, Shape(2, 5), Shape(4, 4)]
"""Shapes of every kind: tiny, 9×9, oblong and beyond 9×9."""

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Arto Inkala 2012: see tests/golden/puzzles.tsv."""

REFERENCE_HOLES = 40
"""Empty cells of boards that are counted in plain Python, too."""


def start(one: Board) -> Walk:
    return learning.ENGINE.start(one)


def count(one: Board) -> int:
    return start(one).run()


def run_and_keep(walk: Walk, nodes: int, most: int = 1_000) -> list[bytes]:
    """Run a slice that finds at most `most` solutions, and return them."""
    chunk = bytearray(walk.cells * most)
    found = walk.run(nodes, out=chunk)
    return [bytes(chunk[at : at + walk.cells]) for at in range(0, found * walk.cells, walk.cells)]


def deaden(one: Board, rng: random.Random) -> Board | None:
    """Return the board with a wrong digit such that it has no solution, which naked singles do not show.

    None, if the first few digits that are tried are not such.
    """
    empty = [cell for cell, digit in enumerate(one.cells) if not digit]
    for cell in rng.sample(empty, min(20, len(empty))):
        wrong = one.with_cell(cell, rng.randint(1, one.shape.size))
        if start(wrong).left and general(wrong).run(20_000, 1) == 0:
            return wrong
    return None


# ---------------------------------------------------------------------------------------- the same solutions


@pytest.mark.parametrize("shape", slow_after(30, SHAPES), ids=str)
def test_it_finds_what_the_general_walk_finds_on_every_shape(shape: Shape) -> None:
    rng = random.Random(f"learning {shape}")
    plain, marked = restricted_board(shape, rng, 100)
    few = with_holes(full_board(shape, rng), min(REFERENCE_HOLES, shape.cells // 2), rng)
    for one in (plain, marked, few, restrict(few, rng)):
        found = listing(start(one))
        assert len(set(found)) == len(found)
        assert sorted(found) == sorted(listing(general(one)))
        assert all(breaks_no_rule(Board.from_cells(shape, cells), one) and respects(cells, one) for cells in found)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_counts_what_the_reference_counts(shape: Shape) -> None:
    rng = random.Random(f"reference {shape}")
    one = with_holes(full_board(shape, rng), min(REFERENCE_HOLES, shape.cells // 2), rng)
    assert_count(one, reference.count(one), count)
    marked = restrict(one, rng)
    assert_count(marked, reference.count(marked), count)


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("number", range(5))
def test_it_counts_what_the_contraction_counts(shape: Shape, number: int) -> None:
    rng = random.Random(f"contraction {shape} {number}")
    one = random_board(shape, rng, 5_000)
    assert_count(one, contraction.count(one), count)


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_boards_with_nothing_but_pencil_marks(shape: Shape) -> None:
    one = only_marks(shape, random.Random(f"marks {shape}"), 2)
    assert sorted(listing(start(one))) == sorted(listing(general(one)))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_full_boards_and_contradictions(shape: Shape) -> None:
    rng = random.Random(f"full {shape}")
    full = full_board(shape, rng)
    walk = start(full)
    assert (walk.left, run_and_keep(walk, 1), walk.finished, walk.left) == (1, [full.cells], True, 0)
    first, second = full.cells[:2]
    for wrong in (full.with_cell(0, second), full.with_cell(0, 0).with_cell(1, first).with_cell(2, first)):
        walk = start(wrong)
        assert (walk.run(), walk.parts(), walk.share) == (0, [], 1.0)
    barred = [0, *[2**shape.size - 1] * (shape.cells - 1)]
    assert count(Board.from_cells(shape, bytes(shape.cells), barred)) == 0
    other = [1 << second - 1, *[2**shape.size - 1] * (shape.cells - 1)]
    assert count(Board.from_cells(shape, full.cells, other)) == 0


@pytest.mark.parametrize("shape", [Shape(3, 4), Shape(4, 4)], ids=str)
def test_boards_that_only_a_walk_shows_to_be_dead(shape: Shape) -> None:
    rng = random.Random(f"dead {shape}")
    boards = (random_board(shape, rng, most) for most in [1, 2, 20, 200] * 10)
    dead = [one for one in (deaden(board, rng) for board in boards) if one]
    assert dead
    for one in dead:
        assert_count(one, general(one).run(), count)


def test_wrong_digits_of_a_hard_puzzle_are_dead() -> None:
    puzzle = Board.parse(HARD)
    (solution,) = listing(general(puzzle))
    dead = [
        wrong
        for cell in range(81)
        for wrong in (puzzle.with_cell(cell, digit) for digit in range(1, 10) if digit != solution[cell])
        if not puzzle.cells[cell] and start(wrong).left
    ]
    assert len(dead) > 50
    assert {count(one) for one in dead} == {0}


def test_the_empty_board_of_4x4_has_288_solutions() -> None:
    found = listing(start(Board.empty(Shape(2, 2))))
    assert len(set(found)) == len(found) == 288


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_empty_board_has_a_first_solution(shape: Shape) -> None:
    walk = start(Board.empty(shape))
    assert walk.left == shape.size
    found = run_and_keep(walk, 100_000 if shape.size <= 20 else 100, 1)
    assert found or shape.size > 20
    assert all(breaks_no_rule(Board.from_cells(shape, cells), Board.empty(shape)) for cells in found)


# ---------------------------------------------------------------------------------------- slices


@pytest.mark.parametrize("shape", MIXED, ids=str)
@pytest.mark.parametrize("number", range(4))
def test_it_lists_in_one_order_in_any_slicing(shape: Shape, number: int) -> None:
    rng = random.Random(f"slices {shape} {number}")
    _, one = restricted_board(shape, rng, 500) if number % 2 else (None, random_board(shape, rng, 500))
    whole = start(one)
    expected = listing(whole)
    for nodes in (1, 2, 7, 100):
        walk = start(one)
        assert listing(walk, nodes, at_a_time=rng.randint(1, 9)) == expected
        assert walk.nodes == whole.nodes
    walk, found = start(one), list[bytes]()
    while not walk.finished:
        asked, before = rng.randint(0, 20), walk.nodes
        found += run_and_keep(walk, asked, rng.randint(1, 5))
        walk.parts()  # looking does not change the walk
        assert walk.nodes <= before + asked
    assert (found, walk.nodes, walk.run()) == (expected, whole.nodes, 0)


@pytest.mark.parametrize("shape", MIXED, ids=str)
@pytest.mark.parametrize("number", range(3))
def test_nothing_is_lost_when_parts_are_walked_in_parts(shape: Shape, number: int) -> None:
    """Each part is walked for a moment, and leaves parts of its own, until nothing is left."""
    rng = random.Random(f"parts {shape} {number}")
    _, one = restricted_board(shape, rng, 300) if number % 2 else (None, random_board(shape, rng, 300))
    expected = sorted(listing(start(one)))
    for most in (1, 3, 30):
        found, stock = list[bytes](), [one]
        while stock:
            walk = start(stock.pop(rng.randrange(len(stock))))
            found += run_and_keep(walk, rng.randint(1, most), 5)
            if rng.random() < 0.5:
                found += [b""] * walk.round_off(rng.randint(0, most), 0)
            rest = walk.rest()
            assert not (rest and walk.finished)  # a walk may end with dead branches that are no parts
            assert len(set(rest)) == len(rest)
            stock += [Board.from_cells(shape, cells, one.allowed) for cells in rest]
        assert sorted(found) == expected


@pytest.mark.parametrize("shape", MIXED, ids=str)
@pytest.mark.parametrize("number", range(3))
def test_rounding_off_stays_within_its_budget(shape: Shape, number: int) -> None:
    rng = random.Random(f"rounded {shape} {number}")
    one = random_board(shape, rng, 2_000)
    expected = count(one)
    for nodes, beyond in ((0, 10), (1, 1), (10, 0), (10, 5), (50, 10), (300, 40), (300, 5_000), (10_000, 100)):
        walk = start(one)
        found = walk.run(nodes)
        visited = walk.nodes
        found += walk.round_off(beyond)
        assert walk.nodes <= visited + beyond
        left = sum(count(Board.from_cells(shape, cells)) for cells in walk.rest())
        assert found + left == expected
        assert found + walk.run() == expected
    walk = start(one)
    walk.run(5)
    assert (walk.round_off(100, 1) <= 1, walk.round_off(100, 0)) == (True, 0)
    with pytest.raises(ValueError, match="less than nothing"):
        walk.round_off(-1)


def test_the_effort_of_a_walk_tells_where_it_is() -> None:
    """An audit walks as far as the ledger says, in one slice, and compares what is left."""
    one = random_board(Shape(4, 4), random.Random("effort"), 500)
    for number in range(1, 150):
        limited, rounded = start(one), start(one)
        ended = [(limited, limited.run(limit=number)), (rounded, rounded.run(number) + rounded.round_off(20))]
        for walk, found in ended:
            again = start(one)
            assert (again.run(walk.nodes), again.rest()) == (found, walk.rest())


def test_few_boards_are_left_at_the_end_of_a_branch() -> None:
    walk, before, after = start(board("16x16-many")), 0, 0
    while not walk.finished:
        walk.run(2_000)
        before += walk.left
        walk.round_off(250)
        after += walk.left
    assert after < 0.9 * before


@pytest.mark.parametrize("shape", [*SMALL, Shape(4, 4)], ids=str)
def test_shares_of_what_is_visited_and_what_is_left_make_one(shape: Shape) -> None:
    one = random_board(shape, random.Random(f"shares {shape}"), 300)
    walk = start(one)
    assert walk.share == 0
    while not walk.finished:
        walk.run(1)
        parts = walk.parts()
        assert [cells for cells, _ in parts] == walk.rest()
        assert len(parts) == walk.left
        assert all(0 < one <= whole for _, (one, whole) in parts)
        assert walk.share == pytest.approx(float(1 - total_share(parts)), rel=1e-12)
        assert (walk.share < 1) == bool(parts)
    assert walk.share == 1


# ---------------------------------------------------------------------------------------- arguments, threads


def test_nodes_and_solutions_are_limited() -> None:
    walk = start(Board.empty(Shape(4, 4)))
    assert (walk.run(nodes=0), walk.run(limit=0), walk.run(out=bytearray(255))) == (0, 0, 0)
    assert walk.run(nodes=1_000) <= 1_000
    assert walk.nodes == 1_000
    assert walk.run(limit=3) == 3
    assert walk.run(limit=10, out=bytearray(256 * 5)) == 5
    assert not walk.finished


@pytest.mark.parametrize("cells", [b"", bytes(80), bytes(82), bytes([10] + [0] * 80)])
def test_it_refuses_what_is_no_board(cells: bytes) -> None:
    kernel = learning.load_kernel()
    with pytest.raises(ValueError, match="cell"):
        kernel.start(cells, 3, 3)
    with pytest.raises(ValueError, match="no shape"):
        kernel.start(bytes(81), 9, 1)


def test_a_walk_that_learns_has_one_caller_at_a_time() -> None:
    walk = start(Board.empty(Shape(4, 4)))
    worker = threading.Thread(target=walk.run, kwargs={"nodes": 300_000})
    worker.start()
    refusal = None
    while refusal is None and worker.is_alive():
        try:
            walk.rest()
        except RuntimeError as error:
            refusal = str(error)
    worker.join()
    assert (refusal, walk.nodes) == ("this walk is at work in another thread", 300_000)


# ---------------------------------------------------------------------------------------- memory

PEAK = """
import resource, sys
from enumerator.board import Board, Shape
from enumerator.engines import learning
walk = learning.ENGINE.start(Board.empty(Shape(4, 4)))
for _ in range(2):
    found = walk.run(int(sys.argv[1]))
    print(found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_solutions() -> None:
    done = run_python(PEAK, "1000000", status=0)
    (found, before), (more, after) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert min(found, more) > 10_000
    assert after - before < 8_000, f"{before} kB, then {after} kB"


SHORT = """
import resource, sys
from enumerator.board import Board
from enumerator.engines import learning
one = Board.parse(sys.stdin.read())
walk = learning.ENGINE.start(one)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]), -1))
for _ in range(2):
    try:
        walk.run()
    except MemoryError as error:
        print(error)
print(walk.finished, walk.left > 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/self/statm")
@pytest.mark.parametrize("room", [0, 100_000, 400_000])
def test_a_walk_without_memory_raises_an_error(room: int) -> None:
    """A board that takes some 2 MB of clauses. The walk stays short of memory, and can still be asked."""
    text = (ROOT / "boards" / "large" / "36x36-a.txt").read_text()
    done = run_python(SHORT, str(room), stdin=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no memory is left for this walk\n" * 2 + "False True\n"


def test_boards_with_few_clues_have_dead_ends() -> None:
    """The properties above are about learning only if there is something to learn."""
    rng = random.Random("conflicts")
    walks = [start(with_clues(Shape(4, 4), 110, rng)) for _ in range(5)]
    for walk in walks:
        walk.run(20_000)
    assert sum(walk.conflicts for walk in walks) > 1_000  # type: ignore[attr-defined]
