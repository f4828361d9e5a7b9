"""Programs that a Python user would pick instead, each in its fastest way to count a board.

    python -m bench.study.peer_programs NAME < BOARD      {"solutions": "276", "seconds": 0.0123}

The clock runs from the board, a line of 81 symbols, to the count. The model that a program needs is
part of that; its imports and a warm-up are not. A program is imported only when it counts.

The packages see a board as an exact cover (bench/common/covers.py). SAT solvers are for verdicts: they exclude each
solution by a clause, and look for another one.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, distribution, version
from itertools import combinations, product
from math import ceil
from time import perf_counter
from typing import Any, NamedTuple

from bench.common.covers import Cover, cover, items_of, options_by_item, reduced_cover
from bench.study.trial import LEAST_SECONDS
from enumerator.board import Board, Shape

WARM_UP = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
"""A board with one solution, counted before the clock starts."""

NINE = Shape(3, 3)


@dataclass(frozen=True, slots=True)
class Task:
    """A board to count."""

    board: Board
    most: int | None = None
    """Stop after this number of solutions; None: find all."""
    seconds: float | None = None
    """Stop after this time, if the program can; None: never."""
    is_reduced: bool = False
    """Leave out what naked and hidden singles settle."""

    @property
    def cover(self) -> Cover:
        return reduced_cover(self.board) if self.is_reduced else cover(self.board)


class Found(NamedTuple):
    """The solutions that a program has found."""

    solutions: int
    is_complete: bool = True
    """False if the time was over before the count was; all or `most` solutions otherwise."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and a function that counts the solutions of a board by it."""

    name: str
    distribution: str | None
    """Its name for pip; None: there is nothing to install."""
    count: Callable[[Task], Found]
    is_for_verdicts: bool = False
    """True if it finds one solution after the other, and cannot count many."""


def installed_version(program: Program) -> str | None:
    """Return the installed version; None if there is none."""
    if program.distribution is None:
        return f"Python {platform.python_version()}"
    try:
        return version(program.distribution)
    except PackageNotFoundError:
        return None


# --------------------------------------------------------------------------------------------- exact covers


def cover_matrix(given: Cover) -> Any:
    """Return an exact cover as a numpy matrix: a row for each option, a column for each item."""
    import numpy

    found: Any = numpy.zeros((len(given.options), given.items), dtype=bool)
    rows = numpy.repeat(numpy.arange(len(given.options)), 4)
    found[rows, [item for option in given.options for item in option]] = True
    return found


CLINGO_RULES = """
    { chosen(O) } :- in(O, _).
    :- chosen(O), chosen(P), in(O, I), in(P, I), O < P.
    :- item(I), not chosen(O) : in(O, I).
"""


def count_by_clingo(task: Task, configuration: str = "crafty") -> Found:
    """Use clauses instead of bounds, settings for crafted problems, and no callback for models."""
    import clingo

    options, items = task.cover
    facts = [f"in({number},{item})." for number, option in enumerate(options) for item in option]
    control = clingo.Control([f"--models={task.most or 0}", f"--configuration={configuration}"])
    control.add("base", [], CLINGO_RULES + "".join(f"item({item})." for item in range(items)) + "".join(facts))
    control.ground([("base", [])])
    with control.solve(async_=True) as solving:
        is_complete = solving.wait(task.seconds)
        solving.cancel()
    return Found(int(control.statistics["summary"]["models"]["enumerated"]), is_complete)


def count_by_cp_sat(task: Task) -> Found:
    """Use Booleans instead of all-different, and no presolve, which takes longer than it saves."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        """Counts the solutions that it is called for, and stops after `task.most`."""

        solutions = 0

        def on_solution_callback(self) -> None:
            self.solutions += 1
            if self.solutions == task.most:
                self.stop_search()

    given = task.cover
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in given.options]
    for options in options_by_item(given):
        model.add_exactly_one([chosen[option] for option in options])
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    if task.seconds is not None:
        solver.parameters.max_time_in_seconds = task.seconds
    counter = Counter()
    status = solver.solve(model, counter)
    is_complete = counter.solutions == task.most or status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return Found(counter.solutions, is_complete)


def count_by_exact_cover(task: Task) -> Found:
    """Use its counter, which is in C."""
    import exact_cover

    given = task.cover
    if not given.options:
        return Found(int(not given.items))
    if task.most is None:
        return Found(int(exact_cover.get_solution_count(cover_matrix(given))))
    return Found(len(exact_cover.get_all_solutions(cover_matrix(given), max_count=task.most)))


def count_by_xcover(task: Task) -> Found:
    """Visit solutions: its decision diagrams with a memo, which is a bare hash, miscount."""
    import xcover

    return Found(sum(1 for _ in xcover.covers_bool(cover_matrix(task.cover))))


# ------------------------------------------------------------------------------------------------ SAT solvers


def clauses(given: Cover) -> list[list[int]]:
    """Return the clauses of an exact cover: of each item one option at least, and no two of them.

    Two options that share several items are excluded once. Variables are numbered from 1.
    """
    members = [[option + 1 for option in options] for options in options_by_item(given)]
    pairs = {pair for options in members for pair in combinations(options, 2)}
    return members + [[-first, -second] for first, second in sorted(pairs)]


def count_by_sat(task: Task, solver: str) -> Found:
    """Solve, exclude the solution by a clause, and solve again; `solver` is its name in python-sat."""
    from pysat.solvers import Solver

    found = 0
    with Solver(name=solver, bootstrap_with=clauses(task.cover)) as program:
        while found != task.most and program.solve():
            found += 1
            program.add_clause([-variable for variable in program.get_model() if variable > 0])
    return Found(found)


def count_by_kissat(task: Task) -> Found:
    """Start it anew for each solution: it is a program that takes all clauses at once."""
    model = task.cover
    program, given = kissat_path(), clauses(model)
    found, end = 0, perf_counter() + task.seconds if task.seconds else None
    while found != task.most:
        left = [] if end is None else [f"--time={max(1, ceil(end - perf_counter()))}"]
        text = f"p cnf {len(model.options)} {len(given)}\n" + "".join(
            f"{' '.join(map(str, [*each, 0]))}\n" for each in given
        )
        done = subprocess.run([program, "-q", *left], input=text, capture_output=True, text=True, check=False)
        if done.returncode == KISSAT_UNSATISFIABLE:
            return Found(found)
        if done.returncode != KISSAT_SATISFIABLE:
            if done.returncode or not left:
                raise SystemExit(f"bench: Kissat has failed with status {done.returncode}: {done.stderr[-1000:]}")
            return Found(found, is_complete=False)
        found += 1
        literals = [int(text) for line in done.stdout.splitlines() if line[:1] == "v" for text in line[1:].split()]
        given.append([-literal for literal in literals if literal > 0])
    return Found(found)


KISSAT_SATISFIABLE, KISSAT_UNSATISFIABLE = 10, 20
"""The exit statuses of a SAT solver that has decided; Kissat ends with 0 at its time limit."""


@cache
def kissat_path() -> str:
    """Return the path of the program in the package that brings it."""
    files = distribution("passagemath-kissat").files or ()
    return next(str(file.locate()) for file in files if file.name == "kissat" and file.parent.name == "bin")


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
    places = {81 * digit + cell: items_of(NINE)[9 * cell + digit] for digit, cell in product(range(9), range(81))}
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


def count_by_plain_python(task: Task) -> Found:
    """Eliminate digits from peers, settle singles, and guess where the fewest places are left."""
    mask, groups = rules().mask, rules().groups
    position, settled = (1 << 729) - 1, 0
    for cell, clue in enumerate(task.board.cells):
        if clue:
            place = 81 * (clue - 1) + cell
            position &= mask[place]
            settled |= 1 << place
    return Found(count_below(position, settled, mask, groups))


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
"""Programs that count."""

MORE_PROGRAMS = {
    program.name: program
    for program in (
        Program("clingo defaults", "clingo", partial(count_by_clingo, configuration="auto")),
        Program("CaDiCaL", "python-sat", partial(count_by_sat, solver="cadical195"), is_for_verdicts=True),
        Program("Glucose", "python-sat", partial(count_by_sat, solver="glucose42"), is_for_verdicts=True),
        Program("Kissat", "passagemath-kissat", count_by_kissat, is_for_verdicts=True),
    )
}
"""Programs for boards beyond 9×9: SAT solvers, and clingo as it is without settings."""


def main(name: str) -> None:
    count, text = PROGRAMS[name].count, sys.stdin.readline().strip()
    if len(text) != NINE.cells:
        raise SystemExit("bench: a board has 81 symbols")
    board = Board.parse(text, NINE)
    count(Task(Board.parse(WARM_UP)))
    counts, started = 0, perf_counter()
    while not counts or perf_counter() - started < LEAST_SECONDS:
        solutions = count(Task(board)).solutions
        counts += 1
    seconds = (perf_counter() - started) / counts
    print(json.dumps({"solutions": str(solutions), "seconds": seconds}))


if __name__ == "__main__":
    main(sys.argv[1])
