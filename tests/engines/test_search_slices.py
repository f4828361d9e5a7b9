"""Walks in slices: any slicing finds the same, and nothing is lost between what was found and what is left."""

import pickle
import random
import threading
from contextlib import suppress
from time import process_time, thread_time

import pytest
from support.boards import NINE, ROOT, SHAPES, full_board, random_board, with_holes
from support.counts import general
from support.runs import total_share
from support.walks import SMALL, listing, walks

from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.search import kernel
from enumerator.engines.walks.boards import space


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 2), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_any_slicing_finds_the_same_solutions_in_the_same_order(shape: Shape, number: int) -> None:
    rng = random.Random(f"slices {shape} {number}")
    board = random_board(shape, rng, 500)
    for start in walks(shape):
        whole = start(board)
        expected = listing(whole)
        assert whole.finished
        for nodes in (1, 2, 7, 100):
            walk = start(board)
            assert listing(walk, nodes, at_a_time=rng.randint(1, 9)) == expected
            assert walk.nodes == whole.nodes
        walk = start(board)
        count = 0
        while not walk.finished:
            count += walk.run(rng.randint(1, 20), rng.randint(1, 5))
        assert count == len(expected)
        assert walk.run() == 0


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_what_was_found_and_what_is_left_make_the_whole(shape: Shape, number: int) -> None:
    rng = random.Random(f"rest {shape} {number}")
    board = random_board(shape, rng, 500)
    for start in walks(shape):
        expected = sorted(listing(start(board)))
        for nodes in (0, 1, 3, 10, 50, 10_000):
            walk = start(board)
            chunk = bytearray(shape.cells * len(expected))
            found = walk.run(nodes, out=chunk)
            everything = [
                bytes(chunk[cell : cell + shape.cells]) for cell in range(0, found * shape.cells, shape.cells)
            ]
            rest = walk.rest()
            assert bool(rest) != walk.finished
            for part in rest:
                everything += listing(start(Board.from_cells(shape, part)))
            assert sorted(everything) == expected
            assert found + walk.run() == len(expected)  # asking for the rest has not disturbed the walk


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE, Shape(4, 4)], ids=str)
@pytest.mark.parametrize("number", range(5))
def test_what_is_left_at_the_end_of_a_branch_was_left_before(shape: Shape, number: int) -> None:
    board = random_board(shape, random.Random(f"rounded {shape} {number}"), 2_000)
    for start in walks(shape):
        expected = start(board).run()
        for nodes, beyond in ((0, 10), (1, 1), (10, 0), (10, 5), (50, 10), (300, 40), (300, 5_000), (10_000, 100)):
            walk = start(board)
            found = walk.run(nodes)
            visited, before = walk.nodes, walk.rest()
            found += walk.round_off(beyond)
            after = walk.rest()
            assert walk.nodes <= visited + beyond
            if walk.nodes < visited + beyond:
                assert after == before[len(before) - len(after) :]
            assert found + walk.run() == expected


def test_few_boards_are_left_at_the_end_of_a_branch() -> None:
    board = Board.parse((ROOT / "boards" / "1d.txt").read_text())
    for start in walks(NINE):
        walk, before, after = start(board), 0, 0
        for _ in range(100):
            walk.run(2_000)
            before += walk.left
            assert walk.round_off(250) <= 250
            after += walk.left
        assert after < 0.8 * before


def test_a_branch_is_left_where_there_are_solutions_enough() -> None:
    for start in walks(NINE):
        walk = start(Board.empty(NINE))
        walk.run(10_000)
        assert walk.round_off(10_000, 7) == 7
        assert walk.round_off(10_000, 0) == 0
        with pytest.raises(ValueError, match="less than nothing"):
            walk.round_off(-1)


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_shares_of_what_is_visited_and_what_is_left_make_one(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"shares {shape}"), 300)
    for start in walks(shape):
        walk = start(board)
        assert walk.share == 0
        before = 0.0
        while not walk.finished:
            walk.run(1)
            parts = walk.parts()
            assert [cells for cells, _ in parts] == walk.rest()
            assert len(parts) == walk.left
            assert all(0 < 2 * one <= whole for _, (one, whole) in parts)  # a branch has a brother
            assert walk.share == pytest.approx(float(1 - total_share(parts)), rel=1e-12)
            assert (walk.share < 1) == bool(parts)
            assert walk.share >= before
            before = walk.share
        assert walk.share == 1


def test_the_first_branches_have_equal_shares() -> None:
    for start in walks(NINE):
        parts = start(Board.empty(NINE)).parts()
        assert [share for _, share in parts] == [(1, 9)] * 9
        assert len({cells for cells, _ in parts}) == 9


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_kernel_knows_the_search_space(shape: Shape) -> None:
    rng = random.Random(f"space {shape}")
    full = full_board(shape, rng)
    for holes in (0, 1, shape.cells // 2, shape.cells):
        board = with_holes(full, holes, rng)
        assert space(board.cells, shape.height, shape.width) == board.combinations
    with pytest.raises(ValueError, match="cell"):
        space(bytes(7), shape.height, shape.width)


def test_a_board_with_a_cell_that_has_no_candidate_has_no_search_space() -> None:
    board = Board.parse("123. ...4 .... ....")
    assert board.combinations == space(board.cells, 2, 2) == 0


def test_nodes_and_solutions_are_limited() -> None:
    board = Board.empty(NINE)
    for start in walks(NINE):
        walk = start(board)
        assert walk.run(nodes=0) == 0
        assert walk.run(limit=0) == 0
        assert walk.run(nodes=100) <= 100
        assert walk.nodes == 100
        assert walk.run(limit=3) == 3
        assert walk.run(out=bytearray(80)) == 0  # no room for a solution
        assert walk.run(limit=10, out=bytearray(81 * 5)) == 5
        assert not walk.finished


@pytest.mark.parametrize("cells", [b"", bytes(80), bytes(82), bytes([10] + [0] * 80)])
def test_a_kernel_refuses_what_is_no_board(cells: bytes) -> None:
    with pytest.raises(ValueError, match="cell"):
        kernel.Nine(cells)
    with pytest.raises(ValueError, match="cell"):
        kernel.General(cells, 3, 3)
    with pytest.raises(ValueError, match="no shape"):
        kernel.General(bytes(81), 9, 1)


def test_limits_are_whole_numbers() -> None:
    walk = search.start(Board.empty(NINE))
    for number in (1.5, "3", None):
        with pytest.raises(TypeError):
            walk.run(number)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            walk.run(limit=number)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        search.count(Board.empty(NINE), limit=2.5)  # type: ignore[arg-type]
    for number in (-1, -(2**70)):
        with pytest.raises(ValueError, match="less than nothing"):
            walk.run(number)
    assert walk.run(2**70, 1) == 1


def test_a_walk_is_started_and_neither_made_nor_pickled() -> None:
    with pytest.raises(TypeError, match="started"):
        kernel.Walk()
    for walk in (search.start(Board.empty(NINE)), general(Board.empty(NINE))):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(walk)


def test_a_walk_has_one_caller_at_a_time() -> None:
    for start in walks(NINE):
        walk = start(Board.empty(NINE))
        worker = threading.Thread(target=walk.run, kwargs={"nodes": 1_000_000})
        worker.start()
        refusal = None
        while refusal is None and worker.is_alive():
            try:
                walk.rest()
            except RuntimeError as error:
                refusal = str(error)
        assert refusal == "this walk is at work in another thread"
        with pytest.raises(RuntimeError):
            walk.run(1)
        worker.join()
        assert walk.nodes == 1_000_000


def test_a_walk_that_threads_fight_for_loses_nothing() -> None:
    """Every call of `run` either has the walk for itself or is refused."""
    board = Board.parse((ROOT / "boards" / "1b.txt").read_text())
    for start in walks(NINE):
        expected = start(board).run()
        walk, found = start(board), [0] * 4
        together = threading.Barrier(len(found))

        def fight(
            number: int, walk: kernel.Walk = walk, found: list[int] = found, together: threading.Barrier = together
        ) -> None:
            together.wait()
            while not walk.finished:
                with suppress(RuntimeError):  # another thread has it
                    found[number] += walk.run(50)

        threads = [threading.Thread(target=fight, args=(number,)) for number in range(len(found))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(found) == expected


def test_kernels_let_other_threads_run() -> None:
    """While a walk runs, another thread gets as much of the processor; with the GIL held, next to nothing."""
    walk = search.start(Board.empty(NINE))
    worker = threading.Thread(target=walk.run, kwargs={"nodes": 3_000_000})
    ours, all_ours = thread_time(), process_time()
    worker.start()
    while worker.is_alive():
        pass
    assert walk.nodes == 3_000_000
    assert thread_time() - ours > (process_time() - all_ours) / 5
