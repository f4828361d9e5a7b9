"""The boards of `python -m bench large`, in sections.

    hard      25×25 puzzles with one solution, one by one
    derived   the same with their rows, columns and digits exchanged, some of them transposed
    easy      16×16 puzzles with one solution, all together
    counts    such puzzles with clues taken away, and how many solutions they have
    ours      boards of boards/ beyond 9×9, with their counts

All sections but the last take files of the folder `large` beside the repository, where it is present.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench import SHARED
from bench.common.boards import rearranged
from bench.common.options import chosen_boards, read_boards
from bench.common.puzzles import read_list
from bench.study.large.trial import COUNT, VERDICT
from bench.study.options import stated_counts
from enumerator.board import Board

PUBLISHED_LARGE = SHARED / "large"
"""Published puzzles of 16×16 and 25×25 cells, and boards made of them; may be absent."""

QUICK_HARD = (17, 18)
"""The numbers of hard puzzles that a SAT solver decides in a tenth of a second, for --quick."""

QUICK_SOLUTIONS = 4_000
"""Boards with more solutions, or with an unknown number, are left out by --quick."""

OURS = ("16x16*", "25x25*", "large/*")
"""Patterns of the names of our boards."""


class Case(NamedTuple):
    """One or several boards that are measured together."""

    section: str
    name: str
    question: str
    boards: list[Board]
    solutions: int | None
    """Of each board, where 2 means several in a verdict; None if that is unknown."""


def published_cases(sections: list[str], is_quick: bool, seed: int) -> Iterator[Case]:
    """Yield the cases of these sections that come from published boards."""
    if {"hard", "derived"} & set(sections):
        puzzles = dict(enumerate(read_list(PUBLISHED_LARGE / "25x25.txt"), 1))
        wanted = {number: puzzles[number] for number in (QUICK_HARD if is_quick else puzzles)}
        if "hard" in sections:
            for number, board in wanted.items():
                yield Case("hard", f"25x25 no. {number}", VERDICT, [board], 1)
        if "derived" in sections:
            for number, board in wanted.items():
                yield Case("derived", f"like no. {number}", VERDICT, [derived(board, seed, number)], 1)
    if "easy" in sections:
        boards = read_list(PUBLISHED_LARGE / "16x16.txt")
        yield Case("easy", f"{len(boards)} of 16x16", VERDICT, boards, 1)
    if "counts" in sections:
        for board, solutions, name in many(PUBLISHED_LARGE / "many.tsv"):
            if not is_quick or (solutions or QUICK_SOLUTIONS + 1) <= QUICK_SOLUTIONS:
                yield Case("counts", name, COUNT, [board], solutions)


def derived(board: Board, seed: int, number: int) -> Board:
    """Return a board with the same number of solutions; those with even numbers are transposed as well."""
    found = rearranged(board, random.Random(f"{seed}/large/{number}"))
    return found if number % 2 else found.transposed()


def rearranged_case(case: Case, seed: int, number: int) -> Case:
    """Return a case with the rows, columns and digits of its boards exchanged, in another way for each `number`."""
    rng = random.Random(f"{seed}/large/{case.name}/{number}")
    return case._replace(boards=[rearranged(board, rng) for board in case.boards])


def many(path: Path) -> Iterator[tuple[Board, int | None, str]]:
    """Yield boards, their numbers of solutions (None: unknown) and their names."""
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            text, solutions, name = line.split("\t")
            yield Board.parse(text), None if solutions == "?" else int(solutions), name


def our_cases(wanted: list[str] | None) -> Iterator[Case]:
    """Yield our boards beyond 9×9, or those in --boards.

    Those with several solutions are counted, all others decided.
    """
    paths = chosen_boards(wanted, *OURS)
    known = stated_counts(paths)
    for name, board in read_boards(paths).items():
        solutions = known.get(name)
        yield Case("ours", name, COUNT if (solutions or 1) > 1 else VERDICT, [board], solutions)
