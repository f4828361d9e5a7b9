"""One solution of each class: of those that the symmetries that fix a board lead to.

orbits   all solutions that are symmetric to one are made and kept, until they come: for few symmetries
forms    a class is known by the canonical form of its solutions, and the place of the clues in it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from enumerator.board import Board
from enumerator.board.canonical import find_form, forms_of
from enumerator.board.shape import units
from enumerator.board.symmetry import Symmetry
from enumerator.questions.canonical import digest_of
from enumerator.questions.fixed.relabellings import DigitKinds, Kind, allowed_masks
from enumerator.questions.solutions import list_cores, pages, solution_list
from enumerator.run.plan import Plan

MOST_STARTS = 64
"""The most boards into which one is divided by exchanges of digits."""

FORMS_A_CALL = 16
"""The number of solutions whose forms are found at once: a millisecond."""


def list_solutions(board: Board, plan: Plan) -> Iterator[bytes]:
    """Yield the cells of every solution."""
    found, size = solution_list(board, plan), board.shape.cells
    for page in pages(found, board.shape, list_cores(found, plan), as_cells=True):
        for first in range(0, len(page.text), size):
            yield bytes(page.text[first : first + size])


def up_to_labels(board: Board) -> list[Board]:
    """Return boards whose solutions have at least one of each set that exchanges of digits lead to.

    Of digits that may be exchanged, a cell has the first one. The cells are those of a row, one after the other.
    """
    size = board.shape.size
    rows = [range(first, first + size) for first in range(0, board.shape.cells, size)]
    boards = [(board, DigitKinds(board).kinds)]
    for cell in max(rows, key=lambda row: sum(not board.cells[cell] for cell in row)):
        if not board.cells[cell]:
            more = [divided for one, kinds in boards for divided in _divide(one, kinds, cell)]
            if len(more) > MOST_STARTS:
                break
            boards = more
    return [one for one, _ in boards]


def _divide(board: Board, kinds: tuple[Kind, ...], cell: int) -> Iterator[tuple[Board, tuple[Kind, ...]]]:
    """Yield the boards with the first digit of each kind in a cell, and the kinds of digits that are left."""
    if all(len(kind) == 1 for kind in kinds):
        yield board, kinds
        return
    held = {board.cells[peer] for _, cells in units(board.shape) if cell in cells for peer in cells}
    mask = allowed_masks(board)[cell]
    for kind in kinds:
        digit, *others = kind
        if mask >> digit & 1 and digit + 1 not in held:
            left = (tuple(others),) if others else ()
            yield board.with_cell(cell, digit + 1), (*(one for one in kinds if one != kind), (digit,), *left)


def first_of_forms(board: Board, solutions: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the first of `solutions` in each class."""
    seen = set[bytes]()
    for solution, name in _named(board, iter(solutions)):
        if name not in seen:
            seen.add(name)
            yield solution


def _named(board: Board, solutions: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each solution with a name of its class."""
    if any(board.cells) or board.allowed is not None:
        yield from ((solution, name_of_class(board, solution)) for solution in solutions)
        return
    while some := list(islice(solutions, FORMS_A_CALL)):
        yield from zip(some, map(digest_of, forms_of(board.shape, b"".join(some))), strict=True)


def name_of_class(board: Board, solution: bytes) -> bytes:
    """Return bytes that stand for the solutions to which the symmetries that fix a board lead from one.

    They are its canonical form, and the board as the way to the form changes it. There are as many ways to the form
    as the solution has automorphisms; of the boards, the least is taken.
    """
    found = find_form(Board.from_valid(board.shape, solution))
    images = {board}
    waiting = [board]
    while waiting:
        one = waiting.pop()
        for change in found.generators:
            if (image := change.apply(one)) not in images:
                images.add(image)
                waiting.append(image)
    return digest_of(found.form) + min(digest_of(found.symmetry.apply(image)) for image in images)


def first_of_orbits(solutions: Iterable[bytes], generators: Iterable[Symmetry]) -> Iterator[bytes]:
    """Yield the first of `solutions` in each class of those that symmetries lead to. Each comes once."""
    changes = [(list(one.sources()), bytes((0, *one.digits)).ljust(256)) for one in generators]
    seen = set[bytes]()
    for solution in solutions:
        if solution in seen:
            seen.remove(solution)
            continue
        yield solution
        if not changes:
            continue
        seen.add(solution)
        waiting = [solution]
        while waiting:
            one = waiting.pop()
            for sources, digits in changes:
                image = bytes([one[cell] for cell in sources]).translate(digits)
                if image not in seen:
                    seen.add(image)
                    waiting.append(image)
        seen.remove(solution)
