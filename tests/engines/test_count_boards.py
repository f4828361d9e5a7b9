"""Many boards in one call of the kernel: counts, nodes, solutions, against walks of each board."""

from __future__ import annotations

import random
from array import array

import pytest
from support.boards import NINE, full_board, random_board
from support.marks import restricted_board
from support.walks import listing

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import search
from enumerator.engines.board_blocks import BoardCounts, BoardFacts
from enumerator.engines.search import kernel
from enumerator.engines.walks import pack_masks
from enumerator.engines.walks.boards import candidate_counts

SHAPES = [Shape(2, 2), Shape(2, 3), NINE, Shape(3, 4), Shape(4, 4)]
MOST = kernel.MOST


def boards_of(shape: Shape, number: int = 25) -> list[Board]:
    rng = random.Random(f"count boards {shape}")
    return [random_board(shape, rng, rng.choice([1, 2, 5, 60])) for _ in range(number)]


def joined(boards: list[Board]) -> memoryview:
    return memoryview(b"".join(board.cells for board in boards))


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 10, MOST])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_counts_and_nodes_are_those_of_a_walk(shape: Shape, limit: int) -> None:
    boards = boards_of(shape)
    out, facts = BoardCounts(len(boards)), BoardFacts(len(boards), shape)
    out.facts = facts
    assert engines.count_boards(joined(boards), shape, 10**6, limit, out) == (len(boards), None)
    for board, count, nodes in zip(boards, out.counts, facts.nodes, strict=True):
        walk = search.start(board)
        assert walk.run(limit=limit) == count
        assert walk.nodes == nodes
    assert all(facts.nanoseconds)


@pytest.mark.parametrize("limit", [MOST, 1])
def test_a_walk_for_a_verdict_finds_the_same_solutions(limit: int) -> None:
    """In any order, in any slices, and with what it leaves for others."""
    for board in boards_of(NINE, 40):
        expected = sorted(listing(search.start(board)))
        assert sorted(listing(kernel.Nine(board.cells, is_verdict=True), 3, 2)) == expected
        begun = kernel.Nine(board.cells, is_verdict=True)
        found = begun.run(4, limit)
        assert found + sum(search.start(Board.from_cells(NINE, part)).run() for part in begun.rest()) == len(expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_all_solutions_are_listed_in_the_order_of_the_walk(shape: Shape) -> None:
    boards = boards_of(shape)
    everything = [listing(search.start(board)) for board in boards]
    found: list[bytes] = []
    done, budget = 0, 300
    while done < len(boards):  # the room is for about two boards
        out = BoardCounts(len(boards) - done)
        out.listed = room = bytearray((budget + 70) * shape.cells)
        counted, counting = engines.count_boards(joined(boards[done:]), shape, budget, MOST, out)
        solutions = sum(out.counts[:counted])
        found += [bytes(room[at : at + shape.cells]) for at in range(0, solutions * shape.cells, shape.cells)]
        done += counted
        if counting:
            walk = search.start(boards[done])
            walk.run(budget)
            assert not walk.finished
            found += everything[done]
            done += 1
        else:
            assert counted
    assert found == [solution for some in everything for solution in some]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_board_is_hard_if_its_own_nodes_exceed_the_budget(shape: Shape) -> None:
    """Other boards do not count, and the call ends soon after the budget in total."""
    boards = boards_of(shape)
    nodes, solutions = [], []
    for board in boards:
        walk = search.start(board)
        solutions.append(walk.run())
        nodes.append(walk.nodes)
    for budget in (0, 3, 20, 100, 10**6):
        done = total = 0
        while done < len(boards):
            out = BoardCounts(len(boards) - done)
            counted, counting = engines.count_boards(joined(boards[done:]), shape, budget, MOST, out)
            assert all(number <= budget for number in nodes[done : done + counted])
            total = sum(nodes[done : done + counted])
            assert total <= 2 * budget
            done += counted
            assert (counting is not None) == (done < len(boards) and nodes[done] > budget and total <= budget)
            assert counted or counting
            if counting:  # continued, the count of the hard board is right
                assert counting.effort == max(1, budget)
                while not counting.step().complete:
                    pass
                assert (counting.solutions, counting.tally.nodes) == (solutions[done], nodes[done])
                done += 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_candidates_are_those_of_the_board(shape: Shape) -> None:
    boards = [*boards_of(shape, 8), Board.empty(shape), full_board(shape, random.Random("full"))]
    size = shape.size
    counts, empty = array("H", [0] * (len(boards) * (size + 1))), array("Q", [0] * len(boards))
    candidate_counts(joined(boards), shape.height, shape.width, counts, empty)
    for at, board in enumerate(boards):
        expected = board.candidate_counts()
        assert list(counts[at * (size + 1) : (at + 1) * (size + 1)]) == [expected.count(n) for n in range(size + 1)]
        assert empty[at] == board.empty_cells == len(expected)
    plain, marked = restricted_board(shape, random.Random(f"marked {shape}"), 20)
    masks = pack_masks(marked.allowed)
    candidate_counts(marked.cells, shape.height, shape.width, counts, empty, masks)
    assert list(counts[: size + 1]) == [marked.candidate_counts().count(number) for number in range(size + 1)]
    with pytest.raises(ValueError, match="no room for the candidates of 1 boards"):
        candidate_counts(plain.cells, shape.height, shape.width, counts[:size], empty)


def test_solutions_are_written_to_one_place() -> None:
    out = BoardCounts(1)
    out.unique, out.listed = bytearray(81), bytearray(810)
    with pytest.raises(ValueError, match="not to both"):
        engines.count_boards(memoryview(bytes(81)), NINE, 10, 2, out)
