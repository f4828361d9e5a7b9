"""Programs that a Python user would pick instead, each in its fastest way to count a 9×9 board.

    python -m bench.study.programs NAME < BOARD      {"solutions": "276", "seconds": 0.0123}

The clock runs from the board, a line of 81 symbols, to the count. The model that a program needs is
part of that; its imports and a warm-up are not. A program is imported only when it counts.

The packages see a board as an exact cover. An option is a digit in an empty cell that no clue rules
out. An item must be covered by exactly one option: a cell that lacks a digit, or a digit that a
row, column or box lacks.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from time import perf_counter
from typing import Any

from bench.study.trial import LEAST_SECONDS

WARM_UP = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
"""A board with one solution, counted before the clock starts."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and a function that counts the solutions of a line of 81 symbols by it."""

    name: str
    distribution: str | None
    """Its name for pip; None: there is nothing to install."""
    count: Callable[[str], int]


def installed_version(program: Program) -> str | None:
    """Return the installed version; None if there is none."""
    if program.distribution is None:
        return f"Python {platform.python_version()}"
    try:
        return version(program.distribution)
    except PackageNotFoundError:
        return None


# --------------------------------------------------------------------------------------------- exact covers


def items(cell: int, digit: int) -> tuple[int, int, int, int]:
    """Return the items that a digit in a cell covers.

    Each of the four kinds has 81 numbers of its own.
    """
    row, column = divmod(cell, 9)
    box = row // 3 * 3 + column // 3
    return cell, 81 + row * 9 + digit, 162 + column * 9 + digit, 243 + box * 9 + digit


def cover(board: str) -> tuple[list[tuple[int, ...]], int]:
    """Return the options of a board, each by its items, and the number of items left by the clues.

    Items without options count as well. Contradicting clues leave more items of rows than of cells:
    no cover.
    """
    done = {item for cell, clue in enumerate(board) if clue != "." for item in items(cell, int(clue) - 1)}
    left = {item: number for number, item in enumerate(sorted(set(range(324)) - done))}
    options = (items(cell, digit) for cell, digit in product(range(81), range(9)))
    return [tuple(left[item] for item in option) for option in options if done.isdisjoint(option)], len(left)


def cover_matrix(board: str) -> Any:
    """Return the exact cover as a numpy matrix: a row for each option, a column for each item."""
    import numpy

    options, width = cover(board)
    found: Any = numpy.zeros((len(options), width), dtype=bool)
    found[numpy.repeat(numpy.arange(len(options)), 4), [item for option in options for item in option]] = True
    return found


CLINGO_RULES = """
    { chosen(O) } :- in(O, _).
    :- chosen(O), chosen(P), in(O, I), in(P, I), O < P.
    :- item(I), not chosen(O) : in(O, I).
"""


def count_by_clingo(board: str) -> int:
    """Use clauses instead of bounds, settings for crafted problems, and no callback for models."""
    import clingo

    options, width = cover(board)
    facts = [f"in({number},{item})." for number, option in enumerate(options) for item in option]
    control = clingo.Control(["--models=0", "--configuration=crafty"])
    control.add("base", [], CLINGO_RULES + f"item(0..{width - 1})." + "".join(facts))
    control.ground([("base", [])])
    control.solve()
    return int(control.statistics["summary"]["models"]["enumerated"])


def count_by_cp_sat(board: str) -> int:
    """Use Booleans instead of all-different, and no presolve, which takes longer than it saves."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        """Counts the solutions that it is called for."""

        solutions = 0

        def on_solution_callback(self) -> None:
            self.solutions += 1

    options, width = cover(board)
    model = cp_model.CpModel()
    choices: list[list[Any]] = [[] for _ in range(width)]
    for option in options:
        chosen = model.new_bool_var("")
        for item in option:
            choices[item].append(chosen)
    for each in choices:
        model.add_exactly_one(each)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    counter = Counter()
    solver.solve(model, counter)
    return counter.solutions


def count_by_exact_cover(board: str) -> int:
    """Use its counter, which is in C."""
    import exact_cover

    return int(exact_cover.get_solution_count(cover_matrix(board)))


def count_by_xcover(board: str) -> int:
    """Visit solutions: its decision diagrams with a memo, which is a bare hash, miscount."""
    import xcover

    return sum(1 for _ in xcover.covers_bool(cover_matrix(board)))


# --------------------------------------------------------------------------------------------- plain Python


Group = tuple[tuple[int, ...], int, int]
"""Items of one kind, of nine bits each: the distances of these from the first; the mask of the
first bits of all items; and a factor that turns a first bit into all nine."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Tables for all boards.

    A position is an integer: bit 81 × digit + cell is set if the digit can be there.
    """

    mask: list[int]
    """For each bit, the mask of bits that remain possible when its digit is put into its cell."""
    groups: list[Group]
    """Cells, boxes, rows and columns."""


@cache
def rules() -> Rules:
    places = {81 * digit + cell: items(cell, digit) for digit, cell in product(range(9), range(81))}
    held = [0] * 324
    for place, seen in places.items():
        for item in seen:
            held[item] |= 1 << place
    everything = (1 << 729) - 1
    mask = []
    for place, (cell, row, column, box) in places.items():
        peers = held[cell] | held[row] | held[column] | held[box]
        mask.append(everything ^ peers | 1 << place)
    groups = []
    for kind in (0, 3, 1, 2):
        some = [place for place, seen in places.items() if seen[kind] == 81 * kind]
        steps = tuple(place - some[0] for place in some)
        firsts = sum(each & -each for each in held[81 * kind : 81 * kind + 81])
        groups.append((steps, firsts, sum(1 << step for step in steps)))
    return Rules(mask, groups)


def count_by_plain_python(board: str) -> int:
    """Eliminate digits from peers, settle singles, and guess where the fewest places are left."""
    mask, groups = rules().mask, rules().groups
    position, settled = (1 << 729) - 1, 0
    for cell, clue in enumerate(board):
        if clue != ".":
            place = 81 * (int(clue) - 1) + cell
            position &= mask[place]
            settled |= 1 << place
    return count_below(position, settled, mask, groups)


def count_below(position: int, settled: int, mask: list[int], groups: list[Group]) -> int:
    """Return the solutions of a position; `settled` bits have been eliminated from their peers."""
    while True:
        branch = 0
        for steps, firsts, spread in groups:
            once = twice = thrice = 0
            for step in steps:
                there = position >> step & firsts
                thrice |= twice & there
                twice |= once & there
                once |= there
            if once != firsts:
                return 0
            if singles := position & (once ^ twice) * spread & ~settled:
                break
            if not twice:
                return 1
            if not branch and (pairs := twice & ~thrice):
                branch = position & (pairs & -pairs) * spread
        else:
            break
        settled |= singles
        while singles:
            single = singles & -singles
            singles ^= single
            position &= mask[single.bit_length() - 1]
    branch = branch or smallest_cell(position, groups[0][2])
    found = 0
    while branch:
        guess = branch & -branch
        branch ^= guess
        found += count_below(position & mask[guess.bit_length() - 1], settled | guess, mask, groups)
    return found


def smallest_cell(position: int, spread: int) -> int:
    """Return the bits of the open cell with the fewest candidates."""
    cells = (position & spread << cell for cell in range(81))
    return min((cell for cell in cells if cell.bit_count() > 1), key=int.bit_count)


PROGRAMS = {
    program.name: program
    for program in (
        Program("clingo", "clingo", count_by_clingo),
        Program("CP-SAT", "ortools", count_by_cp_sat),
        Program("exact-cover", "exact-cover", count_by_exact_cover),
        Program("xcover", "xcover", count_by_xcover),
        Program("plain Python", None, count_by_plain_python),
    )
}


def main(name: str) -> None:
    count, board = PROGRAMS[name].count, sys.stdin.readline().strip()
    if len(board) != 81:
        raise SystemExit("bench: a board has 81 symbols")
    count(WARM_UP)
    counts, started = 0, perf_counter()
    while not counts or perf_counter() - started < LEAST_SECONDS:
        solutions = count(board)
        counts += 1
    seconds = (perf_counter() - started) / counts
    print(json.dumps({"solutions": str(solutions), "seconds": seconds}))


if __name__ == "__main__":
    main(sys.argv[1])
