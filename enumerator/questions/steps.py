"""A board solved step by step, recorded, with the reason of each step.

The walk draws conclusions by the rules of rules.py. Where none applies, it guesses: the first
candidate of the cell with the fewest. A guess that leads to a contradiction, a dead end, is taken
back with all that followed, and its candidate is removed. So the walk is that of
engines/search/reference.py, with rules.

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

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

from enumerator.board import Board
from enumerator.questions.ask import carrying
from enumerator.questions.fields import board_facts
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
        facts: dict[str, object] = {"kind": self.kind, "text": self.text, "depth": self.depth}
        if self.kind == "place":
            facts |= {"rule": self.rule, "cell": self.cells[0], "digit": self.digits[0], "unit": self.unit}
            facts |= {"because": list(self.because), "removed": list(self.removed)}
        elif self.kind == "remove":
            facts |= {"rule": self.rule, "cells": list(self.cells), "digits": list(self.digits), "unit": self.unit}
            facts |= {"because": list(self.because)}
        elif self.kind == "dead end":
            facts |= {"cells": list(self.cells), "digit": next(iter(self.digits), None), "unit": self.unit}
            facts |= {"back_to": self.back_to}
        return facts


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
        return {
            **board_facts(self.board),
            "ended": self.ended,
            "headline": self.headline,
            "guesses": self.guesses,
            "deepest": self.deepest,
            "rules": self.rules,
            "rating": self.rating,
            "hardest": self.hardest,
            "solution": None if self.solution is None else self.solution.clues,
            "candidates": [[bit + 1 for bit in bits(mask)] for mask in self.candidates],
            "steps": [step.to_dict() for step in self.steps],
            "seconds": round(self.seconds, 6),
        }


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
