"""A board solved step by step, recorded, with the reason of each step.

The walk draws conclusions by the rules of rules.py. Where none applies, it guesses: the first
candidate of the cell with the fewest. A guess that leads to a contradiction, a dead end, is taken
back with all that followed, and its candidate is removed. So the walk is that of
the engine `search`, with the rules of people.

    step    a conclusion, a guess, a dead end, or the end; numbered from 1
    depth   of a step: the number of guesses on which it depends
    state   the digits and candidates before or after a step

A viewer needs nothing but the record:

    at the start   the board, and `candidates`
    place          the cell holds the digit; it has no candidates, and the cells `removed` lose the digit
    remove         the cells lose the digits, where they have them
    dead end       the state is that before step `back_to`, which was a guess
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

from enumerator.board import Board
from enumerator.board.shape import cell_name
from enumerator.questions.ask import carrying
from enumerator.questions.fields import ABSENT, ROW_BOARD_FIELDS, SECONDS, Field, in_text, no_words, only_json, to_dict
from enumerator.questions.rule_patterns import bits
from enumerator.questions.rules import RATINGS, RULES, Candidates, Conclusion, Contradiction, Rating, Rule
from enumerator.run.progress import Progress, Watch, no_progress
from enumerator.text.phrases import plural

MOST_STEPS = 5_000
"""The usual largest number of steps of a record.

Most 9×9 boards take 60 to 150, hard ones up to 2,300. Hard 25×25 boards take more. A record of this
length takes 0.15 s, and 1.2 MB as JSON.
"""

STEPS_A_REPORT = 32
"""The steps between two looks at the clock: 1 ms on 25×25."""

Kind: TypeAlias = Literal["place", "remove", "dead end", "solved"]

Ending: TypeAlias = Literal["solved", "no solution", "step limit", "time limit", "interrupted"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a recorded walk. Cells are numbered from 0, digits and steps from 1."""

    kind: Kind
    text: str
    """The step and its reason in one sentence."""
    depth: int = 0
    """The number of guesses on which the step depends, a guess itself included."""
    rule: Rule | None = None
    """The rule; None for a dead end and the end."""
    cells: tuple[int, ...] = ()
    """The cell that is filled, the cells that lose candidates, or the cells of a dead end."""
    digits: tuple[int, ...] = ()
    """The digit that is placed, the candidates that are removed, or the digit without a place."""
    because: tuple[int, ...] = ()
    """The cells from which the step follows."""
    unit: str | None = None
    """The unit from which the step follows, or which has no place for a digit."""
    removed: tuple[int, ...] = ()
    """The other cells that lose the digit which is placed."""
    back_to: int | None = None
    """The number of the guess that a dead end refutes; None if it refutes the board."""

    def to_dict(self) -> dict[str, object]:
        """Return the step as a dictionary of the facts that its kind has."""
        return to_dict(STEP_FIELDS, self)


def _of_kinds(value: Callable[[Step], object], *kinds: Kind) -> Callable[[Step], object]:
    """Return the value of a field that only steps of some kinds have."""
    return lambda step: value(step) if step.kind in kinds else ABSENT


STEP_FIELDS = (
    Field("kind", lambda step: step.kind),
    Field("text", lambda step: step.text),
    Field("depth", lambda step: step.depth),
    Field("rule", _of_kinds(lambda step: step.rule, "place", "remove")),
    Field("cell", _of_kinds(lambda step: step.cells[0], "place")),
    Field("cells", _of_kinds(lambda step: list(step.cells), "remove", "dead end")),
    Field("digit", _of_kinds(lambda step: next(iter(step.digits), None), "place", "dead end")),
    Field("digits", _of_kinds(lambda step: list(step.digits), "remove")),
    Field("unit", _of_kinds(lambda step: step.unit, "place", "remove", "dead end")),
    Field("because", _of_kinds(lambda step: list(step.because), "place", "remove")),
    Field("removed", _of_kinds(lambda step: list(step.removed), "place")),
    Field("back_to", _of_kinds(lambda step: step.back_to, "dead end")),
)
"""The facts of a step in JSON."""


@dataclass(frozen=True, slots=True, repr=False)
class StepsAnswer:
    """A board solved step by step, up to its first solution.

    >>> answer = en.steps("1... ..2. .3.. ...4")
    >>> answer.ended, len(answer.steps)
    ('solved', 13)
    """

    board: Board
    candidates: tuple[int, ...]
    """The candidates of each cell at the start as masks, bit d - 1 for digit d; 0 for a clue."""
    steps: tuple[Step, ...]
    ended: Ending
    """The end of the record: solved, no solution, or the limit that cut it off."""
    solution: Board | None
    """The first solution, if it was found. There may be others."""
    seconds: float

    @property
    def guesses(self) -> int:
        """The number of guesses."""
        return sum(step.rule == "guess" for step in self.steps)

    @property
    def rules(self) -> dict[str, int]:
        """The number of steps by each rule, the cheapest rule first."""
        return {rule: number for rule in RULES if (number := sum(step.rule == rule for step in self.steps))}

    @property
    def dead_ends(self) -> int:
        """The number of dead ends, which are steps without a rule."""
        return sum(step.kind == "dead end" for step in self.steps)

    @property
    def hardest(self) -> Rule | None:
        """The hardest rule of the steps, where a guess is harder than all others; None for a full board."""
        used = {step.rule for step in self.steps}
        return next((rule for rule in reversed(RULES[:-1]) if rule in used), None)

    @property
    def rating(self) -> Rating:
        """How hard the board is by its hardest rule.

        easy      naked and hidden singles
        medium    locked candidates and pairs
        hard      triples, X-wing and swordfish
        guess     none of these is enough somewhere
        """
        return RATINGS[self.hardest] if self.hardest else "easy"

    def describe_rating(self) -> str:
        """Return the rating, and the hardest rule unless it has the same name: easy: hidden single."""
        is_named = self.hardest is not None and self.hardest != self.rating
        return f"{self.rating}: {self.hardest}" if is_named else self.rating

    @property
    def deepest(self) -> int:
        """The largest number of guesses on which a step depends."""
        return max((step.depth for step in self.steps), default=0)

    @property
    def headline(self) -> str:
        """The end and the number of steps before it: solved in 57 steps, with 2 guesses."""
        steps = plural(sum(step.kind != "solved" for step in self.steps), "step", "{:,}")
        guesses = {0: "without a guess", 1: "with 1 guess"}.get(self.guesses, f"with {self.guesses:,} guesses")
        if self.ended == "interrupted":
            return f"not solved in {steps}, {guesses}: interrupted"
        if self.ended.endswith("limit"):
            return f"not solved in {steps}, {guesses}: the {self.ended} cut it off"
        return f"{self.ended} in {steps}, {guesses}"

    def __repr__(self) -> str:
        return f"<StepsAnswer: {self.headline}>"

    def __str__(self) -> str:
        return "\n".join(
            f"{number}. {step.text}" if step.kind != "solved" else step.text
            for number, step in enumerate(self.steps, 1)
        )

    def __len__(self) -> int:
        """Return the number of steps."""
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def to_dict(self) -> dict[str, object]:
        """Return the record as a dictionary, with all that a viewer needs."""
        return to_dict(FIELDS, self)


def _rows(answer: StepsAnswer) -> Iterator[dict[str, object]]:
    """Yield a row for each step."""
    size, symbols = answer.board.shape.size, answer.board.shape.symbols
    for number, step in enumerate(answer, 1):
        cells = [cell_name(cell, size) for cell in step.cells]
        digits = [symbols[digit - 1] for digit in step.digits]
        yield {**step.to_dict(), "step": number, "rule": step.rule, "cells": cells, "digits": digits}


def _describe_rules(answer: StepsAnswer) -> list[str]:
    """Return how often each rule was used, and the dead ends: together the steps of the headline."""
    numbers = {**answer.rules, **({"dead end": answer.dead_ends} if answer.dead_ends else {})}
    return [f"{name}: {plural(number, 'step', '{:,}')}" for name, number in numbers.items()]


FIELDS = (
    *ROW_BOARD_FIELDS,
    only_json("ended", lambda answer: answer.ended),
    Field("headline", lambda answer: answer.headline, in_text(lambda answer: answer.headline), "result", 10, ()),
    only_json("guesses", lambda answer: answer.guesses),
    only_json("deepest", lambda answer: answer.deepest),
    Field(
        "rules",
        lambda answer: answer.rules,
        lambda answer, *_: _describe_rules(answer),
        place=30,
        columns=(),
    ),
    Field("rating", lambda answer: answer.rating, lambda answer, *_: answer.describe_rating(), place=20, columns=()),
    only_json("hardest", lambda answer: answer.hardest),
    only_json("solution", lambda answer: None if answer.solution is None else answer.solution.clues),
    only_json("candidates", lambda answer: [[bit + 1 for bit in bits(mask)] for mask in answer.candidates]),
    Field(
        "steps",
        lambda answer: [step.to_dict() for step in answer.steps],
        no_words,
        columns=("step", "kind", "rule", "cells", "digits", "depth", "text"),
        rows=_rows,
    ),
    SECONDS.but(columns=()),
)


def record_steps(
    board: Board,
    *,
    limit: int | None = MOST_STEPS,
    time_limit: float | None = None,
    watch: Watch = no_progress,
) -> StepsAnswer:
    """Solve a board step by step, and return the record.

    It ends with the first solution, which may not be the only one, or with the proof that there is
    none. At most `limit` steps are recorded, in at most `time_limit` seconds. None means no limit.
    """
    started = perf_counter()
    deadline = inf if time_limit is None else started + time_limit
    walk, steps = Walk(board), list[Step]()
    candidates = tuple(walk.now.masks)

    def answer(ended: Ending) -> StepsAnswer:
        solution = Board.from_valid(board.shape, bytes(walk.now.cells)) if ended == "solved" else None
        return StepsAnswer(board, candidates, tuple(steps), ended, solution, perf_counter() - started)

    with carrying(partial(answer, "interrupted")):
        for step in walk.steps():
            steps.append(step)
            ended = _ENDINGS.get((step.kind, step.back_to))
            if ended is None and len(steps) == limit:
                ended = "step limit"
            elif ended is None and len(steps) % STEPS_A_REPORT == 0:
                watch(Progress(effort=len(steps), unit="steps"))
                ended = "time limit" if perf_counter() > deadline else None
            if ended is not None:
                return answer(ended)
    raise RuntimeError("the steps have no end")


_ENDINGS: dict[tuple[Kind, int | None], Ending] = {("solved", None): "solved", ("dead end", None): "no solution"}
"""The endings of a walk by the kind of a step and the guess that it returns to."""


class Guess(NamedTuple):
    """A guess that has not led to a dead end so far."""

    number: int
    """The number of its step."""
    cell: int
    digit: int
    before: Candidates
    """The candidates before the guess."""


class Walk:
    """A walk to the first solution of a board."""

    __slots__ = ("_guesses", "_number", "now")

    def __init__(self, board: Board) -> None:
        self.now = Candidates(board)
        self._guesses = list[Guess]()
        self._number = 0

    def steps(self) -> Iterator[Step]:
        """Yield the steps, the last of which is the solution or a dead end that no guess explains."""
        while self.now.empty or self.now.contradiction:
            if wrong := self.now.contradiction:
                yield self._dead_end(wrong)
                if not self._guesses:
                    return
                yield self._refute(self._guesses.pop())
            elif found := self.now.conclude():
                yield self._apply(found)
            else:
                yield self._guess()
        yield Step("solved", "Solved: every cell holds a digit.", len(self._guesses))

    def _apply(self, found: Conclusion) -> Step:
        self._number += 1
        return Step(
            "place" if found.places else "remove",
            found.text,
            len(self._guesses),
            found.rule,
            found.cells,
            found.digits,
            found.because,
            found.unit,
            self.now.apply(found),
        )

    def _guess(self) -> Step:
        cell = self.now.fewest()
        mask = self.now.masks[cell]
        digit = (mask & -mask).bit_length()
        self._guesses.append(Guess(self._number + 1, cell, digit, self.now.copy()))
        claim = f"{self.now.name(cell)} is {self.now.symbol(digit)}"
        text = f"Guess {len(self._guesses)}: {claim}, one of its {mask.bit_count()} candidates."
        return self._apply(Conclusion("guess", True, (cell,), (digit,), (), None, text))

    def _dead_end(self, wrong: Contradiction) -> Step:
        self._number += 1
        back_to = self._guesses[-1].number if self._guesses else None
        text = f"Dead end: {wrong.text}; back to step {back_to}." if back_to else f"No solution: {wrong.text}."
        digits = () if wrong.digit is None else (wrong.digit,)
        return Step(
            "dead end", text, len(self._guesses), cells=wrong.cells, digits=digits, unit=wrong.unit, back_to=back_to
        )

    def _refute(self, guess: Guess) -> Step:
        """Return to the candidates before a guess, without this one."""
        self.now = guess.before
        claim = f"{self.now.name(guess.cell)} is not {self.now.symbol(guess.digit)}"
        text = f"{claim}: the guess of step {guess.number} led to a dead end."
        return self._apply(Conclusion("elimination", False, (guess.cell,), (guess.digit,), (), None, text))
