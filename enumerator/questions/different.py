"""The number of essentially different solutions: solutions up to the symmetries that fix the board.

    G    the symmetries that fix the clues and pencil marks of a board: exchanges of rows, columns, digits …

Two solutions are essentially the same if a symmetry of G leads from one to the other. By Burnside's
lemma, the number of classes is the mean number of solutions that a symmetry of G fixes. The identity fixes
all of them; they are counted like those of any board. `fixed/` counts those of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from time import perf_counter
from typing import TYPE_CHECKING

from enumerator.board import Board
from enumerator.board.canonical import CanonicalForm, find_form
from enumerator.board.symmetry import SymmetryGroup
from enumerator.questions.ask import OutOfTimeError, carrying, within
from enumerator.questions.count import count
from enumerator.questions.count_answer import EARLIER_RUNS, EarlierRuns
from enumerator.questions.fields import SECONDS, SILENT_BOARD_FIELDS, Field, no_words, to_dict
from enumerator.questions.fixed.arrangements import (
    MOST_ELEMENTS,
    ArrangementClass,
    TooManySymmetriesError,
    arrangement_of,
    classes,
)
from enumerator.questions.fixed.relabellings import DigitKinds
from enumerator.questions.fixed.work import FixedCounter
from enumerator.questions.solution_classes import first_of_forms, first_of_orbits, list_solutions, up_to_labels
from enumerator.run.plan import Plan
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.partial_counts import at_least
from enumerator.text.phrases import plural, whole

if TYPE_CHECKING:
    from enumerator.run.ledger import Ledger

MOST_LISTED = 100_000
"""The number of solutions up to which they are listed, if there are too many symmetries: some seconds."""

MOST_KEPT = 2_000
"""The number of symmetries up to which all solutions that are symmetric to one are kept."""

COUNT_SECONDS = 1.0
"""The time in which the different solutions are counted before they are listed."""


@dataclass(frozen=True, slots=True, repr=False)
class DifferentAnswer:
    """The number of essentially different solutions of a board.

    >>> answer = en.different_answer("." * 16)
    >>> answer
    <DifferentAnswer: 2 of 288 solutions>
    >>> answer.symmetries
    3072
    """

    board: Board
    different: int
    """The number of solutions up to the symmetries that fix the board; a lower bound if not `complete`."""
    solutions: int
    """The number of solutions; if not `solutions_complete`, those that were counted so far."""
    complete: bool
    """True if `different` is exact."""
    solutions_complete: bool
    """True if `solutions` is exact. They are counted after the symmetries are found, and before the classes."""
    symmetries: int
    """The number of symmetries that fix the board, with the identity."""
    engine: str
    """The engine that counted the solutions."""
    cores: int
    nodes: int
    """The nodes of the searches for solutions that symmetries fix."""
    seconds: float
    before: EarlierRuns | None = None
    """The work of earlier runs with the same ledger."""

    def __repr__(self) -> str:
        all_solutions = at_least(plural(self.solutions, "solution", "{:,}"), self.solutions_complete)
        return f"<DifferentAnswer: {at_least(f'{self.different:,}', self.complete)} of {all_solutions}>"

    def to_dict(self) -> dict[str, object]:
        """Return all facts; integers that may exceed 53 bits are strings."""
        return to_dict(FIELDS, self)


FIELDS = (
    *SILENT_BOARD_FIELDS,
    Field(
        "different",
        lambda answer: str(answer.different),
        lambda answer, *_: at_least(whole(answer.different), answer.complete),
        place=10,
    ),
    Field(
        "solutions",
        lambda answer: str(answer.solutions),
        lambda answer, *_: at_least(whole(answer.solutions), answer.solutions_complete),
        place=20,
    ),
    Field("complete", lambda answer: answer.complete, no_words),
    Field("solutions_complete", lambda answer: answer.solutions_complete, no_words),
    Field("symmetries", lambda answer: str(answer.symmetries), lambda answer, *_: whole(answer.symmetries), place=30),
    Field(
        "engine",
        lambda answer: answer.engine,
        lambda answer, *_: f"{answer.engine}, {plural(answer.cores, 'core')}",
        place=40,
    ),
    Field("cores", lambda answer: answer.cores, no_words),
    Field("nodes", lambda answer: answer.nodes, no_words),
    SECONDS,
    EARLIER_RUNS,
)


def different(board: Board, plan: Plan, *, ledger: Ledger | None = None, watch: Watch = no_progress) -> DifferentAnswer:
    """Count the essentially different solutions of a board.

    `ledger` records the count, so that it can be resumed: first that of all solutions, then, instead of it,
    that of the fixed ones. Errors that end the question have in `answer` the solutions so far, and a lower bound.
    Raise TooManySymmetriesError if the board has too many symmetries to list, and too many solutions.
    """
    counting = _Different(board, plan, ledger, watch)
    with carrying(counting.answer):
        counting.run()
    return counting.answer()


class _Different:
    """A count of essentially different solutions in progress."""

    def __init__(self, board: Board, plan: Plan, ledger: Ledger | None, watch: Watch) -> None:
        self.board, self.plan, self._ledger, self._watch = board, plan, ledger, watch
        self.before: EarlierRuns | None = None
        if ledger and not ledger.is_new:
            self.before = EarlierRuns(ledger.contents.totals.finished, ledger.contents.seconds)
        self.started = perf_counter()
        self.solutions, self.symmetries, self.solutions_complete = 0, 0, False
        self.different: int | None = None
        self.engine, self.cores, self.nodes = "", 1, 0

    def run(self) -> None:
        """Count the solutions, then those that symmetries fix."""
        found = find_form(self.board, lambda: self._watch(Progress(stage="symmetries")))
        kinds = DigitKinds(self.board)
        order = found.automorphisms // kinds.order
        self.symmetries = found.automorphisms
        has_classes = can_list_classes(self.board, order)
        if not (self._ledger and self._resume(self._ledger)):
            self._count(None if has_classes else MOST_LISTED)
        if self.solutions < 2 or order == 1:
            self.different = min(self.solutions, 1) if order > 1 else self.solutions // kinds.order
            if self._ledger and has_classes:
                self._ledger.note(solutions=str(self.solutions))
                self._ledger.commit(last=True)
        elif has_classes:
            self.different = self._by_classes(found, kinds, order)
        elif self.solutions_complete:
            solutions = list_solutions(self.board, self.plan)
            self.different = sum(1 for _ in first_of_orbits(solutions, found.generators))
        else:
            raise TooManySymmetriesError(
                f"the board has {order:,} symmetries without relabelling, which are too many to list,"
                f" and more than {MOST_LISTED:,} solutions"
            )

    def _resume(self, ledger: Ledger) -> bool:
        """Take the number of solutions from a ledger; return False if they are not all counted."""
        if (known := ledger.contents.run.get("solutions")) is None:
            return False
        self.solutions, self.solutions_complete, self.engine = int(known), True, ledger.engine
        return True

    def _count(self, limit: int | None) -> None:
        """Count the solutions. With a limit they are not recorded: such a count takes a moment."""
        ledger = self._ledger if limit is None else None

        def watch(progress: Progress) -> None:
            self.solutions = max(self.solutions, progress.solutions or 0)
            self._watch(progress)

        counted = count(self.board, self.plan._replace(limit=limit), ledger=ledger, watch=watch)
        self.solutions, self.solutions_complete = counted.solutions, counted.complete
        self.engine, self.cores = counted.engine, counted.cores

    def _by_classes(self, found: CanonicalForm, kinds: DigitKinds, order: int) -> int:
        """Return the mean, over all arrangements that fix the board, of the solutions that each fixes."""

        def report() -> None:
            self._watch(Progress(stage="symmetries"))

        generators = map(arrangement_of, found.generators)
        all_classes = classes(self.board.shape, generators, order, report)
        counter = FixedCounter(self.board, kinds, [one for one in all_classes if not is_identity(one)])

        def tell_share() -> None:
            self.nodes = counter.nodes
            self._watch(Progress(counter.share, stage="symmetries", effort=counter.nodes, unit="nodes", predicts=False))

        cores = self.plan.effective_cores()
        self.cores = max(self.cores, cores)
        if self._ledger:
            fixed = counter.run_recorded(cores, tell_share, self._ledger, self.engine, self.solutions)
        else:
            fixed = counter.run(cores, tell_share)
        self.nodes = counter.nodes
        mean, rest = divmod(self.solutions // kinds.order + fixed, order)
        if rest or self.solutions % kinds.order:
            raise RuntimeError(f"{self.solutions} solutions and {fixed} fixed ones do not divide by {order}")
        return mean

    def answer(self) -> DifferentAnswer:
        """Return what is known."""
        different, complete = self.different, self.different is not None
        if different is None:
            different = -(-self.solutions // max(1, self.symmetries)) if self.symmetries else min(1, self.solutions)
        return DifferentAnswer(
            self.board,
            different,
            self.solutions,
            complete,
            self.solutions_complete,
            self.symmetries,
            self.engine,
            self.cores,
            self.nodes,
            perf_counter() - self.started,
            self.before,
        )


def is_identity(one: ArrangementClass) -> bool:
    """Return True if an arrangement changes nothing."""
    return one.first == bytes(range(len(one.first)))


def can_list_classes(board: Board, order: int) -> bool:
    """Return True if the classes of a board's group of `order` arrangements can be listed."""
    group = SymmetryGroup(board.shape)
    return max(group.lines) <= MOST_ELEMENTS if order == group.arrangements else order <= MOST_ELEMENTS


def different_solutions(board: Board, plan: Plan, *, watch: Watch = no_progress) -> Iterator[bytes]:
    """Yield the cells of one solution of each class.

    The list ends with the last class, if a second is enough to count the classes.
    """
    listed = 0

    def solutions(start: Board) -> Iterator[bytes]:
        nonlocal listed
        for solution in list_solutions(start, plan):
            listed += 1
            watch(Progress(stage="different", solutions=listed))
            yield solution

    found = find_form(board, lambda: watch(Progress(stage="symmetries")))
    if found.automorphisms == 1:
        yield from solutions(board)
    elif found.automorphisms <= MOST_KEPT:
        yield from islice(first_of_orbits(solutions(board), found.generators), _count_soon(board, plan, watch))
    else:
        number = _count_soon(board, plan, watch)
        some = chain.from_iterable(map(solutions, up_to_labels(board)))
        yield from islice(first_of_forms(board, some), number)


def _count_soon(board: Board, plan: Plan, watch: Watch) -> int | None:
    """Return the number of essentially different solutions, or None if it is not known soon."""
    with suppress(TooManySymmetriesError, OutOfTimeError):
        return different(board, plan, watch=within(COUNT_SECONDS, watch)).different
    return None
