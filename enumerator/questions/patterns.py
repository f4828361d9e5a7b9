"""Puzzles whose clues stand on given cells, by climbing.

The cells get the digits of a random solved grid. Such a board has a solution, and nearly always many. Then
one of its clues is changed, again and again, to a digit with which it has fewer solutions, or as many, but
not none. A start that does not lead to one solution is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from enumerator import engines
from enumerator.board import Shape
from enumerator.engines.board_blocks import BoardCounts
from enumerator.questions.reducing import stop_if_unwanted
from enumerator.questions.rule_patterns import bits
from enumerator.questions.rules import tables
from enumerator.run.progress import Progress
from enumerator.text.phrases import plural

MOST_SOLUTIONS = 10_000
"""The number of solutions of a start up to which boards are compared, some milliseconds."""

MOST_NODES = 100_000
"""The most nodes for the count of one board. One that takes more is passed over."""

NEIGHBOURS = 4
"""The number of changes that are compared at a time."""

ROUNDS = 400
"""The number of rounds without fewer solutions after which a start is given up."""


FEWEST_CLUES = {Shape(2, 2): 4, Shape(3, 3): 17}
"""The fewest clues of puzzles with one solution, by shape.

Of 9×9 puzzles, McGuire, Tugemann and Civario have shown in 2012 that none has 16. Those of 4×4 are all known.
"""


def find_lack(shape: Shape, clues: int) -> str:
    """Return why no puzzle with this number of clues, or a smaller one, has one solution; "" if some may."""
    if clues < shape.size - 1:
        return f"with {plural(clues, 'clue')}, two digits are missing, and can be exchanged"
    if clues < (fewest := FEWEST_CLUES.get(shape, 0)):
        puzzle = f"{shape.size}×{shape.size} puzzle with {plural(clues, 'clue')}"
        return f"no {puzzle} has one solution: {fewest} are the fewest"
    return ""


def find_obstacle(shape: Shape, pattern: Sequence[int]) -> str:
    """Return why no puzzle with clues on these cells has one solution; "" if nothing forbids it."""
    size, rows, columns = shape.size, {cell // shape.size for cell in pattern}, {cell % shape.size for cell in pattern}
    if lack := find_lack(shape, len(pattern)):
        return lack
    for name, lines, side in (("rows", rows, shape.height), ("columns", columns, shape.width)):
        for first in range(0, size, side):
            empty = [line + 1 for line in range(first, first + side) if line not in lines]
            if len(empty) > 1:
                return f"the {name} {empty[0]} and {empty[1]} have no clues, and can be exchanged"
    return ""


def climb(shape: Shape, pattern: Sequence[int], grid: bytes, rng: Random) -> bytes | None:
    """Return a puzzle with clues on the cells `pattern`, from the digits of a grid; None if the start is given up."""
    board = bytearray(shape.cells)
    for cell in pattern:
        board[cell] = grid[cell]
    (least,) = count_each(bytes(board), shape, MOST_SOLUTIONS)
    waited = 0
    while least > 1 and waited < ROUNDS:
        stop_if_unwanted(Progress())
        others = [change_clue(shape, pattern, board, rng) for _ in range(NEIGHBOURS)]
        counts = count_each(b"".join(others), shape, least)
        number, chosen = min((number, turn) for turn, number in enumerate(counts) if number) if any(counts) else (0, 0)
        waited = 0 if 0 < number < least else waited + 1
        if number:
            least, board = number, others[chosen]
    return bytes(board) if least == 1 else None


def change_clue(shape: Shape, pattern: Sequence[int], board: bytearray, rng: Random) -> bytearray:
    """Return a board with another digit in a random cell of the pattern, one that no other clue forbids."""
    changed, cell = board[:], rng.choice(pattern)
    used = {board[peer] for peer in bits(tables(shape).peers[cell])} | {board[cell]}
    free = [digit for digit in range(1, shape.size + 1) if digit not in used]
    if free:
        changed[cell] = rng.choice(free)
    return changed


def count_each(boards: bytes, shape: Shape, limit: int) -> list[int]:
    """Return the number of solutions of each board, at most `limit`, which also stands for an unknown number."""
    counts, view, left = list[int](), memoryview(boards), len(boards) // shape.cells
    while left:
        out = BoardCounts(left)
        counted, hard = engines.count_boards(view, shape, MOST_NODES, limit, out)
        counts += out.counts[:counted]
        if hard:
            counts.append(limit)
            counted += 1
        view, left = view[counted * shape.cells :], left - counted
    return counts
