"""The exact number of solutions with each digit in each cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple, overload

from enumerator import engines
from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.engines.interfaces import CandidateCounter
from enumerator.questions.fields import ROW_BOARD_FIELDS, SECONDS, Field, in_text, no_words, only_json, to_dict
from enumerator.run.chooser import steady_engine
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Meter, Watch, no_progress
from enumerator.text.phrases import plural, whole

MOST_CLUES = 5
"""The largest number of clues to suggest."""


class Clue(NamedTuple):
    """A digit in an empty cell, and the number of solutions that it leaves."""

    solutions: int
    cell: int
    digit: int

    def place(self, size: int) -> str:
        return cell_name(self.cell, size)


@dataclass(frozen=True, slots=True, repr=False)
class CandidatesAnswer:
    """The number of solutions of a board with each digit in each cell.

    Rows and columns are numbered from 0, digits from 1:

        answer[row, column, digit]          the number of solutions with this digit there
        answer[row, column][digit - 1]      the same
        answer[cell][digit - 1]             the same, where cells are numbered row by row

    >>> answer = en.candidates("12.. 3... 2... 4...")
    >>> answer[2, 2, 4], answer[10]
    (3, [1, 0, 2, 3])
    """

    board: Board
    counts: list[list[int]]
    """The number of solutions with each digit, for each cell, row by row."""
    engine: str
    cores: int
    seconds: float

    @overload
    def __getitem__(self, place: int | tuple[int, int]) -> list[int]: ...
    @overload
    def __getitem__(self, place: tuple[int, int, int]) -> int: ...
    def __getitem__(self, place: int | tuple[int, ...]) -> list[int] | int:
        """Return the counts of a cell, by its number or its row and column; or that of one digit."""
        if not isinstance(place, tuple):
            return self.counts[place]
        size = self.board.shape.size
        if len(place) not in (2, 3):
            raise IndexError(f"a candidate is at [row, column, digit], not at {place!r}")
        row, column, *digits = place
        if not (0 <= row < size and 0 <= column < size and all(1 <= digit <= size for digit in digits)):
            raise IndexError(f"{self.board.shape.title} has no {place!r}: rows and columns begin at 0, digits at 1")
        counts = self.counts[row * size + column]
        return counts[digits[0] - 1] if digits else counts

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.counts)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the counts of each cell, row by row."""
        return iter(self.counts)

    def __repr__(self) -> str:
        return f"<CandidatesAnswer: {self.headline}{f', {self.advice}' if self.solutions > 1 else ''}>"

    def __str__(self) -> str:
        return "\n".join([*self._sentences(), "", self.table()])

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        from enumerator.board.pictures import candidates_svg

        return candidates_svg(self.board, self.counts, self.board.shape.title, self._sentences())

    def _sentences(self) -> list[str]:
        """Return the number of solutions, and sentences about clues if there are several."""
        return [self.headline, *(self.advise("{:,}") if self.solutions > 1 else [])]

    @property
    def headline(self) -> str:
        """The verdict or the number of solutions: unique, no solution, 1,234 solutions."""
        if self.solutions < 2:
            return "unique" if self.solutions else "no solution"
        return f"{whole(self.solutions, '{:,}')} solutions"

    def table(self) -> str:
        """Return a line for each cell, with the counts of all digits in columns."""
        size, symbols = self.board.shape.size, self.board.shape.symbols
        places = [cell_name(cell, size) for cell in range(size * size)]
        rows = [["", *symbols], *([place, *map(str, row)] for place, row in zip(places, self.counts, strict=True))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            f"{row[0]:<{widths[0]}}  "
            + "  ".join(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
            for row in rows
        )

    @property
    def solutions(self) -> int:
        """The number of solutions."""
        return sum(self.counts[0])

    @property
    def clues(self) -> list[Clue]:
        """The clues that would reduce the number of solutions. Those that leave the fewest come first."""
        return sorted(
            Clue(solutions, cell, digit)
            for cell, row in enumerate(self.counts)
            for digit, solutions in enumerate(row, 1)
            if 0 < solutions < self.solutions
        )

    @property
    def advice(self) -> str:
        """A sentence about the clues that would make the board unique, or nearly so."""
        first, *others = self.advise("{:,}")
        return f"{first}: {', '.join(others)}" if others else first

    def advise(self, integer: str = "{}") -> list[str]:
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
        """Return all facts. `candidates` has the counts of the digits from 1 on, for each cell, row by row."""
        return to_dict(FIELDS, self)


def _closest_clues(answer: CandidatesAnswer) -> list[dict[str, object]]:
    clues, size = answer.clues, answer.board.shape.size
    some = [clue for clue in clues if clue.solutions == 1] or clues[:MOST_CLUES]
    return [{"cell": clue.place(size), "digit": clue.digit, "solutions": str(clue.solutions)} for clue in some]


def _rows(answer: CandidatesAnswer) -> Iterator[dict[str, object]]:
    """Yield a row for each cell and digit, with the number of solutions that have it there."""
    for cell, counts in enumerate(answer.counts):
        name = cell_name(cell, answer.board.shape.size)
        for digit, count in enumerate(counts, 1):
            yield {"cell": name, "digit": digit, "count": count, "solutions": str(answer.solutions)}


FIELDS = (
    *ROW_BOARD_FIELDS,
    Field(
        "solutions", lambda answer: str(answer.solutions), in_text(lambda answer: whole(answer.solutions)), "", 1, ()
    ),
    Field(
        "candidates",
        lambda answer: [[str(count) for count in row] for row in answer.counts],
        no_words,
        columns=("cell", "digit", "count", "solutions"),
        rows=_rows,
    ),
    Field("closest_clues", _closest_clues, lambda answer, _, style: answer.advise(style.integer), "clues", 2, ()),
    Field(
        "engine",
        lambda answer: answer.engine,
        lambda answer, *_: f"{answer.engine}, {plural(answer.cores, 'core')}",
        "",
        3,
        (),
    ),
    only_json("cores", lambda answer: answer.cores),
    SECONDS.but(words=lambda answer, *_: f"{answer.seconds:.3f} s", columns=()),
)


def candidates(board: Board, plan: Plan, *, watch: Watch = no_progress) -> CandidatesAnswer:
    """Count the candidates of a board."""
    started, cores = perf_counter(), plan.effective_cores()
    (name, counter), meter = find_counter(board, plan), Meter()

    def report() -> None:
        watch(meter.read(name, counter.effort, counter.share, counter.found))

    for work in counter.rounds(plan.pacing.candidate_pieces * cores):
        with closing(map_ordered(work, cores, tick=report if cores > 1 else None)) as results:
            for result in results:
                counter.add(result)
                report()
    return CandidatesAnswer(board, counter.counts(), name, cores, perf_counter() - started)


def find_counter(board: Board, plan: Plan) -> tuple[str, CandidateCounter]:
    """Return the name and the counter of the plan's engine, or of the next one that has one."""
    chosen = steady_engine(board, plan.engine)
    others = [engine for engine in engines.supporting(board) if engine is not chosen]
    for engine in (chosen, *others):
        if counter := engine.candidates(board, plan.pacing.sizes):
            return engine.name, counter
    raise RuntimeError("no engine counts candidates")
