"""The fewest further clues that make a board unique, and the cell that tells most.

solution set    the solutions that the board and some further clues leave
single clues    known from the candidates: the digits that one solution has
exact search    by all solutions, where they are few enough, for two clues, then three, …
greedy          the clue that leaves the fewest solutions, again and again; said so: there may be a smaller set
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from math import comb, log2
from time import perf_counter
from typing import NamedTuple, TypeAlias

from enumerator.board import Board
from enumerator.board.isolating import LARGEST_NUMBER, LARGEST_SIZE, FullBoards
from enumerator.board.shape import cell_name
from enumerator.engines.interfaces import Work
from enumerator.questions.ask import carrying
from enumerator.questions.candidates import CandidatesAnswer, candidates
from enumerator.questions.fields import ROW_BOARD_FIELDS, SECONDS, Field, in_text, no_words, only_json, to_dict
from enumerator.questions.solutions import list_cores, pages, solution_list
from enumerator.questions.solve import no_solution
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.phrases import plural, rough, whole

MOST_SOLUTIONS = 1_000_000
"""The largest number of solutions of an exact search: 260 MB on 9×9."""

MOST_WORDS = 1 << 26
"""The largest number of cells of all solutions of an exact search, at 4 bytes each."""

MOST_VISITS = 500_000_000
"""The largest number of solutions that an exact search visits, again and again: 10 s on one core."""

MOST_SEARCHES = 8
"""The largest number of searches at a time. Each may copy all solutions."""

MOST_SETS = 1_000
"""The largest number of sets that an answer keeps."""

MOST_SHOWN = 20
"""The number of sets that a text names; JSON and CSV have more."""

NewClue: TypeAlias = tuple[int, int]
"""A cell, numbered row by row from 0, and the digit that it takes."""


class NextCell(NamedTuple):
    """What the digit of a cell would tell, if all solutions are equally likely."""

    cell: int
    expected: float
    """The expected number of solutions that remain when the digit of the cell is known."""
    bits: float
    """The information in the digit."""


@dataclass(frozen=True, slots=True, repr=False)
class CompleteAnswer:
    """The smallest known sets of further clues that make a board unique.

    >>> answer = en.complete("1234 3412 .... ....")
    >>> answer.needed, answer.exact, answer.number
    (2, True, 64)
    """

    board: Board
    solutions: int
    """The number of solutions of the board."""
    sets: tuple[tuple[NewClue, ...], ...]
    """Sets of clues, at most MOST_SETS of them: all smallest ones, or one that was found greedily."""
    number: int | None
    """The number of smallest sets; None if one was found greedily, or none."""
    at_least: int
    """The number of clues that are proven to be needed."""
    next: NextCell | None
    """The cell whose digit leaves the fewest solutions on average; None if there is one solution."""
    complete: bool
    """False if the search has ended early."""
    seconds: float

    def __len__(self) -> int:
        """Return the number of sets that the answer keeps."""
        return len(self.sets)

    def __iter__(self) -> Iterator[tuple[NewClue, ...]]:
        return iter(self.sets)

    def __repr__(self) -> str:
        return f"<CompleteAnswer: {self.headline}>"

    def __str__(self) -> str:
        return "\n".join([self.headline, *map(self.describe, self.sets)])

    @property
    def needed(self) -> int | None:
        """The number of clues of the sets; None if none was found."""
        return len(self.sets[0]) if self.sets else None

    @property
    def solutions_complete(self) -> bool:
        """True: the solutions are counted before sets are searched for."""
        return True

    @property
    def exact(self) -> bool:
        """True if no smaller set makes the board unique."""
        return self.needed == self.at_least

    @property
    def headline(self) -> str:
        """The number of clues and of sets: unique with 2 more clues, in 14 ways."""
        if self.needed is None:
            return f"at least {plural(self.at_least, 'more clue')} needed"
        if not self.needed:
            return "unique as it is"
        clues = plural(self.needed, "more clue")
        if self.number is None and self.exact:
            return f"unique with {clues}, found greedily; no fewer do"
        if self.number is None:
            return f"unique with {clues}, found greedily; at least {self.at_least} needed"
        return f"unique with {clues}, in {plural(self.number, 'way', '{:,}')}"

    def describe(self, clues: tuple[NewClue, ...]) -> str:
        """Return clues as text: r1c1 = 5, r2c2 = 1."""
        shape = self.board.shape
        return ", ".join(f"{cell_name(cell, shape.size)} = {shape.symbols[digit - 1]}" for cell, digit in clues)

    def to_dict(self) -> dict[str, object]:
        """Return all facts."""
        return to_dict(FIELDS, self)


def _sets(answer: CompleteAnswer) -> list[list[dict[str, str]]]:
    size, symbols = answer.board.shape.size, answer.board.shape.symbols
    return [
        [{"cell": cell_name(cell, size), "symbol": symbols[digit - 1]} for cell, digit in clues] for clues in answer
    ]


def _sets_words(answer: CompleteAnswer, *_: object) -> list[str]:
    more = (answer.number or 0) - MOST_SHOWN
    some = [answer.describe(clues) for clues in answer.sets[:MOST_SHOWN] if clues]
    return [*some, f"… and {more:,} others"] if more > 0 else some


def _rows(answer: CompleteAnswer) -> Iterator[dict[str, object]]:
    """Yield a row for each set; one without clues if no set is known."""
    return ({"clues": answer.describe(clues).split(", ") if clues else []} for clues in answer.sets or [()])


def _next(answer: CompleteAnswer) -> dict[str, object] | None:
    if answer.next is None:
        return None
    cell, expected, bits = answer.next
    name = cell_name(cell, answer.board.shape.size)
    return {"cell": name, "expected_solutions": round(expected, 6), "bits": round(bits, 6)}


def _next_words(answer: CompleteAnswer, *_: object) -> str | None:
    if answer.next is None:
        return None
    cell, expected, bits = answer.next
    return f"{cell_name(cell, answer.board.shape.size)}: {bits:.2f} bits, leaves {rough(expected)} on average"


FIELDS = (
    *ROW_BOARD_FIELDS,
    Field("headline", lambda answer: answer.headline, in_text(lambda answer: answer.headline), "needed", 20, ()),
    Field(
        "solutions",
        lambda answer: str(answer.solutions),
        lambda answer, _, style: whole(answer.solutions, style.integer),
        place=10,
        columns=(),
    ),
    Field("needed", lambda answer: answer.needed, no_words),
    Field("exact", lambda answer: answer.exact, no_words),
    Field("at_least", lambda answer: answer.at_least, no_words),
    only_json("number", lambda answer: None if answer.number is None else str(answer.number)),
    Field("sets", _sets, _sets_words, "clues", 30, ("clues",), rows=_rows),
    Field("next", _next, _next_words, "tells most", 40, ()),
    only_json("complete", lambda answer: answer.complete),
    SECONDS.but(columns=()),
)


def complete(board: Board, plan: Plan, most: int | None = None, *, watch: Watch = no_progress) -> CompleteAnswer:
    """Return the smallest sets of further clues that make a board unique.

    Sets of up to `most` clues are searched for exactly (None: as far as the search takes seconds). Where that is
    too much, or finds none, a set is found greedily. Raise NoSolutionError if the board has no solution. Errors that
    end the question have in `answer` what is known.
    """
    return Completion(board, plan, most or LARGEST_NUMBER, watch).find()


class Completion:
    """The search for the smallest sets, and what is known so far."""

    def __init__(self, board: Board, plan: Plan, most: int, watch: Watch) -> None:
        self.board, self.plan, self._most, self._watch = board, plan._replace(limit=None), most, watch
        self._started = perf_counter()
        self._sets: list[tuple[NewClue, ...]] = []
        self._number: int | None = None
        self._at_least = 0

    def find(self) -> CompleteAnswer:
        """Search for sets of no clue, of one, of two and so on, then greedily."""
        counts = candidates(self.board, self.plan, watch=self._watch)
        if not counts.solutions:
            raise no_solution(self.board)
        with carrying(lambda: self._answer(counts, is_complete=False)):
            if counts.solutions == 1:
                self._sets, self._number = [()], 1
            else:
                self._search(counts)
        return self._answer(counts, is_complete=True)

    def _answer(self, counts: CandidatesAnswer, *, is_complete: bool) -> CompleteAnswer:
        return CompleteAnswer(
            self.board,
            counts.solutions,
            tuple(self._sets),
            self._number,
            self._at_least,
            next_cell(counts) if counts.solutions > 1 else None,
            is_complete,
            perf_counter() - self._started,
        )

    def _search(self, counts: CandidatesAnswer) -> None:
        self._at_least = 1
        if singles := [(clue.cell, clue.digit) for clue in counts.clues if clue.solutions == 1]:
            self._sets, self._number = [(clue,) for clue in sorted(singles)[:MOST_SETS]], len(singles)
            return
        self._at_least = 2
        if not self._search_exactly(counts):
            self._sets = [find_greedily(self.board, counts, self.plan, self._watch)]

    def _search_exactly(self, counts: CandidatesAnswer) -> bool:
        """Search by all solutions, if they are few; return True if sets are found."""
        cells = [cell for cell, row in enumerate(counts) if max(row) < counts.solutions]
        number = counts.solutions
        if number > min(MOST_SOLUTIONS, MOST_WORDS // len(cells)) or self.board.shape.size > LARGEST_SIZE:
            return False
        full = None
        while self._at_least <= self._most and number * comb(len(cells), self._at_least - 1) <= MOST_VISITS:
            full = full or FullBoards(all_cells(self.board, self.plan, number, self._watch), len(counts), cells)
            if found := self._search_for(full, cells, self._at_least):
                self._sets, self._number = found
                return True
            self._at_least += 1
        return False

    def _search_for(
        self, full: FullBoards, cells: list[int], clues: int
    ) -> tuple[list[tuple[NewClue, ...]], int] | None:
        """Return some of the sets of this many clues, and the number of all; None if there is none."""
        sets, number, done = list[tuple[NewClue, ...]](), 0, 0

        def look() -> None:
            self._watch(Progress(done / len(cells), stage=f"sets of {clues} clues"))

        def search(first: int) -> tuple[tuple[int, list[tuple[NewClue, ...]]], list[int]]:
            return full.search(first, clues, MOST_SETS), []

        cores = min(self.plan.effective_cores(), MOST_SEARCHES)
        with closing(map_ordered(Work(search, range(len(cells))), cores, tick=look)) as results:
            for some, found in results:
                number, done = number + some, done + 1
                room = MOST_SETS - len(sets)
                sets += [tuple((cells[at], digit) for at, digit in chosen) for chosen in found[:room]]
                look()
        return (sets, number) if number else None


def next_cell(counts: CandidatesAnswer) -> NextCell:
    """Return the cell whose digit leaves the fewest solutions on average; of several, the first."""
    total = counts.solutions

    def known(cell: int) -> NextCell:
        row = [number for number in counts.counts[cell] if number]
        expected = sum(number * number for number in row) / total
        return NextCell(cell, expected, sum(number / total * log2(total / number) for number in row))

    open_cells = (cell for cell, row in enumerate(counts.counts) if max(row) < total)
    return min(map(known, open_cells), key=lambda one: (one.expected, one.cell))


def all_cells(board: Board, plan: Plan, number: int, watch: Watch) -> bytearray:
    """Return the cells of all solutions, concatenated."""
    found, cells = solution_list(board, plan), bytearray()
    with closing(pages(found, board.shape, list_cores(found, plan), as_cells=True)) as walked:
        for page in walked:
            cells += page.text
            watch(Progress(len(cells) / (number * board.shape.cells), stage="solutions"))
    if len(cells) != number * board.shape.cells:
        raise RuntimeError(f"{number} solutions were counted, but the list has another number")
    return cells


def find_greedily(board: Board, counts: CandidatesAnswer, plan: Plan, watch: Watch) -> tuple[NewClue, ...]:
    """Return clues that make a board unique: each leaves the fewest solutions."""
    chosen = list[NewClue]()
    while counts.solutions > 1:
        best = counts.clues[0]
        chosen.append((best.cell, best.digit))
        board = board.with_cell(best.cell, best.digit)
        watch(Progress(solutions=None, stage=f"{plural(len(chosen), 'clue')}, {whole(best.solutions)} solutions left"))
        counts = candidates(board, plan, watch=watch)
    return tuple(sorted(chosen))
