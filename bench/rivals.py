"""What a Python user would pick instead, each in the way that counts all solutions of a 9×9 board the fastest.

    python -m bench.rivals NAME < BOARD      {"solutions": "276", "seconds": 0.0123}

The clock runs from the board, a line of 81 symbols, to the count: what a rival needs as a model is part of that, its
imports and a warm-up are not. None of the rivals is imported before it is asked to count.

To the packages a board is an exact cover. An option is a digit in an empty cell that no clue rules out; an item is
something that just one of them has to see to: a cell that wants a digit, or a row, column or box that wants this one.
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

from bench.trial import LEAST_SECONDS

WARM_UP = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
"""One solution."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A way to count."""

    name: str
    distribution: str | None
    """What pip calls it; None: there is nothing to install."""
    count: Callable[[str], int]


def installed(rival: Rival) -> str | None:
    """The version that is there, if any."""
    if rival.distribution is None:
        return f"Python {platform.python_version()}"
    try:
        return version(rival.distribution)
    except PackageNotFoundError:
        return None


# --------------------------------------------------------------------------------------------- exact covers


def items(cell: int, digit: int) -> tuple[int, int, int, int]:
    """What a digit in a cell sees to; each of the four has 81 numbers of its own."""
    row, column = divmod(cell, 9)
    box = row // 3 * 3 + column // 3
    return cell, 81 + row * 9 + digit, 162 + column * 9 + digit, 243 + box * 9 + digit


def cover(board: str) -> tuple[list[tuple[int, ...]], int]:
    """The options of a board, each by its items, and how many items there are: those that the clues leave, from 0 on.

    An item without options is one, too. If clues contradict each other, more rows than cells want something: no cover.
    """
    done = {item for cell, clue in enumerate(board) if clue != "." for item in items(cell, int(clue) - 1)}
    left = {item: number for number, item in enumerate(sorted(set(range(324)) - done))}
    options = (items(cell, digit) for cell, digit in product(range(81), range(9)))
    return [tuple(left[item] for item in option) for option in options if done.isdisjoint(option)], len(left)


def matrix(board: str) -> Any:
    """The same for numpy: a row for each option, a column for each item."""
    import numpy

    options, width = cover(board)
    found: Any = numpy.zeros((len(options), width), dtype=bool)
    found[numpy.repeat(numpy.arange(len(options)), 4), [item for option in options for item in option]] = True
    return found


COVER = """
    { chosen(O) } :- in(O, _).
    :- chosen(O), chosen(P), in(O, I), in(P, I), O < P.
    :- item(I), not chosen(O) : in(O, I).
"""


def by_clingo(board: str) -> int:
    """Clauses rather than bounds, and settings for crafted problems; nothing is called when a model is found."""
    import clingo

    options, width = cover(board)
    facts = [f"in({number},{item})." for number, option in enumerate(options) for item in option]
    control = clingo.Control(["--models=0", "--configuration=crafty"])
    control.add("base", [], COVER + f"item(0..{width - 1})." + "".join(facts))
    control.ground([("base", [])])
    control.solve()
    return int(control.statistics["summary"]["models"]["enumerated"])


def by_cp_sat(board: str) -> int:
    """Booleans rather than numbers that are all different, and no presolve, which takes longer than it saves."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        """A solution is all that it hears of."""

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


def by_exact_cover(board: str) -> int:
    """It counts in C."""
    import exact_cover

    return int(exact_cover.get_solution_count(matrix(board)))


def by_xcover(board: str) -> int:
    """One by one. Its decision diagrams would not need that with a memo, but then they miscount: it is a bare hash."""
    import xcover

    return sum(1 for _ in xcover.covers_bool(matrix(board)))


# --------------------------------------------------------------------------------------------- plain Python


@dataclass(frozen=True, slots=True)
class Rules:
    """What is the same for all boards. A position is an integer: bit 81 × digit + cell, if the digit can be there."""

    kept: list[int]
    """For each bit, what is left when its digit is put into its cell: nothing else of its items."""
    groups: list[tuple[tuple[int, ...], int, int]]
    """Cells, boxes, rows and columns, whose items have nine bits each: how far these are from the first of them; the
    first ones of all items; and a factor that makes all nine out of a first one."""


@cache
def rules() -> Rules:
    places = {81 * digit + cell: items(cell, digit) for digit, cell in product(range(9), range(81))}
    held = [0] * 324
    for place, seen in places.items():
        for item in seen:
            held[item] |= 1 << place
    everything = (1 << 729) - 1
    kept = []
    for place, (cell, row, column, box) in places.items():
        peers = held[cell] | held[row] | held[column] | held[box]
        kept.append(everything ^ peers | 1 << place)
    groups = []
    for kind in (0, 3, 1, 2):
        some = [place for place, seen in places.items() if seen[kind] == 81 * kind]
        steps = tuple(place - some[0] for place in some)
        firsts = sum(each & -each for each in held[81 * kind : 81 * kind + 81])
        groups.append((steps, firsts, sum(1 << step for step in steps)))
    return Rules(kept, groups)


def by_plain_python(board: str) -> int:
    """Eliminate a digit from its peers, put what has one place left into it, and guess where there are two, or few."""
    kept, groups = rules().kept, rules().groups

    def count(position: int, settled: int) -> int:
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
                position &= kept[single.bit_length() - 1]
        if not branch:
            _, _, spread = groups[0]
            cells = (position & spread << cell for cell in range(81))
            branch = min((cell for cell in cells if cell.bit_count() > 1), key=int.bit_count)
        found = 0
        while branch:
            guess = branch & -branch
            branch ^= guess
            found += count(position & kept[guess.bit_length() - 1], settled | guess)
        return found

    position, settled = (1 << 729) - 1, 0
    for cell, clue in enumerate(board):
        if clue != ".":
            place = 81 * (int(clue) - 1) + cell
            position &= kept[place]
            settled |= 1 << place
    return count(position, settled)


RIVALS = {
    rival.name: rival
    for rival in (
        Rival("clingo", "clingo", by_clingo),
        Rival("CP-SAT", "ortools", by_cp_sat),
        Rival("exact-cover", "exact-cover", by_exact_cover),
        Rival("xcover", "xcover", by_xcover),
        Rival("plain Python", None, by_plain_python),
    )
}


def main(name: str) -> None:
    count, board = RIVALS[name].count, sys.stdin.readline().strip()
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
