"""The tables and the network of the contraction: they hold every filled line, with its weight."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations, product
from math import factorial

import pytest
from support.boards import COMMON_SHAPES, full_board, with_clues, with_holes
from support.cases import slow_after
from support.counts import network

from enumerator.board import Shape
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.sum import LARGEST_ENTRY
from enumerator.engines.contraction.tables import compatibility, line_table, transversals

KINDS = [(2, 2), (2, 3), (3, 2), (3, 3)]


# --------------------------------------------------------------------------------------------------- tables


def test_quads_have_every_compatible_partition_once() -> None:
    meet, (members, quads) = compatibility(3, 3), transversals()
    for row in range(280):
        found = [column for quad in quads[9 * row : 9 * row + 9] for column in members[4 * quad : 4 * quad + 4]]
        assert sorted(found) == [column for column in range(280) if meet[280 * row + column]]


@pytest.mark.parametrize(("count", "size"), KINDS)
def test_partitions_are_all_there_is(count: int, size: int) -> None:
    table, digits = line_table(count, size), count * size
    arrangements = {tuple(table.sets[at : at + count]) for at in range(0, len(table.sets), count)}
    assert len(arrangements) == len(table.sets) // count == factorial(digits) // factorial(size) ** count
    assert table.partitions == len(arrangements) // factorial(count)
    for parts in arrangements:
        assert sum(parts) == 2**digits - 1
        assert {part.bit_count() for part in parts} == {size}
    for number, parts in enumerate(zip(*[iter(table.sets)] * count, strict=True)):
        first = number - number % table.orders
        assert set(parts) == set(table.sets[first * count : first * count + count])  # orders of one partition


@pytest.mark.parametrize(("height", "width"), KINDS)
def test_compatible_partitions_are_filled_boxes(height: int, width: int) -> None:
    """Every way to fill a box is a pair of arrangements that are compatible, and the other way round."""
    meet, rows, columns = compatibility(width, height), line_table(height, width), line_table(width, height)
    assert sum(meet) * rows.orders * columns.orders == factorial(height * width)
    row_numbers = {
        frozenset(rows.sets[at : at + height]): at // height // rows.orders for at in range(0, len(rows.sets), height)
    }
    column_numbers = {
        frozenset(columns.sets[at : at + width]): at // width // columns.orders
        for at in range(0, len(columns.sets), width)
    }
    rng = random.Random(1)
    for _ in range(500):
        box = rng.sample(range(height * width), height * width)
        across = frozenset(sum(1 << digit for digit in box[row * width : row * width + width]) for row in range(height))
        down = frozenset(sum(1 << digit for digit in box[column::width]) for column in range(width))
        assert meet[row_numbers[across] * columns.partitions + column_numbers[down]]


@pytest.mark.parametrize(("count", "size"), KINDS)
def test_lines_that_fit_are_all_there_are(count: int, size: int) -> None:
    """Filled lines, counted as a backtracker would: an arrangement for each box, disjoint in each column."""
    table, full = line_table(count, size), 2 ** (count * size) - 1
    arrangements = [tuple(table.sets[at : at + count]) for at in range(0, len(table.sets), count)]
    first = arrangements[0]
    seconds = [parts for parts in arrangements if not any(map(int.__and__, first, parts))]
    assert len(table.triples) // 3 == table.partitions * len(seconds)
    if count == 3:
        assert {tuple(full & ~a & ~b for a, b in zip(first, parts, strict=True)) for parts in seconds} <= set(
            arrangements
        )
    values = {tuple(table.values[at : at + 3]) for at in range(0, len(table.values), 3)}
    assert len(values) == len(table.values) // 3
    assert len({value[:2] for value in values}) == len(values)
    for at, number in enumerate(table.triple_values):
        partitions = [arrangement // table.orders for arrangement in table.triples[at * 3 : at * 3 + 3]]
        assert partitions == list(table.values[number * 3 : number * 3 + 3])


def test_the_numbers_of_3x3_boxes() -> None:
    table = line_table(3, 3)
    assert (table.partitions, table.partitions * table.orders) == (280, 1680)
    assert len(table.triples) // 3 * table.orders == 94_080  # Felgenhauer and Jarvis, 2005: 9! · 56 · 6^6 bands
    assert len(table.values) // 3 == 15_400
    assert {sum(compatibility(3, 3)[at : at + 280]) for at in range(0, 280 * 280, 280)} == {36}


@pytest.mark.parametrize(("count", "size"), KINDS)
def test_relabelling_takes_partitions_to_partitions(count: int, size: int) -> None:
    table, others, meet = line_table(count, size), line_table(size, count), compatibility(count, size)
    wide = table.partitions
    for one, other in combinations(range(count * size), 2):
        image = table.swap_digits(one, other)
        assert sorted(image) == list(range(wide))
        assert [image[number] for number in image] == list(range(wide))
        opposite = others.swap_digits(one, other)
        for row, column in product(range(0, others.partitions, 7), range(0, wide, 5)):
            assert meet[row * wide + column] == meet[opposite[row] * wide + image[column]]


@pytest.mark.slow
def test_no_entry_of_a_table_is_larger_than_said() -> None:
    """The table of one partition, made by definition; without clues those of all partitions are alike."""
    table, meet = line_table(3, 3), compatibility(3, 3)
    partners = [[number for number in range(280) if meet[row * 280 + number]] for row in range(280)]
    weights = Counter(tuple(table.values[number * 3 : number * 3 + 3]) for number in table.triple_values)
    entries: Counter[tuple[int, int]] = Counter()
    seen = set(partners[0])
    half: Counter[tuple[int, int]] = Counter()
    for (first, second, third), ways in weights.items():
        if first in seen:
            for number in partners[third]:
                half[second, number] += ways * table.orders
    for (second, number), ways in half.items():
        for other in partners[second]:
            entries[other, number] += ways
    assert max(entries.values()) == LARGEST_ENTRY
    assert sum(weights.values()) * table.orders == 94_080


# -------------------------------------------------------------------------------------------------- network


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_no_solution_is_pruned(shape: Shape) -> None:
    """The lines of a full board are in the network of every board that it solves."""
    rng = random.Random(2)
    for _ in range(30):
        full = full_board(shape, rng)
        single = network(full)
        assert {len(line) for line in (*single.bands, *single.stacks)} == {1}
        several = network(with_holes(full, rng.randrange(shape.cells), rng))
        for mine, theirs in zip((*single.bands, *single.stacks), (*several.bands, *several.stacks), strict=True):
            at = range(0, len(theirs.values), 3)
            assert tuple(mine.values) in {tuple(theirs.values[first : first + 3]) for first in at}


@pytest.mark.parametrize("shape", slow_after(3, COMMON_SHAPES), ids=str)
def test_weights_are_the_ways_that_the_clues_leave(shape: Shape) -> None:
    rng = random.Random(3)
    table = line_table(shape.width, shape.height)
    for _ in range(2):
        board = with_clues(shape, rng.randrange(shape.cells // 4), rng)
        ways: Counter[tuple[int, ...]] = Counter()
        for at, turn in product(range(0, len(table.triples), 3), permutations(range(table.count))):
            fitting = table.triples[at : at + 3]
            for band in range(table.count):
                parts = table.sets[fitting[band] * table.count : (fitting[band] + 1) * table.count]
                cells = [
                    (column, board.cells[(band * shape.height + row) * shape.size + column])
                    for column in range(shape.width)
                    for row in range(shape.height)
                ]
                if any(digit and not parts[turn[column]] >> digit - 1 & 1 for column, digit in cells):
                    break
            else:
                ways[tuple(arrangement // table.orders for arrangement in fitting)] += 1
        stack = network(board).stacks[0]
        for number in range(len(stack)):
            assert ways[tuple(stack.values[number * 3 : number * 3 + 3])] == stack.weights[number]


def test_a_network_is_for_small_boxes_and_legal_digits() -> None:
    with pytest.raises(ValueError, match="no network"):
        Network(bytes(256), 4, 4)
    with pytest.raises(ValueError, match="no network"):
        Network(bytes(80), 3, 3)
    with pytest.raises(ValueError, match="cell 80 holds 10"):
        Network(bytes([*[0] * 80, 10]), 3, 3)
