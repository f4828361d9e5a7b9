"""The exact number of solutions with each digit in each cell."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import NamedTuple

from enumerator import engines
from enumerator.board import Board
from enumerator.board.phrases import plural
from enumerator.engines.lists import CandidateCounter
from enumerator.questions.facts import board_facts
from enumerator.run.chooser import steady_engine
from enumerator.run.ordered import map_ordered
from enumerator.run.plan import OutOfTimeError, Plan
from enumerator.run.progress import Progress, Watch, no_progress

MOST_CLUES = 5
"""The largest number of clues to suggest."""


class Clue(NamedTuple):
    """A digit in an empty cell, and the number of solutions that it leaves."""

    solutions: int
    cell: int
    digit: int

    def place(self, size: int) -> str:
        return f"r{self.cell // size + 1}c{self.cell % size + 1}"


@dataclass(frozen=True, slots=True)
class CandidatesAnswer:
    """The number of solutions of a board with each digit in each cell."""

    board: Board
    counts: list[list[int]]
    engine: str
    cores: int
    seconds: float

    @property
    def solutions(self) -> int:
        return sum(self.counts[0])

    @property
    def clues(self) -> list[Clue]:
        """The clues that would reduce the number of solutions.

        Those that leave the fewest come first.
        """
        return sorted(
            Clue(solutions, cell, digit)
            for cell, row in enumerate(self.counts)
            for digit, solutions in enumerate(row, 1)
            if 0 < solutions < self.solutions
        )

    def advice(self, integer: str = "{}") -> list[str]:
        """Return sentences about the clues that would make the board unique, or nearly so."""
        size, symbols = self.board.shape.size, self.board.shape.symbols
        clues = self.clues
        unique = [clue for clue in clues if clue.solutions == 1]

        def describe(clue: Clue) -> str:
            return f"{clue.place(size)} = {symbols[clue.digit - 1]}"

        if self.solutions < 2:
            return ["no solution" if not self.solutions else "unique as it is"]
        if unique:
            more = f" and {plural(len(unique) - MOST_CLUES, 'other')}" if len(unique) > MOST_CLUES else ""
            return [f"unique with {', '.join(map(describe, unique[:MOST_CLUES]))}{more}"]
        closest = [f"{describe(clue)} leaves {integer.format(clue.solutions)}" for clue in clues[:MOST_CLUES]]
        return ["no single clue makes it unique", *closest]

    def to_dict(self) -> dict[str, object]:
        """Return all facts.

        `candidates` has the counts of the digits from 1 on, for each cell, row by row.
        """
        clues, size = self.clues, self.board.shape.size
        some = [clue for clue in clues if clue.solutions == 1] or clues[:MOST_CLUES]
        return {
            **board_facts(self.board),
            "solutions": str(self.solutions),
            "candidates": [[str(count) for count in row] for row in self.counts],
            "closest_clues": [
                {"cell": clue.place(size), "digit": clue.digit, "solutions": str(clue.solutions)} for clue in some
            ],
            "engine": self.engine,
            "cores": self.cores,
            "seconds": round(self.seconds, 6),
        }


def candidates(
    board: Board, plan: Plan, *, time_limit: float | None = None, watch: Watch = no_progress
) -> CandidatesAnswer:
    """Count the candidates of a board. Raise OutOfTimeError after `time_limit` seconds."""
    started, cores = perf_counter(), plan.effective_cores()
    name, counter = find_counter(board, plan)
    deadline = inf if time_limit is None else started + time_limit
    for work in counter.rounds(plan.pacing.candidate_pieces * cores):
        with closing(map_ordered(work, cores)) as results:
            for result in results:
                counter.add(result)
                watch(Progress(counter.share, counter.found))
                if perf_counter() > deadline:
                    raise OutOfTimeError
    return CandidatesAnswer(board, counter.counts(), name, cores, perf_counter() - started)


def find_counter(board: Board, plan: Plan) -> tuple[str, CandidateCounter]:
    """Return the name and the counter of the plan's engine, or of the next one that has one."""
    chosen = steady_engine(board, plan.engine)
    others = [engine for engine in engines.supporting(board) if engine is not chosen]
    for engine in (chosen, *others):
        if counter := engine.candidates(board, plan.pacing.sizes):
            return engine.name, counter
    raise RuntimeError("no engine counts candidates")
