"""The number of solutions of a board as an answer: its fields, for one board and for blocks of boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from enumerator import engines
from enumerator.board import Board
from enumerator.engines import Tally
from enumerator.questions.fields import (
    ABSENT,
    BOARD_FIELDS,
    AnswerBlock,
    Field,
    Style,
    bounds_of,
    cells_column,
    facts_of,
    no_words,
    optional,
    same,
    text_of,
    to_dict,
)
from enumerator.run.plan import Plan
from enumerator.text.partial_counts import at_least, number_of_solutions, with_plus
from enumerator.text.phrases import lasting, measured, plural, rough_power, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from enumerator.engines.board_blocks import BoardBlock, BoardCounts
    from enumerator.questions.intervals import Interval
    from enumerator.questions.repeated import Times
    from enumerator.questions.verify import Verification
    from enumerator.text.columns import Column


class EarlierRuns(NamedTuple):
    """The work of earlier runs, as recorded in a ledger."""

    tasks: int
    seconds: float


class CountAnswer(NamedTuple):
    """The number of solutions of a board, and facts about the count.

    >>> answer = en.count_answer("." * 81, limit=2)
    >>> answer.solutions, answer.complete, answer.exceeded
    (2, False, True)
    """

    board: Board
    solutions: int
    complete: bool
    """True if `solutions` is the number of all solutions."""
    nodes: int
    seconds: float
    engine: str
    cores: int
    requested_cores: int | None
    """The number of cores that was requested; None: all."""
    tasks: int
    estimate: Interval | None = None
    """The estimated number of solutions; None if all were counted in time."""
    before: EarlierRuns | None = None
    verification: Verification | None = None
    ended: str = "complete"
    """The end of the count: `complete`, `limit` if it was exceeded, `time limit` or `stopped`."""
    solution: Board | None = None
    """The solution of a board with exactly one, if it was requested and found."""
    effort: int = 0
    """The effort of the engine, in its unit."""
    repeated: Times | None = None
    """The times of all counts, if the board was counted several times."""

    @property
    def verdict(self) -> str:
        """The verdict on the board: `unique`, `multiple` or `none`; `unknown` if the count does not tell."""
        if self.solutions > 1:
            return "multiple"
        return ("none", "unique")[self.solutions] if self.complete else "unknown"

    @property
    def exceeded(self) -> bool:
        """True if there are more solutions than the limit of the count."""
        return self.ended == "limit"

    @property
    def agrees(self) -> bool:
        """False if a verification contradicts the count."""
        return self.verification is None or self.verification.solutions == self.solutions

    @property
    def conflicts(self) -> list[str]:
        """Descriptions of the clues that contradict each other; empty if there is a solution."""
        return [] if self.solutions else [str(conflict) for conflict in self.board.conflicts()]

    def __repr__(self) -> str:
        facts = [number_of_solutions(self.solutions, self.complete)]
        if again := self.verification:
            facts.append(f"{again.way} {'agrees' if self.agrees else f'says {again.solutions:,}'}")
        if self.estimate and not self.estimate.caveat:
            facts.append(f"estimated total: {self.estimate}")
        return f"<CountAnswer: {', '.join(facts)}>"

    def to_dict(self) -> dict[str, object]:
        """Return all facts; integers that may exceed 53 bits are strings."""
        return to_dict(FIELDS, self)


def make_answer(
    board: Board,
    tally: Tally,
    seconds: float,
    plan: Plan,
    estimate: Interval | None = None,
    before: EarlierRuns | None = None,
    verification: Verification | None = None,
) -> CountAnswer:
    """Return the answer for a tally."""
    return CountAnswer(
        board,
        tally.solutions,
        tally.complete,
        tally.nodes,
        seconds,
        tally.engine,
        tally.cores,
        plan.cores,
        tally.tasks,
        estimate,
        before,
        verification,
        "complete" if tally.complete else "limit" if tally.solutions == plan.limit else "stopped",
        effort=tally.effort,
    )


# ------------------------------------------------------------------------------------------------ fields


class CountedBlock(AnswerBlock):
    """The counts of consecutive boards, with the facts and the unique solutions if they were requested."""

    def __init__(self, block: BoardBlock, out: BoardCounts, plan: Plan) -> None:
        super().__init__(block)
        self.fields, self.facts, self.counts, self.unique, self.plan = FIELDS, out.facts, out.counts, out.unique, plan

    @property
    def has_columns(self) -> bool:
        """False if a board has no solution, as conflicts are named then, and for boards with pencil marks."""
        return super().has_columns and not self.block.allowed and 0 not in self.counts[: self.boards]

    def answer(self, number: int) -> CountAnswer:
        answer = self._make(self.block.board(number), self.counts[number])
        if self.facts:
            answer = answer._replace(nodes=self.facts.nodes[number], seconds=self.facts.nanoseconds[number] / 1e9)
        if self.unique and answer.verdict == "unique":
            shape = self.block.shape
            cells = bytes(self.unique[number * shape.cells : (number + 1) * shape.cells])
            answer = answer._replace(solution=Board.from_valid(shape, cells))
        return answer

    def _make(self, board: Board, found: int) -> CountAnswer:
        """Return the answer for a board with `found` solutions, or more than the limit."""
        limit = self.plan.limit
        complete = limit is None or found <= limit
        return make_answer(board, Tally(found if complete else limit or 0, complete=complete), 0.0, self.plan)

    def choose(self, text: Callable[[CountAnswer], str]) -> list[Column]:
        """Return a column of texts, one for each number of solutions that has a verdict of its own."""
        from enumerator.text import columns

        board, limit = self.block.board(0), self.plan.limit
        answers = [self._make(board, number) for number in range(3 if limit is None else limit + 2)]
        return [columns.choice(self.counts, [text(answer).encode() for answer in answers])]

    def number(self) -> list[Column]:
        return self.solutions() if self.plan.limit is None else self.choose(as_number)

    def solutions(self) -> list[Column]:
        """Return the column of the numbers of solutions, at most the limit."""
        from enumerator.text import columns

        if self.plan.limit is not None:
            return self.choose(lambda answer: str(answer.solutions))
        return [columns.number(self.counts)]

    def nodes(self) -> list[Column]:
        from enumerator.text import columns

        return [columns.number(facts_of(self).nodes)]

    def seconds(self) -> list[Column]:
        from enumerator.text import columns

        return [columns.seconds(facts_of(self).nanoseconds)]


def as_number(answer: CountAnswer) -> str:
    """Return the number of solutions; a trailing + means "at least"."""
    return with_plus(answer.solutions, answer.complete)


def chosen(answers: CountedBlock, field: Field) -> list[Column]:
    """Return the column of a field that depends on the number of solutions alone."""
    return answers.choose(lambda answer: text_of(field.value(answer)))


def own_unit(engine: str) -> str:
    """Return the unit of effort of an engine that visits solutions in other steps than nodes; empty for others."""
    chosen = engines.get(engine)
    return chosen.effort if chosen.visits and chosen.effort != "nodes" else ""


def _effort(answer: CountAnswer) -> object:
    unit = own_unit(answer.engine)
    return {unit: answer.effort} if unit else ABSENT


def _solutions_words(answer: CountAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    return None if style.is_drawn else at_least(whole(answer.solutions), answer.complete, answer.ended)


def _engine_words(answer: CountAnswer, field: Field, style: Style) -> str:  # noqa: ARG001
    """Return the engine, its cores, and the numbers of nodes and tasks."""
    words = [answer.engine, describe_cores(answer)]
    if engines.get(answer.engine).effort == "nodes":
        words.append(plural(answer.nodes, "node", style.integer))
    elif unit := own_unit(answer.engine):
        words.append(plural(answer.effort, unit.removesuffix("s"), style.integer))
    return ", ".join([*words, *([plural(answer.tasks, "task", style.integer)] if answer.tasks else [])])


def describe_cores(answer: CountAnswer) -> str:
    """Return the number of cores and, if more were requested, why these did it."""
    cores, requested = plural(answer.cores, "core"), answer.requested_cores
    if requested in (None, answer.cores):
        return cores
    from enumerator.run.workers.executors import usable_cores

    usable = usable_cores()
    if answer.cores > usable:  # those of a cluster
        return f"{cores} ({requested} requested)"
    if answer.cores == usable:
        reason = "no more are available"
    elif answer.tasks and answer.cores == 1:
        reason = "no further thread can be started"
    elif answer.tasks:
        reason = "not worth dividing further"
    else:
        reason = f"{'done' if answer.complete else 'ended'} before it was worth dividing"
    return f"{cores} ({requested} requested: {reason})"


def _verified(answer: CountAnswer) -> object:
    again = answer.verification
    return {"agrees": answer.agrees, **again.to_dict()} if again else ABSENT


def _verified_words(answer: CountAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    again = answer.verification
    if again is None:
        return None
    wrong = f"says {style.integer.format(again.solutions)}: ONE OF THEM IS WRONG"
    return f"{again.way}: {'agrees' if answer.agrees else wrong}, {again.seconds:.3f} s"


def _repeated(answer: CountAnswer) -> object:
    return answer.repeated.to_dict() if answer.repeated else ABSENT


def _repeated_words(answer: CountAnswer, field: Field, style: Style) -> str | None:  # noqa: ARG001
    times = answer.repeated
    if times is None:
        return None
    if times.number == 1:
        return f"1 count: {measured(times.mean)}"
    spread = f"mean {measured(times.mean, times.deviation)}, least {measured(times.least)}, most {measured(times.most)}"
    return f"{plural(times.number, 'count')}: {spread}"


def _before(answer: Any) -> object:
    before: EarlierRuns | None = answer.before
    return {"tasks": before.tasks, "seconds": round(before.seconds, 6)} if before else ABSENT


def _before_words(answer: Any, field: Field, style: Style) -> str | None:  # noqa: ARG001
    before: EarlierRuns | None = answer.before
    return before and f"{plural(before.tasks, 'task', style.integer)} in {lasting(before.seconds)}"


EARLIER_RUNS = Field(
    "before", _before, _before_words, place=90, columns=("before.tasks", "before.seconds"), column=same
)
"""The work of earlier runs with the same ledger."""

FIELDS = (
    *BOARD_FIELDS,
    Field(
        "solutions",
        lambda answer: str(answer.solutions),
        _solutions_words,
        place=10,
        column=lambda answers, _: answers.solutions(),
        is_text=True,
    ),
    Field("complete", lambda answer: answer.complete, no_words, column=chosen),
    Field("ended", lambda answer: answer.ended, no_words, column=chosen, is_text=True),
    Field("engine", lambda answer: answer.engine, _engine_words, place=70, column=same, is_text=True),
    Field("cores", lambda answer: answer.cores, no_words, column=same),
    Field("requested_cores", lambda answer: answer.requested_cores, no_words, column=same),
    Field("tasks", lambda answer: answer.tasks, no_words, column=same),
    Field("nodes", lambda answer: answer.nodes, no_words, column=lambda answers, _: answers.nodes()),
    Field("effort", _effort, no_words, columns=("effort.steps",), column=same),
    Field(
        "seconds",
        lambda answer: round(answer.seconds, 6),
        lambda answer, *_: f"{answer.seconds:.3f} s",
        "time",
        80,
        column=lambda answers, _: answers.seconds(),
    ),
    Field(
        "verdict",
        lambda answer: answer.verdict,
        lambda answer, _, style: None if style.is_drawn else answer.verdict,
        place=20,
        column=chosen,
        is_text=True,
    ),
    Field(
        "solution",
        lambda answer: str(answer.solution) if answer.solution else ABSENT,
        lambda answer, _, style: str(answer.solution) if answer.solution and not style.is_drawn else None,
        place=30,
        column=lambda answers, _: cells_column(answers.unique, answers.block.shape, answers.counts),
        shown=lambda answers: answers.counts,
        is_text=True,
    ),
    Field(
        "repeated",
        _repeated,
        _repeated_words,
        place=85,
        columns=tuple(f"repeated.{name}" for name in ("number", "mean", "deviation", "least", "most")),
        column=same,
    ),
    Field(
        "verified",
        _verified,
        _verified_words,
        place=50,
        columns=("verified.agrees", "verified.solutions", "verified.way", "verified.seconds"),
        column=same,
    ),
    EARLIER_RUNS,
    Field(
        "estimated_solutions",
        lambda answer: answer.estimate.to_dict() if answer.estimate else ABSENT,
        lambda answer, *_: answer.estimate and answer.estimate.describe(rough_power),
        "estimate",
        60,
        bounds_of("estimated_solutions"),
        same,
    ),
    Field(
        "conflicts",
        lambda answer: optional(answer.conflicts),
        lambda answer, _, style: answer.conflicts[style.is_drawn :],
        "conflict",
        40,
        column=same,
    ),
)
"""The facts of --json. Their places in text are those of `enumerate` without options."""
