"""In how many solutions each digit stands in each cell, what that says of the board, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from enumerator.board import Board
from enumerator.board.wording import plural, printable
from enumerator.command.report import described, lines

CLOSEST = 5
"""So many clues are suggested."""


class Clue(NamedTuple):
    """A digit in an empty cell, and how many solutions it leaves."""

    solutions: int
    cell: int
    digit: int

    def place(self, size: int) -> str:
        return f"r{self.cell // size + 1}c{self.cell % size + 1}"


@dataclass(frozen=True, slots=True)
class Shares:
    """In how many solutions of a board each digit stands in each cell."""

    source: str
    board: Board
    counts: list[list[int]]
    engine: str
    cores: int
    seconds: float

    @property
    def title(self) -> str:
        return printable(self.source)

    @property
    def solutions(self) -> int:
        return sum(self.counts[0])

    @property
    def clues(self) -> list[Clue]:
        """What could be added and would narrow the board down, those first that leave the fewest solutions."""
        return sorted(
            Clue(solutions, cell, digit)
            for cell, row in enumerate(self.counts)
            for digit, solutions in enumerate(row, 1)
            if 0 < solutions < self.solutions
        )

    def advice(self, integer: str = "{}") -> list[str]:
        """Which clues would make the board unique, or come closest to that: in words."""
        size, symbols = self.board.shape.size, self.board.shape.symbols
        unique = [clue for clue in self.clues if clue.solutions == 1]

        def named(clue: Clue) -> str:
            return f"{clue.place(size)} = {symbols[clue.digit - 1]}"

        if self.solutions < 2:
            return ["no solution" if not self.solutions else "unique as it is"]
        if unique:
            more = f" and {plural(len(unique) - CLOSEST, 'other')}" if len(unique) > CLOSEST else ""
            return [f"unique with {', '.join(map(named, unique[:CLOSEST]))}{more}"]
        closest = [f"{named(clue)} leaves {integer.format(clue.solutions)}" for clue in self.clues[:CLOSEST]]
        return ["no single clue makes it unique", *closest]


def as_json(shares: Shares) -> str:
    """One object: for each cell, row by row, the counts of the digits from 1 on."""
    import json

    clues = shares.clues
    some = [clue for clue in clues if clue.solutions == 1] or clues[:CLOSEST]
    return json.dumps(
        {
            **described(shares.source, shares.board),
            "solutions": str(shares.solutions),
            "candidates": [[str(count) for count in row] for row in shares.counts],
            "closest_clues": [
                {"cell": clue.place(shares.board.shape.size), "digit": clue.digit, "solutions": str(clue.solutions)}
                for clue in some
            ],
            "engine": shares.engine,
            "cores": shares.cores,
            "seconds": round(shares.seconds, 6),
        }
    )


def as_table(shares: Shares) -> str:
    """A line for each cell, with the counts of all digits in columns."""
    size, symbols = shares.board.shape.size, shares.board.shape.symbols
    places = [f"r{row + 1}c{column + 1}" for row in range(size) for column in range(size)]
    rows = [["", *symbols], *([place, *map(str, row)] for place, row in zip(places, shares.counts, strict=True))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{row[0]:<{widths[0]}}  "
        + "  ".join(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    )


def as_text(shares: Shares) -> str:
    """The same, with what it says of the board."""
    figures = [("solutions", str(shares.solutions)), *(("clues", advice) for advice in shares.advice())]
    return f"{lines(shares.title, [*figures, ('time', work(shares))])}\n\n{as_table(shares)}"


def work(shares: Shares) -> str:
    """What it has taken."""
    return f"{shares.seconds:.3f} s, {shares.engine}, {plural(shares.cores, 'core')}"
