"""Target: boards of every shape, walked by the engine `learning` and by the general walk.

    shape  choice  holes  options | wrong digits | pencil marks | slices, until the walk ends

The first bytes choose a shape and which cells of a full board are emptied. Some cells then get another digit,
so that boards without a solution occur; some get pencil marks. The walk that learns is run in slices
that the rest of the input chooses, and its parts are walked on.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from bench.check.targets.inputs import SHAPES, Input
from enumerator.board import Shape
from enumerator.engines.learning.kernel import start
from enumerator.engines.search import kernel
from enumerator.engines.walks.walk import Walk

Masks: TypeAlias = "array[int] | None"

FAST_SHAPES = [shape for shape in SHAPES if shape.size <= 16]
"""Shapes of which a walk begins in less than 0.1 ms: four of five inputs choose one of them."""

MOST_NODES = 1_000
"""Nodes of the general walk: a board with more is compared as far as both walks come."""

MOST_EFFORT = 1_000
"""Conflicts and decisions of a walk that learns."""

MOST_CHUNK = 64
"""Solutions of a slice."""

MOST_GRID_NODES = 3_000
"""Nodes of a walk that fills a board: enough up to 36×36."""

GRIDS = 8
"""Full boards of each shape."""


def check(data: bytes) -> None:
    """Both walks find the same solutions; slices and parts lose none and find none twice."""
    given = Input(data)
    shape, cells, masks = make_board(given)
    other = kernel.General(cells, shape.height, shape.width, allowed=masks)
    expected = take_all(other, MOST_NODES)
    walk = start(cells, shape.height, shape.width, masks)
    found = run_in_slices(walk, given)
    assert len(set(found)) == len(found), "a solution twice"
    if other.finished:
        assert set(found) <= set(expected), "a solution that is none"
        if walk.finished:
            assert len(found) == len(expected), "too few solutions"
        else:
            check_parts(walk, shape, masks, sorted(expected), found)
    elif walk.finished:
        assert set(expected) <= set(found), "too few solutions"


def run_in_slices(walk: Walk, given: Input) -> list[bytes]:
    """Run a walk in slices of chosen lengths, or end after one of them; return what it finds."""
    found = list[bytes]()
    while not walk.finished and walk.nodes < MOST_EFFORT:
        chosen = given.number()
        before, nodes = walk.nodes, (chosen & 31) ** 2 if chosen else MOST_EFFORT
        found += take_solutions(walk, nodes, 1 + (chosen >> 5) * 9 if chosen else MOST_CHUNK)
        assert walk.nodes <= before + nodes, "a slice that is too long"
        if chosen >> 5 >= 6:
            break
    return found


def check_parts(walk: Walk, shape: Shape, masks: Masks, expected: list[bytes], found: list[bytes]) -> None:
    """The solutions of the parts are those that were not found, each in one part."""
    parts = walk.parts()
    assert sum(Fraction(*share) for _, share in parts) <= 1, "shares of more than the tree"
    for cells, share in parts:
        assert Fraction(*share) > 0, "a part without a share"
        found += take_all(start(cells, shape.height, shape.width, masks), kernel.MOST)
    assert sorted(found) == expected, "other solutions in parts"


def take_solutions(walk: Walk, nodes: int, most: int = MOST_CHUNK) -> list[bytes]:
    """Return the solutions that a walk finds in one slice of `nodes` nodes, at most `most`."""
    chunk = bytearray(walk.cells * most)
    found = walk.run(nodes, out=chunk)
    return [bytes(chunk[at : at + walk.cells]) for at in range(0, found * walk.cells, walk.cells)]


def take_all(walk: Walk, most_nodes: int) -> list[bytes]:
    """Return the solutions that a walk finds within `most_nodes` nodes."""
    found = list[bytes]()
    while not walk.finished and walk.nodes < most_nodes:
        found += take_solutions(walk, most_nodes - walk.nodes)
    return found


def make_board(given: Input) -> tuple[Shape, bytes, Masks]:
    """Return the shape, cells and pencil marks that an input describes."""
    shapes = SHAPES if (chosen := given.number()) < len(SHAPES) else FAST_SHAPES
    shape = shapes[chosen % len(shapes)]
    choice, holes, options = given.number(), given.number(), given.number()
    full = full_board(shape, choice % GRIDS)
    cells, rng = bytearray(full), random.Random(choice << 8 | holes)
    for cell in rng.sample(range(shape.cells), min(shape.cells, 180) * (255 + 2 * holes) // 765):
        cells[cell] = 0
    for _ in range(options & 3):
        cells[(given.number() << 8 | given.number()) % shape.cells] = given.number() % (shape.size + 1)
    if not options & 4:
        return shape, bytes(cells), None
    every = (1 << shape.size) - 1
    masks = [every] * shape.cells
    for _ in range(options >> 3):
        cell = (given.number() << 8 | given.number()) % shape.cells
        masks[cell] &= every ^ 1 << given.number() % shape.size | (1 << (full[cell] - 1) if options & 1 else 0)
    return shape, bytes(cells), array("Q", masks)


@cache
def full_board(shape: Shape, number: int) -> bytes:
    """Return a full board: the one that a walk finds below a random row, or rows that are shifts of each other."""
    size, height, width = shape.size, shape.height, shape.width
    row = random.Random(number).sample(range(1, size + 1), size)
    walk = kernel.General(bytes(row) + bytes(shape.cells - size), height, width)
    for cells in take_solutions(walk, MOST_GRID_NODES, 1):
        return cells
    return bytes(
        row[(at % height * width + at // height + column) % size] for at in range(size) for column in range(size)
    )


def seeds() -> Iterator[bytes]:
    """Yield an input for every shape, some with wrong digits, pencil marks and slices."""
    for number in range(len(SHAPES)):
        yield bytes([number, number, 120 + number, number * 5 % 256, *range(0, 250, 7)])
    for number, (holes, options) in enumerate([(150, 0), (170, 1), (190, 12), (200, 255), (220, 0), (255, 9)]):
        for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(2, 5), Shape(3, 4), Shape(4, 4)):
            yield bytes([SHAPES.index(shape), number, holes, options, *range(3, 250, 9)])
