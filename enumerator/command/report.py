"""What the command has found out about a board, as plain text and as JSON. The terminal's views are in terminal.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from enumerator.board import Board
from enumerator.board.wording import lasting, plural, printable, rough

if TYPE_CHECKING:
    from enumerator.questions.estimate import Estimate, Interval
    from enumerator.questions.verify import Again


class Before(NamedTuple):
    """What was done in earlier runs, which a ledger remembers."""

    tasks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """The answer to one board."""

    source: str
    board: Board
    solutions: int
    complete: bool
    nodes: int
    seconds: float
    engine: str
    cores: int
    requested_cores: int
    tasks: int
    estimate: Interval | None = None
    """About how many solutions there are, where they could not all be counted in time."""
    before: Before | None = None
    """What a ledger knew already."""
    again: Again | None = None
    """A count in another way."""

    @property
    def agrees(self) -> bool:
        """Whether nothing speaks against it."""
        return self.again is None or self.again.solutions == self.solutions

    @property
    def title(self) -> str:
        return printable(self.source)

    @property
    def conflicts(self) -> list[str]:
        """Which clues contradict each other: none, where there is a solution."""
        return [] if self.solutions else [str(conflict) for conflict in self.board.conflicts()]

    @property
    def cores_note(self) -> str:
        """How many cores have worked, and how many were asked for if that is another number."""
        used = plural(self.cores, "core")
        return used if self.requested_cores == self.cores else f"{used} ({self.requested_cores} requested)"


def as_json(report: Report) -> str:
    """One object; integers that may not fit into 53 bits are strings."""
    import json

    answer = {
        **described(report.source, report.board),
        "solutions": str(report.solutions),
        "complete": report.complete,
        "engine": report.engine,
        "cores": report.cores,
        "requested_cores": report.requested_cores,
        "tasks": report.tasks,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
    }
    if report.again:
        answer["verified"] = {
            "agrees": report.agrees,
            "solutions": str(report.again.solutions),
            "way": report.again.way,
            "seconds": round(report.again.seconds, 6),
        }
    if report.before:
        answer["before"] = {"tasks": report.before.tasks, "seconds": round(report.before.seconds, 6)}
    if report.estimate:
        answer["estimated_solutions"] = bounds(report.estimate)
    if conflicts := report.conflicts:
        answer["conflicts"] = conflicts
    return json.dumps(answer)


def described(source: str, board: Board) -> dict[str, object]:
    """What every object says of its board."""
    return {
        "source": source,
        "shape": str(board.shape),
        "cells": board.shape.cells,
        "empty_cells": board.empty_cells,
        "filling_factor": round(board.filling_factor, 6),
        "search_space": digits(board),
    }


def as_text(report: Report) -> str:
    """One fact a line, for people and for grep; every integer exact."""
    return lines(report.title, [*features(report.board, "{}", long_digits(report.board)), *facts(report, "{}")])


def as_number(report: Report) -> str:
    """The number of solutions alone; + is "at least"."""
    return f"{report.solutions}{'' if report.complete else '+'}"


def lines(title: str, figures: list[tuple[str, str]]) -> str:
    return "\n".join([title, *(f"  {name:<16}{value}" for name, value in figures)])


LONG = 10
"""Integers with so many digits are easier to read as powers of ten."""


def features(board: Board, integer: str, space: str) -> list[tuple[str, str]]:
    """The figures of a board, given how integers and the search space are written."""
    return [
        ("shape", str(board.shape)),
        ("cells", integer.format(board.shape.cells)),
        ("empty cells", integer.format(board.empty_cells)),
        ("filling factor", f"{board.filling_factor:.3f}"),
        ("search space", space),
    ]


def facts(report: Report, integer: str) -> list[tuple[str, str]]:
    """The figures of an answer, in the order in which they are shown."""
    solutions = integer.format(report.solutions)
    work = [report.engine, report.cores_note]
    if report.engine == "search":
        work.append(plural(report.nodes, "node", integer))
    if report.tasks:
        work.append(plural(report.tasks, "task", integer))
    return [
        *(("conflict", conflict) for conflict in report.conflicts),
        ("solutions", solutions if report.complete else f"at least {solutions} (not complete)"),
        *([("verified", verdict(report.again, report.agrees, integer))] if report.again else []),
        *([("estimate", between(report.estimate, rough))] if report.estimate else []),
        ("time", f"{report.seconds:.3f} s"),
        ("engine", ", ".join(work)),
        *(
            [("before", f"{plural(report.before.tasks, 'task', integer)} in {lasting(report.before.seconds)}")]
            if report.before
            else []
        ),
    ]


def verdict(again: Again, agrees: bool, integer: str) -> str:
    """What a count in another way says."""
    says = "agrees" if agrees else f"says {integer.format(again.solutions)}: ONE OF THEM IS WRONG"
    return f"{again.way}: {says}, {again.seconds:.3f} s"


def long_digits(board: Board) -> str:
    """The search space, exactly, with its magnitude where that helps."""
    space = digits(board)
    return f"{space} ({magnitude(space)})" if len(space) >= LONG else space


def digits(board: Board) -> str:
    """The search space, exactly. Python refuses to write more than 4,300 digits, gmpy2 does not."""
    space = board.combinations
    return str(space if space.bit_length() < 10_000 else board.search_space)


def magnitude(digits: str) -> str:
    """A large integer to three figures, cut off: 1.39e40."""
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


# ------------------------------------------------------------------------------------------- estimates


def bounds(interval: Interval, divisor: int = 1) -> dict[str, float]:
    """A mean, with the bounds of its 95 % interval."""
    values = {name: getattr(interval, name) for name in ("mean", "low", "high")}
    return values if divisor == 1 else {name: value / divisor for name, value in values.items()}


def between(interval: Interval, words: Callable[[float], str], divisor: int = 1) -> str:
    """The same in words."""
    if not interval.mean:
        return "no probe has met one"
    mean, low, high = (words(bound / divisor) for bound in (interval.mean, interval.low, interval.high))
    return f"about {mean} (95 %: {low} to {high})"


def estimate_as_json(source: str, board: Board, estimate: Estimate, cores: int) -> str:
    """One object; estimates are numbers, with the bounds of their 95 % intervals."""
    import json

    return json.dumps(
        {
            **described(source, board),
            "estimated_solutions": bounds(estimate.solutions),
            "estimated_nodes": bounds(estimate.nodes),
            "estimated_seconds": bounds(estimate.seconds, 1 if estimate.exact else cores),
            "exact": estimate.exact,
            "probes": estimate.probes,
            "engine": estimate.engine,
            "cores": cores,
        }
    )


def estimate_as_number(_source: str, _board: Board, estimate: Estimate, _cores: int) -> str:
    """The number of solutions alone; ~ is "about"."""
    return str(estimate.solutions.mean) if estimate.exact else f"~{rough(estimate.solutions.mean)}"


def estimate_as_text(source: str, board: Board, estimate: Estimate, cores: int) -> str:
    """One fact a line."""
    figures = features(board, "{}", long_digits(board))
    if estimate.exact:
        figures += [
            ("solutions", f"{estimate.solutions.mean} (counted)"),
            ("time", f"{lasting(estimate.seconds.mean)} by {estimate.engine}"),
        ]
    else:
        figures += [
            ("solutions", between(estimate.solutions, rough)),
            ("nodes", between(estimate.nodes, rough)),
            ("time", f"{between(estimate.seconds, lasting, cores)} by {estimate.engine} on {plural(cores, 'core')}"),
            ("probes", f"{estimate.probes}"),
        ]
    return lines(printable(source), figures)
