"""The programs of `python -m bench large`, and the measurements of all boards by all of them, by turns."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import NamedTuple

from bench.common.commands import TimeLimitError, run_module
from bench.study.large.cases import Case, rearranged_case
from bench.study.large.trial import COUNT, VERDICT, Result, Trial
from bench.study.peer_programs import MORE_PROGRAMS, PROGRAMS, installed_version
from bench.study.session import Step
from bench.tables.rows import Large
from bench.tables.table import Table
from enumerator import __version__, engines

OTHERS = {name: PROGRAMS[name] for name in ("clingo", "CP-SAT", "exact-cover")} | MORE_PROGRAMS
"""Other programs that a Python user would pick."""

READY_SECONDS = 5.0
"""The time for imports and a warm-up, and for a program to stop by itself, besides the time limit."""

STRIKES = 2
"""A program that exceeds the time limit on as many boards of a section, a shape and a question is left out of
the others like them."""

REFERENCES = {VERDICT: "CaDiCaL", COUNT: "clingo"}
"""The programs that ours is compared with, by question. They are never left out, and neither is `auto`."""


class Contestant(NamedTuple):
    """A program, on some cores."""

    name: str
    """As in the table: the name of the program, followed by × and its cores if there are several."""
    program: str
    version: str
    cores: int = 1

    @property
    def is_ours(self) -> bool:
        return self.program in engines.names()

    def takes(self, case: Case) -> bool:
        """Return True if the program can answer. On several cores only single boards are measured."""
        if self.cores > 1 and len(case.boards) > 1:
            return False
        if self.is_ours and self.program != engines.AUTO:
            return all(map(engines.get(self.program).takes, case.boards))
        return self.is_ours or case.question == VERDICT or not OTHERS[self.program].is_for_verdicts


def our_contestants(cores: list[int]) -> list[Contestant]:
    """Return `auto` on each number of cores, and every engine on one."""
    auto = [
        Contestant(engines.AUTO if number == 1 else f"{engines.AUTO} ×{number}", engines.AUTO, __version__, number)
        for number in sorted({1, *cores})
    ]
    return [*auto, *(Contestant(name, name, __version__) for name in engines.names() if name != engines.AUTO)]


def other_contestants() -> list[Contestant]:
    """Return the installed programs; print the names of missing ones."""
    found = []
    for program in OTHERS.values():
        version = installed_version(program)
        if version is None:
            print(f"bench: {program.name} is not installed: left out", file=sys.stderr)
        else:
            found.append(Contestant(program.name, program.name, version))
    return found


class Contest:
    """Measurements of all cases by all programs, in rounds. Programs take turns on each board."""

    def __init__(
        self,
        table: Table[Large],
        contestants: list[Contestant],
        cases: list[Case],
        limit: float,
        iterations: int,
        seed: int | None = None,
    ) -> None:
        """Prepare the measurements. With `seed`, each round measures another rearrangement of all boards."""
        self.table, self.contestants, self.cases = table, contestants, cases
        self.limit, self.iterations, self.seed = limit, iterations, seed
        self.failed: dict[str, str] = {}
        """Programs that are left out, and the reasons."""

    @property
    def total(self) -> int:
        return self.iterations * len(self.cases) * len(self.contestants)

    def steps(self) -> Iterator[Step]:
        """Yield the steps of all rounds."""
        for iteration, case, each in product(range(self.iterations), self.cases, self.contestants):
            is_idle = (
                not each.takes(case)
                or each.name in self.failed
                or self.is_done(iteration, case, each)
                or self.is_left_out(case, each)
            )
            work = None if is_idle else partial(self.measure, iteration, case, each)
            yield Step(case.name, each.name, work, is_extra=iteration > 0)

    def is_done(self, iteration: int, case: Case, each: Contestant) -> bool:
        wanted = (case.section, case.name, each.name, iteration)
        return any((row.section, row.board, row.program, row.iteration) == wanted for row in self.table.rows)

    def is_left_out(self, case: Case, each: Contestant) -> bool:
        """Return True if the program has exceeded the limit on STRIKES such boards of the section."""
        alike = {
            other.name
            for other in self.cases
            if (other.section, other.question, other.boards[0].shape)
            == (case.section, case.question, case.boards[0].shape)
        }
        late = {
            row.board
            for row in self.table.rows
            if (row.section, row.program) == (case.section, each.name) and row.board in alike and not row.is_complete
        }
        is_needed = each.program in (engines.AUTO, REFERENCES[case.question])
        return len(late) >= STRIKES and not is_needed and case.solutions is not None

    def measure(self, iteration: int, case: Case, each: Contestant) -> None:
        """Add a row; leave a program out that fails or is wrong, but end the command if it is ours."""
        if self.seed is not None:
            case = rearranged_case(case, self.seed, iteration)
        try:
            found = run(case, each, self.limit)
        except SystemExit as error:
            if each.is_ours:
                raise
            self.failed[each.name] = f"from {case.name} on: {str(error).strip().splitlines()[-1]}"
            return
        wrong = [number for number in found.solutions if is_wrong(int(number), found.is_complete, case.solutions)]
        if wrong:
            message = f"{case.name} has {case.solutions} solutions, and {each.name} found {wrong[0]}"
            if each.is_ours:
                raise SystemExit(f"bench: {message}")
            self.failed[each.name] = f"from {case.name} on: {message}"
            return
        answer, cpu = " ".join(sorted(set(found.solutions))), None if found.cpu < 0 else found.cpu
        self.table.add(
            Large(
                case.section, case.name, case.question, each.name, each.version, iteration,
                answer, found.is_complete, found.seconds, cpu, found.memory,
            )
        )  # fmt: skip


def is_wrong(found: int, is_complete: bool, known: int | None) -> bool:
    """Return True if an answer contradicts the known number of solutions. A partial one may be smaller."""
    return known is not None and (found != known if is_complete else found > known)


def run(case: Case, each: Contestant, limit: float) -> Result:
    """Measure in a new process. A program that does not stop by itself is killed, with nothing found."""
    boards = case.boards
    trial = Trial(str(boards[0].shape), list(map(str, boards)), case.question, each.program, each.cores, limit)
    try:
        text = run_module(
            "bench.study.large.trial", text=json.dumps(asdict(trial)), timeout=limit * len(boards) + READY_SECONDS
        )
    except TimeLimitError as error:
        return Result(["0"], False, limit * len(boards), -1.0, error.memory)
    return Result(**json.loads(text))
