"""The view of --steps: how a board is solved, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.board.shape import cell_name
from enumerator.command import console
from enumerator.command.views import option
from enumerator.command.views.partial import PartialView
from enumerator.questions.fields import Facts
from enumerator.text.phrases import lasting, plural, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enumerator.board import Board
    from enumerator.command.request import Request
    from enumerator.questions.ask import Watch
    from enumerator.questions.steps import StepsAnswer


class StepsView(PartialView["StepsAnswer"]):
    """The steps, each with its reason, and the rules that they use as a rating."""

    group = "clues"
    arguments = option(
        action="store_true", help="solve it as a person would: each step with its rule and reason, and a rating"
    )
    special_options = frozenset(["time_limit", "quiet"])
    columns = ("source", "board", "step", "kind", "rule", "cells", "digits", "depth", "text", "error")
    undone = "the board is not solved"

    def deadline(self, request: Request) -> float | None:
        """Return None: after the time limit, the record ends, and says so."""
        return None

    def ask(self, board: Board, request: Request, watch: Watch) -> StepsAnswer:
        from enumerator.questions.steps import record_steps

        return record_steps(board, time_limit=request.options.time_limit, watch=watch)

    def as_number(self, answer: StepsAnswer) -> str:
        """Return the rating, and the hardest rule."""
        return describe_rating(answer)

    def rows(self, source: str, answer: StepsAnswer) -> Iterator[dict[str, object]]:
        """Yield a row for each step."""
        size, symbols = answer.board.shape.size, answer.board.shape.symbols
        for number, step in enumerate(answer, 1):
            yield {
                "source": source,
                "board": str(answer.board),
                "step": number,
                "kind": step.kind,
                "rule": step.rule,
                "cells": [cell_name(cell, size) for cell in step.cells],
                "digits": [symbols[digit - 1] for digit in step.digits],
                "depth": step.depth,
                "text": step.text,
            }

    def as_text(self, source: str, answer: StepsAnswer) -> str:
        return f"{super().as_text(source, answer)}\n{numbered(answer)}"

    def facts(self, answer: StepsAnswer) -> Facts:
        return [("result", answer.headline), *step_facts(answer)]

    def draw(self, source: str, answer: StepsAnswer, ascii: bool) -> bool:  # noqa: A002
        from enumerator.command.terminal import Heading, draw_board_with_facts

        heading = Heading(printable(source), answer.headline, "bold green" if answer.solution else "bold red")
        if not draw_board_with_facts(heading, answer.board, step_facts(answer), answer.solution, ascii):
            return False
        console.write_line(numbered(answer))
        return True


def numbered(answer: StepsAnswer) -> str:
    """Return the steps with their numbers, one a line. The end is not a step."""
    return "\n".join(
        f"  {number if step.kind != 'solved' else '':<4}  {step.text}" for number, step in enumerate(answer, 1)
    )


def describe_rating(answer: StepsAnswer) -> str:
    """Return the rating, and the hardest rule unless it has the same name: easy: hidden single."""
    is_named = answer.hardest is not None and answer.hardest != answer.rating
    return f"{answer.rating}: {answer.hardest}" if is_named else answer.rating


def step_facts(answer: StepsAnswer) -> Facts:
    """Return the facts about the steps."""
    numbers = {**answer.rules, **({"dead end": answer.dead_ends} if answer.dead_ends else {})}
    rules = [(name, plural(number, "step", "{:,}")) for name, number in numbers.items()]
    return [
        ("rating", describe_rating(answer)),
        *(("rules", f"{name}: {number}") for name, number in rules),
        ("time", lasting(answer.seconds)),
    ]


VIEW = StepsView()
