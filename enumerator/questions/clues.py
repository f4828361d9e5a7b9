"""The clues of a board: the number of solutions without each, and which of them are superfluous.

Each clue is taken away alone. It is superfluous if the board has no more solutions without it. Two
superfluous clues may need each other. A board is minimal if it has one solution and no superfluous clue.

Where an engine counts without visiting solutions, one call of it counts all boards that take it a moment; sums
that take long are shared out among the cores. Elsewhere, most boards without a clue take one call of a kernel.
The others get verdicts: a solution without the clue that is not one with it has another digit in the cell. So
the digit is forbidden there, and the clue is superfluous if no solution is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from math import log
from time import perf_counter

from enumerator import engines
from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.engines import SLICE_SECONDS, Counting, Engine
from enumerator.engines.board_blocks import BoardCounts
from enumerator.engines.interfaces import Work
from enumerator.engines.stopping import TaskStoppedError, is_stopped
from enumerator.questions.ask import carrying
from enumerator.questions.fields import ROW_BOARD_FIELDS, SECONDS, Field, in_text, only_json, to_dict
from enumerator.questions.solve import solve
from enumerator.questions.verdict import Decision, decide, decide_at_once, node_budget
from enumerator.run.counting import tallies
from enumerator.run.maps.ordered import map_ordered
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.partial_counts import with_plus
from enumerator.text.phrases import plural, whole

FIRST_SUM_SECONDS = 0.003
"""The time at most that a sum takes before all are shared out among threads."""

MOST_SUMS = 8
"""The largest number of sums at a time. Each may take 170 MB."""


@dataclass(frozen=True, slots=True)
class ClueCount:
    """A clue, and the number of solutions of the board without it."""

    cell: int
    digit: int
    solutions: int
    """The number of solutions without the clue; a lower bound unless it is `exact`."""
    exact: bool
    superfluous: bool
    """True if the board has no more solutions without the clue."""

    def describe_count(self, integer: str = "{}") -> str:
        """Return the number of solutions; a + marks a lower bound."""
        return with_plus(whole(self.solutions, integer), self.exact)


@dataclass(frozen=True, slots=True, repr=False)
class CluesAnswer:
    """The clues of a board, row by row, each with the number of solutions of the board without it.

    >>> answer = en.clues("1... ..2. .3.. 2..4")
    >>> [(clue.cell, clue.solutions) for clue in answer]
    [(0, 2), (6, 3), (9, 3), (12, 1), (15, 2)]
    >>> answer.superfluous, answer.minimal
    (((3, 0),), False)
    """

    board: Board
    solutions: int
    """The number of solutions of the board; a lower bound unless it is `exact`."""
    exact: bool
    clues: tuple[ClueCount, ...]
    """The clues that were judged."""
    seconds: float

    def __iter__(self) -> Iterator[ClueCount]:
        return iter(self.clues)

    def __len__(self) -> int:
        """Return the number of clues that were judged."""
        return len(self.clues)

    def __repr__(self) -> str:
        return f"<CluesAnswer: {self.headline}>"

    def __str__(self) -> str:
        lines = (f"{self.name(clue)}: {clue.describe_count('{:,}')}" for clue in self.clues)
        return "\n".join([self.headline, *lines])

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        from enumerator.board.pictures import clues_svg

        return clues_svg(self.board, self.levels, self.board.shape.title, [self.headline])

    @property
    def solutions_complete(self) -> bool:
        """True if `solutions` is exact: the name that other answers have for it."""
        return self.exact

    @property
    def complete(self) -> bool:
        """True if all clues were judged."""
        return len(self.clues) == self.board.shape.cells - self.board.empty_cells

    @property
    def superfluous(self) -> tuple[tuple[int, int], ...]:
        """The rows and columns of the superfluous clues, numbered from 0, row by row."""
        return tuple(divmod(clue.cell, self.board.shape.size) for clue in self.clues if clue.superfluous)

    @property
    def unique(self) -> bool:
        """True if the board has exactly one solution."""
        return self.exact and self.solutions == 1

    @property
    def minimal(self) -> bool | None:
        """True if the board has one solution, and more without any one of its clues; None if that is unknown."""
        if not self.unique or self.superfluous:
            return False
        return True if self.complete else None

    @property
    def levels(self) -> dict[int, float]:
        """How much depends on each clue, by cell: 0 for a superfluous one, 1 for the one that holds back most.

        In between it is proportional to the logarithm of the factor by which the solutions increase.
        """
        base = max(1, self.solutions)
        most = log(max([base, *(clue.solutions for clue in self.clues)]) / base) or 1.0
        return {
            clue.cell: 0.0 if clue.superfluous else log(max(clue.solutions, base) / base) / most if clue.exact else 1.0
            for clue in self.clues
        }

    @property
    def headline(self) -> str:
        """The verdict, and the number of superfluous clues: unique, 3 of 25 clues are superfluous."""
        count = f"{with_plus(whole(self.solutions, '{:,}'), self.exact)} solutions"
        verdict = "no solution" if not self.solutions else "unique" if self.unique else count
        if self.minimal:
            return f"minimal: {verdict}, and no clue is superfluous"
        clues = plural(self.board.shape.cells - self.board.empty_cells, "clue", "{:,}")
        among = clues if self.complete else f"the {len(self.clues):,} judged of {clues}"
        if not (cells := self.superfluous):
            return f"{verdict}, none of {among} is superfluous"
        return f"{verdict}, {len(cells):,} of {among} {'is' if len(cells) == 1 else 'are'} superfluous"

    def name(self, clue: ClueCount) -> str:
        """Return a clue as text: r1c1 = 5."""
        return f"{cell_name(clue.cell, self.board.shape.size)} = {self.board.shape.symbols[clue.digit - 1]}"

    def to_dict(self) -> dict[str, object]:
        """Return all facts. `index` numbers the cells from 0, row by row."""
        return to_dict(FIELDS, self)


def _clue_facts(answer: CluesAnswer) -> list[dict[str, object]]:
    """Return the facts about each clue."""
    shape, levels = answer.board.shape, answer.levels
    return [
        {
            "cell": cell_name(clue.cell, shape.size),
            "index": clue.cell,
            "symbol": shape.symbols[clue.digit - 1],
            "solutions": str(clue.solutions),
            "exact": clue.exact,
            "superfluous": clue.superfluous,
            "level": round(levels[clue.cell], 3),
        }
        for clue in answer
    ]


def _judged_words(answer: CluesAnswer, *_: object) -> str | None:
    clues = answer.board.shape.cells - answer.board.empty_cells
    return None if answer.complete else f"{len(answer)} of {plural(clues, 'clue')}"


FIELDS = (
    *ROW_BOARD_FIELDS,
    only_json("headline", lambda answer: answer.headline),
    Field(
        "solutions",
        lambda answer: str(answer.solutions),
        in_text(lambda answer: with_plus(whole(answer.solutions), answer.exact)),
        place=10,
        columns=(),
    ),
    only_json("exact", lambda answer: answer.exact),
    Field(
        "minimal",
        lambda answer: answer.minimal,
        lambda answer, *_: {True: "yes", False: "no", None: "not known"}[answer.minimal],
        place=20,
        columns=(),
    ),
    Field(
        "superfluous",
        lambda answer: [cell_name(clue.cell, answer.board.shape.size) for clue in answer if clue.superfluous],
        lambda answer, *_: ", ".join(answer.name(clue) for clue in answer if clue.superfluous) or None,
        place=30,
        columns=(),
    ),
    Field(
        "clues",
        _clue_facts,
        lambda answer, _, style: [f"{answer.name(clue)}: {clue.describe_count(style.integer)}" for clue in answer],
        "without",
        40,
        ("cell", "symbol", "solutions", "exact", "superfluous"),
        rows=_clue_facts,
    ),
    only_json("complete", lambda answer: answer.complete),
    Field("judged", len, _judged_words, place=50, columns=()),
    SECONDS.but(columns=()),
)


def clues(board: Board, plan: Plan, *, exact: bool | None = None, watch: Watch = no_progress) -> CluesAnswer:
    """Return the number of solutions without each clue.

    With `exact`, every board is counted, however long that takes. Without it, a board that takes the
    kernel long gets a verdict. None: exact if an engine counts such boards without visiting solutions, or if
    the plan names an engine. Errors that end the question have the clues judged so far in `answer`.
    """
    return ClueJudge(board, plan, exact, watch).judge()


def find_superfluous(board: Board, plan: Plan, *, watch: Watch = no_progress) -> CluesAnswer:
    """Return the verdicts on the clues of a board with one solution.

    Raise NoSolutionError or NotUniqueError if the board has another number.
    """
    solve(board, plan, watch=watch)
    return clues(board, plan, exact=False, watch=watch)


class ClueJudge:
    """The judgement of the clues of a board, and what is known so far."""

    def __init__(self, board: Board, plan: Plan, exact: bool | None, watch: Watch) -> None:
        self.board, self.plan, self._watch = board, plan._replace(limit=None), watch
        self._started = perf_counter()
        self._cells = [cell for cell, digit in enumerate(board.cells) if digit]
        self._known: dict[int, ClueCount] = {}
        self._solutions, self._is_counted = 0, False
        self._is_named = is_named = plan.engine != engines.AUTO
        summing = None if is_named else find_summing_engine(board)
        self._exact = (is_named or summing is not None) if exact is None else exact
        self._counter = summing.without_clues(board) if summing and self._exact else None
        self._short: dict[int, int | None] = {}
        self._nodes = node_budget(board.shape, plan)

    def judge(self) -> CluesAnswer:
        """Count the solutions of the board, then those without each clue, the easy ones first."""
        self._count_board()
        with carrying(self.answer):
            hard = list(self._judge_easy())
            for cell, solutions in self._count_hard(hard) if self._exact else ():
                self._note(cell, solutions)
            for cell in () if self._exact else hard:
                self._note_verdict(cell)
        return self.answer()

    def answer(self) -> CluesAnswer:
        """Return what is known."""
        known = tuple(self._known[cell] for cell in self._cells if cell in self._known)
        return CluesAnswer(self.board, self._solutions, self._is_counted, known, perf_counter() - self._started)

    def _look(self, _: Progress | None = None) -> None:
        self._watch(Progress(len(self._known) / len(self._cells) if self._cells else None, stage="clues"))

    def _note(self, cell: int, solutions: int) -> None:
        superfluous = self._is_counted and solutions == self._solutions
        self._known[cell] = ClueCount(cell, self.board.cells[cell], solutions, True, superfluous)
        self._look()

    def _note_verdict(self, cell: int) -> None:
        """Judge a clue by whether there is a solution with another digit in its cell."""
        superfluous = not has_solution(without_digit(self.board, cell), self.plan, self._look)
        least = self._solutions if superfluous else max(2, self._solutions + 1)
        exact = superfluous and self._is_counted
        self._known[cell] = ClueCount(cell, self.board.cells[cell], least, exact, superfluous)
        self._look()

    def _count_board(self) -> None:
        """Count the solutions of the board itself; where only verdicts are wanted, up to two."""
        if self._counter:
            found, self._short = self._counter.short_counts()
        else:
            found = None if self._is_named else count_at_once(self.board, self._nodes)
        if found is None and self._exact:
            found = count_slowly(self.board, self.plan, self._watch)
        if found is None:
            code = decide(self.board, self.plan, with_solution=False, watch=self._watch).code
            found, self._is_counted = code, code < 2
        else:
            self._is_counted = True
        self._solutions = found

    def _judge_easy(self) -> Iterator[int]:
        """Count the boards that take a moment; yield the cells of the others.

        A number says nothing about a clue if the solutions of the board itself were not counted.
        """
        if (self._is_named and self._exact) or not self._is_counted:
            yield from self._cells
            return
        for cell in self._cells:
            found = self._short[cell] if self._counter else count_at_once(self.board.with_cell(cell, 0), self._nodes)
            if found is None:
                yield cell
            else:
                self._note(cell, found)

    def _count_hard(self, cells: list[int]) -> Iterator[tuple[int, int]]:
        """Yield cells and the numbers of solutions without their clues: sums on threads, or counts one by one."""
        counter = self._counter
        if counter is None:
            for cell in cells:
                yield cell, count_slowly(self.board.with_cell(cell, 0), self.plan, self._look)
            return
        at = 0
        while at < len(cells) and (counting := counter.begin(cells[at], FIRST_SUM_SECONDS)).step().complete:
            yield cells[at], counting.solutions
            at += 1
        if at == len(cells):
            return
        work = Work(summing(counter.begin), cells[at:])
        cores = max(1, min(self.plan.effective_cores(), MOST_SUMS, len(cells) - at))
        with closing(map_ordered(work, cores, tick=self._look)) as results:
            yield from results


def find_summing_engine(board: Board) -> Engine | None:
    """Return the engine that counts a board without visiting solutions; None if there is none."""
    return next((engine for engine in engines.supporting(board) if not engine.visits), None)


def summing(begin: Callable[[int, float], Counting]) -> Callable[[int], tuple[tuple[int, int], list[int]]]:
    """Return the function that counts the solutions without the clue of a cell, on one core."""

    def count(cell: int) -> tuple[tuple[int, int], list[int]]:
        counting = begin(cell, SLICE_SECONDS)
        while not counting.step().complete:
            if is_stopped():
                raise TaskStoppedError
        return (cell, counting.solutions), []

    return count


def count_at_once(board: Board, nodes: int) -> int | None:
    """Return the number of solutions of a board, counted by one call of a kernel; None if it takes more nodes."""
    out = BoardCounts(1)
    counted, _ = engines.count_boards(memoryview(board.cells), board.shape, nodes, engines.MOST, out, board.allowed)
    return out.counts[0] if counted else None


def count_slowly(board: Board, plan: Plan, watch: Watch) -> int:
    """Return the number of solutions of a board, counted on all cores."""
    if plan.engine != engines.AUTO and not engines.get(plan.engine).takes(board):
        plan = plan._replace(engine=engines.AUTO)
    solutions = 0
    with closing(tallies(board, plan)) as counting:
        for tally in counting:
            solutions = tally.solutions
            if not tally.complete:
                watch(Progress(tally.share, stage="clues"))
    return solutions


def without_digit(board: Board, cell: int) -> Board:
    """Return the board without the clue in a cell, where its digit is forbidden."""
    full, digit = (1 << board.shape.size) - 1, board.cells[cell]
    masks = list(board.allowed or (1 << clue - 1 if clue else full for clue in board.cells))
    masks[cell] = full ^ 1 << digit - 1
    cells = board.cells[:cell] + b"\0" + board.cells[cell + 1 :]
    return Board.from_cells(board.shape, cells, masks)


def has_solution(board: Board, plan: Plan, watch: Watch) -> bool:
    """Return True if a board has a solution: by one call of a kernel, or by a count on all cores."""
    first = decide_at_once(board, plan, with_solution=False)
    if isinstance(first, Decision):
        return first.code > 0
    if plan.engine != engines.AUTO and not engines.get(plan.engine).takes(board):  # because of the forbidden digit
        plan = plan._replace(engine=engines.AUTO)
    with closing(tallies(board, plan._replace(limit=0))) as counting:  # it looks for one solution
        for tally in counting:
            if tally.complete:
                return False
            watch(Progress())
    return True
