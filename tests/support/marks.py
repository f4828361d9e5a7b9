"""Helpers for tests of pencil marks: boards that restrict their cells, and their solutions by filtering."""

from __future__ import annotations

import random

from support.boards import full_board, random_board
from support.counts import general
from support.walks import listing

from enumerator.board import Board, Shape


def restrict(board: Board, rng: random.Random, share: float = 0.4) -> Board:
    """Forbid random digits in a random `share` of the cells."""
    full = (1 << board.shape.size) - 1
    masks = (rng.randint(0, full) | rng.randint(0, full) if rng.random() < share else full for _ in board.cells)
    return Board.from_cells(board.shape, board.cells, masks)


def restricted_board(shape: Shape, rng: random.Random, most: int = 300) -> tuple[Board, Board]:
    """Return a board with at most `most` solutions, and the same board with pencil marks that keep one of them."""
    plain = random_board(shape, rng, most)
    solution = rng.choice(listing(general(plain)))
    marked = restrict(plain, rng)
    while marked.allowed is None:
        marked = restrict(plain, rng)
    masks = (mask | 1 << (digit - 1) for mask, digit in zip(marked.allowed, solution, strict=True))
    return plain, Board.from_cells(shape, plain.cells, masks)


def only_marks(shape: Shape, rng: random.Random, digits: int) -> Board:
    """Return a board without clues and with a solution: each cell allows that digit and some of `digits` others."""
    solution, size = full_board(shape, rng), shape.size
    masks = (1 << (digit - 1) | sum({1 << rng.randrange(size) for _ in range(digits)}) for digit in solution.cells)
    return Board.from_cells(shape, bytes(shape.cells), [mask | 1 << mask.bit_length() % size for mask in masks])


def respects(solution: bytes, board: Board) -> bool:
    """Return whether every digit of a solution is allowed in its cell."""
    masks = board.allowed or ((1 << board.shape.size) - 1,) * board.shape.cells
    return all(mask >> (digit - 1) & 1 for mask, digit in zip(masks, solution, strict=True))


def filtered(plain: Board, marked: Board) -> list[bytes]:
    """Return the solutions of `plain` that the pencil marks of `marked` allow, sorted. No walk sees the marks."""
    return sorted(solution for solution in listing(general(plain)) if respects(solution, marked))


def rearrange(board: Board, rng: random.Random) -> Board:
    """Relabel the digits, exchange rows, columns, bands and stacks, transpose: the count stays the same."""
    height, width, size = board.shape.height, board.shape.width, board.shape.size
    digits = rng.sample(range(size), size)
    rows = [
        band * height + row for band in rng.sample(range(width), width) for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + col for stack in rng.sample(range(height), height) for col in rng.sample(range(width), width)
    ]
    old = board.allowed or ()
    masks = [
        sum(1 << digits[digit] for digit in range(size) if old[row * size + column] >> digit & 1)
        for row in rows
        for column in columns
    ]
    moved = Board.from_allowed(board.shape, masks)
    return moved.transposed() if rng.random() < 0.5 else moved
